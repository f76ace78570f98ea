import { afterAll, beforeAll, expect, test } from "vitest";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { sqlite } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { readPage } from "../kit/page.ts";

/** Organizations as people make them and decide about them, on pages without a script. */

let forge: TestForge;
let alice: TestUser;
let owner: Browser;
let other: Browser;
beforeAll(async () => {
  forge = await startForge({ dialect: sqlite });
  alice = await forge.createUser("alice");
  [owner, other] = [createBrowser(forge.url), createBrowser(forge.url)];
  await owner.signIn(alice);
  await other.signIn(await forge.createUser("bob"));
});
afterAll(() => forge[Symbol.asyncDispose]());

const send = async (path: string, action: string, fields: Readonly<Record<string, string>> = {}) => owner.submit(await owner.get(path), action, fields);

test("an organization is made; a name that will not do is refused with what was typed", async () => {
  const path = "/org/create";
  const refused = await send(path, path, { user_name: "alice", description: "Typed" });
  expect([refused.status, readPage(refused.text).text.includes("This name is taken."), refused.form(path).description]).toEqual([422, true, "Typed"]);
  expect((await send(path, path, { user_name: "a b" })).status).toBe(422);
  expect((await send(path, path, { user_name: "acme", full_name: "Acme <b>", visibility: "limited" })).location).toBe("/acme");
  expect(await alice.get("/orgs/acme").expect(200)).toMatchObject({ full_name: "Acme <b>", visibility: "limited" });
});

test("its owners change it, and nobody else sees how", async () => {
  const path = "/org/acme/settings";
  expect((await other.get(path)).status).toBe(403);
  const before = await alice.get("/orgs/acme").expect(200);
  await send(path, path);
  expect(await alice.get("/orgs/acme").expect(200)).toEqual(before);
  await send(path, path, { website: "https://acme.example.org", repo_admin_change_team_access: "true" });
  expect(await alice.get("/orgs/acme").expect(200)).toMatchObject({
    website: "https://acme.example.org",
    repo_admin_change_team_access: true,
    full_name: "Acme <b>",
  });
  const refused = await send(path, path, { website: "odd" });
  expect([refused.status, refused.form(path).website, readPage(refused.text).dangers]).toEqual([422, "odd", []]);
});

test("its webhooks stand in the frame of its settings", async () => {
  const [path, form] = ["/org/acme/settings/hooks", "/org/acme/settings/hooks/new"];
  await send(form, form, { url: "http://127.0.0.1:1/x", event_push: "true" });
  const [hook] = await alice.get("/orgs/acme/hooks").expect(200);
  expect((await owner.get(`${path}/${hook.id}`)).status).toBe(200);
  expect((await other.get(`${path}/${hook.id}`)).status).toBe(403);
  await send(path, `${path}/${hook.id}/delete`);
  expect(await alice.get("/orgs/acme/hooks").expect(200)).toEqual([]);
});

test("it is renamed, and deleted by its name once it owns nothing", async () => {
  await send("/org/acme/settings", "/org/acme/settings/rename", { new_name: "emca" });
  const [path, end] = ["/org/emca/settings", "/org/emca/settings/delete"];
  await alice.post("/orgs/emca/repos", { name: "r" }).expect(201);
  expect((await send(path, end, { confirmation: "acme" })).status).toBe(422);
  const owns = await send(path, end, { confirmation: "emca" });
  expect([owns.status, readPage(owns.text).text.includes("It still owns repositories")]).toEqual([422, true]);
  await alice.delete("/repos/emca/r").expect(204);
  expect((await send(path, end, { confirmation: "emca" })).location).toBe("/");
  await alice.get("/orgs/emca").expect(404);
});
