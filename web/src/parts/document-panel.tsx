/** A document at the side, one of its passages marked and in sight. */
import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { api, part } from "../api/http.ts";
import type { StoredDocument } from "../api/types.ts";
import { inCollection } from "../state/collections.ts";
import { useLoaded } from "../state/load.ts";
import { locale } from "../state/settings.ts";
import { say } from "../text/index.ts";
import { byteSize, dateText } from "../text/values.ts";
import { Dialog } from "./dialog.tsx";
import { Icon } from "./icon.tsx";
import { MetadataList } from "./metadata.tsx";
import { ErrorNote, Waiting } from "./notes.tsx";
import { FileName } from "./said.tsx";

const opened = signal<{ file: string; passage?: string } | undefined>(undefined);

/** Opens a document, at one of its passages. */
export function openDocument(file: string, passage?: string): void {
  opened.value = { file, ...(passage === undefined ? {} : { passage }) };
}

export function DocumentPanel() {
  const wanted = opened.value;
  if (!wanted) return null;
  return (
    <Dialog
      side
      key={`${wanted.file} ${wanted.passage}`}
      title={<FileName file={wanted.file} />}
      onClose={() => {
        opened.value = undefined;
      }}
    >
      <Contents {...wanted} />
    </Dialog>
  );
}

function Contents({ file, passage }: { file: string; passage?: string }) {
  const { value, error, reload } = useLoaded(
    (signal) => api<StoredDocument>("GET", inCollection(`/documents/${part(file)}`), { signal }),
    [file],
  );
  if (error !== undefined) return <ErrorNote error={error} retry={reload} />;
  if (!value) return <Waiting lines={9} />;
  return <Read document={value} passage={passage} />;
}

function Read({ document: read, passage }: { document: StoredDocument; passage: string | undefined }) {
  const words = say();
  const { nodes, text } = read;
  const [index, setIndex] = useState(() =>
    Math.max(
      0,
      nodes.findIndex(({ id }) => id === passage),
    ),
  );
  const [marked, setMarked] = useState(passage !== undefined && nodes.some(({ id }) => id === passage));
  const mark = useRef<HTMLElement>(null);
  const at = nodes[index]?.at;
  useEffect(() => {
    if (marked) mark.current?.scrollIntoView({ block: "center" });
  }, [index, marked]);
  const metadata = useMemo(() => nodes[index]?.metadata ?? {}, [nodes, index]);
  const turn = (by: number) => {
    setMarked(true);
    setIndex((before) => Math.min(nodes.length - 1, Math.max(0, before + by)));
  };
  return (
    <>
      <div class="document-bar">
        <span class="soft">
          {words.passages(read.passages)} · {byteSize(read.bytes, locale.value)} · {words.document.added}{" "}
          {dateText(read.added, locale.value)}
        </span>
        {nodes.length > 1 && (
          <span class="stepper">
            <button
              type="button"
              class="icon-button"
              aria-label={words.document.previous}
              title={words.document.previous}
              disabled={index === 0}
              onClick={() => turn(-1)}
            >
              <Icon name="chevron" />
            </button>
            <span aria-live="polite">{words.document.passage(index + 1, nodes.length)}</span>
            <button
              type="button"
              class="icon-button"
              aria-label={words.document.next}
              title={words.document.next}
              disabled={index === nodes.length - 1}
              onClick={() => turn(1)}
            >
              <Icon name="chevron" />
            </button>
          </span>
        )}
      </div>
      <MetadataList metadata={metadata} />
      <article class="document-text" dir="auto">
        {marked && at ? (
          <>
            {text.slice(0, at.from)}
            <mark ref={mark} class="passage-mark">
              {text.slice(at.from, at.to)}
            </mark>
            {text.slice(at.to)}
          </>
        ) : (
          text
        )}
      </article>
    </>
  );
}
