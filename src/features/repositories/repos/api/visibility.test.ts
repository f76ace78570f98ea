import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiClient, createApiClient } from "../../../../../test/kit/api-client.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../../test/kit/forge.ts";
import { team } from "../../../../../test/kit/rows.ts";

/**
 * Repository visibility: every kind of caller against every kind of repository, by every way of finding it. Names are abbreviations:
 * the owner's visibility (o for public, l for limited, h for private), u for a user or g for an organization, then open or secret.
 */
eachDialect((dialect) => {
  let forge: TestForge;
  const clients = new Map<string, ApiClient>();
  const ids = new Map<string, number>();
  const owners = ["ou", "lu", "hu", "og", "lg", "hg"];
  const all = owners.flatMap((owner) => [`${owner}/open`, `${owner}/secret`]);

  const publicOnly = async (user: TestUser): Promise<ApiClient> => {
    const basic = createApiClient(forge.url, `Basic ${Buffer.from(`${user.name}:${user.password}`).toString("base64")}`);
    const scopes = ["public-only", "read:repository", "read:user", "read:organization"];
    return createApiClient(forge.url, `token ${(await basic.post(`/users/${user.name}/tokens`, { name: "open", scopes }).expect(201)).sha1}`);
  };

  beforeAll(async () => {
    forge = await startForge({ dialect });
    const users = new Map<string, TestUser>();
    for (const [name, visibility] of [
      ["ou", "public"],
      ["lu", "limited"],
      ["hu", "private"],
    ] as const) {
      const user = await forge.createUser(name, { visibility });
      users.set(name, user);
      for (const kind of ["open", "secret"]) {
        ids.set(`${name}/${kind}`, (await user.post("/user/repos", { name: kind, private: kind === "secret" }).expect(201)).id);
      }
    }
    const boss = await forge.createUser("boss");
    const orgIds = new Map<string, number>();
    for (const [name, visibility] of [
      ["og", "public"],
      ["lg", "limited"],
      ["hg", "private"],
    ] as const) {
      orgIds.set(name, (await boss.post("/orgs", { username: name, visibility }).expect(201)).id);
      for (const kind of ["open", "secret"]) {
        ids.set(`${name}/${kind}`, (await boss.post(`/orgs/${name}/repos`, { name: kind, private: kind === "secret" }).expect(201)).id);
      }
    }
    const make = async (name: string, options = {}): Promise<TestUser> => {
      const user = await forge.createUser(name, options);
      users.set(name, user);
      return user;
    };
    const stranger = await make("stranger");
    const restricted = await make("restricted", { restricted: true });
    const member = await make("member");
    const reader = await make("reader");
    const offUnit = await make("off-unit");
    const nothing = await make("nothing");
    const everything = await make("everything");
    const friend = await make("friend");
    const bounded = await make("bounded", { restricted: true });
    for (const full of ["ou/secret", "hu/secret", "hg/secret"]) {
      const [owner = ""] = full.split("/");
      await (users.get(owner) ?? boss).put(`/repos/${full}/collaborators/friend`, { permission: "read" }).expect(204);
    }
    await (users.get("ou") as TestUser).put("/repos/ou/open/collaborators/bounded", { permission: "read" }).expect(204);
    await boss.patch("/repos/lg/secret", { has_issues: false }).expect(200);
    await forge.context.db.tx(async (tx) => {
      for (const org of ["og", "lg", "hg"]) {
        const orgId = orgIds.get(org) ?? 0;
        const secret = ids.get(`${org}/secret`) ?? 0;
        await team(tx, { orgId, name: "empty", units: { "repo.code": "write" }, members: [member.id, bounded.id] });
        await team(tx, { orgId, name: "readers", units: { "repo.code": "read" }, repositories: [secret], members: [reader.id] });
        await team(tx, { orgId, name: "issues", units: { "repo.issues": "write" }, repositories: [secret], members: [offUnit.id] });
        await team(tx, { orgId, name: "nothing", units: { "repo.code": "none" }, repositories: [secret], members: [nothing.id] });
        await team(tx, { orgId, name: "all", mode: "admin", hasAllRepositories: true, members: [everything.id] });
      }
    });
    for (const user of [stranger, restricted, member, reader, offUnit, nothing, everything, friend, bounded, boss, ...users.values()])
      clients.set(user.name, user);
    clients.set("admin", forge.admin);
    clients.set("anonymous", forge.anonymous);
    clients.set("boss, public only", await publicOnly(boss));
    clients.set("ou, public only", await publicOnly(users.get("ou") as TestUser));
    clients.set("admin, public only", await publicOnly(forge.admin));
  }, 60_000);
  afterAll(() => forge[Symbol.asyncDispose]());

  const open = ["ou/open", "og/open"];
  const signedIn = [...open, "lu/open", "lg/open"];
  const expected: Readonly<Record<string, readonly string[]>> = {
    anonymous: open,
    stranger: signedIn,
    restricted: [],
    ou: [...signedIn, "ou/secret"],
    lu: [...signedIn, "lu/secret"],
    hu: [...signedIn, "hu/open", "hu/secret"],
    boss: [...signedIn, "og/secret", "lg/secret", "hg/open", "hg/secret"],
    member: [...signedIn, "hg/open"],
    reader: [...signedIn, "hg/open", "og/secret", "lg/secret", "hg/secret"],
    "off-unit": [...signedIn, "hg/open", "og/secret", "lg/secret", "hg/secret"],
    nothing: [...signedIn, "hg/open"],
    everything: [...signedIn, "hg/open", "og/secret", "lg/secret", "hg/secret"],
    friend: [...signedIn, "ou/secret", "hu/secret", "hg/secret"],
    bounded: ["ou/open", "og/open", "lg/open", "hg/open"],
    admin: all,
    "boss, public only": signedIn,
    "ou, public only": signedIn,
    "admin, public only": signedIn,
  };

  type Listed = { readonly full_name: string }[];
  const names = (listed: Listed): string[] => listed.map(({ full_name }) => full_name).sort();
  const sorted = (list: readonly string[]): string[] => [...list].sort();

  describe.each(Object.keys(expected))("%s", (who) => {
    const client = (): ApiClient => clients.get(who) as ApiClient;
    const seen = sorted(expected[who] ?? []);

    test("search returns the repositories that the caller can read, with a matching count", async () => {
      const answer = await client().get("/repos/search?limit=50");
      expect(names(answer.json.data)).toEqual(seen);
      expect(answer.headers.get("x-total-count")).toBe(String(seen.length));
      const first = await client().get("/repos/search?limit=1");
      expect([first.headers.get("x-total-count"), first.json.data.length]).toEqual([String(seen.length), Math.min(1, seen.length)]);
      const second = await client().get("/repos/search?limit=1&page=2&sort=id&order=desc");
      expect(second.headers.get("x-total-count")).toBe(String(seen.length));
    });

    test("look-ups find the repositories that the caller can read, and no others", async () => {
      for (const full of all) {
        const status = seen.includes(full) ? 200 : 404;
        expect([full, (await client().get(`/repos/${full}`)).status]).toEqual([full, status]);
        const byId = await client().get(`/repositories/${ids.get(full)}`);
        expect([full, byId.status]).toEqual([full, who === "anonymous" ? 401 : status]);
        if (byId.status === 404) expect(byId.json).toEqual((await client().get("/repositories/999999")).json);
        for (const part of ["topics", "languages", "licenses"]) {
          const partStatus = (await client().get(`/repos/${full}/${part}`)).status;
          if (status === 404) expect([full, part, partStatus]).toEqual([full, part, 404]);
        }
      }
    });

    test("lists by owner contain the same repositories", async () => {
      for (const owner of owners) {
        const isOrganization = owner.endsWith("g");
        for (const path of isOrganization ? [`/users/${owner}/repos`, `/orgs/${owner}/repos`] : [`/users/${owner}/repos`]) {
          const answer = await client().get(path);
          if (answer.status === 200) {
            const own = seen.filter((full) => full.startsWith(`${owner}/`));
            expect([path, names(answer.json)]).toEqual([path, own]);
            expect([path, answer.headers.get("x-total-count")]).toEqual([path, String(own.length)]);
          } else expect([path, [403, 404].includes(answer.status)]).toEqual([path, true]);
        }
      }
    });

    test("filters narrow the visible repositories and never widen them", async () => {
      const search = async (query: string) => names((await client().get(`/repos/search?limit=50&${query}`).expect(200)).data);
      expect(await search("q=secret")).toEqual(seen.filter((full) => full.endsWith("/secret")));
      expect(await search("is_private=true")).toEqual(seen.filter((full) => full.endsWith("/secret")));
      expect(await search("private=false")).toEqual(seen.filter((full) => open.includes(full)));
      for (const owner of owners) {
        const account = await forge.admin.get(`/users/${owner}`).expect(200);
        expect(await search(`uid=${account.id}&exclusive=true`)).toEqual(seen.filter((full) => full.startsWith(`${owner}/`)));
        for (const query of [
          `uid=${account.id}`,
          `uid=${account.id}&mode=collaborative`,
          `priority_owner_id=${account.id}`,
          `starredBy=${account.id}`,
          "team_id=1",
        ]) {
          for (const full of await search(query)) expect(seen).toContain(full);
        }
      }
    });
  });

  test("shared repositories are in the caller's own list, and memberships of other users are not revealed", async () => {
    const own = async (who: string) => names(await (clients.get(who) as ApiClient).get("/user/repos?limit=50").expect(200));
    expect(await own("friend")).toEqual(["hg/secret", "hu/secret", "ou/secret"]);
    expect(await own("stranger")).toEqual([]);
    expect(await own("member")).toEqual(["hg/open", "lg/open", "og/open"]);
    expect(await own("reader")).toEqual(["hg/open", "hg/secret", "lg/open", "lg/secret", "og/open", "og/secret"]);
    expect(await own("boss, public only")).toEqual(["lg/open", "og/open"]);
    const member = await forge.admin.get("/users/member").expect(200);
    const requested = async (who: string) => names((await (clients.get(who) as ApiClient).get(`/repos/search?limit=50&uid=${member.id}`).expect(200)).data);
    expect(await requested("member")).toEqual(["hg/open", "lg/open", "og/open"]);
    expect(await requested("stranger")).toEqual([]);
  });

  test("the repositories of a team are visible to members of its organization only", async () => {
    const { id } = await forge.context.db.sql
      .selectFrom("teams")
      .innerJoin("accounts", "accounts.id", "teams.org_id")
      .select("teams.id")
      .where("teams.name", "=", "all")
      .where("accounts.name", "=", "og")
      .executeTakeFirstOrThrow();
    const requested = async (who: string) => names((await (clients.get(who) as ApiClient).get(`/repos/search?team_id=${id}`).expect(200)).data);
    expect(await requested("everything")).toEqual(["og/open", "og/secret"]);
    expect(await requested("member")).toEqual(["og/open"]);
    expect(await requested("admin")).toEqual(["og/open", "og/secret"]);
    expect(await requested("stranger")).toEqual([]);
    expect(await requested("anonymous")).toEqual([]);
  });

  test("a token and its repository are read in one statement, with the same result as after a password", async () => {
    const { statements } = await forge.cost(() => (clients.get("reader") as ApiClient).get("/repos/hg/secret").expect(200));
    expect(statements.filter((sql) => sql.includes("access_tokens"))).toEqual([expect.stringContaining("repositories")]);
    expect(statements).toHaveLength(3);
    const { statements: refused } = await forge.cost(() => forge.anonymous.get("/repos/ou/open").expect(200));
    expect(refused).toHaveLength(3);
    for (const who of ["reader", "off-unit", "everything", "friend"]) {
      const byToken = clients.get(who) as TestUser;
      const byPassword = createApiClient(forge.url, `Basic ${Buffer.from(`${byToken.name}:${byToken.password}`).toString("base64")}`);
      for (const full of all) {
        const [first, second] = [await byToken.get(`/repos/${full}`), await byPassword.get(`/repos/${full}`)];
        expect([who, full, second.status, second.json]).toEqual([who, full, first.status, first.json]);
      }
    }
  });

  test("the cost of a list does not depend on its length", async () => {
    const cost = async (path: string) => (await forge.cost(() => forge.admin.get(path).expect(200))).statements.length;
    expect(await cost("/repos/search?limit=1")).toBe(5);
    expect(await cost("/repos/search?limit=11")).toBe(5);
    expect(await cost("/repos/search?limit=50")).toBeLessThanOrEqual(5);
    expect(await cost("/user/repos?limit=50")).toBeLessThanOrEqual(5);
    expect(await cost("/users/ou/repos?limit=1")).toBeLessThanOrEqual(6);
    expect(await cost("/orgs/og/repos?limit=50")).toBeLessThanOrEqual(6);
  });
});
