import { afterAll, beforeAll, expect, test } from "vitest";
import { type ClientRepository, createClient } from "../../../test/kit/git.ts";
import { isDotGitmodules, isWritablePath } from "./path-rules.ts";

let client: ClientRepository;
let oid: string;
beforeAll(() => {
  client = createClient();
  client.git("config", "core.protectHFS", "true");
  client.git("config", "core.protectNTFS", "true");
  oid = client.pipe("x", "hash-object", "-w", "--stdin").toString().trim();
});
afterAll(() => client.remove());

/** Whether git's own index accepts the path. */
function gitTakes(path: string, mode: string): boolean {
  try {
    client.pipe(`${mode} ${oid}\t${path}\0`, "update-index", "-z", "--index-info");
  } catch {
    return false;
  }
  return path !== "" && client.pipe("", "ls-files", "-z").toString().split("\0").includes(path);
}

const plain = [
  "a",
  "a/b/c",
  ".a",
  "..a",
  "a..",
  "...",
  "ä/ü",
  "a b",
  " a",
  "-a",
  "--output=x",
  "git",
  "git~2",
  "git~",
  ".gitignore",
  ".git.d",
  "x.git",
  ".gi",
  ".ǵit",
  "C:",
  "a:b",
  "a\\b",
  "con",
  "a.",
];
const dotGit = [
  ".git",
  ".GIT",
  ".Git/config",
  "a/.git/b",
  "a/.git",
  ".git ",
  ".git.",
  ".git. .",
  ".git::$INDEX_ALLOCATION",
  ".git:x",
  "git~1",
  "GIT~1/x",
  "git~1.",
  "a\\.git",
  ".git\\x",
  "a\\git~1\\b",
];
const hfs = [".g\u200cit", ".gi\u200dt", "\ufeff.git", ".git\u200e", ".\u202agit", ".g\u206fI\u200cT"];
const shaped = ["", "/", "/a", "a/", "a//b", ".", "..", "a/./b", "a/../b", "../a", "a/.."];

test("paths are accepted and rejected as git does", () => {
  const wrong: string[] = [];
  for (const path of [...plain, ...dotGit, ...hfs, ...shaped]) if (isWritablePath(path, "100644") !== gitTakes(path, "100644")) wrong.push(path);
  expect(wrong).toEqual([]);
  expect(plain.filter((path) => !isWritablePath(path, "100644"))).toEqual([]);
  expect([...dotGit, ...hfs, ...shaped].filter((path) => isWritablePath(path, "100644"))).toEqual([]);
});

test("a symbolic link must not be named .gitmodules or an NTFS or HFS+ equivalent", () => {
  const modules = [
    ".gitmodules",
    ".GitModules",
    ".gitmodules ",
    ".gitmodules.:x",
    "gitmod~1",
    "GITMOD~4",
    "gi7eba~1",
    "gi7eb~12",
    "g~123456",
    ".gitmodule\u200cs",
  ];
  const others = ["gitmodules", ".gitmodules2", "gitmod~5", "gitmod~0", "gi7eba~0", "gi7ebb~1", "gi7eba~12", "~12345"];
  expect(modules.filter((path) => !isDotGitmodules(path))).toEqual([]);
  expect(others.filter(isDotGitmodules)).toEqual([]);
  const wrong = [...modules, ...others].filter((path) => isWritablePath(path, "120000") !== gitTakes(path, "120000"));
  expect(wrong).toEqual([]);
  expect(modules.every((path) => isWritablePath(path, "100644"))).toBe(true);
});

test("unusable paths that git accepts are rejected too", () => {
  const refused = ["a\nb", "a\tb", "\x7f", "a\0b", "a/\x1b[0m", "\ud800", "x".repeat(256), `${"ü".repeat(128)}`, Array(25).fill("y".repeat(200)).join("/")];
  expect(refused.filter((path) => isWritablePath(path, "100644"))).toEqual([]);
  // An escaped raw byte, and one that hides a character ignored by HFS+.
  expect(isWritablePath("\u{10feff}", "100644")).toBe(true);
  expect(isWritablePath(".g\u{10fee2}\u{10fe80}\u{10fe8c}it", "100644")).toBe(false);
  expect(isWritablePath("x".repeat(255), "100644")).toBe(true);
});
