/** Where files are dropped, or chosen. */
import { useEffect, useRef, useState } from "preact/hooks";
import { api, part } from "../api/http.ts";
import { collection, loadCollections } from "../state/collections.ts";
import { chosenFiles, droppedFiles } from "../state/dropped.ts";
import { type Dropped, upload } from "../state/uploads.ts";
import { say } from "../text/index.ts";
import { Icon } from "./icon.tsx";
import { ErrorNote } from "./notes.tsx";

/** The command's own, where there is none yet. */
const FIRST = "documents";

export function DropZone() {
  const words = say().manage;
  const [over, setOver] = useState(false);
  const [error, setError] = useState<unknown>();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // No attribute that Preact's types know.
    if (folder.current) folder.current.webkitdirectory = true;
  }, []);
  const add = async (dropped: readonly Dropped[]) => {
    if (dropped.length === 0) return;
    setError(undefined);
    try {
      if (collection.value === undefined) {
        await api("PUT", `/collections/${part(FIRST)}`, { body: {} });
        await loadCollections();
      }
      upload(collection.value ?? FIRST, dropped);
    } catch (failed) {
      setError(failed);
    }
  };
  const chosen = (input: HTMLInputElement) => {
    void add(chosenFiles(input.files));
    input.value = "";
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping has the two buttons beside it for those who have no mouse */}
      <div
        class={over ? "drop-zone over" : "drop-zone"}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          if (event.dataTransfer) void droppedFiles(event.dataTransfer).then(add, setError);
        }}
      >
        <Icon name="upload" size={28} />
        <p class="drop-words">
          <strong>{words.drop}</strong> {words.or}{" "}
          <button type="button" class="link" onClick={() => files.current?.click()}>
            {words.choose}
          </button>{" "}
          {words.or}{" "}
          <button type="button" class="link" onClick={() => folder.current?.click()}>
            {words.chooseFolder}
          </button>
        </p>
        <p class="hint">{words.kinds}</p>
        <input
          ref={files}
          class="hidden"
          type="file"
          multiple
          tabIndex={-1}
          aria-hidden="true"
          onChange={({ currentTarget }) => chosen(currentTarget)}
        />
        <input
          ref={folder}
          class="hidden"
          type="file"
          multiple
          tabIndex={-1}
          aria-hidden="true"
          onChange={({ currentTarget }) => chosen(currentTarget)}
        />
      </div>
      {error !== undefined && <ErrorNote error={error} />}
    </>
  );
}
