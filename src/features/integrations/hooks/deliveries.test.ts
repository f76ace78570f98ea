import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestClock, type TestClock } from "../../../../test/kit/clock.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { eventsOf } from "../../../../test/kit/events.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { type Received, type Receiver, startReceiver } from "../../../../test/kit/receiver.ts";
import { insertMessages } from "./store/messages.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

eachDialect((dialect) => {
  let clock: TestClock;
  let receiver: Receiver;
  let forge: TestForge;
  let alice: TestUser;
  beforeAll(async () => {
    clock = createTestClock(Date.now());
    receiver = await startReceiver();
    forge = await startForge({ dialect, clock, environment: { HEARTH_WEBHOOK_ALLOWED_HOSTS: "loopback", HEARTH_WEBHOOK_TIMEOUT_SECONDS: "1" } });
    alice = await forge.createUser("alice");
  });
  afterAll(async () => {
    await forge[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  });

  const repositoryOf = async (name: string): Promise<string> => {
    await alice.post("/user/repos", { name, auto_init: true, default_branch: "main" }).expect(201);
    return `/repos/alice/${name}`;
  };
  const addHook = (base: string, path: string, more: object = {}, config: object = {}) =>
    alice
      .post(`${base}/hooks`, {
        type: "gitea",
        config: { url: receiver.url + path, content_type: "json", ...config },
        events: ["issues"],
        active: true,
        ...more,
      })
      .expect(201);
  const open = (base: string, title: string) => alice.post(`${base}/issues`, { title }).expect(201);
  const titles = (requests: readonly Received[]) => requests.map(({ body }) => JSON.parse(body).issue.title);
  const rows = (hookId: number) => forge.context.db.sql.selectFrom("hook_deliveries").selectAll().where("hook_id", "=", hookId).orderBy("id").execute();

  /** One entry per failure notice to the owners: whether the webhook was deactivated. */
  const failures = async (hookId: number): Promise<readonly boolean[]> => {
    const events = await eventsOf(forge, { type: "hook.failed" });
    return events.flatMap(({ payload }) => (payload.hookId === hookId ? [payload.isSwitchedOff] : []));
  };

  test("sends an event once, signed, with a sequence number and an id", async () => {
    const base = await repositoryOf("signed");
    const hook = await addHook(base, "/signed", { authorization_header: "Bearer t" }, { secret: "shared" });
    await open(base, "first");
    await open(base, "second");
    await forge.settled();
    const got = receiver.at("/signed");
    expect(titles(got)).toEqual(["first", "second"]);
    const stored = await rows(hook.id);
    for (const [at, { method, headers, body }] of got.entries()) {
      const sha256 = createHmac("sha256", "shared").update(body).digest("hex");
      expect(method).toBe("POST");
      expect(headers).toMatchObject({
        "content-type": "application/json",
        authorization: "Bearer t",
        "x-gitea-event": "issues",
        "x-github-event-type": "issues",
        "x-gitea-hook-installation-target-type": "repository",
        "x-gitea-signature": sha256,
        "x-gogs-signature": sha256,
        "x-hub-signature-256": `sha256=${sha256}`,
        "x-hub-signature": `sha1=${createHmac("sha1", "shared").update(body).digest("hex")}`,
        "x-hearth-sequence": String(at + 1),
      });
      const { "x-gitea-delivery": uuid, "webhook-id": id, "webhook-timestamp": timestamp } = headers;
      expect([headers["x-gogs-delivery"], headers["x-github-delivery"], id, stored[at]?.uuid]).toEqual([uuid, uuid, uuid, uuid]);
      expect(headers["webhook-signature"]).toBe(`v1,${createHmac("sha256", "shared").update(`${id}.${timestamp}.${body}`).digest("base64")}`);
      expect(Math.abs(Number(timestamp) - clock.now() / 1_000)).toBeLessThan(2);
    }
    expect(stored).toMatchObject([
      { state: "delivered", sequence: 1, attempts: 1, response_status: 200, response_body: "ok" },
      { state: "delivered", sequence: 2 },
    ]);
  });

  test("a payload that cannot be composed delays only its own repository, and is skipped after some attempts", async () => {
    const { db } = forge.context;
    const [stuck, moving] = [await repositoryOf("stuck"), await repositoryOf("moving")];
    await addHook(stuck, "/stuck");
    await addHook(moving, "/moving");
    const { id: repoId } = await alice.get(stuck).expect(200);
    const damaged = { type: "issue.created", payload: "{", repo_id: repoId, actor_id: null, created_ms: clock.now(), is_dispatched: 1 } as const;
    const { id: eventId } = await db.tx((tx) => tx.sql.insertInto("events").values(damaged).returning("id").executeTakeFirstOrThrow());
    const draft = { eventId, position: 0, event: "issues", eventType: "issues", subject: "", repoId, actorId: null };
    await db.tx((tx) => insertMessages(tx, [draft]));
    for (const base of [stuck, moving]) await open(base, "later");
    // The clock does not advance, so the next attempt is not due.
    await expect.poll(() => titles(receiver.at("/moving")), { timeout: 20_000 }).toEqual(["later"]);
    expect(receiver.at("/stuck")).toEqual([]);
    await forge.settled();
    expect(titles(receiver.at("/stuck"))).toEqual(["later"]);
  });

  test("a form contains the same payload, and the signature covers the payload", async () => {
    const base = await repositoryOf("form");
    await addHook(base, "/form", {}, { content_type: "form", secret: "s" });
    await open(base, "a & b");
    await forge.settled();
    const [got] = receiver.at("/form");
    const payload = new URLSearchParams(got?.body).get("payload") ?? "";
    expect(got?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
    expect(JSON.parse(payload).issue.title).toBe("a & b");
    expect(got?.headers["x-gitea-signature"]).toBe(createHmac("sha256", "s").update(payload).digest("hex"));
  });

  test("signs with both secrets for a day after a change", async () => {
    const base = await repositoryOf("rotated");
    const hook = await addHook(base, "/rotated", {}, { secret: "old" });
    await alice.patch(`${base}/hooks/${hook.id}`, { active: true, events: ["issues"], config: { secret: "new" } }).expect(200);
    await open(base, "x");
    await forge.settled();
    clock.advance(25 * hourMs);
    await open(base, "y");
    await forge.settled();
    const [both, one] = receiver.at("/rotated");
    const sign = (secret: string, { headers, body }: Received) =>
      `v1,${createHmac("sha256", secret).update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`).digest("base64")}`;
    expect(both?.headers["webhook-signature"]).toBe(both && `${sign("new", both)} ${sign("old", both)}`);
    expect(one?.headers["webhook-signature"]).toBe(one && sign("new", one));
  });

  test("a receiver that is away for an hour gets everything in order, with the same ids and bytes", async () => {
    const base = await repositoryOf("away");
    const hook = await addHook(base, "/away");
    receiver.answers = ({ path }) => (path === "/away" ? { status: 503 } : { status: 200 });
    for (const title of ["one", "two", "three"]) await open(base, title);
    await forge.settled();
    expect(titles(receiver.at("/away"))).toEqual(["one"]);
    clock.advance(hourMs);
    await open(base, "four");
    await forge.settled();
    expect(new Set(titles(receiver.at("/away")))).toEqual(new Set(["one"]));
    // The subject may change in the meantime.
    await alice.patch(`${base}/issues/1`, { title: "renamed" }).expect(201);
    receiver.answers = () => ({ status: 200 });
    clock.advance(3 * hourMs);
    await forge.settled();
    const got = receiver.at("/away");
    const failed = got.filter(({ headers }) => headers["x-hearth-sequence"] === "1");
    expect(failed.length).toBeGreaterThan(1);
    expect(new Set(failed.map(({ body, headers }) => `${headers["webhook-id"]} ${body}`)).size).toBe(1);
    expect(titles(got.slice(failed.length - 1))).toEqual(["one", "two", "three", "four", "renamed"]);
    expect((await rows(hook.id)).map(({ state, sequence }) => `${state} ${sequence}`)).toEqual([1, 2, 3, 4, 5].map((number) => `delivered ${number}`));
  });

  test("a rejected delivery delays no others, is retried, and is abandoned after a day", async () => {
    const base = await repositoryOf("refused");
    const hook = await addHook(base, "/refused");
    receiver.answers = ({ path, body }) => (path === "/refused" && body.includes('"bad"') ? { status: 400, body: "no" } : { status: 200 });
    await open(base, "bad");
    await open(base, "good");
    await forge.settled();
    expect(titles(receiver.at("/refused"))).toEqual(["bad", "good"]);
    expect(await rows(hook.id)).toMatchObject([{ state: "refused", response_status: 400, response_body: "no" }, { state: "delivered" }]);
    for (let hour = 0; hour < 28; hour += 1) {
      clock.advance(hourMs);
      await forge.settled();
    }
    const attempts = receiver.at("/refused").length - 1;
    expect(attempts).toBeGreaterThan(3);
    expect(attempts).toBeLessThanOrEqual(10);
    expect((await rows(hook.id))[0]).toMatchObject({ state: "failed", attempts });
    expect(await failures(hook.id)).toEqual([false]);
    receiver.answers = () => ({ status: 200 });
  });

  test("deliveries to an absent receiver are abandoned, and later ones are sent", async () => {
    const base = await repositoryOf("dead");
    const hook = await addHook(base, "/dead");
    receiver.answers = ({ path }) => (path === "/dead" ? undefined : { status: 200 });
    await open(base, "one");
    await open(base, "two");
    for (let hour = 0; hour < 30; hour += 1) {
      await forge.settled();
      clock.advance(hourMs);
    }
    await forge.settled();
    expect(await rows(hook.id)).toMatchObject([{ state: "failed", error: expect.stringContaining("127.0.0.1") }, { state: "failed" }]);
    expect(receiver.at("/dead").length).toBeLessThanOrEqual(12);
    receiver.answers = () => ({ status: 200 });
    clock.advance(24 * hourMs);
    await open(base, "later");
    await forge.settled();
    expect(titles(receiver.at("/dead")).at(-1)).toBe("later");
    expect(await failures(hook.id)).toEqual([false]);
  });

  test("retries follow the schedule of Standard Webhooks; each is signed with its own time and has the same body", async () => {
    const base = await repositoryOf("tried");
    await addHook(base, "/tried", {}, { secret: "shared" });
    const begunMs = clock.now();
    const agesMs: number[] = [];
    receiver.answers = ({ path }) => {
      if (path !== "/tried") return { status: 200 };
      agesMs.push(clock.now() - begunMs);
      return { status: 502 };
    };
    await open(base, "x");
    await forge.settled();
    // Up to a tenth of each pause is random, so the tolerance applies to the sum.
    const expected = [0, 5_000, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs, 14 * hourMs, 20 * hourMs, 24 * hourMs];
    for (const ageMs of expected.slice(1)) {
      const count = agesMs.length;
      clock.advance(begunMs + ageMs - 1 - clock.now());
      await forge.settled();
      expect([ageMs, agesMs.length]).toEqual([ageMs, count]);
      for (let tenths = 1; tenths <= 11 && agesMs.length === count; tenths += 1) {
        clock.advance(begunMs + Math.ceil(ageMs * (1 + tenths / 100)) - clock.now());
        await forge.settled();
      }
      expect([ageMs, agesMs.length]).toEqual([ageMs, count + 1]);
    }
    clock.advance(24 * hourMs);
    await forge.settled();
    expect(agesMs).toHaveLength(expected.length);
    const got = receiver.at("/tried");
    expect(new Set(got.map(({ headers, body }) => `${headers["webhook-id"]} ${body}`)).size).toBe(1);
    for (const [at, { headers, body }] of got.entries()) {
      const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } = headers;
      expect(Number(timestamp)).toBe(Math.floor((begunMs + (agesMs[at] ?? 0)) / 1_000));
      expect(signature).toBe(`v1,${createHmac("sha256", "shared").update(`${id}.${timestamp}.${body}`).digest("base64")}`);
    }
    receiver.answers = () => ({ status: 200 });
  });

  test("deactivates a webhook on 410, follows no redirects and sends no request to blocked addresses", async () => {
    const base = await repositoryOf("ended");
    const gone = await addHook(base, "/gone");
    const moved = await addHook(base, "/moved");
    const { id: blocked } = await alice
      .post(`${base}/hooks`, { type: "gitea", config: { url: "http://10.1.2.3/", content_type: "json" }, events: ["issues"], active: true })
      .expect(201);
    receiver.answers = ({ path }) => {
      if (path === "/gone") return { status: 410 };
      return path === "/moved" ? { status: 307, headers: { location: `${receiver.url}/inner` } } : { status: 200 };
    };
    await open(base, "x");
    await forge.settled();
    expect(await alice.get(`${base}/hooks/${gone.id}`).expect(200)).toMatchObject({ active: false });
    expect(await rows(gone.id)).toMatchObject([{ state: "failed", response_status: 410 }]);
    expect(await failures(gone.id)).toEqual([true]);
    expect(receiver.at("/inner")).toEqual([]);
    expect(await rows(moved.id)).toMatchObject([{ state: "refused", response_status: 307 }]);
    expect(await rows(blocked)).toMatchObject([{ state: "failed", attempts: 1, error: expect.stringContaining("blocked address") }]);
    receiver.answers = () => ({ status: 200 });
  });

  test("honours Retry-After, stores short responses and treats a timeout as no response", async () => {
    const base = await repositoryOf("hostile");
    const busy = await addHook(base, "/busy");
    const long = await addHook(base, "/long");
    const silent = await addHook(base, "/silent");
    receiver.answers = ({ path }) => {
      if (path === "/busy") return { status: 429, headers: { "retry-after": "7200" } };
      if (path === "/silent") return "silence";
      return { status: 200, body: "x".repeat(300_000) };
    };
    await open(base, "x");
    await forge.settled();
    expect(await rows(busy.id)).toMatchObject([{ state: "waiting", response_status: 429 }]);
    expect((await rows(long.id))[0]?.response_body).toHaveLength(65_536);
    expect(await rows(silent.id)).toMatchObject([{ state: "waiting", error: "127.0.0.1: no response in time" }]);
    clock.advance(hourMs);
    await forge.settled();
    expect(receiver.at("/busy")).toHaveLength(1);
    receiver.answers = () => ({ status: 200 });
    clock.advance(hourMs + minuteMs);
    await forge.settled();
    expect(receiver.at("/busy")).toHaveLength(2);
  });

  test("one dead webhook among many delays only itself", async () => {
    const base = await repositoryOf("many");
    const paths = Array.from({ length: 10 }, (_, at) => `/many/${at}`);
    for (const path of paths) await addHook(base, path);
    receiver.answers = ({ path }) => (path === "/many/7" ? undefined : { status: 200 });
    const events = Array.from({ length: 12 }, (_, at) => `event ${at}`);
    for (const title of events) await open(base, title);
    await forge.settled();
    expect(receiver.at("/many/7")).toHaveLength(1);
    for (const path of paths.filter((one) => one !== "/many/7")) expect(titles(receiver.at(path)), path).toEqual(events);
    receiver.answers = () => ({ status: 200 });
    clock.advance(minuteMs);
    await forge.settled();
    expect(titles(receiver.at("/many/7")).slice(1)).toEqual(events);
  });

  test("never sends to a forbidden address in any spelling", async () => {
    const base = await repositoryOf("guarded");
    const { port } = new URL(receiver.url);
    const hosts = ["0", "[::]", "[::ffff:10.0.0.1]", "[64:ff9b::7f00:1]", "169.254.169.254", "100.64.0.1", "0x0a.1", "①⓪.0.0.1"];
    for (const host of hosts) {
      const config = { url: `http://${host}:${port}/guarded`, content_type: "json" };
      await alice.post(`${base}/hooks`, { type: "gitea", config, events: ["issues"], active: true }).expect(201);
    }
    await open(base, "x");
    await forge.settled();
    const { db } = forge.context;
    const tried = await db.sql
      .selectFrom("hook_deliveries as d")
      .innerJoin("hooks as h", "h.id", "d.hook_id")
      .select(["d.state", "d.error"])
      .where("h.url", "like", "%/guarded")
      .execute();
    expect(tried).toHaveLength(hosts.length);
    for (const { state, error } of tried) expect([state, error]).toEqual(["failed", expect.stringContaining("blocked address")]);
    expect(receiver.at("/guarded")).toEqual([]);
  });

  describe("recipients", () => {
    test("are the matching webhooks of the repository, its owner and the system", async () => {
      const base = await repositoryOf("heard");
      await addHook(base, "/heard/other", { events: ["push"] });
      await addHook(base, "/heard/off", { active: false });
      await addHook(base, "/heard/repository");
      const { id: owner } = await alice
        .post("/user/hooks", { type: "gitea", config: { url: `${receiver.url}/heard/owner`, content_type: "json" }, events: ["issues"], active: true })
        .expect(201);
      const { id: system } = await forge.admin
        .post("/admin/hooks", {
          type: "gitea",
          config: { url: `${receiver.url}/heard/system`, content_type: "json", is_system_webhook: "true" },
          events: ["issues"],
          active: true,
        })
        .expect(201);
      await open(base, "x");
      await forge.settled();
      const heard = receiver.received.filter(({ path }) => path.startsWith("/heard/"));
      expect(heard.map(({ path, headers }) => `${path} ${headers["x-gitea-hook-installation-target-type"]}`).sort()).toEqual([
        "/heard/owner user",
        "/heard/repository repository",
        "/heard/system system",
      ]);
      await alice.delete(`/user/hooks/${owner}`).expect(204);
      await forge.admin.delete(`/admin/hooks/${system}`).expect(204);
    });

    test("are limited by the branch filter for branches but not for tags and issues", async () => {
      const base = await repositoryOf("filtered");
      await addHook(base, "/filtered", { events: ["push", "create", "delete", "issues"], branch_filter: "{main,release/*}" });
      await alice.post(`${base}/branches`, { new_branch_name: "topic" }).expect(201);
      await alice.post(`${base}/branches`, { new_branch_name: "release/1" }).expect(201);
      await alice.delete(`${base}/branches/topic`).expect(204);
      await alice.delete(`${base}/branches/release/1`).expect(204);
      await alice.post(`${base}/tags`, { tag_name: "v1" }).expect(201);
      await open(base, "x");
      await forge.settled();
      expect(receiver.at("/filtered").map(({ headers, body }) => `${headers["x-gitea-event"]} ${JSON.parse(body).ref ?? ""}`)).toEqual([
        "create release/1",
        "push refs/heads/release/1",
        "delete release/1",
        "create v1",
        "push refs/tags/v1",
        "issues ",
      ]);
    });
  });

  test("a push has the same cost for one webhook and for a hundred, and no additional cost without webhooks", async () => {
    const base = await repositoryOf("counted");
    // Composing the payloads after the push does not count.
    const isOfHooks = (sql: string): boolean => /insert into "hook_|join hooks h/.test(sql);
    const edit = async (name: string): Promise<number> => {
      const { statements } = await forge.cost(() => alice.post(`${base}/contents/${name}`, { content: "eA==", message: name }).expect(201));
      return statements.filter(isOfHooks).length;
    };
    const without = await edit("a");
    const hook = await addHook(base, "/counted", { events: ["push"] });
    const one = await edit("b");
    const { db } = forge.context;
    await db.tx(async (tx) => {
      const { id: _, ...row } = await tx.sql.selectFrom("hooks").selectAll().where("id", "=", hook.id).executeTakeFirstOrThrow();
      await tx.sql
        .insertInto("hooks")
        .values(Array.from({ length: 99 }, () => row))
        .execute();
    });
    const hundred = await edit("c");
    expect([without, one, hundred]).toEqual([0, 3, 3]);
    await forge.settled();
    expect(receiver.at("/counted")).toHaveLength(101);
  });
});
