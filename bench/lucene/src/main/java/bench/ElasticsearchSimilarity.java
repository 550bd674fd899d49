package bench;

import org.apache.lucene.index.FieldInvertState;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;

/** BM25 with the factor k1 + 1, which Elasticsearch keeps. */
final class ElasticsearchSimilarity extends Similarity {
  private static final float K1 = 1.2f;
  private final BM25Similarity bm25 = new BM25Similarity(K1, 0.75f);

  @Override
  public long computeNorm(FieldInvertState state) {
    return bm25.computeNorm(state);
  }

  @Override
  public SimScorer scorer(float boost, CollectionStatistics collection, TermStatistics... terms) {
    return bm25.scorer(boost * (1 + K1), collection, terms);
  }
}
