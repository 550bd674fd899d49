/** How a text is written between the tags: as it is, or in HTML's entities (Lucene's SimpleHTMLEncoder). */

const ENTITIES: Readonly<Record<string, string>> = {
  '"': "&quot;",
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "'": "&#x27;",
  "/": "&#x2F;",
};

export function encoderOf(name: string): (text: string) => string {
  return name === "html" ? (text) => text.replace(/["&<>'/]/g, (char) => ENTITIES[char]) : (text) => text;
}
