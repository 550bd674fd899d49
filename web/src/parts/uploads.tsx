/** How far each file is on its way into the index. */
import { stopUpload, tidyUploads, type Upload, uploads } from "../state/uploads.ts";
import { harmless } from "../text/harmless.ts";
import { say } from "../text/index.ts";
import { Icon } from "./icon.tsx";
import { FileName, Said } from "./said.tsx";

export function Uploads() {
  const words = say();
  const all = uploads.value;
  if (all.length === 0) return null;
  const ended = all.filter(({ state }) => ["done", "failed", "cancelled"].includes(state)).length;
  return (
    <section class="uploads" aria-labelledby="uploads-title">
      <header class="uploads-head">
        <h2 id="uploads-title" class="small-title">
          {words.manage.progress}
        </h2>
        <progress max={all.length} value={ended} aria-label={words.manage.progress} />
        <span class="soft" role="status">
          {ended} / {all.length}
        </span>
        {ended > 0 && (
          <button type="button" class="quiet" onClick={tidyUploads}>
            {words.manage.tidy}
          </button>
        )}
      </header>
      <ul>
        {all.map((one) => (
          <UploadLine key={one.id} upload={one} />
        ))}
      </ul>
    </section>
  );
}

function UploadLine({ upload }: { upload: Upload }) {
  const words = say().manage;
  const { state, job, error, name } = upload;
  const open = state === "waiting" || state === "sending" || state === "running";
  const result = job?.result;
  return (
    <li class={`upload ${state}`}>
      <FileName file={name} />
      <span class="upload-state">
        {state === "sending" ? words.sending : words.states[state]}
        {state === "done" && result && ` · ${words.outcome(result.added, result.replaced, result.unchanged)}`}
      </span>
      {open && (
        <button
          type="button"
          class="icon-button"
          aria-label={`${say().stop}: ${harmless(name)}`}
          title={say().stop}
          onClick={() => void stopUpload(upload)}
        >
          <Icon name="close" size={16} />
        </button>
      )}
      {error !== undefined && (
        <p class="upload-error">
          <Said value={error instanceof Error ? error.message : String(error)} />
        </p>
      )}
    </li>
  );
}
