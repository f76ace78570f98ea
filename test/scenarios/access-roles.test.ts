import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiClient } from "../kit/api-client.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";

/**
 * A table of roles and permitted actions for a repository of an organization. Requests that would change something have a body that is
 * rejected after authorization: 422 means that the caller is authorized.
 */

interface Action {
  readonly method: "GET" | keyof typeof verbs;
  readonly path: string;
  readonly body?: object;
}
const site = "/repos/acme/site";
const actions = {
  see: { method: "GET", path: site },
  "read code": { method: "GET", path: `${site}/contents/README.md` },
  "write code": { method: "POST", path: `${site}/contents/new.txt`, body: { content: "no base64!" } },
  "make a branch": { method: "POST", path: `${site}/branches`, body: { new_branch_name: "a..b" } },
  "read issues": { method: "GET", path: `${site}/issues` },
  settings: { method: "PATCH", path: site, body: { website: "no address" } },
  "see collaborators": { method: "GET", path: `${site}/collaborators` },
  "add a collaborator": { method: "PUT", path: `${site}/collaborators/outsider`, body: { permission: "everything" } },
  "ask for rights": { method: "GET", path: `${site}/collaborators/reader/permission` },
  assignees: { method: "GET", path: `${site}/assignees` },
  reviewers: { method: "GET", path: `${site}/reviewers` },
  teams: { method: "GET", path: `${site}/teams` },
  "deploy keys": { method: "GET", path: `${site}/keys` },
  "read by git": { method: "GET", path: "//acme/site.git/info/refs?service=git-upload-pack" },
  "write by git": { method: "GET", path: "//acme/site.git/info/refs?service=git-receive-pack" },
} satisfies Record<string, Action>;
const verbs = { POST: "post", PUT: "put", PATCH: "patch" } as const;
type ActionName = keyof typeof actions;
const actionNames = Object.keys(actions) as ActionName[];

eachDialect((dialect) => {
  let forge: TestForge;
  const callers = new Map<string, ReturnType<typeof createApiClient>>();
  let boss: TestUser;

  beforeAll(async () => {
    forge = await startForge({ dialect });
    boss = await forge.createUser("boss");
    callers.set("administrator", forge.admin);
    callers.set("owner", boss);
    await boss.post("/orgs", { username: "acme" }).expect(201);
    await boss.post("/orgs/acme/repos", { name: "site", private: true, auto_init: true }).expect(201);
    for (const name of ["keeper", "writer", "reader", "coder", "tracker", "member", "outsider", "suspended"]) callers.set(name, await forge.createUser(name));
    callers.set("restricted", await forge.createUser("restricted", { restricted: true }));
    for (const [name, permission] of [
      ["keeper", "admin"],
      ["writer", "write"],
      ["reader", "read"],
      ["suspended", "admin"],
    ]) {
      await boss.put(`${site}/collaborators/${name}`, { permission }).expect(204);
    }
    for (const [name, unit, repositories] of [
      ["coder", "repo.code", ["site"]],
      ["tracker", "repo.issues", ["site"]],
      ["member", "repo.code", []],
    ] as const) {
      const team = await boss.post<{ id: number }>("/orgs/acme/teams", { name: `${name}s`, units_map: { [unit]: "write" } }).expect(201);
      await boss.put(`/teams/${team.id}/members/${name}`).expect(204);
      for (const repository of repositories) await boss.put(`/teams/${team.id}/repos/acme/${repository}`).expect(204);
    }
    const writer = await createApiClient(forge.url, `Basic ${Buffer.from("writer:writer's pass phrase").toString("base64")}`)
      .post<{ sha1: string }>("/users/writer/tokens", { name: "open", scopes: ["all", "public-only"] })
      .expect(201);
    callers.set("writer, public only", createApiClient(forge.url, `token ${writer.sha1}`));
    await forge.admin.patch("/admin/users/suspended", { login_name: "suspended", source_id: 0, prohibit_login: true }).expect(200);
    callers.set("anonymous", forge.anonymous);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  async function statusOf(caller: string, { method, path, body }: Action): Promise<number> {
    const client = callers.get(caller);
    if (client === undefined) throw new Error(`there is no ${caller}`);
    const answer = await (method === "GET" ? client.get(path) : client[verbs[method]](path, body));
    return answer.status;
  }
  /** Expected statuses in the order of the actions. */
  const answered: Readonly<Record<string, readonly number[]>> = {
    administrator: [200, 200, 422, 422, 200, 422, 200, 422, 200, 200, 200, 200, 200, 200, 200],
    owner: [200, 200, 422, 422, 200, 422, 200, 422, 200, 200, 200, 200, 200, 200, 200],
    keeper: [200, 200, 422, 422, 200, 422, 200, 422, 200, 200, 200, 200, 200, 200, 200],
    writer: [200, 200, 422, 422, 200, 403, 200, 403, 403, 200, 200, 200, 403, 200, 200],
    // A reader's push is rejected when it arrives; listing the refs is allowed.
    reader: [200, 200, 403, 403, 200, 403, 200, 403, 200, 200, 200, 200, 403, 200, 200],
    coder: [200, 200, 422, 422, 404, 403, 200, 403, 403, 200, 403, 200, 403, 200, 200],
    tracker: [200, 403, 403, 403, 200, 403, 200, 403, 403, 200, 403, 200, 403, 404, 404],
    member: [404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404],
    outsider: [404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404],
    restricted: [404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404],
    "writer, public only": [404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404],
    suspended: [403, 403, 403, 403, 403, 403, 403, 403, 403, 403, 403, 403, 403, 403, 403],
    anonymous: [404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 401, 401],
  };
  const answersTo = async (caller: string): Promise<Record<string, number>> => {
    const pairs: [string, number][] = [];
    for (const name of actionNames) pairs.push([name, await statusOf(caller, actions[name])]);
    return Object.fromEntries(pairs);
  };
  const expected = (caller: string, changes: Partial<Record<ActionName, number>> = {}): Record<string, number> => ({
    ...Object.fromEntries(actionNames.map((name, at) => [name, answered[caller]?.[at] ?? 0])),
    ...changes,
  });

  describe("a private repository", () => {
    test.each(Object.keys(answered))("permits a caller who is %s the actions of the table", async (caller) => {
      expect(await answersTo(caller)).toEqual(expected(caller));
    });

    test("shows callers their own permission, and those of all users to administrators", async () => {
      for (const [caller, name, permission] of [
        ["administrator", "chief", "owner"],
        ["owner", "boss", "owner"],
        ["keeper", "keeper", "admin"],
        ["writer", "writer", "write"],
        ["reader", "reader", "read"],
        ["coder", "coder", "write"],
        ["tracker", "tracker", "write"],
        ["member", "member", "none"],
        ["outsider", "outsider", "none"],
        ["restricted", "restricted", "none"],
        ["suspended", "suspended", "admin"],
      ]) {
        const path = `${site}/collaborators/${name}/permission`;
        const permissionOf = await boss.get<{ permission: string; role_name: string; user: { login: string } }>(path).expect(200);
        expect(permissionOf).toMatchObject({ permission, role_name: permission, user: { login: name } });
        const own = await callers.get(caller ?? "")?.get<typeof permissionOf>(path);
        expect([caller, own?.status]).toEqual([caller, permission === "none" ? 404 : caller === "suspended" ? 403 : 200]);
        if (own?.status === 200) expect(own.json.permission).toBe(permission);
      }
      expect(await boss.get(`${site}/collaborators/nosuch/permission`).expect(404)).toMatchObject({ message: "user does not exist [uid: 0, name: nosuch]" });
      expect(await callers.get("reader")?.get(`${site}/collaborators/writer/permission`).expect(403)).toMatchObject({
        message: "Only admins can query all permissions, repo admins can query all repo permissions, collaborators can query only their own",
      });
    });

    test("can be assigned to writers and reviewed by readers, but not by users who cannot sign in", async () => {
      const logins = async (path: string): Promise<string[]> => (await boss.get<{ login: string }[]>(path).expect(200)).map(({ login }) => login);
      expect(await logins(`${site}/assignees`)).toEqual(["boss", "coder", "keeper", "tracker", "writer"]);
      expect(await logins(`${site}/reviewers`)).toEqual(["boss", "keeper", "reader", "writer"]);
      for (const path of ["assignees", "reviewers"]) {
        expect((await forge.cost(() => boss.get(`${site}/${path}`).expect(200))).statements.length).toBeLessThanOrEqual(5);
      }
    });

    test("is listed and counted only for users who can see it", async () => {
      for (const caller of Object.keys(answered).filter((name) => name !== "suspended")) {
        const client = callers.get(caller);
        const sees = answered[caller]?.[0] === 200;
        for (const path of ["/repos/search?q=site", "/orgs/acme/repos"]) {
          const found = await client?.get<{ data?: unknown[] } & unknown[]>(path);
          const items = found?.json.data ?? found?.json;
          expect([caller, path, items?.length, found?.headers.get("x-total-count")]).toEqual([caller, path, sees ? 1 : 0, sees ? "1" : "0"]);
        }
      }
    });
  });

  describe("made public", () => {
    beforeAll(() => boss.patch(site, { private: false }).expect(200));
    afterAll(() => boss.patch(site, { private: true }).expect(200));

    test.each(["member", "outsider"])("can be read by %s", async (caller) => {
      const reads = {
        see: 200,
        "read code": 200,
        "read issues": 200,
        "see collaborators": 200,
        assignees: 200,
        teams: 200,
        "read by git": 200,
        "write by git": 200,
      };
      const refused = {
        "write code": 403,
        "make a branch": 403,
        settings: 403,
        "add a collaborator": 403,
        "ask for rights": 403,
        reviewers: 403,
        "deploy keys": 403,
      };
      expect(await answersTo(caller)).toEqual(expected(caller, { ...reads, ...refused }));
    });

    test("can be read anonymously, with 401 for other actions", async () => {
      const got = await answersTo("anonymous");
      for (const name of ["see", "read code", "read issues", "read by git"]) expect([name, got[name]]).toEqual([name, 200]);
      for (const name of ["write code", "make a branch", "settings", "add a collaborator", "ask for rights", "deploy keys", "write by git"]) {
        expect([name, got[name]]).toEqual([name, 401]);
      }
    });

    test("is still invisible to a restricted user, and not available to a suspended one", async () => {
      expect(await answersTo("restricted")).toEqual(expected("restricted"));
      expect(await answersTo("suspended")).toEqual(expected("suspended"));
    });

    test("grants a public-only token the permissions of its owner", async () => {
      expect(await answersTo("writer, public only")).toEqual(expected("writer"));
    });
  });

  describe("archived", () => {
    beforeAll(() => boss.patch(site, { archived: true }).expect(200));
    afterAll(() => boss.patch(site, { archived: false }).expect(200));

    test.each(["administrator", "owner", "keeper", "writer", "coder"])("can be read but not changed by %s", async (caller) => {
      const got = await answersTo(caller);
      for (const name of ["see", "read code", "read by git"]) expect([name, got[name]]).toEqual([name, 200]);
      for (const name of ["write code", "make a branch"]) expect([name, got[name]]).toEqual([name, 423]);
    });

    test("keeps its settings editable, so that it can be unarchived", async () => {
      expect((await answersTo("owner")).settings).toBe(422);
    });

    test.each(["outsider", "member", "anonymous"])("is not visible to %s", async (caller) => {
      expect(await answersTo(caller)).toEqual(expected(caller));
    });
  });

  describe("in a limited organization, without being private", () => {
    beforeAll(async () => {
      await boss.patch("/orgs/acme", { visibility: "limited" }).expect(200);
      await boss.patch(site, { private: false }).expect(200);
    });
    afterAll(async () => {
      await boss.patch("/orgs/acme", { visibility: "public" }).expect(200);
      await boss.patch(site, { private: true }).expect(200);
    });

    test("is internal: visible to signed-in users only", async () => {
      expect((await boss.get(site).expect(200)).internal).toBe(true);
      expect((await answersTo("outsider")).see).toBe(200);
      expect(await answersTo("anonymous")).toEqual(expected("anonymous"));
      expect((await answersTo("restricted")).see).toBe(404);
    });
  });
});
