"""Records what trec_eval says of made-up runs, through its Python port, in answers.json.

    pip install pytrec_eval-terrier && python measures.py

The runs hold what is easy to get wrong: equal scores, scores that are equal only in float32, graded and negative judgements, documents without
a judgement, names outside ASCII, questions without a relevant document, and questions that only one side knows.
"""
import json
import pathlib
import random

import pytrec_eval

CUTS = [1, 3, 5, 10, 30]
NAMES = ["map", "recip_rank", "ndcg", "set_P", "set_recall", "set_F", "iprec_at_recall"] + [
    f"{name}.{','.join(map(str, CUTS))}" for name in ("P", "recall", "ndcg_cut", "map_cut", "success")
]

rng = random.Random(7)
POOL = [f"d{n}" for n in range(14)] + ["D3", "年假", "婚假", "é", "😀", "\ufffd", "a b".replace(" ", "_"), "d-1"]
qrels, run = {}, {}
for number in range(40):
    query = f"q{number:02}"
    judged = rng.sample(POOL, rng.randint(1, 12))
    grades = [0, 0, -1, -2] if number % 9 == 0 else [-1, 0, 0, 1, 1, 2, 3]
    qrels[query] = {doc: rng.choice(grades) for doc in judged}
    if number % 13 == 5:
        continue
    found = rng.sample(POOL, rng.randint(1, len(POOL)))
    kind = number % 4
    run[query] = {
        doc: [rng.random(), float(rng.randint(0, 3)), 0.5 + rng.randint(0, 2) * 1e-9, -rng.random() * 1e6][kind]
        for doc in found
    }
run["only-found"] = {"d1": 1.0}

values = pytrec_eval.RelevanceEvaluator(qrels, set(NAMES)).evaluate(run)
# The order in which trec_eval sees the documents, from the rank at which each alone counts as relevant.
order = {}
for query, scores in run.items():
    ranks = {}
    for doc in scores:
        single = pytrec_eval.RelevanceEvaluator({query: {doc: 1}}, {"recip_rank"}).evaluate({query: scores})
        ranks[doc] = round(1 / single[query]["recip_rank"])
    order[query] = sorted(ranks, key=ranks.get)

target = pathlib.Path(__file__).with_name("answers.json")
target.write_text(
    json.dumps({"qrels": qrels, "run": run, "order": order, "values": values}, ensure_ascii=False, separators=(",", ":")) + "\n",
    encoding="utf-8",
)
