/** An evaluation report with whatever names are given: those of measures, strategies, documents. */
export function exampleReport(names: readonly string[] = ["ndcg@10", "bm25", "dense"]) {
  const [measure, first, second] = names as [string, string, string];
  const strategy = (name: string, mean: number) => ({
    name,
    measures: { [measure]: { mean, low: mean - 0.1, high: mean + 0.1 } },
    precisionAtRecall: [1, 0.8, 0.5, 0.2, 0],
    latency: { p50: 1.5, p95: 3, mean: 2 },
  });
  const comparison = {
    a: first,
    b: second,
    measure,
    mean: 0.12,
    low: 0.02,
    high: 0.2,
    pCorrected: 0.01,
    verdict: "better",
  };
  return {
    version: 1,
    made: "2026-01-02T03:04:05.000Z",
    experiments: [
      {
        name: names[0],
        measures: [measure],
        depth: 10,
        seed: 1,
        baseline: first,
        strategies: [strategy(first, 0.5), strategy(second, 0.62)],
        comparisons: [comparison],
        parts: [comparison],
        questions: [
          {
            id: "1",
            text: names.join("\n"),
            relevant: { [first]: 1 },
            found: { [first]: [first, second], [second]: [first] },
            values: { [first]: [0.25], [second]: [1] },
          },
        ],
      },
    ],
    answers: [],
    tunings: [],
  };
}
