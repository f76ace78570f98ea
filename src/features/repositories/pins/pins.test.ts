import { expect, test } from "vitest";
import { type Browser, createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { readPage } from "../../../../test/kit/page.ts";

const signedIn = async (forge: TestForge, user: TestUser): Promise<Browser> => {
  const browser = createBrowser(forge.url);
  await browser.signIn(user);
  return browser;
};

/** Paths of the pinned repositories of a profile, in order. */
const pinsOf = async (browser: Browser, name: string): Promise<readonly string[]> => {
  const { text } = await browser.get(`/${name}`);
  const section = /<section class="pinned">.*?<\/section>/s.exec(text)?.[0] ?? "";
  return [...section.matchAll(/<h3>.*?<a href="([^"]+)"/gs)].map(([, path = ""]) => path);
};

eachDialect((dialect) => {
  test("users pin up to six repositories in an order, and each reader sees those that they can read, for the same number of statements", async () => {
    await using forge = await startForge({ dialect });
    const [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    const [own, other, visitor] = [await signedIn(forge, alice), await signedIn(forge, bob), createBrowser(forge.url)];
    const ids: number[] = [];
    for (const name of ["a", "b", "c", "d", "e", "f", "g"]) ids.push((await alice.post("/user/repos", { name, private: name === "b" }).expect(201)).id);
    await bob.post("/user/repos", { name: "open" }).expect(201);
    await bob.post("/user/repos", { name: "hidden", private: true }).expect(201);
    const path = "/user/settings/pins";
    const pin = async (repository: string) => own.submit(await own.get(path), path, { repository });

    expect((await own.get("/alice")).text).toContain(`href="${path}"`);
    expect((await other.get("/alice")).text).not.toContain('class="pinned"');
    for (const name of ["a", "alice/b", " bob/open "]) expect((await pin(name)).status).toBe(303);
    expect((await pin("a")).status).toBe(303);
    expect(await pinsOf(own, "alice")).toEqual(["/alice/a", "/alice/b", "/bob/open"]);
    expect(await pinsOf(other, "alice")).toEqual(["/alice/a", "/bob/open"]);
    expect(await pinsOf(visitor, "alice")).toEqual(["/alice/a", "/bob/open"]);
    expect((await other.get("/alice?tab=stars")).text).not.toContain('class="pinned"');
    const few = await forge.cost(() => visitor.get("/alice"));

    for (const name of ["bob/hidden", "missing", "", "no/such/path"]) {
      const refused = await pin(name);
      expect([name, refused.status, refused.form(path).repository, refused.text.includes("Repository not found.")]).toEqual([name, 422, name, true]);
    }
    for (const name of ["c", "d", "e"]) expect((await pin(name)).status).toBe(303);
    const full = await own.get(path);
    expect(readPage(full.text).text).toContain("6 repositories are pinned.");
    const seventh = await own.post(path, { ...full.form(`${path}/move`), repository: "f" });
    expect([seventh.status, readPage(seventh.text).text.includes("The limit of pinned repositories is reached.")]).toEqual([422, true]);
    expect((await forge.cost(() => visitor.get("/alice"))).statements.length).toBe(few.statements.length);

    const move = async (id: number | undefined, to: string) => own.post(`${path}/move`, { ...(await own.get(path)).form(`${path}/move`), id: `${id}`, to });
    expect((await move(ids[1], "up")).location).toBe(`${path}#pin-${ids[1]}`);
    await move(ids[1], "up");
    await move(ids[4], "down");
    await move(ids[5], "down");
    expect(await pinsOf(own, "alice")).toEqual(["/alice/b", "/alice/a", "/bob/open", "/alice/c", "/alice/d", "/alice/e"]);
    expect((await move(ids[1], "sideways")).status).toBe(422);

    // Repositories that became unreadable take no place, and return if they are readable again before the next change.
    await bob.patch("/repos/bob/open", { private: true }).expect(200);
    expect(await pinsOf(own, "alice")).toEqual(["/alice/b", "/alice/a", "/alice/c", "/alice/d", "/alice/e"]);
    expect((await pin("g")).status).toBe(303);
    await own.submit(await own.get(path), `${path}/remove`, { id: `${ids[0]}` });
    await alice.delete("/repos/alice/c").expect(204);
    expect(await pinsOf(own, "alice")).toEqual(["/alice/b", "/alice/d", "/alice/e", "/alice/g"]);
    expect(await pinsOf(visitor, "alice")).toEqual(["/alice/d", "/alice/e", "/alice/g"]);
  });

  test("owners pin repositories of their organization, and members see those that they can read", async () => {
    await using forge = await startForge({ dialect });
    const [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    const [owner, other] = [await signedIn(forge, alice), await signedIn(forge, bob)];
    await alice.post("/orgs", { username: "guild" }).expect(201);
    await alice.post("/orgs/guild/repos", { name: "open" }).expect(201);
    await alice.post("/orgs/guild/repos", { name: "inner", private: true }).expect(201);
    await alice.post("/user/repos", { name: "mine" }).expect(201);
    const path = "/org/guild/settings/pins";
    const pin = async (repository: string) => owner.submit(await owner.get(path), path, { repository });
    for (const name of ["inner", "guild/open"]) expect((await pin(name)).status).toBe(303);
    const foreign = await pin("alice/mine");
    expect([foreign.status, foreign.form(path).repository]).toEqual([422, "alice/mine"]);
    expect((await owner.get("/guild")).text).toContain(`href="${path}"`);
    expect(await pinsOf(owner, "guild")).toEqual(["/guild/inner", "/guild/open"]);
    expect(await pinsOf(other, "guild")).toEqual(["/guild/open"]);
    expect((await other.get(path)).status).toBe(403);
    const { _csrf = "" } = (await other.get("/repo/create")).form("/repo/create");
    expect((await other.post(path, { _csrf, repository: "open" })).status).toBe(403);
    await alice.post("/repos/guild/open/transfer", { new_owner: "alice" }).expect(202);
    expect(await pinsOf(owner, "guild")).toEqual(["/guild/inner"]);
  });
});
