import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gatewayMissing, startGateway } from "../../test/kit/s3-gateway.ts";
import { type S3Server, startS3Server } from "../../test/kit/s3-server.ts";
import { loadConfig } from "../config/config.ts";
import { type FileStore, gather } from "./files.ts";
import { openFileStores } from "./open.ts";
import { openS3Files } from "./s3.ts";
import { openS3Client } from "./s3-client.ts";

/** A storage backend opened from settings. */
interface Place extends AsyncDisposable {
  readonly files: FileStore;
  /** Number of files. */
  count(): Promise<number>;
}

const filesBelow = async (directory: string): Promise<number> =>
  (await readdir(directory, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length;

const places: Readonly<Record<string, () => Promise<Place>>> = {
  "a folder": async () => {
    const directory = await mkdtemp(join(tmpdir(), "hearth-files-"));
    return {
      files: openFileStores(loadConfig({ HEARTH_DATA: directory })).files,
      count: () => filesBelow(directory),
      [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
    };
  },
  "a bucket": async () => {
    const server = await startS3Server();
    const directory = await mkdtemp(join(tmpdir(), "hearth-files-"));
    return {
      files: openFileStores(loadConfig({ ...server.environment, HEARTH_DATA: directory })).files,
      count: async () => server.objects.size + server.uploads.size + (await filesBelow(directory)),
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]();
        await rm(directory, { recursive: true });
      },
    };
  },
  // A real service, in contrast to the one in which these tests inject failures.
  ...(gatewayMissing === undefined && {
    "a bucket of the Versity gateway": async () => {
      const gateway = await startGateway();
      const directory = await mkdtemp(join(tmpdir(), "hearth-files-"));
      return {
        files: openFileStores(loadConfig({ ...gateway.environment, HEARTH_DATA: directory })).files,
        count: async () => (await filesBelow(gateway.objects)) + (await filesBelow(directory)),
        async [Symbol.asyncDispose]() {
          await gateway[Symbol.asyncDispose]();
          await rm(directory, { recursive: true });
        },
      };
    },
  }),
};

const chunks = async function* (...given: readonly (string | Uint8Array | Error)[]): AsyncGenerator<Uint8Array> {
  for (const one of given) {
    if (one instanceof Error) throw one;
    yield Buffer.from(one);
  }
};

test.skipIf(gatewayMissing !== undefined)(`files are tested with the Versity gateway${gatewayMissing === undefined ? "" : ` (${gatewayMissing})`}`, () => {
  expect(Object.keys(places)).toHaveLength(3);
});

describe.each(Object.entries(places))("files in %s", (_name, open) => {
  let place: Place;
  let files: FileStore;
  beforeAll(async () => {
    place = await open();
    files = place.files;
    // The gateway is built by the first run on a machine.
  }, 900_000);
  afterAll(() => place[Symbol.asyncDispose]());
  const readAll = async (name: string, part?: { start: number; end: number }): Promise<string> => (await gather(files.read(name, part))).toString();

  test("are readable by their names until they are deleted", async () => {
    const content = Buffer.from("a picture");
    const names = await Promise.all([files.put(content), files.put(content)]);
    expect(new Set(names).size).toBe(2);
    for (const name of names) {
      expect(name).toMatch(/^[0-9a-f]{64}$/);
      expect(await files.get(name)).toEqual(content);
    }
    await files.delete(names[0]);
    await files.delete(names[0]);
    expect([await files.get(names[0]), await files.sizeOf(names[0])]).toEqual([undefined, undefined]);
    expect(await files.get(names[1])).toEqual(content);
    await expect(readAll(names[0])).rejects.toThrow();
  });

  test("files are not readable by other names", async () => {
    for (const name of ["", "..", "../../etc/passwd", "a".repeat(63), `${"a".repeat(63)}/`, "A".repeat(64)]) {
      await expect(files.get(name)).rejects.toThrow("not a name from this store");
      await expect(files.delete(name)).rejects.toThrow("not a name from this store");
    }
  });

  test("are streamed in, and read as a whole or in ranges", async () => {
    const received = await files.receive(chunks("hel", "lo ", "", "world"), { maxBytes: 11 });
    expect(received).toEqual({
      name: expect.stringMatching(`^${received.digest}-[0-9a-f]{16}$`),
      sizeBytes: 11,
      digest: createHash("sha256").update("hello world").digest("hex"),
    });
    const again = await files.receive(chunks("hello world"), { maxBytes: 11 });
    expect([again.digest === received.digest, again.name === received.name]).toEqual([true, false]);
    await files.delete(again.name);
    expect(await files.sizeOf(received.name)).toBe(11);
    expect([await readAll(received.name), await readAll(received.name, { start: 4, end: 6 })]).toEqual(["hello world", "o w"]);
    const empty = await files.receive(chunks(), { maxBytes: 1 });
    expect([await files.sizeOf(empty.name), await readAll(empty.name)]).toEqual([0, ""]);
  });

  test("of many megabytes are stored from chunks of any size", async () => {
    const pieces = [3_000_000, 17_000_000, 1, 4_000_003].map((size) => randomBytes(size));
    const whole = Buffer.concat(pieces);
    const { name, digest } = await files.receive(chunks(...pieces), { maxBytes: 100_000_000 });
    expect(digest).toBe(createHash("sha256").update(whole).digest("hex"));
    expect((await files.get(name))?.equals(whole)).toBe(true);
    const part = await gather(files.read(name, { start: 8_388_600, end: 16_777_300 }));
    expect(part.equals(whole.subarray(8_388_600, 16_777_301))).toBe(true);
    await files.delete(name);
  });

  test("incomplete files leave no data", async () => {
    const before = await place.count();
    await expect(files.receive(chunks("hello", "!"), { maxBytes: 5 })).rejects.toMatchObject({ code: "too_large" });
    await expect(files.receive(chunks("hello", new Error("cut")), { maxBytes: 9 })).rejects.toThrow("cut");
    const large = randomBytes(9_000_000);
    await expect(files.receive(chunks(large, large, new Error("cut")), { maxBytes: 90_000_000 })).rejects.toThrow("cut");
    expect(await place.count()).toBe(before);
  });

  test("that are old and unused are counted and removed by a sweep", async () => {
    const names = await Promise.all(Array.from({ length: 8 }, (_unused, n) => files.put(Buffer.from(`sweep ${n}`))));
    const [used = "", ...others] = names;
    const requested: string[] = [];
    const inUse = async (some: readonly string[]): Promise<ReadonlySet<string>> => {
      requested.push(...some);
      return new Set([used]);
    };
    expect(await files.sweep(Date.now() - 3_600_000, inUse)).toBe(0);
    expect(requested).toEqual([]);
    const unused = await files.sweep(Date.now() + 3_600_000, inUse, "count");
    expect(unused).toBe((await place.count()) - 1);
    expect(requested).toEqual(expect.arrayContaining(names));
    expect(await files.sizeOf(others[0] ?? "")).toBe(7);
    expect(await files.sweep(Date.now() + 3_600_000, inUse)).toBe(unused);
    expect([await place.count(), await files.sizeOf(used)]).toEqual([1, 7]);
  });
});

describe("a failing S3 service", () => {
  let server: S3Server;
  let files: FileStore;
  let directory: string;
  beforeAll(async () => {
    server = await startS3Server();
    directory = await mkdtemp(join(tmpdir(), "hearth-files-"));
    files = openFileStores(loadConfig({ ...server.environment, HEARTH_DATA: directory })).files;
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });

  test("a failing service is retried, and reported as unavailable if it keeps failing", async () => {
    server.fail("PUT", 2);
    const name = await files.put(Buffer.from("third time"));
    expect(server.objects.has(`hearth/files/${name}`)).toBe(true);
    server.fail("HEAD", 9);
    await expect(files.sizeOf(name)).rejects.toMatchObject({ code: "unavailable" });
    server.fail("HEAD", 0);
    expect(await files.sizeOf(name)).toBe(10);
  });

  test("an aborted upload leaves at most an incomplete upload, which the sweep removes", async () => {
    const part = randomBytes(9_000_000);
    server.fail("PUT", 9);
    server.fail("DELETE", 9);
    await expect(files.receive(chunks(part, part), { maxBytes: 90_000_000 })).rejects.toMatchObject({ code: "unavailable" });
    server.fail("PUT", 0);
    server.fail("DELETE", 0);
    expect(server.uploads.size).toBe(1);
    expect(await files.sweep(Date.now() + 3_600_000, async (names) => new Set(names))).toBe(1);
    expect(server.uploads.size).toBe(0);
  });

  test("that stops or truncates a download fails the stream", async () => {
    const beginnings: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
      silent: (response) => response.writeHead(200, { "content-length": 9 }).write("half"),
      short: (response) => response.socket?.end("HTTP/1.1 200 OK\r\n\r\nhalf"),
    };
    let beginning = "";
    const odd = createServer((_request, response) => void beginnings[beginning]?.(response));
    await new Promise<void>((resolve) => odd.listen(0, "127.0.0.1", resolve));
    const bucketUrl = `http://127.0.0.1:${(odd.address() as AddressInfo).port}/files`;
    const client = openS3Client({ bucketUrl, region: "eu-test-1" }, { accessKey: "key", secretKey: "secret" });
    const held = openS3Files(client, { prefix: "", localFolder: directory, silenceMs: 50 });
    for (beginning of Object.keys(beginnings))
      await expect(gather(held.read("a".repeat(64)))).rejects.toThrow(/the service (?:has sent no data|sent less data)/);
    odd.closeAllConnections();
    odd.close();
  });

  test("rejects another key", async () => {
    const stranger = openFileStores(loadConfig({ ...server.environment, HEARTH_STORAGE_SECRET_KEY: "wrong" })).files;
    const before = server.objects.size;
    await expect(stranger.put(Buffer.from("x"))).rejects.toMatchObject({ code: "unavailable" });
    expect(server.objects.size).toBe(before);
  });
});
