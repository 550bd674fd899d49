/** huiliu doctor: what is configured, what works, and what is missing. */
import packageJson from "../../../package.json" with { type: "json" };
import { type CommonOptions, type Context, EXIT } from "../context.ts";
import { type Check, type Diagnosis, diagnose } from "../doctor.ts";
import { jsonLine } from "../json.ts";
import { nameLine, padEnd } from "../terminal/text.ts";

export interface DoctorCommandOptions extends CommonOptions {
  call?: boolean;
}

export async function doctor(context: Context, options: DoctorCommandOptions): Promise<number> {
  const { io, signal } = context;
  const { data, collection, call = false } = options;
  const found = await diagnose(options.settings, io, { data, collection, call, signal });
  const versions = {
    huiliu: packageJson.version,
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
  };
  io.out(options.json ? jsonLine({ ...versions, ...found }) : report(versions, found));
  return found.checks.some(({ status }) => status === "failed") ? EXIT.error : EXIT.ok;
}

const MARKS = { ok: "ok", unset: "-", failed: "FAILED" } as const;
const ORIGINS = {
  default: "",
  file: "from the configuration",
  environment: "from the environment",
  option: "from the command",
};

function report(
  versions: { huiliu: string; node: string; platform: string },
  { checks, keys, packages }: Diagnosis,
): string {
  const lines = checks.map((check) => `${padEnd(check.name, 11)}${padEnd(MARKS[check.status], 8)}${detailOf(check)}`);
  const listed = (title: string, all: Record<string, boolean>, none: string) => {
    const there = Object.keys(all).filter((name) => all[name]);
    return `${padEnd(title, 11)}${padEnd(there.length > 0 ? MARKS.ok : MARKS.unset, 8)}${there.join(", ") || none}`;
  };
  return [
    `huiliu ${versions.huiliu}, Node.js ${versions.node}, ${versions.platform}`,
    ...lines,
    listed("keys", keys, `none in the environment (${Object.keys(keys).slice(0, 3).join(", ")} …)`),
    listed("packages", packages, "no optional ones: openai-compatible servers and DashScope need none"),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function detailOf({ detail, origin, status }: Check): string {
  const said = origin === undefined || status === "failed" ? "" : ORIGINS[origin];
  return nameLine(said === "" ? detail : `${detail}, ${said}`);
}
