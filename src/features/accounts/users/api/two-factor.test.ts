import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiClient, createApiClient } from "../../../../../test/kit/api-client.ts";
import { type Browser, createBrowser } from "../../../../../test/kit/browser.ts";
import { createTestClock } from "../../../../../test/kit/clock.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { eventsOf } from "../../../../../test/kit/events.ts";
import { startForge, type TestForge, type TestUser } from "../../../../../test/kit/forge.ts";
import { stepAt, totpCode } from "../totp.ts";

const stepMs = 30_000;

eachDialect((dialect) => {
  const clock = createTestClock(Date.UTC(2026, 0, 2, 3, 4, 5));
  let forge: TestForge;
  beforeAll(async () => {
    // These tests need many wrong codes; their limit is tested with the throttle.
    forge = await startForge({ dialect, clock, environment: { HEARTH_SIGN_IN_FAILURES: "1000", HEARTH_SIGN_IN_FAILURES_PER_NETWORK: "1000" } });
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const basic = (user: TestUser): ApiClient => createApiClient(forge.url, `Basic ${Buffer.from(`${user.name}:${user.password}`).toString("base64")}`);
  const refusal = { status: 401, message: "invalid username, password or token", challenge: null };
  const shown = async (answer: ReturnType<ApiClient["get"]>) => {
    const { status, text, headers } = await answer;
    return { status, message: JSON.parse(text).message, challenge: headers.get("www-authenticate") };
  };

  /** A user with an authenticator app. Each call of `code` advances several steps, so no code repeats. */
  async function enrol(name: string) {
    const user = await forge.createUser(name);
    const client = basic(user);
    const { secret } = await client.post("/user/two_factor").expect(201);
    const code = () => {
      clock.advance(2 * stepMs);
      return totpCode(secret, stepAt(clock.now()));
    };
    const { recovery_codes } = await client.post("/user/two_factor/confirm", { code: code() }).expect(201);
    return { user, client, secret, code, recoveryCodes: recovery_codes as string[] };
  }
  const otp = (code: string) => ({ "x-gitea-otp": code });

  describe("enabling two-factor authentication", () => {
    test("requires a code of the app and changes nothing until then", async () => {
      const alice = await forge.createUser("alice");
      const client = basic(alice);
      expect(await client.get("/user/two_factor").expect(200)).toEqual({ enabled: false, enabled_at: null, recovery_codes_left: 0 });
      const begun = await client.post("/user/two_factor").expect(201);
      expect(begun.uri).toBe(`otpauth://totp/127.0.0.1:alice?secret=${begun.secret}&issuer=127.0.0.1&algorithm=SHA1&digits=6&period=30`);
      await client.get("/user").expect(200);
      for (const code of ["", "12345", "abcdef", totpCode(begun.secret, stepAt(clock.now()) + 2)]) {
        expect((await client.post("/user/two_factor/confirm", { code })).status).toBe(422);
      }
      const again = await client.post("/user/two_factor").expect(201);
      expect(again.secret).not.toBe(begun.secret);
      await client.post("/user/two_factor/confirm", { code: totpCode(begun.secret, stepAt(clock.now())) }).expect(422);
      const done = await client.post("/user/two_factor/confirm", { code: totpCode(again.secret, stepAt(clock.now())) }).expect(201);
      expect(new Set(done.recovery_codes).size).toBe(10);
      for (const code of done.recovery_codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
      expect(await shown(client.get("/user"))).toEqual(refusal);
      clock.advance(stepMs);
      const state = await client.get("/user/two_factor", otp(totpCode(again.secret, stepAt(clock.now())))).expect(200);
      expect(state).toMatchObject({ enabled: true, recovery_codes_left: 10 });
    });

    test("requires the password: tokens cannot read, enable or disable it", async () => {
      const { user } = await enrol("bob");
      for (const answer of [await user.post("/user/two_factor"), await user.post("/user/two_factor/recovery_codes"), await user.delete("/user/two_factor")]) {
        expect({ status: answer.status, message: answer.json.message }).toEqual({
          status: 403,
          message: "this requires the account password; tokens are not accepted",
        });
      }
      const asPassword = createApiClient(forge.url, `Basic ${Buffer.from(`bob:${user.token}`).toString("base64")}`);
      await asPassword.delete("/user/two_factor").expect(403);
    });

    test("cannot be started again while it is enabled", async () => {
      const { client, code } = await enrol("carol");
      await client.post("/user/two_factor", undefined, otp(code())).expect(409);
      await client.post("/user/two_factor/confirm", { code: "123456" }, otp(code())).expect(409);
    });

    test("seals the secret in the database and hashes the recovery codes", async () => {
      const { user, secret, recoveryCodes } = await enrol("dave");
      const { db } = forge.context;
      const factor = await db.sql.selectFrom("second_factors").selectAll().where("account_id", "=", user.id).executeTakeFirstOrThrow();
      const codes = await db.sql.selectFrom("recovery_codes").selectAll().where("account_id", "=", user.id).execute();
      expect(codes).toHaveLength(10);
      const kept = JSON.stringify([factor, codes]);
      for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll("-", "").toUpperCase())]) expect(kept).not.toContain(text);
    });
  });

  describe("signing in with a second factor", () => {
    test("requires password and code; a missing or wrong code gets the response to a wrong password, on public paths too", async () => {
      const { client, secret, code } = await enrol("erin");
      for (const headers of [{}, otp(""), otp("000000"), otp(totpCode(secret, stepAt(clock.now()) + 2)), otp("not a code"), otp("x".repeat(5_000))]) {
        expect(await shown(client.get("/user", headers))).toEqual(refusal);
        expect(await shown(client.get("/version", headers))).toEqual(refusal);
      }
      await client.get("/user", otp(code())).expect(200);
    });

    test("accepts each code once, even of twenty concurrent requests", async () => {
      const { client, code, secret } = await enrol("frank");
      const now = code();
      const answers = await Promise.all(Array.from({ length: 20 }, () => client.get("/user", otp(now))));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 401)]);
      await client.get("/user", otp(now)).expect(401);
      // Accepting a code also invalidates older ones within the window.
      await client.get("/user", otp(totpCode(secret, stepAt(clock.now()) - 1))).expect(401);
      await client.get("/user", otp(totpCode(secret, stepAt(clock.now()) + 1))).expect(200);
    });

    test("accepts a recovery code once instead of the app's", async () => {
      const { client, code, recoveryCodes } = await enrol("grace");
      const [first = "", second = ""] = recoveryCodes;
      const answers = await Promise.all(Array.from({ length: 10 }, () => client.get("/user", otp(first))));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      await client.get("/user", otp(first)).expect(401);
      await client.get("/user", otp(second.toUpperCase().replaceAll("-", " "))).expect(200);
      expect((await client.get("/user/two_factor", otp(code())).expect(200)).recovery_codes_left).toBe(8);
      const renewed = await client.post("/user/two_factor/recovery_codes", undefined, otp(code())).expect(201);
      await client.get("/user", otp(recoveryCodes[2] ?? "")).expect(401);
      await client.get("/user", otp(renewed.recovery_codes[0])).expect(200);
    });

    test("rejects codes of other users", async () => {
      const heidi = await enrol("heidi");
      const ivan = await enrol("ivan");
      await heidi.client.get("/user", otp(ivan.code())).expect(401);
      await heidi.client.get("/user", otp(ivan.recoveryCodes[0] ?? "")).expect(401);
      await ivan.client.get("/user", otp(ivan.recoveryCodes[0] ?? "")).expect(200);
    });

    test("is not needed for tokens, and creating one requires password and code", async () => {
      const { user, client, code } = await enrol("judy");
      await user.get("/user").expect(200);
      await client.post("/users/judy/tokens", { name: "more", scopes: ["all"] }).expect(401);
      const { sha1 } = await client.post("/users/judy/tokens", { name: "more", scopes: ["all"] }, otp(code())).expect(201);
      await createApiClient(forge.url, `Basic ${Buffer.from(`judy:${sha1}`).toString("base64")}`)
        .get("/user")
        .expect(200);
    });

    test("allows git only with tokens", async () => {
      const { user, code } = await enrol("kate");
      await user.post("/user/repos", { name: "secret", private: true }).expect(201);
      const refs = (secret: string, headers = {}) =>
        fetch(`${forge.url}/kate/secret.git/info/refs?service=git-upload-pack`, {
          headers: { authorization: `Basic ${Buffer.from(`kate:${secret}`).toString("base64")}`, ...headers },
        });
      expect((await refs(user.token)).status).toBe(200);
      expect((await refs(user.password)).status).toBe(401);
      const withCode = await refs(user.password, otp(code()));
      expect({ status: withCode.status, text: await withCode.text(), challenge: withCode.headers.get("www-authenticate") }).toEqual({
        status: 401,
        text: "Failed to authenticate user\n",
        challenge: null,
      });
    });

    test("asks for the code after the password in a browser", async () => {
      const { user, code, recoveryCodes } = await enrol("luke");
      const whoami = async (browser: Browser) => (await browser.get("/api/v1/user")).status;
      const browser = createBrowser(forge.url);
      const step = await browser.signIn(user, "/user/settings");
      expect([step.status, step.location]).toEqual([303, "/user/two_factor?redirect_to=%2Fuser%2Fsettings"]);
      expect(await whoami(browser)).toBe(401);
      const page = await browser.get(step.location ?? "");
      expect(page.text).toContain("luke");
      const wrong = await browser.submit(page, "/user/two_factor", { passcode: "000000", redirect_to: "/user/settings" });
      expect(wrong.status).toBe(401);
      expect(await whoami(browser)).toBe(401);
      const done = await browser.submit(page, "/user/two_factor", { passcode: ` ${code()} `, redirect_to: "/user/settings" });
      expect([done.status, done.location]).toEqual([303, "/user/settings"]);
      expect(await whoami(browser)).toBe(200);
      const another = createBrowser(forge.url);
      const again = await another.signIn(user);
      const form = await another.get(again.location ?? "");
      expect((await another.submit(form, "/user/two_factor", { passcode: recoveryCodes[0] ?? "", redirect_to: "/" })).status).toBe(303);
      expect(await whoami(another)).toBe(200);
      // The step cannot be reached without the password.
      expect((await createBrowser(forge.url).get("/user/two_factor")).location).toBe("/user/login");
    });
  });

  describe("disabling two-factor authentication", () => {
    test("requires a code like every other request; afterwards the password is enough", async () => {
      const { client, code } = await enrol("mike");
      await client.delete("/user/two_factor").expect(401);
      await client.delete("/user/two_factor", undefined, otp(code())).expect(204);
      await client.get("/user").expect(200);
      await client.delete("/user/two_factor").expect(404);
    });

    test("can be done by an administrator and by no other user", async () => {
      const { client } = await enrol("nina");
      const oscar = await forge.createUser("oscar");
      await oscar.delete("/admin/users/nina/two_factor").expect(403);
      await client.get("/user").expect(401);
      await forge.admin.delete("/admin/users/nina/two_factor").expect(204);
      await client.get("/user").expect(200);
      await forge.admin.delete("/admin/users/nina/two_factor").expect(404);
    });

    test("administrators can filter users by it", async () => {
      const names = async (filter: string) =>
        (await forge.admin.get(`/admin/users?limit=50&${filter}`).expect(200)).map((user: { login: string }) => user.login);
      const on = await names("is_2fa_enabled=true");
      const off = await names("is_2fa_enabled=false");
      expect(on).toContain("luke");
      expect(off).toContain("mike");
      expect(on.filter((name: string) => off.includes(name))).toEqual([]);
      expect([...on, ...off].sort()).toEqual((await names("")).sort());
      for (const [filter, message] of [
        ["sort=bogus", 'Invalid sort mode: "bogus"'],
        ["sort=name&order=bogus", 'Invalid sort order: "bogus"'],
        ["visibility=bogus", 'Invalid visibility: "bogus"'],
      ] as const) {
        expect((await forge.admin.get(`/admin/users?${filter}`).expect(422)).message).toBe(message);
      }
      expect((await names("sort=name&order=desc")).toSorted()).toEqual((await names("sort=name")).toSorted());
    });

    test("every step is recorded in the audit log", async () => {
      const events = await eventsOf(forge, { type: "two_factor.*" });
      expect(new Set(events.map(({ type }) => type))).toEqual(
        new Set(["two_factor.enabled", "two_factor.removed", "two_factor.codes_renewed", "two_factor.recovered"]),
      );
    });
  });
});
