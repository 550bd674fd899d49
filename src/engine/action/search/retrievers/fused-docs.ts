/** Fused lists, and why each document stands where it does (RRFRankDoc, LinearRankDoc, TextSimilarityRankDoc, RankDoc). */
import { javaFloat } from "../../../mapping/java-text.ts";
import { counted, type Explanation, matched, unmatched } from "../../../query/explanation.ts";
import { linearFusion, reciprocalRank, reciprocalRankFusion } from "../../../search/rank-fusion.ts";
import type { PlacedHit } from "./resolve.ts";
import type { CompoundRetriever, RankDoc } from "./types.ts";

export function fusedDocs(
  lists: readonly (readonly PlacedHit[])[],
  { fusion, window }: CompoundRetriever,
): readonly RankDoc[] {
  if (fusion.type === "rrf") return rrfDocs(lists, fusion.constant, window);
  if (fusion.type === "linear") return linearDocs(lists, fusion.lists, window);
  const { inferenceId, field } = fusion;
  return lists[0].map((hit) => ({
    ...hit,
    explain: (sources, [name]) =>
      matched(
        hit.score,
        `text_similarity_reranker match using inference endpoint: [${inferenceId}] on document field: [${field}] matching on source query ` +
          (name === undefined ? "" : `[${name}]`),
        sources,
      ),
  }));
}

/** The list of a leaf. */
export function leafDocs(hits: readonly PlacedHit[]): readonly RankDoc[] {
  return hits.map((hit, i) => ({
    ...hit,
    explain: (sources) => ({
      ...counted(
        i + 1,
        `doc [${hit.doc}] with an original score of [${javaFloat(hit.score)}] is at rank [${i + 1}] from the following source queries.`,
      ),
      details: sources,
    }),
  }));
}

const queryText = (at: number, names: readonly (string | undefined)[]) =>
  `at index [${at}]${names[at] === undefined ? "" : ` [${names[at]}]`}`;

const listed = (values: readonly string[]) => `[${values.join(", ")}]`;

function rrfDocs(lists: readonly (readonly PlacedHit[])[], constant: number, window: number): readonly RankDoc[] {
  return reciprocalRankFusion(lists, { constant, window }).map((doc) => ({
    ...doc,
    explain(sources, names) {
      const details = doc.parts.map((part, i): Explanation => {
        const query = queryText(i, names);
        if (part === undefined) return unmatched(`rrf score: [0], result not found in query ${query}`);
        const { rank } = part;
        const score = javaFloat(reciprocalRank(rank, constant));
        const text = `rrf score: [${score}], for rank [${rank}] in query ${query} computed as [1 / (${rank} + ${constant})], for matching query with score`;
        return { ...counted(rank, text), details: [sources[i]] };
      });
      const ranks = listed(doc.parts.map((part) => String(part?.rank ?? 0)));
      const text = `rrf score: [${javaFloat(doc.score)}] computed for initial ranks ${ranks} with rankConstant: [${constant}] as sum of [1 / (rank + rankConstant)] for each query`;
      return matched(doc.score, text, details);
    },
  }));
}

function linearDocs(
  lists: readonly (readonly PlacedHit[])[],
  weighed: Parameters<typeof linearFusion>[1],
  window: number,
): readonly RankDoc[] {
  return linearFusion(lists, weighed, window).map((doc) => ({
    ...doc,
    explain(sources, names) {
      const details = doc.parts.map((part, i): Explanation => {
        const query = queryText(i, names);
        if (part === undefined || !(part.normalized > 0)) {
          return unmatched(`weighted score: [0], result not found in query ${query}`);
        }
        const { weight, normalizer } = weighed[i];
        const product = `${javaFloat(weight)} * ${javaFloat(part.normalized)}`;
        const text = `weighted score: [${javaFloat(part.score)}] in query ${query} computed as [${product}] using score normalizer [${normalizer}] for original matching query with score:`;
        return matched(part.score, text, [sources[i]]);
      });
      const scores = listed(doc.parts.map((part) => javaFloat(part?.normalized ?? 0)));
      const weights = listed(weighed.map(({ weight }) => javaFloat(weight)));
      const text = `weighted linear combination score: [${javaFloat(doc.score)}] computed for normalized scores ${scores} and weights ${weights} as sum of (weight[i] * score[i]) for each query.`;
      return matched(doc.score, text, details);
    },
  }));
}
