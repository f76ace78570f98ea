import { expect, test } from "vitest";
import { formatTable, type Row, verdictOf } from "./table.ts";

const measured = { operations: 100, perSecond: 512.4, p50Ms: 1.234, p99Ms: 12.34, cpuMs: 0.5, processes: 0, statements: 3, upkeepSeconds: 0 };
const row: Row = { id: "a", title: "work", results: [measured], ceiling: 1 };

test("compares CPU time, or the figure, with the ceiling", () => {
  expect(verdictOf(row)).toBe("within");
  expect(verdictOf({ ...row, ceiling: 0.4 })).toBe("over");
  expect(verdictOf({ ...row, figure: { value: 2, unit: "MB" } })).toBe("over");
  expect(verdictOf({ ...row, failure: "answered 404" })).toBe("failed");
  expect(verdictOf({ ...row, results: [{ ...measured, cpuMs: undefined }] })).toBe("unknown");
  expect(verdictOf({ id: "a", title: "work", results: [measured] })).toBe("unknown");
});

test("prints figures, verdicts and the reason of a failure", () => {
  const failed: Row = { id: "b", title: "other", results: [], ceiling: 2, failure: "answered 404" };
  expect(formatTable([row, failed], ["hearth"])).toBe(
    [
      "| operation | count | per s | p50 ms | p99 ms | CPU ms | processes | statements | ceiling |        |",
      "|-----------|------:|------:|-------:|-------:|-------:|----------:|-----------:|--------:|-------:|",
      "| work      |   100 |   512 |   1.23 |   12.3 |   0.50 |      0.00 |       3.00 |    1.00 |     ok |",
      "| other     |     - |     - |      - |      - |      - |         - |          - |    2.00 | FAILED |",
      "",
      "other: answered 404",
    ].join("\n"),
  );
});

test("marks a row in which the maintenance of stores ran", () => {
  const busy: Row = { ...row, results: [{ ...measured, cpuMs: 2, upkeepSeconds: 3.21 }] };
  expect(formatTable([busy], ["hearth"])).toMatch(/\| OVER, 3\.21 s upkeep \|$/);
});

test("prints the ratio to another server", () => {
  const text = formatTable([{ ...row, results: [measured, { ...measured, p50Ms: 12.34, cpuMs: undefined }] }], ["hearth", "rival"]);
  expect(text).toMatch(/rival p50 ms \| rival CPU ms \| p50 ratio \| CPU ratio \|/);
  expect(text).toMatch(/\| +12\.3 \| +- \| +10\.0x \| +- \|$/);
});
