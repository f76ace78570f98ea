import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiClient } from "../kit/api-client.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createGitUser } from "../kit/git-user.ts";

/** Concurrent changes of access: unique resources are created once, and the last owner or administrator cannot be lost. */

type Counted =
  | "accounts"
  | "account_emails"
  | "teams"
  | "team_members"
  | "organization_members"
  | "repositories"
  | "git_stores"
  | "access_tokens"
  | "public_keys"
  | "deploy_keys";

/** The Ed25519 key generated from `seed`. */
const publicKey = (seed: number): string => {
  const head = Buffer.from("\0\0\0\x0bssh-ed25519\0\0\0\x20", "latin1");
  return `ssh-ed25519 ${Buffer.concat([head, Buffer.alloc(31, 7), Buffer.from([seed])]).toString("base64")}`;
};

const spellings = (name: string): string[] => Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? name : name.toUpperCase()));

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const statuses = async (calls: readonly Promise<{ readonly status: number }>[]): Promise<number[]> =>
    (await Promise.all(calls)).map(({ status }) => status).sort((a, b) => a - b);
  const twenty = <T>(make: (at: number) => T): T[] => Array.from({ length: 20 }, (_, at) => make(at));
  const count = async (table: Counted): Promise<number> => (await forge.context.db.sql.selectFrom(table).selectAll().execute()).length;
  /** An organization with two owners. */
  async function shared(name: string, second: TestUser): Promise<{ readonly owners: number }> {
    await alice.post("/orgs", { username: name }).expect(201);
    const [owners] = await alice.get<{ id: number }[]>(`/orgs/${name}/teams`).expect(200);
    await alice.put(`/teams/${owners?.id}/members/${second.name}`).expect(204);
    return { owners: owners?.id ?? 0 };
  }

  describe("twenty concurrent requests for one name", () => {
    test("create one repository and leave no remains", async () => {
      const before = [await count("repositories"), await count("git_stores")];
      const got = await statuses(spellings("wanted").map((name) => alice.post("/user/repos", { name, private: true })));
      expect(got).toEqual([201, ...Array(19).fill(409)]);
      expect([await count("repositories"), await count("git_stores")]).toEqual(before.map((n) => n + 1));
    });

    test("create one team", async () => {
      await alice.post("/orgs", { username: "teamed" }).expect(201);
      const before = await count("teams");
      const got = await statuses(spellings("wanted").map((name) => alice.post("/orgs/teamed/teams", { name, permission: "read", units: ["repo.code"] })));
      expect(got).toEqual([201, ...Array(19).fill(422)]);
      expect(await count("teams")).toBe(before + 1);
    });

    test("create one user, by name and by email address", async () => {
      const before = [await count("accounts"), await count("account_emails")];
      const make = (username: string, email: string) => forge.admin.post("/admin/users", { username, email, password: "a long pass phrase" });
      const named = await statuses(spellings("twin").map((name, at) => make(name, `twin-${at}@example.com`)));
      const addressed = await statuses(spellings("shared").map((name, at) => make(`sharer-${at}`, `${name}@example.com`)));
      for (const got of [named, addressed]) expect(got).toEqual([201, ...Array(19).fill(422)]);
      expect([await count("accounts"), await count("account_emails")]).toEqual(before.map((n) => n + 2));
    });

    test("create one organization", async () => {
      const before = [await count("accounts"), await count("teams"), await count("team_members"), await count("organization_members")];
      expect(await statuses(spellings("guild").map((username) => alice.post("/orgs", { username })))).toEqual([201, ...Array(19).fill(422)]);
      expect([await count("accounts"), await count("teams"), await count("team_members"), await count("organization_members")]).toEqual(
        before.map((n) => n + 1),
      );
    });

    test("create one access token", async () => {
      const before = await count("access_tokens");
      const basic = createApiClient(forge.url, `Basic ${Buffer.from(`alice:${alice.password}`).toString("base64")}`);
      const got = await statuses(Array.from({ length: 20 }, () => basic.post("/users/alice/tokens", { name: "wanted", scopes: ["read:user"] })));
      // The contract's response to a token name in use.
      expect(got).toEqual([201, ...Array(19).fill(400)]);
      expect(await count("access_tokens")).toBe(before + 1);
    });

    test("add one public key, by content and by title, and one deploy key", async () => {
      await alice.post("/user/repos", { name: "deployed" }).expect(201);
      const before = [await count("public_keys"), await count("deploy_keys")];
      const content = await statuses(twenty((at) => (at % 2 === 0 ? alice : bob).post("/user/keys", { title: `key ${at}`, key: publicKey(0) })));
      const title = await statuses(twenty((at) => alice.post("/user/keys", { title: "the key", key: publicKey(at + 1) })));
      const deploy = await statuses(twenty((at) => alice.post("/repos/alice/deployed/keys", { title: `key ${at}`, key: publicKey(100) })));
      for (const got of [content, title, deploy]) expect(got).toEqual([201, ...Array(19).fill(422)]);
      expect([await count("public_keys"), await count("deploy_keys")]).toEqual([(before[0] ?? 0) + 3, (before[1] ?? 0) + 1]);
    });

    test("create twenty complete labels, which may share a name", async () => {
      await alice.post("/user/repos", { name: "labelled" }).expect(201);
      const got = await statuses(twenty(() => alice.post("/repos/alice/labelled/labels", { name: "wanted", color: "#00aabb" })));
      expect(got).toEqual(Array(20).fill(201));
      const labels = await alice.get<{ id: number; name: string }[]>("/repos/alice/labelled/labels?limit=50").expect(200);
      expect(new Set(labels.map(({ id }) => id)).size).toBe(20);
    });

    test("create one account, as users and organizations share their names", async () => {
      const before = [await count("accounts"), await count("account_emails"), await count("teams")];
      const calls = spellings("wanted").map((name, at) =>
        at < 10
          ? alice.post("/orgs", { username: name })
          : forge.admin.post("/admin/users", { username: name, email: `wanted-${at}@example.com`, password: "a long pass phrase" }),
      );
      expect(await statuses(calls)).toEqual([201, ...Array(19).fill(422)]);
      const [accounts = 0, emails = 0, teams = 0] = before;
      expect(await count("accounts")).toBe(accounts + 1);
      // A user needs an email address and an organization a team: check that the created account is complete.
      expect((await count("account_emails")) + (await count("teams"))).toBe(emails + teams + 1);
    });

    test("rename one account", async () => {
      const users = await Promise.all(Array.from({ length: 6 }, (_, at) => forge.createUser(`racer-${at}`)));
      const got = await statuses(users.map(({ name }) => forge.admin.post(`/admin/users/${name}/rename`, { new_username: "winner" })));
      expect(got).toEqual([204, ...Array(5).fill(422)]);
      const names = await Promise.all(users.map(async (user) => (await user.get<{ login: string }>("/user").expect(200)).login));
      expect(names.filter((name) => name === "winner")).toHaveLength(1);
      expect(new Set(names).size).toBe(6);
    });
  });

  describe("the last one", () => {
    test("two owners who remove each other leave one owner", async () => {
      for (const [at, remove] of [
        (owner: TestUser, other: TestUser, org: string, _team: number) => owner.delete(`/orgs/${org}/members/${other.name}`),
        (owner: TestUser, other: TestUser, _org: string, team: number) => owner.delete(`/teams/${team}/members/${other.name}`),
      ].entries()) {
        const org = `pair-${at}`;
        const { owners } = await shared(org, bob);
        const got = await statuses([remove(alice, bob, org, owners), remove(bob, alice, org, owners)]);
        expect(got.filter((status) => status === 204)).toHaveLength(1);
        expect(got.every((status) => status < 500)).toBe(true);
        expect(await forge.admin.get(`/teams/${owners}/members`).expect(200)).toHaveLength(1);
      }
    });

    test("deleting both owners concurrently leaves the organization with an owner, or deletes it", async () => {
      const one = await forge.createUser("one");
      const two = await forge.createUser("two");
      await one.post("/orgs", { username: "orphaned" }).expect(201);
      const [owners] = await one.get<{ id: number }[]>("/orgs/orphaned/teams").expect(200);
      await one.put(`/teams/${owners?.id}/members/two`).expect(204);
      await one.post("/orgs/orphaned/repos", { name: "site", auto_init: true }).expect(201);
      expect(await statuses([one, two].map(({ name }) => forge.admin.delete(`/admin/users/${name}?purge=true`)))).toEqual([204, 204]);
      await forge.admin.get("/orgs/orphaned").expect(404);
      await forge.admin.get("/repos/orphaned/site").expect(404);
    });

    test("two administrators who demote each other leave one who can sign in", async () => {
      const second = await forge.createUser("second");
      const edit = (name: string, changes: object) => ({ login_name: name, source_id: 0, ...changes });
      await forge.admin.patch("/admin/users/second", edit("second", { admin: true })).expect(200);
      const got = await statuses([
        forge.admin.patch("/admin/users/second", edit("second", { prohibit_login: true })),
        second.patch("/admin/users/chief", edit("chief", { admin: false })),
      ]);
      expect(got.every((status) => status < 500)).toBe(true);
      expect(got.filter((status) => status === 200).length).toBeGreaterThanOrEqual(1);
      const administers = await Promise.all([forge.admin, second].map(async (user) => (await user.get("/admin/users")).status === 200));
      expect(administers.filter(Boolean).length).toBeGreaterThanOrEqual(1);
      const survivor = administers[0] === true ? forge.admin : second;
      await survivor.patch("/admin/users/chief", edit("chief", { admin: true })).expect(200);
      await forge.admin.patch("/admin/users/second", edit("second", { admin: false, prohibit_login: false })).expect(200);
    });

    test("an administrator who may not sign in does not count", async () => {
      const idle = await forge.createUser("idle");
      await forge.admin.patch("/admin/users/idle", { login_name: "idle", source_id: 0, admin: true, prohibit_login: true }).expect(200);
      expect((await forge.admin.patch("/admin/users/chief", { login_name: "chief", source_id: 0, admin: false }).expect(400)).message).toContain(
        "last admin user",
      );
      await idle.get("/user").expect(403);
      await forge.admin.delete("/admin/users/idle").expect(204);
    });
  });

  test("a former user name redirects git and the API until another account takes it", async () => {
    await using work = await createGitUser();
    const carol = await forge.createUser("carol");
    await carol.post("/user/repos", { name: "site", auto_init: true }).expect(201);
    await forge.admin.post("/admin/users/carol/rename", { new_username: "caroline" }).expect(204);
    const moved = await forge.anonymous.get("/repos/carol/site");
    expect([moved.status, moved.headers.get("location")]).toEqual([307, "/api/v1/repos/caroline/site"]);
    await work.git(".", "clone", "-q", `${forge.url}/carol/site.git`, "site");
    await work.commit("site", { "a.txt": "one\n" });
    await work.git("site", "push", "-q", `${carol.gitOrigin}/carol/site.git`, "HEAD:refs/heads/more");
    expect((await forge.anonymous.get("/repos/caroline/site").expect(200)).branch_count).toBe(2);

    const heir = await forge.createUser("carol", { email: "heir@example.com" });
    await forge.anonymous.get("/repos/carol/site").expect(404);
    expect((await work.attempt(".", "ls-remote", `${heir.gitOrigin}/carol/site.git`)).code).not.toBe(0);
    await heir.post("/user/repos", { name: "site", private: true }).expect(201);
    expect((await heir.get("/repos/carol/site").expect(200)).private).toBe(true);
    await carol.get("/repos/carol/site").expect(404);
  });
});
