import { expect, test } from "vitest";
import { isForgeError } from "../../../core/errors.ts";
import { createHasher } from "./passwords.ts";

const limits = { atOnce: 2, waiting: 3, waitMs: 60_000 };

test("verifies a password only against its own hash, and hashes for a missing account too", async () => {
  const hasher = createHasher(limits);
  const hash = await hasher.hash("correct horse");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await hasher.verify(hash, "correct horse")).toBe(true);
  const before = hasher.hashed;
  expect(await hasher.verify(hash, "correct donkey")).toBe(false);
  expect(await hasher.verify("", "correct horse")).toBe(false);
  expect(hasher.hashed - before).toBe(2);
  expect(await hasher.verify(hash, "x".repeat(256))).toBe(false);
});

test("limits concurrent and waiting hashes, and rejects more with a retry time", async () => {
  const hasher = createHasher(limits);
  const most = { running: 0, waiting: 0 };
  let turns = 0;
  const watch = setInterval(() => {
    turns += 1;
    most.running = Math.max(most.running, hasher.running);
    most.waiting = Math.max(most.waiting, hasher.waiting);
  }, 1);
  const outcomes = await Promise.allSettled(Array.from({ length: 9 }, (_, at) => hasher.hash(`password ${at}`)));
  clearInterval(watch);
  const refused = outcomes.filter((outcome) => outcome.status === "rejected").map(({ reason }) => reason);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  expect(refused).toHaveLength(4);
  expect(refused.every((error) => isForgeError(error, "unavailable") && (error.options.retryAfter ?? 0) > 0)).toBe(true);
  expect(most).toEqual({ running: 2, waiting: 3 });
  // The event loop kept running while the threads hashed.
  expect(turns).toBeGreaterThan(3);
  expect({ running: hasher.running, waiting: hasher.waiting }).toEqual({ running: 0, waiting: 0 });
});
