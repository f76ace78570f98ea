import { describe, expect, test } from "vitest";
import { commandLine, type GitCommand, isOid } from "./commands.ts";

const oid = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

describe("a command line", () => {
  test("has the name, arguments, flags, revisions after --end-of-options and paths after --", () => {
    const line = commandLine({
      name: "log",
      flags: { "-z": true, "--max-count": 5, "--format": "%H %s" },
      revisions: [oid, `^${oid}`],
      paths: ["--output=x", ":(top)a"],
    });
    expect(line).toEqual(["log", "-z", "--max-count=5", "--format=%H %s", "--end-of-options", oid, `^${oid}`, "--", "--output=x", ":(top)a"]);
    expect(commandLine({ name: "commit-graph", words: ["write"], flags: { "--split": true, "--changed-paths": true } })).toEqual([
      "commit-graph",
      "write",
      "--split",
      "--changed-paths",
    ]);
    expect(commandLine({ name: "repack", flags: { "-d": true, "-a": false, "--geometric": 2, "-q": undefined } })).toEqual(["repack", "-d", "--geometric=2"]);
  });

  const refused: Readonly<Record<string, unknown>> = {
    "a name as a revision": { name: "log", revisions: ["main"] },
    "an option as a revision": { name: "log", revisions: ["--output=/tmp/x"] },
    "a revision with a path": { name: "log", revisions: [`${oid}:a`] },
    "an id with a line break": { name: "log", revisions: [`${oid}\n`] },
    "a flag that is not listed": { name: "log", flags: { "--output": "/tmp/x" } },
    "a flag of the prototype": { name: "log", flags: { constructor: true } },
    "a value for a switch": { name: "log", flags: { "-z": "x" } },
    "a text for a count": { name: "log", flags: { "--max-count": "1 --output=x" } },
    "a negative count": { name: "log", flags: { "--skip": -1 } },
    "a NUL in a text": { name: "log", flags: { "--format": "a\0b" } },
    "a NUL in a path": { name: "log", paths: ["a\0b"] },
    "a word that is not listed": { name: "commit-graph", words: ["--object-dir"] },
    "a choice that is not listed": { name: "archive", flags: { "--format": "rar" } },
  };
  test.each(Object.entries(refused))("rejects %s", (_, command) => {
    expect(() => commandLine(command as GitCommand)).toThrow(TypeError);
  });
});

test("an object id has exactly 40 or 64 lower-case hex digits", () => {
  expect([oid, "a".repeat(64)].map(isOid)).toEqual([true, true]);
  expect([oid.toUpperCase(), oid.slice(1), `${oid}\n`, "", "g".repeat(40), "a".repeat(50)].map(isOid)).toEqual([false, false, false, false, false, false]);
});
