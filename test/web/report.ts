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
    answers: [
      {
        name: names[0],
        judges: {
          [first]: { mean: 0.4, low: 0.1, high: 0.7, questions: 2 },
          [second]: { mean: 1, low: 1, high: 1, questions: 1 },
        },
        rows: [
          { id: "1", question: "good", answer: names.join("\n"), scores: { [first]: 0.8, [second]: 1 }, feedback: {} },
          {
            id: "2",
            question: names.join("\n"),
            answer: names[0],
            scores: { [first]: 0 },
            feedback: { [first]: names.join("\n") },
          },
        ],
      },
    ],
    tunings: [
      {
        name: names[0],
        measure,
        seed: 1,
        questions: 4,
        verdict: "within noise",
        gain: { mean: 0.02, low: -0.01, high: 0.05, p: 0.2 },
        present: { mean: 0.5, low: 0.4, high: 0.6 },
        tuned: { mean: 0.52, low: 0.4, high: 0.6 },
        chosen: { [first]: 0.5, [second]: 2 },
        folds: [
          { questions: 2, chosen: { [first]: 0.5, [second]: 2 }, chosenOn: 0.6, measuredOn: 0.5 },
          { questions: 2, chosen: {}, chosenOn: 0.5, measuredOn: 0.54 },
        ],
        tried: [
          { values: {}, mean: 0.5 },
          ...[1, 2].flatMap((b) =>
            [0.25, 0.5].map((a) => ({ values: { [first]: a, [second]: b }, mean: 0.4 + a * b * 0.2 })),
          ),
        ],
      },
    ],
  };
}
