import { describe, expect, test } from "vitest";
import { createLimiter } from "./limiter.ts";

const limits = { total: 3, perStore: 2, queue: 2, waitMs: 10_000 };

/** What has come to pass when all that can has. */
const settled = async (work: Promise<unknown>): Promise<boolean> => {
  let done = false;
  void work.then(() => {
    done = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return done;
};

describe("the limiter", () => {
  test("gives places per key and in all, first come first served", async () => {
    const limiter = createLimiter(limits);
    const first = await limiter.acquire("a");
    const second = await limiter.acquire("a");
    const third = limiter.acquire("a");
    expect(await settled(third)).toBe(false);
    // A busy key does not stop another one.
    const other = await limiter.acquire("b");
    expect(limiter).toMatchObject({ running: 3, waiting: 1 });
    other();
    expect(await settled(third)).toBe(false);
    first();
    expect(await settled(third)).toBe(true);
    // Giving a place back twice gives back one.
    first();
    expect(limiter).toMatchObject({ running: 2, waiting: 0 });
    second();
    (await third)();
    expect(limiter.running).toBe(0);
  });

  test("refuses when too many wait, and when one waits too long", async () => {
    const limiter = createLimiter({ total: 1, perStore: 1, queue: 1, waitMs: 20 });
    const release = await limiter.acquire("a");
    const waiting = limiter.acquire("b");
    await expect(limiter.acquire("c")).rejects.toMatchObject({ code: "unavailable", options: { retryAfter: 2, meta: { reason: "queue_full" } } });
    await expect(waiting).rejects.toMatchObject({ code: "unavailable", options: { meta: { reason: "queue_wait" } } });
    expect(limiter.waiting).toBe(0);
    release();
    (await limiter.acquire("c"))();
  });

  test("forgets a waiter whose caller went away", async () => {
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
