/** Texts in batches, by count and by tokens. */

export interface SizedText {
  text: string;
  /** 0 where nothing depends on it. */
  tokens: number;
}

/** Batches in the order of the texts. A text that has more tokens than a batch may have is a batch by itself. */
export function batches(texts: readonly SizedText[], maxTexts: number, maxTokens: number): SizedText[][] {
  const out: SizedText[][] = [];
  let batch: SizedText[] = [];
  let tokens = 0;
  for (const text of texts) {
    if (batch.length > 0 && (batch.length >= maxTexts || tokens + text.tokens > maxTokens)) {
      out.push(batch);
      batch = [];
      tokens = 0;
    }
    batch.push(text);
    tokens += text.tokens;
  }
  if (batch.length > 0) out.push(batch);
  return out;
}
