/** Personal data masked by pattern, before a model sees them. What a pattern does not know stays: this is a net, not a proof. */
import type { Postprocessor } from "../schema/index.ts";

/** What personal data looks like, and the name that stands in its place. */
export interface PiiPattern {
  /** Goes into the mask: `[EMAIL_1]`. */
  name: string;
  /** With the flag `g`. */
  pattern: RegExp;
  /** Says no to what only looks like it. */
  valid?: (text: string) => boolean;
}

/** Metadata key of what the masks stand for; hidden from embeddings and models. */
export const PII_KEY = "__pii_node_info__";

/** E-mail addresses, Chinese identity numbers, payment cards, telephone numbers and IP addresses. */
export const PII_PATTERNS: readonly PiiPattern[] = [
  { name: "EMAIL", pattern: /[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[a-zA-Z]{2,24}/g },
  { name: "ID", pattern: /(?<![\dA-Za-z])\d{17}[\dXx](?![\dA-Za-z])/g, valid: isChineseId },
  { name: "CARD", pattern: /(?<![\d+-])\d(?:[ -]?\d){12,18}(?![\d-])/g, valid: passesLuhn },
  { name: "IP", pattern: /(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.]*\d)/g },
  { name: "PHONE", pattern: /(?<![\d.])(?:(?:\+|00)86[ -]?)?1[3-9]\d(?:[ -]?\d{4}){2}(?!\d)/g },
  { name: "PHONE", pattern: /(?<![\d.])(?:\(?0\d{2,3}\)?[ -]?)[2-9]\d{6,7}(?!\d)/g },
  { name: "PHONE", pattern: /(?<![\w+])\+\d{1,3}(?:[ -]?\(?\d{1,4}\)?){2,5}(?!\d)/g },
];

/**
 * Masks personal data in the nodes' texts: the same value gets the same mask in all nodes. What a mask stands for is kept in the metadata,
 * hidden from embeddings and models, so that `unmask` can put it back into an answer.
 *
 * @example piiMask({ patterns: [...PII_PATTERNS, { name: "STAFF", pattern: /\bE\d{6}\b/g }] })
 */
export function piiMask({ patterns = PII_PATTERNS }: { patterns?: readonly PiiPattern[] } = {}): Postprocessor {
  return {
    postprocess(nodes) {
      const masks = new Map<string, string>();
      const counts = new Map<string, number>();
      const maskOf = (name: string, value: string): string => {
        const key = `${name} ${value}`;
        const known = masks.get(key);
        if (known) return known;
        const number = (counts.get(name) ?? 0) + 1;
        counts.set(name, number);
        masks.set(key, `[${name}_${number}]`);
        return masks.get(key)!;
      };
      return nodes.map((item) => {
        const found: Record<string, string> = {};
        let { text } = item.node;
        for (const { name, pattern, valid } of patterns) {
          text = text.replace(pattern, (value) => {
            if (valid && !valid(value)) return value;
            const mask = maskOf(name, value);
            found[mask] = value;
            return mask;
          });
        }
        if (Object.keys(found).length === 0) return item;
        const { node } = item;
        return {
          ...item,
          node: {
            ...node,
            text,
            metadata: { ...node.metadata, [PII_KEY]: found },
            excludedEmbedMetadataKeys: [...node.excludedEmbedMetadataKeys, PII_KEY],
            excludedLlmMetadataKeys: [...node.excludedLlmMetadataKeys, PII_KEY],
          },
        };
      });
    },
  };
}

/** Puts back what masks in a text stand for, as masked nodes remember it. */
export function unmask(text: string, nodes: readonly { node: { metadata: Record<string, unknown> } }[]): string {
  const values = new Map<string, string>();
  for (const { node } of nodes) {
    for (const [mask, value] of Object.entries((node.metadata[PII_KEY] ?? {}) as Record<string, string>))
      values.set(mask, value);
  }
  return text.replace(/\[[A-Za-z]+_\d+\]/g, (mask) => values.get(mask) ?? mask);
}

/** GB 11643-1999: the last character is a checksum of the others (ISO 7064, MOD 11-2). */
function isChineseId(text: string): boolean {
  let sum = 0;
  for (let i = 0; i < 17; i++) sum += Number(text[i]) * (2 ** (17 - i) % 11);
  return "10X98765432"[sum % 11] === text[17]!.toUpperCase();
}

/** The checksum of payment cards. */
function passesLuhn(text: string): boolean {
  const digits = text.replace(/\D/g, "");
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    sum += i % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0);
  }
  return sum % 10 === 0;
}
