/** The order in which Elasticsearch's reducer gives back the aggregations of a bucket: that of a java.util.HashMap. */
import { spreadHash } from "../../mapping/java-text.ts";

/**
 * Places of names in a map of their number, asked by `computeIfAbsent` once for each list that is reduced: it puts a new entry before the others
 * of its chain, and makes the table larger before it looks.
 */
export function hashMapOrder(names: readonly string[], lists: number): readonly number[] {
  if (names.length < 2) return names.map((_, at) => at);
  const hashes = names.map(spreadHash);
  let capacity = 1;
  while (capacity < names.length) capacity *= 2;
  let table: number[][] = Array.from({ length: capacity }, () => []);
  let size = 0;
  const grow = () => {
    const larger: number[][] = Array.from({ length: capacity * 2 }, () => []);
    capacity *= 2;
    for (const chain of table) for (const at of chain) larger[hashes[at] & (capacity - 1)].push(at);
    table = larger;
  };
  // Behind the second list nothing changes any more.
  for (let list = 0; list < Math.min(lists, 2); list++) {
    for (let at = 0; at < names.length; at++) {
      if (size > Math.floor(capacity * 0.75)) grow();
      if (list > 0) continue;
      table[hashes[at] & (capacity - 1)].unshift(at);
      size++;
    }
  }
  return table.flat();
}
