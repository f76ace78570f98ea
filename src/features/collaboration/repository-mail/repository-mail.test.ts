import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestClock, type TestClock } from "../../../../test/kit/clock.ts";
import { sqlite } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { type Receiver, startReceiver } from "../../../../test/kit/receiver.ts";
import { headerOf, type ReceivedEmail, type SmtpServer, startSmtpServer } from "../../../../test/kit/smtp-server.ts";

const hourMs = 3_600_000;

let clock: TestClock;
let mailServer: SmtpServer;
let receiver: Receiver;
let forge: TestForge;
let alice: TestUser;
let bob: TestUser;
let carol: TestUser;
beforeAll(async () => {
  clock = createTestClock(Date.now());
  mailServer = await startSmtpServer();
  receiver = await startReceiver();
  const environment = { ...mailServer.environment, HEARTH_WEBHOOK_ALLOWED_HOSTS: "loopback", HEARTH_WEBHOOK_TIMEOUT_SECONDS: "1" };
  forge = await startForge({ dialect: sqlite, clock, environment });
  [alice, bob, carol] = [await forge.createUser("alice"), await forge.createUser("bob"), await forge.createUser("carol")];
  await carol.patch("/user/settings", { language: "de-DE" }).expect(200);
  await alice.post("/orgs", { username: "crew" }).expect(201);
  const [owners] = await alice.get("/orgs/crew/teams").expect(200);
  await alice.put(`/teams/${owners.id}/members/carol`).expect(204);
});
afterAll(async () => {
  await forge[Symbol.asyncDispose]();
  await mailServer[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await forge.settled();
  mailServer.emails.length = 0;
});

/** Emails since the last call, by recipient: each has a single recipient and contains only that address. */
async function arrived(): Promise<Map<string, ReceivedEmail>> {
  await forge.settled();
  const emails = mailServer.emails.splice(0);
  for (const email of emails) {
    const headers = email.raw.split("\r\n\r\n", 1)[0] ?? "";
    expect(new Set(headers.match(/[\w.]+@example\.com/g))).toEqual(new Set(email.to));
    expect([headerOf(email, "list-unsubscribe-post"), headerOf(email, "content-type")]).toEqual([
      "List-Unsubscribe=One-Click",
      expect.stringContaining("multipart/alternative"),
    ]);
  }
  const byName = new Map(emails.map((email) => [email.to.join().replace("@example.com", ""), email]));
  expect(byName.size).toBe(emails.length);
  return byName;
}
const readers = async (): Promise<string[]> => [...(await arrived()).keys()].sort();
const make = (user: TestUser, name: string, more: object = {}) =>
  user.post("/user/repos", { name, auto_init: true, default_branch: "main", ...more }).expect(201);
const write = (path: string, message: string, more: object = {}) =>
  alice.post(`/repos/alice/${path}`, { message, content: Buffer.from(message).toString("base64"), ...more }).expect(201);

test("emails users mentioned in a commit message once, if they can read it then", async () => {
  await make(alice, "named");
  const { commit } = await write("named/contents/a.txt", "For @bob and @nosuch <b>", { new_branch: "topic" });
  const emails = await arrived();
  expect([...emails.keys()]).toEqual(["bob"]);
  const email = emails.get("bob");
  expect(email?.raw).toContain("For @bob and @nosuch <b>");
  expect(email?.raw).toContain("&lt;b&gt;");
  expect(email?.raw).toContain(`${forge.url}/alice/named/commit/${commit.sha}`);
  expect([headerOf(email, "x-github-reason"), headerOf(email, "x-gitea-repository-path")]).toEqual(["mention", "alice/named"]);
  // The same commit is pushed to another branch.
  await alice.post("/repos/alice/named/branches", { new_branch_name: "again", old_branch_name: "topic" }).expect(201);
  await alice.post("/repos/alice/named/pulls", { title: "x", head: "topic", base: "main" }).expect(201);
  await alice.post("/repos/alice/named/pulls/1/merge", { Do: "fast-forward-only" }).expect(200);
  expect(await readers()).toEqual([]);

  await make(alice, "hidden", { private: true });
  await alice.put("/repos/alice/hidden/collaborators/bob", { permission: "read" }).expect(204);
  await write("hidden/contents/a.txt", "For @bob and @carol");
  expect(await readers()).toEqual(["bob"]);
  mailServer.refuse(1);
  await write("hidden/contents/b.txt", "Later, @bob");
  await arrived();
  await alice.delete("/repos/alice/hidden/collaborators/bob").expect(204);
  clock.advance(hourMs);
  expect(await readers()).toEqual([]);
});

test("emails a pending transfer to the new owner, or to each owner of an organization", async () => {
  await make(alice, "given");
  await alice.post("/repos/alice/given/transfer", { new_owner: "bob" }).expect(201);
  const offer = (await arrived()).get("bob");
  expect(headerOf(offer, "subject")).toBe("[alice/given] Transfer to bob");
  expect(offer?.raw).toContain("alice wants to transfer the repository alice/given to bob.");
  expect(offer?.raw).toContain(`${forge.url}/api/v1/repos/alice/given/transfer/accept`);

  await make(bob, "secret", { private: true });
  await bob.post("/repos/bob/secret/transfer", { new_owner: "crew" }).expect(201);
  const both = await arrived();
  expect([...both.keys()].sort()).toEqual(["alice", "carol"]);
  expect(both.get("carol")?.raw).toContain("das Repository bob/secret an crew =C3=BCbertragen");

  await make(alice, "kept");
  mailServer.refuse(1);
  await alice.post("/repos/alice/kept/transfer", { new_owner: "bob" }).expect(201);
  await arrived();
  await alice.post("/repos/alice/kept/transfer/reject").expect(200);
  clock.advance(hourMs);
  expect(await readers()).toEqual([]);
});

test("emails owners but not writers once about a webhook that has failed for a day", async () => {
  await make(alice, "hooked");
  await alice.put("/repos/alice/hooked/collaborators/bob", { permission: "write" }).expect(204);
  const hook = (base: string, path: string) =>
    alice.post(`${base}/hooks`, { type: "gitea", config: { url: receiver.url + path, content_type: "json" }, events: ["issues"], active: true }).expect(201);
  const { id } = await hook("/repos/alice/hooked", "/secret-path");
  receiver.answers = ({ path }) => (path.startsWith("/gone") ? { status: 410 } : { status: 500 });
  for (const title of ["one", "two", "three"]) await alice.post("/repos/alice/hooked/issues", { title }).expect(201);
  for (let hour = 0; hour < 30; hour += 3) {
    await forge.settled();
    clock.advance(3 * hourMs);
  }
  const emails = await arrived();
  expect([...emails.keys()]).toEqual(["alice"]);
  expect(headerOf(emails.get("alice"), "subject")).toBe(`[alice/hooked] The webhook to ${new URL(receiver.url).host} fails`);
  expect(emails.get("alice")?.raw).toContain(`/api/v1/repos/alice/hooked/hooks/${id}/deliveries`);
  expect(emails.get("alice")?.raw).not.toContain("secret-path");
  await alice.post("/repos/alice/hooked/issues", { title: "four" }).expect(201);
  expect(await readers()).toEqual([]);

  await hook("/orgs/crew", "/gone");
  await alice.post("/orgs/crew/repos", { name: "r" }).expect(201);
  await alice.post("/repos/crew/r/issues", { title: "x" }).expect(201);
  const ended = await arrived();
  expect([...ended.keys()].sort()).toEqual(["alice", "carol"]);
  expect(ended.get("alice")?.raw).toContain("The webhook of crew");
  expect(ended.get("alice")?.raw).toContain("/api/v1/orgs/crew/hooks/");
  receiver.answers = () => ({ status: 200 });
});

test("ends all such emails by the link in one, with one request and without signing in", async () => {
  await make(alice, "loud");
  await write("loud/contents/a.txt", "@bob");
  const [, url = ""] = /^<(\S+)>$/.exec(headerOf((await arrived()).get("bob"), "list-unsubscribe") ?? "") ?? [];
  const requested = await (await fetch(url)).text();
  expect(requested).toContain("stop receiving email notifications");
  expect(await bob.get("/user/settings/mail").expect(200)).toEqual({ email_notifications: "enabled" });
  const other = url.replace(/code=\d+/, `code=${alice.id}`);
  expect((await fetch(other, { method: "POST" })).status).toBe(404);
  expect((await fetch(url, { method: "POST" })).status).toBe(200);
  expect(await bob.get("/user/settings/mail").expect(200)).toEqual({ email_notifications: "disabled" });
  await write("loud/contents/b.txt", "@bob");
  expect(await readers()).toEqual([]);
});
