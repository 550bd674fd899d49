/** The mode `--analysis` of the fuzzer: `_analyze` requests, whose answers are compared whole. */
import { openEngine } from "../../../src/elasticsearch/engine.ts";
import { refusalOf, shown } from "../compare.ts";
import type { Options, Totals } from "../documents/main.ts";
import { readExactly } from "../documents/raw.ts";
import { differenceBetween, remote, type Send } from "../documents/run.ts";
import { seeded } from "../random.ts";
import { smaller } from "../shrink.ts";
import type { Json, JsonMap } from "../world.ts";
import { type AnalyzeRequest, analyzeRequestOf, INDEX_BODY } from "./requests.ts";

const PER_WORLD = 50;
const AT_ONCE = 4;

/** What the node's own parts of analyzers do where Elasticsearch's modules refuse: filters before synonyms. */
const CANNOT_PARSE = "cannot be used to parse synonyms";

/** The node's own analyzers have no name. */
function nameless<A extends { readonly body: Json }>(answer: A, node: { readonly body: Json }): A {
  const analyzer = ({ body }: { readonly body: Json }) =>
    ((body as JsonMap | null)?.detail as JsonMap | undefined)?.analyzer as JsonMap | undefined;
  const own = analyzer(answer);
  if (own === undefined || analyzer(node)?.name !== null) return answer;
  return {
    ...answer,
    body: {
      ...(answer.body as JsonMap),
      detail: { ...((answer.body as JsonMap).detail as JsonMap), analyzer: { ...own, name: null } },
    },
  };
}

export async function fuzzAnalysis({ url, seed, count, world, shrink, keepGoing, say }: Options): Promise<Totals> {
  const totals: Totals = { requests: 0, same: 0, refused: 0, different: 0, refusals: new Map() };
  const node = remote(url);
  const engine = await openEngine();
  const own: Send = async (method, path, body, type) => {
    const headers = body === undefined ? {} : { "content-type": type };
    const answer = await engine.request({ method, path, body, headers });
    return { status: answer.status, body: readExactly(answer.body) };
  };
  const index = `fuzz-analyze-${process.pid}`;
  const send = (method: string, path: string, body?: string) =>
    Promise.all([node, own].map((each) => each(method, path, body, "application/json")));
  const ask = async ({ inIndex, body }: AnalyzeRequest): Promise<{ refused?: string; text?: string | undefined }> => {
    const [expected, got] = await send("POST", `${inIndex ? `/${index}` : ""}/_analyze`, JSON.stringify(body));
    const refused = refusalOf(got.body);
    if (refused !== undefined && refusalOf(expected.body) === undefined) return { refused };
    if (shown(got.body).includes(CANNOT_PARSE)) return { refused: CANNOT_PARSE };
    return { text: differenceBetween(nameless(expected, expected), nameless(got, expected)) };
  };
  async function smallest(request: AnalyzeRequest): Promise<AnalyzeRequest> {
    let best = request;
    let left = shrink;
    for (let found = true; found && left > 0; ) {
      found = false;
      for (const body of smaller(best.body)) {
        if (left-- <= 0) break;
        if ((await ask({ ...best, body })).text === undefined) continue;
        best = { ...best, body };
        found = true;
        break;
      }
    }
    return best;
  }
  const requests = (at: number): AnalyzeRequest[] => {
    const random = seeded(seed * 1_000_003 + at);
    return Array.from({ length: PER_WORLD }, () => analyzeRequestOf(random));
  };
  const worlds = world === undefined ? Array.from({ length: Math.ceil(count / PER_WORLD) }, (_, at) => at) : [world];
  const left = worlds.flatMap((at) => requests(at).map((request) => ({ at, request }))).entries();
  let going = true;
  const worker = async () => {
    for (const [, { at, request }] of left) {
      if (!going) return;
      const { refused, text } = await ask(request);
      totals.requests++;
      if (refused !== undefined) {
        totals.refused++;
        totals.refusals.set(refused, (totals.refusals.get(refused) ?? 0) + 1);
      } else if (text === undefined) totals.same++;
      else {
        totals.different++;
        going = keepGoing;
        const least = await smallest(request);
        const { text: now = text } = await ask(least);
        say(
          `${now}\n  ${least.inIndex ? "index " : ""}${JSON.stringify(least.body)}\nagain: --analysis --seed ${seed} --world ${at}\n`,
        );
      }
    }
  };
  try {
    await send("PUT", `/${index}`, JSON.stringify(INDEX_BODY));
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  } finally {
    await node("DELETE", `/${index}?ignore_unavailable=true`, undefined, "application/json");
    await engine.close();
  }
  return totals;
}
