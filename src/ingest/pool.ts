/** Work on many things, several at a time, results in order. The first failure ends it all. */
export async function inParallel<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T, place: number) => Promise<R>,
): Promise<R[]> {
  const out = new Array<R>(items.length);
  let next = 0;
  let failed = false;
  const worker = async () => {
    while (next < items.length && !failed) {
      const place = next++;
      try {
        out[place] = await work(items[place]!, place);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(concurrency, items.length)) }, worker));
  return out;
}
