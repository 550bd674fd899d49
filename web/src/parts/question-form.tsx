/** The field for a question, with what may be chosen beside it. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { say } from "../text/index.ts";
import { Icon } from "./icon.tsx";

export function QuestionForm({
  question,
  label,
  placeholder,
  submit,
  busy,
  onSubmit,
  onStop,
  options,
}: {
  question: string;
  label: string;
  placeholder: string;
  submit: string;
  busy: boolean;
  onSubmit(question: string): void;
  onStop?(): void;
  /** Folded away until they are wanted. */
  options?: ComponentChildren;
}) {
  const words = say();
  const [text, setText] = useState(question);
  const [open, setOpen] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  useEffect(() => setText(question), [question]);
  useEffect(() => {
    // As high as its text.
    const element = field.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight, 220)}px`;
  }, [text]);
  const send = () => {
    if (text.trim() !== "") onSubmit(text.trim());
  };
  return (
    <search>
      <form
        class="question"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <div class="question-box">
          <label class="hidden" for={id}>
            {label}
          </label>
          <textarea
            ref={field}
            id={id}
            rows={1}
            data-question
            maxLength={10_000}
            placeholder={placeholder}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={(event) => {
              // Enter that ends the composing of a character asks nothing.
              if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              send();
            }}
          />
          <div class="question-actions">
            {options !== undefined && (
              <button
                type="button"
                class="quiet"
                aria-expanded={open}
                aria-controls={`${id}-options`}
                onClick={() => setOpen(!open)}
              >
                <Icon name="filter" size={18} />
                <span>{words.question.options}</span>
              </button>
            )}
            {busy && onStop ? (
              // With a key of its own: one element that became the other while it is clicked would ask again.
              <button key="stop" type="button" class="primary" onClick={onStop}>
                <Icon name="stop" size={18} />
                {words.stop}
              </button>
            ) : (
              <button key="ask" type="submit" class="primary" disabled={text.trim() === ""}>
                {submit}
              </button>
            )}
          </div>
        </div>
        {options !== undefined && (
          <div id={`${id}-options`} class="question-options" hidden={!open}>
            {options}
          </div>
        )}
      </form>
    </search>
  );
}
