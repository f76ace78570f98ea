import { afterAll, beforeAll, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { eventsOf } from "../../../../test/kit/events.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";

const secret = "a secret that nobody reads";
const directory = { host: "ldap.example.org", user_base: "ou=people,dc=example,dc=org" };
const provider = { issuer: "https://id.example.org/realms/main", client_id: "hearth" };

eachDialect((dialect) => {
  let forge: TestForge;
  let admin: TestUser;
  let alice: TestUser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    admin = forge.admin;
    alice = await forge.createUser("alice");
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const events = async (): Promise<unknown[]> => (await eventsOf(forge, { type: "source.*" })).map(({ type, payload }) => [type, payload]);

  test("creates, shows, lists, edits and deletes sources without ever returning their secrets", async () => {
    const made = await admin.post("/admin/sources", { kind: "ldap", name: "staff", secret, ldap: { ...directory, bind_dn: "cn=hearth" } }).expect(201);
    expect(made).toMatchObject({ kind: "ldap", name: "staff", is_active: true, auto_register: false, has_secret: true });
    expect(made.ldap).toMatchObject({ ...directory, port: 636, security: "ldaps", verify_certificate: true, user_filter: "(uid=%s)", name_attribute: "uid" });
    expect(made).not.toHaveProperty("oidc");
    const other = await admin.post("/admin/sources", { kind: "oidc", name: "House", is_active: false, oidc: provider }).expect(201);
    expect(other).toMatchObject({ is_active: false, has_secret: false, oidc: { ...provider, redirect_uri: `${forge.url}/user/oauth2/House/callback` } });

    expect(await admin.get(`/admin/sources/${made.id}`).expect(200)).toEqual(made);
    const listed = await admin.get("/admin/sources?limit=1");
    expect([listed.json, listed.headers.get("x-total-count")]).toEqual([[made], "2"]);

    const changed = await admin
      .patch(`/admin/sources/${made.id}`, { name: "people", auto_register: true, ldap: { security: "starttls", port: 389 } })
      .expect(200);
    expect(changed).toMatchObject({
      name: "people",
      auto_register: true,
      has_secret: true,
      ldap: { ...directory, security: "starttls", port: 389, bind_dn: "cn=hearth" },
    });
    expect(await admin.patch(`/admin/sources/${made.id}`, { secret: "" }).expect(200)).toMatchObject({ has_secret: false });

    const kept = await forge.context.db.sql.selectFrom("authentication_sources").selectAll().execute();
    const everything = JSON.stringify([kept, await events(), listed.text, forge.log]);
    expect(everything).not.toContain(secret);

    await admin.delete(`/admin/sources/${made.id}`).expect(204);
    await admin.get(`/admin/sources/${made.id}`).expect(404);
    await admin.delete(`/admin/sources/${other.id}`).expect(204);
    const payload = { sourceId: made.id, kind: "ldap" };
    expect(await events()).toEqual([
      ["source.created", { ...payload, name: "staff" }],
      ["source.created", { sourceId: other.id, kind: "oidc", name: "House" }],
      ["source.updated", { ...payload, name: "people", isActive: true }],
      ["source.updated", { ...payload, name: "people", isActive: true }],
      ["source.deleted", { ...payload, name: "people" }],
      ["source.deleted", { sourceId: other.id, kind: "oidc", name: "House" }],
    ]);
  });

  test("allows only administrators whose token has the admin scope", async () => {
    const { id } = await admin.post("/admin/sources", { kind: "oidc", name: "guarded", oidc: provider }).expect(201);
    const paths = ["/admin/sources", `/admin/sources/${id}`];
    for (const path of paths) {
      await alice.get(path).expect(403);
      await forge.anonymous.get(path).expect(401);
    }
    await alice.post("/admin/sources", { kind: "oidc", name: "mine", oidc: provider }).expect(403);
    await alice.patch(`/admin/sources/${id}`, { is_active: false }).expect(403);
    await alice.delete(`/admin/sources/${id}`).expect(403);
    await alice.post(`/admin/sources/${id}/check`).expect(403);
    await forge.anonymous.post("/admin/sources", {}).expect(401);
    await admin.delete(`/admin/sources/${id}`).expect(204);
    for (const missing of ["0", "x", "999999999999999999", String(id)]) {
      await admin.get(`/admin/sources/${missing}`).expect(404);
      await admin.patch(`/admin/sources/${missing}`, {}).expect(404);
      await admin.delete(`/admin/sources/${missing}`).expect(404);
      await admin.post(`/admin/sources/${missing}/check`).expect(404);
    }
  });

  test.each([
    [{ kind: "ldap", name: "x" }, "[LDAP]: Required"],
    [{ kind: "oidc", name: "x" }, "[OIDC]: Required"],
    [{ kind: "saml", name: "x" }, "[Kind]: In"],
    [{ kind: "ldap", name: "a/b", ldap: directory }, "must begin with A-Z, a-z or 0-9"],
    [{ kind: "ldap", name: "..", ldap: directory }, "must begin with A-Z, a-z or 0-9"],
    [{ kind: "ldap", name: "x", ldap: { ...directory, host: "ldap://x/" } }, "host: enter the directory's host"],
    [{ kind: "ldap", name: "x", ldap: { ...directory, port: 0 } }, "port must be between"],
    [{ kind: "ldap", name: "x", ldap: { ...directory, security: "maybe" } }, "[Security]: In"],
    [{ kind: "ldap", name: "x", ldap: { ...directory, authority: "no certificate" } }, "authority must be one or more certificates"],
    [{ kind: "ldap", name: "x", ldap: { host: "h" } }, "user_base: enter the entry"],
    [{ kind: "ldap", name: "x", ldap: { ...directory, user_filter: "(objectClass=person)" } }, "user_filter must contain %s"],
    [{ kind: "ldap", name: "x", ldap: { ...directory, user_filter: "(uid=%s" } }, "user_filter: (uid=%s is not a search filter"],
    [{ kind: "ldap", name: "x", ldap: { ...directory, admin_filter: "title" } }, "admin_filter: title is not a search filter"],
    [{ kind: "ldap", name: "x", ldap: { ...directory, user_dn: "uid=alice" } }, "user_dn must contain %s"],
    [{ kind: "ldap", name: "x", ldap: { ...directory, group_filter: "(member=%d)" } }, "group_base: enter the entry"],
    [{ kind: "ldap", name: "x", ldap: { ...directory, group_filter: "(cn=forge)", group_base: "ou=groups" } }, "group_filter must contain %d"],
    [{ kind: "oidc", name: "x", oidc: { ...provider, issuer: "file:///etc" } }, "issuer must be an http or https address"],
    [{ kind: "oidc", name: "x", oidc: { ...provider, issuer: "https://u:p@id.example.org" } }, "issuer must not have a query"],
    [{ kind: "oidc", name: "x", oidc: { ...provider, client_id: "" } }, "client_id: enter the id"],
    [{ kind: "oidc", name: "x", oidc: { ...provider, scopes: ["a b"] } }, "scopes must not contain"],
    [{ kind: "oidc", name: "x", oidc: { ...provider, name_claim: "" } }, "name_claim: enter the claim"],
    [{ kind: "oidc", name: "x", oidc: { ...provider, admin_group: "ops" } }, "groups_claim: enter the claim"],
  ])("rejects settings that cannot work: %j", async (body, message) => {
    expect((await admin.post("/admin/sources", body).expect(422)).message).toContain(message);
  });

  test("rejects a second source whose name differs only in case", async () => {
    const { id } = await admin.post("/admin/sources", { kind: "oidc", name: "unique", oidc: provider }).expect(201);
    expect((await admin.post("/admin/sources", { kind: "oidc", name: "UNIQUE", oidc: provider }).expect(422)).message).toBe(
      "a sign-in source named UNIQUE already exists",
    );
    await admin.patch(`/admin/sources/${id}`, { name: "Unique" }).expect(200);
    expect((await admin.patch(`/admin/sources/${id}`, { ldap: directory }).expect(422)).message).toContain("its settings belong in oidc");
    await admin.delete(`/admin/sources/${id}`).expect(204);
  });

  test("lists sources in two statements besides the authentication of the caller", async () => {
    for (const name of ["one", "two", "three"]) await admin.post("/admin/sources", { kind: "oidc", name, oidc: provider }).expect(201);
    const { statements } = await forge.cost(() => admin.get("/admin/sources").expect(200));
    expect(statements.length).toBeLessThanOrEqual(3);
    const { statements: own } = await forge.cost(() => alice.get("/user/identities").expect(200));
    expect(own.length).toBeLessThanOrEqual(3);
  });
});
