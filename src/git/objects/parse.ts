import { isAscii, isUtf8 } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import { unavailable } from "../../core/errors.ts";
import type { Commit, FileMode, ObjectType, Oid, Signature, Tag, TreeEntry } from "../types.ts";
import { formatOfOid, oidBytes } from "./hash.ts";
import { decodeName } from "./names.ts";

/**
 * Parses objects. Other programs may have written them badly: a missing author, an odd date or an unknown encoding is read as well as
 * possible. Only a truncated tree is rejected.
 */

interface Headers {
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** Everything after the empty line. */
  readonly body: string;
  /** The text without the signature headers, as it was signed. */
  unsigned(): string;
}

const signatureHeaders = new Set(["gpgsig", "gpgsig-sha256"]);

/** Splits `name value` lines, where a line that begins with a space continues the one before. */
function parseHeaders(text: string): Headers {
  const fields = new Map<string, string[]>();
  const signed: (readonly [start: number, end: number])[] = [];
  let position = 0;
  while (position < text.length && text[position] !== "\n") {
    const start = position;
    let end = lineEnd(text, position);
    let line = text.slice(position, end);
    while (text[end + 1] === " ") {
      const next = lineEnd(text, end + 1);
      line += `\n${text.slice(end + 2, next)}`;
      end = next;
    }
    position = end + 1;
    const space = line.indexOf(" ");
    const name = space === -1 ? line : line.slice(0, space);
    const value = space === -1 ? "" : line.slice(space + 1);
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
    if (signatureHeaders.has(name)) signed.push([start, position]);
  }
  return {
    fields,
    body: text.slice(position + 1),
    unsigned() {
      let kept = "";
      let from = 0;
      for (const [start, end] of signed) {
        kept += text.slice(from, start);
        from = end;
      }
      return kept + text.slice(from);
    },
  };
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

interface DecodedHeaders extends Headers {
  /** The first value of a field, decoded; empty if missing. */
  first(name: string): string;
  decode(text: string): string;
  /** The signed payload as text, and its bytes if they are not the UTF-8 of the text. */
  signed(text: string): Pick<Commit, "signedPayload" | "signedBytes">;
}

const unsigned: Pick<Commit, "signedPayload" | "signedBytes"> = { signedPayload: "", signedBytes: undefined };

/** Splits the bytes before decoding them, because the `encoding` header names the encoding. */
function readHeaders(data: Buffer): DecodedHeaders {
  // The structure is ASCII in both; latin1 keeps every byte if the content is not UTF-8.
  const raw = isUtf8(data) ? "utf8" : "latin1";
  const headers = parseHeaders(data.toString(raw));
  const decode = isAscii(data) ? (text: string) => text : decoderFor(headers.fields.get("encoding")?.[0], raw);
  return {
    ...headers,
    decode,
    first: (name) => decode(headers.fields.get(name)?.[0] ?? ""),
    signed(text) {
      const signedPayload = decode(text);
      const bytes = Buffer.from(text, raw);
      return { signedPayload, signedBytes: bytes.equals(Buffer.from(signedPayload)) ? undefined : bytes };
    },
  };
}

function decoderFor(encoding: string | undefined, raw: "utf8" | "latin1"): (text: string) => string {
  const label = encoding?.trim().toLowerCase() ?? "utf-8";
  if (label === "utf-8" || label === "utf8") return raw === "utf8" ? (text) => text : (text) => Buffer.from(text, raw).toString("utf8");
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(label);
  } catch {
    return decoderFor(undefined, raw);
  }
  return (text) => decoder.decode(Buffer.from(text, raw));
}

const noOne: Signature = { name: "", email: "", seconds: 0, offsetMinutes: 0 };

/** `Name <email> seconds zone`, parsed as git does: the email ends at the first `>`, the date follows the last one. */
export function parseSignature(line: string): Signature {
  const open = line.indexOf("<");
  if (open === -1) return { ...noOne, name: line.trim() };
  const close = line.indexOf(">", open);
  const email = line.slice(open + 1, close === -1 ? line.length : close).trim();
  const date = /^\s*(-?\d+)(?:\s+([+-])(\d+))?/.exec(line.slice(line.lastIndexOf(">") + 1));
  const zone = Number(date?.[3] ?? 0);
  const minutes = zone > 9999 ? 0 : Math.floor(zone / 100) * 60 + (zone % 100);
  return {
    name: line.slice(0, open).trim(),
    email,
    seconds: close === -1 ? 0 : clampSeconds(Number(date?.[1] ?? 0)),
    offsetMinutes: minutes === 0 ? 0 : date?.[2] === "-" ? -minutes : minutes,
  };
}

function clampSeconds(seconds: number): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, seconds));
}

const oidPattern = /^[0-9a-f]+$/;

function readOid(text: string | undefined, length: number): Oid | undefined {
  return text !== undefined && text.length === length && oidPattern.test(text) ? text : undefined;
}

/** @throws ForgeError `unavailable` if it has no tree */
export function parseCommit(oid: Oid, data: Buffer): Commit {
  const headers = readHeaders(data);
  const treeOid = readOid(headers.fields.get("tree")?.[0], oid.length);
  if (treeOid === undefined) throw damaged(oid);
  const signature = headers.fields.get(oid.length === 64 ? "gpgsig-sha256" : "gpgsig")?.[0];
  return {
    oid,
    treeOid,
    parentOids: (headers.fields.get("parent") ?? []).filter((parent) => readOid(parent, oid.length) !== undefined),
    author: parseSignature(headers.first("author")),
    committer: parseSignature(headers.first("committer")),
    message: headers.decode(headers.body),
    signature: signature === undefined ? "" : headers.decode(`${signature}\n`),
    ...(signature === undefined ? unsigned : headers.signed(headers.unsigned())),
  };
}

const tagSignature = /^-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SSH SIGNATURE|SIGNED MESSAGE)-----$/gm;
const objectTypes: ReadonlySet<string> = new Set<ObjectType>(["commit", "tree", "blob", "tag"]);

/** @throws ForgeError `unavailable` if it has no target */
export function parseTag(oid: Oid, data: Buffer): Tag {
  const headers = readHeaders(data);
  const targetOid = readOid(headers.fields.get("object")?.[0], oid.length);
  const targetType = headers.fields.get("type")?.[0] ?? "";
  if (targetOid === undefined || !objectTypes.has(targetType)) throw damaged(oid);
  // As in git, the last line that matches a signature header starts the signature.
  const start = [...headers.body.matchAll(tagSignature)].at(-1)?.index;
  const tagger = headers.first("tagger");
  const whole = headers.unsigned();
  return {
    oid,
    targetOid,
    targetType: targetType as ObjectType,
    name: headers.first("tag"),
    tagger: tagger === "" ? undefined : parseSignature(tagger),
    message: headers.decode(headers.body.slice(0, start)),
    signature: start === undefined ? "" : headers.decode(headers.body.slice(start)),
    ...(start === undefined ? unsigned : headers.signed(whole.slice(0, whole.length - (headers.body.length - start)))),
  };
}

/** @throws ForgeError `unavailable` if it is truncated */
export function parseTree(oid: Oid, data: Buffer): readonly TreeEntry[] {
  const entries: TreeEntry[] = [];
  readEntries(oid, data, { from: 0, to: data.length, entries });
  return entries;
}

/** Trees up to this size, about 7,000 entries, are parsed in one turn of the event loop. */
const turnBytes = 256 * 1024;

/** As {@link parseTree}, with turns of the event loop between the parts of a large tree. */
export async function parseTreeInTurns(oid: Oid, data: Buffer): Promise<readonly TreeEntry[]> {
  const entries: TreeEntry[] = [];
  let position = 0;
  for (;;) {
    position = readEntries(oid, data, { from: position, to: position + turnBytes, entries });
    if (position >= data.length) return entries;
    await setImmediate();
  }
}

interface TreePart {
  readonly from: number;
  /** The last entry begins before this position. */
  readonly to: number;
  /** Receives the entries. */
  readonly entries: TreeEntry[];
}

/** @returns the position after the last entry */
function readEntries(oid: Oid, data: Buffer, { from, to, entries }: TreePart): number {
  const idLength = oidBytes(formatOfOid(oid));
  const last = Math.min(to, data.length);
  let position = from;
  while (position < last) {
    let mode = 0;
    let byte = data[position++];
    while (byte !== undefined && byte >= 0x30 && byte <= 0x37) {
      mode = mode * 8 + byte - 0x30;
      byte = data[position++];
    }
    if (byte !== 0x20) throw damaged(oid);
    const start = position;
    let bits = 0;
    for (byte = data[position]; byte !== 0 && byte !== undefined; byte = data[++position]) bits |= byte;
    const end = position;
    position += 1 + idLength;
    if (position > data.length) throw damaged(oid);
    const name = bits < 0x80 ? data.toString("latin1", start, end) : decodeName(data.subarray(start, end));
    entries.push({ mode: canonicalMode(mode), name, oid: data.toString("hex", end + 1, position) });
  }
  return position;
}

/** Old programs wrote modes such as 100664; git maps them to one of five. */
function canonicalMode(mode: number): FileMode {
  switch (mode & 0o170000) {
    case 0o040000:
      return "040000";
    case 0o100000:
      return mode & 0o100 ? "100755" : "100644";
    case 0o120000:
      return "120000";
    default:
      return "160000";
  }
}

function damaged(oid: Oid) {
  return unavailable("an object of the repository is damaged", { meta: { reason: "damaged_object", oid } });
}
