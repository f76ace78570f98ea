import { isUtf8 } from "node:buffer";
import type { GitObject, ObjectFormat, Oid } from "../types.ts";
import { oidBytes } from "./hash.ts";
import { isValidRefName } from "./ref-names.ts";

/**
 * Recognizes ordinary objects that pass git's consistency check (git-fsck, "FSCK MESSAGES"), so that they need no process.
 * This check never rejects: any unusual object is left to git, which knows all the rules.
 */

export interface PlainObject {
  /** Blobs that git reads as attributes; they also have to pass {@link isPlainAttributes}. */
  readonly attributeOids: readonly Oid[];
}

const plain: PlainObject = { attributeOids: [] };

/** @returns undefined if git has to check the object */
export function findPlain(object: GitObject, format: ObjectFormat): PlainObject | undefined {
  if (object.type === "tree") return findPlainTree(object.data, format);
  if (!isBeyondCollision(object.data, format)) return undefined;
  if (object.type === "blob") return plain;
  const text = object.data.toString("utf8");
  return (object.type === "commit" ? isPlainCommit(text, format) : isPlainTag(text, format)) ? plain : undefined;
}

/**
 * Git detects crafted SHA-1 collisions while hashing; Node.js does not. Colliding blocks look random, so text cannot contain them.
 * (Ids in trees are safe too: the objects that they name have to exist.)
 */
const isBeyondCollision = (data: Buffer, format: ObjectFormat): boolean => format === "sha256" || (isUtf8(data) && !data.includes(0));

const person = "[^<>\\n ][^<>\\n]* <[^<>\\n]*> (?:0|[1-9][0-9]{0,9}) [+-][0-9]{4}";

const commitHeaders = bothFormats(
  (oid) =>
    `tree ${oid}\\n(?:parent ${oid}\\n)*author ${person}\\ncommitter ${person}\\n(?:(?:encoding|gpgsig|gpgsig-sha256|mergetag) [^\\n]*\\n(?: [^\\n]*\\n)*)*\\n`,
);
const tagHeaders = bothFormats((oid) => `object ${oid}\\ntype (?:commit|tree|blob|tag)\\ntag ([^\\n]+)\\ntagger ${person}\\n\\n`);

function bothFormats(pattern: (oid: string) => string): Readonly<Record<ObjectFormat, RegExp>> {
  return { sha1: new RegExp(`^${pattern("[0-9a-f]{40}")}`), sha256: new RegExp(`^${pattern("[0-9a-f]{64}")}`) };
}

const isPlainCommit = (text: string, format: ObjectFormat): boolean => commitHeaders[format].test(text) && !text.includes("\0");

function isPlainTag(text: string, format: ObjectFormat): boolean {
  const name = tagHeaders[format].exec(text)?.[1];
  return name !== undefined && isValidRefName(`refs/tags/${name}`) && !text.includes("\0");
}

const modes = new Set(["100644", "100755", "120000", "40000", "160000"]);
const space = 0x20;

function findPlainTree(data: Buffer, format: ObjectFormat): PlainObject | undefined {
  const attributeOids: Oid[] = [];
  const names = new Set<string>();
  let last = "";
  for (let at = 0; at < data.length; ) {
    const nameAt = data.indexOf(space, at) + 1;
    const oidAt = data.indexOf(0, nameAt) + 1;
    const end = oidAt + oidBytes(format);
    if (nameAt === 0 || oidAt === 0 || end > data.length) return undefined;
    const mode = data.toString("latin1", at, nameAt - 1);
    const name = data.toString("latin1", nameAt, oidAt - 1);
    // Git's byte order, a directory as if its name ended in a slash. The same name as file and as directory may be far apart.
    const sorted = mode === "40000" ? `${name}/` : name;
    if (!modes.has(mode) || names.has(name) || sorted <= last || !isPlainName(name) || isZero(data, oidAt, end)) return undefined;
    if (name.startsWith(".") && mode === "120000") return undefined;
    if (name === ".gitattributes") attributeOids.push(data.toString("hex", oidAt, end));
    names.add(name);
    last = sorted;
    at = end;
  }
  return attributeOids.length === 0 ? plain : { attributeOids };
}

const componentBytes = 255;
/** Common names. Some other names with this prefix are treated as `.git` or `.gitmodules` by some file systems. */
const usualDotGit = new Set([".gitignore", ".gitattributes", ".gitkeep", ".github", ".gitea", ".gitlab", ".gitlab-ci.yml"]);
/** NTFS short names contain `~`, NTFS paths `\`. */
const unusual = /[\x00-\x1f\x7f/\\~]/;
const beyondAscii = /[\x80-\xff]/;
/** HFS+ ignores some characters, so the rest may begin with a dot. */
const hiddenDot = /^[\x80-\xff]*\./;

/** @param name decoded as latin1 */
function isPlainName(name: string): boolean {
  if (name.length === 0 || name.length > componentBytes || unusual.test(name)) return false;
  if (beyondAscii.test(name)) return !hiddenDot.test(name) && isUtf8(Buffer.from(name, "latin1"));
  if (!name.startsWith(".")) return true;
  return name !== "." && name !== ".." && (!name.toLowerCase().startsWith(".git") || usualDotGit.has(name));
}

function isZero(data: Buffer, from: number, end: number): boolean {
  for (let at = from; at < end; at++) if (data[at] !== 0) return false;
  return true;
}

/** Attribute files up to this size are checked here; larger ones are left to git. */
export const attributesBytes = 64 * 1024;
/** Git rejects lines of attributes of this length or longer. */
const attributeLineBytes = 2048;

export function isPlainAttributes(data: Buffer): boolean {
  if (data.length > attributesBytes) return false;
  for (let at = 0; at < data.length; ) {
    const newline = data.indexOf(0x0a, at);
    const end = newline === -1 ? data.length : newline;
    if (end - at >= attributeLineBytes) return false;
    at = end + 1;
  }
  return true;
}
