import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "../../tools/repository.ts";
import { explained } from "./explained.ts";

test("each difference that the comparison with Gitea accepts is a row of the documented differences", () => {
  const rows = ["contract/deviations.md", "docs/move-from-gitea.md"].flatMap((page) =>
    readFileSync(join(repositoryRoot, page), "utf8")
      .split("\n")
      .flatMap((line) => (line.startsWith("| ") ? [line.slice(2)] : [])),
  );
  const missing = explained.filter(({ row }) => !rows.some((one) => one.startsWith(row)));
  expect([...new Set(missing.map(({ row }) => row))]).toEqual([]);
});
