import { expect, test } from "vitest";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge } from "../../../../test/kit/forge.ts";
import { readPage } from "../../../../test/kit/page.ts";

eachDialect((dialect) => {
  test("lists contain starred repositories that the reader can read; private lists are only for their user", async () => {
    await using forge = await startForge({ dialect });
    const [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    const [own, other, visitor] = [createBrowser(forge.url), createBrowser(forge.url), createBrowser(forge.url)];
    await own.signIn(alice);
    await other.signIn(bob);
    const ids: Record<string, number> = {};
    for (const name of ["a", "b", "secret"]) {
      ids[name] = (await alice.post("/user/repos", { name, private: name === "secret" }).expect(201)).id;
      await alice.put(`/user/starred/alice/${name}`).expect(204);
    }
    ids.unstarred = (await alice.post("/user/repos", { name: "unstarred" }).expect(201)).id;
    const path = "/user/settings/star_lists";
    const save = async (name: string, fields = {}) => own.submit(await own.get(path), path, { name, ...fields });
    expect((await save("Tools", { description: "Things" })).status).toBe(303);
    expect((await save("Mine", { is_private: "true" })).status).toBe(303);
    expect((await save(" ")).status).toBe(422);
    const [mine = "", tools = ""] = [...(await own.get(path)).text.matchAll(/edit=(\d+)#form/g)].map(([, id]) => id);
    const form = async () => (await own.get("/alice?tab=stars")).form(`${path}/contents`);
    const change = async (repository: number | undefined, fields: Readonly<Record<string, string>>) =>
      own.post(`${path}/contents`, { ...(await form()), repository: `${repository}`, ...fields });

    expect((await change(ids.a, { add: tools, from: tools })).location).toBe(`/alice?tab=stars&list=${tools}#lists-${ids.a}`);
    const few = await forge.cost(() => own.get(`/alice?tab=stars&list=${tools}`));
    await change(ids.secret, { add: tools });
    await change(ids.a, { add: tools });
    await change(ids.b, { add: mine });
    expect((await change(ids.unstarred, { add: tools })).status).toBe(404);
    const reposOf = async (browser: typeof own, list: string): Promise<readonly string[]> =>
      readPage((await browser.get(`/alice?tab=stars&list=${list}`)).text).links.filter((link) => /^\/alice\/[^/]+$/.test(link));
    expect(await reposOf(own, tools)).toEqual(["/alice/secret", "/alice/a"]);
    expect(await reposOf(visitor, tools)).toEqual(["/alice/a"]);
    expect((await forge.cost(() => own.get(`/alice?tab=stars&list=${tools}`))).statements.length).toBe(few.statements.length);
    expect(await reposOf(own, mine)).toEqual(["/alice/b"]);
    for (const browser of [other, visitor]) {
      expect((await browser.get(`/alice?tab=stars&list=${mine}`)).status).toBe(404);
      const page = await browser.get("/alice?tab=stars");
      expect([page.text.includes("Tools"), page.text.includes("Mine"), page.text.includes("/contents")]).toEqual([true, false, false]);
    }
    // A list of one account does not exist below another one.
    expect((await visitor.get(`/bob?tab=stars&list=${tools}`)).status).toBe(404);
    const theirs = (await other.get("/repo/create")).form("/repo/create")._csrf ?? "";
    expect((await other.post(`${path}/contents`, { _csrf: theirs, repository: `${ids.b}`, add: tools })).status).toBe(404);
    await other.post(`${path}/contents`, { _csrf: theirs, repository: `${ids.a}`, remove: tools });
    expect(await reposOf(visitor, tools)).toEqual(["/alice/a"]);

    await alice.delete("/user/starred/alice/a").expect(204);
    expect(await reposOf(visitor, tools)).toEqual([]);
    expect((await change(ids.secret, { remove: tools })).location).toBe(`/alice?tab=stars#lists-${ids.secret}`);
    expect(await reposOf(own, tools)).toEqual([]);
    const edited = await own.get(`${path}?edit=${mine}#form`);
    expect((await own.submit(edited, `${path}/${mine}`, { name: "Shown", is_private: "false" })).status).toBe(303);
    expect(await reposOf(visitor, mine)).toEqual(["/alice/b"]);
    await own.submit(await own.get(path), `${path}/${mine}/delete`);
    expect((await own.get(`/alice?tab=stars&list=${mine}`)).status).toBe(404);

    const rows = Array.from({ length: 31 }, (_, at) => ({ account_id: alice.id, name: `${at}`, description: "", is_private: 0 as const, updated_ms: 1 }));
    await forge.context.db.tx((tx) => tx.sql.insertInto("star_lists").values(rows).execute());
    const full = await save("one more");
    expect([full.status, full.form(path).name]).toEqual([422, "one more"]);
  });
});
