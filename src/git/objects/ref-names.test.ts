import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { isPushableRefName, isValidBranchName, isValidRefName, isValidTagName, parentRefNames } from "./ref-names.ts";

function gitTakes(name: string): boolean {
  try {
    execFileSync("git", ["check-ref-format", name], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const parts = [
  "a",
  "",
  ".",
  "..",
  ".a",
  "a.",
  "a..b",
  "a.lock",
  "a.lock.b",
  ".lock",
  "@",
  "@{",
  "a@{b",
  "{@",
  "~",
  "a^",
  "a:b",
  "a?b",
  "*",
  "[",
  "]",
  "a\\b",
  " ",
  "a b",
  "\t",
  "a\x7f",
  "ü",
  "-",
  "-a",
  "a\u0001",
  "\u00a0",
  "%",
  "'",
  "HEAD",
  "refs",
];

test("ref names are valid exactly if git check-ref-format accepts them", () => {
  const names = [
    ...parts.map((part) => `refs/heads/${part}`),
    ...parts.map((part) => `refs/tags/${part}/x`),
    ...parts.map((part) => `refs/${part}`),
    "refs",
    "refs/",
    "/refs/heads/a",
    "refs//a",
    "refs/heads/a/",
    "refs/heads",
  ];
  expect(names.filter((name) => isValidRefName(name) !== gitTakes(name))).toEqual([]);
  for (const name of ["heads/a", "HEAD", "FETCH_HEAD", "a"]) expect(isValidRefName(name)).toBe(false);
  for (const name of [
    "refs/heads/a\0b",
    "refs/heads/\ud800",
    `refs/heads/${"x".repeat(251)}`,
    `refs/heads/${"ü".repeat(126)}`,
    `refs/heads/${"a/".repeat(500)}b`,
  ]) {
    expect(isValidRefName(name)).toBe(false);
  }
  expect(isValidRefName(`refs/heads/${"x".repeat(250)}/${"y".repeat(250)}`)).toBe(true);
});

test("misleading names of branches and tags are rejected", () => {
  const misleading = ["HEAD", "-a", "--output=x", "@", "refs/heads/a", "a".repeat(40), "A".repeat(40), "0".repeat(64), "", "a b", "a/.b"];
  expect(misleading.filter((name) => isValidBranchName(name) || isValidTagName(name))).toEqual([]);
  const fine = ["main", "feature/x", "a-b", "v1.0", "head", "HEAD/x", "x/HEAD", "a".repeat(39), "ünïcode", "refs", "a@b", "日本", "x/-y"];
  expect(fine.filter((name) => !isValidBranchName(name) || !isValidTagName(name))).toEqual([]);
});

test("pushed branches and tags follow the forge's rules, and other refs git's", () => {
  expect(["refs/heads/a", "refs/tags/v1", "refs/notes/commits", "refs/stash", "refs/x/-y"].filter((name) => !isPushableRefName(name))).toEqual([]);
  expect(
    ["refs/heads/-a", "refs/tags/HEAD", `refs/heads/${"1".repeat(40)}`, "refs/heads", "refs/tags", "HEAD", "refs/notes/.a"].filter(isPushableRefName),
  ).toEqual([]);
});

test("a ref conflicts with refs named like its parents", () => {
  expect(parentRefNames("refs/heads/a/b/c")).toEqual(["refs/heads", "refs/heads/a", "refs/heads/a/b"]);
  expect(parentRefNames("refs/stash")).toEqual([]);
});
