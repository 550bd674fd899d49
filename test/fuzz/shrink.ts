/** Making a failing world and request as small as they get while they still fail. */
import type { FuzzRequest } from "./requests.ts";
import { isSteady, type Json, type JsonMap, type World } from "./world.ts";

export interface Failing {
  readonly world: World;
  readonly request: FuzzRequest | undefined;
}

const isMap = (value: Json): value is JsonMap => value !== null && typeof value === "object" && !Array.isArray(value);

/** Smaller forms of a value: without a part, one of its parts in its place, a shorter text. */
export function* smaller(value: Json): Generator<Json> {
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      yield value.filter((_, place) => place !== at);
      for (const inner of smaller(value[at])) yield value.map((item, place) => (place === at ? inner : item));
    }
  } else if (isMap(value)) {
    for (const key of Object.keys(value)) {
      const { [key]: inner, ...rest } = value;
      yield rest;
      // A query inside a query may stand for it: {"bool":{"must":[q]}} becomes q.
      if (isMap(inner)) yield* promoted(inner);
      for (const part of smaller(inner)) yield { ...value, [key]: part };
    }
  } else if (typeof value === "string" && value.length > 1) {
    const parts = value.split(" ");
    if (parts.length > 1)
      for (let at = 0; at < parts.length; at++) yield parts.filter((_, place) => place !== at).join(" ");
    else {
      const half = Math.ceil(value.length / 2);
      yield value.slice(0, half);
      yield value.slice(half);
    }
  }
}

function* promoted(body: JsonMap): Generator<Json> {
  for (const inner of Object.values(body)) {
    const candidates = Array.isArray(inner) ? inner : [inner];
    for (const candidate of candidates) {
      if (
        isMap(candidate) &&
        Object.values(candidate).some((part) => isMap(part)) &&
        Object.keys(candidate).length === 1
      )
        yield candidate;
    }
  }
}

function* candidates({ world, request }: Failing): Generator<Failing> {
  const batches = world.batches;
  // Documents first: whole batches, halves, then one by one.
  for (let at = 0; at < batches.length; at++)
    if (batches.length > 1) yield { world: { ...world, batches: batches.filter((_, place) => place !== at) }, request };
  for (let at = 0; at < batches.length; at++) {
    const batch = batches[at];
    for (let size = Math.ceil(batch.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let from = 0; from < batch.length; from += size) {
        const left = [...batch.slice(0, from), ...batch.slice(from + size)];
        yield { world: { ...world, batches: batches.map((other, place) => (place === at ? left : other)) }, request };
      }
    }
  }
  if (request !== undefined)
    for (const body of smaller(request.body)) yield { world, request: { ...request, body: body as JsonMap } };
  for (const mappings of smaller(world.mappings)) yield { world: { ...world, mappings: mappings as JsonMap }, request };
  for (let at = 0; at < batches.length; at++) {
    for (let item = 0; item < batches[at].length; item++) {
      const [action, body] = batches[at][item];
      if (body === undefined) continue;
      for (const form of smaller(body)) {
        const batch = batches[at].map((line, place) => (place === item ? ([action, form as JsonMap] as const) : line));
        yield { world: { ...world, batches: batches.map((other, place) => (place === at ? batch : other)) }, request };
      }
    }
  }
}

/** @param fails runs a candidate; @param most the number of runs allowed */
export async function shrink(
  failing: Failing,
  fails: (candidate: Failing) => Promise<boolean>,
  most: number,
): Promise<Failing> {
  let best = failing;
  let left = most;
  for (let found = true; found && left > 0; ) {
    found = false;
    for (const candidate of candidates(best)) {
      if (!isSteady(candidate.world)) continue;
      if (left-- <= 0) break;
      if (!(await fails(candidate))) continue;
      best = candidate;
      found = true;
      break;
    }
  }
  return best;
}
