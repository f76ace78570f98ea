import { describe, expect, test } from "vitest";
import { maxOwnerFileBytes, ownersOf, parseOwners } from "./code-owners.ts";

const owners = async (text: string, ...paths: readonly string[]): Promise<string[]> => {
  const { users, teams } = await ownersOf(await parseOwners(text), paths);
  return [...users, ...teams.map(({ organization, team }) => `${organization}/${team}`)];
};

describe("code owners", () => {
  test("own the files whose whole path matches an expression", async () => {
    const text = "src/.*\\.ts @ann @acme/devs\n.*\\.md\t@ben\r\nsrc @cas\n";
    expect(await owners(text, "src/a/b.ts")).toEqual(["ann", "acme/devs"]);
    expect(await owners(text, "README.md", "src/x.ts")).toEqual(["ann", "ben", "acme/devs"]);
    expect(await owners(text, "lib/src/a.ts.txt")).toEqual([]);
    expect(await owners(text)).toEqual([]);
  });

  test("own the files that do not match an expression with !", async () => {
    expect(await owners("!docs/.* @ann", "docs/a")).toEqual([]);
    expect(await owners("!docs/.* @ann", "docs/a", "src/a")).toEqual(["ann"]);
  });

  test("are listed once each", async () => {
    expect(await owners("a @ann @acme/devs\n.* @ann @acme/devs @ben", "a", "b")).toEqual(["ann", "ben", "acme/devs"]);
  });

  test("are parsed with comments, escaped blanks and invalid lines", async () => {
    const text = ["# all", "a\\ b\\#c @ann # and others @ben", "*.js @wrong", "( @wrong", "x", "y nobody @", ".* @acme/devs/more @/x @x/ @cas"].join("\n");
    expect(await owners(text, "a b#c")).toEqual(["ann", "cas"]);
  });

  test("are computed in time linear in the file and the paths, for any expression", async () => {
    const text = Array.from({ length: 1_000 }, () => "(a*)*b @ann").join("\n");
    expect((await parseOwners(text)).length).toBe(500);
    expect(await owners(text, `${"a".repeat(2_000)}!`)).toEqual([]);
    expect(await parseOwners(`${"a".repeat(600)} @ann`)).toEqual([]);
  });
});

describe("expensive expressions", () => {
  const file = (part: string): string => `${part.repeat(Math.floor(490 / part.length))} @ann\n`.repeat(Math.floor(maxOwnerFileBytes / 500));

  test.each(["a{999}", "\\pL{999}", "(a|b|c){333}", "((a{9}){9}){9}"])(
    "ignores rules of counted repetitions that are too large to compile: %s",
    async (part) => {
      expect(await parseOwners(file(part))).toEqual([]);
    },
  );

  test("bounds the size of all rules of a file together", async () => {
    const rules = await parseOwners(file("a{40}"));
    expect(rules.reduce((sum, { expression }) => sum + expression.programSize(), 0)).toBeLessThanOrEqual(50_000);
  });

  test("does not compare a path that is very long for the size of the expression", async () => {
    const rules = await parseOwners(`${"a?".repeat(240)} @ann\n.* @bob\n`);
    const path = "a".repeat(4_000);
    expect(await ownersOf(rules, [path])).toMatchObject({ users: ["bob"] });
    expect(await ownersOf(rules, ["aaa"])).toMatchObject({ users: ["ann", "bob"] });
  });
});
