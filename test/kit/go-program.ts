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
/** A fresh machine spends a minute of CPU time on a build, and tests use little of the programs: a build without optimization takes a third less. */
const quickBuild = ["-gcflags=all=-N -l -dwarf=false", "-ldflags=-s -w"];

export interface GoProgram {
  /** Why the tests that need it are skipped; undefined if they are not. */
  readonly missing: string | undefined;
  /** @returns its path. Takes minutes for the first call on a machine */
  ensure(): Promise<string>;
}

/** @param source a folder of this repository with the source, `go.mod` and `go.sum` */
export function goProgram(name: string, source: string): GoProgram {
  const hash = createHash("sha256");
  for (const file of readdirSync(source).sort()) hash.update(`${file}\n`).update(readFileSync(join(source, file)));
  const programs = join(folder, name);
  const program = join(programs, hash.digest("hex").slice(0, 16));
  return {
    missing: existsSync(program) || goCommand !== undefined ? undefined : "skipped: this machine has no go",
    async ensure() {
      if (existsSync(program)) return program;
      mkdirSync(programs, { recursive: true });
      const target = mkdtempSync(join(programs, "tmp_"));
      const built = join(target, name);
      try {
        const cwd = join(target, "source");
        cpSync(source, cwd, { recursive: true });
        const env = { ...process.env, HOME: userInfo().homedir, GOFLAGS: "-mod=mod" };
        await promisify(execFile)(goCommand ?? "go", ["build", ...quickBuild, "-o", built, "."], { env, cwd, timeout: buildMs });
        renameSync(built, program);
      } finally {
        rmSync(target, { recursive: true, force: true });
      }
      return program;
    },
  };
}
