import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { buildPackage, finished, root } from "../built.ts";
import { blocks } from "./markdown.ts";

beforeAll(buildPackage, 180_000);

test("the programs of the documentation fit the package's types, in strict mode", async () => {
  const folder = await mkdtemp(join(tmpdir(), "huiliu-types-"));
  try {
    await mkdir(join(folder, "node_modules"));
    await symlink(root, join(folder, "node_modules", "huiliu"), "dir");
    await symlink(join(root, "node_modules", "@types"), join(folder, "node_modules", "@types"), "dir");
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    const files = [
      "README.md",
      "README.zh-CN.md",
      "docs/analysis.md",
      "docs/embedding.md",
      "docs/evaluation.md",
      "docs/models.md",
      "docs/search-and-fusion.md",
    ];
    for (const file of files) {
      for (const [i, block] of (await blocks(file, "ts")).entries())
        await writeFile(join(folder, `${file.replaceAll(/[/.]/g, "-")}-${i}.ts`), `${block}\nexport {};\n`);
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
