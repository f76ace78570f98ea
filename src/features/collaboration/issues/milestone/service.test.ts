import { expect, test } from "vitest";
import { createBrowser } from "../../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge } from "../../../../../test/kit/forge.ts";

eachDialect((dialect) => {
  test("the order of a milestone is changed by users who can write its issues, for a constant number of statements", async () => {
    await using forge = await startForge({ dialect });
    const [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    await alice.post("/user/repos", { name: "site" }).expect(201);
    const base = "/repos/alice/site";
    const milestone = await alice.post(`${base}/milestones`, { title: "One" }).expect(201);
    const path = `/alice/site/milestone/${milestone.id}`;
    const add = async (more = {}): Promise<number> => (await alice.post(`${base}/issues`, { title: "x", milestone: milestone.id, ...more }).expect(201)).number;
    for (let at = 0; at < 3; at += 1) await add();
    const [one, other] = [createBrowser(forge.url), createBrowser(forge.url)];
    await one.signIn(alice);
    await other.signIn(bob);
    const order = async () => [...(await other.get(path)).text.matchAll(/<h2><a href="\/alice\/site\/issues\/(\d+)"/g)].map(([, number]) => Number(number));
    const move = async (number: number, to: string) => one.submit(await one.get(path), `${path}/order`, { number: String(number), to });
    expect(await order()).toEqual([3, 2, 1]);
    expect((await move(1, "up")).location).toBe(`${path}#move-1`);
    expect(await order()).toEqual([3, 1, 2]);
    await move(2, "top");
    expect(await order()).toEqual([2, 3, 1]);
    await move(2, "down");
    expect(await order()).toEqual([3, 2, 1]);
    await move(1, "down");
    await move(3, "up");
    const moving = await forge.cost(() => move(3, "down"));
    expect(await order()).toEqual([2, 3, 1]);
    expect((await move(2, "sideways")).status).toBe(422);

    const reading = await forge.cost(() => other.get(path));
    expect(reading.result.text).not.toContain(`${path}/order`);
    const theirs = (await other.get("/user/settings")).form("/user/settings");
    expect((await other.post(`${path}/order`, { _csrf: theirs._csrf ?? "", number: "1", to: "top" })).status).toBe(403);
    // New issues and issues that return are at the end, closed ones on the other tab.
    await add();
    expect(await order()).toEqual([2, 3, 1, 4]);
    await alice.patch(`${base}/issues/2`, { state: "closed" }).expect(201);
    expect(await order()).toEqual([3, 1, 4]);
    expect((await move(2, "top")).status).toBe(409);
    await alice.patch(`${base}/issues/3`, { milestone: 0 }).expect(201);
    expect(await order()).toEqual([1, 4]);
    for (let at = 0; at < 4; at += 1) await add();
    expect((await forge.cost(() => move(4, "top"))).statements.length).toBe(moving.statements.length);
    expect((await forge.cost(() => other.get(path))).statements.length).toBe(reading.statements.length);
  });
});
