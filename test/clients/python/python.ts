/** Running the scripts of this folder: a Python, its environment, and what the scripts got. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const FOLDER = fileURLToPath(new URL(".", import.meta.url));
/** Of the indices that scripts make: their names stand in what was recorded. */
export const PREFIX = "huiliu-clients";

export interface Python {
  readonly command: string;
  /** 311 for 3.11. */
  readonly version: number;
}

/** What each step of a script got. */
export type Steps = Readonly<Record<string, unknown>>;

/** A Python with pip and venv, or undefined. */
export function findPython(): Python | undefined {
  for (const name of ["python3", "python", "py"]) {
    try {
      const program = "import ensurepip, pip, sys, venv; print(sys.version_info[0] * 100 + sys.version_info[1])";
      const version = Number(execFileSync(name, ["-c", program], { encoding: "utf8", stdio: "pipe" }));
      if (version >= 309) return { command: name, version };
    } catch {
      // Not there, or too bare.
    }
  }
  return undefined;
}

/**
 * Makes an environment with what the scripts need.
 * @param requirements a file of this folder
 * @returns why not, where that fails
 */
export function installed(python: Python, folder: string, requirements = "requirements.txt"): Python | string {
  const command = join(folder, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
  try {
    execFileSync(python.command, ["-m", "venv", folder], { stdio: "pipe" });
    const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"];
    execFileSync(command, [...install, join(FOLDER, requirements)], { stdio: "pipe" });
    return { command, version: python.version };
  } catch (error) {
    const said = String((error as { stderr?: unknown }).stderr ?? error).trim();
    return said.split("\n").at(-1)!;
  }
}

/** Runs a script to its end. */
export function runScript(python: Python, script: string, args: readonly string[]): Steps {
  const env = { ...process.env, PYTHONWARNINGS: "ignore", PYTHONIOENCODING: "utf-8", PYTHONDONTWRITEBYTECODE: "1" };
  const options = { encoding: "utf8", env, maxBuffer: 2 ** 26 } as const;
  return JSON.parse(execFileSync(python.command, [join(FOLDER, script), ...args], options)) as Steps;
}

export const recordedPath = (script: string) => join(FOLDER, "recorded", script.replace(/py$/, "json"));

export const recordedOf = (script: string) => JSON.parse(readFileSync(recordedPath(script), "utf8")) as Steps;
