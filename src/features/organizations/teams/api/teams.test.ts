import { describe, expect, test } from "vitest";
import { createApiClient } from "../../../../../test/kit/api-client.ts";
import { differences } from "../../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import type { TestUser } from "../../../../../test/kit/forge.ts";
import { shareForge } from "../../../../../test/kit/set-up.ts";

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice", "bob", "carol", "mallory"], async ({ users: { alice } }) => {
    await alice.post("/orgs", { username: "acme" }).expect(201);
  });
  const { alice, bob, carol, mallory } = users;
  const names = (list: readonly { readonly name: string }[]): string[] => list.map(({ name }) => name);
  const makeTeam = async (org: string, name: string, more: object = {}): Promise<number> =>
    (await alice.post(`/orgs/${org}/teams`, { name, permission: "read", units: ["repo.code"], ...more }).expect(201)).id;

  describe("creating a team", () => {
    test("stores its fields and its rights per unit", async () => {
      const given = { name: "devs", description: "Developers", includes_all_repositories: false, can_create_org_repo: true };
      const made = await alice.post("/orgs/acme/teams", { ...given, permission: "write", units: ["repo.issues", "repo.code"] }).expect(201);
      expect(differences(made, "Team")).toEqual([]);
      expect(made).toMatchObject({
        ...given,
        organization: { name: "acme" },
        permission: "none",
        units: ["repo.code", "repo.issues"],
        units_map: { "repo.code": "write", "repo.issues": "write" },
      });
      expect(await alice.get(`/teams/${made.id}`).expect(200)).toEqual(made);
      const boss = await alice.post("/orgs/acme/teams", { name: "boss", permission: "admin", includes_all_repositories: true }).expect(201);
      expect(boss).toMatchObject({ permission: "admin", includes_all_repositories: true });
      expect(boss.units).toHaveLength(10);
      expect(new Set(Object.values(boss.units_map))).toEqual(new Set(["admin"]));
      const listed = await alice.get("/orgs/acme/teams").expect(200);
      expect(names(listed)).toEqual(["boss", "devs", "Owners"]);
      expect(listed[1]).toEqual({ ...made, organization: null });
      expect(listed[2]).toMatchObject({ permission: "owner", can_create_org_repo: true });
    });

    test.each([
      [{ permission: "read" }, "[Name]: Required"],
      [{ name: "bad name!", units: ["repo.code"] }, "[Name]: AlphaDashDot"],
      [{ name: "DEVS", permission: "admin" }, /^team already exists \[org_id: \d+, name: DEVS\]$/],
      [{ name: "Owners", permission: "admin" }, /^team already exists/],
      [{ name: "none", permission: "read" }, "units permission should not be empty"],
      [{ name: "none", permission: "owner" }, /^permission "owner" is not one of/],
      [{ name: "none", units_map: { "repo.code": "owner" } }, /^the right "owner"/],
      [{ name: "none", units: "repo.code" }, /./],
    ])("rejects %j", async (body, message) => {
      expect((await alice.post("/orgs/acme/teams", body).expect(422)).message).toMatch(message);
    });

    test("has no rights if all its units are unknown", async () => {
      const made = await alice.post("/orgs/acme/teams", { name: "none", permission: "read", units: ["repo.nothing"] }).expect(201);
      expect(made).toMatchObject({ permission: "none", units: null, units_map: {} });
      await alice.delete(`/teams/${made.id}`).expect(204);
    });

    test("requires an owner, and does not reveal the organization to others", async () => {
      const body = { name: "evil", permission: "admin" };
      await mallory.post("/orgs/acme/teams", body).expect(403);
      await forge.anonymous.post("/orgs/acme/teams", body).expect(401);
      expect((await mallory.get("/orgs/acme/teams").expect(403)).message).toBe("Must be an organization member");
      await mallory.get("/orgs/acme/teams/search").expect(403);
      await forge.anonymous.get("/orgs/acme/teams").expect(401);
    });
  });

  describe("access to a team by id", () => {
    test("is limited to its members and owners; for outsiders it does not exist", async () => {
      const id = await makeTeam("acme", "reach");
      const other = await makeTeam("acme", "other");
      await alice.put(`/teams/${id}/members/bob`).expect(204);
      const statuses = (paths: readonly string[], client: TestUser) => Promise.all(paths.map(async (path) => (await client.get(path)).status));
      const below = [`/teams/${id}`, `/teams/${id}/members`, `/teams/${id}/repos`];
      expect(await statuses(below, bob)).toEqual([200, 200, 200]);
      expect((await bob.get(`/teams/${other}`).expect(403)).message).toBe("Must be a team member");
      expect((await bob.patch(`/teams/${id}`, { name: "mine" }).expect(403)).message).toBe("Must be an organization owner");
      for (const call of [() => bob.put(`/teams/${id}/members/mallory`), () => bob.delete(`/teams/${id}/members/alice`), () => bob.delete(`/teams/${id}`)]) {
        expect((await call()).status).toBe(403);
      }
      const missing = await mallory.get("/teams/999999").expect(404);
      for (const path of [...below, "/teams/x", "/teams/0", `/teams/${id}/members/bob`]) expect(await mallory.get(path).expect(404)).toEqual(missing);
      expect((await mallory.put(`/teams/${id}/members/mallory`)).status).toBe(404);
      expect((await mallory.delete(`/teams/${id}`)).status).toBe(404);
      expect((await forge.anonymous.get(`/teams/${id}`)).status).toBe(401);
      expect((await forge.anonymous.get("/teams/999999")).status).toBe(401);
      expect((await forge.admin.get(`/teams/${id}`)).status).toBe(200);
    });

    test("is refused to a public-only token for a private organization", async () => {
      await alice.post("/orgs", { username: "hidden", visibility: "private" }).expect(201);
      const id = await makeTeam("hidden", "inner");
      const basic = createApiClient(forge.url, `Basic ${Buffer.from(`alice:${alice.password}`).toString("base64")}`);
      const token = await basic.post("/users/alice/tokens", { name: "open", scopes: ["public-only", "write:organization", "write:user"] }).expect(201);
      const open = createApiClient(forge.url, `token ${token.sha1}`);
      await open.get(`/teams/${id}`).expect(403);
      await open.get("/user/teams").expect(403);
      for (const path of ["teams", "teams/search", "members", "members/alice", "public_members", "public_members/alice"]) {
        expect([path, (await mallory.get(`/orgs/hidden/${path}`)).status]).toEqual([path, 404]);
      }
      await mallory.get("/users/alice/orgs/hidden/permissions").expect(404);
    });
  });

  describe("editing a team", () => {
    test("changes only the given fields", async () => {
      const id = await makeTeam("acme", "edit", { permission: "write", units: ["repo.code", "repo.issues"], can_create_org_repo: true });
      const before = { ...(await alice.get(`/teams/${id}`).expect(200)), organization: null };
      expect(await alice.patch(`/teams/${id}`, {}).expect(200)).toEqual(before);
      expect(await alice.patch(`/teams/${id}`, { description: "d" }).expect(200)).toEqual({ ...before, description: "d" });
      expect(await alice.patch(`/teams/${id}`, { name: "edit", can_create_org_repo: false }).expect(200)).toMatchObject({
        description: "d",
        can_create_org_repo: false,
        units_map: before.units_map,
      });
      expect((await alice.patch(`/teams/${id}`, { permission: "read" }).expect(200)).units_map).toEqual({ "repo.code": "read", "repo.issues": "read" });
      expect((await alice.patch(`/teams/${id}`, { name: "renamed" }).expect(200)).name).toBe("renamed");
      await makeTeam("acme", "taken");
      for (const body of [{ name: "TAKEN" }, { name: "owners" }, { name: "bad name" }, { permission: "owner" }, { units: ["repo.nothing"] }]) {
        expect([body, (await alice.patch(`/teams/${id}`, body)).status]).toEqual([body, 422]);
      }
      expect((await alice.get(`/teams/${id}`).expect(200)).name).toBe("renamed");
    });

    test("cannot change the name and rights of the owners' team", async () => {
      const owners = (await alice.get("/orgs/acme/teams").expect(200)).find(({ name }: { name: string }) => name === "Owners");
      const path = `/teams/${owners.id}`;
      for (const body of [{ name: "x" }, { permission: "read" }, { units: ["repo.code"] }, { units_map: { "repo.code": "read" } }]) {
        expect([body, (await alice.patch(path, body)).status]).toEqual([body, 422]);
      }
      await alice.patch(path, { includes_all_repositories: false }).expect(422);
      await alice.patch(path, { can_create_org_repo: false }).expect(422);
      await alice.delete(path).expect(404);
      expect(await alice.patch(path, { name: "Owners", description: "us" }).expect(200)).toEqual({ ...owners, description: "us" });
    });

    test("deleting a team ends memberships that depended on it", async () => {
      const id = await makeTeam("acme", "gone");
      await alice.put(`/teams/${id}/members/carol`).expect(204);
      await alice.get("/orgs/acme/members/carol").expect(204);
      await alice.delete(`/teams/${id}`).expect(204);
      await alice.delete(`/teams/${id}`).expect(404);
      await alice.get("/orgs/acme/members/carol").expect(404);
    });
  });

  test("lists and searches return the caller's own teams at a constant cost", async () => {
    await alice.post("/orgs", { username: "lists" }).expect(201);
    const ids: number[] = [];
    for (const name of ["b-team", "a-team", "c-crew"]) ids.push(await makeTeam("lists", name, { description: name === "c-crew" ? "50% of a TEAM" : "" }));
    for (const id of ids) await alice.put(`/teams/${id}/members/carol`).expect(204);
    const own = await carol.get("/user/teams").expect(200);
    expect(names(own)).toEqual(["a-team", "b-team", "c-crew"]);
    expect(own[0].organization.name).toBe("lists");
    const search = async (client: TestUser, query: string) => {
      const answer = await client.get(`/orgs/lists/teams/search?${query}`);
      expect(answer.json.ok).toBe(true);
      expect(answer.headers.get("x-total-count")).toBe(String(answer.json.data.length));
      return names(answer.json.data);
    };
    expect(await search(carol, "q=TEAM")).toEqual(["a-team", "b-team", "c-crew"]);
    expect(await search(carol, "q=team&include_desc=false")).toEqual(["a-team", "b-team"]);
    expect(await search(carol, "q=50%25")).toEqual(["c-crew"]);
    expect(await search(carol, "q=_")).toEqual([]);
    expect(await search(alice, "q=team")).toEqual([]);
    expect(await search(forge.admin, "")).toEqual(["a-team", "b-team", "c-crew", "Owners"]);
    const page = await carol.get("/user/teams?limit=1&page=2");
    expect([names(page.json), page.headers.get("x-total-count")]).toEqual([["b-team"], "3"]);
    expect(page.headers.get("link")).toContain('rel="next"');
    for (const path of ["/user/teams", "/orgs/lists/teams", "/orgs/lists/teams/search", `/teams/${ids[0]}/members`, "/orgs/lists/members"]) {
      expect((await forge.cost(() => forge.admin.get(path).expect(200))).statements.length).toBeLessThanOrEqual(8);
    }
    expect((await forge.cost(() => carol.get(`/teams/${ids[0]}`).expect(200))).statements.length).toBeLessThanOrEqual(5);
  });

  test("a user's rights in an organization follow from their teams", async () => {
    await alice.post("/orgs", { username: "rights" }).expect(201);
    const readers = await makeTeam("rights", "readers", { can_create_org_repo: true });
    await alice.put(`/teams/${readers}/members/bob`).expect(204);
    const shown = async (client: TestUser, name: string) => Object.values(await client.get(`/users/${name}/orgs/rights/permissions`).expect(200));
    expect(await shown(alice, "alice")).toEqual([true, true, true, true, true]);
    expect(await shown(alice, "bob")).toEqual([false, false, false, true, true]);
    expect(await shown(alice, "mallory")).toEqual([false, false, false, false, false]);
    await alice.patch(`/teams/${readers}`, { permission: "admin" }).expect(200);
    expect(await shown(bob, "bob")).toEqual([false, true, true, true, true]);
    expect(await shown(mallory, "mallory")).toEqual([false, false, false, false, false]);
    await mallory.get("/users/bob/orgs/rights/permissions").expect(403);
    await alice.get("/users/nosuch/orgs/rights/permissions").expect(404);
    await forge.anonymous.get("/users/alice/orgs/rights/permissions").expect(401);
  });
});
