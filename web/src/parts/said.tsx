/** What documents say: always text nodes, each within its own direction. */
import { harmless, shown } from "../text/harmless.ts";
import { pieces, type Tags } from "../text/marks.ts";

/** A name or value on a line. */
export function Said({ value }: { value: unknown }) {
  return <bdi>{shown(value)}</bdi>;
}

/** A path: in a title its folders are paler than the name. */
export function FileName({ file }: { file: string }) {
  const name = harmless(file);
  const slash = name.lastIndexOf("/") + 1;
  return (
    <bdi class="file-name">
      {slash > 0 && <span class="folder">{name.slice(0, slash)}</span>}
      {name.slice(slash)}
    </bdi>
  );
}

/** Text of a passage as it is. */
export function PassageText({ text }: { text: string }) {
  return (
    <div class="passage-text" dir="auto">
      {text}
    </div>
  );
}

/** Fragments with what matched marked. */
export function Marked({ fragments, tags }: { fragments: readonly string[]; tags: Tags }) {
  return (
    <div class="passage-text" dir="auto">
      {fragments.map((fragment, i) => (
        <span key={fragment}>
          {i > 0 && <span class="gap"> … </span>}
          {pieces(fragment.replace(/\n\s*\n/g, "\n"), tags).map(({ text, marked }, at) =>
            marked ? <mark key={at}>{text}</mark> : text,
          )}
        </span>
      ))}
    </div>
  );
}
