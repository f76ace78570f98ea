import { expect, test } from "vitest";
import { readAudit } from "./advisories.ts";

const audit = (severity: string): string => JSON.stringify({ vulnerabilities: { a: { severity, range: "<2.0.0" } }, metadata: {} });

test.each([
  ["high", false],
  ["critical", false],
  ["moderate", true],
])("a %s advisory about a package is shown, and passes: %s", (severity, passed) => {
  expect(readAudit(audit(severity))).toEqual({ passed, lines: [`a <2.0.0: ${severity}`] });
});

test("passes without advisories, and names a registry that offers none", () => {
  expect(readAudit('{"vulnerabilities":{}}')).toEqual({ passed: true, lines: [] });
  const none = { passed: true, lines: ["the registry of this machine offers no advisories"] };
  expect(readAudit('{"message":"405 Method Not Allowed","error":{}}')).toEqual(none);
  expect(readAudit("")).toEqual(none);
});
