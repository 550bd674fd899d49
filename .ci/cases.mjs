// Recorded cases against a running server: cases.mjs URL FOLDER. What the engine refuses as unsupported is counted apart from what
// it answers wrongly; only the latter fails. The last line is "N passed, M failed".
import { spawnSync } from "node:child_process";
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
const topics = new Map();
for (const result of results) {
  const counts = topics.get(result.topic) ?? { passed: 0, refused: 0, wrong: 0 };
  topics.set(result.topic, counts);
  if (result.passed) counts.passed++;
  else if (JSON.stringify(result).includes("unsupported_feature_exception")) counts.refused++;
  else {
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
