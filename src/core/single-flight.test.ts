import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { isForgeError } from "./errors.ts";
import { createSingleFlight } from "./single-flight.ts";

/** Work that ends when the test says so. */
function openWork() {
  const end = Promise.withResolvers<string>();
  const signals: AbortSignal[] = [];
  return {
    ...end,
    signals,
    work: (signal: AbortSignal): Promise<string> => {
      signals.push(signal);
      return end.promise;
    },
  };
}

describe("single flight", () => {
  test("concurrent callers of a key share one run, and later callers start another", async () => {
    const flights = createSingleFlight();
    const open = openWork();
    const callers = Array.from({ length: 300 }, () => flights.run("a", undefined, open.work));
    const other = flights.run("b", undefined, open.work);
    open.resolve("done");
    expect(new Set(await Promise.all(callers))).toEqual(new Set(["done"]));
    expect(await other).toBe("done");
    expect(open.signals.length).toBe(2);
    await flights.run("a", undefined, open.work);
    expect(open.signals.length).toBe(3);
  });

  test("a failure reaches every caller and is not kept", async () => {
    const flights = createSingleFlight();
    const open = openWork();
    const callers = [flights.run("a", undefined, open.work), flights.run("a", undefined, open.work)];
    open.reject(new Error("failed"));
    for (const outcome of await Promise.allSettled(callers)) expect(outcome).toMatchObject({ status: "rejected", reason: { message: "failed" } });
    expect(await flights.run("a", undefined, async () => "again")).toBe("again");
  });

  test("a caller that aborts does not end the work of the others", async () => {
    const flights = createSingleFlight();
    const open = openWork();
    const leaving = new AbortController();
    const first = flights.run("a", leaving.signal, open.work);
    const second = flights.run("a", new AbortController().signal, open.work);
    leaving.abort();
    await expect(first).rejects.toSatisfy((error) => isForgeError(error, "unavailable"));
    expect(open.signals[0]?.aborted).toBe(false);
    open.resolve("done");
    expect(await second).toBe("done");
  });

  test("the work is aborted once every caller has aborted, and the next caller starts another run", async () => {
    const flights = createSingleFlight();
    const open = openWork();
    const leaving = [new AbortController(), new AbortController()];
    const callers = leaving.map(({ signal }) => flights.run("a", signal, open.work));
    for (const controller of leaving) controller.abort();
    expect((await Promise.allSettled(callers)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(open.signals[0]?.aborted).toBe(true);
    const next = flights.run("a", new AbortController().signal, async () => "fresh");
    open.reject(new Error("ended"));
    await setImmediate();
    expect(await next).toBe("fresh");
    await expect(flights.run("a", AbortSignal.abort(), open.work)).rejects.toSatisfy((error) => isForgeError(error, "unavailable"));
  });
});
