import { afterAll, beforeAll, expect, test } from "vitest";
import { type Browser, createBrowser } from "../../../../test/kit/browser.ts";
import { createTestClock, type TestClock } from "../../../../test/kit/clock.ts";
import { sqlite } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge } from "../../../../test/kit/forge.ts";
import { readPage } from "../../../../test/kit/page.ts";
import { type SmtpServer, startSmtpServer } from "../../../../test/kit/smtp-server.ts";
import { ConfigError, loadConfig } from "../../../config/config.ts";

const minuteMs = 60_000;
let forge: TestForge;
let mailServer: SmtpServer;
let clock: TestClock;
beforeAll(async () => {
  mailServer = await startSmtpServer();
  clock = createTestClock(Date.now());
  forge = await startForge({ dialect: sqlite, clock, environment: { ...mailServer.environment, HEARTH_REGISTRATION_ENABLED: "true" } });
});
afterAll(async () => {
  await forge[Symbol.asyncDispose]();
  await mailServer[Symbol.asyncDispose]();
});

const open = (): Browser => createBrowser(forge.url);
const path = "/user/sign_up";
const ask = async (email: string, headers: Readonly<Record<string, string>> = {}) => {
  const browser = open();
  return browser.post(path, { ...(await browser.get(path)).form(path), email }, headers);
};
/** The decoded text of the emails sent to an address by a request. */
async function emailsTo(email: string, headers?: Readonly<Record<string, string>>): Promise<readonly string[]> {
  clock.advance(30 * minuteMs);
  await forge.settled();
  const before = mailServer.emails.length;
  await ask(email, headers);
  await forge.settled();
  const unquote = (raw: string) =>
    Buffer.from(
      raw.replace(/=\r?\n/g, "").replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
      "latin1",
    ).toString();
  return mailServer.emails.slice(before).map(({ raw }) => unquote(raw));
}
const linkIn = (email = ""): string => {
  const [, link = ""] = /https?:\/\/[^/\s]+(\/user\/sign_up\/confirm\?code=[\w.-]+)/.exec(email) ?? [];
  return link;
};
const fill = async (link: string, name: string, password = "a pass phrase of one's own", retype = password) => {
  const browser = open();
  const answer = await browser.submit(await browser.get(link), `${path}/confirm`, { user_name: name, password, retype });
  return { browser, answer };
};

test("registers by an emailed link followed by a name, and the first page explains the next steps", async () => {
  expect(readPage((await open().get("/user/login")).text).links).toContain(path);
  const [email] = await emailsTo("nora@example.org");
  const link = linkIn(email);
  const page = await open().get(link);
  expect([page.status, readPage(page.text).text.includes("nora@example.org"), readPage(page.text).dangers]).toEqual([200, true, []]);

  const short = (await fill(link, "nora", "short")).answer;
  expect([short.status, short.form(`${path}/confirm`).user_name, short.text.includes("at least 8 characters")]).toEqual([422, "nora", true]);
  const taken = (await fill(link, forge.admin.name)).answer;
  expect([taken.status, readPage(taken.text).text.includes("This name is already taken.")]).toEqual([422, true]);
  expect((await fill(link, "api")).answer.status).toBe(422);

  const { browser, answer } = await fill(link, "nora");
  expect([answer.status, answer.location]).toEqual([303, "/"]);
  expect(readPage((await browser.get("/")).text).links).toEqual(expect.arrayContaining(["/repo/create", "/user/settings/keys"]));
  expect(JSON.parse((await browser.get("/api/v1/user")).text)).toMatchObject({ login: "nora", email: "nora@example.org", is_admin: false });
  // The link has been used for its account.
  expect((await open().get(link)).status).toBe(400);
});

test("reveals only by email whether an address has an account, and shows the same page for every address", async () => {
  const olga = await forge.createUser("olga");
  clock.advance(30 * minuteMs);
  const [known, unknown] = [await ask(olga.email), await ask("nobody@example.org")];
  expect([known.status, known.text.replaceAll(olga.email, "X")]).toEqual([200, unknown.text.replaceAll("nobody@example.org", "X")]);
  const [email] = await emailsTo(olga.email, { "accept-language": "de" });
  expect([linkIn(email), email?.includes("gehört dort schon zu olga")]).toEqual(["", true]);
});

test("an unverified claim to an address does not keep its owner from registering", async () => {
  const eve = await forge.createUser("eve");
  await eve.post("/user/emails", { emails: ["petra@example.org"] }).expect(201);
  const [email] = await emailsTo("petra@example.org");
  expect((await fill(linkIn(email), "petra")).answer.status).toBe(303);
  expect(await eve.get("/user/emails").expect(200)).toHaveLength(1);
});

test("limits links to a day and to this server, and limits the number of emails", async () => {
  const [email] = await emailsTo("rita@example.org");
  const link = linkIn(email);
  expect((await open().get(`${link.slice(0, -2)}xx`)).status).toBe(400);
  clock.advance(24 * 60 * minuteMs);
  expect((await open().get(link)).status).toBe(400);
  expect((await ask("no address")).status).toBe(422);
  const statuses: number[] = [];
  for (const _ of Array.from({ length: 4 })) statuses.push((await ask("sara@example.org")).status);
  expect(statuses).toEqual([200, 200, 200, 422]);
  // Sign-in from this address is not throttled by it.
  expect((await open().signIn(forge.admin)).status).toBe(303);
});

test("rejects a form from another site", async () => {
  expect((await open().post(path, { email: "tina@example.org" }, { origin: "https://evil.example", "sec-fetch-site": "cross-site" })).status).toBe(403);
});

test("a server without registration says so, and one with registration but without email does not start", async () => {
  await using closed = await startForge({ dialect: sqlite, environment: mailServer.environment });
  const browser = createBrowser(closed.url);
  const page = readPage((await browser.get(path)).text);
  expect([page.text.includes("Registration is disabled"), readPage((await browser.get("/user/login")).text).links.includes(path)]).toEqual([true, false]);
  expect([(await browser.post(path, { email: "uma@example.org" })).status, (await browser.get(`${path}/confirm?code=x`)).status]).toEqual([403, 403]);
  expect(() => loadConfig({ HEARTH_REGISTRATION_ENABLED: "true" })).toThrow(ConfigError);
});
