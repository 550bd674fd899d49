/** Makes a collection. */
import { useId, useState } from "preact/hooks";
import { api, part } from "../api/http.ts";
import { chooseCollection, loadCollections } from "../state/collections.ts";
import { say } from "../text/index.ts";
import { Dialog } from "./dialog.tsx";
import { ErrorNote } from "./notes.tsx";

export function NewCollection() {
  const words = say();
  const id = useId();
  const [open, setOpen] = useState(false);
  const [name, setName] = useState("");
  const [analysis, setAnalysis] = useState<"default" | "ik">("default");
  const [error, setError] = useState<unknown>();
  const make = async () => {
    try {
      await api("PUT", `/collections/${part(name)}`, { body: { analysis } });
      await loadCollections();
      chooseCollection(name);
      setOpen(false);
      setName("");
    } catch (failed) {
      setError(failed);
    }
  };
  return (
    <>
      <button
        type="button"
        class="secondary"
        onClick={() => {
          setError(undefined);
          setOpen(true);
        }}
      >
        {words.manage.newCollection}
      </button>
      {open && (
        <Dialog title={words.manage.newCollection} onClose={() => setOpen(false)}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void make();
            }}
          >
            <div class="field">
              <label for={`${id}-name`}>{words.manage.name}</label>
              <input
                id={`${id}-name`}
                value={name}
                required
                maxLength={200}
                autocomplete="off"
                aria-describedby={`${id}-hint`}
                onInput={({ currentTarget }) => setName(currentTarget.value)}
              />
              <p class="hint" id={`${id}-hint`}>
                {words.manage.nameHint}
              </p>
            </div>
            <div class="field">
              <label for={`${id}-analysis`}>{words.manage.analysis}</label>
              <select
                id={`${id}-analysis`}
                value={analysis}
                onChange={({ currentTarget }) => setAnalysis(currentTarget.value === "ik" ? "ik" : "default")}
              >
                <option value="default">{words.manage.analysisNames.default}</option>
                <option value="ik">{words.manage.analysisNames.ik}</option>
              </select>
            </div>
            {error !== undefined && <ErrorNote error={error} />}
            <div class="dialog-actions">
              <button type="button" class="quiet" onClick={() => setOpen(false)}>
                {words.cancel}
              </button>
              <button type="submit" class="primary" disabled={name === ""}>
                {words.manage.make}
              </button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  );
}
