import { expect, test } from "vitest";
import { createKeyedMutex } from "./keyed-mutex.ts";

test("work of one key runs in sequence, also after a failure, and does not block other keys", async () => {
  const mutex = createKeyedMutex();
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = mutex.run("a", async () => {
    await gate.promise;
    order.push("first");
    throw new Error("failed");
  });
  const second = mutex.run("a", async () => order.push("second"));
  await mutex.run("b", async () => order.push("other"));
  gate.resolve();
  await expect(first).rejects.toThrow("failed");
  await second;
  expect(order).toEqual(["other", "first", "second"]);
});
