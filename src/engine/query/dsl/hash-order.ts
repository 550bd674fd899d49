/** The order in which Elasticsearch visits fields: it keeps them in a Java HashMap, so it is that of the buckets of their hashes. */

/** String.hashCode, with the upper bits mixed in as HashMap does. */
function hash(text: string): number {
  let code = 0;
  for (let i = 0; i < text.length; i++) code = (Math.imul(code, 31) + text.charCodeAt(i)) | 0;
  return code ^ (code >>> 16);
}

/** @param keys distinct, in the order in which they are put in */
export function hashOrder(keys: readonly string[]): string[] {
  let buckets = 16;
  while (keys.length > buckets * 0.75) buckets *= 2;
  const bucket = new Map(keys.map((key) => [key, (hash(key) & (buckets - 1)) >>> 0]));
  return [...keys].sort((a, b) => bucket.get(a)! - bucket.get(b)!);
}
