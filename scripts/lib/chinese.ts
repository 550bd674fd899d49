/** Chinese for what the generated pages take from the code. */
import { CHINESE } from "../../src/catalogue/chinese.ts";

/** Words of an option's kind; values themselves stay. */
const KINDS: Record<string, string> = {
  object: "对象",
  tuple: "元组",
  number: "数值",
  text: "文本",
  boolean: "布尔值",
};

/** @throws where the Chinese of a text is missing */
export function inChinese(text: string): string {
  const found = CHINESE[text];
  if (found === undefined) throw new Error(`src/catalogue/chinese.ts has no Chinese for: ${text}`);
  return found;
}

/** An option's kind, such as `list of text or object`. */
export function kindInChinese(kind: string): string {
  if (kind.includes(" | ")) return kind.replace(/^list of /, "列表：");
  return kind
    .split(" or ")
    .map((one) => {
      const [, list, word] = /^(list of )?(.*)$/.exec(one)!;
      const name = word!.startsWith("name=") ? word!.replace("name", "名称").replace("number", "数值") : KINDS[word!];
      if (name === undefined) throw new Error(`scripts/lib/chinese.ts has no Chinese for the kind ${kind}`);
      return list ? `${name}列表` : name;
    })
    .join("或");
}
