/** The smallest deterministic automaton, by splitting blocks of states and of transitions in turn (Valmari and Lehtinen's algorithm). */
import { type Automaton, automatonBuilder, emptyAutomaton, MAX_CODE_POINT } from "./automaton.ts";
import { determinize, withoutDeadStates } from "./operations.ts";

/** Beyond so many transitions, cut to equal ranges, the deterministic automaton is used as it is. */
const MOST_CUT_TRANSITIONS = 2_000_000;

/** @throws TooComplexError of the determinization before it */
export function minimize(automaton: Automaton, limit: number): Automaton {
  if (automaton.stateCount === 0 || (!automaton.accepts(0) && automaton.transitions(0).length === 0)) {
    return emptyAutomaton();
  }
  const dfa = determinize(automaton, limit);
  const first = dfa.transitions(0);
  if (first.length === 3 && first[0] === 0 && first[1] === 0 && first[2] === MAX_CODE_POINT) return dfa;
  return merged(withoutDeadStates(dfa));
}

/** Elements in blocks, which are split by marking some of their members. */
function partition(size: number) {
  const elements = Int32Array.from({ length: size }, (_, i) => i);
  const place = Int32Array.from(elements);
  const blockOf = new Int32Array(size);
  const first = [0];
  const past = [size];
  const marked = [0];
  let touched: number[] = [];
  return {
    elements,
    blockOf,
    first,
    past,
    get count() {
      return first.length;
    },
    mark(element: number): void {
      const block = blockOf[element];
      const from = place[element];
      const to = first[block] + marked[block];
      if (from < to) return;
      const other = elements[to];
      elements[from] = other;
      place[other] = from;
      elements[to] = element;
      place[element] = to;
      if (marked[block]++ === 0) touched.push(block);
    },
    /** The smaller half of each touched block becomes a new one. */
    split(): void {
      for (const block of touched) {
        const middle = first[block] + marked[block];
        const whole = middle === past[block];
        if (!whole) {
          const leading = marked[block] <= past[block] - middle;
          const next = first.length;
          first.push(leading ? first[block] : middle);
          past.push(leading ? middle : past[block]);
          marked.push(0);
          if (leading) first[block] = middle;
          else past[block] = middle;
          for (let i = first[next]; i < past[next]; i++) blockOf[elements[i]] = next;
        }
        marked[block] = 0;
      }
      touched = [];
    },
  };
}

interface CutTransitions {
  readonly tails: Int32Array;
  readonly heads: Int32Array;
  /** Number of the range of code points. */
  readonly labels: Int32Array;
}

/** Cuts transitions so that two ranges are the same or have nothing in common; undefined when they become too many. */
function cutTransitions(dfa: Automaton): CutTransitions | undefined {
  const points = new Set<number>();
  for (let state = 0; state < dfa.stateCount; state++) {
    const own = dfa.transitions(state);
    for (let i = 0; i < own.length; i += 3) points.add(own[i + 1]).add(own[i + 2] + 1);
  }
  const sorted = [...points].sort((a, b) => a - b);
  const index = new Map(sorted.map((point, i) => [point, i]));
  const tails: number[] = [];
  const heads: number[] = [];
  const labels: number[] = [];
  for (let state = 0; state < dfa.stateCount; state++) {
    const own = dfa.transitions(state);
    for (let i = 0; i < own.length; i += 3) {
      const end = index.get(own[i + 2] + 1)!;
      for (let label = index.get(own[i + 1])!; label < end; label++) {
        tails.push(state);
        heads.push(own[i]);
        labels.push(label);
      }
      if (tails.length > MOST_CUT_TRANSITIONS) return undefined;
    }
  }
  return { tails: Int32Array.from(tails), heads: Int32Array.from(heads), labels: Int32Array.from(labels) };
}

/** Transitions by the state that they lead to. */
function incoming(heads: Int32Array, stateCount: number): { starts: Int32Array; list: Int32Array } {
  const starts = new Int32Array(stateCount + 1);
  for (const head of heads) starts[head + 1]++;
  for (let i = 0; i < stateCount; i++) starts[i + 1] += starts[i];
  const next = starts.slice();
  const list = new Int32Array(heads.length);
  for (let i = 0; i < heads.length; i++) list[next[heads[i]]++] = i;
  return { starts, list };
}

function merged(dfa: Automaton): Automaton {
  const { stateCount } = dfa;
  const cut = stateCount > 1 ? cutTransitions(dfa) : undefined;
  if (cut === undefined) return dfa;
  const states = partition(stateCount);
  for (let state = 0; state < stateCount; state++) if (dfa.accepts(state)) states.mark(state);
  states.split();
  const transitions = partition(cut.tails.length);
  splitByLabel(transitions, cut.labels);
  const { starts, list } = incoming(cut.heads, stateCount);
  let state = 1;
  for (let block = 0; block < transitions.count; block++) {
    for (let i = transitions.first[block]; i < transitions.past[block]; i++) {
      states.mark(cut.tails[transitions.elements[i]]);
    }
    states.split();
    for (; state < states.count; state++) {
      for (let i = states.first[state]; i < states.past[state]; i++) {
        const head = states.elements[i];
        for (let t = starts[head]; t < starts[head + 1]; t++) transitions.mark(list[t]);
      }
      transitions.split();
    }
  }
  if (states.count === stateCount) return dfa;
  return fromBlocks(dfa, states.blockOf, states.count);
}

function splitByLabel(transitions: ReturnType<typeof partition>, labels: Int32Array): void {
  const byLabel = new Map<number, number[]>();
  for (let i = 0; i < labels.length; i++) {
    const own = byLabel.get(labels[i]);
    if (own) own.push(i);
    else byLabel.set(labels[i], [i]);
  }
  for (const own of [...byLabel.values()].slice(1)) {
    for (const i of own) transitions.mark(i);
    transitions.split();
  }
}

/** A state for each block; that of the initial state is 0. */
function fromBlocks(dfa: Automaton, blockOf: Int32Array, count: number): Automaton {
  const builder = automatonBuilder();
  for (let i = 0; i < count; i++) builder.createState();
  const name = (block: number) => (block === blockOf[0] ? 0 : block === 0 ? blockOf[0] : block);
  const done = new Uint8Array(count);
  for (let state = 0; state < dfa.stateCount; state++) {
    const block = name(blockOf[state]);
    if (done[block]) continue;
    done[block] = 1;
    builder.setAccept(block, dfa.accepts(state));
    const own = dfa.transitions(state);
    for (let i = 0; i < own.length; i += 3) {
      builder.addTransition(block, name(blockOf[own[i]]), own[i + 1], own[i + 2]);
    }
  }
  return builder.finish();
}
