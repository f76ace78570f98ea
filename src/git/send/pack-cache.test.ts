import { mkdtemp, readdir, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { polling } from "../../../test/kit/polling.ts";
import type { Log } from "../../core/log.ts";
import { openPackCache, type PackCache, type PackCacheOptions } from "./pack-cache.ts";

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

let root: string;
let caches: PackCache[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "hearth-cache-"));
  caches = [];
});

afterEach(async () => {
  for (const cache of caches) await cache.close();
  await rm(root, { recursive: true, force: true });
});

async function open(options: Partial<PackCacheOptions> = {}): Promise<PackCache> {
  const cache = await openPackCache({ directory: join(root, "cache"), log: silent, maxBytes: 1000, maxEntryBytes: 500, maxAgeMs: 1000, ...options });
  caches.push(cache);
  return cache;
}

/** A response whose chunks are produced one by one, under the test's control. */
function manual(): {
  make: (signal: AbortSignal) => AsyncGenerator<Buffer>;
  piece: (text: string) => void;
  end: (error?: Error) => void;
  aborted: boolean;
  starts: number;
} {
  const queue: (string | Error | undefined)[] = [];
  let wake = (): void => {};
  const put = (item: string | Error | undefined): void => {
    queue.push(item);
    wake();
  };
  const answer = {
    aborted: false,
    starts: 0,
    piece: (text: string) => put(text),
    end: (error?: Error) => put(error),
    async *make(signal: AbortSignal): AsyncGenerator<Buffer> {
      answer.starts += 1;
      signal.addEventListener("abort", () => {
        answer.aborted = true;
        put(new Error("aborted"));
      });
      while (true) {
        while (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve));
        const item = queue.shift();
        if (item === undefined) return;
        if (item instanceof Error) throw item;
        yield Buffer.from(item);
      }
    },
  };
  return answer;
}

async function* pieces(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

async function text(source: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}

describe("the pack cache", () => {
  test("produces a response once and serves it again", async () => {
    const cache = await open();
    let made = 0;
    const request = {
      key: "k",
      group: "1",
      make: () => {
        made += 1;
        return pieces("one ", "two");
      },
    };
    expect(await text(cache.stream(request))).toBe("one two");
    expect(await text(cache.stream(request))).toBe("one two");
    expect(made).toBe(1);
    expect(cache.counters).toMatchObject({ made: 1, hits: 1, storedBytes: 7 });
  });

  test("lets a second reader join a response in progress", async () => {
    const cache = await open();
    const answer = manual();
    const request = { key: "k", group: "1", make: answer.make };
    const first = cache.stream(request);
    answer.piece("one ");
    expect((await first.next()).value?.toString()).toBe("one ");
    const second = text(cache.stream(request));
    answer.piece("two");
    answer.end();
    expect(await second).toBe("one two");
    expect(await text(first)).toBe("two");
    expect(answer.starts).toBe(1);
    expect(cache.counters).toMatchObject({ made: 1, shared: 1 });
  });

  test("never keeps a failed response, and reports the error to every reader", async () => {
    const cache = await open();
    const answer = manual();
    const request = { key: "k", group: "1", make: answer.make };
    const first = cache.stream(request);
    const second = cache.stream(request);
    answer.piece("half");
    expect((await first.next()).value?.toString()).toBe("half");
    expect((await second.next()).value?.toString()).toBe("half");
    answer.end(new Error("git died"));
    await expect(first.next()).rejects.toThrow("git died");
    await expect(second.next()).rejects.toThrow("git died");
    expect(cache.counters.storedBytes).toBe(0);
    expect(await text(cache.stream({ ...request, make: () => pieces("whole") }))).toBe("whole");
  });

  test("ends the producer when the last reader leaves, not earlier", async () => {
    const cache = await open();
    const answer = manual();
    const request = { key: "k", group: "1", make: answer.make };
    const first = cache.stream(request);
    const second = cache.stream(request);
    answer.piece("a");
    await first.next();
    await second.next();
    await first.return();
    await turn();
    expect(answer.aborted).toBe(false);
    await second.return();
    await until(() => answer.aborted);
    expect(await text(cache.stream({ ...request, make: () => pieces("anew") }))).toBe("anew");
    // The file of the ended producer is removed after the readers have left.
    await expect.poll(() => readdir(join(root, "cache")), polling).toHaveLength(1);
  });

  test("detaches a reader whose request ends while no data arrives, and then ends the producer", async () => {
    const cache = await open({ maxEntryBytes: 3 });
    for (const size of ["ab", "abcd"]) {
      const answer = manual();
      const gone = new AbortController();
      const reader = cache.stream({ key: size, group: "1", make: answer.make, signal: gone.signal });
      answer.piece(size);
      await reader.next();
      const next = reader.next();
      gone.abort();
      await expect(next).rejects.toMatchObject({ code: "unavailable" });
      await until(() => answer.aborted);
    }
  });

  test("ends running producers on close, and lets finished responses be read", async () => {
    const cache = await open();
    const answer = manual();
    const making = cache.stream({ key: "a", group: "1", make: answer.make });
    answer.piece("half");
    await making.next();
    const whole = { key: "b", group: "1", make: () => pieces("x".repeat(200)) };
    await text(cache.stream(whole));
    const reading = cache.stream(whole);
    const first = await reading.next();
    await cache.close();
    expect(answer.aborted).toBe(true);
    await expect(making.next()).rejects.toThrow("aborted");
    expect(`${first.value?.toString()}${await text(reading)}`).toBe("x".repeat(200));
    expect(await text(cache.stream({ ...whole, make: () => pieces("past the cache") }))).toBe("past the cache");
  });

  test("streams an oversized response to all of its readers without the file, and remembers it", async () => {
    const cache = await open({ maxEntryBytes: 10 });
    const answer = manual();
    const request = { key: "k", group: "1", make: answer.make };
    const first = cache.stream(request);
    answer.piece("12345678");
    await first.next();
    const second = text(cache.stream(request));
    await until(() => cache.counters.shared === 1);
    for (const piece of ["abcdefgh", "ABCDEFGH"]) answer.piece(piece);
    answer.end();
    expect(await text(first)).toBe("abcdefghABCDEFGH");
    expect(await second).toBe("12345678abcdefghABCDEFGH");
    await until(() => cache.counters.storedBytes === 0);
    expect(await text(cache.stream({ ...request, make: () => pieces("again") }))).toBe("again");
    expect(cache.counters.storedBytes).toBe(0);
  });

  test("waits for its slowest reader once the file is full", async () => {
    const cache = await open({ maxEntryBytes: 1 });
    let made = 0;
    const reader = cache.stream({
      key: "k",
      group: "1",
      async *make() {
        for (; made < 1000; made++) yield Buffer.alloc(10);
      },
    });
    await reader.next();
    for (let round = 0; round < 50; round++) await turn();
    expect(made).toBeLessThanOrEqual(1);
    await reader.return();
  });

  test("stays within its size limit by evicting the least recently used", async () => {
    const cache = await open({ maxBytes: 10, maxEntryBytes: 10 });
    const get = (key: string): Promise<string> => text(cache.stream({ key, group: "1", make: () => pieces("1234") }));
    await get("a");
    await get("b");
    await get("a");
    await get("c");
    expect(cache.counters).toMatchObject({ made: 3, hits: 1, storedBytes: 8 });
    await get("a");
    expect(cache.counters.hits).toBe(2);
    await get("b");
    expect(cache.counters.made).toBe(4);
  });

  test("keeps four times the largest response of a group, preferring those that were reused", async () => {
    const cache = await open({ minGroupBytes: 0 });
    const get = (key: string, group: string, size = 10): Promise<string> => text(cache.stream({ key, group, make: () => pieces("x".repeat(size)) }));
    await get("clone", "1");
    await get("clone", "1");
    for (let at = 0; at < 20; at++) await get(`fetch ${at}`, "1");
    await get("other", "2");
    expect(cache.counters).toMatchObject({ made: 22, hits: 1, storedBytes: 40 + 10 });
    await get("clone", "1");
    await get("fetch 19", "1");
    expect(cache.counters).toMatchObject({ made: 22, hits: 3 });
    await get("larger clone", "1", 30);
    expect(cache.counters.storedBytes).toBe(40 + 30 + 10);
  });

  test("does not trim a small group", async () => {
    const cache = await open({ minGroupBytes: 200 });
    for (let at = 0; at < 20; at++) await text(cache.stream({ key: String(at), group: "1", make: () => pieces("x".repeat(10)) }));
    expect(cache.counters.storedBytes).toBe(200);
  });

  test("evicts a response that was requested only once before one that was reused", async () => {
    let now = 0;
    const cache = await open({ now: () => now, maxUnusedAgeMs: 100 });
    const get = (key: string): Promise<string> => text(cache.stream({ key, group: "1", make: () => pieces(key) }));
    await get("a");
    await get("a");
    await get("b");
    now = 101;
    cache.sweep();
    expect(cache.counters.storedBytes).toBe(1);
    await get("a");
    expect(cache.counters).toMatchObject({ made: 2, hits: 2 });
    now = 1001;
    cache.sweep();
    expect(cache.counters.storedBytes).toBe(0);
  });

  test("drops responses by age and by group", async () => {
    let now = 0;
    const cache = await open({ now: () => now });
    const get = (key: string, group: string): Promise<string> => text(cache.stream({ key, group, make: () => pieces(key) }));
    await get("a", "1");
    await get("b", "2");
    now = 1001;
    await get("a", "1");
    expect(cache.counters.hits).toBe(0);
    cache.sweep();
    expect(cache.counters.storedBytes).toBe(1);
    cache.dropGroup("1");
    expect(cache.counters.storedBytes).toBe(0);
  });

  test("produces a response again if its file was truncated or removed", async () => {
    const cache = await open();
    const request = { key: "k", group: "1", make: () => pieces("whole") };
    for (const harm of [(path: string) => truncate(path, 2), (path: string) => rm(path)]) {
      await text(cache.stream(request));
      const [name = ""] = await readdir(join(root, "cache"));
      await harm(join(root, "cache", name));
      expect(await text(cache.stream(request))).toBe("whole");
    }
    expect(cache.counters).toMatchObject({ hits: 1, made: 3, storedBytes: 5 });
  });

  test("continues without files if they cannot be written, and removes those of an earlier run", async () => {
    await open().then((cache) => cache.close());
    const cache = await open();
    await rm(join(root, "cache"), { recursive: true });
    expect(await text(cache.stream({ key: "k", group: "1", make: () => pieces("one ", "two") }))).toBe("one two");
    expect(cache.counters.storedBytes).toBe(0);
    await cache.close();
    const next = await open();
    await writeFile(join(root, "cache", "left-over"), "x");
    await next.close();
    await open();
    expect(await readdir(join(root, "cache"))).toEqual([]);
  });
});
