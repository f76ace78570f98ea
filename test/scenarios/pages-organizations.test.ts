import { afterAll, beforeAll, expect, test } from "vitest";
import { stepAt, totpCode } from "../../src/features/accounts/users/totp.ts";
import { createApiClient } from "../kit/api-client.ts";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { sqlite } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { readPage } from "../kit/page.ts";

/** Organization pages without JavaScript. */

/** One transparent pixel. */
const picture = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==", "base64");

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

/** The form token of a session, for actions that no form offers to its user. */
const tokenOf = async (browser: Browser): Promise<{ readonly _csrf: string }> => {
  const { _csrf = "" } = (await browser.get("/repo/create")).form("/repo/create");
  return { _csrf };
};

test("an organization is created; an invalid name is rejected and the form keeps its input", async () => {
  const path = "/org/create";
  const refused = await send(path, path, { user_name: "alice", description: "Typed" });
  expect([refused.status, readPage(refused.text).text.includes("This name is already taken."), refused.form(path).description]).toEqual([422, true, "Typed"]);
  expect((await send(path, path, { user_name: "a b" })).status).toBe(422);
  const tooLong = await send(path, path, { user_name: "x".repeat(41) });
  expect([tooLong.status, readPage(tooLong.text).text.includes("Enter at most 40 characters.")]).toEqual([422, true]);
  expect((await send(path, path, { user_name: "acme", full_name: "Acme <b>", visibility: "limited" })).location).toBe("/acme");
  expect(await alice.get("/orgs/acme").expect(200)).toMatchObject({ full_name: "Acme <b>", visibility: "limited" });
});

test("an organization without repositories offers to create one to its owners and to members who can; others read that they see none", async () => {
  const [cleo, dan] = [await forge.createUser("cleo"), await forge.createUser("dan")];
  await alice.post("/orgs", { username: "blank" }).expect(201);
  for (const [user, name, creates] of [
    [cleo, "creators", true],
    [dan, "readers", false],
  ] as const) {
    const team = { name, permission: "read", units: ["repo.code"], can_create_org_repo: creates };
    const { id } = await alice.post("/orgs/blank/teams", team).expect(201);
    await alice.put(`/teams/${id}/members/${user.name}`).expect(204);
  }
  const seenBy = async (user: TestUser) => {
    const browser = createBrowser(forge.url);
    await browser.signIn(user);
    const page = readPage((await browser.get("/blank")).text);
    const said = ["blank has no repositories yet.", "Create a repository in blank", "no repositories visible to you"].filter((words) =>
      page.text.includes(words),
    );
    return [said, page.links.includes("/repo/create?owner=blank")];
  };
  expect(await seenBy(alice)).toEqual([["blank has no repositories yet."], true]);
  expect(await seenBy(cleo)).toEqual([["Create a repository in blank"], true]);
  expect(await seenBy(dan)).toEqual([["no repositories visible to you"], false]);
});

test("only its owners can see and change its settings", async () => {
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

test("a form of an earlier session is refused, and its page shows the typed texts but no secrets", async () => {
  const text = "Everything that grows in the north bed";
  const typed = { ...(await tokenOf(other)), description: text, website: "short", password: "a long and secret password" };
  const refused = await owner.post("/org/acme/settings", typed, { accept: "text/html" });
  const { text: shown, dangers } = readPage(refused.text);
  expect([refused.status, shown.includes("This form has expired"), refused.text.includes(text), dangers]).toEqual([403, true, true, []]);
  expect(refused.text).not.toContain("secret password");
  expect(await alice.get("/orgs/acme").expect(200)).not.toMatchObject({ description: text });
});

test("owners see the changes of access in their organization, without addresses; other users do not", async () => {
  const path = "/org/acme/settings/audit";
  expect((await other.get(path)).status).toBe(403);
  await alice.post("/orgs/acme/teams", { name: "readers", units_map: { "repo.code": "read" } }).expect(201);
  await alice.post("/orgs/acme/repos", { name: "site" }).expect(201);
  await alice.put("/repos/acme/site/collaborators/bob", { permission: "read" }).expect(204);
  // Similar names belong to others.
  await alice.post("/orgs", { username: "acme-two" }).expect(201);
  await alice.post("/user/repos", { name: "acme" }).expect(201);
  const page = readPage((await owner.get(path)).text);
  const actions = ["team.created", "collaborator.added"];
  for (const action of actions) expect(page.text).toContain(action);
  for (const absent of ["acme-two", "alice/acme", "127.0.0.1"]) expect(page.text).not.toContain(absent);
  const filtered = readPage((await owner.get(`${path}?action=team.created`)).text);
  expect([filtered.text.includes("team.created"), filtered.text.includes("collaborator.added")]).toEqual([true, false]);
  await alice.delete("/repos/acme/site").expect(204);
});

test("owners block and unblock users; other users cannot see the list", async () => {
  const path = "/org/acme/settings/blocked_users";
  expect((await other.get(path)).status).toBe(403);
  expect((await other.post(path, { ...(await tokenOf(other)), name: "alice", note: "" })).status).toBe(403);
  const empty = readPage((await owner.get(path)).text);
  expect([empty.text.includes("The organization has not blocked any users"), empty.headings, empty.dangers]).toEqual([true, ["Blocked users"], []]);
  const refused = await send(path, path, { name: "nobody-at-all", note: "Typed" });
  expect([refused.status, refused.form(path).note, /id="name-problem"/.test(refused.text)]).toEqual([422, "Typed", true]);
  await send(path, path, { name: "bob", note: "Noise" });
  await alice.get("/orgs/acme/blocks/bob").expect(204);
  // Users whom alice blocks herself are on another list.
  await alice.get("/user/blocks/bob").expect(404);
  expect(readPage((await owner.get(path)).text).links).toEqual(expect.arrayContaining(["/bob", path]));
  await send(path, `${path}/remove`);
  await alice.get("/orgs/acme/blocks/bob").expect(404);
});

test("its webhooks are part of its settings pages", async () => {
  const [path, form] = ["/org/acme/settings/hooks", "/org/acme/settings/hooks/new"];
  await send(form, form, { url: "http://127.0.0.1:1/x", event_push: "true" });
  const [hook] = await alice.get("/orgs/acme/hooks").expect(200);
  expect((await owner.get(`${path}/${hook.id}`)).status).toBe(200);
  expect((await other.get(`${path}/${hook.id}`)).status).toBe(403);
  await send(path, `${path}/${hook.id}/delete`);
  expect(await alice.get("/orgs/acme/hooks").expect(200)).toEqual([]);
});

test("owners upload and delete its avatar", async () => {
  const path = "/org/acme/settings/avatar";
  expect((await other.get(path)).status).toBe(403);
  const choose = async (content: Buffer) => owner.upload(await owner.get(path), path, {}, [{ field: "picture", name: "p.png", content }]);
  const before = (await alice.get("/orgs/acme").expect(200)).avatar_url;
  const refused = await choose(Buffer.from("<svg onload=alert(1)>"));
  expect([refused.status, readPage(refused.text).dangers]).toEqual([422, []]);
  const tooLarge = await choose(Buffer.alloc(1_048_577));
  expect([tooLarge.status, (await owner.upload(await owner.get(path), path, {}, [])).status]).toEqual([422, 422]);
  expect((await choose(picture)).location).toBe(`${path}?saved=true`);
  const after = (await alice.get("/orgs/acme").expect(200)).avatar_url;
  expect([after === before, (await fetch(after)).headers.get("content-type")]).toEqual([false, "image/png"]);
  await send(path, `${path}/delete`);
  expect((await alice.get("/orgs/acme").expect(200)).avatar_url).toBe(before);
});

test("owners create, edit and delete its labels", async () => {
  const path = "/org/acme/settings/labels";
  expect((await other.get(path)).status).toBe(403);
  expect((await send(path, path, { name: "", color: "#c62828" })).status).toBe(422);
  await send(path, path, { name: "kind/bug", color: "#c62828", exclusive: "true" });
  const [label] = await alice.get("/orgs/acme/labels").expect(200);
  expect(label).toMatchObject({ name: "kind/bug", color: "c62828", exclusive: true });
  await send(`${path}/${label.id}`, `${path}/${label.id}`, { description: "It is broken" });
  expect((await alice.get("/orgs/acme/labels").expect(200))[0]).toMatchObject({ description: "It is broken", exclusive: true });
  await send(path, `${path}/${label.id}/delete`);
  expect(await alice.get("/orgs/acme/labels").expect(200)).toEqual([]);
});

test("owners see the role of each member and whether two-factor authentication is enabled, others only the role", async () => {
  const path = "/org/secured/members";
  await alice.post("/orgs", { username: "secured" }).expect(201);
  const crew = await alice.post<{ id: number }>("/orgs/secured/teams", { name: "crew", units_map: { "repo.code": "write" } }).expect(201);
  const fay = await forge.createUser("fay");
  await alice.put(`/teams/${crew.id}/members/fay`).expect(204);
  const client = createApiClient(forge.url, `Basic ${Buffer.from(`${fay.name}:${fay.password}`).toString("base64")}`);
  const { secret } = await client.post<{ secret: string }>("/user/two_factor").expect(201);
  // A secret without a confirmed code protects nothing yet.
  expect(readPage((await owner.get(path)).text).text).not.toContain("2FA enabled");
  await client.post("/user/two_factor/confirm", { code: totpCode(secret, stepAt(Date.now())) }).expect(201);
  expect(readPage((await owner.get(path)).text).text).toMatch(/alice.*Owner · Private · 2FA disabled.*fay.*Member · Private · 2FA enabled/);
  await alice.put(`/teams/${crew.id}/members/bob`).expect(204);
  const { text } = readPage((await other.get(path)).text);
  expect([text.includes("Owner · Private"), text.includes("2FA")]).toEqual([true, false]);
});

test("members are listed, made public and removed, can leave, and one owner remains", async () => {
  const path = "/org/acme/members";
  const unknown = await send(path, path, { user: "nobody", team: "Owners" });
  expect([unknown.status, unknown.form(path).user, readPage(unknown.text).text.includes("User not found.")]).toEqual([422, "nobody", true]);
  await alice.post("/orgs/acme/teams", { name: "crew", units_map: { "repo.code": "write" } }).expect(201);
  expect((await send(path, path, { user: "bob", team: "crew" })).status).toBe(303);
  // Members see each other; other users see public members.
  const visitor = createBrowser(forge.url);
  expect((await visitor.get(path)).status).toBe(404);
  await alice.patch("/orgs/acme", { visibility: "public" }).expect(200);
  expect(readPage((await visitor.get(path)).text).text).toContain("acme has no public members");
  await other.submit(await other.get(path), `${path}/bob/show`);
  expect(readPage((await visitor.get(path)).text).links).toEqual(expect.arrayContaining(["/bob"]));
  expect(readPage((await visitor.get(path)).text).links).not.toContain("/alice");
  const seen = readPage((await other.get(path)).text);
  expect([seen.links.includes("/alice"), seen.links.includes("/org/acme/teams"), seen.links.includes("/org/acme/settings")]).toEqual([true, true, false]);
  expect((await other.post(`${path}/alice/hide`, await tokenOf(other))).status).toBe(403);
  expect((await other.post(`${path}/alice/remove`, await tokenOf(other))).status).toBe(403);
  expect((await owner.post(`${path}/bob/remove`, {})).status).toBe(403);
  const last = await send(path, `${path}/alice/remove`);
  expect([last.status, readPage(last.text).text.includes("An organization needs at least one owner")]).toEqual([422, true]);
  expect((await other.submit(await other.get(path), `${path}/bob/remove`)).location).toBe(`${path}?saved=left`);
  expect((await alice.get("/orgs/acme/members").expect(200)).map(({ login }: { login: string }) => login)).toEqual(["alice"]);
});

test("owners create, fill, edit and delete a team, and members see it", async () => {
  const [path, form] = ["/org/acme/teams", "/org/acme/teams/new"];
  const refused = await send(form, form, { name: "new", description: "Typed" });
  expect([refused.status, refused.form(form).description, refused.form(form)["unit_repo.code"]]).toEqual([422, "Typed", "read"]);
  const one = `${path}/builders`;
  expect((await send(form, form, { name: "builders", "unit_repo.code": "write", "unit_repo.wiki": "none" })).location).toBe(one);
  const team = async () => (await alice.get("/orgs/acme/teams").expect(200)).find(({ name }: { name: string }) => name !== "Owners" && name !== "crew");
  expect(await team()).toMatchObject({ permission: "none", units_map: { "repo.code": "write", "repo.issues": "read", "repo.wiki": "none" } });
  expect((await send(one, `${one}/members`, { user: "@nosuch" })).text).toContain("User not found.");
  await send(one, `${one}/members`, { user: "bob" });
  await alice.post("/orgs/acme/repos", { name: "plan", private: true }).expect(201);
  const missing = await send(`${one}/repositories`, `${one}/repositories`, { repository: "none" });
  expect([missing.status, readPage(missing.text).text.includes("Repository not found in this organization.")]).toEqual([422, true]);
  const elsewhere = await send(`${one}/repositories`, `${one}/repositories`, { repository: "alice/plan" });
  expect([elsewhere.status, elsewhere.text.includes("Repository not found in this organization.")]).toEqual([422, true]);
  expect((await send(`${one}/repositories`, `${one}/repositories`, { repository: "acme/plan" })).status).toBe(303);
  expect(readPage((await other.get(`${one}/repositories`)).text).links).toContain("/acme/plan");
  expect(readPage((await other.get(path)).text).text).toMatch(/builders .*1 member · 1 repository/);
  expect((await other.get(`${one}/edit`)).status).toBe(403);
  // Saving the form unchanged changes nothing.
  const before = await team();
  await send(`${one}/edit`, `${one}/edit`);
  expect(await team()).toEqual(before);
  await send(`${one}/edit`, `${one}/edit`, { name: "makers", permission: "admin" });
  expect(await team()).toMatchObject({ name: "makers", permission: "admin" });
  await send(`${path}/makers/repositories`, `${path}/makers/repositories/plan/remove`);
  expect((await other.submit(await other.get(`${path}/makers`), `${path}/makers/members/bob/remove`)).location).toBe("/org/acme/members?saved=removed");
  expect((await other.get(path)).status).toBe(403);
  expect((await send(`${path}/makers/edit`, `${path}/makers/delete`, { confirmation: "builders" })).status).toBe(422);
  await send(`${path}/makers/edit`, `${path}/makers/delete`, { confirmation: "makers" });
  expect((await owner.get(`${path}/makers`)).status).toBe(404);
  // Only the description of the owners team can be changed.
  await send(`${path}/Owners/edit`, `${path}/Owners/edit`, { description: "They decide" });
  expect((await alice.get("/orgs/acme/teams").expect(200)).find(({ name }: { name: string }) => name === "Owners")).toMatchObject({
    name: "Owners",
    permission: "owner",
    description: "They decide",
  });
  await alice.delete("/repos/acme/plan").expect(204);
});

test("members who can create repositories in it get a link to the form", async () => {
  expect(readPage((await owner.get("/acme")).text).links).toContain("/repo/create?owner=acme");
  expect(readPage((await other.get("/acme")).text).links).not.toContain("/repo/create?owner=acme");
});

test("its lists run a constant number of statements", async () => {
  const [crew] = (await alice.get("/orgs/acme/teams").expect(200)).filter(({ name }: { name: string }) => name === "crew");
  const grow = async (mark: string) => {
    for (const number of [1, 2]) {
      await forge.createUser(`${mark}${number}`);
      await alice.put(`/teams/${crew.id}/members/${mark}${number}`).expect(204);
      await alice.post("/orgs/acme/teams", { name: `${mark}${number}`, units_map: { "repo.code": "read" } }).expect(201);
      await alice.post("/orgs/acme/repos", { name: `${mark}${number}` }).expect(201);
      await alice.put(`/teams/${crew.id}/repos/acme/${mark}${number}`).expect(204);
      await alice.post("/orgs/acme/labels", { name: `${mark}${number}`, color: "#c62828" }).expect(201);
    }
  };
  const pages = { "/members": 8, "/teams": 4, "/teams/crew": 7, "/teams/crew/repositories": 7, "/settings/labels": 3 };
  const questions = async (): Promise<Record<string, number>> => {
    const counted: Record<string, number> = {};
    for (const page of Object.keys(pages)) counted[page] = (await forge.cost(() => owner.get(`/org/acme${page}`))).statements.length;
    return counted;
  };
  await grow("few");
  await forge.settled();
  const few = await questions();
  await grow("more");
  await forge.settled();
  expect(await questions()).toEqual(few);
  expect(few).toEqual(pages);
  for (const name of ["few1", "few2", "more1", "more2"]) await alice.delete(`/repos/acme/${name}`).expect(204);
});

test("it is renamed, and deleted after entering its name once it has no repositories", async () => {
  await send("/org/acme/settings", "/org/acme/settings/rename", { new_name: "emca" });
  const [path, end] = ["/org/emca/settings", "/org/emca/settings/delete"];
  await alice.post("/orgs/emca/repos", { name: "r" }).expect(201);
  expect((await send(path, end, { confirmation: "acme" })).status).toBe(422);
  const owns = await send(path, end, { confirmation: "emca" });
  expect([owns.status, readPage(owns.text).text.includes("There are still repositories. Delete or transfer them first.")]).toEqual([422, true]);
  await alice.delete("/repos/emca/r").expect(204);
  expect((await send(path, end, { confirmation: "emca" })).location).toBe("/?saved=deleted");
  await alice.get("/orgs/emca").expect(404);
});
