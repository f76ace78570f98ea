import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClientRepository, collect, createClient, importBundle, importObjects, openTestStores, type TestStores } from "../../../test/kit/git.ts";
import { isForgeError } from "../../core/errors.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";
import { fetchKey, neededRefs, parseCommandRequest, parseFetchRequest, readBody } from "./fetch-request.ts";
import { createFetchRequests } from "./fetch-requests.ts";
import { openPackCache } from "./pack-cache.ts";
import { decodePkts, delimPkt, encodePkt, encodePkts, flushPkt, pktText } from "./pkt-line.ts";
import { decodeSideBand, sideBand } from "./side-band.ts";
import { streamFetch, streamUploadPack } from "./upload-pack.ts";
import { clientFault } from "./upload-pack-faults.ts";

let kit: TestStores;
let client: ClientRepository;
let store: GitStore;
let tip: Oid;

beforeAll(async () => {
  kit = await openTestStores();
  client = createClient();
  client.commit({ "a.txt": "one\n" });
  tip = client.commit({ "a.txt": "two\n", "big.bin": Buffer.alloc(300_000, "0123456789abcdef") });
  store = kit.fresh();
  await importObjects(store, client, [tip]);
});

afterAll(async () => {
  client.remove();
  await kit.close();
});

function fetchCommand(wants: readonly Oid[], args: readonly string[] = ["thin-pack", "ofs-delta", "done"], agent = "git/2.0"): Buffer {
  const capabilities = ["command=fetch\n", `agent=${agent}\n`, "object-format=sha1\n"];
  return Buffer.concat([
    encodePkts(capabilities),
    delimPkt,
    encodePkts([...args.slice(0, -1), ...wants.map((oid) => `want ${oid}`), ...args.slice(-1)]),
    flushPkt,
  ]);
}

/** The pack in the data band of a response. */
function packOf(answer: Buffer): Buffer {
  const parts: Buffer[] = [];
  let inPack = false;
  for (const pkt of decodePkts(answer)) {
    if (pkt.kind !== "data") continue;
    if (inPack) {
      const { band, data } = decodeSideBand(pkt.data);
      if (band === sideBand.data) parts.push(data);
    } else if (pktText(pkt.data) === "packfile" || pktText(pkt.data) === "NAK") inPack = true;
  }
  return Buffer.concat(parts);
}

/** Unpacks with stock git. */
function unpack(pack: Buffer, oid: Oid): string {
  const receiver = createClient();
  try {
    receiver.pipe(pack, "index-pack", "--stdin", "--strict");
    receiver.git("fsck", "--strict");
    return receiver.git("log", "--format=%H", oid);
  } finally {
    receiver.remove();
  }
}

describe("upload-pack", () => {
  test("answers a fetch of protocol v2 and of v0", async () => {
    const v2 = await collect((await streamUploadPack(store, { version: 2, input: fetchCommand([tip]) })).stdout);
    expect(unpack(packOf(v2), tip)).toBe(client.git("log", "--format=%H", tip));
    const request = Buffer.concat([encodePkt(`want ${tip} side-band-64k ofs-delta agent=git/2.0\n`), flushPkt, encodePkt("done\n")]);
    const v0 = await collect((await streamUploadPack(store, { version: 0, input: request })).stdout);
    expect(unpack(packOf(v0), tip)).toBe(client.git("log", "--format=%H", tip));
  });

  test("omits blobs only for a partial clone", async () => {
    const answer = await collect((await streamUploadPack(store, { version: 2, input: fetchCommand([tip], ["filter blob:none", "done"]) })).stdout);
    expect(packOf(answer).length).toBeLessThan(2000);
    expect(packOf(answer).subarray(0, 4).toString()).toBe("PACK");
  });

  test("fails within the stream for an object of another store, and for an empty store", async () => {
    const stranger = createClient();
    const foreign = stranger.commit({ secret: "s" });
    await importObjects(kit.fresh(), stranger, [foreign]);
    stranger.remove();
    for (const [where, oid] of [
      [store, foreign],
      [kit.fresh(), tip],
    ] as const) {
      const { stdout } = await streamUploadPack(where, { version: 2, input: fetchCommand([oid]) });
      await expect(collect(stdout)).rejects.toSatisfy((error) => isForgeError(error, "unavailable"));
    }
  });

  test("ends git when the reader disconnects", async () => {
    const large = client.commit({ "huge.bin": Buffer.from(Array.from({ length: 3_000_000 }, (_, i) => (i * 2_654_435_761) >>> 24)) });
    await importObjects(store, client, [large]);
    const stream = await streamUploadPack(store, { version: 2, input: fetchCommand([large]) });
    for await (const _ of stream.stdout) break;
    await stream.done.catch(() => {});
    expect(kit.stores.counters.running).toBe(0);
  });

  test("ends git when the reader disconnects while git is silent", async () => {
    async function* stalled(): AsyncGenerator<Buffer> {
      yield encodePkt("command=fetch\n");
      await new Promise(() => {});
    }
    const stream = await streamUploadPack(store, { version: 2, input: stalled() });
    stream.stdout.resume().destroy();
    await expect(stream.done).rejects.toSatisfy((error) => isForgeError(error, "unavailable"));
    expect(kit.stores.counters.running).toBe(0);
  });
});

describe("a request that git rejects", () => {
  const missing = "1".repeat(40);
  const v0 = (lines: readonly string[], then: readonly string[] = ["done\n"]): Buffer => Buffer.concat([encodePkts(lines), flushPkt, encodePkts(then)]);
  const want = (): string => `want ${tip}`;
  test.each<readonly [version: 0 | 2, body: () => Buffer, words: string]>([
    [2, () => fetchCommand([tip], ["bogus", "done"]), "unexpected line: 'bogus'"],
    [2, () => fetchCommand([tip], ["want-ref refs/heads/main", "done"]), "unexpected line: 'want-ref refs/heads/main'"],
    [2, () => fetchCommand([tip], ["deepen-not nope", "done"]), "upload-pack: ambiguous deepen-not: deepen-not nope"],
    [2, () => fetchCommand([tip], ["deepen x", "done"]), "Invalid deepen: deepen x"],
    [2, () => fetchCommand([tip], ["deepen 1", "deepen-since 1", "done"]), "cannot be used together"],
    [2, () => fetchCommand([tip], ["shallow x", "done"]), "invalid shallow line: shallow x"],
    [2, () => fetchCommand([tip], ["filter bogus", "done"]), "invalid filter-spec 'bogus'"],
    [2, () => fetchCommand([tip], ["filter sparse:oid=main:x", "done"]), "filter 'sparse:oid' not supported"],
    [2, () => fetchCommand([tip], ["filter tree:100", "done"]), "tree filter allows max depth 64"],
    [2, () => fetchCommand([missing]), `upload-pack: not our ref ${missing}`],
    [0, () => v0([`${want()}\n`, "bogus\n"]), "expected to get object ID, not 'bogus'"],
    [0, () => v0([`${want()}\n`, "filter blob:none\n"]), "filtering capability not negotiated"],
    [0, () => v0([`${want()}\n`, "deepen-not nope\n"]), "upload-pack: ambiguous deepen-not: deepen-not nope"],
    [0, () => v0([`${want()}\n`], ["bogus\n"]), "expected SHA1 list, got 'bogus'"],
    [0, () => encodePkt(`${want()}\n`), "the remote end hung up unexpectedly"],
    [0, () => v0([`want ${missing}\n`]), `upload-pack: not our ref ${missing}`],
  ])("of version %d ends with git's message for the client (%#)", async (version, body, words) => {
    const cache = await openPackCache({
      directory: `${kit.directory}/refused`,
      log: store.shared.log,
      maxBytes: 1 << 20,
      maxEntryBytes: 1 << 20,
      maxAgeMs: 60_000,
    });
    try {
      const request = { version, wants: 1, haves: 0, wantsDigest: "", done: true, terms: [], body: body() } as const;
      for (let round = 0; round < 2; round += 1) {
        const last = [...decodePkts(await collect(streamFetch(cache, store, { request })))].at(-1);
        expect(last?.kind === "data" ? pktText(last.data) : last?.kind).toMatch(/^ERR /);
        expect(last?.kind === "data" ? pktText(last.data) : "").toContain(words);
      }
      // A rejection is not cached.
      expect(cache.counters).toMatchObject({ made: 2, hits: 0, storedBytes: 0 });
    } finally {
      await cache.close();
    }
  });

  test("is distinguished from a failure of the server", async () => {
    const fault = (stderr: string, reason = "exit", command = "upload-pack") => clientFault({ command, reason, stderr });
    expect(fault("fatal: unable to read tree 1111\n")).toBeUndefined();
    expect(fault("error: packfile is corrupt\nfatal: git upload-pack: git-pack-objects died with error.\n")).toBeUndefined();
    expect(fault("fatal: no commits selected for shallow requests\n", "signal")).toBeUndefined();
    expect(fault("fatal: no commits selected for shallow requests\n", "exit", "archive")).toBeUndefined();
    expect(fault("warning: x\nfatal: no commits selected for shallow requests\n")).toEqual({
      message: "no commits selected for shallow requests",
      isSent: false,
    });
  });
});

describe("a fetch request", () => {
  test("is parsed into wants, haves and terms", async () => {
    const have = "1".repeat(40);
    const v2 = await parseFetchRequest(fetchCommand([tip, tip], ["thin-pack", "deepen 3", `have ${have}`, "done"]), 2);
    expect(v2).toMatchObject({ version: 2, wants: 1, haves: 1, done: true, terms: ["deepen 3", "object-format=sha1", "thin-pack"] });
    const body = Buffer.concat([encodePkt(`want ${tip} multi_ack agent=x thin-pack\n`), encodePkt(`want ${have}\n`), encodePkt("deepen 1\n"), flushPkt]);
    expect(await parseFetchRequest(body, 0)).toMatchObject({ wants: 2, haves: 0, done: false, terms: ["deepen 1", "multi_ack", "thin-pack"] });
  });

  test("is rejected if it is malformed or too large", async () => {
    const broken = [
      [2, Buffer.from("0000")],
      [2, Buffer.concat([encodePkt("command=ls-refs"), flushPkt])],
      [2, fetchCommand(["main"])],
      [2, fetchCommand([`${tip}0`])],
      [2, Buffer.concat([fetchCommand([tip]), fetchCommand([tip])])],
      [2, fetchCommand([tip]).subarray(0, -2)],
      [0, encodePkt("have x")],
      [0, Buffer.concat([encodePkt(`want ${tip}`), delimPkt])],
    ] as const;
    for (const [version, body] of broken) await expect(parseFetchRequest(body, version)).rejects.toThrow(expect.objectContaining({ code: "malformed" }));
    const many = fetchCommand(Array.from({ length: 11 }, (_, i) => i.toString(16).padStart(40, "0")));
    await expect(parseFetchRequest(many, 2, { maxWants: 10, maxHaves: 10 })).rejects.toThrow(expect.objectContaining({ code: "too_large" }));
    await expect(
      readBody(
        (async function* () {
          while (true) yield Buffer.alloc(1000);
        })(),
        10_000,
      ),
    ).rejects.toSatisfy((error) => isForgeError(error, "too_large"));
  });

  test("of any command has its parts parsed", async () => {
    const body = Buffer.concat([encodePkts(["command=ls-refs\n", "agent=x"]), delimPkt, encodePkts(["peel\n", "ref-prefix refs/heads/"]), flushPkt]);
    expect(await parseCommandRequest(body)).toEqual({ command: "ls-refs", capabilities: ["agent=x"], arguments: ["peel", "ref-prefix refs/heads/"] });
  });

  test("is parsed once if it is large and has few terms", async () => {
    const requests = createFetchRequests();
    const many = Array.from({ length: 2_000 }, (_, at) => at.toString(16).padStart(40, "0"));
    const read = (body: Buffer, version: 0 | 2 = 2) => requests.read(body, version, () => parseFetchRequest(body, version));
    const first = await read(fetchCommand(many));
    const again = fetchCommand(many);
    expect(await read(again)).toEqual({ ...first, body: again });
    expect(requests.counters.parsed).toBe(1);
    expect((await read(fetchCommand(many.slice(1)))).wantsDigest).not.toBe(first.wantsDigest);
    expect((await read(fetchCommand(many.toReversed()))).wantsDigest).not.toBe(first.wantsDigest);
    expect(requests.counters.parsed).toBe(3);
    await expect(read(fetchCommand(many), 0)).rejects.toThrow(expect.objectContaining({ code: "malformed" }));
    expect(requests.counters.parsed).toBe(4);

    const shallow = fetchCommand(many, [...many.slice(0, 60).map((oid) => `shallow ${oid}`), "done"]);
    await read(shallow);
    await read(shallow);
    expect(requests.counters.parsed).toBe(6);
    await read(fetchCommand(many.slice(0, 3)));
    expect(requests.counters.parsed).toBe(6);
  });

  test("has a cache key only if the response is the same for all clients", async () => {
    const key = async (body: Buffer, refs = "r1", at = store): Promise<string | undefined> => {
      const request = await parseFetchRequest(body, 2);
      return fetchKey(at, request, neededRefs(request) === "none" ? undefined : refs);
    };
    const plain = await key(fetchCommand([tip]));
    expect(plain).toMatch(/^[0-9a-f]{64}$/);
    expect(await key(fetchCommand([tip], ["ofs-delta", "thin-pack", "done"], "another/1"), "r2")).toBe(plain);
    expect(await key(fetchCommand([tip]), "r1", kit.fresh())).not.toBe(plain);
    expect(await key(fetchCommand([tip], ["ofs-delta", "done"]))).not.toBe(plain);
    for (const term of ["include-tag", "deepen-relative", "deepen-not refs/tags/v1"]) {
      const body = fetchCommand([tip], [term, "done"]);
      expect(await key(body, "r1")).not.toBe(await key(body, "r2"));
    }
    expect(await key(fetchCommand([tip], ["thin-pack"]))).toBeUndefined();
    expect(await key(fetchCommand([tip], [`have ${tip}`, "done"]))).toBeUndefined();
  });
});

const bundle = "../shared/data/express.bundle";
const isThere = existsSync(bundle);
const whyNot = isThere ? "" : " (skipped: its bundle is not beside this checkout)";

test.runIf(isThere)(`a second clone of a real repository starts no git process${whyNot}`, { timeout: 60_000 }, async () => {
  const express = kit.fresh();
  const heads = [...new Set((await importBundle(express, bundle)).values())];
  const cache = await openPackCache({
    directory: `${kit.directory}/packs`,
    log: express.shared.log,
    maxBytes: 1 << 28,
    maxEntryBytes: 1 << 27,
    maxAgeMs: 60_000,
  });
  const request = await parseFetchRequest(fetchCommand(heads), 2);
  const clone = async (): Promise<Buffer> => collect(streamFetch(cache, express, { request }));
  const first = await clone();
  const processes = kit.stores.counters.processes;
  const [second, third] = await Promise.all([clone(), clone()]);
  expect(second.equals(first) && third.equals(first)).toBe(true);
  expect(kit.stores.counters.processes).toBe(processes);
  const receiver = createClient();
  receiver.pipe(packOf(first), "index-pack", "--stdin");
  expect(Number(receiver.git("rev-list", "--count", "--objects", ...heads))).toBeGreaterThan(30_000);
  receiver.remove();
  await cache.close();
});
