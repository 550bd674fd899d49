/** Asks for an API key when the server wants one. */
import { useId, useState } from "preact/hooks";
import { giveKey, keyWanted } from "../api/http.ts";
import { say } from "../text/index.ts";
import { Dialog } from "./dialog.tsx";

export function KeyDialog() {
  const wanted = keyWanted.value;
  return wanted ? <Question refused={wanted.refused} /> : null;
}

function Question({ refused }: { refused: boolean }) {
  const words = say();
  const id = useId();
  const [key, setKey] = useState("");
  return (
    <Dialog title={words.key.title} onClose={() => giveKey(undefined)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          giveKey(key.trim());
        }}
      >
        <p>{words.key.text}</p>
        {refused && (
          <p class="bad-text" role="alert">
            {words.key.refused}
          </p>
        )}
        <div class="field">
          <label for={id}>{words.key.label}</label>
          <input
            id={id}
            type="password"
            autocomplete="off"
            spellcheck={false}
            value={key}
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
        </div>
        <div class="dialog-actions">
          <button type="button" class="quiet" onClick={() => giveKey(undefined)}>
            {words.cancel}
          </button>
          <button type="submit" class="primary" disabled={key.trim() === ""}>
            {words.key.use}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
