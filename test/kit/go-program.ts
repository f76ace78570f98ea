import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

/** Programs in Go that tests need. They are built by the first run on a machine, outside of the checkout, so that later runs find them. */
const folder = join(userInfo().homedir, ".cache", "hearth");
const buildMs = 900_000;
const goCommand = ["/usr/local/go/bin", ...(process.env.PATH ?? "").split(delimiter)].map((path) => join(path, "go")).find((path) => existsSync(path));

export interface GoProgram {
  /** Why the tests that need it are skipped; undefined if they are not. */
  readonly missing: string | undefined;
  /** @returns its path. Takes minutes for the first call on a machine */
  ensure(): Promise<string>;
}

/** Builds into `target`, which has to contain `name` afterwards. */
type Build = (go: (words: readonly string[], cwd?: string) => Promise<void>, target: string) => Promise<void>;

function goProgram(name: string, version: string, build: Build): GoProgram {
  const programs = join(folder, name);
  const program = join(programs, version);
  return {
    missing: existsSync(program) || goCommand !== undefined ? undefined : "skipped: this machine has no go",
    async ensure() {
      if (existsSync(program)) return program;
      mkdirSync(programs, { recursive: true });
      const target = mkdtempSync(join(programs, "tmp_"));
      const env = { ...process.env, HOME: userInfo().homedir, GOBIN: target, GOFLAGS: "-mod=mod" };
      try {
        await build(async (words, cwd) => void (await promisify(execFile)(goCommand ?? "go", [...words], { env, cwd, timeout: buildMs })), target);
        renameSync(join(target, name), program);
      } finally {
        rmSync(target, { recursive: true, force: true });
      }
      return program;
    },
  };
}

/** A fresh machine spends minutes of CPU time on a build, and tests use little of the programs: a build without optimization takes a third less. */
const quickBuild = ["-gcflags=all=-N -l", "-ldflags=-s -w"];

/** A command of a published module. */
export const goModule = (name: string, path: string, version: string): GoProgram =>
  goProgram(name, version, (go) => go(["install", ...quickBuild, `${path}@${version}`]));

/** A program whose source is in a folder of this repository, with its `go.mod` and `go.sum`. */
export function goSource(name: string, source: string): GoProgram {
  const hash = createHash("sha256");
  for (const file of readdirSync(source).sort()) hash.update(`${file}\n`).update(readFileSync(join(source, file)));
  return goProgram(name, hash.digest("hex").slice(0, 16), async (go, target) => {
    const copy = join(target, "source");
    cpSync(source, copy, { recursive: true });
    await go(["build", "-o", join(target, name), "."], copy);
  });
}
