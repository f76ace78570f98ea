import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shownConfig } from "../../src/config/shown-config.ts";
import type { Tx } from "../../src/db/db.ts";
import { recordEvent } from "../../src/events/events.ts";
import { stepAt, totpCode } from "../../src/features/accounts/users/totp.ts";
import { auditTexts, scheduleTexts, settingTexts } from "../../src/features/site/admin/texts/texts.ts";
import { gitWarning } from "../../src/git/run/git-version.ts";
import { defineJob, enqueue } from "../../src/jobs/job.ts";
import { createJobQueue } from "../../src/jobs/queue.ts";
import { administrationPaths } from "../../src/ui/settings.tsx";

import { type Browser, createBrowser } from "../kit/browser.ts";
import { sqlite } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { readPage } from "../kit/page.ts";

/** Administration pages without JavaScript. */

let forge: TestForge;
let alice: TestUser;
let chief: Browser;
let other: Browser;
beforeAll(async () => {
  forge = await startForge({ dialect: sqlite });
  alice = await forge.createUser("alice");
  const boss = await forge.createUser("boss");
  await forge.admin.patch("/admin/users/boss", { source_id: 0, login_name: "boss", admin: true }).expect(200);
  [chief, other] = [createBrowser(forge.url), createBrowser(forge.url)];
  await chief.signIn(boss);
  await other.signIn(alice);
});
afterAll(() => forge[Symbol.asyncDispose]());

const send = async (path: string, action: string, fields: Readonly<Record<string, string>> = {}) => chief.submit(await chief.get(path), action, fields);
const sections = Object.values(administrationPaths);

test("the overview warns about a git with known vulnerabilities, in the user's language", async () => {
  const { git } = (await forge.admin.get("/admin/status").expect(200)) as { readonly git: string };
  const isVulnerable = gitWarning(git) !== undefined;
  for (const [language, words] of [
    ["en", `git ${git} has known vulnerabilities`],
    ["de", `git ${git} hat bekannte Sicherheitslücken`],
  ] as const) {
    const { text } = readPage((await chief.get("/-/admin", { "accept-language": language })).text);
    expect([text.includes(words), text.includes("CVE-2025-48384")]).toEqual([isVulnerable, isVulnerable]);
  }
});

test("the status shows the maintenance of stores: the current store, those that wait, and the last runs with their CPU time", async () => {
  const status = async () => readPage((await chief.get(administrationPaths.status)).text).text;
  expect(await status()).toMatch(/Maintenance of stores\s*Current store\s*no store\s*Waiting stores\s*0\s*CPU seconds\s*0/);
  await forge.admin.post("/user/repos", { name: "kept", auto_init: true }).expect(201);
  await forge.settled();
  await forge.admin.post("/admin/cron/git_gc_repos").expect(204);
  await forge.settled();
  expect(await status()).toMatch(/Store \d+: garbage collected/);
  expect(forge.context.upkeep.state().runs).toMatchObject([{ kind: "collect", storeId: expect.any(Number) }]);
});

test("administration pages are accessible to administrators only, and link to each other", async () => {
  expect([readPage((await chief.get("/")).text).links.includes("/-/admin"), readPage((await other.get("/")).text).links.includes("/-/admin")]).toEqual([
    true,
    false,
  ]);
  for (const path of sections) {
    const page = readPage((await chief.get(path)).text);
    expect(page.title).toBe(`${page.headings[0]} - Administration - Hearth`);
    expect([path, page.dangers, page.headings.length, sections.every((section) => page.links.includes(section))]).toEqual([path, [], 1, true]);
    expect([path, (await other.get(path)).status, (await createBrowser(forge.url).get(path)).status]).toEqual([path, 403, 303]);
  }
  expect((await other.get("/-/admin")).text).toContain("Ask the owner or an administrator for access.");
});

test("an account is created, found and changed; a rejected form keeps its input, except the password", async () => {
  const [path, form] = ["/-/admin/users", "/-/admin/users/new"];
  const refused = await send(form, form, { username: "alice", email: "new@example.org", password: "secret pass" });
  expect([refused.status, refused.form(form).email, refused.text.includes("secret pass")]).toEqual([422, "new@example.org", false]);
  const marked = (await send(form, form, { username: "a b", email: "new@", password: "short" })).text.matchAll(/id="(\w+)-problem"/g);
  expect([...marked].map(([, field]) => field)).toEqual(["username", "email", "password"]);
  const created = await send(form, form, { username: "carol", email: "carol@example.org", password: "secret pass" });
  expect(created.location).toBe(`${path}/carol?saved=true`);
  expect(readPage((await chief.get(`${path}?q=carol`)).text).links).toContain(`${path}/carol`);
  const one = `${path}/carol`;
  expect(readPage((await chief.get(one)).text).links).toEqual(expect.arrayContaining(["/carol", "/-/admin/audit?actor=carol", "/-/admin/audit?account=carol"]));
  await send(one, one, { full_name: "Carol", prohibit_login: "true" });
  expect(await forge.admin.get("/users/carol").expect(200)).toMatchObject({ full_name: "Carol", prohibit_login: true, active: true, is_admin: false });
});

test("an account is restricted, hidden, renamed, given a password, and deleted with its resources", async () => {
  const path = "/-/admin/users";
  const names = async (query: string) =>
    readPage((await chief.get(`${path}?${query}`)).text).links.flatMap((link) => /^\/-\/admin\/users\/(?!new$)(\w+)$/.exec(link)?.[1] ?? []);
  expect(await names("kind=admin&sort=newest")).toEqual(["boss", forge.admin.name]);
  expect(await names("kind=inactive")).toEqual([]);
  expect(readPage((await chief.get(`${path}?kind=inactive`)).text).text).toContain("No results");
  const one = `${path}/carol`;
  expect(readPage((await chief.get(one)).text).links).toEqual(expect.arrayContaining(["/carol", "/-/admin/audit?actor=carol", "/-/admin/audit?account=carol"]));
  await send(one, one, { visibility: "private", restricted: "true", password: "another pass", must_change_password: "false" });
  expect(await forge.admin.get("/users/carol").expect(200)).toMatchObject({ visibility: "private", restricted: true });
  const signIn = async () => (await createBrowser(forge.url).signIn({ name: "carol", password: "another pass" })).status;
  expect(await signIn()).toBe(401);
  await send(one, one, { prohibit_login: "false" });
  expect(await signIn()).toBe(303);
  const short = await send(one, one, { password: "short" });
  expect([short.status, short.text.includes("short")]).toEqual([422, false]);
  const taken = await send(one, `${one}/rename`, { new_name: "alice" });
  expect([taken.status, taken.form(`${one}/rename`).new_name]).toEqual([422, "alice"]);
  const tooLong = await send(one, `${one}/rename`, { new_name: "n".repeat(41) });
  expect([tooLong.status, tooLong.text.includes("Enter at most 40 characters.")]).toEqual([422, true]);
  expect((await send(one, `${one}/rename`, { new_name: "caro" })).location).toBe(`${path}/caro?saved=true`);
  // The page lists what is deleted: her repositories, and an organization without another owner.
  await forge.admin.post("/admin/users/caro/repos", { name: "diary" }).expect(201);
  await forge.admin.post("/admin/users/caro/orgs", { username: "solo" }).expect(201);
  const end = `${path}/caro/delete`;
  const page = await chief.get(end);
  expect(readPage(page.text).links).toEqual(expect.arrayContaining(["/caro/diary", "/solo"]));
  expect((await chief.submit(page, end, { confirmation: "carol" })).status).toBe(422);
  expect((await chief.submit(page, end, { confirmation: "caro" })).location).toBe(`${path}?saved=deleted`);
  for (const gone of ["/users/caro", "/orgs/solo"]) await forge.admin.get(gone).expect(404);
  expect(readPage((await chief.get(`${path}/boss/delete`)).text).text).toContain("You cannot delete your own account");
});

test("email addresses are added and removed, and a lost second factor is removed", async () => {
  const path = "/-/admin/users";
  const eve = await forge.createUser("eve");
  const [one, emails] = [`${path}/eve`, `${path}/eve/emails`];
  const refused = await send(one, emails, { email: "alice@example.com" });
  expect([refused.status, refused.form(emails).email]).toEqual([422, "alice@example.com"]);
  expect((await send(one, emails, { email: "eve@work.example.org" })).location).toBe(`${one}?saved=true`);
  expect(await eve.get("/user/emails").expect(200)).toMatchObject([{ primary: true }, { email: "eve@work.example.org", verified: true }]);
  expect((await other.post(emails, { email: "mine@example.org" })).status).toBe(403);
  await send(one, `${emails}/remove`);
  expect(await eve.get("/user/emails").expect(200)).toHaveLength(1);

  const here = createBrowser(forge.url);
  await here.signIn(eve);
  const own = "/user/settings/security";
  const shown = await here.submit(await here.get(own), `${own}/begin`, { password: eve.password });
  const { secret = "" } = shown.form(`${own}/confirm`);
  await here.submit(shown, `${own}/confirm`, { code: totpCode(secret, stepAt(Date.now())) });
  expect(readPage((await chief.get(`${path}?kind=two-factor`)).text).links).toContain(one);
  expect((await send(one, `${one}/two_factor/remove`)).location).toBe(`${one}?saved=removed`);
  expect((await createBrowser(forge.url).signIn(eve)).location).toBe("/");
  const log = await forge.admin.get("/admin/audit?actor=boss&account=eve").expect(200);
  expect(log.entries.map(({ action }: { action: string }) => action)).toEqual(["two_factor.removed", "email.removed", "email.added"]);
  await send(one, one, { prohibit_login: "true" });
  expect(readPage((await chief.get(`${path}?kind=prohibited`)).text).links).toContain(one);
  expect(readPage((await chief.get(`${path}?kind=prohibited`)).text).links).not.toContain(`${path}/alice`);
});

test("organizations and repositories are found; repositories on disk are adopted or deleted", async () => {
  await alice.post("/orgs", { username: "acme", full_name: "Acme Works", visibility: "private" }).expect(201);
  await alice.post("/orgs/acme/repos", { name: "plan", private: true }).expect(201);
  const found = async (path: string) => readPage((await chief.get(path)).text).links;
  expect(await found("/-/admin/orgs?q=WORKS")).toEqual(expect.arrayContaining(["/acme", "/org/acme/settings"]));
  expect(await found("/-/admin/orgs?q=none")).not.toContain("/acme");
  expect(await found("/-/admin/repos?q=pla&sort=size")).toEqual(expect.arrayContaining(["/acme/plan", "/acme/plan/settings/delete"]));
  expect(await found("/-/admin/repos?kind=fork")).not.toContain("/acme/plan");
  const folder = join(forge.dataDirectory, "adopt", "alice");
  mkdirSync(folder, { recursive: true });
  for (const name of ["plan", "lost", "odd"]) execFileSync("git", ["init", "-q", "--bare", join(folder, `${name}.git`)]);
  writeFileSync(join(folder, "odd.git", "packed-refs"), `${"1".repeat(40)} refs/heads/gone\n`);
  const path = "/-/admin/repos/unadopted";
  const refused = await send(path, `${path}/alice/odd/adopt`);
  expect([refused.status, refused.text.includes('role="alert"')]).toEqual([422, true]);
  expect((await send(path, `${path}/alice/lost/adopt`)).location).toBe("/alice/lost?saved=adopted");
  expect((await chief.get("/alice/lost?saved=adopted")).text).toContain("The repository was adopted. It is private.");
  await alice.get("/repos/alice/lost").expect(200);
  await send(path, `${path}/alice/odd/delete`);
  expect(readPage((await chief.get(path)).text).text).toMatch(/alice\/plan/);
  expect(readPage((await chief.get(path)).text).text).not.toMatch(/alice\/(?:odd|lost)/);
  await alice.delete("/repos/alice/lost").expect(204);
});

test("the page of unadopted repositories explains a missing owner, an invalid pattern and a pattern without results", async () => {
  const path = "/-/admin/repos/unadopted";
  const folder = join(forge.dataDirectory, "adopt", "ghosts");
  mkdirSync(folder, { recursive: true });
  execFileSync("git", ["init", "-q", "--bare", join(folder, "found.git")]);
  const ownerless = await send(path, `${path}/ghosts/found/adopt`);
  expect([ownerless.status, ownerless.text.includes("There is no user or organization named ghosts.")]).toEqual([422, true]);
  const invalid = await chief.get(`${path}?q=%5B`);
  expect([invalid.status, invalid.text.includes("This is not a valid pattern."), invalid.text.includes('value="["')]).toEqual([422, true, true]);
  const none = readPage((await chief.get(`${path}?q=none`)).text).text;
  expect(none).toContain("No results");
  expect(none).not.toContain("No unadopted repositories");
  await send(path, `${path}/ghosts/found/delete`);
});

test("a deleted repository is restored, a schedule is run, and the audit log shows both", async () => {
  await alice.post("/user/repos", { name: "lost" }).expect(201);
  await alice.delete("/repos/alice/lost").expect(204);
  const page = await chief.get("/-/admin/repos/deleted");
  const [, restore = ""] = /action="(\/-\/admin\/repos\/deleted\/\d+\/restore)"/.exec(page.text) ?? [];
  const restored = await chief.submit(page, restore);
  expect(restored.location).toMatch(/^\/alice\/lost(\?|$)/);
  expect(readPage((await chief.get(restored.location ?? "")).text).text).toContain("Restored.");
  await alice.get("/repos/alice/lost").expect(200);
  const cron = await chief.get("/-/admin/monitor/cron");
  const words = readPage(cron.text).text;
  for (const auditPage of ["Every day", "Every 10 minutes", "Every 7 days", "never run", "next run 20"]) expect(words).toContain(auditPage);
  // Each has a description in every language. Those of backups exist only with a place for them.
  const rows = await forge.context.db.sql.selectFrom("schedules").select("name").execute();
  const names = [...rows.map(({ name }) => name), "back_up", "look_at_backups"].toSorted();
  for (const schedules of Object.values(scheduleTexts)) expect(Object.keys(schedules.what)).toEqual(names);
  const [, run = ""] = /action="(\/-\/admin\/monitor\/cron\/[^"]+)"/.exec(cron.text) ?? [];
  const started = await chief.submit(cron, run);
  expect([started.status, readPage((await chief.get(started.location ?? "")).text).text]).toEqual([303, expect.stringContaining("Started.")]);
  const log = readPage((await chief.get("/-/admin/audit?actor=boss")).text);
  for (const action of ["repo.restored", "schedule.requested", "account.created"]) expect(log.text).toContain(action);
  expect(log.text).toContain("The repository alice/lost was restored");
  expect(log.links).toEqual(expect.arrayContaining(["/alice/lost", "/boss", "/-/admin/audit?actor=boss&action=repo.restored"]));
  expect(readPage((await chief.get("/-/admin/audit?action=repo.restored")).text).text).not.toContain("schedule.requested");
});

test("the audit log shows sentences in the user's language, and can be filtered", async () => {
  const dora = await forge.createUser("dora");
  await dora.post("/user/repos", { name: "admin" }).expect(201);
  const at = "/repos/dora/admin";
  await dora.put(`${at}/collaborators/alice`, { permission: "read" }).expect(204);
  await dora.put(`${at}/collaborators/alice`, { permission: "admin" }).expect(204);
  await dora.patch(at, { name: "own" }).expect(200);
  await dora.patch("/user/settings", { hide_email: true }).expect(200);
  const path = "/-/admin/audit?actor=dora";
  const auditPage = async (query = "", language = "en") => readPage((await chief.get(path + query, { "accept-language": language })).text);
  const { text, dangers } = await auditPage();
  expect(dangers).toEqual([]);
  for (const sentence of [
    "The repository dora/admin was created",
    "The permission of alice on dora/admin was changed from read to admin",
    // The repository name `admin` is not confused with a permission.
    "The repository admin was renamed to dora/own",
    "hideEmail: no → yes",
    "with an access token from 127.0.0.1",
  ])
    expect(text).toContain(sentence);
  expect((await auditPage("", "de")).text).toContain("Die Berechtigung von alice an dora/admin wurde geändert: vorher Lesen, jetzt Administrator");
  expect((await auditPage("&action=collaborator")).text).toContain("alice was added as a collaborator of dora/admin: read");
  expect((await auditPage("&action=collaborator")).text).not.toContain("was renamed");
  expect((await chief.get(`${path}&action=repo.renamed`)).form("/-/admin/audit").action).toBe("repo.renamed");
  expect((await auditPage("&action=team")).links).toContain("/-/admin/audit");
  const today = new Date().toISOString().slice(0, 10);
  expect((await auditPage(`&since=${today}&until=${today}`)).text).toContain("The repository dora/admin was created");
  for (const query of ["&until=2020-01-01", "&since=2999-01-01"]) expect((await auditPage(query)).text).toContain("No results");
  expect((await auditPage("&since=2026-02-02&until=2026-02-01")).text).toContain("The first date is after the last one");
  expect((await auditPage("&since=yesterday")).text).toContain("yesterday is not a date, so it was ignored.");
  // Browsers log an error for a date field with another text.
  expect((await chief.get(`${path}&since=yesterday`)).text).not.toContain('value="yesterday"');
  // An entry of the server names no way in addition.
  const before = "2020-01-01T00:00:00Z";
  await forge.context.db.tx((tx) => recordEvent(tx, "audit.pruned", { before, count: 3 }, { by: null }));
  const { text: pruned } = readPage((await chief.get("/-/admin/audit?action=audit.pruned")).text);
  expect([pruned.includes(`3 entries from before ${before}`), pruned.includes("by the system")]).toEqual([true, false]);
  expect((await auditPage("&since=yesterday")).text).toContain("The repository dora/admin was created");
  // Every sentence contains its subject, and needs only details that entries have. The subjects of these have no name of their own.
  const nameless: Readonly<Record<string, string>> = { "audit.pruned": "<count>", "action_runner.token_renewed": "<ownerName>" };
  for (const auditing of Object.values(auditTexts))
    for (const [action, sentence] of Object.entries(auditing.sentences)) {
      const shown = sentence({ it: "IT", whom: "WHOM", fact: (name) => `<${name}>`, right: (name) => `<${name}>` }).join("");
      expect(shown, action).toMatch(nameless[action] ?? /IT|WHOM/);
      expect(sentence({ it: "", whom: "", fact: () => "", right: () => "" }).join(""), action).not.toMatch(/undefined|false|null/);
    }
});

test("the audit log is exported as CSV with the filters of its page, however many entries match", async () => {
  const erik = await forge.createUser("erik");
  for (let at = 0; at < 260; at += 1) {
    await erik.put("/user/blocks/dora", undefined).expect(204);
    await erik.delete("/user/blocks/dora").expect(204);
  }
  const { status, text, headers } = await chief.get("/-/admin/audit/export?actor=erik&action=block");
  const [first = "", ...lines] = text.trimEnd().split("\r\n");
  expect([status, headers.get("content-type"), headers.get("content-disposition")]).toEqual([
    200,
    "text/csv; charset=utf-8",
    'attachment; filename="audit-log.csv"',
  ]);
  expect(first).toBe("time,action,actor,acting as,credential,address,target kind,target,account,details");
  expect([lines.length, new Set(lines.map((line) => line.split(",")[2]))]).toEqual([520, new Set(["erik"])]);
  expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT.*Z,block\.deleted,erik,,token,127\.0\.0\.1,/);
  expect((await createBrowser(forge.url).get("/-/admin/audit/export")).text).not.toContain("erik");
});

test("permanently failed jobs are retried or discarded, on the page and through the API", async () => {
  const { db } = forge.context;
  const fail = (kind: string) =>
    db.tx(async (tx) => {
      const job = { kind, payload: "{}", dedupe_key: "one", state: "failed", run_at_ms: 0, attempts: 8, lease_until_ms: null, created_ms: 1 } as const;
      const { id } = await tx.sql
        .insertInto("jobs")
        .values({ ...job, last_error: "it was <broken>" })
        .returning("id")
        .executeTakeFirstOrThrow();
      return id;
    });
  // No worker handles this kind of job, so they wait.
  const ids = [await fail("test.nobody"), await fail("test.nobody"), await fail("test.nobody"), await fail("test.nobody")];
  const path = "/-/admin/monitor/queue";
  const page = readPage((await chief.get(path)).text);
  expect([page.text.includes("it was <broken>"), page.dangers]).toEqual([true, []]);
  expect(readPage((await chief.get(path, { "accept-language": "de" })).text).text).toContain(
    "Der letzte Versuch ist fehlgeschlagen. Technische Details it was <broken>",
  );
  expect(readPage((await chief.get("/-/admin")).text).text).toContain("4 jobs have failed permanently");
  await send(path, `${path}/${ids[0]}/retry`);
  expect(await forge.admin.get("/admin/jobs?state=waiting").expect(200)).toEqual([expect.objectContaining({ id: ids[0], kind: "test.nobody", attempts: 0 })]);
  // A job with the same work is waiting already.
  await forge.admin.post(`/admin/jobs/${ids[1]}/retry`).expect(204);
  await forge.admin.delete(`/admin/jobs/${ids[2]}`).expect(204);
  expect((await forge.admin.get("/admin/jobs").expect(200)).map(({ id }: { id: number }) => id)).toEqual([ids[3]]);
  await send(path, `${path}/${ids[3]}/drop`);
  expect(readPage((await chief.get(path)).text).text).toContain("No failed jobs");
  for (const id of [ids[0], ids[3]]) await forge.admin.post(`/admin/jobs/${id}/retry`).expect(404);
  expect((await forge.admin.get("/admin/audit?action=job").expect(200)).entries).toHaveLength(4);
  expect((await alice.get("/admin/jobs")).status).toBe(403);
});

test("the status is shown as charts and text; the configuration shows the source of each value, and no secrets", async () => {
  const status = readPage((await chief.get("/-/admin/monitor/stats")).text);
  for (const words of ["Memory", "now", "SQLite", process.version]) expect(status.text).toContain(words);
  expect((await chief.get("/-/admin/monitor/stats")).text).toMatch(/role="img" aria-label="Requests per second: now [\d.]+, highest [\d.]+"/);
  const { text } = await chief.get("/-/admin/config");
  const { config } = forge.context;
  expect(readPage(text).text).toMatch(/password .{0,200}HEARTH_ADMIN_PASSWORD set, not shown environment/);
  expect(readPage(text).text).toMatch(/HEARTH_SERVER_SIGN_IN_REQUIRED false default/);
  for (const secret of [config.admin.password, config.admin.token]) expect(secret !== "" && text.includes(secret)).toBe(false);
  const german = readPage((await chief.get("/-/admin/config", { "accept-language": "de" })).text).text;
  expect(german).toMatch(/sign_in_required Für jede Seite und jede API-Anfrage eine Anmeldung verlangen\. HEARTH_SERVER_SIGN_IN_REQUIRED/);
  const translated = Object.entries(settingTexts.de).flatMap(([section, texts]) => Object.keys(texts).map((name) => `${section}.${name}`));
  expect(translated.toSorted()).toEqual(
    shownConfig(config)
      .map(({ section, name }) => `${section}.${name}`)
      .toSorted(),
  );
  // The API returns the same data.
  const shown = await forge.admin.get("/admin/status").expect(200);
  expect(shown).toMatchObject({ started_at: expect.any(String), database: "SQLite", node: process.version, ssh: "off", data_directory: forge.dataDirectory });
  expect(shown.samples.at(-1)).toMatchObject({ memory_bytes: expect.any(Number), busy_percent: expect.any(Number), requests: expect.any(Number) });
  const { json: settings, headers } = await forge.admin.get("/admin/config?limit=50");
  const all = [
    ...settings,
    ...(await forge.admin.get("/admin/config?limit=50&page=2").expect(200)),
    ...(await forge.admin.get("/admin/config?limit=50&page=3").expect(200)),
  ];
  expect(all).toHaveLength(Number(headers.get("x-total-count")));
  const password = all.find(({ variable }) => variable === "HEARTH_ADMIN_PASSWORD");
  expect(password).toMatchObject({ section: "admin", name: "password", value: "", hidden: true, origin: "environment" });
  expect(JSON.stringify(all)).not.toContain(forge.admin.password);
  for (const path of ["/admin/status", "/admin/config"]) expect((await alice.get(path)).status).toBe(403);
});

test.each([
  ["/-/admin/auths/new?kind=ldap", "/-/admin/auths/new", { host: "127.0.0.1", port: "1", user_base: "ou=people" }],
  ["/-/admin/users/new", "/-/admin/users/new", { email: "new@example.com" }],
  ["/repo/create", "/repo/create", {}],
  ["/org/create", "/org/create", {}],
  ["/user/settings/actions", "/user/settings/actions/secrets", { value: "x" }],
  ["/user/settings/actions", "/user/settings/actions/variables", { value: "x" }],
])("the form at %s sent to %s without a name says that the name is required", async (page, form, fields) => {
  const refused = await send(page, form, { ...fields, name: "", username: "" });
  const [, problem] = /id="[^"]*name-problem"[^>]*>([^<]*)/.exec(refused.text) ?? [];
  expect([refused.status, problem]).toEqual([422, "This field is required."]);
});

test("a refused authentication source marks all its wrong fields", async () => {
  const form = "/-/admin/auths/new";
  const problemsOf = async (kind: string, fields: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      [...(await send(`${form}?kind=${kind}`, form, fields)).text.matchAll(/id="(\w+)-problem"[^>]*>([^<]*)/g)].map(([, id, text]) => [id, text]),
    );
  const required = "This field is required.";
  expect(await problemsOf("oidc", { issuer: "id.example.org", required_group: "staff" })).toEqual({
    name: required,
    issuer: "Enter a URL that starts with http:// or https://.",
    client_id: required,
    groups_claim: required,
  });
  expect(await problemsOf("ldap", { name: "dir", host: "ldap://ldap.example.org", port: "ldap", group_filter: "(member=x)" })).toEqual({
    host: "Enter a host name or an address without a protocol and a path, such as ldap.example.org.",
    port: "Enter a port from 1 to 65535.",
    user_base: required,
    group_base: required,
    group_filter: "Enter a search filter such as (uid=%s).",
  });
});

test("the box that would end the work of the last administrator says why it cannot", async () => {
  await using alone = await startForge({ dialect: sqlite });
  const only = createBrowser(alone.url);
  await only.signIn(alone.admin);
  const path = `/-/admin/users/${alone.admin.name}`;
  for (const [box, fields] of [
    ["admin", { admin: "false" }],
    ["active", { active: "false" }],
    ["prohibit_login", { prohibit_login: "true" }],
  ] as const) {
    const refused = await only.submit(await only.get(path), path, fields);
    expect(refused.text).toMatch(new RegExp(`id="${box}-problem"[^>]*>This is the only administrator`));
  }
});

test("searches of organizations and repositories without results lead back to the whole list", async () => {
  for (const path of [administrationPaths.organizations, administrationPaths.repositories]) {
    const main = (await chief.get(`${path}?q=no-such-name`)).text.split("No results")[1] ?? "";
    expect(main).toContain(`href="${path}"`);
  }
});

test("an authentication source is added, changed, tested and deleted; its secret is never shown", async () => {
  const [path, form] = ["/-/admin/auths", "/-/admin/auths/new"];
  const ldap = `${form}?kind=ldap`;
  const refused = await send(ldap, form, { name: "staff", host: "127.0.0.1", port: "1", secret: "bind secret" });
  expect([refused.status, refused.form(form).host, refused.text.includes("bind secret")]).toEqual([422, "127.0.0.1", false]);
  expect(refused.text).toMatch(/id="user_base-problem"/);
  const added = await send(ldap, form, {
    name: "staff",
    host: "127.0.0.1",
    port: "1",
    security: "none",
    user_base: "ou=people,dc=acme",
    secret: "bind secret",
  });
  const [source] = await forge.admin.get("/admin/sources").expect(200);
  expect(added.location).toBe(`${path}/${source.id}?saved=true`);
  expect(source).toMatchObject({
    kind: "ldap",
    name: "staff",
    has_secret: true,
    ldap: { port: 1, security: "none", verify_certificate: true, name_attribute: "uid" },
  });
  const one = `${path}/${source.id}`;
  expect((await chief.get(one)).text).not.toContain("bind secret");
  // Saving the form unchanged changes only the time.
  await send(one, one);
  const { updated_at: _, ...same } = await forge.admin.get(`/admin/sources/${source.id}`).expect(200);
  expect(source).toMatchObject(same);
  await send(one, one, { active: "false", user_filter: "(&(uid=%s)(staff=yes))" });
  expect(await forge.admin.get(`/admin/sources/${source.id}`).expect(200)).toMatchObject({ is_active: false, ldap: { user_filter: "(&(uid=%s)(staff=yes))" } });
  const tried = await send(one, `${one}/check`);
  expect([tried.status, tried.text.includes('role="alert"')]).toEqual([422, true]);
  await send(one, `${one}/delete`);
  expect(await forge.admin.get("/admin/sources").expect(200)).toEqual([]);
  await send(form, form, { name: "provider", issuer: "http://127.0.0.1:1", client_id: "hearth" });
  const [provider] = await forge.admin.get("/admin/sources").expect(200);
  const unreachable = await send(`${path}/${provider.id}`, `${path}/${provider.id}/check`);
  expect([unreachable.status, unreachable.text.includes("The discovery document of the provider cannot be loaded (")]).toEqual([422, true]);
  await send(`${path}/${provider.id}`, `${path}/${provider.id}/delete`);
  expect((await chief.get(one)).status).toBe(404);
});

test("lists run a constant number of statements", async () => {
  const { db } = forge.context;
  const job = {
    kind: "test.counted",
    payload: "{}",
    dedupe_key: null,
    state: "failed",
    run_at_ms: 0,
    attempts: 8,
    lease_until_ms: null,
    created_ms: 1,
  } as const;
  const more = async (at: number): Promise<void> => {
    const user = await forge.createUser(`many-${at}`);
    await user.post("/orgs", { username: `many-orgs-${at}` }).expect(201);
    for (const name of ["kept", "gone"]) await user.post("/user/repos", { name }).expect(201);
    await user.delete(`/repos/many-${at}/gone`).expect(204);
    await user.post("/user/emails", { emails: [`many-${at}@example.org`] }).expect(201);
    await forge.admin.post("/admin/hooks", { type: "gitea", config: { url: "http://127.0.0.1:1/", content_type: "json" } }).expect(201);
    await db.tx((tx) =>
      tx.sql
        .insertInto("jobs")
        .values({ ...job, last_error: "broken" })
        .execute(),
    );
  };
  const pages = {
    "/-/admin": 5,
    "/-/admin/emails": 3,
    // The session, then three statements for a list of accounts: the total, the ids of the page, and the rows of these ids.
    "/-/admin/users": 4,
    "/-/admin/users/many-0": 5,
    "/-/admin/orgs": 4,
    "/-/admin/repos": 5,
    "/-/admin/repos/deleted": 2,
    "/-/admin/monitor/queue": 1,
    "/-/admin/monitor/cron": 1,
    "/-/admin/hooks": 3,
    "/-/admin/auths": 3,
    "/-/admin/audit": 2,
  };
  const cost = async (): Promise<Readonly<Record<string, number>>> => {
    const found: [string, number][] = [];
    for (const path of Object.keys(pages)) found.push([path, (await forge.cost(() => chief.get(path))).statements.length]);
    return Object.fromEntries(found);
  };
  await more(0);
  expect(await cost()).toEqual(pages);
  await more(1);
  await more(2);
  expect(await cost()).toEqual(pages);
});

test("failures appear as notices in the reader's language, link to their subject, and are deleted one by one or all at once", async () => {
  const path = administrationPaths.notices;
  const { id: repoId } = await forge.admin.post("/user/repos", { name: "mirrored" }).expect(201);
  const fail = (work: (tx: Tx) => Promise<unknown>) => forge.context.db.tx(work);
  const noticesOf = async (language = "en") => readPage((await chief.get(path, { "accept-language": language })).text);
  await fail(async (tx) => {
    await recordEvent(tx, "mirror.failed", { repoId, address: "https://gone.example.org/x.git", direction: "pull", reason: "repository not found" });
    await recordEvent(tx, "hook.failed", { hookId: 1, repoId, ownerId: 1, ownerName: "root/mirrored", host: "hooks.example.org", isSwitchedOff: false });
  });
  const broken = defineJob<null>("breaks", { maxAttempts: 1 });
  const queue = createJobQueue(forge.context, { onFailure: (tx, { id, ...job }) => recordEvent(tx, "job.failed", { jobId: id, ...job }).then(() => {}) });
  queue.handle(broken, () => Promise.reject(new Error("it hurts")));
  await fail((tx) => enqueue(tx, broken, null));
  await queue.runDue();
  await queue.stop();
  const english = await noticesOf();
  expect(english.text).toMatch(/The background job breaks \d+ has failed permanently\..{0,80}Technical details it hurts/);
  expect(english.text).toMatch(
    /Deliveries of a webhook to hooks\.example\.org .*The mirror could not be synchronized with https:\/\/gone\.example\.org\/x\.git\./,
  );
  expect([english.links.includes("/root/mirrored"), english.dangers]).toEqual([true, []]);
  expect((await noticesOf("de")).text).toContain("Der Spiegel konnte nicht mit https://gone.example.org/x.git synchronisiert werden.");
  const [first] = await forge.context.db.sql.selectFrom("system_notices").select("id").where("kind", "=", "hook_failed").execute();
  await send(path, `${path}/${first?.id}/delete`);
  expect((await noticesOf()).text).not.toContain("hooks.example.org");
  const seen = await chief.get(path);
  // The label is also the title of the question.
  expect(seen.text).not.toContain("Delete all notices:");
  await fail((tx) => recordEvent(tx, "mirror.failed", { repoId, address: "https://later.example.org/x.git", direction: "push", reason: "" }));
  expect((await chief.submit(seen, `${path}/delete`)).status).toBe(303);
  const left = (await noticesOf()).text;
  expect([left.includes("gone.example.org"), left.includes("later.example.org")]).toEqual([false, true]);
  await chief.submit(await chief.get(path), `${path}/delete`);
  expect((await noticesOf()).text).toContain("No notices");
});

test("the self-check names each problem of the environment and its solution, in the reader's language", async () => {
  const path = administrationPaths.selfCheck;
  const check = async (headers: Readonly<Record<string, string>> = {}) => readPage((await chief.get(path, headers)).text).text;
  const data = forge.dataDirectory;
  const good = await check();
  expect(good).toMatch(/Data folder Other users of the machine have no permissions on it\. OK/);
  expect(good).toContain("No place for backups is configured. Set backup.url and backup.schedule, or backup.folder. Hint");
  expect(good).toMatch(/Database SQLite OK/);
  chmodSync(data, 0o755);
  try {
    expect(await check()).toContain(`Other users of the machine may have access to ${data} (0755). Run chmod go= on it as its owner. Problem`);
    expect(await check({ "accept-language": "de" })).toContain(`Andere Benutzer des Rechners haben möglicherweise Zugriff auf ${data} (0755).`);
  } finally {
    chmodSync(data, 0o700);
  }
  expect(await check()).toMatch(/Background jobs No job has failed permanently\. OK|Background jobs Permanently failed jobs: \d+\./);
});
