/** A plot with its caption. */
import { escaped } from "./svg.ts";

export function figure(content: string, caption: string): string {
  return `<figure>${content}<figcaption>${escaped(caption)}</figcaption></figure>`;
}
