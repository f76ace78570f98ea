import { describe, expect, test } from "vitest";
import { createLimiter } from "./limiter.ts";

const limits = { total: 3, perStore: 2, queue: 2, waitMs: 10_000 };

/** Whether a promise is settled after all pending microtasks. */
const settled = async (work: Promise<unknown>): Promise<boolean> => {
  let done = false;
  void work.then(() => {
    done = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return done;
};

describe("the limiter", () => {
  test("grants slots per key and in total, first come first served", async () => {
    const limiter = createLimiter(limits);
    const first = await limiter.acquire("a");
    const second = await limiter.acquire("a");
    const third = limiter.acquire("a");
    expect(await settled(third)).toBe(false);
    // A busy key does not block another one.
    const other = await limiter.acquire("b");
    expect(limiter).toMatchObject({ running: 3, waiting: 1 });
    other();
    expect(await settled(third)).toBe(false);
    first();
    expect(await settled(third)).toBe(true);
    // Releasing a slot twice releases it once.
    first();
    expect(limiter).toMatchObject({ running: 2, waiting: 0 });
    second();
    (await third)();
    expect(limiter.running).toBe(0);
  });

  test("rejects a caller if too many are waiting, or if it waits too long", async () => {
    const limiter = createLimiter({ total: 1, perStore: 1, queue: 1, waitMs: 20 });
    const release = await limiter.acquire("a");
    const waiting = limiter.acquire("b");
    await expect(limiter.acquire("c")).rejects.toMatchObject({ code: "unavailable", options: { retryAfter: 2, meta: { reason: "queue_full" } } });
    await expect(waiting).rejects.toMatchObject({ code: "unavailable", options: { meta: { reason: "queue_wait" } } });
    expect(limiter.waiting).toBe(0);
    release();
    (await limiter.acquire("c"))();
  });

  test("removes a waiting caller whose request was aborted", async () => {
    const limiter = createLimiter({ total: 1, perStore: 1, queue: 1, waitMs: 10_000 });
    const release = await limiter.acquire("a");
    const abort = new AbortController();
    const waiting = limiter.acquire("a", abort.signal);
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ options: { meta: { reason: "aborted" } } });
    await expect(limiter.acquire("a", abort.signal)).rejects.toMatchObject({ options: { meta: { reason: "aborted" } } });
    release();
    expect(limiter).toMatchObject({ running: 0, waiting: 0 });
  });
});
