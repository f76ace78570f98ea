import { expect, test } from "vitest";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge } from "../../../../test/kit/forge.ts";
import { readPage } from "../../../../test/kit/page.ts";

const linksOf = ({ text }: { readonly text: string }): readonly string[] => readPage(text).links;

eachDialect((dialect) => {
  test("saved searches belong to one account, at most fifty, and cost no statement per search", async () => {
    await using forge = await startForge({ dialect });
    const [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    const [one, other] = [createBrowser(forge.url), createBrowser(forge.url)];
    await one.signIn(alice);
    await other.signIn(bob);
    const path = "/user/settings/searches";
    const save = async (name: string, query = "is:open label:bug", more = {}) =>
      one.submit(await one.get(path), path, { name, kind: "issues", query, ...more });
    expect((await save("b")).status).toBe(303);
    expect((await save("A", " author:@me ", { from: "list" })).location).toBe("/issues?q=author%3A%40me");
    for (const [name, query] of [
      [" ", "is:open"],
      ["Blank", " "],
    ] as const)
      expect([(await save(name, query)).status, (await one.get(path)).text.includes("Blank")]).toEqual([422, false]);
    expect((await save("Odd", "is:open", { kind: "wikis" })).status).toBe(422);
    const small = await forge.cost(() => one.get("/issues"));
    expect(linksOf(small.result)).toContain("/issues?q=is%3Aopen+label%3Abug");
    expect(linksOf(await other.get("/issues"))).not.toContain("/issues?q=is%3Aopen+label%3Abug");
    const rows = Array.from({ length: 48 }, (_, at) => ({ account_id: alice.id, kind: "issues" as const, name: `c${at}`, query: "x", updated_ms: 1 }));
    await forge.context.db.tx((tx) => tx.sql.insertInto("saved_searches").values(rows).execute());
    expect((await forge.cost(() => one.get("/issues"))).statements.length).toBe(small.statements.length);
    const refused = await save("one more", "kept query");
    expect([refused.status, refused.text.includes("one more"), refused.text.includes("kept query")]).toEqual([422, true, true]);

    const [id] = [...(await one.get(path)).text.matchAll(/edit=(\d+)#form/g)].map(([, found]) => found);
    expect((await one.submit(await one.get(`${path}?edit=${id}`), `${path}/${id}`, { name: "Mine", kind: "pulls", query: "is:open" })).status).toBe(303);
    expect(linksOf(await one.get("/pulls"))).toContain("/pulls?q=is%3Aopen");
    const theirs = await other.get(path);
    expect((await other.post(`${path}/${id}`, { ...theirs.form(path), name: "x", kind: "issues", query: "y" })).status).toBe(404);
    await other.post(`${path}/${id}/delete`, theirs.form(path));
    expect((await one.get(path)).text).toContain("Mine");
    await one.submit(await one.get(path), `${path}/${id}/delete`);
    expect((await one.get(path)).text).not.toContain("Mine");
  });

  test("the menus of a list across repositories have values of readable repositories only, for the same number of statements", async () => {
    await using forge = await startForge({ dialect });
    const [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    const browser = createBrowser(forge.url);
    await browser.signIn(alice);
    const add = async (user: typeof alice, name: string, isPrivate = false) => {
      await user.post("/user/repos", { name, private: isPrivate }).expect(201);
      const at = `/repos/${user.name}/${name}`;
      const label = await user.post(`${at}/labels`, { name: `label of ${name}`, color: "#ff0000" }).expect(201);
      const milestone = await user.post(`${at}/milestones`, { title: `goal of ${name}` }).expect(201);
      await user.post(`${at}/issues`, { title: `issue of ${name}`, labels: [label.id], milestone: milestone.id }).expect(201);
    };
    await add(alice, "own");
    await add(bob, "open");
    await add(bob, "hidden", true);
    const list = "/issues?q=is%3Aopen";
    const { result: page, statements } = await forge.cost(() => browser.get(list));
    for (const name of ["own", "open"]) {
      expect(linksOf(page)).toContain(`/issues?q=is%3Aopen+label%3A%22label+of+${name}%22`);
      expect(linksOf(page)).toContain(`/issues?q=is%3Aopen+milestone%3A%22goal+of+${name}%22`);
    }
    expect(linksOf(page)).toContain("/issues?q=is%3Aopen+repo%3Abob%2Fopen");
    expect(linksOf(page)).toContain("/issues?q=is%3Aopen+author%3Abob");
    expect(readPage(page.text).text).not.toContain("hidden");
    const narrowed = await browser.get("/issues?q=is%3Aopen&repo=bob%2Fopen");
    expect(narrowed.location).toBe("/issues?q=is%3Aopen+repo%3Abob%2Fopen");
    const found = await browser.get("/issues?q=is%3Aopen+repo%3Abob%2Fopen");
    expect([found.text.includes("issue of open"), found.text.includes("issue of own")]).toEqual([true, false]);
    await add(alice, "more");
    await add(alice, "most");
    expect((await forge.cost(() => browser.get(list))).statements.length).toBe(statements.length);
  });
});
