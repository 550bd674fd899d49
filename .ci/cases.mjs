// Recorded cases against a running server: cases.mjs URL FOLDER. What the engine refuses as unsupported is counted apart from what
// it answers wrongly; only the latter fails. The last line is "N passed, M failed".
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [url, folder] = process.argv.slice(2);
const run = spawnSync(process.execPath, [join(folder, "compare.mjs"), "--url", url, "--json"], {
  encoding: "utf8",
  maxBuffer: 1 << 28,
});
const line = run.stdout?.split("\n").find((text) => text.startsWith('{"passed"'));
if (!line) {
  console.error(run.stdout, run.stderr);
  console.log("0 passed, 1 failed");
  process.exit(1);
}
const { results } = JSON.parse(line);
const requests = new Map();
for (const topic of new Set(results.map((result) => result.topic))) {
  for (const scene of JSON.parse(readFileSync(join(folder, `${topic}.json`), "utf8"))) {
    for (const request of scene.requests) requests.set(JSON.stringify([topic, scene.name, request.name]), request);
  }
}
/** Requests that leave everything as it was, so that nothing later in the scene depends on them. */
const reads = /_(search|count|explain|analyze|mget|msearch|field_caps|validate|source|cat)\b/;
const changes = ({ method, path, save }) =>
  save !== undefined || (method !== "GET" && method !== "HEAD" && !reads.test(path));
/** Scenes in which something that later requests need was refused. */
const tainted = new Set();
const topics = new Map();
for (const result of results) {
  const counts = topics.get(result.topic) ?? { passed: 0, refused: 0, wrong: 0 };
  topics.set(result.topic, counts);
  const scene = JSON.stringify([result.topic, result.scene]);
  const request = requests.get(JSON.stringify([result.topic, result.scene, result.request]));
  const refused =
    JSON.stringify(result).includes("unsupported_feature_exception") || request.path.includes("_validate");
  if (result.passed) counts.passed++;
  else if (refused || tainted.has(scene)) {
    counts.refused++;
    if (refused && changes(request)) tainted.add(scene);
  } else {
    counts.wrong++;
    const { topic, scene, request, passed: _, ...rest } = result;
    console.log(`wrong: ${topic} › ${scene} › ${request}: ${JSON.stringify(rest).slice(0, 300)}`);
  }
}
let passed = 0;
let wrong = 0;
for (const [topic, counts] of topics) {
  const all = counts.passed + counts.refused + counts.wrong;
  const share = ((100 * counts.passed) / all).toFixed(1);
  console.log(`${topic}: ${counts.passed}/${all} pass (${share} %), ${counts.refused} refused, ${counts.wrong} wrong`);
  passed += counts.passed;
  wrong += counts.wrong;
}
console.log(`${passed} passed, ${wrong} failed`);
process.exit(wrong === 0 ? 0 : 1);
