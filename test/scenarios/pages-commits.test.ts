import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createClient } from "../kit/git.ts";
import { readPage } from "../kit/page.ts";
import { push } from "../kit/push.ts";

/** Lists of commits and branches, and the page of a commit, in a browser without JavaScript. */

const client = createClient();
afterAll(() => client.remove());
const oids: string[] = [];
const commit = (message: string, author: string, day: string): void => {
  oids.push(client.commit({ [`${oids.length}.txt`]: message }, { message, author, seconds: Date.parse(`${day}T12:00:00Z`) / 1_000 }));
};
commit("Repair the pump", "Gardener <alice@example.com>", "2026-01-01");
commit("Add a <b>valve</b> to the pump", "Else <else@elsewhere.example>", "2026-01-02");
for (let count = 0; count < 35; count += 1) commit(`Water bed ${count}`, "Else <else@elsewhere.example>", "2026-02-01");
client.git("notes", "add", "-m", "Tested in the <i>greenhouse</i>", oids[0] ?? "");

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let visitor: Browser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "garden" }).expect(201);
    await push(client, alice, "alice/garden", "main", "refs/notes/commits");
    visitor = createBrowser(forge.url);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const search = async (query: string) => readPage((await visitor.get(`/alice/garden/commits/branch/main${query}`)).text);
  const oidsOn = ({ links }: { readonly links: readonly string[] }): readonly string[] => [
    ...new Set(links.flatMap((link) => /^\/alice\/garden\/commit\/([0-9a-f]{40})$/.exec(link)?.[1] ?? [])),
  ];

  describe("the search for commits", () => {
    test("finds commits by words of the message, author and day", async () => {
      expect(oidsOn(await search("?q=PUMP+the"))).toEqual([oids[1], oids[0]]);
      expect(oidsOn(await search("?author=else%40elsewhere&q=pump"))).toEqual([oids[1]]);
      expect(oidsOn(await search("?until=2026-01-01"))).toEqual([oids[0]]);
      expect(oidsOn(await search("?since=2026-01-02&until=2026-01-02"))).toEqual([oids[1]]);
      const found = await search("?q=pump");
      expect([found.dangers, found.text.includes("Add a <b>valve</b>")]).toEqual([[], true]);
    });

    test("finds the commits of an account by its name, as the list shows it", async () => {
      expect((await alice.get("/user").expect(200)).email).toBe("alice@example.com");
      expect(oidsOn(await search("?author=alice"))).toEqual([oids[0]]);
    });

    test("continues with older matches, and keeps the search", async () => {
      const first = await search("?q=water");
      expect(oidsOn(first)).toHaveLength(30);
      const next = first.links.find((link) => link.includes("skip=")) ?? "";
      expect(next).toBe("/alice/garden/commits/branch/main?q=water&skip=30");
      const second = readPage((await visitor.get(next)).text);
      expect(oidsOn(second)).toHaveLength(5);
      expect(second.links).toContain("/alice/garden/commits/branch/main?q=water");
      expect((await visitor.get(next)).text).toContain('value="water"');
    });

    test("explains input that it cannot search for, and keeps it", async () => {
      const explained = async (query: string): Promise<string> => (await search(query)).text;
      expect(await explained(`?q=${"a+".repeat(21)}`)).toContain("Search for at most 20 words.");
      expect(await explained(`?author=${"a".repeat(201)}`)).toContain("at most 200 characters");
      expect(await explained("?since=yesterday")).toContain("Enter dates as YYYY-MM-DD");
      expect(await explained("?since=2026-02-30")).toContain("Enter dates as YYYY-MM-DD");
      expect(await explained("?since=2026-02-02&until=2026-01-01")).toContain("Swap the dates.");
      expect((await visitor.get("/alice/garden/commits/branch/main?since=2026-02-02&until=2026-01-01")).text).toContain('value="2026-02-02"');
      expect(await explained("?q=%00--exec%3Dx&author=%0A--all")).toContain("No commits match");
      expect(await explained("?q=pump&skip=-5")).toContain("Repair the pump");
      expect(await explained("?q=pump&skip=999999999")).toContain("No commits of this part match");
    });
  });

  test("the state of the checks of each commit is shown in lists and on its page, with the note of the commit", async () => {
    const [first = "", second = ""] = oids;
    for (const [context, state] of [
      ["build", "success"],
      ["lint", "success"],
    ])
      await alice.post(`/repos/alice/garden/statuses/${first}`, { context, state }).expect(200);
    await alice.post(`/repos/alice/garden/statuses/${second}`, { context: "build", state: "failure" }).expect(200);
    const list = await visitor.get("/alice/garden/commits/branch/main?q=pump");
    expect(list.text).toContain("2 checks: passed");
    expect(list.text).toContain("1 check: failed");
    const page = readPage((await visitor.get(`/alice/garden/commit/${first}`)).text);
    expect([page.dangers, page.text.includes("Notes Tested in the <i>greenhouse</i>")]).toEqual([[], true]);
    expect((await visitor.get(`/alice/garden/commit/${first}`)).text).toContain("2 checks: passed");
    expect(readPage((await visitor.get(`/alice/garden/commit/${second}`)).text).text).not.toContain("Notes");
  });

  test("the own branches of a user are those that they pushed", async () => {
    await alice.post("/repos/alice/garden/branches", { new_branch_name: "topic" }).expect(201);
    const bob = await forge.createUser("bob");
    const branchesOf = async (user: TestUser): Promise<readonly string[]> => {
      const browser = createBrowser(forge.url);
      await browser.signIn(user);
      const { links } = readPage((await browser.get("/alice/garden/branches?view=yours")).text);
      return links.flatMap((link) => /^\/alice\/garden\/src\/branch\/(.+)$/.exec(link)?.[1] ?? []);
    };
    expect([await branchesOf(alice), await branchesOf(bob)]).toEqual([["topic"], []]);
  });
});
