import { describe, expect, test } from "vitest";
import { createBudget } from "./budget.ts";
import { type Caller, type ClassRules, createLane, inPlace, type Lane, type LaneRules, type Place } from "./lanes.ts";

const user = (key: string): Caller => ({ kind: "interactive", key });
const program = (key: string): Caller => ({ kind: "automated", key });
const visitor = (key: string): Caller => ({ kind: "anonymous", key });

const wide: ClassRules = { places: 1, queue: 100, perCaller: 100 };
const openLane = (classes: Partial<LaneRules["classes"]> = {}, rest: Partial<Omit<LaneRules, "classes">> = {}): Lane =>
  createLane({ classes: { interactive: wide, automated: wide, anonymous: wide, ...classes }, waitMs: 60_000, ...rest });

/** Requests that leave their places on demand, and the order in which they got one. */
function watch(lane: Lane) {
  const order: string[] = [];
  const places: Place[] = [];
  return {
    order,
    ask: (caller: Caller, name: string): void =>
      void lane.enter(caller).then(
        (place) => {
          order.push(name);
          places.push(place);
        },
        (error: { code: string }) => order.push(`${name}: ${error.code}`),
      ),
    /** Leaves the places one after another until none is held. */
    async finish(): Promise<void> {
      await settled();
      for (let place = places.shift(); place !== undefined; place = places.shift()) {
        place.leave();
        await settled();
      }
    },
    leave: async (): Promise<void> => {
      await settled();
      places.shift()?.leave();
      await settled();
    },
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a lane", () => {
  test("serves users before programs, and programs before anonymous callers, whatever the order of arrival", async () => {
    const lane = openLane();
    const { ask, order, finish } = watch(lane);
    for (const name of ["v0", "v1", "v2"]) ask(visitor(name), name);
    for (const name of ["p1", "p2"]) ask(program(name), name);
    for (const name of ["u1", "u2"]) ask(user(name), name);
    await finish();
    expect(order).toEqual(["v0", "u1", "u2", "p1", "p2", "v1", "v2"]);
  });

  test("refuses a caller who has used a budget, in all lanes that share it", async () => {
    let nowMs = 0;
    const now = () => nowMs;
    const ofUsers = createBudget({ allowedMs: 1_000, windowMs: 10_000, now });
    const budgets = { interactive: ofUsers, automated: ofUsers, anonymous: createBudget({ allowedMs: 0, windowMs: 10_000, now }) };
    const [pages, packs] = [openLane({}, { budgets, now }), openLane({}, { budgets, now })];
    const place = await pages.enter(user("a"));
    nowMs = 3_500;
    // The time for which the client read does not count.
    place.spent(1_500, 2_000);
    place.leave();
    await expect(packs.enter(program("a"))).rejects.toMatchObject({
      code: "throttled",
      message: "your requests have used their share of this server: send fewer, and try again in 5 s",
      reason: { code: "budget_used", seconds: 5 },
      options: { retryAfter: 5, meta: { reason: "budget_used" } },
    });
    expect([pages, packs].map((lane) => [lane.counts("automated").refused, lane.counts("automated").working])).toEqual([
      [0, 0],
      [1, 0],
    ]);
    (await packs.enter(program("b"))).leave();
    (await packs.enter(visitor("a"))).leave();
    nowMs = 8_500;
    (await packs.enter(program("a"))).leave();
  });

  test("gives every eighth place to the last class that waits", async () => {
    const { ask, order, finish } = watch(openLane());
    ask(user("a"), "first");
    for (let at = 0; at < 20; at += 1) ask(user("a"), "user");
    for (const name of ["v1", "v2"]) ask(visitor(name), name);
    await finish();
    expect([order.indexOf("v1"), order.indexOf("v2")]).toEqual([8, 16]);
  });

  test("divides its places between the callers of a class by the time that they hold them, not by the number of their requests", async () => {
    let nowMs = 0;
    const lane = openLane({}, { now: () => nowMs });
    const order: string[] = [];
    const served: Promise<void>[] = [];
    const ask = (name: string, costMs: number): void => {
      served.push(
        lane.enter(visitor(name)).then(async (place) => {
          order.push(name);
          nowMs += costMs;
          await settled();
          place.leave();
        }),
      );
    };
    for (let at = 0; at < 8; at += 1) ask("dear", 1_000);
    for (let at = 0; at < 8; at += 1) ask("cheap", 100);
    await Promise.all(served);
    // One request of the expensive caller for several cheap ones.
    expect(order.slice(0, 10).filter((name) => name === "cheap").length).toBeGreaterThanOrEqual(7);
  });

  test("keeps places for earlier classes", async () => {
    const lane = openLane({ interactive: { ...wide, places: 4 }, automated: { ...wide, places: 3 }, anonymous: { ...wide, places: 1 } });
    const { ask, order } = watch(lane);
    for (const name of ["v1", "v2"]) ask(visitor(name), name);
    for (const name of ["p1", "p2", "p3"]) ask(program(name), name);
    ask(user("u1"), "u1");
    await settled();
    expect(order).toEqual(["v1", "p1", "p2", "u1"]);
    expect(lane.counts("anonymous")).toEqual({ working: 1, waiting: 1, entered: 1, refused: 0 });
  });

  test("refuses a caller with too many waiting requests, and a request for which the queue is full, with a time to retry", async () => {
    const lane = openLane({ anonymous: { places: 1, queue: 3, perCaller: 2 } });
    const first = await lane.enter(visitor("a"));
    const waiting = [lane.enter(visitor("a")), lane.enter(visitor("a"))];
    await expect(lane.enter(visitor("a"))).rejects.toMatchObject({ code: "throttled", options: { retryAfter: 1 } });
    waiting.push(lane.enter(visitor("b")));
    await expect(lane.enter(visitor("c"))).rejects.toMatchObject({ code: "unavailable", options: { retryAfter: 1, meta: { reason: "queue_full" } } });
    expect(lane.counts("anonymous")).toMatchObject({ waiting: 3, refused: 2 });
    first.leave();
    await Promise.all(waiting.map(async (place) => (await place).leave()));
    expect(lane.counts("anonymous")).toEqual({ working: 0, waiting: 0, entered: 4, refused: 2 });
  });

  test("refuses a request at once if those ahead of it will take longer than the limit", async () => {
    let nowMs = 0;
    const lane = openLane({}, { now: () => nowMs, waitMs: 10_000 });
    const gone = new AbortController();
    for (let at = 0; at < 100; at += 1) {
      const slow = await lane.enter(visitor("a"));
      nowMs += 4_000;
      slow.leave();
    }
    await lane.enter(visitor("a"));
    const waiting = Promise.allSettled([visitor("b"), visitor("c")].map((caller) => lane.enter(caller, gone.signal)));
    await expect(lane.enter(visitor("d"))).rejects.toMatchObject({ code: "unavailable", options: { retryAfter: 12, meta: { reason: "long_wait" } } });
    // The requests of anonymous callers do not count for a user.
    const own = Promise.allSettled([lane.enter(user("e"), gone.signal)]);
    expect(lane.counts("interactive")).toMatchObject({ waiting: 1, refused: 0 });
    gone.abort();
    await Promise.all([waiting, own]);
  });

  test("refuses no request because of one slow one before it", async () => {
    let nowMs = 0;
    const lane = openLane({ anonymous: { places: 1, queue: 500, perCaller: 500 } }, { now: () => nowMs, waitMs: 10_000 });
    const slow = await lane.enter(visitor("a"));
    nowMs = 4_000;
    slow.leave();
    const gone = new AbortController();
    const waiting = Promise.allSettled(Array.from({ length: 500 }, () => lane.enter(visitor("a"), gone.signal)));
    expect(lane.counts("anonymous")).toMatchObject({ working: 1, waiting: 499, refused: 0 });
    gone.abort();
    await waiting;
  });

  test("refuses a request that has waited for too long", async () => {
    const lane = openLane({}, { waitMs: 1 });
    await lane.enter(user("a"));
    await expect(lane.enter(user("b"))).rejects.toMatchObject({ code: "unavailable", options: { meta: { reason: "queue_wait" } } });
    expect(lane.counts("interactive")).toMatchObject({ waiting: 0, refused: 1 });
  });

  test("forgets a request whose client has disconnected", async () => {
    const lane = openLane();
    const first = await lane.enter(user("a"));
    const gone = new AbortController();
    const waiting = lane.enter(user("b"), gone.signal);
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ options: { meta: { reason: "aborted" } } });
    await expect(lane.enter(user("b"), gone.signal)).rejects.toMatchObject({ options: { meta: { reason: "aborted" } } });
    first.leave();
    first.leave();
    expect(lane.counts("interactive")).toEqual({ working: 0, waiting: 0, entered: 1, refused: 0 });
    await lane.enter(user("c"));
  });

  test("is left by a response once its client is slower than its source, and not before", async () => {
    const lane = openLane();
    const slowSource = await lane.enter(user("a"));
    slowSource.spent(60_000, 50_000);
    expect(lane.counts("interactive").working).toBe(1);
    slowSource.spent(0, 20_000);
    expect(lane.counts("interactive").working).toBe(0);
  });

  test("is left by a response that is sent in pieces after the time of the lane, also while it waits for its source", async () => {
    const lane = openLane({}, { streamMs: 1 });
    const endless = async function* (): AsyncGenerator<number> {
      yield 1;
      await new Promise(() => undefined);
    };
    const chunks = inPlace(await lane.enter(user("a")), endless());
    await chunks.next();
    void chunks.next();
    await expect.poll(() => lane.counts("interactive").working).toBe(0);
  });

  test("is left when the chunks of a response end, fail, or are no longer read", async () => {
    const lane = openLane();
    const chunks = async function* (fails: boolean): AsyncGenerator<number> {
      yield 1;
      if (fails) throw new Error("broken");
      yield 2;
    };
    const read: number[] = [];
    for await (const chunk of inPlace(await lane.enter(user("a")), chunks(false))) read.push(chunk);
    expect(read).toEqual([1, 2]);
    const broken = inPlace(await lane.enter(user("a")), chunks(true));
    await broken.next();
    await expect(broken.next()).rejects.toThrow("broken");
    for await (const _chunk of inPlace(await lane.enter(user("a")), chunks(false))) break;
    expect(lane.counts("interactive")).toEqual({ working: 0, waiting: 0, entered: 3, refused: 0 });
  });
});
