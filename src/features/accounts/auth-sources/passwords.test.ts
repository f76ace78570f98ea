import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiClient } from "../../../../test/kit/api-client.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { peopleBase, person, serverDn, serverPassword, startDirectory, type TestDirectory } from "../../../../test/kit/directory.ts";
import { startForge, type TestForge } from "../../../../test/kit/forge.ts";

eachDialect((dialect) => {
  let forge: TestForge;
  let directory: TestDirectory;
  let sourceId: number;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    directory = await startDirectory([
      person("alice", "alice's secret"),
      person("boss", "boss's secret", { title: "boss" }),
      person("local", "the directory's secret"),
      person("taken", "taken's secret", { mail: "local@example.com" }),
      person("nomail", "nomail's secret", { mail: "" }),
      person("-", "dash's secret"),
    ]);
    await forge.createUser("local");
    const source = await forge.admin.post("/admin/sources", {
      kind: "ldap",
      name: "staff",
      auto_register: true,
      secret: serverPassword,
      ldap: {
        host: "127.0.0.1",
        port: directory.port,
        security: "none",
        bind_dn: serverDn,
        user_base: peopleBase,
        user_filter: "(&(objectClass=person)(|(uid=%s)(mail=%s)))",
        admin_filter: "(title=boss)",
      },
    });
    sourceId = (source.json as { id: number }).id;
  });
  afterAll(async () => {
    await forge[Symbol.asyncDispose]();
    await directory[Symbol.asyncDispose]();
  });

  const as = (login: string, password: string) => createApiClient(forge.url, `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}`);
  const shown = (name: string) => forge.admin.get(`/users/${name}`).expect(200);

  describe("a user of a directory", () => {
    test("gets an account with the directory's data at the first sign-in", async () => {
      expect(await as("alice", "alice's secret").get("/user").expect(200)).toMatchObject({
        login: "alice",
        full_name: "The alice",
        email: "alice@directory.example.org",
        source_id: sourceId,
        login_name: "alice",
        is_admin: false,
      });
      await as("alice", "wrong").get("/user").expect(401);
      await as("ALICE", "alice's secret").get("/user").expect(200);
      await as("alice@directory.example.org", "alice's secret").get("/user").expect(200);
      expect(await forge.admin.get(`/admin/users?source_id=${sourceId}&login_name=alice`).expect(200)).toMatchObject([{ login: "alice" }]);
    });

    test("gets one account even if several first requests run concurrently", async () => {
      directory.entries.push(person("crowd", "crowd's secret"));
      const answers = await Promise.all(Array.from({ length: 8 }, () => as("crowd", "crowd's secret").get("/user")));
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
      expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    });

    test("is an administrator while the directory says so", async () => {
      expect(await as("boss", "boss's secret").get("/user").expect(200)).toMatchObject({ is_admin: true });
      const at = directory.entries.findIndex(({ attributes }) => attributes.uid === "boss");
      directory.entries[at] = person("boss", "boss's new secret", { cn: "The former boss", mail: "former@directory.example.org" });
      expect(await as("boss", "boss's new secret").get("/user").expect(200)).toMatchObject({
        is_admin: false,
        full_name: "The former boss",
        email: "former@directory.example.org",
      });
    });

    test("is checked once, and again after the source changes", async () => {
      const requests = async (): Promise<number> => {
        const before = directory.requested.length;
        await as("alice", "alice's secret").get("/user").expect(200);
        return directory.requested.length - before;
      };
      await requests();
      expect(await requests()).toBe(0);
      const { result, statements } = await forge.cost(() => as("alice", "alice's secret").get("/user").expect(200));
      expect(result).toMatchObject({ login: "alice" });
      expect(statements.length).toBeLessThanOrEqual(3);
      await forge.admin.patch(`/admin/sources/${sourceId}`, {}).expect(200);
      expect(await requests()).toBeGreaterThan(0);
    });

    test("keeps their account when it is renamed here", async () => {
      directory.entries.push(person("renamed", "renamed's secret"));
      const { id } = await as("renamed", "renamed's secret").get("/user").expect(200);
      await forge.admin.post("/admin/users/renamed/rename", { new_username: "called-otherwise" }).expect(204);
      expect(await as("renamed", "renamed's secret").get("/user").expect(200)).toMatchObject({ id, login: "called-otherwise", login_name: "renamed" });
      expect(await as("called-otherwise", "renamed's secret").get("/user").expect(200)).toMatchObject({ id });
      // The second time the directory is not asked, and a wrong password is still rejected.
      const before = directory.requested.length;
      await as("renamed", "renamed's secret").get("/user").expect(200);
      expect(directory.requested).toHaveLength(before);
      await as("renamed", "wrong").get("/user").expect(401);
    });

    test("has no password here, and an administrator cannot set one", async () => {
      const refused = await forge.admin.patch("/admin/users/alice", { source_id: sourceId, login_name: "alice", password: "a local pass phrase" }).expect(422);
      expect(refused.message).toBe("the password of alice is managed by a directory and must be changed there");
      await as("alice", "a local pass phrase").get("/user").expect(401);
    });

    test("rejects a user who is prohibited from signing in here", async () => {
      directory.entries.push(person("mallory", "mallory's secret"));
      await as("mallory", "mallory's secret").get("/user").expect(200);
      await forge.admin.patch("/admin/users/mallory", { source_id: sourceId, login_name: "mallory", prohibit_login: true }).expect(200);
      await as("mallory", "mallory's secret").get("/user").expect(401);
      await as("mallory@directory.example.org", "mallory's secret").get("/user").expect(401);
      expect(await shown("mallory")).toMatchObject({ prohibit_login: true });
    });
  });

  describe("never takes over an existing account", () => {
    test("accepts only the local password for a local account", async () => {
      await as("local", "the directory's secret").get("/user").expect(401);
      await as("local", "local's pass phrase").get("/user").expect(200);
      // The directory knows the typed address, and its name for the user is already taken here.
      const refused = await as("local@directory.example.org", "the directory's secret").get("/user").expect(403);
      expect(refused.message).toContain("the name local is already taken");
    });

    test("keeps an address with its owner", async () => {
      const refused = await as("taken", "taken's secret").get("/user").expect(403);
      expect(refused.message).toContain("the address local@example.com is already taken");
      await forge.admin.get("/users/taken").expect(404);
    });

    test("reports an invalid account name and a missing address", async () => {
      expect((await as("-", "dash's secret").get("/user").expect(403)).message).toContain('"-" does not yield a valid account name');
      expect((await as("nomail", "nomail's secret").get("/user").expect(403)).message).toContain("no verified e-mail address");
    });

    test("replaces an unverified claim to an address that the directory knows", async () => {
      const squatter = await forge.createUser("squatter");
      await squatter.post("/user/emails", { emails: ["victim@directory.example.org", "former@elsewhere.example.org"] }).expect(201);
      directory.entries.push(person("victim", "victim's secret"));
      expect(await as("victim", "victim's secret").get("/user").expect(200)).toMatchObject({ email: "victim@directory.example.org" });
      directory.entries.splice(-1, 1, person("victim", "victim's other secret", { mail: "former@elsewhere.example.org" }));
      expect(await as("victim", "victim's other secret").get("/user").expect(200)).toMatchObject({ email: "former@elsewhere.example.org" });
      expect(await squatter.get("/user/emails").expect(200)).toMatchObject([{ email: "squatter@example.com" }]);
    });

    test("keeps an address with its account when the directory gives it to another user", async () => {
      directory.entries.push(person("mover", "mover's secret"));
      await as("mover", "mover's secret").get("/user").expect(200);
      directory.entries.splice(-1, 1, person("mover", "mover's other secret", { mail: "LOCAL@example.com" }));
      expect(await as("mover", "mover's other secret").get("/user").expect(200)).toMatchObject({ email: "mover@directory.example.org" });
    });

    test("searches for exactly the typed login", async () => {
      for (const login of ["*", "al*", "alice)(uid=*", "*)(|(uid=*", "\\2a"]) await as(login, "alice's secret").get("/user").expect(401);
    });
  });

  test("lets an administrator assign an account to a source and take it back", async () => {
    directory.entries.push(person("given", "given's secret"));
    const given = await forge.admin
      .post("/admin/users", { username: "given", email: "given@example.com", source_id: sourceId, login_name: "given", must_change_password: true })
      .expect(201);
    expect(given).toMatchObject({ source_id: sourceId, login_name: "given" });
    await as("given", "given's secret").get("/user").expect(200);
    const changed = await forge.admin.patch("/admin/users/given", { source_id: 0, login_name: "given", password: "given's pass phrase" }).expect(200);
    expect(changed).toMatchObject({ source_id: 0 });
    await as("given", "given's secret").get("/user").expect(401);
    await as("given", "given's pass phrase").get("/user").expect(200);
    await forge.admin.patch("/admin/users/given", { source_id: sourceId, login_name: "given" }).expect(200);
    await as("given", "given's pass phrase").get("/user").expect(401);
    await as("given", "given's secret").get("/user").expect(200);
    for (const request of [
      forge.admin.patch("/admin/users/given", { source_id: 99, login_name: "given" }),
      forge.admin.post("/admin/users", { username: "other", email: "other@example.com", password: "a pass phrase", source_id: 99 }),
    ])
      expect((await request.expect(422)).message).toBe("login source does not exist [id: 99]");
  });

  test("a source that is inactive or out of reach", async () => {
    await forge.admin.patch(`/admin/sources/${sourceId}`, { is_active: false }).expect(200);
    await as("alice", "alice's secret").get("/user").expect(401);
    await as("newcomer", "x's secret").get("/user").expect(401);
    await forge.admin.patch(`/admin/sources/${sourceId}`, { is_active: true, auto_register: false }).expect(200);
    await as("alice", "alice's secret").get("/user").expect(200);
    directory.entries.push(person("newcomer", "newcomer's secret"));
    await as("newcomer", "newcomer's secret").get("/user").expect(401);

    await forge.admin.patch(`/admin/sources/${sourceId}`, { is_active: true }).expect(200);
    await directory.stop();
    const answer = await as("alice", "alice's secret").get("/user");
    expect([answer.status, answer.json.message]).toEqual([
      503,
      "staff, which checks the password of this account, cannot be reached at the moment; try again later",
    ]);
    expect(answer.headers.get("retry-after")).toBe("30");
    await as("nobody-at-all", "x's secret").get("/user").expect(503);
    await as("local", "local's pass phrase").get("/user").expect(200);
    expect((await forge.admin.post(`/admin/sources/${sourceId}/check`).expect(503)).message).toContain("cannot be reached");
  });
});
