package bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;

/** Questions as Lucene's queries, and their answers. */
final class Questions {
  static final int TOP = 10;
  static final int CANDIDATES = 100;

  record Answer(int[] ids, float[] scores, Map<String, Integer> buckets) {}

  private final IndexSearcher searcher;

  Questions(IndexSearcher searcher) {
    this.searcher = searcher;
  }

  Callable<Answer> prepare(JsonNode question) {
    String kind = question.get("kind").asText();
    Query query = queryOf(kind, question);
    return kind.equals("aggregated") ? () -> counted(query) : () -> best(query);
  }

  private static Query queryOf(String kind, JsonNode question) {
    List<Term> terms = new ArrayList<>();
    for (JsonNode word : question.get("words")) terms.add(new Term("text", word.asText()));
    Query tag = new TermQuery(new Term("tag", question.get("tag").asText()));
    switch (kind) {
      case "phrase": {
        PhraseQuery.Builder phrase = new PhraseQuery.Builder();
        terms.forEach(phrase::add);
        return phrase.build();
      }
      case "fuzzy":
        return new FuzzyQuery(terms.get(0), 1);
      case "prefix":
        return new PrefixQuery(terms.get(0));
      case "kNN":
        return new KnnFloatVectorQuery("vector", vectorOf(question), CANDIDATES);
      case "kNN, filtered":
        return new KnnFloatVectorQuery("vector", vectorOf(question), CANDIDATES, tag);
      default: {
        if (terms.size() == 1) return new TermQuery(terms.get(0));
        BooleanQuery.Builder any = new BooleanQuery.Builder();
        for (Term term : terms) any.add(new TermQuery(term), Occur.SHOULD);
        if (!kind.equals("filtered")) return any.build();
        return new BooleanQuery.Builder().add(any.build(), Occur.MUST).add(tag, Occur.FILTER).build();
      }
    }
  }

  private static float[] vectorOf(JsonNode question) {
    JsonNode values = question.get("vector");
    float[] vector = new float[values.size()];
    for (int i = 0; i < vector.length; i++) vector[i] = (float) values.get(i).asDouble();
    return vector;
  }

  /** The ids are a column, which is the fastest way to them. */
  private Answer best(Query query) throws IOException {
    TopDocs top = searcher.search(query, TOP);
    int[] ids = new int[top.scoreDocs.length];
    float[] scores = new float[ids.length];
    List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
    for (int i = 0; i < ids.length; i++) {
      ScoreDoc hit = top.scoreDocs[i];
      LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(hit.doc, leaves));
      NumericDocValues values = leaf.reader().getNumericDocValues("id");
      values.advanceExact(hit.doc - leaf.docBase);
      ids[i] = (int) values.longValue();
      scores[i] = hit.score;
    }
    return new Answer(ids, scores, null);
  }

  private Answer counted(Query query) throws IOException {
    Map<String, Integer> buckets = new TreeMap<>();
    searcher.search(query, new SimpleCollector() {
      private SortedDocValues tags;
      private int[] counts;

      @Override
      protected void doSetNextReader(LeafReaderContext context) throws IOException {
        tags = DocValues.getSorted(context.reader(), "tag");
        counts = new int[tags.getValueCount()];
      }

      @Override
      public void collect(int doc) throws IOException {
        if (tags.advanceExact(doc)) counts[tags.ordValue()]++;
      }

      @Override
      public void finish() throws IOException {
        for (int ord = 0; ord < counts.length; ord++) {
          if (counts[ord] > 0) buckets.merge(tags.lookupOrd(ord).utf8ToString(), counts[ord], Integer::sum);
        }
      }

      @Override
      public ScoreMode scoreMode() {
        return ScoreMode.COMPLETE_NO_SCORES;
      }
    });
    return new Answer(new int[0], new float[0], buckets);
  }
}
