/** A strategy as data: for other programs, the playground and the documentation. */
import { z } from "zod";
import type { AnyStrategy } from "./registry.ts";

/** A strategy for programs: its name, what it is good for, what it needs, and a JSON schema of its options. */
export interface DescribedStrategy {
  name: string;
  title: string;
  goodFor: string;
  needs: readonly string[];
  /** JSON schema of the options as they are written: kinds, defaults and descriptions under `properties`. */
  options: Record<string, unknown>;
}

/** Describes a strategy for programs: what it does, and its options as a JSON schema. */
export function describeStrategy({ name, title, goodFor, needs = [], options }: AnyStrategy): DescribedStrategy {
  return { name, title, goodFor, needs, options: z.toJSONSchema(options, { io: "input", unrepresentable: "any" }) };
}
