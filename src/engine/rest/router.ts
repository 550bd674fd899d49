/** From a path to a route: the literal segment wins over a variable; where no path goes on from it, the variable is tried. */

interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  variable: Node<T> | undefined;
  /** Methods and what they lead to. */
  /** True when only refusals end here. */
  fallback: boolean;
  methods: Map<string, { readonly target: T; readonly names: readonly string[]; readonly path: string }>;
}

export interface Match<T> {
  readonly target: T;
  /** As it was added. */
  readonly path: string;
  /** Values of the path's variables, encoded as they came. */
  readonly values: ReadonlyMap<string, string>;
}

export interface Router<T> {
  /** @param path such as `/{index}/_doc/{id}` */
  add(method: string, path: string, target: T): void;
  /** The same, where no route for the path has been added before by another call than this. */
  addUnlessTaken(method: string, path: string, target: T): void;
  /** The match for a path and method; where there is none, every method of that path in the order they were added. */
  find(method: string, path: string): { match: Match<T> | undefined; allowed: readonly string[] };
}

export function createRouter<T>(): Router<T> {
  const make = (): Node<T> => ({ literals: new Map(), variable: undefined, fallback: false, methods: new Map() });
  const root = make();

  /** The leaf that fits the segments, the most literal one. */
  function leaf(
    node: Node<T>,
    segments: readonly string[],
    at: number,
    values: readonly string[],
  ): [Node<T>, readonly string[]] | undefined {
    if (at === segments.length) return node.methods.size > 0 ? [node, values] : undefined;
    const literal = node.literals.get(segments[at]);
    const found = literal && leaf(literal, segments, at + 1, values);
    return found ?? (node.variable && leaf(node.variable, segments, at + 1, [...values, segments[at]]));
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
    node.methods.set(method, { target, names, path });
  };

  return {
    add: (method, path, target) => place(method, path, target, false),
    addUnlessTaken: (method, path, target) => place(method, path, target, true),
    find(method, path) {
      const found = leaf(root, segmentsOf(path), 0, []);
      if (found === undefined) return { match: undefined, allowed: [] };
      const [node, values] = found;
      const route = node.methods.get(method);
      if (route === undefined) return { match: undefined, allowed: [...node.methods.keys()] };
      const named = new Map(route.names.map((name, at) => [name, values[at]]));
      return { match: { target: route.target, path: route.path, values: named }, allowed: [] };
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
