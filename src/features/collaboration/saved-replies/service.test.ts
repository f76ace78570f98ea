import { expect, test } from "vitest";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge } from "../../../../test/kit/forge.ts";

eachDialect((dialect) => {
  test("saved replies belong to one account, at most a hundred, and cost no statement per reply", async () => {
    await using forge = await startForge({ dialect });
    const [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    const [one, other] = [createBrowser(forge.url), createBrowser(forge.url)];
    await one.signIn(alice);
    await other.signIn(bob);
    const path = "/user/settings/replies";
    const save = async (title: string) => one.submit(await one.get(path), path, { title, content: `Text of ${title}` });
    expect((await save("b")).status).toBe(303);
    expect((await save("A")).status).toBe(303);
    const small = await forge.cost(() => one.get(path));
    const rows = Array.from({ length: 98 }, (_, at) => ({ account_id: alice.id, title: `c${at}`, content: "x", updated_ms: 1 }));
    await forge.context.db.tx((tx) => tx.sql.insertInto("saved_replies").values(rows).execute());
    expect((await forge.cost(() => one.get(path))).statements.length).toBe(small.statements.length);
    const refused = await save("one more");
    expect([refused.status, refused.text.includes("one more")]).toEqual([422, true]);

    const ids = [...small.result.text.matchAll(/edit=(\d+)#form/g)].map(([, id]) => id);
    expect(ids).toHaveLength(2);
    expect(await alice.get(`/user/saved_replies/${ids[0]}`).expect(200)).toMatchObject({ title: "A", content: "Text of A" });
    await alice.post("/user/repos", { name: "site" }).expect(201);
    await alice.post("/repos/alice/site/issues", { title: "Slow" }).expect(201);
    const insert = async (browser: typeof one, content: string, reply = ids[0] ?? "") => {
      const answer = await browser.submit(await browser.get("/alice/site/issues/1"), "/alice/site/issues/1/comments", { content, reply });
      return [answer.status, /<textarea[^>]*name="content"[^>]*>([^<]*)</.exec(answer.text)?.[1]];
    };
    expect(await insert(one, "")).toEqual([200, "Text of A"]);
    expect(await insert(one, "Typed before")).toEqual([200, "Typed before\n\nText of A"]);
    expect(await insert(one, "Typed before", "999")).toEqual([200, "Typed before"]);
    expect(await insert(other, "Mine")).toEqual([200, "Mine"]);
    expect(await alice.get("/repos/alice/site/issues/1/comments").expect(200)).toEqual([]);
    await bob.get(`/user/saved_replies/${ids[0]}`).expect(404);
    await forge.anonymous.get(`/user/saved_replies/${ids[0]}`).expect(401);
    const theirs = await other.get(path);
    expect((await other.post(`${path}/${ids[0]}`, { ...theirs.form(path), title: "x", content: "y" })).status).toBe(404);
    await other.post(`${path}/${ids[0]}/delete`, theirs.form(path));
    expect(await alice.get(`/user/saved_replies/${ids[0]}`).expect(200)).toMatchObject({ title: "A" });
  });
});
