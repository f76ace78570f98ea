import { afterAll, beforeAll, expect, test } from "vitest";
import { createApiClient } from "../../../../test/kit/api-client.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { peopleBase, person, serverDn, serverPassword, startDirectory, type TestDirectory } from "../../../../test/kit/directory.ts";
import { startForge, type TestForge } from "../../../../test/kit/forge.ts";

eachDialect((dialect) => {
  let forge: TestForge;
  let directory: TestDirectory;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    directory = await startDirectory([person("alice", "alice's secret"), person("bob", "bob's secret"), person("boss", "boss's secret", { title: "boss" })]);
    const ldap = { host: "127.0.0.1", port: directory.port, security: "none", bind_dn: serverDn, user_base: peopleBase, admin_filter: "(title=boss)" };
    await forge.admin.post("/admin/sources", { kind: "ldap", name: "staff", auto_register: true, secret: serverPassword, ldap }).expect(201);
    for (const name of ["alice", "bob", "boss"]) await as(name).get("/user").expect(200);
  });
  afterAll(async () => {
    await forge[Symbol.asyncDispose]();
    await directory[Symbol.asyncDispose]();
  });

  const as = (name: string) => createApiClient(forge.url, `Basic ${Buffer.from(`${name}:${name}'s secret`).toString("base64")}`);
  const shown = (name: string) => forge.admin.get(`/users/${name}`).expect(200);
  const change = (uid: string, entry: ReturnType<typeof person> | undefined): void => {
    const at = directory.entries.findIndex(({ attributes }) => attributes.uid === uid);
    directory.entries.splice(at, 1, ...(entry === undefined ? [] : [entry]));
  };
  const sync = async (): Promise<void> => {
    await forge.admin.post("/admin/cron/sync_external_users").expect(204);
    await forge.settled();
  };

  test("updates accounts from their directory and deactivates users that the directory no longer knows", async () => {
    const made = await as("alice")
      .post("/users/alice/tokens", { name: "t", scopes: ["read:user"] })
      .expect(201);
    const byToken = createApiClient(forge.url, `token ${made.sha1}`);
    await byToken.get("/user").expect(200);
    change("alice", undefined);
    change("bob", person("bob", "bob's secret", { cn: "Bob the Builder" }));
    change("boss", person("boss", "boss's secret"));
    await sync();
    expect(await shown("alice")).toMatchObject({ active: false });
    await byToken.get("/user").expect(403);
    await as("alice").get("/user").expect(401);
    expect(await shown("bob")).toMatchObject({ active: true, full_name: "Bob the Builder" });
    expect(await shown("boss")).toMatchObject({ active: true, is_admin: false });

    // The directory knows the user again, but only an administrator can reactivate the account.
    directory.entries.push(person("alice", "alice's secret"));
    await sync();
    expect(await shown("alice")).toMatchObject({ active: false });
  });

  test("deactivates no account when the directory is unreachable or knows no users", async () => {
    const entries = directory.entries.splice(0);
    await sync();
    expect(await shown("bob")).toMatchObject({ active: true });
    directory.entries.push(...entries.filter(({ attributes }) => attributes.uid !== "bob"));
    await directory.stop();
    await sync();
    expect(await shown("bob")).toMatchObject({ active: true });
  });
});
