import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { differences } from "../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    await alice.post("/user/repos", { name: "demo" }).expect(201);
    await alice.post("/orgs", { username: "acme" }).expect(201);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const address = "https://hooks.example.org/x";
  const valid = { type: "gitea", config: { url: address, content_type: "json" } };

  describe.each([
    ["/repos/alice/demo/hooks", () => alice, 403],
    ["/orgs/acme/hooks", () => alice, 403],
    ["/user/hooks", () => alice, 404],
    ["/admin/hooks", () => forge.admin, 403],
  ] as const)("webhooks at %s", (base, owner, othersStatus) => {
    test("webhooks are created, listed, shown, edited and deleted without ever showing their secrets", async () => {
      const all = base === "/admin/hooks" ? `${base}?type=all` : base;
      const config = { ...valid.config, secret: "shared canary" };
      const made = await owner()
        .post(base, { ...valid, config, branch_filter: "main", authorization_header: "Bearer canary" })
        .expect(201);
      expect(differences(made, "Hook")).toEqual([]);
      expect(made).toMatchObject({
        type: "gitea",
        active: false,
        events: ["push"],
        branch_filter: "main",
        config: valid.config,
        authorization_header: "Bearer canary",
      });
      const shown = await owner().get(`${base}/${made.id}`);
      expect(shown.json).toEqual({ ...made, authorization_header: "" });
      const listed = await owner().get(all);
      expect(listed.headers.get("x-total-count")).toBe("1");
      expect(shown.text + listed.text).not.toContain("canary");
      const kept = await forge.context.db.sql.selectFrom("hooks").selectAll().where("id", "=", made.id).executeTakeFirstOrThrow();
      expect(JSON.stringify(kept)).not.toContain("canary");

      await bob.get(`${base}/${made.id}`).expect(othersStatus);
      await bob.patch(`${base}/${made.id}`, {}).expect(othersStatus);
      await forge.anonymous.get(`${base}/${made.id}`).expect(401);

      const edited = await owner()
        .patch(`${base}/${made.id}`, { active: true, events: ["issues"], config: { content_type: "form" } })
        .expect(200);
      expect(edited).toMatchObject({ active: true, branch_filter: "", config: { url: address, content_type: "form" }, authorization_header: "" });
      expect(edited.events).toEqual(["issues", "issue_assign", "issue_label", "issue_milestone", "issue_comment"]);
      expect(await owner().patch(`${base}/${made.id}`, {}).expect(200)).toMatchObject({ active: true, events: ["push"] });
      await owner().delete(`${base}/${made.id}`).expect(204);
      await owner().delete(`${base}/${made.id}`).expect(404);
      await owner().patch(`${base}/${made.id}`, {}).expect(404);
    });
  });

  test("are not found through another owner", async () => {
    const { id } = await alice.post("/repos/alice/demo/hooks", valid).expect(201);
    await alice.post("/user/repos", { name: "second" }).expect(201);
    for (const base of ["/repos/alice/second/hooks", "/orgs/acme/hooks", "/user/hooks"]) {
      const foreign = await alice.get(`${base}/${id}`);
      const missing = await alice.get(`${base}/99999`);
      expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
      await alice.delete(`${base}/${id}`).expect(404);
    }
    await forge.admin.get(`/admin/hooks/${id}`).expect(404);
    await alice.get(`/repos/alice/demo/hooks/${id}`).expect(200);
  });

  test.each([
    [{ config: valid.config }, "[Type]: Required"],
    [{ type: "gitea" }, "[Config]: Required"],
    [{ ...valid, type: "bogus" }, "Invalid hook type: bogus"],
    [{ ...valid, config: { content_type: "json" } }, "Missing config option: url"],
    [{ ...valid, config: { url: address } }, "Missing config option: content_type"],
    [{ ...valid, config: { url: address, content_type: "xml" } }, "Invalid content type"],
    [{ ...valid, config: { url: "not a url", content_type: "json" } }, "Invalid url"],
    [{ ...valid, config: { url: "ftp://x.example.org", content_type: "json" } }, "Invalid url"],
    [{ ...valid, config: { url: "http://user@x.example.org", content_type: "json" } }, "Invalid url"],
    [{ ...valid, config: { url: "", content_type: "json" } }, "Invalid url"],
    [{ ...valid, type: "slack" }, "Missing config option: channel"],
    [{ ...valid, branch_filter: "[bad" }, "[BranchFilter]: unterminated character class"],
    [{ ...valid, authorization_header: "a\r\nX-Evil: b" }, "[AuthorizationHeader]: no line breaks or other control characters"],
    [{ ...valid, config: { ...valid.config, secret: "a\nb" } }, "[Secret]: no line breaks or other control characters"],
  ])("rejects the invalid webhook %j", async (body, message) => {
    expect(await alice.post("/repos/alice/demo/hooks", body).expect(422)).toMatchObject({ message });
  });

  test("a Slack webhook always shows its optional settings", async () => {
    const config = { ...valid.config, channel: "#general" };
    const made = await alice.post("/repos/alice/demo/hooks", { ...valid, type: "slack", config }).expect(201);
    expect(made.config).toEqual({ ...config, color: "", icon_url: "", username: "" });
    const edited = await alice.patch(`/repos/alice/demo/hooks/${made.id}`, { config: { color: "#ff0000" } }).expect(200);
    expect(edited.config).toMatchObject({ channel: "#general", color: "#ff0000", username: "" });
    await alice.delete(`/repos/alice/demo/hooks/${made.id}`).expect(204);
  });

  test("stores the normalized address and ignores unknown events", async () => {
    const config = { url: "http://ＨＯＯＫＳ.example.org/a/../b", content_type: "json" };
    const made = await alice.post("/repos/alice/demo/hooks", { ...valid, config, events: ["nosuch_event"] }).expect(201);
    expect(made).toMatchObject({ config: { url: "http://hooks.example.org/b" }, events: [] });
    const reviews = await alice.post("/repos/alice/demo/hooks", { ...valid, events: ["pull_request_review_approved", "pull_request_only"] }).expect(201);
    expect(reviews.events).toEqual(["pull_request", "pull_request_review"]);
    await alice.patch(`/repos/alice/demo/hooks/${made.id}`, { config: { url: "https:evil" } }).expect(422);
  });

  test("default webhooks are copied into new repositories with their secrets; system webhooks are not", async () => {
    const made = await forge.admin.post("/admin/hooks", { ...valid, config: { ...valid.config, secret: "s" }, active: true }).expect(201);
    const system = await forge.admin.post("/admin/hooks", { ...valid, config: { ...valid.config, is_system_webhook: "true" } }).expect(201);
    expect((await forge.admin.get("/admin/hooks").expect(200)).map(({ id }: { id: number }) => id)).toEqual([system.id]);
    expect((await forge.admin.get("/admin/hooks?type=default").expect(200)).map(({ id }: { id: number }) => id)).toEqual([made.id]);
    await alice.post("/user/repos", { name: "born" }).expect(201);
    const [copy, ...others] = await alice.get("/repos/alice/born/hooks").expect(200);
    expect(others).toEqual([]);
    expect(copy).toMatchObject({ config: valid.config, active: true, events: ["push"] });
    const rows = await forge.context.db.sql.selectFrom("hooks").select("secret").where("id", "in", [copy.id, made.id]).execute();
    expect(rows[0]?.secret).toBe(rows[1]?.secret);
    for (const { id } of [made, system]) await forge.admin.delete(`/admin/hooks/${id}`).expect(204);
  });

  test("changes of webhooks are recorded in the audit log without addresses", async () => {
    const { id } = await alice.post("/user/hooks", { ...valid, config: { ...valid.config, url: `${address}?key=canary` } }).expect(201);
    const { entries } = await forge.admin.get("/admin/audit?limit=1").expect(200);
    expect(entries[0]).toMatchObject({
      action: "hook.created",
      target: { kind: "hook", id, name: "alice" },
      details: { host: "hooks.example.org", type: "gitea" },
    });
    expect(JSON.stringify(entries)).not.toContain("canary");
  });

  test("hook scripts are refused", async () => {
    expect(await alice.get("/repos/alice/demo/hooks/git").expect(403)).toMatchObject({ message: "must be allowed to edit Git hooks" });
    const script = { content: "#!/bin/sh\ntouch /tmp/pwned" };
    for (const name of ["pre-receive", "..%2f..%2fconfig"])
      expect((await forge.admin.patch(`/repos/alice/demo/hooks/git/${name}`, script)).status).toBeGreaterThanOrEqual(403);
    await forge.admin.get("/repos/alice/demo/hooks/git/pre-receive").expect(403);
    await alice.delete("/repos/alice/demo/hooks/git/update").expect(403);
  });

  test("lists cost a constant number of statements", async () => {
    const first = await forge.cost(() => alice.get("/repos/alice/demo/hooks?limit=1").expect(200));
    const all = await forge.cost(() => alice.get("/repos/alice/demo/hooks").expect(200));
    expect([first.statements.length, all.statements.length]).toEqual([2, 2]);
  });
});
