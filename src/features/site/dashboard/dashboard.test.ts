import { expect, test } from "vitest";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { shareForge } from "../../../../test/kit/set-up.ts";

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice", "bob"]);
  const { alice, bob } = users;

  test("an issue costs the dashboard the same statements in one section and in two", async () => {
    await alice.post("/user/repos", { name: "own" }).expect(201);
    const label = (await alice.post("/repos/alice/own/labels", { name: "bug", color: "#ff0000" }).expect(201)) as { id: number };
    await alice.put("/repos/alice/own/collaborators/bob", { permission: "write" }).expect(204);
    const create = async (title: string, more: object): Promise<void> => {
      await bob.post("/repos/alice/own/issues", { title, labels: [label.id], ...more }).expect(201);
      await forge.settled();
    };
    const browser = createBrowser(forge.url);
    await browser.signIn(alice);
    const sections = async () => {
      await browser.get("/");
      const { text } = await browser.get("/");
      const { statements } = await forge.cost(() => browser.get("/"));
      return { shown: ["Assigned issue", "Mentioned issue"].filter((title) => text.includes(title)), statements: statements.length };
    };
    await create("Assigned issue", { assignees: ["alice"] });
    const one = await sections();
    expect(one.shown).toEqual(["Assigned issue"]);
    await create("Mentioned issue", { body: "@alice" });
    expect(await sections()).toEqual({ shown: ["Assigned issue", "Mentioned issue"], statements: one.statements });
    const { statements } = await forge.cost(() => browser.get("/"));
    expect(statements.length).toBeLessThanOrEqual(16);
    const fullRows = (table: string, column: string) => statements.filter((sql) => sql.includes(`from "${table}"`) && sql.includes(column));
    // Several lists show the same repository and the same user.
    expect([fullRows("repositories", '"r"."stars_count"'), fullRows("accounts", '"accounts"."followers_count"')]).toEqual([
      [expect.anything()],
      [expect.anything()],
    ]);
  });

  test("the list of all issues takes eleven statements, seven without matches, and one more to find another user", async () => {
    const browser = createBrowser(forge.url);
    await browser.signIn(alice);
    const read = async (address: string) => {
      await browser.get(address);
      const { result, statements } = await forge.cost(() => browser.get(address));
      return [result.text.includes("Assigned issue"), statements.length];
    };
    expect(await read("/issues")).toEqual([true, 11]);
    expect(await read(`/issues?q=${encodeURIComponent("is:open author:@me")}`)).toEqual([false, 7]);
    expect(await read(`/issues?q=${encodeURIComponent("is:open author:bob")}`)).toEqual([true, 12]);
    expect(await read("/pulls")).toEqual([false, 7]);
  });
});
