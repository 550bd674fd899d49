/** Replacements of Java's matcher. */
import { EngineError, illegalArgument } from "../../errors.ts";
import type { JavaMatch } from "./index.ts";

/**
 * `$1`, `${name}`, and `\` before a character that stands for itself. As in Java, mistakes are found when something is replaced.
 */
export function javaReplacement(replacement: string): (match: JavaMatch) => string {
  if (!/[\\$]/.test(replacement)) return () => replacement;
  return (match) => {
    let made = "";
    for (let i = 0; i < replacement.length; ) {
      const c = replacement[i];
      if (c === "\\") {
        if (i + 1 >= replacement.length) throw illegalArgument("character to be escaped is missing");
        made += replacement[i + 1];
        i += 2;
      } else if (c === "$") {
        if (i + 1 >= replacement.length) throw illegalArgument("Illegal group reference: group index is missing");
        const named = /^\$\{([a-zA-Z][a-zA-Z0-9]*)\}/.exec(replacement.slice(i));
        if (named !== null) {
          const group = match.named.get(named[1]);
          if (group === undefined) throw illegalArgument(`No group with name {${named[1]}}`);
          made += match.text(group) ?? "";
          i += named[0].length;
          continue;
        }
        const digits = /^\$(\d+)/.exec(replacement.slice(i));
        if (digits === null) throw illegalArgument("Illegal group reference");
        // As many digits as there are groups for.
        let length = 1;
        while (length < digits[1].length && Number(digits[1].slice(0, length + 1)) <= match.groups) length++;
        const group = Number(digits[1].slice(0, length));
        if (group > match.groups)
          throw new EngineError("index_out_of_bounds_exception", `No group ${group}`, { status: 500 });
        made += match.text(group) ?? "";
        i += 1 + length;
      } else {
        made += c;
        i++;
      }
    }
    return made;
  };
}
