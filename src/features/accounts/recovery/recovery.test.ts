import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiClient } from "../../../../test/kit/api-client.ts";
import { type Browser, createBrowser } from "../../../../test/kit/browser.ts";
import { createTestClock, type TestClock } from "../../../../test/kit/clock.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { type ReceivedEmail, type SmtpServer, startSmtpServer } from "../../../../test/kit/smtp-server.ts";
import { stepAt, totpCode } from "../users/totp.ts";

const minuteMs = 60_000;

eachDialect((dialect) => {
  let forge: TestForge;
  let mailServer: SmtpServer;
  let clock: TestClock;
  beforeAll(async () => {
    mailServer = await startSmtpServer();
    clock = createTestClock(Date.now());
    forge = await startForge({ dialect, clock, environment: mailServer.environment });
  });
  afterAll(async () => {
    await forge[Symbol.asyncDispose]();
    await mailServer[Symbol.asyncDispose]();
  });

  const open = (): Browser => createBrowser(forge.url);
  async function emailsSentBy(action: () => Promise<unknown>): Promise<readonly ReceivedEmail[]> {
    await forge.settled();
    const before = mailServer.emails.length;
    await action();
    await forge.settled();
    return mailServer.emails.slice(before);
  }
  const ask = async (email: string): Promise<number> => {
    const browser = open();
    return (await browser.submit(await browser.get("/user/forgot_password"), "/user/forgot_password", { email })).status;
  };
  const linkIn = (email: ReceivedEmail | undefined): string => {
    const link = /https?:\/\/\S+\?code=[0-9a-f]{40}/.exec(email?.raw ?? "")?.[0];
    if (link === undefined) throw new Error(`no link in ${email?.raw}`);
    expect(link.startsWith(`${forge.url}/user/`)).toBe(true);
    return link.slice(forge.url.length);
  };
  const mayEnter = async (name: string, password: string): Promise<boolean> =>
    (await createApiClient(forge.url, `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`).get("/user")).status === 200;
  const whoami = async (browser: Browser): Promise<string | undefined> => JSON.parse((await browser.get("/api/v1/user")).text).login;
  async function linkFor(user: TestUser): Promise<string> {
    clock.advance(5 * minuteMs);
    const [email] = await emailsSentBy(() => ask(user.email));
    return linkIn(email);
  }
  const choose = async (link: string, password: string, retype = password) => {
    const browser = open();
    const page = await browser.get(link);
    return { browser, page, answer: await browser.submit(page, "/user/recover_account", { password, retype }) };
  };

  describe("an account without a password", () => {
    const settings = "/user/settings/account";
    const setColumns = (name: string, columns: { readonly password_hash?: string; readonly source_id?: number }) =>
      forge.context.db.tx((tx) => tx.sql.updateTable("accounts").set(columns).where("name", "=", name).execute());

    test("explains that there is no password, and offers one by email", async () => {
      const nora = await forge.createUser("nora");
      const here = open();
      await here.signIn(nora);
      await setColumns("nora", { password_hash: "" });
      for (const path of ["/user/settings/security", "/user/settings/applications", `${settings}/delete`]) {
        const { text } = await here.get(path);
        expect([path, text.includes('type="password"'), text.includes(`href="${settings}#password"`)]).toEqual([path, false, true]);
      }
      const page = await here.get(settings);
      expect(page.text).not.toContain('type="password"');
      const emails = await emailsSentBy(async () => {
        expect((await here.submit(page, `${settings}/password/email`)).location).toBe(`${settings}?requested=true#password`);
      });
      expect(emails).toMatchObject([{ to: ["nora@example.com"] }]);
      const { browser } = await choose(linkIn(emails[0]), "nora's first pass phrase");
      const begin = "/user/settings/security/begin";
      const begun = await browser.submit(await browser.get("/user/settings/security"), begin, { password: "nora's first pass phrase" });
      expect([begun.status, begun.text.includes("QR code")]).toEqual([200, true]);
    });

    test("refers a user whose password is in a directory to it, and changes nothing", async () => {
      const lars = await forge.createUser("lars");
      const here = open();
      await here.signIn(lars);
      const form = await here.get(settings);
      const ldap = { kind: "ldap", name: "people", ldap: { host: "127.0.0.1", port: 1, security: "none", user_base: "ou=people,dc=acme" } };
      const { id } = await forge.admin.post("/admin/sources", ldap).expect(201);
      const noPassword = { source_id: id, password_hash: "" };
      await setColumns("lars", noPassword);
      const page = await here.get(settings);
      expect([page.text.includes('name="current"'), page.text.includes("managed by your organization")]).toEqual([false, true]);
      const sent = await here.submit(form, `${settings}/password`, { current: lars.password, password: "another pass", retype: "another pass" });
      expect(sent.location).not.toBe(`${settings}?saved=true`);
      const { password_hash } = await forge.context.db.sql.selectFrom("accounts").select("password_hash").where("name", "=", "lars").executeTakeFirstOrThrow();
      expect(password_hash).toBe("");
      expect(await forge.admin.patch("/admin/users/lars", { source_id: id, login_name: "lars", must_change_password: true }).expect(200)).toMatchObject({
        login: "lars",
      });
    });
  });

  describe("a forgotten password", () => {
    test("a password is replaced through an emailed link, which works once, signs in and ends other sessions", async () => {
      const alice = await forge.createUser("alice");
      const before = open();
      await before.signIn(alice);
      const emails = await emailsSentBy(() => ask("ALICE@example.com"));
      expect(emails).toMatchObject([{ from: "hearth@git.example.org", to: ["alice@example.com"], user: "hearth" }]);
      expect(emails[0]?.raw).toContain("Auto-Submitted: auto-generated");
      const link = linkIn(emails[0]);
      const { browser, page, answer } = await choose(link, "alice's newer pass phrase");
      expect([page.status, page.headers.get("referrer-policy"), page.headers.get("cache-control")]).toEqual([200, "same-origin", "private, no-store"]);
      expect([answer.status, answer.location]).toEqual([303, "/"]);
      expect(await whoami(browser)).toBe("alice");
      expect(await whoami(before)).toBeUndefined();
      expect([await mayEnter("alice", alice.password), await mayEnter("alice", "alice's newer pass phrase")]).toEqual([false, true]);
      expect((await open().get(link)).status).toBe(400);
      expect(
        (await open().post("/user/recover_account", { code: link.split("=")[1] ?? "", password: "another pass phrase", retype: "another pass phrase" })).status,
      ).toBe(400);
      expect(await mayEnter("alice", "another pass phrase")).toBe(false);
    });

    test("sends email and shows pages in the account's language, or else the browser's", async () => {
      const gerd = await forge.createUser("gerd");
      const browser = open();
      const askIn = async (language: string) => {
        clock.advance(5 * minuteMs);
        const page = await browser.get("/user/forgot_password", { "accept-language": language });
        const fields = { ...page.form("/user/forgot_password"), email: gerd.email };
        const [email] = await emailsSentBy(() => browser.post("/user/forgot_password", fields, { "accept-language": language }));
        return [page.text.includes("Passwort vergessen"), email?.raw.includes("Subject: Ihr Passwort")];
      };
      expect([await askIn("en"), await askIn("de-AT,de")]).toEqual([
        [false, false],
        [true, true],
      ]);
      await gerd.patch("/user/settings", { language: "de-DE" }).expect(200);
      expect(await askIn("en")).toEqual([false, true]);
    });

    test("answers every request alike and sends email only to the address on file", async () => {
      const bob = await forge.createUser("bob");
      await bob.post("/user/emails", { emails: ["claimed@example.com"] }).expect(201);
      const answers: string[] = [];
      const emails = await emailsSentBy(async () => {
        for (const email of ["nobody@example.com", "claimed@example.com", "bob@example.com.evil.example", "bob@example.com"]) {
          const browser = open();
          const answer = await browser.submit(await browser.get("/user/forgot_password"), "/user/forgot_password", { email });
          answers.push(`${answer.status} ${answer.text.replaceAll(email, "X")}`);
        }
      });
      expect(new Set(answers).size).toBe(1);
      expect(emails.filter(({ raw }) => raw.includes("recover_account")).map(({ to }) => to)).toEqual([["bob@example.com"]]);
      // Letters of other scripts must not match Latin lookalikes (U+212A, U+017F).
      for (const email of ["bo\u212a@example.com", "bob@example.com, evil@example.com", "b\u00f6b@example.com"]) expect(await ask(email)).toBe(422);
      const form = { email: ["bob@example.com", "evil@example.com"] };
      const both = await emailsSentBy(() =>
        fetch(`${forge.url}/user/forgot_password`, { method: "POST", body: new URLSearchParams([...form.email.map((email) => ["email", email])]) }),
      );
      expect(both.flatMap(({ to }) => to).every((to) => to === "bob@example.com")).toBe(true);
    });

    test("limits the number of emails and accepts only the newest link", async () => {
      const carol = await forge.createUser("carol");
      const first = await linkFor(carol);
      expect(await emailsSentBy(async () => void (await Promise.all([1, 2, 3].map(() => ask(carol.email)))))).toEqual([]);
      const second = await linkFor(carol);
      expect((await open().get(first)).status).toBe(400);
      clock.advance(60 * minuteMs);
      expect((await open().get(second)).status).toBe(400);
    });

    test("rejects a link after the password or address has changed or the user is prohibited from signing in", async () => {
      const dave = await forge.createUser("dave");
      const edit = (changes: object) => forge.admin.patch("/admin/users/dave", { source_id: 0, login_name: "dave", ...changes }).expect(200);
      for (const changes of [{ password: "dave's other pass phrase" }, { prohibit_login: true }, { email: "dave@elsewhere.example" }]) {
        const link = await linkFor(dave);
        await edit(changes);
        expect((await open().get(link)).status, JSON.stringify(changes)).toBe(400);
        await edit({ prohibit_login: false });
      }
      await edit({ prohibit_login: true });
      clock.advance(5 * minuteMs);
      expect(await emailsSentBy(() => ask("dave@elsewhere.example"))).toEqual([]);
    });

    test("a password reset does not bypass the second factor", async () => {
      const erin = await forge.createUser("erin");
      const basic = createApiClient(forge.url, `Basic ${Buffer.from(`erin:${erin.password}`).toString("base64")}`);
      const { secret } = await basic.post("/user/two_factor").expect(201);
      await basic.post("/user/two_factor/confirm", { code: totpCode(secret, stepAt(clock.now())) }).expect(201);
      const { browser, answer } = await choose(await linkFor(erin), "erin's newer pass phrase");
      expect([answer.status, answer.location]).toEqual([303, "/user/two_factor?redirect_to=%2F"]);
      expect(await whoami(browser)).toBeUndefined();
      expect(await mayEnter("erin", "erin's newer pass phrase")).toBe(false);
    });

    test("keeps the link for a rejected password and accepts it once for concurrent requests", async () => {
      const frank = await forge.createUser("frank");
      const link = await linkFor(frank);
      expect((await choose(link, "short")).answer.status).toBe(422);
      expect((await choose(link, "long enough now", "something else")).answer.status).toBe(422);
      const browser = open();
      const page = await browser.get(link);
      const both = await Promise.all(
        ["pass phrase one", "pass phrase two"].map((password) => browser.submit(page, "/user/recover_account", { password, retype: password })),
      );
      expect(both.map(({ status }) => status).toSorted()).toEqual([303, 400]);
    });

    test("rejects forms of other sites", async () => {
      const browser = open();
      for (const path of ["/user/forgot_password", "/user/recover_account", "/user/activate_email"]) {
        expect((await browser.post(path, { email: "bob@example.com" }, { origin: "https://evil.example", "sec-fetch-site": "cross-site" })).status).toBe(403);
      }
      expect((await browser.get("/user/recover_account?code=%27%20or%201")).status).toBe(400);
      expect((await browser.get("/user/recover_account")).status).toBe(400);
    });
  });

  describe("a new address", () => {
    test("is verified by the form behind an emailed link, not by opening the link", async () => {
      const gina = await forge.createUser("gina");
      const emails = await emailsSentBy(() => gina.post("/user/emails", { emails: ["gina@new.example.org"] }).expect(201));
      expect(emails).toMatchObject([{ to: ["gina@new.example.org"] }]);
      const link = linkIn(emails[0]);
      const browser = open();
      const page = await browser.get(link);
      const isVerified = async () =>
        (await gina.get("/user/emails").expect(200)).find(({ email }: { email: string }) => email === "gina@new.example.org")?.verified;
      expect(await isVerified()).toBe(false);
      expect((await browser.submit(page, "/user/activate_email")).status).toBe(200);
      expect(await isVerified()).toBe(true);
      expect((await open().get(link)).status).toBe(400);
      expect(await mayEnter("gina@new.example.org", gina.password)).toBe(true);
    });

    test("gets its email again after a pause, which invalidates the previous link", async () => {
      const lena = await forge.createUser("lena");
      const email = "lena@new.example.org";
      const [first] = await emailsSentBy(() => lena.post("/user/emails", { emails: [email] }).expect(201));
      await lena.post("/user/emails/verification", { email }).expect(429);
      clock.advance(5 * minuteMs);
      const browser = open();
      await browser.signIn(lena);
      const path = "/user/settings/account";
      const [second] = await emailsSentBy(async () => {
        const sent = await browser.submit(await browser.get(path), `${path}/emails/resend`);
        expect((await browser.get(sent.location ?? "")).text).toContain("We sent you an email.");
      });
      expect(second?.to).toEqual([email]);
      expect((await open().get(linkIn(first))).status).toBe(400);
      expect((await open().get(linkIn(second))).status).toBe(200);
      clock.advance(5 * minuteMs);
      // Verified addresses and those of other users get no email.
      expect(
        await emailsSentBy(async () => {
          for (const other of [lena.email, "alice@example.com"]) await lena.post("/user/emails/verification", { email: other }).expect(204);
        }),
      ).toEqual([]);
    });

    test("is not verified if it was removed in the meantime", async () => {
      const hugo = await forge.createUser("hugo");
      const [email] = await emailsSentBy(() => hugo.post("/user/emails", { emails: ["shared@new.example.org"] }).expect(201));
      await hugo.delete("/user/emails", { emails: ["shared@new.example.org"] }).expect(204);
      const ida = await forge.createUser("ida");
      await ida.post("/user/emails", { emails: ["shared@new.example.org"] }).expect(201);
      expect((await open().get(linkIn(email))).status).toBe(400);
      expect((await ida.get("/user/emails").expect(200)).find(({ email }: { email: string }) => email.startsWith("shared"))).toMatchObject({ verified: false });
    });
  });

  test("queues emails while the mail server is away, unreadable in the database", async () => {
    const jack = await forge.createUser("jack");
    await forge.settled();
    mailServer.refuse(100);
    clock.advance(5 * minuteMs);
    expect(await emailsSentBy(() => ask(jack.email))).toEqual([]);
    const waiting = await forge.context.db.sql.selectFrom("jobs").select("payload").where("kind", "=", "mail.send").execute();
    expect(waiting).toHaveLength(1);
    expect(JSON.stringify(waiting)).not.toMatch(/jack|code=/);
    mailServer.refuse(0);
    clock.advance(6 * 60 * minuteMs);
    await forge.settled();
    expect(mailServer.emails.at(-1)).toMatchObject({ to: ["jack@example.com"] });
  });
});

eachDialect((dialect) => {
  test("a server without email says so and stores no request", async () => {
    await using forge = await startForge({ dialect });
    const kate = await forge.createUser("kate");
    await kate.post("/user/emails", { emails: ["kate@new.example.org"] }).expect(201);
    const browser = createBrowser(forge.url);
    expect((await browser.get("/user/forgot_password")).text).toContain("This server cannot send emails");
    expect((await browser.post("/user/forgot_password", { email: kate.email })).text).toContain("This server cannot send emails");
    await forge.settled();
    const { db } = forge.context;
    expect(await db.sql.selectFrom("email_codes").selectAll().execute()).toEqual([]);
    expect(await db.sql.selectFrom("jobs").select("kind").where("kind", "like", "mail.%").execute()).toEqual([]);
  });
});
