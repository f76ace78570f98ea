import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createBrowser } from "../../../../../test/kit/browser.ts";
import { createTestClock, type TestClock } from "../../../../../test/kit/clock.ts";
import { createStatementRecorder, eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../../test/kit/forge.ts";
import { inject } from "../../../../../test/kit/inject.ts";
import { hasher } from "../passwords.ts";
import { pruneSignIns } from "../service/throttle.ts";
import { stepAt, totpCode } from "../totp.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;

const environment = {
  HEARTH_SIGN_IN_FAILURES: "5",
  HEARTH_SIGN_IN_FAILURES_PER_NETWORK: "12",
  HEARTH_SIGN_IN_FAILURES_PER_NAME: "8",
  HEARTH_SIGN_IN_FORGET_SECONDS: "60",
};

eachDialect((dialect) => {
  const recorder = createStatementRecorder();
  let clock: TestClock;
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let times = 0;
  beforeAll(async () => {
    clock = createTestClock(Date.UTC(2026, 0, 2, 3, 4, 5));
    forge = await startForge({ dialect, clock, environment, onStatement: recorder.onStatement });
  });
  afterAll(() => forge[Symbol.asyncDispose]());
  beforeEach(async () => {
    // Advances by a day and uses fresh networks, so that earlier tests have no effect.
    clock.advance(dayMs);
    times += 1;
    alice = await forge.createUser(`alice${times}`);
    bob = await forge.createUser(`bob${times}`);
  });

  interface Extra {
    readonly from: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
  }
  async function signIn(login: string, password: string, { from, path = "/api/v1/user", headers = {} }: Extra) {
    const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}`;
    const answer = await inject(forge.forge.http, { url: path, headers: { authorization, ...headers }, remoteAddress: from });
    return { status: answer.statusCode, retryAfter: answer.headers["retry-after"], message: answer.statusCode === 200 ? "" : answer.body };
  }
  /** The statuses of consecutive wrong passwords. */
  async function guess(login: string, times: number, extra: Extra): Promise<number[]> {
    const statuses: number[] = [];
    for (let at = 0; at < times; at += 1) statuses.push((await signIn(login, `guess ${at} from ${extra.from}`, extra)).status);
    return statuses;
  }
  const repeated = (status: number, times: number): number[] => Array.from({ length: times }, () => status);

  describe("guessing passwords", () => {
    test("requires a pause after several failures, even with the correct password, which shrinks over time", async () => {
      expect(await guess(alice.name, 7, { from: "192.0.2.1" })).toEqual([...repeated(401, 5), 429, 429]);
      const refused = await signIn(alice.name, alice.password, { from: "192.0.2.1" });
      expect(refused).toMatchObject({ status: 429, retryAfter: "60" });
      expect(JSON.parse(refused.message).message).toBe("too many failed attempts to sign in: try again in 60 s");
      clock.advance(59_000);
      expect((await signIn(alice.name, alice.password, { from: "192.0.2.1" })).retryAfter).toBe("1");
      clock.advance(1_000);
      expect((await signIn(alice.name, alice.password, { from: "192.0.2.1" })).status).toBe(200);
    });

    test("guessing is throttled at every entry point and for every spelling of the name", async () => {
      await guess(alice.name.toUpperCase(), 2, { from: "192.0.2.1" });
      await guess(`A${alice.name.slice(1)}`, 2, { from: "192.0.2.1", path: "/api/v1/version" });
      await guess(alice.name, 1, { from: "192.0.2.1", path: "/alice/none.git/info/refs?service=git-upload-pack" });
      for (const path of ["/api/v1/user", "/api/v1/version", "/alice/none.git/info/refs?service=git-upload-pack"]) {
        expect(await signIn(alice.name, "wrong", { from: "192.0.2.1", path })).toMatchObject({ status: 429, retryAfter: "60" });
      }
      const form = await inject(forge.forge.http, {
        method: "POST",
        url: "/user/login",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        payload: new URLSearchParams({ user_name: alice.name, password: alice.password }).toString(),
        remoteAddress: "192.0.2.1",
      });
      expect([form.statusCode, form.headers["set-cookie"]]).toEqual([429, undefined]);
    });

    test("does not reveal which names exist: counts, responses and work are alike", async () => {
      const answersFor = async (login: string, from: string) => {
        const before = hasher.hashed;
        const answers: Awaited<ReturnType<typeof signIn>>[] = [];
        for (let at = 0; at < 6; at += 1) answers.push(await signIn(login, `guess ${at}`, { from }));
        return { answers, hashed: hasher.hashed - before };
      };
      const known = await answersFor(alice.name, "192.0.2.1");
      expect(known.hashed).toBe(5);
      expect(await answersFor(`nobody${times}`, "192.0.2.2")).toEqual(known);
      expect(await answersFor(`nobody${times}@example.com`, "192.0.2.3")).toEqual(known);
      expect(await answersFor(alice.email, "192.0.2.4")).toEqual(known);
    });

    test("reveals no names on the sign-in page either", async () => {
      const answerFor = async (user_name: string, remoteAddress: string) => {
        const before = hasher.hashed;
        const payload = new URLSearchParams({ user_name, password: "a guess" }).toString();
        const headers = { "content-type": "application/x-www-form-urlencoded" };
        const answer = await inject(forge.forge.http, { method: "POST", url: "/user/login", headers, payload, remoteAddress });
        return { status: answer.statusCode, body: answer.body.replaceAll(user_name, "NAME"), hashed: hasher.hashed - before };
      };
      const known = await answerFor(bob.name, "192.0.2.1");
      expect(known).toMatchObject({ status: 401, hashed: 1 });
      expect(await answerFor(`nobody${times}`, "192.0.2.2")).toEqual(known);
      expect(await answerFor(bob.email, "192.0.2.3")).toEqual(known);
    });

    test("guessing is throttled across names and across the addresses of one IPv6 network", async () => {
      const statuses: number[] = [];
      for (let at = 0; at < 14; at += 1) statuses.push((await signIn(`name${at}`, "wrong", { from: `2001:db8:1:2::${at.toString(16)}` })).status);
      expect(statuses).toEqual([...repeated(401, 12), 429, 429]);
      // The neighbouring network is not affected.
      expect((await signIn("name0", "wrong", { from: "2001:db8:1:3::1" })).status).toBe(401);
    });

    test("is throttled across networks", async () => {
      const statuses: number[] = [];
      for (let at = 0; at < 10; at += 1) statuses.push((await signIn(alice.name, `guess ${at}`, { from: `198.51.100.${at}` })).status);
      expect(statuses).toEqual([...repeated(401, 8), 429, 429]);
    });

    test("is throttled across concurrent requests", async () => {
      const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => signIn(alice.name, `guess ${at}`, { from: "192.0.2.1" })));
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(25);
    });

    test("guessing cannot be hidden by a forged client address", async () => {
      const statuses: number[] = [];
      for (let at = 0; at < 6; at += 1) {
        const headers = { "x-forwarded-for": `203.0.113.${at}`, "x-real-ip": `203.0.113.${at}`, forwarded: `for=203.0.113.${at}` };
        statuses.push((await signIn(alice.name, `guess ${at}`, { from: "192.0.2.1", headers })).status);
      }
      expect(statuses).toEqual([...repeated(401, 5), 429]);
    });
  });

  describe("a user under attack", () => {
    test("a user can sign in from a known network while others guess", async () => {
      expect((await signIn(alice.name, alice.password, { from: "203.0.113.7" })).status).toBe(200);
      for (let at = 0; at < 10; at += 1) await signIn(alice.name, `guess ${at}`, { from: `198.51.100.${at}` });
      expect((await signIn(alice.name, "wrong", { from: "198.51.100.99" })).status).toBe(429);
      clock.advance(61_000);
      for (let at = 0; at < 3; at += 1) await signIn(alice.name, `more ${at}`, { from: `198.51.100.${at}` });
      expect((await signIn(alice.name, alice.password, { from: "203.0.113.7" })).status).toBe(200);
      expect((await signIn(alice.name, alice.password, { from: "198.51.100.99" })).status).toBe(429);
    });

    test("can sign in from a network whose neighbours guess at other accounts", async () => {
      expect((await signIn(alice.name, alice.password, { from: "203.0.113.7" })).status).toBe(200);
      for (let at = 0; at < 13; at += 1) await signIn(`name${at}`, "wrong", { from: "203.0.113.7" });
      expect((await signIn(bob.name, "wrong", { from: "203.0.113.7" })).status).toBe(429);
      clock.advance(61_000);
      expect((await signIn(alice.name, alice.password, { from: "203.0.113.7" })).status).toBe(200);
    });

    test("can continue with recently verified credentials and with tokens", async () => {
      expect((await signIn(alice.name, alice.password, { from: "203.0.113.7" })).status).toBe(200);
      await guess(alice.name, 6, { from: "203.0.113.7" });
      const { length } = (await recorder.during(() => signIn(alice.name, alice.password, { from: "203.0.113.7" }))).filter((sql) =>
        /sign_in|update|insert/.test(sql),
      );
      expect(length).toBe(0);
      expect((await signIn(alice.name, alice.password, { from: "203.0.113.7" })).status).toBe(200);
      expect((await signIn(alice.name, alice.token, { from: "203.0.113.7" })).status).toBe(200);
    });

    test("is not slowed by a typing error: a correct password resets the network's failures", async () => {
      await guess(alice.name, 4, { from: "192.0.2.1" });
      expect((await signIn(alice.name, alice.password, { from: "192.0.2.1" })).status).toBe(200);
      expect(await guess(alice.name, 5, { from: "192.0.2.1" })).toEqual(repeated(401, 5));
    });

    test("has the password hashed once for concurrent first requests", async () => {
      const before = hasher.hashed;
      const answers = await Promise.all(Array.from({ length: 30 }, () => signIn(alice.name, alice.password, { from: "192.0.2.1" })));
      expect(answers.map(({ status }) => status)).toEqual(repeated(200, 30));
      expect(hasher.hashed - before).toBe(1);
    });
  });

  test("counts wrong codes of a second factor after a correct password", async () => {
    // The user has signed in from the network of the browser below, so failures elsewhere do not affect them there.
    expect((await signIn(alice.name, alice.password, { from: "127.0.0.1" })).status).toBe(200);
    const basic = `Basic ${Buffer.from(`${alice.name}:${alice.password}`).toString("base64")}`;
    const post = (url: string, payload: object) =>
      inject(forge.forge.http, { method: "POST", url, headers: { authorization: basic }, payload, remoteAddress: "203.0.113.7" });
    const { secret } = (await post("/api/v1/user/two_factor", {})).json();
    const confirmed = await post("/api/v1/user/two_factor/confirm", { code: totpCode(secret, stepAt(clock.now())) });
    expect(confirmed.statusCode).toBe(201);
    clock.advance(minuteMs);
    const attempt = (code: string, from: string) => signIn(alice.name, alice.password, { from, headers: { "x-gitea-otp": code } });
    const statuses: number[] = [];
    for (let at = 0; at < 7; at += 1) statuses.push((await attempt(`00000${at}`, "192.0.2.1")).status);
    expect(statuses).toEqual([...repeated(401, 5), 429, 429]);
    // A missing code counts like a wrong one. Otherwise it would reveal that the password was correct.
    expect(
      [...(await Promise.all([0, 1, 2, 3, 4, 5].map(async () => (await signIn(alice.name, alice.password, { from: "192.0.2.2" })).status)))].sort(),
    ).toContain(429);
    // The second step of the sign-in page counts failures in the same way.
    const browser = createBrowser(forge.url);
    const page = await browser.get((await browser.signIn(alice)).location ?? "");
    const shown: number[] = [];
    for (let at = 0; at < 6; at += 1) shown.push((await browser.submit(page, "/user/two_factor", { passcode: `00000${at}` })).status);
    expect(shown).toEqual([...repeated(401, 5), 429]);
    expect((await attempt(totpCode(secret, stepAt(clock.now())), "203.0.113.7")).status).toBe(200);
  });

  test("deletes outdated counts and limits the number of networks per account", async () => {
    const { db } = forge.context;
    const count = async (table: "sign_in_throttles" | "sign_in_networks") => {
      const row = await db.sql
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return Number(row.total);
    };
    await pruneSignIns({ db, clock });
    await guess(`nobody${times}`, 2, { from: "192.0.2.1" });
    expect(await count("sign_in_throttles")).toBe(3);
    for (let at = 0; at < 55; at += 1) {
      clock.advance(2 * minuteMs);
      expect((await signIn(alice.name, alice.password, { from: `203.0.113.${at}` })).status).toBe(200);
    }
    const networks = await db.sql.selectFrom("sign_in_networks").select("network").where("account_id", "=", alice.id).execute();
    expect(networks).toHaveLength(50);
    expect(networks.map(({ network }) => network)).not.toContain("203.0.113.0");
    await pruneSignIns({ db, clock });
    expect(await count("sign_in_throttles")).toBe(0);
    clock.advance(181 * dayMs);
    await pruneSignIns({ db, clock });
    expect(await count("sign_in_networks")).toBe(0);
  });
});

eachDialect((dialect) => {
  test("counts the client's own address behind a trusted proxy", async () => {
    await using forge = await startForge({ dialect, environment: { ...environment, HEARTH_SERVER_TRUSTED_PROXIES: "10.0.0.1" } });
    await forge.createUser("alice");
    const attempt = async (client: string) => {
      const authorization = `Basic ${Buffer.from("alice:wrong").toString("base64")}`;
      const headers = { authorization, "x-forwarded-for": client };
      return (await inject(forge.forge.http, { url: "/api/v1/user", headers, remoteAddress: "10.0.0.1" })).statusCode;
    };
    const statuses: number[] = [];
    for (let at = 0; at < 6; at += 1) statuses.push(await attempt("192.0.2.1"));
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect(await attempt("192.0.2.2")).toBe(401);
  });
});
