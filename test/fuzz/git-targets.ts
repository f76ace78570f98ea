import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { parseFields, readBatch } from "../../src/features/git/lfs/protocol.ts";
import { readPushRequest } from "../../src/features/git/transport/service/push-request.ts";
import { readLfsPointer } from "../../src/features/repositories/commits/lfs-pointer.ts";
import { parseCommit, parseTag, parseTree } from "../../src/git/objects/parse.ts";
import { isPushableRefName, isValidRefName, parentRefNames } from "../../src/git/objects/ref-names.ts";
import { readSmallPack } from "../../src/git/receive/small-pack.ts";
import { parseFetchRequest } from "../../src/git/send/fetch-request.ts";
import { createPktReader, decodePkts, delimPkt, encodePkt, flushPkt } from "../../src/git/send/pkt-line.ts";
import { rawPack } from "../kit/git.ts";
import { texts } from "./seeds.ts";
import { type FuzzTarget, magnitude } from "./target.ts";

const oid = "0123456789abcdef0123456789abcdef01234567";
const zero = "0".repeat(40);

/** Chunks of one to seven bytes, so that values are spread over several. */
async function* inChunks(input: Buffer): AsyncGenerator<Buffer, void, undefined> {
  for (let at = 0, length = 1; at < input.length; at += length, length = (length % 7) + 1) yield input.subarray(at, at + length);
}

const fetchVersion2 = Buffer.concat([
  ...["command=fetch\n", "agent=git/2.39", "object-format=sha1"].map(encodePkt),
  delimPkt,
  ...[
    "thin-pack",
    "ofs-delta",
    "include-tag",
    `want ${oid}\n`,
    "want-ref refs/heads/main\n",
    `have ${zero}\n`,
    "deepen 3\n",
    "filter blob:none\n",
    "done\n",
  ].map(encodePkt),
  flushPkt,
]);
const fetchVersion0 = Buffer.concat([
  ...[
    `want ${oid} multi_ack_detailed side-band-64k ofs-delta deepen-not\n`,
    `want ${oid}\n`,
    `shallow ${oid}\n`,
    "deepen-since 1700000000\n",
    "deepen-not refs/tags/v1\n",
  ].map(encodePkt),
  flushPkt,
  encodePkt(`have ${oid}\n`),
  encodePkt("done\n"),
]);
const pushed = Buffer.concat([
  encodePkt(`${zero} ${oid} refs/heads/main\0 report-status-v2 side-band-64k push-options object-format=sha1 agent=git/2.39`),
  encodePkt(`${oid} ${zero} refs/tags/v1`),
  encodePkt(`shallow ${oid}`),
  flushPkt,
  encodePkt("repo.private=true"),
  flushPkt,
  Buffer.from("PACK"),
]);

/** A number in the form of sizes in deltas. */
const sized = (size: number): number[] => (size < 128 ? [size] : [(size & 127) | 128, ...sized(size >> 7)]);
/** Copies 10 bytes of a base of 100, and adds three. */
const delta = Buffer.from([...sized(100), ...sized(13), 0x90, 10, 3, 0x61, 0x62, 0x63]);
const blob = Buffer.alloc(100, "line\n");
const packs = [
  rawPack([{ type: 3, data: blob }]),
  rawPack([
    { type: 3, data: blob },
    { type: 6, data: delta, prefix: Buffer.from([deflateSync(blob).length + 2]) },
  ]),
  rawPack([
    { type: 3, data: blob },
    { type: 7, data: delta, prefix: createHash("sha1").update(`blob ${blob.length}\0`).update(blob).digest() },
  ]),
  rawPack([
    { type: 1, data: Buffer.from(`tree ${oid}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nm\n`) },
    { type: 2, data: Buffer.concat([Buffer.from("100644 a\0"), Buffer.from(oid, "hex")]) },
  ]),
];

const commit = `tree ${oid}\nparent ${oid}\nauthor Ann <ann@example.org> 1700000000 +0130\ncommitter <> -5 -9999\nencoding iso-8859-1\ngpgsig -----BEGIN SSH SIGNATURE-----\n U1NI\n -----END SSH SIGNATURE-----\n\nMessage\n`;
const tag = `object ${oid}\ntype commit\ntag v1\ntagger Ann <ann@example.org> 1700000000 +0000\n\nText\n-----BEGIN PGP SIGNATURE-----\n\niQ==\n-----END PGP SIGNATURE-----\n`;

/** Parsers of the bytes of git and Git LFS clients. */
export const gitTargets: readonly FuzzTarget[] = [
  {
    name: "pkt-line",
    seeds: [fetchVersion2, fetchVersion0, pushed.subarray(0, -4)],
    async run(input) {
      const whole = [...decodePkts(input)];
      const reader = createPktReader(inChunks(input));
      let count = 0;
      while ((await reader.next()) !== undefined) count += 1;
      if (count !== whole.length) throw new Error(`${whole.length} packets in the buffer, ${count} in the stream`);
      return `${magnitude(count)} ${[...new Set(whole.map(({ kind }) => kind))].join()}`;
    },
  },
  {
    name: "fetch requests",
    seeds: [fetchVersion2, fetchVersion0],
    async run(input) {
      const read = await Promise.allSettled(([0, 1, 2] as const).map((version) => parseFetchRequest(input, version)));
      const failed = read.find((one) => one.status === "rejected");
      if (read.every((one) => one.status === "rejected")) throw failed?.reason;
      return read.map((one) => (one.status === "fulfilled" ? Object.keys(one.value).join() : "-")).join(" ");
    },
  },
  {
    name: "push requests",
    seeds: [pushed],
    async run(input) {
      const { commands, options, reports } = await readPushRequest(inChunks(input), "sha1", { maxCommands: 100, maxCommandBytes: 100_000 });
      return `${commands.length} ${options.length} ${reports}`;
    },
  },
  {
    name: "packs and deltas",
    seeds: packs.map((pack) => pack.subarray(0, -20)),
    complete: (body) => Buffer.concat([body, createHash("sha1").update(body).digest()]),
    async run(input) {
      const objects = await readSmallPack(input, "sha1", async () => ({ oid, type: "blob", data: blob }));
      return objects === undefined ? "left to git" : objects.map(({ type }) => type).join();
    },
  },
  {
    name: "commits, tags and trees",
    seeds: [...texts(commit, tag), Buffer.concat([Buffer.from("100644 a\0"), Buffer.from(oid, "hex"), Buffer.from("40000 d\0"), Buffer.from(oid, "hex")])],
    async run(input) {
      const read = await Promise.allSettled([parseCommit, parseTag, parseTree].map(async (parse) => parse(oid, input)));
      const failed = read.find((one) => one.status === "rejected");
      if (read.every((one) => one.status === "rejected")) throw failed?.reason;
      return read.map(({ status }) => status).join();
    },
  },
  {
    name: "refs",
    seeds: texts("refs/heads/main", "refs/tags/v1.0", "refs/heads/a/b.lock", "refs/heads/@{x}", "refs/pull/1/head", "HEAD"),
    run(input) {
      const name = input.toString();
      const isValid = isValidRefName(name);
      if (isPushableRefName(name) && !isValid) throw new Error("a name that can be pushed is not valid");
      if (isValid && /[\0-\x20~^:?*[\\\x7f]|\.\.|\/\/|@\{|\.lock(\/|$)|(^|\/)\./.test(name)) throw new Error("git does not accept this name");
      return isValid ? String(magnitude(parentRefNames(name).length)) : "invalid";
    },
  },
  {
    name: "Git LFS requests",
    seeds: texts(
      JSON.stringify({
        operation: "download",
        transfers: ["basic"],
        ref: { name: "refs/heads/main" },
        objects: [{ oid: "a".repeat(64), size: 3 }],
        hash_algo: "sha256",
      }),
      JSON.stringify({ operation: "upload", objects: [{}, null, 1] }),
    ),
    async run(input) {
      const { objects, operation } = readBatch(await parseFields(input));
      return `${operation} ${objects.map(({ isValid }) => isValid).join()}`;
    },
  },
  {
    name: "Git LFS pointers",
    seeds: texts(`version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 12345\n`),
    run: (input) => String(readLfsPointer(input) === undefined),
  },
];
