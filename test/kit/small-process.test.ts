import { statSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runProgram, runProgramSync } from "./small-process.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearth-programs-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const shell = (script: string, ...more: readonly string[]) => ({
  file: "sh",
  args: ["-c", script, "sh", ...more],
  cwd: folder,
  env: { PATH: process.env.PATH, WORD: "hello" },
});
const bytes = Buffer.from(Array.from({ length: 1_000_000 }, (_, at) => at % 256));

test("a program gets its folder, variables, arguments and input, and returns its output", async () => {
  const run = { ...shell('pwd; printf "%s %s\\n" "$WORD" "$1"; cat', "it's"), input: bytes };
  const expected = Buffer.concat([Buffer.from(`${folder}\nhello it's\n`), bytes]);
  expect(runProgramSync(run).equals(expected)).toBe(true);
  const { code, stdout } = await runProgram(run);
  expect([code, stdout.equals(expected)]).toEqual([0, true]);
});

test("a failed program returns its exit code or its signal, and its messages", async () => {
  const run = shell("echo out; echo problem >&2; exit 3");
  const { code, stdout, stderr } = await runProgram(run);
  expect([code, stdout.toString(), stderr.toString()]).toEqual([3, "out\n", "problem\n"]);
  let failure: unknown;
  try {
    runProgramSync(run);
  } catch (error) {
    failure = error;
  }
  expect(failure).toMatchObject({ status: 3, message: expect.stringContaining("problem") });
  expect(await runProgram(shell("kill -KILL $$"))).toMatchObject({ code: null, signal: "SIGKILL" });
  const missing = { ...run, file: "no-such-program" };
  await expect(runProgram(missing)).rejects.toThrow("ENOENT");
  expect(() => runProgramSync(missing)).toThrow("ENOENT");
});

test("programs run at the same time, and with the umask of the caller", async () => {
  const before = process.umask(0o077);
  try {
    // The first one waits for a file that the second one writes.
    const waiting = runProgram(shell("until [ -e ready ]; do sleep 0.01; done; cat ready"));
    await runProgram(shell("echo yes > part; mv part ready"));
    expect((await waiting).stdout.toString()).toBe("yes\n");
    expect(await readFile(join(folder, "ready"), "utf8")).toBe("yes\n");
    runProgramSync(shell("echo yes > second"));
    expect(["ready", "second"].map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600]);
  } finally {
    process.umask(before);
  }
});
