/** A strategy as data: for other programs, the playground and the documentation. */
import { z } from "zod";
import type { AnyStrategy } from "./registry.ts";

export interface DescribedStrategy {
  name: string;
  title: string;
  goodFor: string;
  needs: readonly string[];
  /** JSON schema of the options as they are written: kinds, defaults and descriptions under `properties`. */
  options: Record<string, unknown>;
}

export function describeStrategy({ name, title, goodFor, needs = [], options }: AnyStrategy): DescribedStrategy {
  return { name, title, goodFor, needs, options: z.toJSONSchema(options, { io: "input", unrepresentable: "any" }) };
}
