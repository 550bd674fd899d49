import { type SentenceSplitterOptions, sentenceSplitter, tokenSplitter } from "../../../src/ingest/index.ts";
import type { Metadata } from "../../../src/schema/index.ts";
import { fromNode, SENTENCES, type Topic, toDocument, tokenizer } from "../support.ts";

export interface SplitterInput {
  splitter: "sentence" | "token";
  text: string;
  params: {
    tokenizer: string;
    chunk_size?: number;
    chunk_overlap?: number;
    sentence_tokenizer?: string;
    separator?: string;
    backup_separators?: string[];
    paragraph_separator?: string;
    secondary_chunking_regex?: string | null;
    include_metadata?: boolean;
    include_prev_next_rel?: boolean;
    keep_whitespaces?: boolean;
  };
  metadata?: Metadata;
  excluded?: { llm?: string[]; embed?: string[] };
  excluded_llm?: string[];
  excluded_embed?: string[];
}

const PYTHON: Record<string, string> = {
  chunk_size: "chunkSize",
  chunk_overlap: "chunkOverlap",
  separator: "separator",
  backup_separators: "backupSeparators",
  paragraph_separator: "paragraphSeparator",
  include_metadata: "includeMetadata",
  include_prev_next_rel: "includePrevNext",
  keep_whitespaces: "keepWhitespaces",
};

export const topic: Topic<SplitterInput> = {
  async run({ splitter, text, params, metadata, excluded, excluded_llm, excluded_embed }) {
    const options: SentenceSplitterOptions = {
      id: (n) => `doc#${n}`,
      tokenizer: tokenizer(params.tokenizer),
      ...Object.fromEntries(
        Object.entries(params).flatMap(([key, value]) => (PYTHON[key] ? [[PYTHON[key], value]] : [])),
      ),
      ...(params.sentence_tokenizer ? { sentenceTokenizer: SENTENCES[params.sentence_tokenizer]! } : {}),
      ...(params.secondary_chunking_regex === undefined
        ? {}
        : {
            secondaryChunkingRegex:
              params.secondary_chunking_regex === null ? null : new RegExp(params.secondary_chunking_regex, "gu"),
          }),
    };
    const make = splitter === "token" ? tokenSplitter(options) : sentenceSplitter(options);
    const hidden = excluded ?? { llm: excluded_llm ?? [], embed: excluded_embed ?? [] };
    const nodes = (await make.split(toDocument(text, metadata, hidden))).map((node) => fromNode(node, text));
    return metadata ? { nodes } : { chunks: await make.splitText(text), nodes };
  },
};
