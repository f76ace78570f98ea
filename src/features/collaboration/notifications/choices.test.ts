import { expect, test } from "vitest";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestUser } from "../../../../test/kit/forge.ts";
import { readPage } from "../../../../test/kit/page.ts";
import { headerOf, startSmtpServer } from "../../../../test/kit/smtp-server.ts";

const settings = "/user/settings/notifications";
const all = (channel: string) =>
  Object.fromEntries(["mention", "requested", "assign", "author", "comment", "subscribed", "watch"].map((kind) => [kind, channel]));

eachDialect((dialect) => {
  test("a notification shows why it was sent, with the reason of the last event", async () => {
    await using forge = await startForge({ dialect });
    const [alice, bob, carol] = [await forge.createUser("alice"), await forge.createUser("bob"), await forge.createUser("carol")];
    await alice.post("/user/repos", { name: "site" }).expect(201);
    const base = "/repos/alice/site";
    const browser = createBrowser(forge.url);
    await browser.signIn(bob);
    const shown = async (): Promise<string> => {
      const { text } = readPage((await browser.get("/notifications?status=all")).text);
      return text;
    };
    await bob.put(`${base}/subscription`).expect(200);
    const watched = await alice.post(`${base}/issues`, { title: "Slow" }).expect(201);
    expect(await shown()).toContain(`#${watched.number} · You watch the repository ·`);
    const say = (user: TestUser, body: string, number = watched.number) => user.post(`${base}/issues/${number}/comments`, { body }).expect(201);
    await say(alice, "for @bob");
    expect(await shown()).toContain("You were mentioned");
    await bob.delete(`${base}/subscription`).expect(204);
    await bob.put(`${base}/issues/${watched.number}/subscriptions/bob`).expect(201);
    await say(alice, "more");
    expect(await shown()).toContain("You are subscribed");
    await say(bob, "hm");
    await say(alice, "more");
    expect(await shown()).toContain("You commented");
    await alice.patch(`${base}/issues/${watched.number}`, { assignees: ["bob"] }).expect(201);
    expect(await shown()).toContain("You were assigned");
    await say(alice, "more");
    expect(await shown()).toContain("You are assigned");
    const own = await bob.post(`${base}/issues`, { title: "Mine", body: "@carol" }).expect(201);
    await say(carol, "hm", own.number);
    expect(await shown()).toContain("You are the author");
    expect(Object.keys((await bob.get("/notifications").expect(200))[0])).toEqual(["id", "repository", "subject", "unread", "pinned", "updated_at", "url"]);
  });

  test("a user chooses for each reason whether the inbox, emails, both or none show it, and one enabled reason is sufficient", async () => {
    await using mailServer = await startSmtpServer();
    await using forge = await startForge({ dialect, environment: mailServer.environment });
    const [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    await alice.post("/user/repos", { name: "site" }).expect(201);
    await bob.put("/repos/alice/site/subscription").expect(200);
    const browser = createBrowser(forge.url);
    await browser.signIn(bob);
    const choose = async (choices: Record<string, string>) =>
      expect((await browser.submit(await browser.get(settings), settings, choices)).location).toBe(`${settings}?saved=true`);
    const reached = async (title: string, more: object = {}): Promise<string[]> => {
      await forge.settled();
      mailServer.emails.length = 0;
      await alice.post("/repos/alice/site/issues", { title, ...more }).expect(201);
      await forge.settled();
      const news = await bob.get<{ subject: { title: string } }[]>("/notifications").expect(200);
      const emails = mailServer.emails.filter(({ to }) => to.join().startsWith("bob@"));
      return [...(news.some(({ subject }) => subject.title === title) ? ["web"] : []), ...emails.map((email) => `email: ${headerOf(email, "x-gitea-reason")}`)];
    };
    expect(await reached("both")).toEqual(["web", "email: subscribed"]);
    await choose({ ...all("both"), watch: "web" });
    expect(await reached("web")).toEqual(["web"]);
    await choose({ ...all("both"), watch: "email" });
    expect(await reached("email")).toEqual(["email: subscribed"]);
    await choose({ ...all("both"), watch: "none", mention: "email" });
    expect(await reached("none")).toEqual([]);
    expect(await reached("named", { body: "@bob" })).toEqual(["email: mention"]);
    await choose({ ...all("none"), watch: "both" });
    expect(await reached("another reason", { body: "@bob", assignees: ["bob"] })).toEqual(["web", "email: subscribed"]);
    const [email] = mailServer.emails.filter(({ to }) => to.join().startsWith("bob@"));
    for (const part of ["You are receiving this because you are watching the repository.", "/user/unsubscribe?code=", settings])
      expect(email?.raw.replace(/=\r?\n/g, "")).toContain(part);
    expect((await browser.get(settings)).form(settings)).toMatchObject({ ...all("none"), watch: "both" });
    expect((await browser.post(settings, { ...(await browser.get(settings)).form(settings), watch: "pigeon" })).status).toBe(422);
    expect((await browser.get(settings)).form(settings)).toMatchObject({ watch: "both" });
  });
});
