/** Documents: what a collection holds; adding, reading and removing. */
import { useEffect, useId, useState } from "preact/hooks";
import { api, part } from "../api/http.ts";
import type { DocumentRecord } from "../api/types.ts";
import { Dialog } from "../parts/dialog.tsx";
import { openDocument } from "../parts/document-panel.tsx";
import { DropZone } from "../parts/drop-zone.tsx";
import { Icon } from "../parts/icon.tsx";
import { NewCollection } from "../parts/new-collection.tsx";
import { ErrorNote, Waiting } from "../parts/notes.tsx";
import { FileName, Said } from "../parts/said.tsx";
import { Uploads } from "../parts/uploads.tsx";
import { collection, inCollection, loadStatus } from "../state/collections.ts";
import { locale } from "../state/settings.ts";
import { indexed } from "../state/uploads.ts";
import { harmless } from "../text/harmless.ts";
import { say } from "../text/index.ts";
import { byteSize, dateText } from "../text/values.ts";

const PAGE = 100;

export function Documents() {
  const words = say().manage;
  return (
    <div class="documents">
      <header class="view-head row">
        <div>
          <h1>{words.title}</h1>
          <p class="lead">{words.intro}</p>
        </div>
        <NewCollection />
      </header>
      <DropZone />
      <Uploads />
      {collection.value !== undefined && <List />}
    </div>
  );
}

interface Page {
  documents: DocumentRecord[];
  nextAfter?: string;
}

function List() {
  const words = say();
  const id = useId();
  const [prefix, setPrefix] = useState("");
  const [pages, setPages] = useState<Page[]>();
  const [error, setError] = useState<unknown>();
  const [removing, setRemoving] = useState<DocumentRecord>();
  const [told, setTold] = useState("");
  const [turn, setTurn] = useState(0);
  const name = collection.value;

  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(
      () => {
        read(prefix, undefined, stop.signal).then(
          (page) => {
            setPages([page]);
            setError(undefined);
          },
          (failed: unknown) => {
            if (!stop.signal.aborted) setError(failed);
          },
        );
      },
      prefix === "" ? 0 : 200,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [name, prefix, indexed.value, turn]);

  const documents = pages?.flatMap((page) => page.documents) ?? [];
  const nextAfter = pages?.at(-1)?.nextAfter;
  if (pages && documents.length === 0 && prefix === "") return null;
  return (
    <section class="list" aria-labelledby={`${id}-title`}>
      <div class="list-head">
        <h2 id={`${id}-title`} class="hidden">
          {words.manage.title}
        </h2>
        <div class="field">
          <label for={`${id}-find`}>{words.manage.find}</label>
          <input
            id={`${id}-find`}
            type="search"
            value={prefix}
            onInput={({ currentTarget }) => setPrefix(currentTarget.value)}
          />
        </div>
        <span role="status" class="soft">
          {told}
        </span>
      </div>
      {error !== undefined ? (
        <ErrorNote error={error} retry={() => setTurn(turn + 1)} />
      ) : !pages ? (
        <Waiting lines={8} />
      ) : documents.length === 0 ? (
        <p class="soft">{words.manage.noMatch}</p>
      ) : (
        <ul class="records">
          {documents.map((record) => (
            <li key={record.id} class="record">
              <button type="button" class="record-open" onClick={() => openDocument(record.file)}>
                <span class="record-title">
                  <Said value={record.title ?? record.file} />
                </span>
                <FileName file={record.file} />
              </button>
              <span class="record-facts soft">
                {words.passages(record.passages)} · {byteSize(record.bytes, locale.value)} ·{" "}
                {dateText(record.added, locale.value)}
              </span>
              <button
                type="button"
                class="icon-button"
                aria-label={`${words.manage.remove}: ${harmless(record.file)}`}
                title={words.manage.remove}
                onClick={() => setRemoving(record)}
              >
                <Icon name="trash" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {nextAfter !== undefined && (
        <button
          type="button"
          class="quiet"
          onClick={() =>
            read(prefix, nextAfter).then(
              (page) => setPages([...(pages ?? []), page]),
              (failed: unknown) => setError(failed),
            )
          }
        >
          {words.more}
        </button>
      )}
      {removing && (
        <Removal
          record={removing}
          onClose={(removed) => {
            setRemoving(undefined);
            if (!removed) return;
            setTold(words.manage.removed(harmless(removing.file)));
            setTurn(turn + 1);
            void loadStatus();
          }}
        />
      )}
    </section>
  );
}

function read(prefix: string, after?: string, signal?: AbortSignal): Promise<Page> {
  const query = new URLSearchParams({
    limit: String(PAGE),
    ...(prefix === "" ? {} : { prefix }),
    ...(after === undefined ? {} : { after }),
  });
  return api<Page>("GET", inCollection(`/documents?${query}`), signal ? { signal } : {});
}

function Removal({ record, onClose }: { record: DocumentRecord; onClose(removed: boolean): void }) {
  const words = say();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  return (
    <Dialog title={words.manage.removeTitle} onClose={() => onClose(false)}>
      <p class="said">{words.manage.removeText(harmless(record.file))}</p>
      {error !== undefined && <ErrorNote error={error} />}
      <div class="dialog-actions">
        <button type="button" class="quiet" onClick={() => onClose(false)}>
          {words.cancel}
        </button>
        <button
          type="button"
          class="primary danger"
          disabled={busy}
          onClick={() => {
            setBusy(true);
            api("DELETE", inCollection(`/documents/${part(record.id)}`)).then(
              () => onClose(true),
              (failed: unknown) => {
                setError(failed);
                setBusy(false);
              },
            );
          }}
        >
          {words.manage.remove}
        </button>
      </div>
    </Dialog>
  );
}
