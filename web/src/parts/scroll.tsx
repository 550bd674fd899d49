/** What may be wider than its place: it scrolls by itself, with the keyboard too. */
import type { ComponentChildren } from "preact";

export function Scroll({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, what is hidden at the side is out of reach of the keyboard
    <section class="table-scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
