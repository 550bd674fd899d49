/** A modal dialog: the browser's own, which holds the focus, closes on Escape and gives the focus back. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { say } from "../text/index.ts";
import { Icon } from "./icon.tsx";

export function Dialog({
  title,
  side = false,
  onClose,
  children,
}: {
  title: ComponentChildren;
  /** At the side and as high as the window. */
  side?: boolean;
  onClose(): void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (!element.open) element.showModal();
    // A click beside it is one on the dialog's own backdrop.
    const onClick = (event: MouseEvent) => {
      if (event.target === element) element.close();
    };
    // One that is taken away tells nobody that it was closed.
    const onClosed = () => close.current();
    element.addEventListener("click", onClick);
    element.addEventListener("close", onClosed);
    return () => {
      element.removeEventListener("click", onClick);
      element.removeEventListener("close", onClosed);
      element.close();
    };
  }, []);
  return (
    <dialog ref={dialog} class={side ? "drawer" : ""} aria-labelledby={id}>
      <div class="dialog-frame">
        <header class="dialog-head">
          <h2 id={id}>{title}</h2>
          <button
            type="button"
            class="icon-button"
            aria-label={say().close}
            title={say().close}
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" />
          </button>
        </header>
        <div class="dialog-body">{children}</div>
      </div>
    </dialog>
  );
}
