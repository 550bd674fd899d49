"""The official Python client, its helpers and its vector stores."""

import math

from elasticsearch import Elasticsearch, helpers
from elasticsearch.helpers.vectorstore import (
    BM25Strategy,
    DenseVectorScriptScoreStrategy,
    DenseVectorStrategy,
    DistanceMetric,
    EmbeddingService,
    SparseVectorStrategy,
    VectorStore,
)

from steps import main

TOWNS = [
    ("berlin", "Berlin lies on the river Spree and has many lakes", 3_645_000),
    ("hamburg", "Hamburg lies on the river Elbe, near the sea", 1_841_000),
    ("dresden", "Dresden on the Elbe is known for its baroque churches", 556_000),
    ("shanghai", "上海位于长江入海口，是一座很大的城市", 24_870_000),
    ("hangzhou", "杭州有西湖，城市里有许多茶园", 11_936_000),
    ("paris", "Paris lies on the Seine; its museums are known everywhere", 2_103_000),
    ("lyon", "Lyon lies where the Saône meets the Rhône", 522_000),
]


def actions(index):
    for name, text, people in TOWNS:
        yield {"_index": index, "_id": name, "name": name, "text": text, "people": people, "tags": name[:2]}


def found(answer):
    return [[hit["_id"], hit["_score"]] for hit in answer["hits"]["hits"]]


class Wheel(EmbeddingService):
    """Vectors of four numbers that depend on the text alone."""

    def embed_query(self, query):
        sums = [1.0, 1.0, 1.0, 1.0]
        for at, char in enumerate(query):
            sums[at % 4] += (ord(char) % 31) * math.sin(at + 1)
        length = math.sqrt(sum(value * value for value in sums))
        return [value / length for value in sums]

    def embed_documents(self, texts):
        return [self.embed_query(text) for text in texts]


def run(step, url, prefix):
    client = Elasticsearch(url)
    index = f"{prefix}-towns"
    client.options(ignore_status=404).indices.delete(index=index)
    step("ping", lambda: client.ping())
    step("exists before", lambda: client.indices.exists(index=index))
    step(
        "create",
        lambda: client.indices.create(
            index=index,
            settings={"number_of_replicas": 0},
            mappings={"properties": {"text": {"type": "text"}, "name": {"type": "keyword"}, "people": {"type": "long"}}},
        ),
    )
    step("create again", lambda: client.indices.create(index=index))
    step("exists after", lambda: client.indices.exists(index=index))
    step("health", lambda: client.cluster.health(index=index, wait_for_status="yellow")["timed_out"])

    # helpers
    step("bulk", lambda: helpers.bulk(client, actions(index), refresh=True))
    step(
        "streaming_bulk with errors",
        lambda: list(
            helpers.streaming_bulk(
                client,
                [
                    {"_op_type": "create", "_index": index, "_id": "berlin", "name": "again"},
                    {"_op_type": "update", "_index": index, "_id": "paris", "doc": {"people": 2_104_000}},
                    {"_op_type": "update", "_index": index, "_id": "nowhere", "doc": {"people": 1}},
                    {"_op_type": "delete", "_index": index, "_id": "lyon"},
                    {"_op_type": "delete", "_index": index, "_id": "nowhere"},
                    {"_index": index, "_id": "rome", "name": "rome", "people": "many"},
                    {"_index": index, "_id": "oslo", "name": "oslo", "people": 717_000},
                ],
                chunk_size=3,
                raise_on_error=False,
                refresh="wait_for",
            )
        ),
    )
    step("bulk that raises", lambda: helpers.bulk(client, [{"_index": index, "_id": "x", "people": {"a": 1}}]))
    step("parallel_bulk", lambda: sorted(item["index"]["_id"] for ok, item in helpers.parallel_bulk(
        client, ({"_index": index, "_id": f"p{at}", "people": at} for at in range(40)), thread_count=3, chunk_size=7)))
    client.indices.refresh(index=index)
    step("scan", lambda: sorted(hit["_id"] for hit in helpers.scan(client, index=index, size=6, query={"query": {"exists": {"field": "name"}}})))
    step("scan in order", lambda: [hit["_source"]["people"] for hit in helpers.scan(
        client, index=index, size=10, preserve_order=True, query={"query": {"range": {"people": {"lt": 20}}}, "sort": [{"people": "desc"}]})])
    # documents and searches
    step("get", lambda: client.get(index=index, id="berlin")["_source"])
    step("get missing", lambda: client.get(index=index, id="nowhere"))
    step("get from no index", lambda: client.get(index=f"{prefix}-none", id="x"))
    step("mget", lambda: client.mget(index=index, ids=["berlin", "nowhere"], source_includes=["people"]))
    step("index without refresh", lambda: client.index(index=index, id="new", document={"name": "new"})["result"])
    step("update", lambda: client.update(index=index, id="new", doc={"people": 3}, detect_noop=True)["result"])
    step("update, noop", lambda: client.update(index=index, id="new", doc={"people": 3})["result"])
    step("create conflict", lambda: client.create(index=index, id="new", document={}))
    step("delete", lambda: client.delete(index=index, id="new", refresh=True)["result"])
    step("delete missing", lambda: client.options(ignore_status=404).delete(index=index, id="new")["result"])
    step("match", lambda: found(client.search(index=index, query={"match": {"text": "river Elbe"}})))
    step("match, whole", lambda: client.search(index=index, query={"match": {"text": {"query": "elbe sea", "operator": "and"}}}, highlight={"fields": {"text": {}}}))
    step("q", lambda: found(client.search(index=index, q="text:(spree OR seine)")))
    step("sort and search_after", lambda: client.search(index=index, sort=[{"people": "desc"}], size=2, search_after=[3_645_000], source=False))
    step("aggregation", lambda: client.search(index=index, size=0, aggs={"people": {"stats": {"field": "people"}}, "names": {"terms": {"field": "name", "size": 3}}}))
    step("unknown query", lambda: client.search(index=index, query={"mtch": {"text": "x"}}))
    step("unknown index", lambda: client.search(index=f"{prefix}-none"))
    step("unknown index, ignored", lambda: found(client.options(ignore_status=[404]).search(index=[index, f"{prefix}-none"], ignore_unavailable=True, size=1, query={"ids": {"values": ["berlin"]}})))
    step("msearch", lambda: [
        found(each) if "hits" in each else each
        for each in client.msearch(searches=[{"index": index}, {"query": {"match": {"text": "湖"}}}, {"index": f"{prefix}-none"}, {}])["responses"]
    ])
    step("count", lambda: client.count(index=index, query={"term": {"name": "oslo"}})["count"])
    step("explain", lambda: client.explain(index=index, id="hamburg", query={"match": {"text": "elbe"}}))
    step("field_caps", lambda: client.field_caps(index=index, fields="na*,people"))
    step("validate", lambda: client.indices.validate_query(index=index, query={"match": {"text": "a"}}, explain=True)["valid"])
    step("analyze", lambda: [token["token"] for token in client.indices.analyze(index=index, field="text", text="The Rivers 西湖")["tokens"]])

    def with_pit():
        pit = client.open_point_in_time(index=index, keep_alive="1m")["id"]
        seen, after = [], None
        while True:
            page = client.search(pit={"id": pit, "keep_alive": "1m"}, size=9, sort=[{"people": "asc"}], search_after=after, source=False)
            if not page["hits"]["hits"]:
                break
            seen += [hit["_id"] for hit in page["hits"]["hits"]]
            after = page["hits"]["hits"][-1]["sort"]
        return seen, client.close_point_in_time(id=pit)["num_freed"]

    step("point in time", with_pit)
    step("aliases", lambda: (client.indices.put_alias(index=index, name=f"{prefix}-alias").body, client.indices.get_alias(name=f"{prefix}-alias").body))
    step("search by alias", lambda: client.count(index=f"{prefix}-alias")["count"])
    step("cat", lambda: client.cat.count(index=index, h="count", format="json").body)
    step("cat, text", lambda: client.cat.count(index=index, h="count").body)
    step("filter_path", lambda: client.search(index=index, filter_path="hits.hits._id", q="name:berlin"))

    # vector stores
    texts = [text for _, text, _ in TOWNS]
    ids = [name for name, _, _ in TOWNS]
    metadatas = [{"people": people, "kind": "town" if people < 3_000_000 else "city"} for _, _, people in TOWNS]
    strategies = {
        "dense": DenseVectorStrategy(),
        "dense, euclidean": DenseVectorStrategy(distance=DistanceMetric.EUCLIDEAN_DISTANCE),
        "dense, dot product": DenseVectorStrategy(distance=DistanceMetric.DOT_PRODUCT),
        "dense, inner product": DenseVectorStrategy(distance=DistanceMetric.MAX_INNER_PRODUCT),
        "hybrid, added": DenseVectorStrategy(hybrid=True, rrf=False),
        "BM25": BM25Strategy(),
        "BM25, parameters": BM25Strategy(k1=0.9, b=0.2),
    }
    for at, (name, strategy) in enumerate(strategies.items()):
        of_store = f"{prefix}-store-{at}"
        client.options(ignore_status=404).indices.delete(index=of_store)
        store = VectorStore(client, index=of_store, retrieval_strategy=strategy, embedding_service=None if "BM25" in name else Wheel(),
                            metadata_mappings={"kind": {"type": "keyword"}}, custom_index_settings={"number_of_replicas": 0})
        step(f"{name}: add", lambda: store.add_texts(texts, metadatas=metadatas, ids=ids))
        step(f"{name}: mapping", lambda: client.indices.get_mapping(index=of_store).body[of_store])
        step(f"{name}: settings", lambda: client.indices.get_settings(index=of_store).body[of_store]["settings"]["index"].get("similarity"))
        step(f"{name}: search", lambda: store.search(query="the river Elbe", k=4))
        step(f"{name}: filter", lambda: store.search(query="the river Elbe", k=4, filter=[{"term": {"metadata.kind": "city"}}]))
        step(f"{name}: custom query", lambda: store.search(query="lakes", k=2, custom_query=lambda body, query: {**body, "min_score": 0.1}))
        if name == "dense":
            step("dense: marginal relevance", lambda: store.max_marginal_relevance_search(query="the river", vector_field="vector_field", k=3, num_candidates=6))
        step(f"{name}: delete ids", lambda: store.delete(ids=["lyon", "paris"]))
        step(f"{name}: left", lambda: client.count(index=of_store)["count"])
        step(f"{name}: wrong dimensions", lambda: store.add_texts(["x"], vectors=[[1.0, 2.0]], ids=["x"]))
        client.indices.delete(index=of_store)
    client.indices.delete(index=index)


def ours(step, url, prefix):
    client = Elasticsearch(url)
    index = f"{prefix}-modules"
    client.options(ignore_status=404).indices.delete(index=index)
    helpers.bulk(client, actions(index), refresh=True)
    copy = f"{index}-copy"
    client.options(ignore_status=404).indices.delete(index=copy)
    step("reindex", lambda: helpers.reindex(client, index, copy, query={"query": {"range": {"people": {"gte": 600_000}}}}))
    client.indices.refresh(index=copy)
    step("reindexed", lambda: client.count(index=copy)["count"])
    step("reindexed mapping", lambda: client.indices.get_mapping(index=copy).body[copy])
    client.indices.delete(index=copy)
    step("data streams", lambda: client.indices.get_data_stream())
    step("data streams by name", lambda: client.indices.get_data_stream(name=f"{prefix}-none"))
    step("delete_by_query", lambda: client.delete_by_query(index=index, query={"range": {"people": {"gt": 3_000_000}}}, refresh=True))
    step("after delete_by_query", lambda: client.count(index=index)["count"])
    step("gzip", lambda: helpers.bulk(Elasticsearch(url, http_compress=True), [{"_index": index, "_id": "big", "text": "湖 " * 5000}], refresh=True))
    step("of what was compressed", lambda: found(client.search(index=index, query={"term": {"text": "湖"}}, source=False)))
    step("ES|QL", lambda: client.esql.query(query=f"FROM {index}"))
    step("reindex by the server", lambda: client.reindex(source={"index": index}, dest={"index": f"{index}-2"}))
    step("update_by_query", lambda: client.update_by_query(index=index))
    client.indices.delete(index=index)
    for name, strategy in {
        "sparse": SparseVectorStrategy(),
        "dense by script": DenseVectorScriptScoreStrategy(),
        "dense, by the server's model": DenseVectorStrategy(model_id="a-model"),
    }.items():
        store = VectorStore(client, index=index, retrieval_strategy=strategy, embedding_service=Wheel(), num_dimensions=4)
        step(f"{name}: add", lambda: store.add_texts(["one"], ids=["1"]))
        step(f"{name}: search", lambda: store.search(query="one"))
        client.options(ignore_status=404).indices.delete(index=index)
    store = VectorStore(client, index=index, retrieval_strategy=DenseVectorStrategy(hybrid=True), embedding_service=Wheel())
    store.add_texts([text for _, text, _ in TOWNS], ids=[name for name, _, _ in TOWNS])
    step("hybrid: search", lambda: [[hit["_id"], round(hit["_score"], 6)] for hit in store.search(query="the river Elbe", k=4)])

    def fused():
        """Reciprocal ranks of what each retriever finds alone; ties by the order in which documents were written."""
        text = {"match": {"text_field": "the river Elbe"}}
        vector = {"field": "vector_field", "query_vector": Wheel().embed_query("the river Elbe"), "k": 4, "num_candidates": 50}
        scores = {}
        for found in (client.search(index=index, query=text, size=10), client.search(index=index, knn=vector, size=10)):
            for rank, hit in enumerate(found["hits"]["hits"], start=1):
                scores[hit["_id"]] = scores.get(hit["_id"], 0) + 1 / (60 + rank)
        order = [name for name, _, _ in TOWNS]
        best = sorted(scores.items(), key=lambda item: (-item[1], order.index(item[0])))
        return [[name, round(score, 6)] for name, score in best[:4]]

    step("hybrid: fused by hand", fused)
    step("hybrid: delete by query", lambda: store.delete(query={"match": {"text_field": "elbe"}}))
    step("hybrid: left", lambda: client.count(index=index)["count"])
    client.indices.delete(index=index)


if __name__ == "__main__":
    main(run, ours)
