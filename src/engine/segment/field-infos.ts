/** The one FieldInfo that a segment keeps for a field, out of what its documents or its sources brought. */
import type { FieldInfo } from "./types.ts";

/** Parts may come later; two that contradict each other are a fault of the caller. */
export function combineFieldInfos(a: FieldInfo, b: FieldInfo): FieldInfo {
  if (a === b) return a;
  const pick = <T>(part: string, one: T, other: T, none: T): T => {
    if (one === none || one === other) return other;
    if (other === none) return one;
    throw new Error(`field [${a.name}] is recorded in two ways: ${part} ${String(one)} and ${String(other)}`);
  };
  // An update of the mapping may change how vectors are searched: the later one counts.
  const vector = b.vector ?? a.vector;
  if (a.vector !== undefined && b.vector !== undefined) {
    pick("dims", a.vector.dims, b.vector.dims, 0);
    pick(
      "element type",
      a.vector.elementType as string,
      b.vector.elementType as string,
      undefined as unknown as string,
    );
    pick("similarity", a.vector.similarity as string, b.vector.similarity as string, "");
  }
  return {
    name: a.name,
    index: pick("index", a.index, b.index, "none"),
    norms: a.norms || b.norms,
    ...(a.weights || b.weights ? { weights: true } : {}),
    docValues: pick("doc values", a.docValues, b.docValues, "none"),
    points: pick("points", a.points, b.points, "none"),
    ...(vector === undefined ? {} : { vector }),
  };
}
