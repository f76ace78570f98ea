import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { moveWikiRefs } from "../../src/features/repositories/wiki/service/refs.ts";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { type ReadPage, readPage } from "../kit/page.ts";

/** Repository settings pages without JavaScript. */

const evil = '"><img src=x onerror=alert(1)><script>alert(2)</script>';

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let owner: Browser;
  let other: Browser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    [owner, other] = [await signedIn(alice), await signedIn(bob)];
    await alice.post("/user/repos", { name: "r", auto_init: true }).expect(201);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  async function signedIn(user: TestUser): Promise<Browser> {
    const browser = createBrowser(forge.url);
    await browser.signIn(user);
    return browser;
  }
  const open = async (path: string, browser = owner): Promise<ReadPage & { readonly status: number }> => {
    const { status, text } = await browser.get(path);
    const page = readPage(text);
    expect(page.dangers, path).toEqual([]);
    return { status, ...page };
  };
  /** Fills in and sends a form of a page. */
  const send = async (path: string, action: string, fields: Readonly<Record<string, string>> = {}) => owner.submit(await owner.get(path), action, fields);

  describe("general settings", () => {
    const path = "/alice/r/settings";

    test("are accessible to administrators of the repository only", async () => {
      expect((await open("/alice/r")).links).toContain(path);
      expect((await open("/alice/r", other)).links).not.toContain(path);
      expect((await open(path, other)).status).toBe(403);
      expect((await createBrowser(forge.url).get(path)).location).toBe(`/user/login?redirect_to=${encodeURIComponent(path)}`);
      await alice.put("/repos/alice/r/collaborators/bob", { permission: "admin" }).expect(204);
      const page = await open(path, other);
      expect([page.status, page.links.includes(`${path}/delete`), page.headings]).toEqual([200, false, ["General"]]);
      expect((await open(`${path}/delete`, other)).status).toBe(403);
      await alice.delete("/repos/alice/r/collaborators/bob").expect(204);
    });

    test("do not offer features that do not exist, and keep their values", async () => {
      await alice.patch("/repos/alice/r", { has_projects: true, has_packages: false, has_actions: true }).expect(200);
      const before = await alice.get<Record<string, boolean>>("/repos/alice/r").expect(200);
      const { text } = await open(path);
      expect(["Projects", "Packages"].filter((name) => text.includes(name))).toEqual([]);
      await send(path, path, { description: "saved" });
      const after = await alice.get<Record<string, boolean>>("/repos/alice/r").expect(200);
      const kept = (values: Record<string, boolean>) => [values.has_projects, values.has_packages, values.has_actions];
      expect([kept(after), kept(before)]).toEqual([
        [true, false, true],
        [true, false, true],
      ]);
      await alice.patch("/repos/alice/r", { description: "" }).expect(200);
    });

    test("an unchanged form changes nothing; a changed one is saved and shown", async () => {
      const before = await alice.get("/repos/alice/r").expect(200);
      const sent = await send(path, path);
      expect([sent.status, sent.location]).toEqual([303, `${path}?saved=true`]);
      expect(await alice.get("/repos/alice/r").expect(200)).toEqual({ ...before, updated_at: expect.any(String) });
      expect((await open(`${path}?saved=true`)).text).toContain("Saved.");
      await send(path, path, {
        description: evil,
        website: "https://example.org",
        wiki: "off",
        issues: "external",
        external_tracker_url: "https://t.example.org",
      });
      expect(await alice.get("/repos/alice/r").expect(200)).toMatchObject({
        description: evil,
        website: "https://example.org",
        has_wiki: false,
        has_issues: true,
        external_tracker: { external_tracker_url: "https://t.example.org" },
      });
      await send(path, path, { issues: "own", default_merge_style: "squash", allow_rebase: "" });
      const after = await alice.get("/repos/alice/r").expect(200);
      expect(after).toMatchObject({ private: false, default_merge_style: "squash", allow_rebase: false, internal_tracker: { enable_time_tracker: true } });
    });

    test.each([
      [{ name: "a b" }, "Use only A–Z, a–z, digits, dashes, underscores, and dots."],
      [{ name: "taken" }, "A repository with this name already exists."],
      [{ website: "javascript:alert(1)" }, "Enter a URL"],
      [{ default_branch: "nowhere" }, "Branch not found."],
      [{ issues: "external", external_tracker_url: "odd" }, "Enter a URL"],
    ])("%o is rejected with an error next to its field, and the form keeps its input", async (fields, message) => {
      if ((await alice.get("/repos/alice/taken")).status === 404) await alice.post("/user/repos", { name: "taken" }).expect(201);
      const before = await alice.get("/repos/alice/r").expect(200);
      const answer = await send(path, path, { website: "https://typed.example.org", ...fields });
      expect(answer.status).toBe(422);
      expect(readPage(answer.text).text).toContain(message);
      const typed = Object.values(fields).at(-1) ?? "";
      expect(Object.values(answer.form(path))).toContain(typed);
      expect(await alice.get("/repos/alice/r").expect(200)).toEqual(before);
    });

    test("a taken name, a rule without users, and the owner as a collaborator are rejected at their fields", async () => {
      await alice.post("/user/repos", { name: "in-use" }).expect(201);
      const renamed = await send(path, path, { name: "in-use" });
      expect([renamed.status, renamed.text.includes('id="name-problem"')]).toEqual([422, true]);
      const tags = `${path}/tags`;
      expect((await send(tags, tags, { name_pattern: "rc*" })).text).toContain('id="whitelist_usernames-problem"');
      const rules = `${path}/branches/new`;
      const rule = await send(rules, rules, { rule_name: "[" });
      expect([rule.status, rule.text.includes('id="rule_name-problem"')]).toEqual([422, true]);
      const people = `${path}/collaboration`;
      const owns = await send(people, people, { name: "Alice" });
      expect([owns.status, owns.text.includes("The owner already has full access.")]).toEqual([422, true]);
    });

    test("an organization as a collaborator is rejected at the field", async () => {
      await alice.post("/orgs", { username: "guests" }).expect(201);
      const people = `${path}/collaboration`;
      const refused = await send(people, people, { name: "guests" });
      expect([refused.status, refused.text.includes("Organizations cannot be collaborators.")]).toEqual([422, true]);
    });

    test("unknown users and teams of a rule are rejected at their fields", async () => {
      const problemsOf = async (page: string, fields: Readonly<Record<string, string>>): Promise<readonly (string | undefined)[]> => {
        const { status, text } = await send(page, page, fields);
        expect(status).toBe(422);
        return [...text.matchAll(/id="([\w-]+)-problem"/g)].map(([, name]) => name);
      };
      const rules = `${path}/branches/new`;
      for (const [list, field] of Object.entries({
        enable_push_whitelist: "push_whitelist_usernames",
        enable_force_push_allowlist: "force_push_allowlist_usernames",
        enable_merge_whitelist: "merge_whitelist_usernames",
        enable_approvals_whitelist: "approvals_whitelist_username",
      }))
        expect(await problemsOf(rules, { rule_name: "kept", enable_push: "true", enable_force_push: "true", [list]: "true", [field]: "nosuch" })).toEqual([
          field,
        ]);
      expect(await problemsOf(`${path}/tags`, { name_pattern: "v*", whitelist_usernames: "alice, nosuch" })).toEqual(["whitelist_usernames"]);
      await alice.post("/orgs/guests/repos", { name: "house", auto_init: true }).expect(201);
      const [people, teams] = ["/guests/house/settings/collaboration", "/guests/house/settings/collaboration/teams"];
      const present = await send(people, teams, { name: "Owners" });
      expect([present.status, present.text.includes("This team already has access to the repository.")]).toEqual([422, true]);
      const tags = "/guests/house/settings/tags";
      expect(await problemsOf(tags, { name_pattern: "v*", whitelist_teams: "nosuch" })).toEqual(["whitelist_teams"]);
    });

    test("the rules of an archived repository are shown without actions, and their forms say why they are closed", async () => {
      await alice.post("/user/repos", { name: "finished", auto_init: true }).expect(201);
      await alice.post("/repos/alice/finished/branch_protections", { rule_name: "main" }).expect(201);
      const [branches, tags] = ["/alice/finished/settings/branches", "/alice/finished/settings/tags"];
      expect((await open(branches)).links).toContain(`${branches}/new`);
      await alice.patch("/repos/alice/finished", { archived: true }).expect(200);
      const { text, links } = await open(branches);
      expect([text.includes("Unarchive it to change its rules."), links.filter((link) => link.startsWith(`${branches}/`))]).toEqual([true, []]);
      expect((await owner.get(branches)).text).not.toContain(`${branches}/delete`);
      expect((await owner.get(tags)).text).not.toContain(`action="${tags}"`);
      for (const closed of [`${branches}/new`, `${branches}/edit/main`]) {
        const page = await open(closed);
        expect([page.status, page.text.includes("Unlock or unarchive it first")]).toEqual([423, true]);
      }
    });

    test("the settings of Actions say that Actions is disabled", async () => {
      await alice.patch("/repos/alice/r", { has_actions: false }).expect(200);
      expect((await open(`${path}/actions`)).text).toContain("Actions is disabled in this repository");
      await alice.patch("/repos/alice/r", { has_actions: true }).expect(200);
      expect((await open(`${path}/actions`)).text).not.toContain("Actions is disabled in this repository");
    });

    test("topics are set, link to repositories that share them, and stay in a rejected form", async () => {
      const topics = `${path}/topics`;
      expect((await send(path, topics, { topics: "Beds,  water water" })).location).toBe(`${path}?saved=true`);
      expect(await alice.get("/repos/alice/r/topics").expect(200)).toEqual({ topics: ["beds", "water"] });
      expect((await open("/alice/r")).links).toContain("/explore/repos?q=water&topic=1");
      const [found, words] = [await open("/explore/repos?q=water&topic=1"), await open("/explore/repos?q=water")];
      expect([found.text.includes("1 repository with the topic water"), found.links.includes("/alice/r"), words.links.includes("/alice/r")]).toEqual([
        true,
        true,
        true,
      ]);
      const refused = await send(path, topics, { topics: "beds no_such" });
      expect([refused.status, refused.form(topics).topics, readPage(refused.text).text.includes("A topic must start with a letter")]).toEqual([
        422,
        "beds no_such",
        true,
      ]);
      await send(path, topics, { topics: "" });
      expect(await alice.get("/repos/alice/r/topics").expect(200)).toEqual({ topics: [] });
    });

    test("forms of other sites and forms without the token change nothing", async () => {
      const form = (await owner.get(path)).form(path);
      const foreign = await owner.post(path, { ...form, description: "x" }, { origin: "http://evil.example", "sec-fetch-site": "cross-site" });
      const { _csrf, ...unsigned } = form;
      expect([foreign.status, (await owner.post(path, unsigned)).status, (await other.post(path, form)).status]).toEqual([403, 403, 403]);
    });

    test("a repository is archived, unarchived, renamed, and deleted only after entering its name", async () => {
      await send(path, `${path}/archive`);
      expect(await alice.get("/repos/alice/r").expect(200)).toMatchObject({ archived: true });
      await send(path, `${path}/unarchive`);
      expect(await alice.get("/repos/alice/r").expect(200)).toMatchObject({ archived: false });
      await alice.post("/user/repos", { name: "doomed" }).expect(201);
      const renamed = await send("/alice/doomed/settings", "/alice/doomed/settings", { name: "ended" });
      expect(renamed.location).toBe("/alice/ended/settings?saved=true");
      const [ended, last] = ["/alice/ended/settings", "/alice/ended/settings/delete"];
      expect((await open(ended)).links).toContain(last);
      const wrong = await send(last, last, { confirmation: "ended" });
      expect([wrong.status, readPage(wrong.text).text.includes("The name does not match.")]).toEqual([422, true]);
      const deleted = await send(last, last, { confirmation: "alice/ended" });
      expect(deleted.location).toMatch(/^\/user\/settings\/repos\?deleted=\d+$/);
      await alice.get("/repos/alice/ended").expect(404);
    });

    test("the visibility of a repository changes only after entering its name", async () => {
      await alice.post("/user/repos", { name: "shown" }).expect(201);
      const [settings, page] = ["/alice/shown/settings", "/alice/shown/settings/visibility"];
      expect((await open(settings)).links).toContain(page);
      const wrong = await send(page, page, { confirmation: "shown" });
      expect([wrong.status, readPage(wrong.text).text.includes("The name does not match.")]).toEqual([422, true]);
      expect((await alice.get("/repos/alice/shown").expect(200)).private).toBe(false);
      expect((await send(page, page, { confirmation: "alice/shown" })).location).toBe(`${settings}?saved=true`);
      expect((await alice.get("/repos/alice/shown").expect(200)).private).toBe(true);
      expect((await open(page)).text).toContain("Everyone will see the code");
      await send(page, page, { confirmation: "alice/shown" });
      expect((await alice.get("/repos/alice/shown").expect(200)).private).toBe(false);
      expect((await other.get(page)).status).toBe(403);
    });

    test("the wiki is deleted with its history after entering the name, and a change in progress fails", async () => {
      const { id } = await alice.post<{ id: number }>("/user/repos", { name: "scribbled" }).expect(201);
      const [settings, page] = ["/alice/scribbled/settings", "/alice/scribbled/settings/wiki/delete"];
      expect((await open(settings)).links).not.toContain(page);
      const write = () => alice.post("/repos/alice/scribbled/wiki/new", { title: "Home", content_base64: "eA==" });
      await write().expect(201);
      const { db } = forge.forge.context;
      const { wiki_store_id: storeId } = await db.sql.selectFrom("repositories").select("wiki_store_id").where("id", "=", id).executeTakeFirstOrThrow();
      expect((await open(settings)).links).toContain(page);
      expect((await send(page, page, { confirmation: "scribbled" })).status).toBe(422);
      await alice.get("/repos/alice/scribbled/wiki/page/Home").expect(200);
      expect((await send(page, page, { confirmation: "alice/scribbled" })).location).toBe(`${settings}?saved=deleted`);
      await alice.get("/repos/alice/scribbled/wiki/page/Home").expect(404);
      const update = { name: "refs/heads/main", oldOid: null, newOid: "1".repeat(40), type: "commit", peeledOid: "", tipMs: 0 } as const;
      const late = db.tx((tx) => moveWikiRefs(tx, { repoId: id, storeId: storeId ?? 0, mode: "each", updates: [{ ...update, name: "refs/heads/late" }] }));
      await expect(late).rejects.toMatchObject({ code: "not_found" });
      await write().expect(201);
      expect(await alice.get("/repos/alice/scribbled/wiki/revisions/Home").expect(200)).toMatchObject({ count: 1 });
      expect((await other.get(page)).status).toBe(403);
    });

    test("Git LFS files and locks are listed, and locks of others are removed", async () => {
      await alice.post("/user/repos", { name: "large" }).expect(201);
      const page = "/alice/large/settings/lfs";
      expect((await open(page)).text).toContain("No Git LFS files");
      const content = Buffer.from("a large file");
      const oid = createHash("sha256").update(content).digest("hex");
      const headers = { authorization: `Basic ${Buffer.from(`alice:${alice.token}`).toString("base64")}` };
      const sent = await fetch(`${forge.url}/alice/large.git/info/lfs/objects/${oid}/${content.length}`, { method: "PUT", headers, body: content });
      expect(sent.status).toBe(200);
      const lock = await fetch(`${forge.url}/alice/large.git/info/lfs/locks`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/vnd.git-lfs+json", accept: "application/vnd.git-lfs+json" },
        body: JSON.stringify({ path: `art/${evil}.psd` }),
      });
      expect(lock.status).toBe(201);
      const shown = await open(page);
      expect([shown.dangers, shown.text]).toEqual([[], expect.stringMatching(`1 file, 12 B ${oid} 12 B, uploaded .*locked by alice`)]);
      expect((await send(page, `${page}/unlock`)).location).toBe(`${page}?saved=true`);
      expect((await open(page)).text).toContain("No files are locked.");
      const { _csrf = "" } = (await owner.get("/alice/large/settings")).form("/alice/large/settings");
      expect((await owner.post(`${page}/unlock`, { _csrf, id: evil })).status).toBe(303);
      expect((await other.get(page)).status).toBe(403);
    });

    test("a deletion is undone on the page that reports it, under another name if the old one is in use", async () => {
      const list = "/user/settings/repos";
      const { id } = await alice.post<{ id: number }>("/user/repos", { name: "regretted" }).expect(201);
      const last = "/alice/regretted/settings/delete";
      const deleted = await send(last, last, { confirmation: "alice/regretted" });
      const page = await owner.get(deleted.location ?? "");
      expect(readPage(page.text).text).toContain("Repository alice/regretted deleted. Restore");
      expect((await open(list, other)).text).toContain("No deleted repositories");
      const restore = `${list}/${id}/restore`;
      expect((await other.post(restore, (await other.get(list)).form("/user/logout"))).status).toBe(404);
      await alice.post("/user/repos", { name: "regretted" }).expect(201);
      const refused = await owner.submit(page, restore);
      expect([refused.status, readPage(refused.text).text.includes("A repository with this name already exists.")]).toEqual([422, true]);
      expect((await owner.submit(refused, restore, { name: "regretted-first" })).location).toBe("/alice/regretted-first");
      expect((await open("/alice/regretted-first")).status).toBe(200);
    });

    test("a page runs a constant number of statements", async () => {
      const { statements } = await forge.cost(() => owner.get(path));
      expect(statements).toHaveLength(4);
    });
  });

  describe("collaboration", () => {
    const path = "/alice/r/settings/collaboration";

    test("collaborators are added, given another permission and removed", async () => {
      const permission = async () => (await alice.get("/repos/alice/r/collaborators/bob/permission").expect(200)).permission;
      expect((await send(path, path, { name: "bob", mode: "read" })).status).toBe(303);
      expect(await permission()).toBe("read");
      expect((await open(path)).text).toContain("bob");
      const changed = await owner.post(path, { ...(await owner.get(path)).form(path), name: "bob", mode: "admin" });
      expect([changed.status, await permission()]).toEqual([303, "admin"]);
      const refused = await owner.post(path, { ...(await owner.get(path)).form(path), name: "nobody-here", mode: "write" });
      expect([refused.status, readPage(refused.text).text.includes("User not found."), refused.text.includes("nobody-here")]).toEqual([422, true, true]);
      await send(path, `${path}/bob/remove`);
      await alice.get("/repos/alice/r/collaborators/bob").expect(404);
    });

    test("teams of the organization are added to a repository and removed", async () => {
      await alice.post("/orgs", { username: "acme" }).expect(201);
      await alice.post("/orgs/acme/teams", { name: "devs", permission: "write", units: ["repo.code"] }).expect(201);
      await alice.post("/orgs/acme/repos", { name: "tool" }).expect(201);
      const teams = "/acme/tool/settings/collaboration";
      expect((await send(teams, `${teams}/teams`, { name: "devs" })).status).toBe(303);
      await alice.get("/repos/acme/tool/teams/devs").expect(200);
      const refused = await send(teams, `${teams}/teams`, { name: "nothing" });
      expect([refused.status, readPage(refused.text).text.includes("Team not found in this organization.")]).toEqual([422, true]);
      await send(teams, `${teams}/teams/devs/remove`);
      await alice.get("/repos/acme/tool/teams/devs").expect(404);
    });

    test("a long list runs as many statements as a short one", async () => {
      await alice.put("/repos/alice/r/collaborators/bob", { permission: "read" }).expect(204);
      const few = await forge.cost(() => owner.get(path));
      for (const name of ["c1", "c2", "c3"]) {
        await forge.createUser(name);
        await alice.put(`/repos/alice/r/collaborators/${name}`, { permission: "read" }).expect(204);
      }
      const many = await forge.cost(() => owner.get(path));
      expect([few.statements.length, many.statements.length]).toEqual([7, 7]);
    });
  });

  describe("rules", () => {
    const path = "/alice/r/settings/branches";

    test("a branch rule is added, shown as it was entered, and deleted", async () => {
      expect((await open(path)).text).toContain("No protected branches");
      const filled = {
        rule_name: "release/**",
        enable_push: "true",
        enable_push_whitelist: "true",
        push_whitelist_usernames: "bob, alice",
        required_approvals: "2",
        enable_status_check: "true",
        status_check_contexts: "ci/*\r\nlint",
        protected_file_patterns: ".github/**",
        block_admin_merge_override: "true",
      };
      expect((await send(`${path}/new`, `${path}/new`, filled)).location).toBe(`${path}?saved=true`);
      const rule = "/repos/alice/r/branch_protections/release/**";
      const made = await alice.get(rule).expect(200);
      expect(made).toMatchObject({
        enable_push: true,
        enable_push_whitelist: true,
        required_approvals: 2,
        status_check_contexts: ["ci/*", "lint"],
        protected_file_patterns: ".github/**",
        enable_force_push: false,
      });
      expect(made.push_whitelist_usernames.toSorted()).toEqual(["alice", "bob"]);
      const edit = `${path}/edit/release/**`;
      expect((await open(path)).links).toContain(edit);
      await send(edit, edit);
      expect(await alice.get(rule).expect(200)).toEqual({ ...made, updated_at: expect.any(String), push_whitelist_usernames: expect.any(Array) });
      await send(edit, edit, { required_approvals: "0", priority: "3" });
      expect(await alice.get(rule).expect(200)).toMatchObject({ required_approvals: 0, priority: 3 });
      await send(path, `${path}/delete/release/**`);
      await alice.get(rule).expect(404);
    });

    test.each([
      [{ rule_name: "" }, "This field is required."],
      [{ rule_name: "[" }, "This is not a valid pattern. Close its brackets, or escape them with a backslash."],
      [{ rule_name: "x", required_approvals: "many" }, "Enter a whole number"],
      [{ rule_name: "x", push_whitelist_usernames: "nobody-here" }, "User not found."],
    ])("%o is rejected", async (fields, message) => {
      const refused = await send(`${path}/new`, `${path}/new`, { ...fields, unprotected_file_patterns: "kept/**" });
      expect([refused.status, readPage(refused.text).text.includes(message), refused.form(`${path}/new`).unprotected_file_patterns]).toEqual([
        422,
        true,
        "kept/**",
      ]);
    });

    test("a tag rule lists the allowed users", async () => {
      const tags = "/alice/r/settings/tags";
      const refused = await send(tags, tags, { name_pattern: "v*" });
      expect([refused.status, readPage(refused.text).text.includes("Enter at least one user or team.")]).toEqual([422, true]);
      await send(tags, tags, { name_pattern: "v*", whitelist_usernames: "bob" });
      const [made] = await alice.get("/repos/alice/r/tag_protections").expect(200);
      expect(made).toMatchObject({ name_pattern: "v*", whitelist_usernames: ["bob"] });
      const one = `${tags}/${made.id}`;
      await send(one, one, { whitelist_usernames: "bob, alice" });
      expect((await alice.get(`/repos/alice/r/tag_protections/${made.id}`).expect(200)).whitelist_usernames.toSorted()).toEqual(["alice", "bob"]);
      await send(tags, `${one}/delete`);
      expect(await alice.get("/repos/alice/r/tag_protections").expect(200)).toEqual([]);
    });
  });

  describe("webhooks", () => {
    const path = "/alice/r/settings/hooks";

    test("a webhook is added, edited without losing its secrets, tested, and redelivered", async () => {
      const form = `${path}/new`;
      const refused = await send(`${form}?type=slack`, form, { url: "nowhere", event_push: "true", setting_channel: "#x" });
      expect([refused.status, readPage(refused.text).text.includes("Enter a URL"), refused.form(form).setting_channel]).toEqual([422, true, "#x"]);
      const noEvent = (await owner.get(form)).form(form);
      const { event_push, ...rest } = noEvent;
      expect((await owner.post(form, { ...rest, url: "http://127.0.0.1:1/x" })).status).toBe(422);
      await send(form, form, { url: "http://127.0.0.1:1/x", secret: "s3cret", authorization_header: "Bearer hidden", event_issues: "true" });
      const [hook] = await alice.get("/repos/alice/r/hooks").expect(200);
      expect(hook).toMatchObject({ type: "gitea", active: true, events: ["push", "issues"], config: { url: "http://127.0.0.1:1/x", content_type: "json" } });
      const one = `${path}/${hook.id}`;
      const page = await owner.get(one);
      expect([page.text.includes("s3cret"), page.text.includes("Bearer")]).toEqual([false, false]);
      const stored = () => forge.context.db.sql.selectFrom("hooks").select(["secret", "authorization_header"]).where("id", "=", hook.id).executeTakeFirst();
      const before = await stored();
      await send(one, one, { branch_filter: "main", event_release: "true" });
      expect(await stored()).toEqual(before);
      expect((await alice.get(`/repos/alice/r/hooks/${hook.id}`).expect(200)).events).toEqual(["push", "issues", "release"]);
      await send(one, `${one}/test`);
      await forge.settled();
      const [firstDelivery] = await alice.get(`/repos/alice/r/hooks/${hook.id}/deliveries`).expect(200);
      const delivery = `${one}/deliveries/${firstDelivery.id}`;
      expect((await open(one)).links).toContain(delivery);
      expect((await open(delivery)).text).toContain("push");
      const inGerman = readPage((await owner.get(delivery, { "accept-language": "de" })).text).text;
      expect(inGerman).toContain("Dieser Server darf die Adresse nicht aufrufen. Technische Details 127.0.0.1: blocked address");
      const listed = await forge.cost(() => open(path));
      expect([listed.result.text.includes("Last delivery: failed"), listed.statements.filter((sql) => sql.includes("hook_deliveries")).length]).toEqual([
        true,
        1,
      ]);
      expect((await send(delivery, `${delivery}/redeliver`)).location).toBe(`${delivery}?saved=started`);
      await send(path, `${one}/delete`);
      expect(await alice.get("/repos/alice/r/hooks").expect(200)).toEqual([]);
    });
  });

  describe("keys, mirrors and transfers", () => {
    test("a deploy key is added and deleted", async () => {
      const path = "/alice/r/settings/keys";
      const refused = await send(path, path, { title: "ci", key: "no key" });
      expect([refused.status, refused.form(path).key]).toEqual([422, "no key"]);
      const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl ci";
      await send(path, path, { title: "ci", key });
      const [made] = await alice.get("/repos/alice/r/keys").expect(200);
      expect(made).toMatchObject({ title: "ci", read_only: true });
      expect((await open(path)).text).toContain("read-only");
      const sameTitle = await send(path, path, { title: "ci", key: `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${"A".repeat(43)}` });
      expect([sameTitle.status, sameTitle.text.includes('id="title-problem"')]).toEqual([422, true]);
      await send(path, `${path}/${made.id}/remove`);
      expect(await alice.get("/repos/alice/r/keys").expect(200)).toEqual([]);
    });

    test("an invalid push mirror is rejected with the reason, and no page contains its password", async () => {
      const path = "/alice/r/settings/mirrors";
      const refused = await send(path, path, { remote_address: "file:///etc", remote_password: "s3cret" });
      expect([refused.status, refused.text.includes("s3cret"), refused.form(path).remote_address]).toEqual([422, false, "file:///etc"]);
      expect((await send(path, path, { remote_address: "https://mirror.example.org/x.git", interval: "soon" })).status).toBe(422);
      expect((await send(path, path)).text).toContain('id="remote_address-problem">This field is required.');
    });

    test("a repository is offered, rejected, offered again and accepted", async () => {
      await alice.post("/user/repos", { name: "gift", private: true }).expect(201);
      const [form, offer] = ["/alice/gift/settings/transfer", "/alice/gift/transfer"];
      const refused = await send(form, form, { new_owner: "nobody-here" });
      expect([refused.status, refused.form(form).new_owner]).toEqual([422, "nobody-here"]);
      expect((await send(form, form, { new_owner: "Alice" })).text).toContain("The repository already has this owner.");
      expect((await send(form, form, { new_owner: "bob" })).status).toBe(303);
      expect((await open(form)).text).toContain("Pending transfer to bob");
      expect((await open("/alice/gift", other)).text).toContain("alice wants to transfer this repository to you.");
      expect((await open("/alice/gift")).links).toContain(offer);
      await other.submit(await other.get("/alice/gift"), `${offer}/reject`);
      await send(form, form, { new_owner: "bob" });
      const taken = await other.submit(await other.get(offer), `${offer}/accept`);
      expect(taken.location).toBe("/bob/gift");
      expect((await bob.get("/repos/bob/gift").expect(200)).owner.login).toBe("bob");
    });
  });
});
