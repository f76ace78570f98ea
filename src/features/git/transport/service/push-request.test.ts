import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodePkt, encodePkts, flushPkt } from "../../../../git/send/pkt-line.ts";
import { type PushLimits, readPushRequest } from "./push-request.ts";

const one = "1".repeat(40);
const two = "2".repeat(40);
const zero = "0".repeat(40);
const limits: PushLimits = { maxCommands: 3, maxCommandBytes: 4_096 };

async function* inPieces(bytes: Buffer, sizeBytes = 7): AsyncGenerator<Buffer, void, undefined> {
  for (let offset = 0; offset < bytes.length; offset += sizeBytes) yield bytes.subarray(offset, offset + sizeBytes);
}

const read = (...parts: readonly Buffer[]) => readPushRequest(inPieces(Buffer.concat(parts)), "sha1", limits);
const command = (oldOid: string, newOid: string, name: string, capabilities = "report-status"): Buffer =>
  encodePkt(`${oldOid} ${newOid} ${name}\0 ${capabilities}\n`);

async function restOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks).toString("latin1");
}

describe("commands of a push", () => {
  test("are parsed with the client's capabilities, and the pack stays in the stream", async () => {
    const push = await read(
      command(zero, one, "refs/heads/new", "report-status-v2 side-band-64k atomic quiet object-format=sha1 agent=git/2"),
      encodePkts([`${one} ${two} refs/heads/moved`, `${two} ${zero} refs/tags/gone\n`]),
      flushPkt,
      Buffer.from("PACK and all behind it"),
    );
    expect(push.commands).toEqual([
      { name: "refs/heads/new", oldOid: null, newOid: one },
      { name: "refs/heads/moved", oldOid: one, newOid: two },
      { name: "refs/tags/gone", oldOid: two, newOid: null },
    ]);
    expect(push).toMatchObject({ isAtomic: true, isQuiet: true, usesSideBand: true, reports: "report-status-v2", options: [] });
    expect(await restOf(push.pack)).toBe("PACK and all behind it");
  });

  test("sends nothing to a client without capabilities", async () => {
    const push = await read(encodePkt(`${zero} ${one} refs/heads/x`), flushPkt);
    expect(push).toMatchObject({ isAtomic: false, isQuiet: false, usesSideBand: false, reports: "none", options: [] });
    expect(await read(command(zero, one, "refs/heads/x"), flushPkt)).toMatchObject({ reports: "report-status" });
  });

  test("an empty push and a flush change nothing", async () => {
    expect((await read(Buffer.alloc(0))).commands).toEqual([]);
    expect((await read(flushPkt)).commands).toEqual([]);
  });

  test("object ids have the length of the repository's format", async () => {
    const long = "a".repeat(64);
    const sha256 = (line: string) => readPushRequest(inPieces(Buffer.concat([encodePkt(line), flushPkt])), "sha256", limits);
    expect((await sha256(`${"0".repeat(64)} ${long} refs/heads/x\0object-format=sha256`)).commands).toEqual([
      { name: "refs/heads/x", oldOid: null, newOid: long },
    ]);
    await expect(sha256(`${zero} ${one} refs/heads/x`)).rejects.toMatchObject({ code: "malformed" });
    await expect(read(command(zero, one, "refs/heads/x", "object-format=sha256"), flushPkt)).rejects.toThrow("sha1 object ids, not sha256");
  });

  test("reads from the shallow lines that the client's history is incomplete", async () => {
    const push = await read(encodePkts([`shallow ${one}\n`, `shallow ${two}\n`]), command(zero, one, "refs/heads/x", "atomic"), flushPkt);
    expect(push.commands).toHaveLength(1);
    expect(push).toMatchObject({ isAtomic: true, isShallow: true });
    expect(await read(command(zero, one, "refs/heads/x"), flushPkt)).toMatchObject({ isShallow: false });
  });

  test.each([
    ["no hex digits as a length", Buffer.from("zzzz")],
    ["a length that cannot be", Buffer.from("0003")],
    ["a length beyond the largest packet", Buffer.from("ffff")],
    ["an end within a packet", encodePkt(`${zero} ${one} refs/heads/x`).subarray(0, 30)],
    ["an end within the length", Buffer.from("00")],
    ["an end before the flush", command(zero, one, "refs/heads/x")],
    ["a delimiter among the commands", Buffer.concat([command(zero, one, "refs/heads/x"), Buffer.from("0001")])],
    ["an id that is too short", encodePkt(`${zero.slice(1)} ${one} refs/heads/x`)],
    ["upper-case ids", encodePkt(`${zero} ${"A".repeat(40)} refs/heads/x`)],
    ["no name", encodePkt(`${zero} ${one} `)],
    ["no space", encodePkt(`${zero}-${one} refs/heads/x`)],
    ["an empty packet", Buffer.from("0004")],
    ["a name that is no UTF-8", encodePkt(Buffer.concat([Buffer.from(`${zero} ${one} refs/heads/`), Buffer.from([0xff, 0xfe])]))],
    ["a name longer than names are", encodePkt(`${zero} ${one} refs/heads/${"x".repeat(4_096)}`)],
    ["a certificate", encodePkt("push-cert\0push-cert=x")],
  ])("rejects %s as malformed", async (_what, bytes) => {
    await expect(readPushRequest(inPieces(bytes), "sha1", { ...limits, maxCommandBytes: 65_536 })).rejects.toMatchObject({
      code: "malformed",
    });
  });

  test("rejects too many commands and too many bytes", async () => {
    const many = Array.from({ length: 4 }, (_, index) => `${zero} ${one} refs/tags/t${index}`);
    await expect(read(encodePkts(many), flushPkt)).rejects.toMatchObject({ code: "too_large" });
    await expect(read(encodePkt(`${zero} ${one} refs/tags/${"x".repeat(4_000)}\0`), flushPkt)).rejects.toMatchObject({ code: "malformed" });
  });

  test("parses or rejects any bytes", async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.stringMatching(/^[0-9a-f \n]{0,200}$/).map((text) => new TextEncoder().encode(text)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), bytes), { maxLength: 4 }), async (parts) => {
        const body = parts.map(([isFramed, part]) => (isFramed ? encodePkt(part) : Buffer.from(part)));
        const outcome = await read(...body).then(
          () => "read",
          (error: { code?: string }) => error.code,
        );
        expect(["read", "malformed", "too_large"]).toContain(outcome);
      }),
      { numRuns: 300 },
    );
  });
});

describe("push options", () => {
  const withOptions = (...options: readonly (string | Buffer)[]) =>
    read(command(zero, one, "refs/heads/x", "report-status push-options"), flushPkt, encodePkts(options), flushPkt, Buffer.from("PACK"));

  test("are opaque strings with any content", async () => {
    const push = await withOptions("a=1;repo_id=2", "x\nGITEA_PUSHER_ID=1", "\u001b[2J", Buffer.from([0xff, 0x00, 0x41]), "");
    expect(push.options).toEqual(["a=1;repo_id=2", "x\nGITEA_PUSHER_ID=1", "\u001b[2J", "\ufffd\u0000A", ""]);
    expect(await restOf(push.pack)).toBe("PACK");
  });

  test("are read only if the client announces them", async () => {
    const push = await read(command(zero, one, "refs/heads/x", "report-status"), flushPkt, encodePkt("a"), flushPkt);
    expect(push.options).toEqual([]);
  });

  test("are limited in number and in bytes", async () => {
    const roomy = (options: readonly string[]) =>
      readPushRequest(inPieces(Buffer.concat([command(zero, one, "refs/heads/x", "push-options"), flushPkt, encodePkts(options), flushPkt]), 4_096), "sha1", {
        maxCommands: 3,
        maxCommandBytes: 10_000_000,
      });
    expect((await roomy(Array.from({ length: 100 }, () => "o"))).options).toHaveLength(100);
    await expect(roomy(Array.from({ length: 101 }, () => "o"))).rejects.toMatchObject({ code: "malformed" });
    await expect(roomy(["x".repeat(60_000)])).rejects.toMatchObject({ code: "malformed" });
  });

  test("have to be packets with an end", async () => {
    await expect(read(command(zero, one, "refs/heads/x", "push-options"), flushPkt, encodePkt("a"))).rejects.toMatchObject({ code: "malformed" });
    await expect(read(command(zero, one, "refs/heads/x", "push-options"), flushPkt, Buffer.from("0001"))).rejects.toMatchObject({ code: "malformed" });
  });
});
