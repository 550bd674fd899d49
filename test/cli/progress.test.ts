import { expect, test } from "vitest";
import { progressDisplay, progressLine } from "../../src/cli/terminal/progress.ts";
import { width } from "../../src/cli/terminal/text.ts";

function display(terminal: boolean) {
  let time = 0;
  let written = "";
  const shown = progressDisplay({
    write: (text) => {
      written += text;
    },
    terminal,
    columns: 80,
    now: () => time,
  });
  return { ...shown, at: (ms: number) => (time = ms), written: () => written };
}

test("on a terminal one line is redrawn, at most ten times a second, and removed at the end", () => {
  const { update, end, at, written } = display(true);
  update({ done: 0, total: 4, file: "a.md" });
  update({ done: 1, total: 4, file: "b.md" });
  at(1000);
  update({ done: 2, total: 4, file: "手册.md" });
  end();
  const drawn = written().split("\r\u001b[K");
  expect(drawn).toEqual([
    "",
    "░░░░░░░░░░░░░░░░░░░░ 0/4 files  a.md",
    "██████████░░░░░░░░░░ 2/4 files, 2.0/s  手册.md",
    "",
  ]);
});

test("elsewhere there is a line every few seconds", () => {
  const { update, line, end, at, written } = display(false);
  update({ done: 1, total: 4 });
  at(6000);
  update({ done: 60, total: 400 });
  line("failed: x.pdf: damaged");
  at(7000);
  update({ done: 70, total: 400 });
  end();
  expect(written()).toBe("60/400 files, 10/s\nfailed: x.pdf: damaged\n");
});

test("a message stands above the bar, which is drawn again", () => {
  const { update, line, written } = display(true);
  update({ done: 1, total: 2 });
  line("failed: a");
  expect(written()).toMatch(/\r\u001b\[Kfailed: a\n\r\u001b\[K█+░+ 1\/2 files$/);
});

test("the line is narrower than the terminal, for any width, file and count", () => {
  for (const columns of [20, 40, 60, 80, 200])
    for (const file of ["a", "目录/".repeat(60), "x".repeat(300), "\u001b[31m.md"]) {
      const line = progressLine({ done: 12, total: 34, file }, 3, columns);
      expect(line).not.toContain("\u001b");
      if (columns >= 40) expect(width(line)).toBeLessThan(columns);
    }
});

test("nothing to do is no division by zero", () => {
  expect(progressLine({ done: 0, total: 0 }, 0, 80)).toBe("░░░░░░░░░░░░░░░░░░░░ 0/0 files");
});
