import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { headerOf as header, type ReceivedEmail, type SmtpServer, startSmtpServer } from "../../../../test/kit/smtp-server.ts";
import type { IssueNews } from "./model.ts";
import { composeEmail } from "./service/compose.ts";

eachDialect((dialect) => {
  let forge: TestForge;
  let mailServer: SmtpServer;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;
  let count = 0;
  let base = "";
  beforeAll(async () => {
    mailServer = await startSmtpServer();
    forge = await startForge({ dialect, environment: mailServer.environment });
    [alice, bob, carol] = [await forge.createUser("alice"), await forge.createUser("bob"), await forge.createUser("carol")];
  });
  afterAll(async () => {
    await forge[Symbol.asyncDispose]();
    await mailServer[Symbol.asyncDispose]();
  });
  /** Each test has a repository of alice's that bob watches. */
  beforeEach(async () => {
    count += 1;
    base = `/repos/alice/r${count}`;
    await alice.post("/user/repos", { name: `r${count}` }).expect(201);
    await bob.put(`${base}/subscription`).expect(200);
    await forge.settled();
    mailServer.emails.length = 0;
  });

  const open = async (user: TestUser, title: string, more: object = {}): Promise<number> =>
    (await user.post(`${base}/issues`, { title, ...more }).expect(201)).number;
  const say = async (user: TestUser, number: number, body: string): Promise<number> =>
    (await user.post(`${base}/issues/${number}/comments`, { body }).expect(201)).id;
  /** Emails since the last call, by recipient. */
  async function arrived(): Promise<Map<string, ReceivedEmail>> {
    await forge.settled();
    const emails = mailServer.emails.splice(0);
    const byName = new Map(emails.map((email) => [email.to.join().replace("@example.com", ""), email]));
    expect(byName.size).toBe(emails.length);
    return byName;
  }
  const readers = async (): Promise<string[]> => [...(await arrived()).keys()].sort();

  describe("emails about an issue", () => {
    test("go to its subscribers in plain text and HTML, threaded", async () => {
      const number = await open(alice, "It breaks", { body: "With **every** try, see #1 <script>" });
      const first = (await arrived()).get("bob");
      expect(header(first, "subject")).toBe(`[alice/r${count}] It breaks (#${number})`);
      expect(header(first, "from")).toBe("alice <hearth@git.example.org>");
      expect(header(first, "content-type")).toContain("multipart/alternative");
      expect(first?.raw).toContain("With **every** try, see #1 <script>");
      expect(first?.raw).toContain("<strong>every</strong>");
      expect(first?.raw).toContain(`${forge.url}/alice/r${count}/issues/${number}`);
      expect(first?.raw.split("text/html")[1]).not.toContain("<script>");
      expect([header(first, "list-id"), header(first, "x-gitea-reason"), header(first, "x-gitea-repository-path"), header(first, "auto-submitted")]).toEqual([
        `alice/r${count} <r${count}.alice.127.0.0.1>`,
        "subscribed",
        `alice/r${count}`,
        "auto-generated",
      ]);

      const comment = await say(carol, number, "Here too");
      const second = await arrived();
      expect([...second.keys()].sort()).toEqual(["alice", "bob"]);
      expect(header(second.get("alice"), "x-gitea-reason")).toBe("author");
      const answer = second.get("bob");
      expect(header(answer, "subject")).toBe(`Re: [alice/r${count}] It breaks (#${number})`);
      const id = header(first, "message-id");
      expect([id === undefined, header(answer, "in-reply-to"), header(answer, "references")]).toEqual([false, id, id]);
      expect(header(answer, "message-id")).not.toBe(id);
      expect(answer?.raw).toContain(`#issuecomment-${comment}`);

      await alice.patch(`${base}/issues/${number}`, { state: "closed" }).expect(201);
      const closed = await arrived();
      expect([...closed.keys()].sort()).toEqual(["bob", "carol"]);
      expect(closed.get("carol")?.raw).toContain(`alice closed issue #${number}`);
    });

    test("go once to mentioned users and assignees, whatever else they subscribe to", async () => {
      const number = await open(carol, "quiet", { body: "for @bob and @nosuch" });
      const named = await arrived();
      expect([...named.keys()].sort()).toEqual(["alice", "bob"]);
      expect(header(named.get("bob"), "x-gitea-reason")).toBe("mention");
      const dave = await forge.createUser(`dave${count}`);
      await alice.patch(`${base}/issues/${number}`, { assignees: [dave.name] }).expect(201);
      const given = await arrived();
      expect([...given.keys()]).toEqual([dave.name]);
      expect(given.get(dave.name)?.raw).toContain(`alice assigned you to issue #${number}`);
      await carol.patch(`${base}/issues/${number}`, { body: "no one" }).expect(201);
      expect(await readers()).toEqual([]);
    });

    test("follow the recipient's notification settings", async () => {
      const choose = (email_notifications: string) => bob.patch("/user/settings/mail", { email_notifications });
      expect(await bob.get("/user/settings/mail").expect(200)).toEqual({ email_notifications: "enabled" });
      await choose("sometimes").expect(422);
      expect(await choose("onmention").expect(200)).toEqual({ email_notifications: "onmention" });
      const number = await open(alice, "a");
      expect(await readers()).toEqual([]);
      await say(alice, number, "@bob");
      expect(await readers()).toEqual(["bob"]);
      await choose("disabled").expect(200);
      await say(carol, number, "@bob");
      expect(await readers()).toEqual(["alice"]);
      await choose("andyourown").expect(200);
      await say(bob, number, "mine");
      expect(await readers()).toEqual(["alice", "bob", "carol"]);
      await choose("enabled").expect(200);
      await bob.put("/user/blocks/carol").expect(204);
      await say(carol, number, "blocked");
      expect(await readers()).toEqual(["alice"]);
      await bob.delete("/user/blocks/carol").expect(204);
    });

    test("contain only what the recipient can read when they are sent, and go only to verified addresses", async () => {
      const { db } = forge.context;
      await alice.patch(base, { private: true }).expect(200);
      const number = await open(alice, "secret", { body: "@bob @carol" });
      expect(await readers()).toEqual([]);
      await alice.put(`${base}/collaborators/carol`, { permission: "read" }).expect(204);
      const id = await say(alice, number, "for @carol");
      expect(await readers()).toEqual(["carol"]);

      const { id: repoId } = await alice.get(base).expect(200);
      const { issue_id: issueId } = await db.sql.selectFrom("comments").select("issue_id").where("id", "=", id).executeTakeFirstOrThrow();
      const nobody = { mentionedIds: [], askedIds: [], assigneeIds: [], reviewId: null, push: null };
      const news: IssueNews = { eventId: 1, happening: "commented", repoId, issueId, number, commentId: id, actorId: alice.id, ...nobody };
      const compose = (accountId: number) =>
        composeEmail({ ...forge.context, resolverOf: () => async (references) => references.map(() => false) }, { news, accountId, reason: "watch" });
      expect((await compose(carol.id))?.to).toBe("carol@example.com");
      expect(await compose(bob.id)).toBeUndefined();
      const setVerified = (is_verified: 0 | 1) =>
        db.tx((tx) => tx.sql.updateTable("account_emails").set({ is_verified }).where("account_id", "=", carol.id).execute());
      await setVerified(0);
      expect(await compose(carol.id)).toBeUndefined();
      await setVerified(1);
      await alice.delete(`${base}/collaborators/carol`).expect(204);
      expect(await compose(carol.id)).toBeUndefined();
      await alice.put(`${base}/collaborators/carol`, { permission: "read" }).expect(204);
      expect(await compose(carol.id)).toBeDefined();
      await alice.delete(`${base}/issues/comments/${id}`).expect(204);
      expect(await compose(carol.id)).toBeUndefined();
      await forge.settled();
      expect(mailServer.emails).toEqual([]);
    });

    test("have headers that user text cannot inject into", async () => {
      await carol.patch("/user/settings", { full_name: 'Eve" <eve@example.net>\r\nBcc: eve@example.net' }).expect(200);
      await open(carol, "One\r\nBcc: eve@example.net \u202egpj.exe");
      const emails = [...(await arrived()).values()];
      expect(emails.flatMap(({ to }) => to).sort()).toEqual(["alice@example.com", "bob@example.com"]);
      for (const email of emails) {
        expect(email.from).toBe("hearth@git.example.org");
        expect(header(email, "bcc")).toBeUndefined();
        expect(header(email, "from")).toMatch(/<hearth@git\.example\.org>$/);
        expect(header(email, "subject")).toContain("One Bcc: eve@example.net");
        expect(email.raw.split("\r\n\r\n", 1)[0]).not.toMatch(/\u202e|=E2=80=AE/);
      }
      await carol.patch("/user/settings", { full_name: "" }).expect(200);
    });

    test("are retried until the mail server is back", async () => {
      mailServer.refuse(2);
      await open(alice, "later");
      await expect.poll(readers, { timeout: 30_000 }).toEqual(["bob"]);
    });
  });

  describe("unsubscribing", () => {
    const send = (method: string, url: string, more: object = {}): Promise<Response> => fetch(url, { method, redirect: "manual", ...more });

    test("takes one request of a mail program without signing in, and a GET changes nothing", async () => {
      const number = await open(alice, "long");
      const email = (await arrived()).get("bob");
      expect(header(email, "list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
      const [, url = ""] = /^<(\S+)>$/.exec(header(email, "list-unsubscribe") ?? "") ?? [];
      expect(url).toContain(`${forge.url}/user/unsubscribe?code=`);
      const page = await send("GET", url);
      const shown = await page.text();
      expect([page.status, shown.includes("Unsubscribe"), shown.includes("long")]).toEqual([200, true, false]);
      expect(await (await send("GET", url, { headers: { "accept-language": "de" } })).text()).toContain("Abbestellen");
      await say(alice, number, "more");
      expect(await readers()).toEqual(["bob"]);

      const body = new FormData();
      body.set("List-Unsubscribe", "One-Click");
      expect((await send("POST", url, { body })).status).toBe(200);
      expect((await send("POST", url, { body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) })).status).toBe(200);
      await say(alice, number, "and more");
      expect(await readers()).toEqual([]);
      expect(await bob.get(`${base}/issues/${number}/subscriptions/check`).expect(200)).toMatchObject({ subscribed: false });
      await say(alice, number, "but @bob");
      expect(await readers()).toEqual(["bob"]);
      await alice.delete(`${base}/issues/${number}`).expect(204);
      expect((await send("POST", url)).status).toBe(200);
    });

    test("rejects links that were not sent", async () => {
      const number = await open(alice, "mine");
      const [, token = ""] = /code=(\S+)>$/.exec(header((await arrived()).get("bob"), "list-unsubscribe") ?? "") ?? [];
      const others = ["", "x", token.slice(0, -1), token.replace(/^\d+/, String(alice.id)), token.replace(/\.\d+\./, ".1."), `${token}0`];
      for (const other of others) {
        for (const method of ["GET", "POST"]) expect([other, (await send(method, `${forge.url}/user/unsubscribe?code=${other}`)).status]).toEqual([other, 404]);
      }
      await say(bob, number, "still here");
      expect(await readers()).toEqual(["alice"]);
    });
  });
});
