import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkDifferences, readExplained, subjectsOf } from "../../tools/recorded-differences.ts";

const report = {
  areas: { repos: {}, users: {} },
  failed: {
    "repos.a:GET /x@alice": {
      diffs: [
        ["value", "string", "owner.email", "a -> b"],
        ["header", "x-total-count", "", "1 -> 2"],
      ],
    },
    "repos.a:POST /x@alice": { diffs: [["status", "status", "", "201 -> 200"]] },
  },
} as const;

test("every difference from the recorded answers of Gitea has a row of contract/deviations.md", () => {
  const subjects = subjectsOf(readFileSync(new URL("../../contract/deviations.md", import.meta.url), "utf8"));
  const explained = readExplained();
  expect(Object.keys(explained).filter((subject) => !subjects.has(subject))).toEqual([]);
  expect(subjects.size).toBeGreaterThan(200);
  const names = Object.values(explained).flat();
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test("a difference without a row is reported, and a row without its difference", () => {
  const names = ["repos.a:GET /x@alice owner.email", "repos.a:POST /x@alice status", "users.b:GET /y@bob name", "issues.c:GET /z@bob title"];
  // A row can also explain an exchange of another recording, and a difference that depends on timing.
  const recorded = new Set(["repos.a:GET /x@alice", "repos.a:POST /x@alice", "users.b:GET /y@bob", "issues.c:GET /z@bob"]);
  expect(checkDifferences(report, { "a subject": [...names, "users.b:GET /elsewhere@bob name", "? users.b:GET /y@bob size"] }, recorded)).toEqual({
    unexplained: ["repos.a:GET /x@alice x-total-count: 1 -> 2"],
    // Issues were not compared.
    gone: ["users.b:GET /y@bob name"],
    explained: 2,
  });
});
