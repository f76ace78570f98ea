import { invalid } from "../../core/errors.ts";
import type { GitObject, ObjectFormat, ObjectType, Oid, Signature, TreeEntry } from "../types.ts";
import { newObject, oidBytes } from "./hash.ts";
import { compareTreeNames, encodeName } from "./names.ts";

/** Builds new objects, not stored yet, byte for byte as git writes them. */

export interface NewCommit {
  readonly treeOid: Oid;
  readonly parentOids: readonly Oid[];
  readonly author: Signature;
  readonly committer: Signature;
  /** A missing final newline is added. */
  readonly message: string;
  /** No newline is added. */
  readonly isVerbatim?: true;
}

export interface NewTag {
  readonly targetOid: Oid;
  readonly targetType: ObjectType;
  readonly name: string;
  readonly tagger: Signature;
  readonly message: string;
}

/** Signs the bytes of a commit or tag. Returns the armored signature, with newline-terminated lines. */
export type SignObject = (data: Buffer) => string;

/**
 * @param sign undefined: the commit is not signed
 * @throws ForgeError `invalid` for a message with a NUL or a date before 1970
 */
export function newCommit(format: ObjectFormat, commit: NewCommit, sign?: SignObject): GitObject {
  const lines = [
    `tree ${commit.treeOid}`,
    ...commit.parentOids.map((oid) => `parent ${oid}`),
    `author ${formatSignature(commit.author)}`,
    `committer ${formatSignature(commit.committer)}`,
  ];
  const message = formatMessage(commit.message, commit.isVerbatim);
  const bytesOf = (headers: readonly string[]): Buffer => Buffer.from(`${headers.join("\n")}\n\n${message}`);
  const unsigned = bytesOf(lines);
  if (sign === undefined) return newObject(format, "commit", unsigned);
  const name = format === "sha256" ? "gpgsig-sha256" : "gpgsig";
  return newObject(format, "commit", bytesOf([...lines, `${name} ${sign(unsigned).trimEnd().replaceAll("\n", "\n ")}`]));
}

/** @throws ForgeError `invalid` as {@link newCommit} */
export function newTag(format: ObjectFormat, tag: NewTag, sign?: SignObject): GitObject {
  const lines = [`object ${tag.targetOid}`, `type ${tag.targetType}`, `tag ${tag.name}`, `tagger ${formatSignature(tag.tagger)}`];
  const unsigned = Buffer.from(`${lines.join("\n")}\n\n${formatMessage(tag.message)}`);
  return newObject(format, "tag", sign === undefined ? unsigned : Buffer.concat([unsigned, Buffer.from(sign(unsigned))]));
}

export function newBlob(format: ObjectFormat, data: Buffer): GitObject {
  return newObject(format, "blob", data);
}

/** The entries in any order, each name once. */
export function newTree(format: ObjectFormat, entries: Iterable<TreeEntry>): GitObject {
  const sorted = [...entries].sort((a, b) => compareTreeNames(a.name, a.mode === "040000", b.name, b.mode === "040000"));
  const names = sorted.map((entry) => encodeName(entry.name));
  const data = Buffer.alloc(sorted.reduce((size, { mode }, i) => size + modeOf(mode).length + 2 + (names[i]?.length ?? 0) + oidBytes(format), 0));
  let position = 0;
  for (const [i, { mode, oid }] of sorted.entries()) {
    position += data.write(`${modeOf(mode)} `, position, "latin1");
    position += names[i]?.copy(data, position) ?? 0;
    position += 1 + data.write(oid, position + 1, "hex");
  }
  return newObject(format, "tree", data);
}

/** The mode of a directory has five digits on disk. */
function modeOf(mode: TreeEntry["mode"]): string {
  return mode === "040000" ? "40000" : mode;
}

/** Characters that git strips from both ends of a name (ident.c). */
const crud = /^[\x00-\x20.,:;<>"\\']+|[\x00-\x20.,:;<>"\\']+$/g;
const unwritable = /[\x00\n\r<>]/g;

/** A name or email as allowed in a signature line: characters that would end it early are dropped, as git does. */
export function cleanIdentity(text: string): string {
  return text.toWellFormed().replace(crud, "").replace(unwritable, "");
}

function formatSignature(signature: Signature): string {
  const { seconds, offsetMinutes } = signature;
  if (!Number.isSafeInteger(seconds) || seconds < 0) throw invalid("the date is outside the range of a commit");
  const minutes = Math.abs(offsetMinutes);
  if (!Number.isInteger(minutes) || minutes >= 6000) throw invalid("the time zone is outside the range of a commit");
  const zone = `${offsetMinutes < 0 ? "-" : "+"}${pad(Math.floor(minutes / 60))}${pad(minutes % 60)}`;
  return `${cleanIdentity(signature.name)} <${cleanIdentity(signature.email)}> ${seconds} ${zone}`;
}

function pad(number: number): string {
  return String(number).padStart(2, "0");
}

function formatMessage(message: string, isVerbatim = false): string {
  if (message.includes("\0")) throw invalid("a message must not contain NUL");
  const text = message.toWellFormed();
  return isVerbatim || text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
