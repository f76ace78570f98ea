import { describe, expect, test } from "vitest";
import { differences } from "../../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { team } from "../../../../../test/kit/rows.ts";
import { shareForge } from "../../../../../test/kit/set-up.ts";

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice", "bob", "carol", "mallory"], async ({ users: { alice } }) => {
    await alice.post("/user/repos", { name: "hidden", private: true }).expect(201);
    await alice.post("/user/repos", { name: "open" }).expect(201);
    await alice.post("/orgs", { username: "acme" }).expect(201);
  });
  const { alice, bob, carol, mallory } = users;
  const logins = (users: { readonly login: string }[]): string[] => users.map(({ login }) => login);
  const base = "/repos/alice/hidden/collaborators";

  describe("collaborators", () => {
    test("adds, changes, lists and removes collaborators", async () => {
      expect(await alice.get(base).expect(200)).toEqual([]);
      await alice.put(`${base}/bob`, { permission: "read" }).expect(204);
      await alice.put(`${base}/CAROL`, {}).expect(204);
      const listed = await alice.get(base);
      expect(logins(listed.json)).toEqual(["bob", "carol"]);
      expect([listed.headers.get("x-total-count"), listed.headers.get("link")]).toEqual(["2", null]);
      expect(differences(listed.json[0], "User")).toEqual([]);
      expect(logins(await bob.get(`${base}?limit=1&page=2`).expect(200))).toEqual(["carol"]);
      for (const [name, status] of [
        ["bob", 204],
        ["mallory", 404],
        ["nosuch", 404],
      ] as const) {
        expect([name, (await alice.get(`${base}/${name}`)).status]).toEqual([name, status]);
      }
      expect(await bob.get("/repos/alice/hidden").expect(200)).toMatchObject({ permissions: { admin: false, push: false, pull: true } });
      expect(await carol.get("/repos/alice/hidden").expect(200)).toMatchObject({ permissions: { admin: false, push: true, pull: true } });
      await alice.put(`${base}/bob`, { permission: "admin" }).expect(204);
      expect(await bob.get("/repos/alice/hidden").expect(200)).toMatchObject({ permissions: { admin: true, push: true, pull: true } });
      await alice.put(`${base}/bob`, { permission: "read" }).expect(204);
      await alice.delete(`${base}/bob`).expect(204);
      await alice.delete(`${base}/bob`).expect(204);
      await bob.get("/repos/alice/hidden").expect(404);
    });

    test.each([
      ["bob", { permission: "god" }, 422],
      ["bob", { permission: "owner" }, 422],
      ["bob", { permission: "none" }, 422],
      ["bob", { permission: ["write"] }, 422],
      ["nosuch", { permission: "read" }, 422],
      ["__proto__", { permission: "read" }, 422],
      ["x".repeat(300), { permission: "read" }, 422],
      ["alice", { permission: "read" }, 204],
      ["acme", { permission: "read" }, 204],
    ])("%s with %j returns %i and grants no access", async (name, body, status) => {
      const before = await alice.get(base).expect(200);
      await alice.put(`${base}/${encodeURIComponent(name)}`, body).expect(status);
      expect(await alice.get(base).expect(200)).toEqual(before);
    });

    test("an unknown user is not a collaborator", async () => {
      await alice.get(`${base}/nosuchuser`).expect(404);
      await alice.delete(`${base}/nosuchuser`).expect(422);
    });

    test("only repository administrators can manage collaborators", async () => {
      await carol.put(`${base}/mallory`, { permission: "read" }).expect(403);
      await carol.delete(`${base}/carol`).expect(403);
      await mallory.put(`${base}/mallory`, { permission: "admin" }).expect(404);
      await mallory.put("/repos/alice/open/collaborators/mallory", { permission: "admin" }).expect(403);
      await forge.anonymous.get("/repos/alice/open/collaborators").expect(401);
      await forge.anonymous.get(base).expect(404);
      const withoutBody = await alice.put(`${base}/bob`);
      expect([withoutBody.status, withoutBody.json.message]).toEqual([422, "[]: Empty Content-Type"]);
    });
  });

  describe("permission of an account", () => {
    test("is the permission that the account has on the repository", async () => {
      for (const [name, hidden, open] of [
        ["alice", "owner", "owner"],
        ["carol", "write", "read"],
        ["mallory", "none", "read"],
        ["chief", "owner", "owner"],
      ]) {
        expect([name, await alice.get(`${base}/${name}/permission`).expect(200)]).toMatchObject([
          name,
          { permission: hidden, role_name: hidden, user: { login: name } },
        ]);
        expect(await alice.get(`/repos/alice/open/collaborators/${name}/permission`).expect(200)).toMatchObject({ permission: open });
      }
    });

    test("is visible to administrators and to the account itself", async () => {
      expect(await carol.get(`${base}/CAROL/permission`).expect(200)).toMatchObject({ permission: "write", user: { last_login: "0001-01-01T00:00:00Z" } });
      expect(await alice.get(`${base}/alice/permission`).expect(200)).toMatchObject({ permission: "owner", user: { last_login: "1970-01-01T00:00:00Z" } });
      expect(await forge.admin.get(`${base}/alice/permission`).expect(200)).toMatchObject({ user: { active: true, last_login: "1970-01-01T00:00:00Z" } });
      expect(await forge.admin.get(`${base}/carol/permission`).expect(200)).toMatchObject({ user: { active: false, last_login: "0001-01-01T00:00:00Z" } });
      expect(await carol.get(`${base}/alice/permission`).expect(403)).toMatchObject({ message: expect.stringContaining("Only admins can query all") });
      await alice.get(`${base}/nosuch/permission`).expect(404);
      await forge.anonymous.get("/repos/alice/open/collaborators/bob/permission").expect(401);
      expect(await forge.admin.get(`${base}/mallory/permission`).expect(200)).toMatchObject({ permission: "none" });
    });
  });

  describe("assignees and reviewers", () => {
    test("are the users with sufficient permission, sorted by name", async () => {
      await alice.put(`${base}/bob`, { permission: "read" }).expect(204);
      expect(logins(await alice.get("/repos/alice/hidden/assignees").expect(200))).toEqual(["carol", "alice"]);
      expect(logins(await alice.get("/repos/alice/hidden/reviewers").expect(200))).toEqual(["bob", "carol", "alice"]);
      expect(logins(await mallory.get("/repos/alice/open/assignees").expect(200))).toEqual(["alice"]);
      await forge.anonymous.get("/repos/alice/open/assignees").expect(401);
      await forge.anonymous.get("/repos/alice/open/reviewers").expect(401);
      await mallory.get("/repos/alice/hidden/assignees").expect(404);
    });

    test("include members of the teams of an organization", async () => {
      const org = await alice.get("/orgs/acme").expect(200);
      const { id } = await alice.post("/orgs/acme/repos", { name: "site" }).expect(201);
      await forge.context.db.tx(async (tx) => {
        await team(tx, { orgId: org.id, name: "writers", units: { "repo.issues": "write" }, repositories: [id], members: [bob.id] });
        await team(tx, { orgId: org.id, name: "readers", units: { "repo.pulls": "read" }, repositories: [id], members: [carol.id] });
        await team(tx, { orgId: org.id, name: "elsewhere", units: { "repo.code": "write" }, members: [mallory.id] });
      });
      expect(logins(await alice.get("/repos/acme/site/assignees").expect(200))).toEqual(["alice", "bob"]);
      expect(logins(await alice.get("/repos/acme/site/reviewers").expect(200))).toEqual(["alice", "carol"]);
      expect(await alice.get("/repos/acme/site/collaborators/bob/permission").expect(200)).toMatchObject({ permission: "write" });
      // By name, regardless of their owners.
      expect((await alice.get("/user/repos").expect(200)).map(({ full_name }: { full_name: string }) => full_name)).toEqual([
        "alice/hidden",
        "alice/open",
        "acme/site",
      ]);
    });
  });
});
