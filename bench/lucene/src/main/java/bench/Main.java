package bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.lucene912.Lucene912Codec;
import org.apache.lucene.codecs.lucene99.Lucene99HnswScalarQuantizedVectorsFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;

/** Lucene as a peer: the requests of bench/run/protocol.ts, one a line. */
public final class Main {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Similarity SIMILARITY = new ElasticsearchSimilarity();

  private static final OperatingSystemMXBean PROCESS = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private static double before;
  private static DirectoryReader reader;
  private static Questions questions;

  public static void main(String[] args) throws Exception {
    before = memory("VmRSS");
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      ObjectNode answer;
      try {
        answer = handle(JSON.readTree(line));
      } catch (Exception error) {
        answer = JSON.createObjectNode().put("error", error.toString());
      }
      System.out.println("\n" + JSON.writeValueAsString(answer));
      System.out.flush();
    }
  }

  private static ObjectNode handle(JsonNode request) throws Exception {
    switch (request.get("do").asText()) {
      case "build":
        return build(request.get("suite"), Path.of(request.get("folder").asText()));
      case "open":
        return open(Path.of(request.get("folder").asText()), request.get("first"));
      case "ask":
        return ask(request.get("questions"), request.get("answers").asBoolean());
      case "load":
        return load(request.get("questions"), request.get("seconds").asDouble());
      case "memory":
        return memory();
      default:
        if (reader != null) reader.close();
        return JSON.createObjectNode();
    }
  }

  private static ObjectNode build(JsonNode suite, Path folder) throws IOException {
    Analyzer analyzer = suite.get("language").asText().equals("zh") ? new WhitespaceAnalyzer() : new StandardAnalyzer();
    IndexWriterConfig config = new IndexWriterConfig(analyzer).setSimilarity(SIMILARITY).setRAMBufferSizeMB(128);
    config.setCodec(new Lucene912Codec() {
      @Override
      public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
        return new Lucene99HnswScalarQuantizedVectorsFormat(16, 100);
      }
    });
    ObjectNode answer = JSON.createObjectNode();
    long nanos = 0;
    try (IndexWriter writer = new IndexWriter(FSDirectory.open(folder), config); Passages passages = new Passages(suite)) {
      for (List<Passages.Passage> batch = passages.next(); !batch.isEmpty(); batch = passages.next()) {
        long began = System.nanoTime();
        for (Passages.Passage passage : batch) writer.addDocument(documentOf(passage));
        nanos += System.nanoTime() - began;
      }
      long committing = System.nanoTime();
      writer.commit();
      nanos += System.nanoTime() - committing;
      long merging = System.nanoTime();
      writer.forceMerge(1);
      writer.commit();
      answer.put("indexSeconds", nanos / 1e9).put("optimizeSeconds", (System.nanoTime() - merging) / 1e9);
      answer.set("memory", memory());
    }
    return answer;
  }

  private static Document documentOf(Passages.Passage passage) {
    Document document = new Document();
    document.add(new NumericDocValuesField("id", passage.id()));
    document.add(new StringField("tag", passage.tag(), Field.Store.NO));
    document.add(new SortedDocValuesField("tag", new BytesRef(passage.tag())));
    if (passage.text() != null) document.add(new TextField("text", passage.text(), Field.Store.NO));
    if (passage.vector() != null) {
      document.add(new KnnFloatVectorField("vector", passage.vector(), VectorSimilarityFunction.DOT_PRODUCT));
    }
    return document;
  }

  private static ObjectNode open(Path folder, JsonNode first) throws Exception {
    long began = System.nanoTime();
    reader = DirectoryReader.open(FSDirectory.open(folder));
    IndexSearcher searcher = new IndexSearcher(reader);
    searcher.setSimilarity(SIMILARITY);
    // Answers that are kept would be measured in place of searches.
    searcher.setQueryCache(null);
    questions = new Questions(searcher);
    questions.prepare(first).call();
    return JSON.createObjectNode().put("ms", (System.nanoTime() - began) / 1e6);
  }

  private static ObjectNode ask(JsonNode asked, boolean wanted) throws Exception {
    ObjectNode answer = JSON.createObjectNode();
    ArrayNode ms = answer.putArray("ms");
    ArrayNode answers = answer.putArray("answers");
    List<Callable<Questions.Answer>> runs = new ArrayList<>();
    for (JsonNode question : asked) runs.add(questions.prepare(question));
    long cpu = PROCESS.getProcessCpuTime();
    for (Callable<Questions.Answer> run : runs) {
      long began = System.nanoTime();
      Questions.Answer found = run.call();
      ms.add((System.nanoTime() - began) / 1e6);
      if (!wanted) continue;
      ObjectNode told = answers.addObject();
      told.set("ids", JSON.valueToTree(found.ids()));
      told.set("scores", JSON.valueToTree(found.scores()));
      if (found.buckets() != null) told.set("buckets", JSON.valueToTree(found.buckets()));
    }
    return answer.put("cpuMs", (PROCESS.getProcessCpuTime() - cpu) / 1e6);
  }

  private static ObjectNode load(JsonNode asked, double wanted) throws Exception {
    List<Callable<Questions.Answer>> runs = new ArrayList<>();
    for (JsonNode question : asked) runs.add(questions.prepare(question));
    long began = System.nanoTime();
    int count = 0;
    while (System.nanoTime() - began < wanted * 1e9) runs.get(count++ % runs.size()).call();
    return JSON.createObjectNode().put("count", count).put("seconds", (System.nanoTime() - began) / 1e9);
  }

  private static ObjectNode memory() throws IOException {
    System.gc();
    ObjectNode answer = JSON.createObjectNode();
    double resident = memory("VmRSS");
    if (resident < 0) return answer.put("resident", 0).put("peak", 0);
    return answer.put("resident", resident - before).put("anonymous", memory("RssAnon") - before).put("peak", memory("VmHWM") - before);
  }

  /** In MiB; -1 where the system does not tell. */
  private static double memory(String field) throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) return -1;
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith(field + ":")) return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
    }
    return -1;
  }
}
