/** The page that lists what the engine has of Elasticsearch, made from the tables that the engine itself works by. */
import { BODY_KEYS } from "../../src/engine/action/search/keys/index.ts";
import { REFUSED_KEYS } from "../../src/engine/action/search/keys/unsupported.ts";
import { REFUSED_RETRIEVERS, SUPPORTED_RETRIEVERS } from "../../src/engine/action/search/retrievers/parse.ts";
import { SUPPORTED_AGGREGATIONS, UNSUPPORTED_AGGREGATIONS } from "../../src/engine/aggregations/index.ts";
import { FIELD_TYPES, UNSUPPORTED_FIELD_TYPES } from "../../src/engine/mapping/registry.ts";
import { SUPPORTED_QUERIES, UNSUPPORTED_QUERIES } from "../../src/engine/query/dsl/index.ts";
import { ROUTES } from "../../src/engine/rest/routes.ts";

const INTRODUCTION = `# What the engine has of Elasticsearch

The embedded engine answers the requests below as Elasticsearch 8.17 does: the same hits in the same order, scores to float32, errors with the same
status and type. What Elasticsearch has beside them is refused with status 400 and \`unsupported_feature_exception\`, which names it, and what
Elasticsearch does not know gets Elasticsearch's own error. An index has one shard, whatever \`number_of_shards\` says.

This page is made from the engine's own tables (\`npm run docs:engine\`). Analysis has a page of its own: [analysis.md](analysis.md).
`;

const DIFFERENCES = `
## Where it differs on purpose

- The retriever \`linear\` is Elasticsearch 8.18's. \`min_score\` of \`rrf\` and \`linear\` is heeded, as from 8.18 on; 8.17 passes over it.
- \`text_similarity_reranker\` asks the model that \`openEngine({ rerankers: { name: model } })\` has under its \`inference_id\`.
- Nearest vectors come through graphs that are built in another order than Elasticsearch's: on many vectors a few of the hits differ, as they do
  between two clusters of Elasticsearch. Where many vectors are quantised, the \`k\` nearest are told apart by the vectors themselves, and scored as
  the quantised are. \`flat\` and small segments are exact, and the same.
- Aggregations within \`variable_width_histogram\` take the documents of their bucket. Elasticsearch 8.17 gives them documents of other buckets.
- \`rare_terms\` counts exactly, whatever its \`precision\`.
- A name that stands twice in \`percentile_ranks\` is printed once: JSON has no two values under one key.
- Floats beyond 2^24 and doubles are printed with the fewest digits that read back as the same number, as newer versions of Java print them.
`;

function codes(names: Iterable<string>): string {
  return [...names]
    .sort()
    .map((name) => `\`${name}\``)
    .join(", ");
}

function routeRows(): string[] {
  return ROUTES.map(([methods, paths]) => `| ${methods.replaceAll(" ", ", ")} | ${codes(paths.split(" "))} |`);
}

export function enginePage(): string {
  return [
    INTRODUCTION,
    "## Queries\n",
    `${codes(SUPPORTED_QUERIES)}\n`,
    `Refused: ${codes(UNSUPPORTED_QUERIES)}\n`,
    "## Searches\n",
    `${codes([...BODY_KEYS.keys()].filter((key) => !REFUSED_KEYS.includes(key)))}\n`,
    `Retrievers: ${codes(SUPPORTED_RETRIEVERS)}\n`,
    `Refused: ${codes(REFUSED_KEYS)}; of \`retriever\` ${codes(REFUSED_RETRIEVERS)}; of \`suggest\` \`collate\` of \`phrase\`; scripts everywhere.\n`,
    "## Aggregations\n",
    `${codes(SUPPORTED_AGGREGATIONS)}\n`,
    `Refused: ${codes(UNSUPPORTED_AGGREGATIONS)}, and scripts.\n`,
    "## Field types\n",
    `${codes(FIELD_TYPES)}\n`,
    `Refused: ${codes(UNSUPPORTED_FIELD_TYPES)}\n`,
    "## APIs\n",
    "| method | path |",
    "|---|---|",
    ...routeRows(),
    DIFFERENCES,
  ].join("\n");
}
