import { afterAll, beforeAll, expect, test } from "vitest";
import { drawIdenticon } from "../../src/features/accounts/avatars/identicon.ts";
import { stepAt, totpCode } from "../../src/features/accounts/users/totp.ts";
import { type Browser, type BrowserAnswer, createBrowser } from "../kit/browser.ts";
import { sqlite } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { readPage } from "../kit/page.ts";
import { hasGpg, openKeyring } from "../kit/signing.ts";

/** User settings pages without JavaScript. */

let forge: TestForge;
let alice: TestUser;
let own: Browser;
beforeAll(async () => {
  forge = await startForge({ dialect: sqlite });
  alice = await forge.createUser("alice");
  own = createBrowser(forge.url);
  await own.signIn(alice);
});
afterAll(() => forge[Symbol.asyncDispose]());

const send = async (path: string, action: string, fields: Readonly<Record<string, string>> = {}) => own.submit(await own.get(path), action, fields);
const open = async (path: string, browser = own) => {
  const { text } = await browser.get(path);
  expect(readPage(text).dangers, path).toEqual([]);
  return readPage(text);
};

/** The problems of a refused form, by the id of their fields. */
const problemsOf = (text: string) => Object.fromEntries([...text.matchAll(/id="([\w-]+)-problem"[^>]*>([^<]*)/g)].map(([, id, problem]) => [id, problem]));

test("a wrong website of a repository is marked together with its other wrong fields", async () => {
  await alice.post("/user/repos", { name: "site" }).expect(201);
  const path = "/alice/site/settings";
  const refused = await send(path, path, { name: "two words", website: "example.org" });
  expect(problemsOf(refused.text)).toMatchObject({ name: expect.stringContaining("Use only"), website: "Enter a URL that starts with http:// or https://." });
});

test("user settings pages require signing in, and link to each other", async () => {
  const paths = [
    "/user/settings",
    "/user/settings/avatar",
    "/user/settings/account",
    "/user/settings/appearance",
    "/user/settings/security",
    "/user/sessions",
    "/user/identities",
    "/user/settings/keys",
    "/user/settings/applications",
    "/user/settings/gpg_keys",
    "/user/applications",
    "/user/settings/applications/oauth2",
    "/user/settings/organization",
    "/user/settings/blocked_users",
    "/user/settings/hooks",
  ];
  for (const path of paths) {
    const page = await open(path);
    expect([path, page.headings.length, paths.every((other) => page.links.includes(other))]).toEqual([path, 1, true]);
    expect((await createBrowser(forge.url).get(path)).location).toBe(`/user/login?redirect_to=${encodeURIComponent(path)}`);
  }
});

test("a profile is changed, and an unchanged form changes nothing", async () => {
  const path = "/user/settings";
  await send(path, path, { full_name: "Alice <b>", location: "Here", hide_email: "true", email_notifications: "onmention" });
  const changed = await alice.get("/user/settings").expect(200);
  expect(changed).toMatchObject({ full_name: "Alice <b>", location: "Here", hide_email: true, hide_activity: false });
  await send(path, path);
  expect(await alice.get("/user/settings").expect(200)).toEqual(changed);
  expect(await alice.get("/user/settings/mail").expect(200)).toMatchObject({ email_notifications: "onmention" });
});

test("the form for new repositories preselects the visibility that users have set, and the API does not use it", async () => {
  const [path, create] = ["/user/settings", "/repo/create"];
  const preselected = async (): Promise<string | undefined> => (await own.get(create)).form(create).private;
  const make = async (name: string): Promise<boolean> => {
    expect((await send(create, create, { name })).status).toBe(303);
    return (await alice.get(`/repos/alice/${name}`).expect(200)).private;
  };
  expect([await preselected(), await make("seen")]).toEqual([undefined, false]);
  await send(path, path, { new_repositories_private: "true" });
  expect([await preselected(), await make("hidden-by-default")]).toEqual(["true", true]);
  expect((await alice.post("/user/repos", { name: "by-api" }).expect(201)).private).toBe(false);
  await send(path, path, { location: "There" });
  expect(await preselected()).toBe("true");
});

test("the selected language and theme apply to all pages, whatever the browser accepts", async () => {
  const path = "/user/settings/appearance";
  const before = (await own.get("/", { "accept-language": "en" })).text;
  expect([before.includes("data-theme"), (await open("/explore/repos")).language]).toEqual([false, "en"]);
  await send(path, path, { language: "de-DE", theme: "gitea-dark" });
  const after = await own.get("/explore/repos", { "accept-language": "en" });
  expect([readPage(after.text).language, after.text.includes('data-theme="dark"')]).toEqual(["de", true]);
  await send(path, path, { language: "", theme: "gitea-auto" });
  const last = await own.get("/explore/repos", { "accept-language": "en" });
  expect([readPage(last.text).language, last.text.includes("data-theme")]).toEqual(["en", false]);
});

test("users rename their account; the old name redirects, sessions and tokens keep working, and a name in use is rejected", async () => {
  const [path, action] = ["/user/settings/account", "/user/settings/account/rename"];
  const rita = await forge.createUser("rita");
  await rita.post("/user/repos", { name: "garden" }).expect(201);
  const here = createBrowser(forge.url);
  await here.signIn(rita);
  for (const [typed, words] of [
    ["alice", "This name is already taken."],
    ["explore", "reserved"],
    ["a b", "Use only A–Z"],
  ] as const) {
    const refused = await here.submit(await here.get(path), action, { new_name: typed });
    expect([refused.status, refused.form(action).new_name, readPage(refused.text).text.includes(words)]).toEqual([422, typed, true]);
  }
  expect((await here.submit(await here.get(path), action, { new_name: "margarita" })).location).toBe(`${path}?saved=true`);
  expect((await here.get("/rita/garden")).location).toBe("/margarita/garden");
  expect(await rita.get("/user").expect(200)).toMatchObject({ login: "margarita" });
  expect((await forge.admin.get("/admin/audit?account=margarita&action=account.renamed").expect(200)).entries).toMatchObject([
    { actor: { name: "rita" }, target: { name: "margarita" } },
  ]);
});

test("email addresses are added and removed; an invalid one is rejected and the form keeps its input", async () => {
  const [path, add] = ["/user/settings/account", "/user/settings/account/emails"];
  const refused = await send(path, add, { email: "no address" });
  expect([refused.status, refused.form(add).email]).toEqual([422, "no address"]);
  await send(path, add, { email: "second@example.org" });
  expect((await open(path)).text).toContain("second@example.org not verified");
  await send(path, `${add}/remove`, { email: "second@example.org" });
  expect(await alice.get("/user/emails").expect(200)).toHaveLength(1);
});

test("a verified email address becomes the primary one, on the page and through the API; an unverified one does not", async () => {
  const paula = await forge.createUser("paula");
  await forge.admin.post("/user/emails?sudo=paula", { emails: ["shown@example.org"] }).expect(201);
  await paula.post("/user/emails", { emails: ["claimed@example.org"] }).expect(201);
  const here = createBrowser(forge.url);
  await here.signIn(paula);
  const path = "/user/settings/account";
  const page = await here.get(path);
  // Two addresses are not primary, and one of them can become primary.
  expect([page.text.match(/emails\/primary"/g)?.length, page.text.match(/emails\/remove"/g)?.length, page.text.includes("emails/resend")]).toEqual([
    1,
    2,
    false,
  ]);
  expect((await here.submit(page, `${path}/emails/primary`)).location).toBe(`${path}?saved=true`);
  expect(await paula.get("/user").expect(200)).toMatchObject({ email: "shown@example.org" });
  expect((await here.post(`${path}/emails/primary`, { ...page.form(`${path}/emails/primary`), email: "claimed@example.org" })).status).toBe(422);
  await paula.put("/user/emails/primary", { email: "claimed@example.org" }).expect(422);
  await paula.put("/user/emails/primary", { email: alice.email }).expect(404);
  const back = await paula.put("/user/emails/primary", { email: "PAULA@example.com" }).expect(200);
  expect(back.filter(({ primary }: { primary: boolean }) => primary)).toMatchObject([{ email: "paula@example.com", verified: true }]);
});

test("changing the password requires the current one, and signs out all other browsers", async () => {
  const bob = await forge.createUser("bob");
  const [here, elsewhere] = [createBrowser(forge.url), createBrowser(forge.url)];
  await here.signIn(bob);
  await elsewhere.signIn(bob);
  const [path, action] = ["/user/settings/account", "/user/settings/account/password"];
  const chosen = { password: "another long one", retype: "another long one" };
  const wrong = await here.submit(await here.get(path), action, { current: "wrong", ...chosen });
  expect([wrong.status, readPage(wrong.text).text.includes("The password is incorrect."), wrong.text.includes("another long one")]).toEqual([422, true, false]);
  expect((await here.submit(await here.get(path), action, { current: bob.password, password: "short", retype: "short" })).status).toBe(422);
  expect((await here.submit(await here.get(path), action, { current: bob.password, ...chosen })).status).toBe(303);
  expect([(await here.get(path)).status, (await elsewhere.get(path)).status]).toEqual([200, 303]);
  expect((await createBrowser(forge.url).signIn({ name: "bob", password: chosen.password })).status).toBe(303);
});

test("an access token is created for a password, shown once, and limited to its scopes", async () => {
  const path = "/user/settings/applications";
  const typed = { name: "ci", scope_repository: "read", expires: "2099-01-31" };
  const wrong = await send(path, path, { ...typed, password: "wrong" });
  expect([wrong.status, wrong.form(path).name, readPage(wrong.text).text.includes("The password is incorrect.")]).toEqual([422, "ci", true]);
  expect((await send(path, path, { name: "ci", password: alice.password })).status).toBe(422);
  const empty = await send(path, path, { name: "", expires: "2001-01-31", password: "" });
  expect(problemsOf(empty.text)).toEqual({
    name: "This field is required.",
    scopes: "Select at least one permission.",
    expires: "Enter a time in the future.",
    password: "This field is required.",
  });
  // No control is the wrong one.
  expect(empty.text).toMatch(/<p class="wrong" id="scopes-problem" tabindex="-1" autofocus/i);
  const made = await send(path, path, { ...typed, password: alice.password });
  const [token = ""] = /[0-9a-f]{40}/.exec(made.text) ?? [];
  const ask = (url: string) => fetch(`${forge.url}/api/v1${url}`, { headers: { authorization: `token ${token}` } });
  expect([made.status, token.length, (await ask("/repos/search")).status, (await ask("/user/emails")).status]).toEqual([200, 40, 200, 403]);
  const listed = await own.get(path);
  expect([listed.text.includes(token), readPage(listed.text).text.includes("expires Jan 31, 2099")]).toEqual([false, true]);
  const [, remove = ""] = /action="(\/user\/settings\/applications\/\d+\/remove)"/.exec(listed.text) ?? [];
  await send(path, remove);
  expect((await ask("/repos/search")).status).toBe(401);
});

test("a second factor is set up with a QR code and a code, shows its recovery codes once, and is removed with the password", async () => {
  const dora = await forge.createUser("dora");
  const here = createBrowser(forge.url);
  await here.signIn(dora);
  const path = "/user/settings/security";
  const fill = async (form: string, fields: Readonly<Record<string, string>>, page?: BrowserAnswer) =>
    here.submit(page ?? (await here.get(path)), `${path}/${form}`, fields);
  const wrong = await fill("begin", { password: "wrong" });
  expect([wrong.status, readPage(wrong.text).text.includes("The password is incorrect.")]).toEqual([422, true]);

  const shown = await fill("begin", { password: dora.password });
  const { secret = "" } = shown.form(`${path}/confirm`);
  expect([
    readPage(shown.text).text.includes(secret.replace(/.{4}(?=.)/g, "$& ")),
    shown.text.includes('role="img" aria-label="QR code'),
    readPage(shown.text).dangers,
  ]).toEqual([true, true, []]);
  // With a session only, without the password, the secret is not shown and the factor cannot be enabled.
  expect((await here.get(path)).text).not.toContain(secret);
  const guessed = await here.post(`${path}/confirm`, { ...shown.form(`${path}/confirm`), secret: "A".repeat(32), code: totpCode(secret, stepAt(Date.now())) });
  expect([guessed.status, guessed.text.includes(secret)]).toEqual([422, false]);
  const again = await fill("confirm", { code: "12345" }, shown);
  expect([again.status, again.form(`${path}/confirm`).secret]).toEqual([422, secret]);

  const codesOf = (page: BrowserAnswer) => page.text.match(/\b[a-z2-7]{4}(?:-[a-z2-7]{4}){3}\b/g) ?? [];
  const first = codesOf(await fill("confirm", { code: totpCode(secret, stepAt(Date.now())) }, again));
  expect([first.length, codesOf(await here.get(path)).length, readPage((await here.get(path)).text).text.includes("10 recovery codes left")]).toEqual([
    10,
    0,
    true,
  ]);

  const guest = createBrowser(forge.url);
  expect((await guest.signIn(dora)).location).toMatch(/^\/user\/two_factor/);
  const requested = await guest.get("/user/two_factor", { "accept-language": "de" });
  expect(readPage(requested.text)).toMatchObject({ language: "de", headings: ["Zwei-Faktor-Authentifizierung"] });
  const second = codesOf(await fill("codes", { password: dora.password }));
  expect((await guest.submit(requested, "/user/two_factor", { passcode: first[0] ?? "" })).status).toBe(401);
  expect((await guest.submit(requested, "/user/two_factor", { passcode: second[0] ?? "" })).status).toBe(303);

  expect((await fill("remove", { password: "wrong" })).status).toBe(422);
  expect((await fill("remove", { password: dora.password })).location).toBe(`${path}?saved=removed`);
  expect((await createBrowser(forge.url).signIn(dora)).location).toBe("/");
});

test("an SSH key is added and deleted", async () => {
  const path = "/user/settings/keys";
  const refused = await send(path, path, { title: "laptop", key: "no key" });
  expect([refused.status, refused.form(path).key]).toEqual([422, "no key"]);
  const untitled = await send(path, path, { title: "", key: "no key" });
  expect(problemsOf(untitled.text)).toEqual({ title: "This field is required.", key: "This is not a valid public key." });
  const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl laptop";
  await send(path, path, { title: "laptop", key });
  const [made] = await alice.get("/user/keys").expect(200);
  expect(made).toMatchObject({ title: "laptop" });
  const sameTitle = await send(path, path, { title: "laptop", key: `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${"A".repeat(43)}` });
  expect([sameTitle.status, sameTitle.text.includes('id="title-problem"'), sameTitle.text.includes('id="key-problem"')]).toEqual([422, true, false]);
  await send(path, `${path}/${made.id}/remove`);
  expect(await alice.get("/user/keys").expect(200)).toEqual([]);
});

test("an avatar is uploaded, shown and deleted; an invalid image is rejected", async () => {
  const path = "/user/settings/avatar";
  const give = async (content: Buffer, name = "me.png") =>
    own.upload(await own.get(path), path, {}, [{ field: "picture", name, content: Uint8Array.from(content) }]);
  const drawn = (await alice.get("/user").expect(200)).avatar_url;
  const refused = await give(Buffer.from("no picture"));
  expect([refused.status, refused.text.includes('id="picture-problem"')]).toEqual([422, true]);
  expect((await give(drawIdenticon("alice's face", 64))).location).toBe(`${path}?saved=true`);
  const uploaded = (await alice.get("/user").expect(200)).avatar_url;
  expect([uploaded === drawn, (await own.get(path)).text.includes(new URL(uploaded).pathname)]).toEqual([false, true]);
  // A form of another session or site cannot upload an avatar.
  const foreign = new FormData();
  foreign.set("picture", new Blob([Uint8Array.from(drawIdenticon("mallory's face", 64))]), "m.png");
  const forged = await fetch(`${forge.url}${path}`, { method: "POST", body: foreign, headers: { cookie: own.cookie, "sec-fetch-site": "same-origin" } });
  expect(forged.status).toBe(403);
  await send(path, `${path}/delete`);
  expect((await alice.get("/user").expect(200)).avatar_url).toBe(drawn);
});

test.skipIf(!hasGpg)(
  `a GPG key is added by its address or with a signature, verified, and deleted${hasGpg ? "" : " (skipped: gpg, which creates keys, is not installed)"}`,
  async () => {
    const path = "/user/settings/gpg_keys";
    await using keyring = await openKeyring();
    const unreadable = await send(path, path, { armored_public_key: "no key" });
    expect([unreadable.status, unreadable.form(path).armored_public_key]).toEqual([422, "no key"]);
    const stranger = await send(path, path, { armored_public_key: await keyring.export(await keyring.generate("A <a@elsewhere.example>")) });
    expect([stranger.status, readPage(stranger.text).text.includes("Verify the key with a signature")]).toEqual([422, true]);
    const fingerprint = await keyring.generate(`Alice <${alice.email}>`);
    expect((await send(path, path, { armored_public_key: await keyring.export(fingerprint) })).status).toBe(303);
    const wrong = await send(path, `${path}/verify`, { armored_signature: "no signature" });
    expect([wrong.status, wrong.text.includes("-armored_signature-problem")]).toEqual([422, true]);
    const [, challenge = ""] = /printf ([0-9a-f]{64})/.exec((await own.get(path)).text) ?? [];
    const signature = await keyring.sign(fingerprint, challenge);
    expect((await send(path, `${path}/verify`, { armored_signature: signature })).status).toBe(303);
    const [made] = await alice.get("/user/gpg_keys").expect(200);
    expect(made).toMatchObject({ key_id: fingerprint.slice(-16), verified: true });
    // Keys of other users cannot be deleted by their id.
    const mallory = createBrowser(forge.url);
    await mallory.signIn(await forge.createUser("mallory"));
    await mallory.post(`${path}/${made.id}/remove`, { _csrf: (await mallory.get(path)).form(path)._csrf ?? "" });
    expect(await alice.get("/user/gpg_keys").expect(200)).toHaveLength(1);
    await send(path, `${path}/${made.id}/remove`);
    expect(await alice.get("/user/gpg_keys").expect(200)).toEqual([]);
  },
);

test("an OAuth2 application is registered, keeps its secret when it is edited, and gets a new one on request", async () => {
  const path = "/user/settings/applications/oauth2";
  const refused = await send(path, path, { name: "reader", redirect_uris: "javascript:alert(1)" });
  expect([refused.status, refused.form(path)]).toMatchObject([422, { name: "reader", redirect_uris: "javascript:alert(1)" }]);
  const secretIn = ({ text }: BrowserAnswer) => /gto_[a-z2-7]{52}/.exec(text)?.[0];
  const made = await send(path, path, { name: "reader", redirect_uris: "https://reader.example/callback\r\nhttps://reader.example/other" });
  const first = secretIn(made);
  const [application] = await alice.get("/user/applications/oauth2").expect(200);
  expect([made.status, first?.length, application]).toMatchObject([
    200,
    56,
    { confidential_client: true, redirect_uris: ["https://reader.example/callback", "https://reader.example/other"] },
  ]);
  const one = `${path}/${application.id}`;
  const page = await own.get(one);
  expect([secretIn(page), page.text.includes(application.client_id)]).toEqual([undefined, true]);
  const client = (secret = "") =>
    fetch(`${forge.url}/login/oauth/access_token`, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "authorization_code", client_id: application.client_id, client_secret: secret, code: "none" }),
    }).then((answer) => answer.text());
  const wrongSecret = await client("gto_wrong");
  await send(one, one, { name: "Reader" });
  expect([(await client(first)) === wrongSecret, (await alice.get(`/user/applications/oauth2/${application.id}`).expect(200)).name]).toEqual([false, "Reader"]);
  const second = secretIn(await send(one, `${one}/secret`));
  expect([await client(first), (await client(second)) === wrongSecret]).toEqual([wrongSecret, false]);
  await send(one, `${one}/delete`);
  expect(await alice.get("/user/applications/oauth2").expect(200)).toEqual([]);
});

test("a user is blocked and unblocked; an organization is left by a member who is not its only owner", async () => {
  const [blocks, organizations] = ["/user/settings/blocked_users", "/user/settings/organization"];
  const refused = await send(blocks, blocks, { name: "nobody-at-all" });
  expect([refused.status, refused.form(blocks).name, readPage(refused.text).text.includes("User not found.")]).toEqual([422, "nobody-at-all", true]);
  await forge.createUser("pest");
  await send(blocks, blocks, { name: "pest", note: "Too loud" });
  await alice.get("/user/blocks/pest").expect(204);
  await send(blocks, `${blocks}/remove`);
  await alice.get("/user/blocks/pest").expect(404);

  await forge.admin.post("/orgs", { username: "choir" }).expect(201);
  await alice.post("/orgs", { username: "solo" }).expect(201);
  const { id: team } = await forge.admin.post("/orgs/choir/teams", { name: "altos", units_map: { "repo.code": "read" } }).expect(201);
  await forge.admin.put(`/teams/${team}/members/alice`).expect(204);
  expect(readPage((await own.get(organizations)).text).links).toEqual(expect.arrayContaining(["/choir", "/solo"]));
  const sole = await send(organizations, `${organizations}/solo/leave`);
  expect([sole.status, readPage(sole.text).text.includes("needs at least one owner")]).toEqual([422, true]);
  expect((await send(organizations, `${organizations}/choir/leave`)).status).toBe(303);
  await forge.admin.get("/orgs/choir/members/alice").expect(404);
});

test("a webhook of a user is added on the shared pages", async () => {
  const path = "/user/settings/hooks";
  await send(`${path}/new`, `${path}/new`, { url: "https://hooks.example/mine" });
  const [hook] = await alice.get("/user/hooks").expect(200);
  expect([hook.config.url, (await own.get(`${path}/${hook.id}`)).status]).toEqual(["https://hooks.example/mine", 200]);
});

test("an account is deleted with its password, after the page has listed what is deleted with it", async () => {
  const carl = await forge.createUser("carl");
  await carl.post("/user/repos", { name: "cellar" }).expect(201);
  await carl.post("/orgs", { username: "cellists" }).expect(201);
  const here = createBrowser(forge.url);
  await here.signIn(carl);
  const path = "/user/settings/account/delete";
  expect(readPage((await here.get("/user/settings/account")).text).links).toContain(path);
  const { text } = readPage((await here.get(path)).text);
  expect([text.includes("1 repository : carl/cellar") || text.includes("1 repository: carl/cellar"), text.includes("cellists")]).toEqual([true, true]);
  const wrong = await here.submit(await here.get(path), path, { password: "wrong" });
  expect([wrong.status, readPage(wrong.text).text.includes("The password is incorrect.")]).toEqual([422, true]);
  const done = await here.submit(await here.get(path), path, { password: carl.password });
  expect([done.status, done.location, here.cookie]).toEqual([303, "/", ""]);
  await forge.admin.get("/users/carl").expect(404);
  await forge.admin.get("/orgs/cellists").expect(404);
  await carl.get("/user").expect(401);
  const chief = createBrowser(forge.url);
  await chief.signIn(forge.admin);
  const last = await chief.submit(await chief.get(path), path, { password: forge.admin.password });
  expect([last.status, readPage(last.text).text.includes("only administrator")]).toEqual([422, true]);
});

test("lists run a constant number of statements", async () => {
  const rosa = await forge.createUser("rosa");
  const here = createBrowser(forge.url);
  await here.signIn(rosa);
  for (const name of ["rude", "loud", "odd"]) await forge.createUser(name);
  const more = async (at: number): Promise<void> => {
    await rosa.put(`/user/blocks/${["rude", "loud", "odd"][at]}`).expect(204);
    await rosa.post("/orgs", { username: `roses-${at}` }).expect(201);
    await rosa.post("/user/applications/oauth2", { name: `${at}`, redirect_uris: ["https://rosa.example/"] }).expect(201);
    await createBrowser(forge.url).signIn(rosa);
    await rosa.post("/user/emails", { emails: [`rosa-${at}@example.org`] }).expect(201);
  };
  const paths = {
    "/user/settings/account": 3,
    "/user/settings/security": 3,
    "/user/sessions": 3,
    "/user/settings/gpg_keys": 3,
    "/user/settings/applications/oauth2": 3,
    "/user/settings/organization": 3,
    "/user/settings/blocked_users": 3,
    "/user/settings/account/delete": 4,
  };
  const cost = async (): Promise<Readonly<Record<string, number>>> => {
    const found: [string, number][] = [];
    for (const path of Object.keys(paths)) found.push([path, (await forge.cost(() => here.get(path))).statements.length]);
    return Object.fromEntries(found);
  };
  await more(0);
  expect(await cost()).toEqual(paths);
  await more(1);
  await more(2);
  expect(await cost()).toEqual(paths);
});
