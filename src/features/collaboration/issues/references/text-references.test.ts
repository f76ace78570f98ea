import { describe, expect, test } from "vitest";
import { expensiveReferences } from "../../../../../test/kit/expensive-texts.ts";
import { readReferences } from "./text-references.ts";

const here = { owner: "alice", name: "site" };
const read = (text: string) => readReferences(text, here);
const issues = (text: string): string[] =>
  read(text).issues.map(({ owner, repository, number, action }) => `${owner}/${repository}#${number}${action === "none" ? "" : ` ${action}`}`);

describe("references in a text", () => {
  test.each([
    ["see #12", ["alice/site#12"]],
    ["see !12 and bob/lib#3", ["alice/site#12", "bob/lib#3"]],
    ["closes #1", ["alice/site#1 closes"]],
    ["Fixes: #1, resolved #2", ["alice/site#1 closes", "alice/site#2 closes"]],
    ["fix bob/lib#4", ["bob/lib#4 closes"]],
    ["reopens #5", ["alice/site#5 reopens"]],
    ["#6, then closes #6", ["alice/site#6 closes"]],
    ["closes #6, see #6", ["alice/site#6 closes"]],
    ["prefix #1 discloses #2 fix-#3", ["alice/site#1", "alice/site#2"]],
    ["`closes #1` and\n\n```\n#2\n```\n#3", ["alice/site#3"]],
    ["~~~ text\n#1\n~~~\n#2", ["alice/site#2"]],
    ["```\nnever ended #1", []],
    ["<!-- #1 --> #2", ["alice/site#2"]],
    ["a#1 x/#2 #0 #01 ##3", []],
    ["closes\n#7", ["alice/site#7 closes"]],
  ])("%j", (text, expected) => expect(issues(text)).toEqual(expected));

  test("finds each user once regardless of case, and teams separately", () => {
    expect(read("@bob, @Bob and @carol; mail@dave.example; @acme/devs!")).toEqual({
      accounts: ["bob", "carol"],
      teams: [{ organization: "acme", team: "devs" }],
      issues: [],
    });
  });

  test("limits the number of each kind", () => {
    const many = Array.from({ length: 200 }, (_, index) => `@user${index} #${index + 1} @org${index}/team`).join(" ");
    const { accounts, issues, teams } = read(many);
    expect([accounts.length, issues.length, teams.length]).toEqual([50, 50, 5]);
  });

  test.each(Object.entries(expensiveReferences))("reads 200,000 characters of %s, and the reference in the paragraph before them", (_name, text) => {
    expect(issues(`#1\n\n${text}`)).toEqual(["alice/site#1"]);
  });
});
