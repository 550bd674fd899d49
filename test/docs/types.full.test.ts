import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { buildPackage, finished, root } from "../built.ts";
import { codeBlocks, writtenPages } from "./markdown.ts";

beforeAll(buildPackage, 180_000);

test("the programs of the documentation fit the package's types, in strict mode", async () => {
  const folder = await mkdtemp(join(tmpdir(), "huiliu-types-"));
  try {
    await mkdir(join(folder, "node_modules"));
    await symlink(root, join(folder, "node_modules", "huiliu"), "dir");
    for (const name of ["@types", "@modelcontextprotocol", "@elastic", "@langchain", "zod"])
      await symlink(join(root, "node_modules", name), join(folder, "node_modules", name), "dir");
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    for (const file of [...(await writtenPages()), "README.zh-CN.md"]) {
      for (const { language, code, given = "", line } of await codeBlocks(file)) {
        const name = `${file.replaceAll(/[/.]/g, "-")}-${line}.ts`;
        if (["ts", "js"].includes(language)) await writeFile(join(folder, name), `${given}\n${code}\nexport {};\n`);
      }
    }
    const options = {
      strict: true,
      module: "NodeNext",
      target: "ES2022",
      lib: ["ES2023"],
      types: ["node"],
      noEmit: true,
    };
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { ...options, skipLibCheck: true }, include: ["*.ts"] }),
    );
    const { code, out } = await finished([join(root, "node_modules/typescript/bin/tsc"), "-p", folder], {
      cwd: folder,
    });
    expect({ code, out }).toEqual({ code: 0, out: "" });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
