package bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The passages of a suite, in batches. */
final class Passages implements AutoCloseable {
  record Passage(int id, String text, String tag, float[] vector) {}

  private static final int BATCH = 1000;

  private final int size;
  private final int dims;
  private final BufferedReader texts;
  private final DataInputStream vectors;
  private int at = 0;

  Passages(JsonNode suite) throws IOException {
    size = suite.get("size").asInt();
    dims = suite.get("dims").asInt();
    String file = suite.get(suite.get("language").asText().equals("zh") ? "words" : "texts").asText();
    texts = suite.get("text").asBoolean() ? Files.newBufferedReader(Path.of(file)) : null;
    vectors = dims == 0 ? null : new DataInputStream(new BufferedInputStream(Files.newInputStream(Path.of(suite.get("vectors").asText())), 1 << 20));
  }

  /** Empty at the end. */
  List<Passage> next() throws IOException {
    List<Passage> batch = new ArrayList<>(BATCH);
    byte[] bytes = new byte[dims * 4];
    for (; at < size && batch.size() < BATCH; at++) {
      float[] vector = null;
      if (vectors != null) {
        vectors.readFully(bytes);
        vector = new float[dims];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(vector);
      }
      batch.add(new Passage(at, texts == null ? null : texts.readLine(), tagOf(at), vector));
    }
    return batch;
  }

  /** As `tagOf` of bench/workload/types.ts. */
  private static String tagOf(int id) {
    double share = (((long) id * 7919) % 100_003) / 100_003.0;
    return "t" + (int) Math.floor(50 * share * share);
  }

  @Override
  public void close() throws IOException {
    if (texts != null) texts.close();
    if (vectors != null) vectors.close();
  }
}
