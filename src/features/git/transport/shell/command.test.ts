import { describe, expect, test } from "vitest";
import { parseCommand } from "./command.ts";

const git = (service: string, owner: string, repo: string) => ({ kind: "git", service, address: { owner, repo } });

describe("SSH commands", () => {
  test.each([
    ["git-upload-pack 'alice/demo.git'", git("git-upload-pack", "alice", "demo.git")],
    ["git-upload-pack '/alice/demo.git'", git("git-upload-pack", "alice", "demo.git")],
    ["git-upload-pack '/alice/demo'", git("git-upload-pack", "alice", "demo")],
    ["git-receive-pack 'alice/demo.git/'", git("git-receive-pack", "alice", "demo.git")],
    ["git upload-pack 'alice/demo'", git("git-upload-pack", "alice", "demo")],
    ['git-receive-pack "a-b_c.d/x.y-z"', git("git-receive-pack", "a-b_c.d", "x.y-z")],
    ["git-upload-pack alice/demo.git", git("git-upload-pack", "alice", "demo.git")],
    ["git-upload-pack '0/.hidden'", git("git-upload-pack", "0", ".hidden")],
  ])("accepts %s", (text, command) => {
    expect(parseCommand(text)).toEqual(command);
  });

  test.each(["git-lfs-authenticate alice/demo.git upload", "git-lfs-authenticate '/alice/demo.git' upload"])("accepts %s", (text) => {
    expect(parseCommand(text)).toEqual({ kind: "lfs", operation: "upload", address: { owner: "alice", repo: "demo.git" } });
  });

  test.each(["git-upload-archive 'alice/demo.git'", "git upload-archive alice/demo.git"])("accepts %s", (text) => {
    expect(parseCommand(text)).toEqual({ kind: "archive", address: { owner: "alice", repo: "demo.git" } });
  });

  test("rejects a request for a shell", () => {
    expect([parseCommand(undefined), parseCommand("")]).toEqual([{ kind: "shell" }, { kind: "shell" }]);
  });

  test.each([
    "git-upload-pack",
    "git-upload-pack ''",
    "git-upload-pack 'demo.git'",
    "git-upload-pack 'a/b/c'",
    "git-upload-pack '../../x'",
    "git-upload-pack 'a/..'",
    "git-upload-pack '../b'",
    "git-upload-pack '~/a/b'",
    "git-upload-pack --x 'o/r'",
    "git-upload-pack '--upload-pack=touch /tmp/x'",
    "git-upload-pack '-o/r'",
    "git-upload-pack 'o/r';id",
    "git-upload-pack 'o/r' 'o/s'",
    "git-upload-pack 'o/r'\nid",
    "git-upload-pack 'o/r\0'",
    "git-upload-pack 'o/$(id)'",
    "git-upload-pack 'o/r\\'",
    "git-upload-pack o/r; id",
    " git-upload-pack 'o/r'",
    "GIT_DIR=/ git-upload-pack 'o/r'",
    "/usr/bin/git-upload-pack 'o/r'",
    "git-upload-archive",
    "git-upload-archive --list 'o/r'",
    "git-upload-archive 'o/r' HEAD",
    "git-shell",
    "sh -c id",
    "scp -t /tmp",
    "git-lfs-authenticate o/r badverb",
    "git-lfs-authenticate o/r",
    "git-lfs-authenticate ../../x download",
    "git-lfs-authenticate o/r download upload",
    "git-lfs-transfer o/r download",
    "git-upload-pack 'o/\u0440'",
    `git-upload-pack '${"a".repeat(4_000)}'`,
  ])("rejects %j without repeating it", (text) => {
    const parsed = parseCommand(text);
    expect(parsed).toEqual({ refusal: expect.stringMatching(/^(This server runs|Invalid repository path)/) });
    if (text.length > 20) expect(JSON.stringify(parsed)).not.toContain(text.slice(16));
  });
});
