import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiClient, createApiClient } from "../../../../test/kit/api-client.ts";
import { differences } from "../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { team } from "../../../../test/kit/rows.ts";

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let mallory: TestUser;
  const anonymous = (): ApiClient => forge.anonymous;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
    mallory = await forge.createUser("mallory");
  });
  afterAll(() => forge[Symbol.asyncDispose]());
  const names = (list: { readonly name: string }[]): string[] => list.map(({ name }) => name);

  describe("creating an organization", () => {
    test("stores its fields and creates an owners' team with its creator", async () => {
      const given = {
        username: "acme",
        full_name: "Acme Inc",
        email: "acme@example.org",
        description: "We make things",
        website: "https://acme.example.org",
        location: "Desert",
        visibility: "public",
        repo_admin_change_team_access: true,
      };
      const made = await alice.post("/orgs", given).expect(201);
      expect(differences(made, "Organization")).toEqual([]);
      expect(made).toMatchObject({ ...given, name: "acme" });
      expect(await alice.get("/orgs/ACME").expect(200)).toEqual(made);
      expect(await anonymous().get("/orgs/acme").expect(200)).toEqual({ ...made, email: "" });
      const { db } = forge.context;
      const teams = await db.sql.selectFrom("teams").selectAll().where("org_id", "=", made.id).execute();
      expect(teams).toMatchObject([{ name: "Owners", mode: "owner", includes_all_repositories: 1, can_create_org_repo: 1 }]);
      expect(
        await db.sql
          .selectFrom("team_members")
          .select("account_id")
          .where("team_id", "=", teams[0]?.id ?? 0)
          .execute(),
      ).toMatchObject([{ account_id: alice.id }]);
      expect(await db.sql.selectFrom("organization_members").select(["account_id", "is_public"]).where("org_id", "=", made.id).execute()).toMatchObject([
        { account_id: alice.id, is_public: 0 },
      ]);
    });

    test.each([
      [{}, "[UserName]: Required"],
      [{ username: "bad name" }, "[UserName]: invalid username"],
      [{ username: "-x" }, "[UserName]: invalid username"],
      [{ username: "x".repeat(41) }, "[UserName]: MaxSize"],
      [{ username: "explore" }, "name is reserved [name: explore]"],
      [{ username: "API" }, "name is reserved [name: API]"],
      [{ username: "x.keys" }, "name pattern is not allowed [pattern: *.keys]"],
      [{ username: "acme" }, "user already exists [name: acme]"],
      [{ username: "BOB" }, "user already exists [name: BOB]"],
      [{ username: "vis", visibility: "nonsense" }, "[Visibility]: In"],
      [{ username: "web", website: "javascript:alert(1)" }, "[Website]: Url"],
      [{ username: "mail", email: "nobody" }, "[Email]: Email"],
      [{ username: "nul", description: "a\0b" }, undefined],
      [{ username: 5 }, undefined],
    ])("rejects %j", async (body, message) => {
      const answer = await alice.post("/orgs", body).expect(422);
      if (message !== undefined) expect(answer.message).toBe(message);
    });

    test("requires a user with the right to create organizations", async () => {
      await anonymous().post("/orgs", { username: "anon" }).expect(401);
      await forge.admin.patch("/admin/users/mallory", { login_name: "mallory", source_id: 0, allow_create_organization: false }).expect(200);
      await mallory.post("/orgs", { username: "evil" }).expect(403);
    });

    test("one of several concurrent requests for a name succeeds, users included", async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          at % 2 === 0
            ? alice.post("/orgs", { username: at % 4 === 0 ? "wanted" : "WANTED" })
            : forge.admin.post("/admin/users", { username: "Wanted", email: `wanted${at}@example.com`, password: "a pass phrase" }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(422)]);
    });
  });

  describe("visibility of organizations", () => {
    beforeAll(async () => {
      await alice.post("/orgs", { username: "lim", visibility: "limited" }).expect(201);
      const hidden = await alice.post("/orgs", { username: "priv", visibility: "private", email: "priv@example.org" }).expect(201);
      const limited = await alice.get("/orgs/lim").expect(200);
      await forge.context.db.tx(async (tx) => {
        for (const orgId of [hidden.id, limited.id]) await team(tx, { orgId, name: "staff", units: { "repo.code": "read" }, members: [bob.id] });
      });
    });

    test("depends on the organization's visibility and the caller's membership", async () => {
      const restricted = await forge.createUser("restricted", { restricted: true });
      for (const [client, acme, lim, priv] of [
        [alice, 200, 200, 200],
        [bob, 200, 200, 200],
        [mallory, 200, 200, 404],
        [restricted, 200, 404, 404],
        [anonymous(), 200, 404, 404],
        [forge.admin, 200, 200, 200],
      ] as const) {
        const statuses = await Promise.all(["acme", "lim", "priv"].map(async (name) => (await client.get(`/orgs/${name}`)).status));
        expect(statuses).toEqual([acme, lim, priv]);
        for (const path of ["/orgs/priv/repos", "/users/priv", "/users/priv/repos", "/users/priv/orgs"]) {
          expect([path, (await client.get(path)).status]).toEqual([path, priv]);
        }
      }
      expect(await mallory.get("/orgs/priv").expect(404)).toMatchObject({ message: "GetOrgByName", errors: ["user redirect does not exist [name: priv]"] });
      expect(await alice.get("/orgs/nosuch").expect(404)).toMatchObject({ message: "GetOrgByName", errors: ["user redirect does not exist [name: nosuch]"] });
      await alice.get("/orgs/alice").expect(404);
    });

    test("applies to lists", async () => {
      const wanted = "wanted";
      const listed = async (client: ApiClient, path: string) => {
        const answer = await client.get(`${path}?limit=50`);
        expect([path, answer.headers.get("x-total-count")]).toEqual([path, String(answer.json.length)]);
        return names(answer.json).filter((name) => name.toLowerCase() !== wanted);
      };
      expect(await listed(anonymous(), "/orgs")).toEqual(["acme"]);
      expect(await listed(mallory, "/orgs")).toEqual(["acme", "lim"]);
      expect(await listed(alice, "/orgs")).toEqual(["acme", "lim", "priv"]);
      expect(await listed(forge.admin, "/orgs")).toEqual(["acme", "lim", "priv"]);
      expect(await listed(forge.admin, "/admin/orgs")).toEqual(["acme", "lim", "priv"]);
      expect(await listed(bob, "/user/orgs")).toEqual(["lim", "priv"]);
      expect(await listed(forge.admin, "/admin/users/bob/orgs")).toEqual(["lim", "priv"]);
      // Only fellow members can see a hidden membership.
      expect(await listed(alice, "/users/bob/orgs")).toEqual(["lim", "priv"]);
      expect(await listed(mallory, "/users/bob/orgs")).toEqual([]);
      await anonymous().get("/users/bob/orgs").expect(401);
      await forge.context.db.tx((tx) => tx.sql.updateTable("organization_members").set({ is_public: 1 }).where("account_id", "=", bob.id).execute());
      expect(await listed(mallory, "/users/bob/orgs")).toEqual(["lim"]);
      await anonymous().get("/user/orgs").expect(401);
      await mallory.get("/admin/orgs").expect(403);
      const page = await forge.admin.get("/admin/orgs?limit=1");
      expect(page.headers.get("link")).toContain('rel="next"');
      expect((await forge.cost(() => bob.get("/users/bob/orgs?limit=50").expect(200))).statements.length).toBeLessThanOrEqual(4);
    });

    test("hides organizations that are not public from a public-only token", async () => {
      const basic = createApiClient(forge.url, `Basic ${Buffer.from(`bob:${bob.password}`).toString("base64")}`);
      const scopes = ["public-only", "write:organization", "write:user"];
      const open = createApiClient(forge.url, `token ${(await basic.post("/users/bob/tokens", { name: "open", scopes }).expect(201)).sha1}`);
      expect(await open.get("/orgs/priv").expect(403)).toMatchObject({ message: "token scope is limited to public orgs" });
      expect(await open.get("/user/orgs").expect(200)).toEqual([]);
      await open.post("/orgs", { username: "secret-org", visibility: "private" }).expect(403);
    });
  });

  describe("editing, renaming and deleting an organization", () => {
    test("an edit keeps omitted fields", async () => {
      await alice.post("/orgs", { username: "edit", full_name: "E", email: "e@example.org", location: "L" }).expect(201);
      const before = await alice.get("/orgs/edit").expect(200);
      expect(await alice.patch("/orgs/edit", {}).expect(200)).toEqual(before);
      const edited = {
        full_name: "F",
        description: "d",
        website: "https://f.example.org",
        location: "",
        visibility: "limited",
        repo_admin_change_team_access: true,
      };
      expect(await alice.patch("/orgs/edit", edited).expect(200)).toMatchObject({ ...edited, email: "e@example.org" });
      expect(await alice.patch("/orgs/edit", { visibility: "" }).expect(200)).toMatchObject({ visibility: "limited" });
      for (const body of [{ visibility: "odd" }, { website: "nope" }, { email: "nope" }, { full_name: "x".repeat(101) }, { location: 7 }]) {
        await alice.patch("/orgs/edit", body).expect(422);
      }
      await bob.patch("/orgs/edit", { full_name: "Evil" }).expect(403);
      await anonymous().patch("/orgs/acme", { full_name: "Evil" }).expect(401);
      await anonymous().patch("/orgs/edit", { full_name: "Evil" }).expect(404);
    });

    test("the previous name redirects, but not for outsiders of a private organization", async () => {
      await alice.post("/orgs", { username: "before", visibility: "private" }).expect(201);
      await alice.post("/orgs/before/repos", { name: "r" }).expect(201);
      await mallory.post("/orgs/before/rename", { new_name: "stolen" }).expect(404);
      for (const [new_name, status] of [
        ["acme", 422],
        ["alice", 422],
        ["bad name", 422],
        ["api", 422],
        ["", 422],
        ["after", 204],
      ] as const) {
        await alice.post("/orgs/before/rename", { new_name }).expect(status);
      }
      for (const path of ["/orgs/before", "/users/before/repos", "/repos/before/r"]) {
        const moved = await alice.get(path);
        expect([moved.status, moved.headers.get("location")]).toEqual([307, `/api/v1${path.replace("before", "after")}`]);
        const outside = await mallory.get(path);
        expect([path, outside.status, outside.headers.get("location")]).toEqual([path, 404, null]);
      }
      await bob.post("/orgs", { username: "before" }).expect(201);
      expect((await alice.get("/orgs/before").expect(200)).name).toBe("before");
    });

    test("an organization with repositories cannot be deleted; one without is deleted with its deleted repositories", async () => {
      await alice.post("/orgs", { username: "doomed" }).expect(201);
      await alice.post("/orgs/doomed/repos", { name: "r", auto_init: true }).expect(201);
      await mallory.delete("/orgs/doomed").expect(403);
      await anonymous().delete("/orgs/doomed").expect(401);
      await alice.delete("/orgs/doomed").expect(422);
      await alice.get("/repos/doomed/r").expect(200);
      await alice.delete("/repos/doomed/r").expect(204);
      await alice.delete("/orgs/doomed").expect(204);
      await alice.get("/orgs/doomed").expect(404);
      await alice.delete("/orgs/doomed").expect(404);
      await bob.post("/orgs", { username: "doomed" }).expect(201);
    });
  });
});
