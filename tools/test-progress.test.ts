import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { polling } from "../test/kit/polling.ts";
import { repositoryRoot } from "./repository.ts";
import { describeProgress, readProgress } from "./test-progress.ts";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "hearth-progress-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("a killed run leaves the files and tests that were running, and those that had ended", { timeout: 120_000 }, async () => {
  const folder = temporaryFolder();
  const record = join(folder, "progress.jsonl");
  symlinkSync(join(repositoryRoot, "node_modules"), join(folder, "node_modules"));
  const files = {
    "vitest.config.ts": `import { ProgressReporter } from ${JSON.stringify(join(repositoryRoot, "tools/test-progress.ts"))};
export default { test: { maxWorkers: 3, pool: "forks", reporters: [new ProgressReporter(${JSON.stringify(record)}, import.meta.dirname)] } };`,
    "quick.test.ts": `import { test } from "vitest"; test("ends", () => undefined);`,
    "stuck.test.ts": `import { describe, test } from "vitest"; describe("a lock", () => { test("is taken", () => undefined); test("is released", () => new Promise(() => undefined), 1e9); });`,
    "hook.test.ts": `import { beforeAll, test } from "vitest"; beforeAll(() => new Promise(() => undefined), 1e9); test("never starts", () => undefined);`,
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const child = spawn(process.execPath, [join(repositoryRoot, "node_modules/vitest/vitest.mjs"), "run"], { cwd: folder, stdio: "ignore", detached: true });
  const ended = once(child, "exit");
  const kill = (): unknown => child.pid !== undefined && child.exitCode === null && child.signalCode === null && process.kill(-child.pid, "SIGKILL");
  onTestFinished(async () => {
    kill();
    await ended;
  });
  const progress = () => {
    const { running, ended } = readProgress(record, Date.now());
    return { running: running.map(({ file, tests }) => ({ file, tests })).sort((a, b) => a.file.localeCompare(b.file)), ended: ended.map(({ file }) => file) };
  };
  const expected = {
    running: [
      { file: "hook.test.ts", tests: [] },
      { file: "stuck.test.ts", tests: ["a lock > is released"] },
    ],
    ended: ["quick.test.ts"],
  };
  await expect.poll(progress, polling).toEqual(expected);
  kill();
  await ended;
  expect(progress()).toEqual(expected);
});

test("describes files that are running, with their tests, and the ten slowest of the others", () => {
  const record = join(temporaryFolder(), "progress.jsonl");
  const step = (event: string, file: string, atMs: number, name?: string): void =>
    appendFileSync(record, `${JSON.stringify({ event, file, atMs, ...(name !== undefined && { test: name }) })}\n`);
  for (let number = 1; number <= 12; number += 1) {
    step("file started", `src/f${number}.test.ts`, 0);
    step("file ended", `src/f${number}.test.ts`, number * 1_000);
  }
  step("file started", "src/loads.test.ts", 90_000);
  step("file started", "test/stuck.test.ts", 20_000);
  step("test started", "test/stuck.test.ts", 21_000, "sqlite > ends");
  step("test ended", "test/stuck.test.ts", 22_000, "sqlite > ends");
  step("test started", "test/stuck.test.ts", 22_000, "sqlite > hangs");
  // The run was killed while it wrote.
  appendFileSync(record, '{"event":"file sta');
  expect(describeProgress(readProgress(record, 100_000))).toEqual([
    "  running for 80 s: test/stuck.test.ts",
    "    sqlite > hangs",
    "  running for 10 s: src/loads.test.ts",
    "    no test: loads, or runs a hook of all tests",
    "  12 files have ended, the slowest:",
    ...[12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((number) => `    ${number} s src/f${number}.test.ts`),
  ]);
});

test("describes a run that has recorded nothing", () => {
  expect(describeProgress(readProgress(join(temporaryFolder(), "missing"), 0))).toEqual(["  0 files have ended"]);
});
