/**
 * Small transformer models made on the spot: ONNX files, written byte by byte, with their tokenizers. Each token has a vector of its own (one
 * 1 in as many places as there are tokens), so that what a model gives can be told beforehand:
 *
 * - the cross-encoder counts the pairs of equal words between question and text: logit = matches − 2;
 * - the encoder gives each token its vector.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];

export async function writeModel(
  folder: string,
  kind: "cross-encoder" | "encoder",
  options: { words: string[]; maxTokens?: number; labels?: number },
): Promise<void> {
  const { words, maxTokens = 512, labels = 1 } = options;
  const vocabulary = [...SPECIAL, ...words];
  await mkdir(join(folder, "onnx"), { recursive: true });
  const json = (name: string, value: unknown) => writeFile(join(folder, name), JSON.stringify(value));
  await json("config.json", {
    model_type: "bert",
    architectures: [kind === "encoder" ? "BertModel" : "BertForSequenceClassification"],
    max_position_embeddings: maxTokens,
    pad_token_id: 0,
    vocab_size: vocabulary.length,
    num_labels: labels,
  });
  await json("tokenizer_config.json", {
    tokenizer_class: "BertTokenizer",
    model_max_length: maxTokens,
    pad_token: "[PAD]",
    unk_token: "[UNK]",
    cls_token: "[CLS]",
    sep_token: "[SEP]",
    mask_token: "[UNK]",
  });
  await json("tokenizer.json", tokenizer(vocabulary));
  const graph = kind === "encoder" ? encoder(vocabulary.length) : crossEncoder(vocabulary.length, labels);
  await writeFile(join(folder, "onnx", "model.onnx"), model(graph));
}

function tokenizer(vocabulary: string[]): unknown {
  const special = (content: string, id: number) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  });
  const token = (id: string, type_id: number) => ({ SpecialToken: { id, type_id } });
  const sequence = (id: string, type_id: number) => ({ Sequence: { id, type_id } });
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: SPECIAL.map(special),
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single: [token("[CLS]", 0), sequence("A", 0), token("[SEP]", 0)],
      pair: [token("[CLS]", 0), sequence("A", 0), token("[SEP]", 0), sequence("B", 1), token("[SEP]", 1)],
      special_tokens: Object.fromEntries(
        ["[CLS]", "[SEP]"].map((id) => [id, { id, ids: [SPECIAL.indexOf(id)], tokens: [id] }]),
      ),
    },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
    },
  };
}

/** Protocol buffers: a field's number, then its bytes. */
type Bytes = Uint8Array;

function varint(value: number): Bytes {
  const out: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) out.push((rest % 128) + 128);
  return Uint8Array.from([...out, rest]);
}

const whole = (field: number, value: number): Bytes => concat([varint(field * 8), varint(value)]);
function bytes(field: number, value: Bytes | string): Bytes {
  const content = typeof value === "string" ? new TextEncoder().encode(value) : value;
  return concat([varint(field * 8 + 2), varint(content.length), content]);
}

function concat(parts: Bytes[]): Bytes {
  return Uint8Array.from(Buffer.concat(parts));
}

const FLOAT = 1;
const INT64 = 7;

/** NodeProto: inputs 1, outputs 2, type 4, attributes 5. */
function node(type: string, inputs: string[], output: string, attributes: Bytes[] = []): Bytes {
  return concat([
    ...inputs.map((name) => bytes(1, name)),
    bytes(2, output),
    bytes(4, type),
    ...attributes.map((attribute) => bytes(5, attribute)),
  ]);
}

/** AttributeProto: name 1, i 3, ints 8, type 20 (2: INT, 7: INTS). */
const intAttribute = (name: string, value: number) => concat([bytes(1, name), whole(3, value), whole(20, 2)]);

/** TensorProto: dims 1, type 2, name 8, raw data 9. */
function tensor(name: string, dims: number[], values: Float32Array | BigInt64Array): Bytes {
  const type = values instanceof Float32Array ? FLOAT : INT64;
  const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return concat([...dims.map((size) => whole(1, size)), whole(2, type), bytes(8, name), bytes(9, raw)]);
}

/** ValueInfoProto with a shape of named or fixed sizes. */
function value(name: string, type: number, shape: (string | number)[]): Bytes {
  const dims = shape.map((size) => bytes(1, typeof size === "number" ? whole(1, size) : bytes(2, size)));
  return concat([bytes(1, name), bytes(2, bytes(1, concat([whole(1, type), bytes(2, concat(dims))])))]);
}

interface Graph {
  nodes: Bytes[];
  constants: Bytes[];
  output: Bytes;
}

const INPUTS = ["input_ids", "attention_mask", "token_type_ids"];

function model({ nodes, constants, output }: Graph): Bytes {
  const graph = concat([
    ...nodes.map((item) => bytes(1, item)),
    bytes(2, "graph"),
    ...constants.map((item) => bytes(5, item)),
    ...INPUTS.map((name) => bytes(11, value(name, INT64, ["batch", "length"]))),
    bytes(12, output),
  ]);
  return concat([whole(1, 8), bytes(8, concat([bytes(1, ""), whole(2, 13)])), bytes(7, graph)]);
}

/** One vector a token; special tokens have none. */
function vectors(size: number): Bytes {
  const table = new Float32Array(size * size);
  for (let i = SPECIAL.length; i < size; i++) table[i * size + i] = 1;
  return tensor("table", [size, size], table);
}

function encoder(size: number): Graph {
  return {
    nodes: [node("Gather", ["table", "input_ids"], "last_hidden_state")],
    constants: [vectors(size)],
    output: value("last_hidden_state", FLOAT, ["batch", "length", size]),
  };
}

function crossEncoder(size: number, labels: number): Graph {
  const float = (input: string, output: string) => node("Cast", [input], output, [intAttribute("to", FLOAT)]);
  const head = new Float32Array(labels).fill(0);
  head[labels - 1] = 1;
  return {
    nodes: [
      node("Gather", ["table", "input_ids"], "states"),
      float("attention_mask", "mask"),
      float("token_type_ids", "second"),
      node("Mul", ["mask", "second"], "text_mask"),
      node("Sub", ["mask", "text_mask"], "question_mask"),
      node("Unsqueeze", ["text_mask", "one"], "text_row"),
      node("Unsqueeze", ["question_mask", "one"], "question_row"),
      node("MatMul", ["text_row", "states"], "text_sum"),
      node("MatMul", ["question_row", "states"], "question_sum"),
      node("Mul", ["text_sum", "question_sum"], "products"),
      node("ReduceSum", ["products", "two"], "matches", [intAttribute("keepdims", 0)]),
      node("Sub", ["matches", "bias"], "logit"),
      node("Mul", ["logit", "head"], "logits"),
    ],
    constants: [
      vectors(size),
      tensor("one", [1], BigInt64Array.of(1n)),
      tensor("two", [1], BigInt64Array.of(2n)),
      tensor("bias", [1], Float32Array.of(2)),
      tensor("head", [1, labels], head),
    ],
    output: value("logits", FLOAT, ["batch", labels]),
  };
}
