/**
 * An answer's text as blocks and spans: paragraphs, lists, headings, emphasis, code, and citations. What models write of Markdown and no more; a link
 * stays its text. Everything becomes text nodes.
 */

export type Span =
  | { kind: "text"; text: string }
  | { kind: "strong"; text: string }
  | { kind: "code"; text: string }
  | { kind: "cite"; numbers: number[]; text: string };

export type Block =
  | { kind: "paragraph" | "heading"; spans: Span[] }
  | { kind: "list"; ordered: boolean; items: Span[][] }
  | { kind: "code"; text: string };

const ITEM = /^\s{0,6}(?:([-*•])|(\d{1,3})[.)、])\s+(.*)$/;
const HEADING = /^#{1,6}\s+(.*)$/;
const SPANS = /\*\*(?=\S)(.+?)\*\*|`([^`\n]+)`|\[(\d{1,3}(?:\s*[,，、]\s*\d{1,3})*)\]/g;

export function spans(text: string): Span[] {
  const out: Span[] = [];
  let at = 0;
  for (const match of text.matchAll(SPANS)) {
    if (match.index > at) out.push({ kind: "text", text: text.slice(at, match.index) });
    const [whole, strong, code, cited] = match;
    if (strong !== undefined) out.push({ kind: "strong", text: strong });
    else if (code !== undefined) out.push({ kind: "code", text: code });
    else out.push({ kind: "cite", numbers: cited!.split(/[^\d]+/).map(Number), text: whole });
    at = match.index + whole.length;
  }
  if (at < text.length) out.push({ kind: "text", text: text.slice(at) });
  return out;
}

export function blocks(answer: string): Block[] {
  const out: Block[] = [];
  let paragraph: string[] = [];
  let code: string[] | undefined;
  const close = () => {
    if (paragraph.length > 0) out.push({ kind: "paragraph", spans: spans(paragraph.join("\n")) });
    paragraph = [];
  };
  for (const line of answer.split("\n")) {
    if (/^\s*```/.test(line)) {
      if (code) {
        out.push({ kind: "code", text: code.join("\n") });
        code = undefined;
      } else {
        close();
        code = [];
      }
      continue;
    }
    if (code) {
      code.push(line);
      continue;
    }
    const heading = HEADING.exec(line);
    const item = ITEM.exec(line);
    if (line.trim() === "") close();
    else if (heading) {
      close();
      out.push({ kind: "heading", spans: spans(heading[1]!) });
    } else if (item) {
      close();
      const ordered = item[2] !== undefined;
      const last = out.at(-1);
      if (last?.kind === "list" && last.ordered === ordered) last.items.push(spans(item[3]!));
      else out.push({ kind: "list", ordered, items: [spans(item[3]!)] });
    } else paragraph.push(line);
  }
  close();
  // An answer that is still being written may stand within code.
  if (code) out.push({ kind: "code", text: code.join("\n") });
  return out;
}
