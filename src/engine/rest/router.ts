/** From a path to a route: the literal segment wins over a variable, and where it leads nowhere the variable is tried (as in Elasticsearch). */

interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  variable: Node<T> | undefined;
  /** Methods and what they lead to. */
  /** True when only refusals end here. */
  fallback: boolean;
  methods: Map<string, { readonly target: T; readonly names: readonly string[] }>;
}

export interface Match<T> {
  readonly target: T;
  /** Values of the path's variables, encoded as they came. */
  readonly values: ReadonlyMap<string, string>;
}

export interface Router<T> {
  /** @param path such as `/{index}/_doc/{id}` */
  add(method: string, path: string, target: T): void;
  /** The same, where no route for the path has been added before by another call than this. */
  addUnlessTaken(method: string, path: string, target: T): void;
  /** Every method that some route has for the path, in the order they were added; then the match for this method, if there is one. */
  find(method: string, path: string): { match: Match<T> | undefined; allowed: readonly string[] };
}

export function createRouter<T>(): Router<T> {
  const make = (): Node<T> => ({ literals: new Map(), variable: undefined, fallback: false, methods: new Map() });
  const root = make();

  /** Leaves that fit the segments, the most literal first. */
  function* leaves(
    node: Node<T>,
    segments: readonly string[],
    at: number,
    values: readonly string[],
  ): Generator<[Node<T>, readonly string[]]> {
    if (at === segments.length) {
      if (node.methods.size > 0) yield [node, values];
      return;
    }
    const literal = node.literals.get(segments[at]);
    if (literal !== undefined) yield* leaves(literal, segments, at + 1, values);
    if (node.variable !== undefined) yield* leaves(node.variable, segments, at + 1, [...values, segments[at]]);
  }

  const place = (method: string, path: string, target: T, fallback: boolean) => {
    let node = root;
    const names: string[] = [];
    for (const segment of segmentsOf(path)) {
      if (segment.startsWith("{")) {
        names.push(segment.slice(1, -1));
        node.variable ??= make();
        node = node.variable;
      } else {
        let next = node.literals.get(segment);
        if (next === undefined) node.literals.set(segment, (next = make()));
        node = next;
      }
    }
    if (fallback && node.methods.size > 0 && !node.fallback) return;
    if (fallback) node.fallback = true;
    node.methods.set(method, { target, names });
  };

  return {
    add: (method, path, target) => place(method, path, target, false),
    addUnlessTaken: (method, path, target) => place(method, path, target, true),
    find(method, path) {
      const allowed: string[] = [];
      for (const [node, values] of leaves(root, segmentsOf(path), 0, [])) {
        const found = node.methods.get(method);
        if (found !== undefined) {
          return {
            match: { target: found.target, values: new Map(found.names.map((name, at) => [name, values[at]])) },
            allowed,
          };
        }
        for (const name of node.methods.keys()) if (!allowed.includes(name)) allowed.push(name);
      }
      return { match: undefined, allowed };
    },
  };
}

/** Slashes at the end do not count, empty segments in between do. */
export function segmentsOf(path: string): string[] {
  const segments = path.split("/");
  if (segments[0] === "") segments.shift();
  while (segments[segments.length - 1] === "") segments.pop();
  return segments;
}
