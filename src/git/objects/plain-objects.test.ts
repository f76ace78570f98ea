import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rawPack } from "../../../test/kit/git.ts";
import { seededRandom } from "../../../test/kit/random.ts";
import type { ObjectType } from "../types.ts";
import { hashObject } from "./hash.ts";
import { findPlain, isPlainAttributes } from "./plain-objects.ts";

/** Compares with git itself: `git index-pack` with all of its rules, three more than a push has to satisfy. */

let repository: string;
beforeAll(() => {
  repository = mkdtempSync(join(tmpdir(), "hearth-fsck-"));
  spawnSync("git", ["init", "-q", "--bare", repository]);
});
afterAll(() => rmSync(repository, { recursive: true, force: true }));

interface Sample {
  readonly type: ObjectType;
  readonly data: Buffer;
}

const numbers: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 };

/** Git's complaints about the objects, empty if it accepts them. Referenced objects need not exist. */
function checkWithGit(samples: readonly Sample[]): string {
  const pack = rawPack(samples.map(({ type, data }) => ({ type: numbers[type], data })));
  const { status, stderr } = spawnSync("git", ["index-pack", "--stdin", "--fsck-objects"], { cwd: repository, input: pack, encoding: "utf8" });
  return status === 0 ? "" : stderr;
}

const isPlain = ({ type, data }: Sample): boolean => findPlain({ oid: "", type, data }, "sha1") !== undefined;

const emptyBlob = hashObject("sha1", "blob", Buffer.alloc(0));
const aTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const ann = "Ann <ann@example.com> 1700000000 +0100";
const commitLines = [`tree ${aTree}`, `parent ${"1".repeat(40)}`, `author ${ann}`, `committer ${ann}`, "", "A change", ""];
const tagLines = [`object ${"1".repeat(40)}`, "type commit", "tag v1.0", `tagger ${ann}`, "", "A version", ""];

const commit = (lines: readonly string[]): Sample => ({ type: "commit", data: Buffer.from(lines.join("\n"), "latin1") });
const tag = (lines: readonly string[]): Sample => ({ type: "tag", data: Buffer.from(lines.join("\n"), "latin1") });
/** The lines with one of them replaced, or removed. */
const withLine = (lines: readonly string[], at: number, line?: string): string[] => lines.toSpliced(at, 1, ...(line === undefined ? [] : [line]));
type Entry = readonly [mode: string, name: string, oid?: string];
const tree = (...entries: readonly Entry[]): Sample => ({
  type: "tree",
  data: Buffer.concat(entries.map(([mode, name, oid = emptyBlob]) => Buffer.concat([Buffer.from(`${mode} ${name}\0`, "latin1"), Buffer.from(oid, "hex")]))),
});
const utf8 = (name: string): string => Buffer.from(name).toString("latin1");
const author = (person: string): Sample => commit(withLine(commitLines, 2, `author ${person}`));

describe("an object that git rejects is not plain", () => {
  test.each<[rule: string, Sample]>([
    ["nulInHeader", commit(withLine(commitLines, 2, "author A\0nn <ann@example.com> 1700000000 +0100"))],
    ["unterminatedHeader", commit([...commitLines.slice(0, 3), "committer"])],
    ["nulInCommit", commit([...commitLines, "a\0b"])],
    ["invalid commit", commit(withLine(commitLines, 0))],
    ["invalid commit", commit(withLine(commitLines, 0, "tree 123"))],
    ["invalid commit", commit(withLine(commitLines, 1, "parent 123"))],
    ["missingAuthor", commit(withLine(commitLines, 2))],
    ["multipleAuthors", commit(withLine(commitLines, 2, `author ${ann}\nauthor ${ann}`))],
    ["missingCommitter", commit(withLine(commitLines, 3))],
    ["missingNameBeforeEmail", author("<ann@example.com> 1700000000 +0100")],
    ["badName", author("Ann> <ann@example.com> 1700000000 +0100")],
    ["missingEmail", author("Ann 1700000000 +0100")],
    ["missingSpaceBeforeEmail", author("Ann<ann@example.com> 1700000000 +0100")],
    ["badEmail", author("Ann <ann@example.com 1700000000 +0100")],
    ["badEmail", author("Ann <ann<@example.com> 1700000000 +0100")],
    ["zeroPaddedDate", author("Ann <ann@example.com> 01700000000 +0100")],
    ["badDateOverflow", author("Ann <ann@example.com> 18446744073709551615 +0100")],
    ["badDate", author("Ann <ann@example.com> now +0100")],
    ["badDate", author("Ann <ann@example.com> 1700000000")],
    ["invalid tag", tag(withLine(tagLines, 0))],
    ["invalid tag", tag(withLine(tagLines, 0, "object 123"))],
    ["invalid tag", tag(withLine(tagLines, 1))],
    ["invalid tag", tag(withLine(tagLines, 1, "type thing"))],
    ["invalid tag", tag(withLine(tagLines, 2))],
    ["missingEmail", tag(withLine(tagLines, 3, "tagger Ann 1700000000 +0100"))],
    ["badDate", tag(withLine(tagLines, 3, "tagger Ann <ann@example.com> x +0100"))],
    ["badTree", { type: "tree", data: Buffer.from("100644 a\x0a3") }],
    ["badTree", { type: "tree", data: Buffer.from("100644") }],
    ["treeNotSorted", tree(["100644", "b"], ["100644", "a"])],
    ["treeNotSorted", tree(["40000", "a"], ["100644", "a.b"])],
    ["duplicateEntries", tree(["100644", "a"], ["100644", "a"])],
    ["duplicateEntries", tree(["100644", "a"], ["100644", "a.b"], ["40000", "a"])],
    ["nullSha1", tree(["100644", "a", "0".repeat(40)])],
    ["nullSha1", tree(["160000", "a", "0".repeat(40)])],
    ["fullPathname", tree(["100644", "a/b"])],
    ["hasDot", tree(["100644", "."])],
    ["hasDotdot", tree(["40000", ".."])],
    ...[".git", ".GIT", ".Git ", ".git.", ".git. .", "git~1", "GIT~1", ".git:stream", ".git\\x", "a\\.git\\x", "a\\git~1"].map((name): [string, Sample] => [
      "hasDotgit",
      tree(["100644", name]),
    ]),
    ...[".g\u200cit", "\u200e.git", ".git\ufeff", ".\u206aGIT"].map((name): [string, Sample] => ["hasDotgit", tree(["40000", utf8(name)])]),
    ...[".gitmodules", ".GITMODULES", ".gitmodules ", ".gitmodules:x", "gitmod~1", "GI7EBA~1", utf8(".git\u200dmodules")].map((name): [string, Sample] => [
      "gitmodulesSymlink",
      tree(["120000", name]),
    ]),
    ["gitmodulesBlob", tree(["40000", ".gitmodules", aTree])],
  ])("%s", (rule, sample) => {
    const others: Sample[] = [
      { type: "blob", data: Buffer.alloc(0) },
      { type: "tree", data: Buffer.alloc(0) },
    ];
    expect(checkWithGit([...others, sample])).toContain(rule);
    expect(isPlain(sample)).toBe(false);
  });

  test("overlong lines of attributes are not plain", () => {
    for (const length of [2046, 2047, 2048, 5000]) {
      const attributes = Buffer.from(`*.c text\n${"x".repeat(length)}\n*.h text\n`);
      const holder = tree(["100644", ".gitattributes", hashObject("sha1", "blob", attributes)]);
      const output = checkWithGit([{ type: "blob", data: attributes }, holder]);
      expect(findPlain({ oid: "", ...holder }, "sha1")?.attributeOids).toEqual([hashObject("sha1", "blob", attributes)]);
      expect(isPlainAttributes(attributes)).toBe(output === "");
    }
    expect(isPlainAttributes(Buffer.alloc(0))).toBe(true);
    expect(isPlainAttributes(Buffer.alloc(70_000, "x\n"))).toBe(false);
  });
});

test("ordinary objects are plain", () => {
  const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQEzBAAB\n -----END PGP SIGNATURE-----";
  const plain: Sample[] = [
    commit(commitLines),
    commit(withLine(commitLines, 1)),
    commit(withLine(commitLines, 1, `parent ${"1".repeat(40)}\nparent ${"2".repeat(40)}`)),
    commit(withLine(commitLines, 3, `committer ${ann}\n${signature}`)),
    commit(withLine(commitLines, 3, `committer ${ann}\nencoding ISO-8859-1`)),
    commit(commitLines.slice(0, 5).concat("")),
    author(`${utf8("Jürgen Ångström")} <> 0 -0000`),
    tag(tagLines),
    tag([...tagLines, "-----BEGIN SSH SIGNATURE-----", "x", "-----END SSH SIGNATURE-----", ""]),
    { type: "blob", data: Buffer.from("text ünd Umlaute\n") },
    { type: "blob", data: Buffer.alloc(0) },
    tree(),
    tree(["100644", ".github"], ["100644", ".gitignore"], ["100644", ".npmrc"], ["100644", "a b"], ["40000", "a", aTree], ["100644", utf8("ä")]),
    tree(["160000", "module", "1".repeat(40)], ["120000", "symlink"], ["100755", "tool"]),
  ];
  expect(plain.filter((sample) => !isPlain(sample)).map(({ data }) => data.toString())).toEqual([]);
  expect(checkWithGit(plain)).toBe("");
});

test("an object that could hide a SHA-1 collision is left to git's collision detection", () => {
  for (const data of [Buffer.from([0xff, 0xfe, 1, 2]), Buffer.from("a\0b")]) {
    expect(isPlain({ type: "blob", data })).toBe(false);
    expect(findPlain({ oid: "", type: "blob", data }, "sha256")).toBeDefined();
  }
  expect(isPlain(commit([...commitLines, "\xff"]))).toBe(false);
});

const pieces = ["\0", "\n", "<", ">", " ", "\t", "0", "9", "-", "+", "\x80", "\n\n", "author ", "parent ", "encoding x\n", "gpgsig a\n b\n", "tag "];
const modes = ["100644", "100755", "120000", "40000", "160000", "100664", "0100644", "100600", "0", "170000"];
const names = [
  ...[
    "a",
    "b",
    "a.b",
    "a-b",
    "ab",
    "A",
    "a b",
    "foo",
    "foo.bar",
    "...",
    ".x",
    "~",
    "git",
    "gita",
    "git~2",
    ".gita",
    ".gi",
    "x.git",
    "aux",
    "con",
    "a:b",
    "\x01",
  ],
  ...["", ".", "..", ".git", ".GIT", "git~1", ".git ", "a/b", "a\\b", ".gitmodules", ".gitattributes", ".gitignore", ".mailmap", "gitmod~1", "gi7eba~1"],
  ...["ä", ".g\u200cit", "\u200c.git", "g\u200cit~1", ".gitmod\u200cules", "\u{10fe80}", "é", "zü"].map(utf8),
  ...["\xff", ".\xff", "\xc3", ".git\xff"],
];

test("git accepts every random object that is found to be plain", () => {
  const random = seededRandom(20_240_131);
  const pick = <T>(from: readonly T[]): T => from[random(from.length)] as T;
  const attributes = Buffer.from("*.c text\n");
  const oids = [emptyBlob, hashObject("sha1", "blob", attributes), "1".repeat(40), "0".repeat(40)];
  const changedText = (lines: readonly string[]): string => {
    let text = lines.join("\n");
    for (let changes = random(3); changes >= 0; changes--) {
      const at = random(text.length);
      text = text.slice(0, at) + (random(2) === 0 ? pick(pieces) : "") + text.slice(at + random(3));
    }
    return text;
  };
  const anyTree = (): Sample => {
    const entries = Array.from({ length: random(5) }, (): Entry => [modes[random(random(3) === 0 ? modes.length : 5)] ?? "", pick(names), pick(oids)]);
    const key = ([mode, name]: Entry): string => (mode === "40000" ? `${name}/` : name);
    return tree(...(random(4) === 0 ? entries : entries.sort((a, b) => (key(a) < key(b) ? -1 : 1))));
  };
  const samples = new Map<string, Sample>();
  const found: Record<ObjectType, number> = { commit: 0, tag: 0, tree: 0, blob: 0 };
  for (let round = 0; round < 6_000; round++) {
    for (const sample of [commit([changedText(commitLines)]), tag([changedText(tagLines)]), anyTree()]) {
      if (!isPlain(sample)) continue;
      // Attribute files are checked separately.
      const { attributeOids } = findPlain({ oid: "", ...sample }, "sha1") ?? { attributeOids: [] };
      if (attributeOids.some((oid) => oid !== oids[1])) continue;
      samples.set(hashObject("sha1", sample.type, sample.data), sample);
      found[sample.type] += 1;
    }
  }
  expect(Math.min(found.commit, found.tag, found.tree)).toBeGreaterThan(300);
  expect(checkWithGit([{ type: "blob", data: attributes }, ...samples.values()])).toBe("");
});
