import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { helpOf } from "./command.ts";
import { adminCommands } from "./table.ts";

test("docs/operating.md lists the commands as the help does", async () => {
  const page = await readFile(new URL("../../../docs/operating.md", import.meta.url), "utf8");
  expect(page).toContain(helpOf(adminCommands));
});

test("no two commands have the same name", () => {
  const words = adminCommands.map((command) => command.words);
  expect(new Set(words).size).toBe(words.length);
});
