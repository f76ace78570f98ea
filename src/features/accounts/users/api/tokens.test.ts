import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiClient, createApiClient } from "../../../../../test/kit/api-client.ts";
import { createTestClock } from "../../../../../test/kit/clock.ts";
import { createStatementRecorder, eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../../test/kit/forge.ts";

const hourMs = 3_600_000;
const startMs = Date.UTC(2026, 0, 2, 3, 4, 5);

eachDialect((dialect) => {
  const clock = createTestClock(startMs);
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  const recorder = createStatementRecorder();
  beforeAll(async () => {
    forge = await startForge({ dialect, clock, onStatement: recorder.onStatement });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
    for (const name of ["one", "two"]) await alice.post("/user/repos", { name, private: true, auto_init: true }).expect(201);
    await alice.post("/user/repos", { name: "open", auto_init: true }).expect(201);
    await bob.post("/user/repos", { name: "hidden", private: true }).expect(201);
    await bob.post("/user/repos", { name: "shared", auto_init: true }).expect(201);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const as = (authorization: string) => createApiClient(forge.url, authorization);
  const basic = (name: string, password: string) => as(`Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`);
  const mine = () => basic("alice", alice.password);
  const make = (body: object) =>
    mine()
      .post("/users/alice/tokens", { scopes: ["all"], ...body })
      .expect(201);
  const outside = (path: string, token: string) => fetch(`${forge.url}${path}`, { headers: { authorization: `token ${token}` } });

  describe("expiring tokens", () => {
    const at = (ms: number) => new Date(ms).toISOString().replace(".000Z", "Z");

    test("work until they expire and then report the expiry", async () => {
      const ends = clock.now() + hourMs;
      const made = await make({ name: "an hour", expires_at: at(ends) });
      expect(made.expires_at).toBe(at(ends));
      const client = as(`token ${made.sha1}`);
      await client.get("/user").expect(200);
      clock.advance(hourMs - 1);
      await client.get("/user").expect(200);
      clock.advance(1);
      for (const answer of [await client.get("/user"), await client.get("/version"), await basic("alice", made.sha1).get("/user")]) {
        expect(answer.status).toBe(401);
        expect(answer.json.message).toBe(`invalid username, password or token: the token expired at ${at(ends)}`);
      }
      expect((await outside("/alice/open.git/info/refs?service=git-upload-pack", made.sha1)).status).toBe(401);
      const listed = await mine().get("/users/alice/tokens").expect(200);
      expect(listed.find((one: { name: string }) => one.name === "an hour").expires_at).toBe(at(ends));
    });

    test("must expire in the future; others show no expiry", async () => {
      expect(
        (
          await mine()
            .post("/users/alice/tokens", { name: "past", scopes: ["all"], expires_at: at(clock.now()) })
            .expect(422)
        ).message,
      ).toBe("[ExpiresAt]: the time has passed");
      await mine()
        .post("/users/alice/tokens", { name: "when", scopes: ["all"], expires_at: "tomorrow" })
        .expect(422);
      expect(await make({ name: "endless", expires_at: null })).not.toHaveProperty("expires_at");
    });

    test("cannot create tokens that expire later", async () => {
      const ends = clock.now() + hourMs;
      const { sha1 } = await make({ name: "short", expires_at: at(ends) });
      const byToken = basic("alice", sha1);
      for (const more of [{}, { expires_at: at(ends + 1_000) }])
        await byToken.post("/users/alice/tokens", { name: "long", scopes: ["all"], ...more }).expect(403);
      await byToken.post("/users/alice/tokens", { name: "as short", scopes: ["all"], expires_at: at(ends) }).expect(201);
    });
  });

  describe("tokens limited to repositories", () => {
    let token: string;
    let client: ApiClient;
    beforeAll(async () => {
      const two = await alice.get("/repos/alice/two").expect(200);
      const made = await make({ name: "limited", repositories: ["alice/ONE", String(two.id), "bob/shared"] });
      expect(made.repositories).toEqual(["alice/one", "alice/two", "bob/shared"]);
      token = made.sha1;
      client = as(`token ${token}`);
    });

    test("can act on these as their owner", async () => {
      await client.patch("/repos/alice/one", { description: "by a token" }).expect(200);
      await client.get("/repos/alice/two/contents").expect(200);
      expect((await outside("/alice/one/raw/branch/main/README.md", token)).status).toBe(200);
      expect((await outside("/alice/one.git/info/refs?service=git-receive-pack", token)).status).toBe(200);
      expect((await client.get("/repos/bob/shared").expect(200)).permissions).toMatchObject({ admin: false, push: false, pull: true });
    });

    test("cannot find other repositories, not even public ones or their owner's", async () => {
      for (const path of ["/repos/alice/open", "/repos/alice/open/contents", "/repos/bob/hidden", "/repos/alice/none"]) {
        expect(await client.get(path).expect(404)).toMatchObject({ message: "not found" });
      }
      expect((await outside("/alice/open/raw/branch/main/README.md", token)).status).toBe(404);
      expect((await outside("/alice/open/archive/main.zip", token)).status).toBe(404);
      expect((await outside("/alice/open.git/info/refs?service=git-upload-pack", token)).status).toBe(404);
      await client.patch("/repos/alice/open", { description: "x" }).expect(404);
      const open = await alice.get("/repos/alice/open").expect(200);
      await client.get(`/repositories/${open.id}`).expect(404);
    });

    test.each(["/user/repos", "/users/alice/repos", "/repos/search", "/user/subscriptions"])("%s neither shows nor counts other repositories", async (path) => {
      const answer = await client.get(path);
      const names = (answer.json.data ?? answer.json).map((one: { full_name: string }) => one.full_name);
      expect(names.filter((name: string) => !["alice/one", "alice/two", "bob/shared"].includes(name))).toEqual([]);
      expect(names).toContain("alice/one");
      expect(answer.headers.get("x-total-count")).toBe(String(names.length));
    });

    test("cannot change anything else", async () => {
      const refusal = "this endpoint is not available for tokens that are limited to repositories";
      const byBasic = basic("alice", token);
      for (const answer of [
        await client.post("/user/repos", { name: "three" }),
        await client.patch("/user/settings", { full_name: "Alice" }),
        await client.post("/user/keys", { title: "mine", key: "ssh-ed25519 AAAA" }),
        await client.post("/orgs", { username: "acme" }),
        await byBasic.post("/users/alice/tokens", { name: "wide", scopes: ["all"] }),
        await byBasic.delete("/users/alice/tokens/limited"),
      ]) {
        expect({ status: answer.status, message: answer.json.message }).toEqual({ status: 403, message: refusal });
      }
      await client.get("/user").expect(200);
      expect((await client.post("/markdown", { text: "# x" })).status).toBe(200);
    });

    test("cannot administer the server, even if their owner can", async () => {
      const made = await basic("chief", forge.admin.password)
        .post("/users/chief/tokens", { name: "limited", scopes: ["all"], repositories: ["alice/one"] })
        .expect(201);
      const limited = as(`token ${made.sha1}`);
      await limited.get("/admin/users").expect(403);
      await limited.get("/repos/alice/one").expect(200);
      await limited.get("/repos/alice/two").expect(404);
      // Sudo does not lift the limit.
      await limited.get("/repos/alice/two", { sudo: "alice" }).expect(404);
    });

    test.each([
      [["alice/none"], "[Repositories]: repository alice/none does not exist"],
      [["bob/hidden"], "[Repositories]: repository bob/hidden does not exist"],
      [["999999"], "[Repositories]: repository 999999 does not exist"],
      [["a/b/c"], "[Repositories]: repository a/b/c does not exist"],
      [[], "[Repositories]: name the repositories that the token may act on, or omit the field"],
      [[{}], "[]: repositories must be a list of full names and ids"],
      [Array.from({ length: 101 }, (_, at) => at + 1), "[Repositories]: a token can be limited to at most 100 repositories"],
    ])("reject %j", async (repositories, message) => {
      expect(
        (
          await mine()
            .post("/users/alice/tokens", { name: "no", scopes: ["all"], repositories })
            .expect(422)
        ).message,
      ).toBe(message);
    });

    test("do not become unlimited when their last repository is deleted", async () => {
      const { id } = await alice.post("/user/repos", { name: "passing" }).expect(201);
      const { sha1 } = await make({ name: "orphan", repositories: [id] });
      const orphan = as(`token ${sha1}`);
      await orphan.get("/repos/alice/passing").expect(200);
      await alice.delete("/repos/alice/passing").expect(204);
      await orphan.get("/repos/alice/one").expect(404);
      expect(await orphan.get("/user/repos").expect(200)).toEqual([]);
      const listed = await mine().get("/users/alice/tokens?limit=50").expect(200);
      expect(listed.find((one: { name: string }) => one.name === "orphan").repositories).toEqual([]);
    });

    test("cost no extra statement per request, and one for their whole list", async () => {
      await client.get("/version").expect(200);
      const one = await recorder.during(() => client.get("/version").expect(200));
      expect(one.filter((sql) => sql.includes("access_tokens"))).toHaveLength(1);
      const list = await recorder.during(() => mine().get("/users/alice/tokens?limit=50").expect(200));
      expect(list.filter((sql) => sql.includes("access_tokens") || sql.includes("repositories"))).toHaveLength(3);
    });
  });

  test("an idempotent response is repeated only to the credential that received it", async () => {
    const [one, other] = [await make({ name: "first asker" }), await make({ name: "second asker", scopes: ["write:repository", "write:user"] })];
    const key = { "idempotency-key": "make it once" };
    const ask = (token: string) => as(`token ${token}`).post("/user/repos", { name: "once" }, key);
    const first = await ask(one.sha1);
    const again = await ask(one.sha1);
    expect([first.status, again.status, again.headers.get("idempotent-replayed")]).toEqual([201, 201, "true"]);
    expect(again.text).toBe(first.text);
    expect((await ask(other.sha1)).status).toBe(422);
  });

  describe("the time of last use", () => {
    const lastUsed = async (name: string) =>
      (await mine().get("/users/alice/tokens?limit=50").expect(200)).find((token: { name: string }) => token.name === name).last_used_at;
    /** Uses are recorded after the response, so the tests wait until the tokens show them. */
    const isNoted = async (names: readonly string[]): Promise<void> => {
      const { db } = forge.context;
      const rows = () => db.sql.selectFrom("access_tokens").select("name").where("name", "in", names).where("last_used_ms", "=", clock.now()).execute();
      await expect.poll(async () => (await rows()).length).toBe(names.length);
    };
    const touchesDuring = async (touched: readonly string[], action: () => Promise<unknown>) => {
      const statements = await recorder.during(async () => {
        await action();
        await forge.settled();
        if (touched.length > 0) await isNoted(touched);
      });
      return statements.filter((sql) => sql.startsWith('update "access_tokens"')).length;
    };
    const shown = (ms: number) => new Date(Math.floor(ms / 1_000) * 1_000).toISOString().replace(".000Z", "Z");

    test("is recorded at most once a minute, and in one statement for many tokens", async () => {
      const names = ["used a", "used b", "used c"];
      const clients = await Promise.all(names.map(async (name) => as(`token ${(await make({ name })).sha1}`)));
      const created = clock.now();
      await forge.settled();
      expect(await lastUsed("used a")).toBe(shown(created));
      clock.advance(10_000);
      const many = await touchesDuring(names, () => Promise.all(Array.from({ length: 30 }, (_, at) => clients[at % 3]?.get("/user").expect(200))));
      const first = clock.now();
      for (const name of names) expect(await lastUsed(name)).toBe(shown(first));
      expect(many).toBeGreaterThanOrEqual(1);
      // A use that read its token just before the recording may add one statement in vain; recording each use would take 30.
      expect(many).toBeLessThan(15);
      clock.advance(59_000);
      const again = (touched: readonly string[]) => touchesDuring(touched, async () => clients[0]?.get("/user").expect(200));
      expect({ touches: await again([]), at: await lastUsed("used a") }).toEqual({ touches: 0, at: shown(first) });
      clock.advance(1_000);
      expect({ touches: await again(["used a"]), at: await lastUsed("used a"), other: await lastUsed("used b") }).toEqual({
        touches: 1,
        at: shown(clock.now()),
        other: shown(first),
      });
    });
  });
});
