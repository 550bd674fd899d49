/** Names and values from documents on one line of the interface: nothing in them may reorder or break what stands around them. */

const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;
const REORDERING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Control characters become pictures of themselves, marks that reorder text are left out. */
export function harmless(text: string): string {
  return text.replace(REORDERING, "").replace(CONTROLS, (control) => {
    const code = control.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? "␡" : "�";
  });
}

/** Any value of metadata as a line of text. */
export function shown(value: unknown): string {
  if (typeof value === "string") return harmless(value);
  if (Array.isArray(value)) return value.map(shown).join(", ");
  return harmless(JSON.stringify(value) ?? "");
}
