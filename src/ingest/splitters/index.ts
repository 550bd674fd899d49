/**
 * Splitters: from a document to nodes. All give nodes that know their source, their neighbours and their place in the document's text;
 * the ids are made of the document's and a number, so that the same text gives the same nodes.
 */
export { type CodeSplitterOptions, codeSplitter } from "./code.ts";
export { englishSentenceTexts } from "./english-sentences.ts";
export { type HierarchicalSplitterOptions, hierarchicalSplitter, leafNodes, rootNodes } from "./hierarchical.ts";
export { type HtmlSplitterOptions, htmlSplitter } from "./html.ts";
export { jsonSplitter } from "./json.ts";
export { type MarkdownSplitterOptions, markdownSplitter } from "./markdown.ts";
export { buildNodes, type NodeOptions, type Piece } from "./nodes.ts";
export { type SemanticSplitterOptions, semanticSplitter } from "./semantic.ts";
export { type SentenceSplitterOptions, sentenceSplitter } from "./sentence-splitter.ts";
export { type SentenceWindowOptions, sentenceWindowSplitter } from "./sentence-window.ts";
export { type SentenceTokenizer, sentenceTexts, type TextSplitter } from "./text.ts";
export { type TokenSplitterOptions, tokenSplitter } from "./token-splitter.ts";
