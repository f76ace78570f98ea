import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { createGitUser } from "../../../../test/kit/git-user.ts";
import { operator } from "../../../access/actor.ts";
import { recordEvent } from "../../../events/events.ts";
import type { AuditEntry, AuditPage } from "../../../wire/audit.ts";
import { auditFeature } from "./feature.ts";
import { listAudit, pruneAudit } from "./service.ts";

const entries = async (user: TestUser, query = ""): Promise<readonly AuditEntry[]> =>
  (await user.get<AuditPage>(`/admin/audit?limit=50&${query}`).expect(200)).entries;

/** The entries of a test, oldest first, one line each: action, target, affected account. */
async function story(forge: TestForge, query = ""): Promise<string[]> {
  const lines = (await entries(forge.admin, query)).map(({ action, target, account }) => `${action} ${target.kind} ${target.name} ${account?.name ?? "-"}`);
  return lines.reverse();
}

eachDialect((dialect) => {
  describe("the audit log", () => {
    test("records every change of access with its author, credential, target and affected account", async () => {
      await using forge = await startForge({ dialect });
      const { admin } = forge;
      const alice = await forge.createUser("alice");
      const bob = await forge.createUser("bob");
      await alice.post("/orgs", { username: "acme" }).expect(201);
      await alice.post("/orgs/acme/repos", { name: "site" }).expect(201);
      const team = await alice.post<{ id: number }>("/orgs/acme/teams", { name: "devs", permission: "read", units: ["repo.code"] }).expect(201);
      await alice.patch(`/teams/${team.id}`, { name: "developers", permission: "write", units: ["repo.code"] }).expect(200);
      await alice.put(`/teams/${team.id}/members/bob`).expect(204);
      await alice.put(`/teams/${team.id}/members/bob`).expect(204);
      await alice.put(`/teams/${team.id}/repos/acme/site`).expect(204);
      await alice.delete(`/teams/${team.id}/repos/acme/site`).expect(204);
      await alice.delete(`/teams/${team.id}/members/bob`).expect(204);
      await alice.delete(`/teams/${team.id}`).expect(204);
      await alice.put("/repos/acme/site/collaborators/bob", { permission: "read" }).expect(204);
      await alice.put("/repos/acme/site/collaborators/bob", { permission: "admin" }).expect(204);
      await alice.put("/repos/acme/site/collaborators/bob", { permission: "admin" }).expect(204);
      await alice.delete("/repos/acme/site/collaborators/bob").expect(204);
      await alice.patch("/repos/acme/site", { name: "web", private: true, archived: true }).expect(200);
      await alice.patch("/orgs/acme", { visibility: "private" }).expect(200);
      await alice.post("/orgs/acme/rename", { new_name: "apex" }).expect(204);
      await alice.post("/user/emails", { emails: ["second@example.com"] }).expect(201);
      await alice.delete("/user/emails", { emails: ["second@example.com"] }).expect(204);
      await alice.patch("/user/settings", { hide_email: true }).expect(200);
      await alice.post("/user/repos", { name: "own" }).expect(201);
      await alice.put("/repos/alice/own/collaborators/bob", { permission: "write" }).expect(204);
      await alice.put("/user/blocks/bob").expect(204);
      await alice.delete("/user/blocks/bob").expect(204);
      await admin.patch("/admin/users/bob", { login_name: "bob", source_id: 0, admin: true, password: "another pass phrase" }).expect(200);
      await admin.post("/admin/users/bob/rename", { new_username: "robert" }).expect(204);
      await alice.delete("/repos/apex/web").expect(204);
      await alice.delete("/orgs/apex").expect(204);
      await admin.delete("/admin/users/robert").expect(204);

      expect(await story(forge, "actor=alice")).toEqual([
        "token.created token all alice",
        "account.created organization acme acme",
        "repo.created repository acme/site -",
        "team.created team acme:devs -",
        "team.updated team acme:developers -",
        "team.member_added team acme:developers bob",
        "team.repository_added team acme:developers -",
        "team.repository_removed team acme:developers -",
        "team.member_removed team acme:developers bob",
        "team.deleted team acme:developers -",
        "collaborator.added repository acme/site bob",
        "collaborator.changed repository acme/site bob",
        "collaborator.removed repository acme/site bob",
        "repo.renamed repository acme/web -",
        "repo.visibility_changed repository acme/web -",
        "repo.archived repository acme/web -",
        "account.updated organization acme acme",
        "account.renamed organization apex apex",
        "email.added user alice alice",
        "email.removed user alice alice",
        "account.updated user alice alice",
        "repo.created repository alice/own -",
        "collaborator.added repository alice/own bob",
        "block.created account alice bob",
        "collaborator.removed repository alice/own bob",
        "block.deleted account alice bob",
        "repo.deleted repository apex/web -",
        "account.deleted organization apex apex",
      ]);
      expect(await story(forge, "actor=chief&account=robert")).toEqual(["account.renamed user robert robert", "account.deleted user robert robert"]);
      expect(await story(forge, "actor=chief&action=account")).toEqual([
        "account.created user alice alice",
        "account.created user bob bob",
        "account.updated user bob bob",
        "account.renamed user robert robert",
        "account.deleted user robert robert",
      ]);

      const [made] = await entries(admin, "action=collaborator.added&target=acme/site");
      expect(made).toEqual({
        id: expect.any(Number),
        created_at: expect.stringMatching(/^\d{4}-/),
        action: "collaborator.added",
        actor: { id: alice.id, name: "alice" },
        acting_as: null,
        carrier: "token",
        credential_id: expect.any(Number),
        address: "127.0.0.1",
        target: { kind: "repository", id: expect.any(Number), name: "acme/site" },
        account: { id: bob.id, name: "bob" },
        details: { mode: "read" },
      });
      expect((await entries(admin, "action=account.updated&account=bob"))[0]?.details).toEqual({ changes: { isAdmin: [false, true], loginName: ["", "bob"] } });
      expect((await entries(admin, "action=account.updated&target=acme"))[0]?.details).toEqual({ changes: { visibility: ["public", "private"] } });
      expect((await entries(admin, "action=team.updated"))[0]?.details).toMatchObject({ formerName: "devs", rights: { units: { "repo.code": "write" } } });
      expect(await story(forge, "action=password")).toEqual(["password.changed user bob bob"]);
    });

    test("records changes that affect access to a repository: rules, keys, hooks, mirrors, teams, transfers, visibility, push options", async () => {
      await using forge = await startForge({ dialect });
      await using work = await createGitUser();
      const [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
      await alice.post("/orgs", { username: "acme" }).expect(201);
      await alice.post("/user/repos", { name: "site" }).expect(201);
      const R = "/repos/alice/site";
      const before = (await story(forge)).length;

      await alice.post(`${R}/branch_protections`, { rule_name: "main" }).expect(201);
      await alice.patch(`${R}/branch_protections/main`, { enable_push: true }).expect(200);
      await alice.delete(`${R}/branch_protections/main`).expect(204);
      const { id: ruleId } = await alice.post(`${R}/tag_protections`, { name_pattern: "v*", whitelist_usernames: ["alice"] }).expect(201);
      await alice.patch(`${R}/tag_protections/${ruleId}`, { name_pattern: "w*", whitelist_usernames: ["alice"] }).expect(200);
      await alice.delete(`${R}/tag_protections/${ruleId}`).expect(204);
      const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFGLDxSgzVeAzNKfV0FDkIzZiZkF1nvQpTfSbCmvGgcX";
      const { id: keyId } = await alice.post(`${R}/keys`, { title: "deploys", key, read_only: true }).expect(201);
      await alice.delete(`${R}/keys/${keyId}`).expect(204);
      const hook = { type: "gitea", config: { url: "https://hooks.example.org/in", content_type: "json" }, authorization_header: "Bearer hidden-word" };
      const { id: hookId } = await alice.post(`${R}/hooks`, hook).expect(201);
      await alice.patch(`${R}/hooks/${hookId}`, { active: true }).expect(200);
      await alice.delete(`${R}/hooks/${hookId}`).expect(204);
      const mirror = { remote_address: "https://copies.invalid/site.git", remote_username: "robot", remote_password: "hidden-word", interval: "8h0m0s" };
      const { remote_name: mirrorName } = await alice.post(`${R}/push_mirrors`, mirror).expect(200);
      await alice.delete(`${R}/push_mirrors/${mirrorName}`).expect(204);
      await alice.patch(R, { private: true }).expect(200);
      await work.init("site");
      await work.commit("site", { "a.txt": "one\n" });
      await work.git("site", "push", "-q", "-o", "repo.private=false", `${alice.gitOrigin}/alice/site`, "main");
      await alice.patch(R, { private: true }).expect(200);
      await alice.post(`${R}/transfer`, { new_owner: "bob" }).expect(201);
      await bob.post(`${R}/transfer/reject`).expect(200);
      await alice.post(`${R}/transfer`, { new_owner: "bob" }).expect(201);
      await bob.post(`${R}/transfer/accept`).expect(202);
      await bob.post("/repos/bob/site/transfer", { new_owner: "alice" }).expect(201);
      await alice.post("/repos/bob/site/transfer/accept").expect(202);
      await alice.post(`${R}/transfer`, { new_owner: "acme" }).expect(202);
      const team = await alice.post<{ id: number }>("/orgs/acme/teams", { name: "devs", permission: "read", units: ["repo.code"] }).expect(201);
      await alice.put(`/teams/${team.id}/repos/acme/site`).expect(204);
      await alice.put("/repos/acme/site/teams/devs").expect(422);
      await alice.delete("/repos/acme/site/teams/devs").expect(204);

      expect((await story(forge)).slice(before)).toEqual([
        "branch_protection.created repository alice/site -",
        "branch_protection.updated repository alice/site -",
        "branch_protection.deleted repository alice/site -",
        "tag_protection.created repository alice/site -",
        "tag_protection.updated repository alice/site -",
        "tag_protection.deleted repository alice/site -",
        "deploy_key.created repository alice/site -",
        "deploy_key.deleted repository alice/site -",
        "hook.created hook alice/site -",
        "hook.updated hook alice/site -",
        "hook.deleted hook alice/site -",
        "push_mirror.created repository alice/site -",
        "push_mirror.deleted repository alice/site -",
        "repo.visibility_changed repository alice/site -",
        "repo.visibility_changed repository alice/site -",
        "repo.visibility_changed repository alice/site -",
        "collaborator.added repository alice/site bob",
        "repo.transfer_requested repository alice/site bob",
        "collaborator.removed repository alice/site bob",
        "repo.transfer_rejected repository alice/site bob",
        "collaborator.added repository alice/site bob",
        "repo.transfer_requested repository alice/site bob",
        "repo.transferred repository bob/site -",
        "collaborator.added repository bob/site alice",
        "repo.transfer_requested repository bob/site alice",
        "repo.transferred repository alice/site -",
        "repo.transferred repository acme/site -",
        "team.created team acme:devs -",
        "team.repository_added team acme:devs -",
        "team.repository_removed team acme:devs -",
      ]);
      const written = JSON.stringify(await forge.context.db.sql.selectFrom("audit_log").selectAll().execute());
      expect(written).toContain("https://copies.invalid/site.git");
      expect(written).not.toContain("hidden-word");
      const [rejected] = await entries(forge.admin, "action=repo.transfer_rejected");
      expect(rejected).toMatchObject({ actor: { name: "bob" }, account: { name: "bob" }, carrier: "token" });
    });

    test("records sudo with the administrator's name, the server's own changes and the credential", async () => {
      await using forge = await startForge({ dialect });
      const alice = await forge.createUser("alice");
      await forge.admin.post("/user/emails?sudo=alice", { emails: ["second@example.com"] }).expect(201);
      const [added] = await entries(forge.admin, "action=email");
      expect(added).toMatchObject({ actor: { id: 1, name: "chief" }, acting_as: { id: alice.id, name: "alice" }, carrier: "token" });
      const [token] = await entries(forge.admin, "action=token&actor=alice");
      expect(token).toMatchObject({ carrier: "password", credential_id: null, details: { scopes: ["all"] } });
      const [first] = await entries(forge.admin, "account=chief&action=account");
      expect(first).toMatchObject({ action: "account.created", actor: { id: null, name: "" }, carrier: "system", address: "", details: { isAdmin: true } });
    });

    test("contains no secrets and nothing about failed changes", async () => {
      await using forge = await startForge({ dialect });
      const alice = await forge.createUser("alice");
      const before = (await entries(forge.admin)).length;
      await forge.admin.post("/admin/users", { username: "alice", email: "x@example.com", password: "a long pass phrase" }).expect(422);
      await alice.post("/user/repos", { name: "bad name" }).expect(422);
      await alice.delete("/user/emails", { emails: [alice.email] }).expect(422);
      expect(await entries(forge.admin)).toHaveLength(before);
      const { db } = forge.context;
      const rows = JSON.stringify(await db.sql.selectFrom("audit_log").selectAll().execute());
      for (const secret of [alice.token, alice.password, forge.admin.token, forge.admin.password, "argon2"]) expect(rows).not.toContain(secret);
    });

    test("is only for administrators, and its filters and pages are exact", async () => {
      await using forge = await startForge({ dialect });
      const { admin } = forge;
      const alice = await forge.createUser("alice");
      await forge.anonymous.get("/admin/audit").expect(401);
      await alice.get("/admin/audit").expect(403);
      for (const name of ["a", "b", "c", "d", "e"]) await alice.post("/user/repos", { name }).expect(201);
      const names: string[] = [];
      let next: number | null = 0;
      for (let pages = 0; next !== null; pages += 1) {
        expect(pages).toBeLessThan(4);
        const page: AuditPage = await admin.get<AuditPage>(`/admin/audit?action=repo&limit=2${next === 0 ? "" : `&cursor=${next}`}`).expect(200);
        names.push(...page.entries.map(({ target }) => target.name));
        next = page.next;
      }
      expect(names).toEqual(["alice/e", "alice/d", "alice/c", "alice/b", "alice/a"]);
      expect(await story(forge, "target=ALICE/C")).toEqual(["repo.created repository alice/c -"]);
      expect(await story(forge, "action=rep")).toEqual([]);
      expect(await story(forge, "actor=nobody")).toEqual([]);
      expect(await story(forge, "since=2100-01-01T00:00:00Z")).toEqual([]);
      expect(await story(forge, "before=2000-01-01T00:00:00Z")).toEqual([]);
      expect((await story(forge, "since=2000-01-01T00:00:00Z&before=2100-01-01T00:00:00Z")).length).toBeGreaterThan(5);
      await admin.get("/admin/audit?since=yesterday").expect(422);
      await admin.get("/admin/audit?limit=100000&cursor=-1").expect(200);
      const read = await forge.cost(() => admin.get("/admin/audit?actor=alice&account=alice&action=repo&limit=50").expect(200));
      expect(read.statements.length).toBeLessThanOrEqual(5);
    });

    test("finds renamed users by their previous name and deleted ones by their last name", async () => {
      await using forge = await startForge({ dialect });
      const alice = await forge.createUser("alice");
      await alice.post("/user/emails", { emails: ["second@example.com"] }).expect(201);
      await forge.admin.post("/admin/users/alice/rename", { new_username: "alicia" }).expect(204);
      expect(await story(forge, "actor=alicia&action=email")).toEqual(["email.added user alice alice"]);
      await forge.admin.delete("/admin/users/alicia").expect(204);
      expect(await story(forge, "actor=alice&action=email")).toEqual(["email.added user alice alice"]);
      expect(await story(forge, "account=alicia")).toEqual(["account.renamed user alicia alicia", "account.deleted user alicia alicia"]);
    });

    test("is append-only except for the operator's pruning, which is recorded", async () => {
      await using database = await dialect.open();
      const { db } = database;
      for (const handler of auditFeature.inTransaction ?? []) handler.register(db);
      const record = (name: string) => db.tx((tx) => recordEvent(tx, "schedule.requested", { name }, { by: operator }));
      await record("one");
      await record("two");
      for (const statement of [
        sql`update audit_log set actor_name = 'nobody'`,
        sql`delete from audit_log`,
        sql`delete from audit_log where id = 1`,
        sql`insert into audit_log select * from audit_log where id = 1`,
      ]) {
        await expect(db.tx((tx) => statement.execute(tx.sql))).rejects.toThrow();
      }
      const shown = async (): Promise<string[]> =>
        (await listAudit({ db }, operator, { limit: 10 })).entries.map(({ action, target }) => `${action} ${target.name}`);
      expect(await shown()).toEqual(["schedule.requested two", "schedule.requested one"]);
      await expect(pruneAudit({ db }, operator, Date.now() + 3_600_000)).rejects.toThrow("in the future");
      expect(await pruneAudit({ db }, operator, 1_000)).toBe(0);
      const [oldest] = (await listAudit({ db }, operator, { limit: 10 })).entries.toReversed();
      expect(await pruneAudit({ db }, operator, (oldest?.createdMs ?? 0) + 1)).toBeGreaterThan(0);
      expect((await shown())[0]).toBe("audit.pruned ");
      await expect(db.tx((tx) => sql`delete from audit_log where action = 'audit.pruned'`.execute(tx.sql))).rejects.toThrow();
    });
  });
});
