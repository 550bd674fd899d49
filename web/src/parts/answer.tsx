/** An answer's text, its numbers as buttons. */

import { type Block, blocks, type Span } from "../text/answer.ts";
import { say } from "../text/index.ts";

interface AnswerProps {
  text: string;
  /** Numbers of the sources that there are. */
  known: readonly number[];
  writing: boolean;
  onOpen(n: number): void;
}

export function Answer({ text, writing, ...rest }: AnswerProps) {
  return (
    <div class={writing ? "prose writing" : "prose"} dir="auto">
      {blocks(text).map((block, i) => (
        <Shown key={i} block={block} {...rest} />
      ))}
    </div>
  );
}

type Citing = Pick<AnswerProps, "known" | "onOpen">;

function Shown({ block, ...citing }: { block: Block } & Citing) {
  switch (block.kind) {
    case "code":
      return (
        <pre>
          <code>{block.text}</code>
        </pre>
      );
    case "heading":
      return (
        <h3>
          <Spans spans={block.spans} {...citing} />
        </h3>
      );
    case "list": {
      const items = block.items.map((spans, i) => (
        <li key={i}>
          <Spans spans={spans} {...citing} />
        </li>
      ));
      return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case "paragraph":
      return (
        <p>
          <Spans spans={block.spans} {...citing} />
        </p>
      );
  }
}

function Spans({ spans, known, onOpen }: { spans: Span[] } & Citing) {
  return (
    <>
      {spans.map((span, i) => {
        if (span.kind === "strong") return <strong key={i}>{span.text}</strong>;
        if (span.kind === "code") return <code key={i}>{span.text}</code>;
        // A number stays with the word before it.
        if (span.kind === "text" && spans[i + 1]?.kind === "cite") return `${span.text.trimEnd()}\u2060`;
        if (span.kind === "text" || !span.numbers.every((n) => known.includes(n))) return span.text;
        return span.numbers.map((n) => (
          <button
            key={`${i} ${n}`}
            type="button"
            class="cite"
            aria-label={say().ask.openSource(n)}
            onClick={() => onOpen(n)}
          >
            {n}
          </button>
        ));
      })}
    </>
  );
}
