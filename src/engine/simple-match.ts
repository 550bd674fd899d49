/** Patterns in which `*` stands for any text (Regex.simpleMatch). */

/** In one pass over the name, whatever stars the pattern has. */
export function matchesSimple(pattern: string, name: string): boolean {
  if (!pattern.includes("*")) return pattern === name;
  const parts = pattern.split("*");
  if (!name.startsWith(parts[0])) return false;
  let at = parts[0].length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  const last = parts[parts.length - 1];
  return name.length - last.length >= at && name.endsWith(last);
}
