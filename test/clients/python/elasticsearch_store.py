"""LlamaIndex's ElasticsearchStore in its three modes, and an index over it."""

import asyncio
import math

from elasticsearch import AsyncElasticsearch, Elasticsearch
from elasticsearch.helpers.vectorstore import AsyncBM25Strategy, AsyncDenseVectorStrategy, DistanceMetric
from llama_index.core import Document, MockEmbedding, VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.vector_stores.types import (
    ExactMatchFilter,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
)
from llama_index.vector_stores.elasticsearch import ElasticsearchStore

from steps import main

PASSAGES = [
    ("n1", "handbook", "en", 2021, "Employees may carry over five days of annual leave into the next year."),
    ("n2", "handbook", "en", 2022, "Sick leave needs a doctor's certificate from the third day on."),
    ("n3", "handbook", "zh", 2022, "员工每年享有十五天年假，未休的年假可以结转五天。"),
    ("n4", "kitchen", "en", 2023, "The kitchen is cleaned on Fridays; leave nothing in the fridge."),
    ("n5", "kitchen", "zh", 2023, "冰箱里的食物每周五清理。"),
    ("n6", "travel", "en", 2024, "Travel expenses are refunded within thirty days after the trip."),
]


def vector(text):
    sums = [1.0, 1.0, 1.0, 1.0, 1.0]
    for at, char in enumerate(text):
        sums[at % 5] += (ord(char) % 37) * math.cos(at + 1)
    length = math.sqrt(sum(value * value for value in sums))
    return [value / length for value in sums]


class Wheel(BaseEmbedding):
    def _get_text_embedding(self, text):
        return vector(text)

    def _get_query_embedding(self, query):
        return vector(query)

    async def _aget_query_embedding(self, query):
        return vector(query)


def nodes(with_vectors=True):
    made = []
    for name, document, language, year, text in PASSAGES:
        node = TextNode(id_=name, text=text, metadata={"language": language, "year": year, "file name": f"{document}.md"})
        node.relationships[NodeRelationship.SOURCE] = RelatedNodeInfo(node_id=document)
        if with_vectors:
            node.embedding = vector(text)
        made.append(node)
    return made


def shown(result):
    return {
        "ids": result.ids,
        "similarities": result.similarities,
        "nodes": [[node.node_id, node.ref_doc_id, node.metadata, node.get_content()] for node in result.nodes],
    }


def query(text, **options):
    return VectorStoreQuery(query_str=text, query_embedding=vector(text), **options)


STORES = {
    "dense": lambda: AsyncDenseVectorStrategy(),
    "dense, euclidean": lambda: AsyncDenseVectorStrategy(distance=DistanceMetric.EUCLIDEAN_DISTANCE),
    "BM25": lambda: AsyncBM25Strategy(),
    "hybrid, added": lambda: AsyncDenseVectorStrategy(hybrid=True, rrf=False),
}
ENGLISH = MetadataFilters(filters=[ExactMatchFilter(key="language", value="en")])
TWO = MetadataFilters(filters=[ExactMatchFilter(key="language", value="en"), ExactMatchFilter(key="file name", value="handbook.md")])
MODES = {"BM25": VectorStoreQueryMode.TEXT_SEARCH, "hybrid, added": VectorStoreQueryMode.HYBRID, "hybrid": VectorStoreQueryMode.HYBRID}


def opened(url, index, strategy, **options):
    Elasticsearch(url).options(ignore_status=404).indices.delete(index=index)
    return ElasticsearchStore(index_name=index, es_client=AsyncElasticsearch(url), retrieval_strategy=strategy, **options)


def run(step, url, prefix):
    asyncio.set_event_loop(asyncio.new_event_loop())
    client = Elasticsearch(url)
    for at, (name, strategy) in enumerate(STORES.items()):
        index = f"{prefix}-llama-{at}"
        store = opened(url, index, strategy(), metadata_mappings={"year": {"type": "integer"}})
        mode = MODES.get(name, VectorStoreQueryMode.DEFAULT)
        step(f"{name}: add", lambda: store.add(nodes()))
        step(f"{name}: add nothing", lambda: store.add([]))
        step(f"{name}: mapping", lambda: client.indices.get_mapping(index=index).body[index])
        step(f"{name}: source", lambda: client.get(index=index, id="n3")["_source"])
        step(f"{name}: query", lambda: shown(store.query(query("annual leave days", similarity_top_k=3, mode=mode))))
        step(f"{name}: query in Chinese", lambda: shown(store.query(query("年假可以结转吗", similarity_top_k=2, mode=mode))))
        step(f"{name}: filter", lambda: shown(store.query(query("leave", similarity_top_k=3, mode=mode, filters=ENGLISH))))
        step(f"{name}: two filters", lambda: shown(store.query(query("leave", similarity_top_k=3, mode=mode, filters=TWO))))
        step(f"{name}: filter of the engine", lambda: shown(store.query(query("leave days", similarity_top_k=5, mode=mode), es_filter=[{"range": {"metadata.year": {"gte": 2022}}}])))
        step(f"{name}: operator that the store ignores", lambda: shown(store.query(query("leave", similarity_top_k=2, mode=mode, filters=MetadataFilters(
            filters=[MetadataFilter(key="language", value="zh", operator=FilterOperator.NE)])))))
        step(f"{name}: keyword suffix", lambda: shown(asyncio.get_event_loop().run_until_complete(
            store.aquery(query("leave", similarity_top_k=2, mode=mode, filters=ENGLISH), metadata_keyword_suffix=""))))
        step(f"{name}: custom query", lambda: shown(store.query(query("leave", similarity_top_k=4, mode=mode), custom_query=lambda body, _: {**body, "post_filter": {"term": {"metadata.year": 2023}}})))
        step(f"{name}: nothing found", lambda: shown(store.query(query("leave", mode=mode, filters=MetadataFilters(filters=[ExactMatchFilter(key="language", value="fr")])))))
        step(f"{name}: get_nodes", lambda: [node.node_id for node in store.get_nodes(node_ids=["n5", "n2", "n9"])])
        step(f"{name}: get_nodes by filter", lambda: [[node.node_id, node.get_content()] for node in store.get_nodes(filters=ENGLISH)])
        step(f"{name}: get_nodes by both", lambda: [node.node_id for node in store.get_nodes(node_ids=["n1", "n3"], filters=ENGLISH)])
        step(f"{name}: replace", lambda: store.add([TextNode(id_="n6", text="Trips are refunded.", embedding=vector("trip"))]))
        step(f"{name}: delete_nodes", lambda: store.delete_nodes(node_ids=["n4", "n9"]))
        step(f"{name}: left", lambda: client.count(index=index)["count"])
        step(f"{name}: wrong mode", lambda: shown(store.query(query("leave", mode=VectorStoreQueryMode.SPARSE))))
        step(f"{name}: clear", lambda: store.clear())
        step(f"{name}: cleared", lambda: client.indices.exists(index=index))
        step(f"{name}: query of nothing", lambda: shown(store.query(query("leave", mode=mode))))
        store.close()

    index = f"{prefix}-llama-index"
    store = opened(url, index, AsyncDenseVectorStrategy())
    built = VectorStoreIndex.from_vector_store(store, embed_model=Wheel())
    documents = [Document(id_=name, text=text, metadata={"language": language}) for name, _, language, _, text in PASSAGES]
    for document in documents:
        built.insert(document)
    step("index: retrieve", lambda: [[hit.node.ref_doc_id, hit.score, hit.node.get_content()] for hit in built.as_retriever(similarity_top_k=3).retrieve("annual leave")])
    step("index: retrieve with filters", lambda: [hit.node.ref_doc_id for hit in built.as_retriever(similarity_top_k=3, filters=ENGLISH).retrieve("annual leave")])
    store.clear()
    store.close()

    store = opened(url, index, AsyncDenseVectorStrategy())
    VectorStoreIndex.from_vector_store(store, embed_model=MockEmbedding(3)).insert(documents[0])
    step("index: mock vectors", lambda: client.get_source(index=index, id=client.search(index=index)["hits"]["hits"][0]["_id"])["embedding"])
    store.clear()
    store.close()


def ours(step, url, prefix):
    client = Elasticsearch(url)
    for name, strategy in {"dense": AsyncDenseVectorStrategy(), "BM25": AsyncBM25Strategy()}.items():
        index = f"{prefix}-llama-modules"
        store = opened(url, index, strategy)
        store.add(nodes())
        step(f"{name}: delete a document", lambda: store.delete("handbook"))
        step(f"{name}: left after it", lambda: [node.node_id for node in store.get_nodes(node_ids=[name for name, *_ in PASSAGES])])
        step(f"{name}: delete_nodes by filter", lambda: store.delete_nodes(filters=MetadataFilters(filters=[ExactMatchFilter(key="language", value="zh")])))
        step(f"{name}: delete_nodes by both", lambda: store.delete_nodes(node_ids=["n4"], filters=ENGLISH))
        step(f"{name}: left at last", lambda: client.count(index=index)["count"])
        store.clear()
        store.close()
    store = opened(url, f"{prefix}-llama-hybrid", AsyncDenseVectorStrategy(hybrid=True))
    step("hybrid: add", lambda: store.add(nodes()))
    step("hybrid: query", lambda: shown(store.query(query("annual leave days", similarity_top_k=3, mode=VectorStoreQueryMode.HYBRID))))
    step("hybrid: filter", lambda: shown(store.query(query("annual leave days", similarity_top_k=3, mode=VectorStoreQueryMode.HYBRID, filters=ENGLISH))))
    store.clear()
    store.close()


if __name__ == "__main__":
    main(run, ours)
