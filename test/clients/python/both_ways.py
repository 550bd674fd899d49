"""The other side of an index that both libraries use: LlamaIndex's ElasticsearchStore writes nodes to it, or tells what it finds there."""

import argparse
import asyncio
import json
import sys

from elasticsearch import AsyncElasticsearch
from elasticsearch.helpers.vectorstore import AsyncBM25Strategy, AsyncDenseVectorStrategy
from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.vector_stores.types import ExactMatchFilter, MetadataFilters, VectorStoreQuery, VectorStoreQueryMode
from llama_index.vector_stores.elasticsearch import ElasticsearchStore

# What random words and numbers would be taken for depends on which comes first.
WORDS = {"type": "text", "fields": {"keyword": {"type": "keyword"}}}
MAPPINGS = {"level": WORDS, "note": WORDS, "days": {"type": "double"}, "rate": {"type": "double"}}

KINDS = {"source": NodeRelationship.SOURCE, "previous": NodeRelationship.PREVIOUS, "next": NodeRelationship.NEXT}


def to_node(given):
    node = TextNode(
        id_=given["id"],
        text=given["text"],
        metadata=given["metadata"],
        embedding=given.get("embedding"),
        excluded_embed_metadata_keys=given["excluded"],
    )
    for kind, other in given["relationships"].items():
        node.relationships[KINDS[kind]] = RelatedNodeInfo(node_id=other)
    return node


def shown(node):
    related = {kind: node.relationships[key].node_id for kind, key in KINDS.items() if key in node.relationships}
    return {
        "id": node.node_id,
        "text": node.get_content(),
        "metadata": node.metadata,
        "excluded": node.excluded_embed_metadata_keys,
        "relationships": related,
    }


def main():
    arguments = argparse.ArgumentParser()
    for name in ("url", "index", "strategy", "work"):
        arguments.add_argument(f"--{name}", required=True)
    options = arguments.parse_args()
    asyncio.set_event_loop(asyncio.new_event_loop())
    strategy = AsyncBM25Strategy() if options.strategy == "bm25" else AsyncDenseVectorStrategy()
    store = ElasticsearchStore(index_name=options.index, es_client=AsyncElasticsearch(options.url), retrieval_strategy=strategy, metadata_mappings=MAPPINGS)
    with open(options.work, encoding="utf-8") as file:
        work = json.load(file)
    got = {}
    if "write" in work:
        got["written"] = store.add([to_node(node) for node in work["write"]])
    if "ids" in work:
        got["nodes"] = [shown(node) for node in store.get_nodes(node_ids=work["ids"])]
    answers = []
    for asked in work.get("queries", []):
        filters = [ExactMatchFilter(key=key, value=value) for key, value in asked.get("filters", {}).items()]
        result = store.query(
            VectorStoreQuery(
                query_str=asked["query"],
                query_embedding=asked.get("embedding"),
                similarity_top_k=asked["topK"],
                mode=VectorStoreQueryMode.TEXT_SEARCH if options.strategy == "bm25" else VectorStoreQueryMode.DEFAULT,
                filters=MetadataFilters(filters=filters) if filters else None,
            )
        )
        answers.append([node.node_id for node in result.nodes])
    got["answers"] = answers
    store.close()
    json.dump(got, sys.stdout, ensure_ascii=False)


if __name__ == "__main__":
    main()
