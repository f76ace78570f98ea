import { expect, test } from "vitest";
import { type Browser, createBrowser } from "../../../../../test/kit/browser.ts";
import { createTestClock } from "../../../../../test/kit/clock.ts";
import { eachDialect, sqlite } from "../../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../../test/kit/forge.ts";
import { readPage } from "../../../../../test/kit/page.ts";
import { startSmtpServer } from "../../../../../test/kit/smtp-server.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const members = "/org/guild/members";
const accept = "/user/invitation";

const signedIn = async (forge: TestForge, user: TestUser): Promise<Browser> => {
  const browser = createBrowser(forge.url);
  await browser.signIn(user);
  return browser;
};

async function startGuild(dialect: Parameters<typeof startForge>[0]["dialect"], environment: Readonly<Record<string, string>> = {}) {
  const mailServer = await startSmtpServer();
  const clock = createTestClock(Date.now());
  const forge = await startForge({ dialect, clock, environment: { ...mailServer.environment, ...environment } });
  const alice = await forge.createUser("alice");
  await alice.post("/orgs", { username: "guild", visibility: "private" }).expect(201);
  await alice.post("/orgs/guild/teams", { name: "builders", units_map: { "repo.code": "write" } }).expect(201);
  const owner = await signedIn(forge, alice);
  const invite = async (user: string, browser = owner) => browser.submit(await browser.get(members), members, { user, team: "builders" });
  /** The links in the emails that some work causes. */
  const linksOf = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
    await forge.settled();
    const before = mailServer.emails.length;
    await work();
    clock.advance(minuteMs);
    await forge.settled();
    return mailServer.emails.slice(before).flatMap(({ raw }) => /https?:\/\/[^/\s]+(\/user\/invitation\?code=\w+)/.exec(raw)?.[1] ?? []);
  };
  const dispose = async (): Promise<void> => {
    await forge[Symbol.asyncDispose]();
    await mailServer[Symbol.asyncDispose]();
  };
  return { mailServer, clock, forge, alice, owner, invite, linksOf, [Symbol.asyncDispose]: dispose };
}

const isMember = async (alice: TestUser, name: string): Promise<boolean> => {
  const listed = await alice.get<{ login: string }[]>("/orgs/guild/members").expect(200);
  return listed.some(({ login }) => login === name);
};

eachDialect((dialect) => {
  test("an invited user joins the team once, by a link that reveals nothing about accounts to the owner", async () => {
    await using site = await startGuild(dialect);
    const { forge, alice, owner, invite, linksOf } = site;
    const [bob, carol] = [await forge.createUser("bob"), await forge.createUser("carol")];
    let known: Awaited<ReturnType<typeof invite>> | undefined;
    let unknown: typeof known;
    const [link = "", other = ""] = await linksOf(async () => {
      known = await invite(bob.email);
      unknown = await invite("nobody@example.org");
    });
    expect([known?.status, known?.location]).toEqual([unknown?.status, unknown?.location]);
    expect(known?.location).toMatch(/\?saved=sent$/);
    const ofTeam = readPage((await owner.get("/org/guild/teams/builders")).text).text;
    expect([ofTeam.includes("nobody@example.org"), ofTeam.includes("Team builders, invited by alice")]).toEqual([true, true]);
    expect(readPage((await owner.get("/org/guild/teams/Owners")).text).text).not.toContain("nobody@example.org");
    const list = readPage((await owner.get(members)).text);
    expect([list.text.includes(bob.email), list.text.includes("nobody@example.org"), list.text.includes("Team builders, invited by alice")]).toEqual([
      true,
      true,
      true,
    ]);
    expect(readPage((await createBrowser(forge.url).get(members)).text).text).not.toContain(bob.email);

    const visitor = createBrowser(forge.url);
    const page = await visitor.get(link);
    expect([page.status, readPage(page.text).dangers]).toEqual([200, []]);
    expect(readPage(page.text).links).toContain(`/user/login?redirect_to=${encodeURIComponent(link)}`);
    expect(page.text).not.toContain("/user/sign_up/confirm");
    expect((await visitor.post(accept, { code: link.split("=")[1] ?? "" })).location).toMatch(/^\/user\/login/);

    const invited = await signedIn(forge, bob);
    const joined = await invited.submit(await invited.get(link), accept);
    expect([joined.status, joined.location]).toEqual([303, "/guild"]);
    expect(await isMember(alice, "bob")).toBe(true);
    const third = await signedIn(forge, carol);
    const used = await third.get(link);
    expect([used.status, used.text.includes("Ask an owner of the organization for a new one."), used.text.includes('/user/settings/account">Email')]).toEqual([
      400,
      true,
      false,
    ]);
    expect((await invited.post(accept, { ...(await invited.get("/repo/create")).form("/repo/create"), code: link.split("=")[1] ?? "" })).status).toBe(400);
    expect(readPage((await owner.get(members)).text).text).not.toContain(`${bob.email} Team`);

    // Two uses of one link at once: one user joins.
    const pages = await Promise.all([invited, third].map(async (browser) => ({ browser, page: await browser.get(other) })));
    const answers = await Promise.all(pages.map(({ browser, page }) => browser.submit(page, accept)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400]);
    const audit = readPage((await owner.get("/org/guild/settings/audit")).text).text;
    expect([audit.includes("nobody@example.org was invited to the team"), audit.includes("bob accepted an invitation to the team")]).toEqual([true, true]);
  });

  test("invitations end by revocation, a newer email, time, the loss of the sender's rights and blocks", async () => {
    await using site = await startGuild(dialect);
    const { forge, alice, clock, owner, invite, linksOf } = site;
    const [bob, dave] = [await forge.createUser("bob"), await forge.createUser("dave")];
    const invited = await signedIn(forge, dave);
    const idOf = async (): Promise<string> => (await owner.get(members)).form("/org/guild/invitations/revoke").id ?? "";
    const act = async (action: "resend" | "revoke", browser = owner, id?: string) => {
      const { _csrf = "" } = (await browser.get("/repo/create")).form("/repo/create");
      return browser.post(`/org/guild/invitations/${action}`, { _csrf, id: id ?? (await idOf()) });
    };
    const [first = ""] = await linksOf(() => invite("dave@elsewhere.example"));
    const early = await act("resend");
    expect([early.status, readPage(early.text).text.includes("was already sent to this address")]).toEqual([422, true]);
    clock.advance(11 * minuteMs);
    const [second = ""] = await linksOf(() => act("resend"));
    expect([(await invited.get(first)).status, (await invited.get(second)).status]).toEqual([400, 200]);
    expect((await act("revoke", invited, await idOf())).status).toBe(404);
    expect((await invited.get(second)).status).toBe(200);
    await act("revoke");
    expect((await invited.get(second)).status).toBe(400);

    clock.advance(11 * minuteMs);
    const [late = ""] = await linksOf(() => invite("dave@elsewhere.example"));
    clock.advance(7 * dayMs);
    expect((await invited.get(late)).status).toBe(400);
    expect(readPage((await owner.get(members)).text).text).toContain("No longer valid");
    const [again = ""] = await linksOf(() => act("resend"));
    expect((await invited.get(again)).status).toBe(200);

    // The link of an owner who is one no more is void, and another owner can send it again.
    const teams = await alice.get<{ id: number; name: string }[]>("/orgs/guild/teams").expect(200);
    const owners = teams.find(({ name }) => name === "Owners");
    await alice.put(`/teams/${owners?.id}/members/bob`).expect(204);
    const otherOwner = await signedIn(forge, bob);
    clock.advance(11 * minuteMs);
    const [theirs = ""] = await linksOf(() => invite("erin@elsewhere.example", otherOwner));
    expect((await invited.get(theirs)).status).toBe(200);
    await alice.delete(`/teams/${owners?.id}/members/bob`).expect(204);
    expect((await invited.get(theirs)).status).toBe(400);

    await alice.put("/orgs/guild/blocks/dave").expect(204);
    const refused = await invited.submit(await invited.get(again), accept);
    expect([refused.status, await isMember(alice, "dave")]).toEqual([403, false]);
    await alice.delete("/orgs/guild/blocks/dave").expect(204);
    expect((await invited.submit(await invited.get(again), accept)).status).toBe(303);
    expect(await isMember(alice, "dave")).toBe(true);
  });
});

test("a user without an account signs up from the invitation, if registration is enabled, and joins", async () => {
  await using site = await startGuild(sqlite, { HEARTH_REGISTRATION_ENABLED: "true" });
  const { forge, alice, invite, linksOf } = site;
  const [link = ""] = await linksOf(() => invite("nora@example.org"));
  const browser = createBrowser(forge.url);
  const next = readPage((await browser.get(link)).text).links.find((path) => path.startsWith("/user/sign_up/confirm")) ?? "";
  const form = await browser.get(next);
  expect(readPage(form.text).text).toContain("nora@example.org");
  const password = "a pass phrase of one's own";
  const short = await browser.submit(form, "/user/sign_up/confirm", { user_name: "nora", password: "short", retype: "short" });
  const made = await browser.submit(short, "/user/sign_up/confirm", { password, retype: password });
  expect([short.status, made.status, made.location]).toEqual([422, 303, link]);
  const page = await browser.get(link);
  expect(readPage(page.text).text).toContain("You are signed in as nora");
  expect((await browser.submit(page, accept)).location).toBe("/guild");
  expect(await isMember(alice, "nora")).toBe(true);
  // The address has an account now: its next invitation offers to sign in only.
  const [second = ""] = await linksOf(() => invite("nora@example.org"));
  expect((await createBrowser(forge.url).get(second)).text).not.toContain("/user/sign_up/confirm");
});

test("the number of emails and of open invitations is limited, and invalid addresses keep the form", async () => {
  await using site = await startGuild(sqlite);
  const { forge, alice, invite } = site;
  const odd = await invite("no address@");
  expect([odd.status, odd.form(members).user, readPage(odd.text).text.includes("email address")]).toEqual([422, "no address@", true]);
  const statuses: number[] = [];
  for (let number = 1; number <= 4; number += 1) statuses.push((await invite("one@example.org")).status);
  expect(statuses).toEqual([303, 303, 303, 422]);
  expect((await forge.context.db.sql.selectFrom("organization_invitations").selectAll().execute()).length).toBe(1);
  const [present] = await forge.context.db.sql.selectFrom("organization_invitations").selectAll().execute();
  if (present === undefined) throw new Error("no invitation");
  const rows = Array.from({ length: 99 }, (_, at) => ({
    ...present,
    id: undefined,
    email: `x${at}@example.org`,
    folded: `x${at}@example.org`,
    code_hash: `${at}`,
  }));
  await forge.context.db.tx((tx) =>
    tx.sql
      .insertInto("organization_invitations")
      .values(rows.map(({ id: _, ...row }) => row))
      .execute(),
  );
  const full = await invite("two@example.org");
  expect([full.status, readPage(full.text).text.includes("The limit of open invitations is reached.")]).toEqual([422, true]);
  expect(await isMember(alice, "alice")).toBe(true);
});

test("a server without email says that only users can be added, and refuses addresses", async () => {
  await using forge = await startForge({ dialect: sqlite });
  const alice = await forge.createUser("alice");
  await alice.post("/orgs", { username: "guild" }).expect(201);
  const owner = await signedIn(forge, alice);
  const page = await owner.get(members);
  expect(readPage(page.text).text).toContain("this server sends no email");
  const refused = await owner.submit(page, members, { user: "bob@example.org", team: "Owners" });
  expect([refused.status, refused.form(members).user, readPage(refused.text).text.includes("This server sends no email.")]).toEqual([
    422,
    "bob@example.org",
    true,
  ]);
  const team = "/org/guild/teams/Owners";
  expect((await owner.submit(await owner.get(team), `${team}/members`, { user: "bob@example.org" })).status).toBe(422);
});
