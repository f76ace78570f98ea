import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { differences } from "../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { eventsOf } from "../../../../test/kit/events.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { tableScans } from "../../../../test/kit/plans.ts";
import { labelsByIds, resolveLabelsByIds, resolveLabelsByNames } from "./service/resolve.ts";

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;
  let orgId: number;
  let siteId: number;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    [alice, bob, carol] = [await forge.createUser("alice"), await forge.createUser("bob"), await forge.createUser("carol")];
    await alice.post("/user/repos", { name: "demo" }).expect(201);
    await alice.post("/user/repos", { name: "other" }).expect(201);
    await alice.put("/repos/alice/demo/collaborators/bob", { permission: "write" }).expect(204);
    orgId = (await alice.post("/orgs", { username: "acme" }).expect(201)).id;
    siteId = (await alice.post("/orgs/acme/repos", { name: "site" }).expect(201)).id;
  });
  afterAll(() => forge[Symbol.asyncDispose]());
  const events = async (type: string): Promise<unknown[]> => (await eventsOf(forge, { type })).map(({ payload }) => payload);

  describe("labels of a repository", () => {
    const base = "/repos/alice/demo/labels";

    test("creates, shows, edits and deletes repository labels and publishes an event for each change", async () => {
      const made = await alice.post(base, { name: "bug", color: "#FF0000", description: "broken" }).expect(201);
      expect(differences(made, "Label")).toEqual([]);
      expect(made).toEqual({
        id: made.id,
        name: "bug",
        exclusive: false,
        is_archived: false,
        color: "ff0000",
        description: "broken",
        url: `${forge.url}/api/v1/repos/alice/demo/labels/${made.id}`,
      });
      expect(await forge.anonymous.get(`${base}/${made.id}`).expect(200)).toEqual(made);
      const edited = await bob.patch(`${base}/${made.id}`, { name: "defect", exclusive: true }).expect(200);
      expect(edited).toEqual({ ...made, name: "defect", exclusive: true });
      expect(await alice.patch(`${base}/${made.id}`, { color: "abc", description: "", is_archived: true, exclusive: false }).expect(200)).toEqual({
        ...edited,
        color: "aabbcc",
        description: "",
        is_archived: true,
        exclusive: false,
      });
      expect(await alice.patch(`${base}/${made.id}`, {}).expect(200)).toMatchObject({ name: "defect", color: "aabbcc", is_archived: true });
      await bob.delete(`${base}/${made.id}`).expect(204);
      await bob.delete(`${base}/${made.id}`).expect(204);
      await alice.get(`${base}/${made.id}`).expect(404);

      const { id: repoId } = await alice.get("/repos/alice/demo").expect(200);
      const payload = { labelId: made.id, repoId, orgId: null, name: "bug", color: "ff0000" };
      expect(await events("label.created")).toContainEqual(payload);
      expect(await events("label.updated")).toContainEqual({ ...payload, name: "defect", formerName: "bug", formerColor: "ff0000" });
      expect(await events("label.deleted")).toContainEqual({ ...payload, name: "defect", color: "aabbcc" });
    });

    test("lists labels by name, then by age, at the same cost for every page", async () => {
      await alice.post("/user/repos", { name: "many" }).expect(201);
      const path = "/repos/alice/many/labels";
      for (const name of ["b", "Z", "a", "b", "é"]) await alice.post(path, { name, color: "fff" }).expect(201);
      const all = await forge.anonymous.get(path).expect(200);
      expect(all.map(({ name }: { name: string }) => name)).toEqual(["Z", "a", "b", "b", "é"]);
      expect(all[2].id).toBeLessThan(all[3].id);
      const page = await alice.get(`${path}?limit=2&page=2`);
      expect(page.json).toEqual(all.slice(2, 4));
      expect([page.headers.get("x-total-count"), page.headers.get("link")]).toEqual(["5", null]);
      expect((await alice.get(`${path}?limit=2&page=9`)).headers.get("x-total-count")).toBe("5");
      const one = await forge.cost(() => alice.get(`${path}?limit=1`).expect(200));
      const five = await forge.cost(() => alice.get(`${path}?limit=50`).expect(200));
      expect([one.statements.length <= 4, five.statements.length <= one.statements.length, one.processes + five.processes]).toEqual([true, true, 0]);
      if (dialect.name === "sqlite") expect(await tableScans(forge.context.db, [...one.statements, ...five.statements])).toEqual([]);
      expect((await forge.cost(() => alice.post(path, { name: "c", color: "fff" }).expect(201))).statements).toHaveLength(3);
    });

    test("lets only users who can write issues or pull requests change repository labels", async () => {
      const { id } = await alice.post(base, { name: "guarded", color: "0f0f0f" }).expect(201);
      for (const [user, status] of [
        [carol, 403],
        [forge.anonymous, 401],
      ] as const) {
        expect((await user.post(base, { name: "x", color: "0f0f0f" })).status).toBe(status);
        expect((await user.patch(`${base}/${id}`, { name: "x" })).status).toBe(status);
        expect((await user.delete(`${base}/${id}`)).status).toBe(status);
      }
      expect(await carol.post(base, { name: "x", color: "0f0f0f" }).expect(403)).toMatchObject({ message: "user should have a permission to write to a repo" });
      expect(await alice.get(`${base}/${id}`).expect(200)).toMatchObject({ name: "guarded" });
      await alice.post("/user/repos", { name: "closed", private: true }).expect(201);
      for (const path of ["/repos/alice/closed/labels", "/repos/alice/closed/labels/1"]) await bob.get(path).expect(404);
      await bob.post("/repos/alice/closed/labels", { name: "x", color: "fff" }).expect(404);
    });

    test("finds a label only in its own repository", async () => {
      const { id } = await alice.post(base, { name: "own", color: "0f0f0f" }).expect(201);
      const elsewhere = `/repos/alice/other/labels/${id}`;
      await alice.get(elsewhere).expect(404);
      await alice.patch(elsewhere, { name: "stolen" }).expect(404);
      await alice.delete(elsewhere).expect(204);
      await alice.delete(`/orgs/acme/labels/${id}`).expect(204);
      expect(await alice.get(`${base}/${id}`).expect(200)).toMatchObject({ name: "own" });
      for (const text of ["0", "x", "-1", "1e3", "99999999999999999999"]) await alice.get(`${base}/${text}`).expect(404);
    });

    test("rejects invalid labels and leaves nothing half-created", async () => {
      const before = await alice.get(base).expect(200);
      const refusal = async (body: object): Promise<string> => (await alice.post(base, body).expect(422)).message;
      expect(await refusal({ name: "bad", color: "red" })).toBe("invalid color: #red");
      expect(await refusal({ name: "bad", color: "blue" })).toBe("invalid color: blue");
      expect(await refusal({ name: "", color: "#fff" })).toBe("[Name]: Required");
      expect(await refusal({ name: "x" })).toBe("[Color]: Required");
      expect(await refusal({ name: "x".repeat(256), color: "#fff" })).toMatch(/^\[Name\]: /);
      expect(await refusal({ name: "a\0b", color: "#fff" })).toMatch(/U\+0000/);
      await alice.post(base, { name: ["x"], color: "#fff" }).expect(422);
      const [{ id }] = before;
      expect((await alice.patch(`${base}/${id}`, { color: "nope" }).expect(422)).message).toBe("invalid color: nope");
      expect((await alice.patch(`${base}/${id}`, { name: "", color: "fff" }).expect(422)).message).toBe("[Name]: Required");
      expect(await alice.get(base).expect(200)).toEqual(before);
    });

    test("creates the labels of a named set with a new repository, with or without an initial commit", async () => {
      for (const options of [{}, { auto_init: true }]) {
        const name = `set${Object.keys(options).length}`;
        await alice.post("/user/repos", { name, issue_labels: "Default", ...options }).expect(201);
        const labels = await alice.get(`/repos/alice/${name}/labels`).expect(200);
        expect(labels.map((label: { name: string }) => label.name)).toEqual([
          "bug",
          "duplicate",
          "enhancement",
          "help wanted",
          "invalid",
          "question",
          "wontfix",
        ]);
        expect(labels[0]).toMatchObject({ color: "ee0701", description: "Something is not working", exclusive: false });
      }
      await alice.post("/orgs/acme/repos", { name: "advanced", issue_labels: "Advanced" }).expect(201);
      const advanced = await alice.get("/repos/acme/advanced/labels").expect(200);
      expect(advanced.filter(({ exclusive }: { exclusive: boolean }) => exclusive)).toHaveLength(11);
      await alice.post("/user/repos", { name: "none", issue_labels: "NoSuch" }).expect(422);
      await alice.get("/repos/alice/none").expect(404);
    });
  });

  describe("labels of an organization", () => {
    const base = "/orgs/acme/labels";

    test("lets owners change an organization's labels and everyone who sees the organization read them", async () => {
      const made = await alice.post(base, { name: "prio/high", color: "aabbcc", exclusive: true }).expect(201);
      expect(differences(made, "Label")).toEqual([]);
      expect(made).toMatchObject({ exclusive: true, url: `${forge.url}/api/v1/orgs/acme/labels/${made.id}` });
      expect(await forge.anonymous.get(base).expect(200)).toEqual([made]);
      expect(await bob.get(`${base}/${made.id}`).expect(200)).toEqual(made);
      expect(await alice.patch(`${base}/${made.id}`, { name: "prio/low", is_archived: true }).expect(200)).toEqual({
        ...made,
        name: "prio/low",
        is_archived: true,
      });
      expect((await bob.post(base, { name: "x", color: "fff" }).expect(403)).message).toBe("Must be an organization owner");
      await bob.patch(`${base}/${made.id}`, { name: "evil" }).expect(403);
      await bob.delete(`${base}/${made.id}`).expect(403);
      await forge.anonymous.post(base, { name: "x", color: "fff" }).expect(401);
      await alice.delete(`${base}/${made.id}`).expect(204);
      await alice.delete(`${base}/${made.id}`).expect(204);
      await alice.get(`${base}/${made.id}`).expect(404);
      expect(await events("label.created")).toContainEqual({ labelId: made.id, repoId: null, orgId, name: "prio/high", color: "aabbcc" });
      await alice.post("/orgs", { username: "hidden", visibility: "private" }).expect(201);
      await bob.get("/orgs/hidden/labels").expect(404);
    });

    test("leaves organization labels out of repository lists and deletes them with the organization", async () => {
      await alice.post("/orgs", { username: "brief" }).expect(201);
      const { id } = await alice.post("/orgs/brief/labels", { name: "x", color: "fff" }).expect(201);
      expect(await alice.get("/repos/acme/site/labels").expect(200)).toEqual([]);
      await alice.get(`/repos/acme/site/labels/${id}`).expect(404);
      await alice.delete("/orgs/brief").expect(204);
      expect((await labelsByIds(forge.context.db, [id])).size).toBe(0);
    });
  });

  test("simultaneous forms with one name make one label", async () => {
    const { name } = await alice.post("/user/repos", { name: "together" }).expect(201);
    const path = `/alice/${name}/labels`;
    const browser = createBrowser(forge.url);
    await browser.signIn(alice);
    const page = await browser.get(path);
    const replies = await Promise.all(Array.from({ length: 6 }, () => browser.submit(page, path, { name: "bug", color: "#ff0000" })));
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 422, 422, 422, 422, 422]);
    expect(await alice.get(`/repos${path}`).expect(200)).toMatchObject([{ name: "bug" }]);
  });

  test("labels an issue with labels of its repository and organization, by id or name", async () => {
    const { db } = forge.context;
    const make = async (path: string, name: string): Promise<number> => (await alice.post(path, { name, color: "fff" }).expect(201)).id;
    const theirs = await make("/orgs/acme/labels", "both");
    const shared = await make("/orgs/acme/labels", "shared");
    const own = await make("/repos/acme/site/labels", "both");
    await make("/repos/acme/site/labels", "both");
    const foreign = await make("/repos/alice/other/labels", "foreign");
    const reach = { id: siteId, ownerId: orgId };
    const ids = async (found: Promise<readonly { readonly id: number }[]>) => (await found).map(({ id }) => id);
    expect(await ids(resolveLabelsByIds(db, reach, [shared, own, foreign, 999_999, own, theirs]))).toEqual([shared, own, theirs]);
    expect(await ids(resolveLabelsByNames(db, reach, ["shared", "both", "nosuch", "foreign", "both"]))).toEqual([shared, own]);
    expect(await ids(resolveLabelsByNames(db, reach, []))).toEqual([]);
    expect([...(await labelsByIds(db, [foreign, 999_999])).values()]).toMatchObject([{ id: foreign, name: "foreign" }]);
  });
});
