import { afterAll, beforeAll, expect, test } from "vitest";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { sqlite } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { readPage } from "../kit/page.ts";

/** The administration of the server, on pages without a script. */

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
const sections = ["/-/admin/users", "/-/admin/repos/deleted", "/-/admin/monitor/cron", "/-/admin/hooks", "/-/admin/audit"];

test("the pages are for administrators alone, and lead to each other", async () => {
  expect((await chief.get("/-/admin")).location).toBe("/-/admin/users");
  expect([readPage((await chief.get("/")).text).links.includes("/-/admin"), readPage((await other.get("/")).text).links.includes("/-/admin")]).toEqual([
    true,
    false,
  ]);
  for (const path of sections) {
    const page = readPage((await chief.get(path)).text);
    expect([path, page.dangers, page.headings.length, sections.every((section) => page.links.includes(section))]).toEqual([path, [], 1, true]);
    expect([path, (await other.get(path)).status, (await createBrowser(forge.url).get(path)).status]).toEqual([path, 403, 303]);
  }
});

test("an account is made, found, and changed; what is refused comes back, without the password", async () => {
  const [path, form] = ["/-/admin/users", "/-/admin/users/new"];
  const refused = await send(form, form, { username: "alice", email: "new@example.org", password: "secret pass" });
  expect([refused.status, refused.form(form).email, refused.text.includes("secret pass")]).toEqual([422, "new@example.org", false]);
  await send(form, form, { username: "carol", email: "carol@example.org", password: "secret pass" });
  expect(readPage((await chief.get(`${path}?q=carol`)).text).links).toContain(`${path}/carol`);
  const one = `${path}/carol`;
  await send(one, one, { full_name: "Carol", prohibit_login: "true" });
  expect(await forge.admin.get("/users/carol").expect(200)).toMatchObject({ full_name: "Carol", prohibit_login: true, active: true, is_admin: false });
});

test("a deleted repository is brought back, a schedule is run, the log tells of it", async () => {
  await alice.post("/user/repos", { name: "lost" }).expect(201);
  await alice.delete("/repos/alice/lost").expect(204);
  const page = await chief.get("/-/admin/repos/deleted");
  const [, restore = ""] = /action="(\/-\/admin\/repos\/deleted\/\d+\/restore)"/.exec(page.text) ?? [];
  await chief.submit(page, restore);
  await alice.get("/repos/alice/lost").expect(200);
  const cron = await chief.get("/-/admin/monitor/cron");
  const [, run = ""] = /action="(\/-\/admin\/monitor\/cron\/[^"]+)"/.exec(cron.text) ?? [];
  expect((await chief.submit(cron, run)).status).toBe(303);
  const log = readPage((await chief.get("/-/admin/audit?actor=boss")).text).text;
  for (const action of ["repo.restored", "schedule.requested", "account.created"]) expect(log).toContain(action);
  expect(readPage((await chief.get("/-/admin/audit?action=repo.restored")).text).text).not.toContain("schedule.requested");
});
