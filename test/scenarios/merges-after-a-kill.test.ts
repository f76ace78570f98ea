import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tryMerges } from "../kit/merge-trials.ts";
import { runProgram } from "../kit/program.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearth-merges-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a merge is complete or absent whenever the program is killed", { timeout: 240_000 }, async () => {
  const { faults, merges, unanswered } = await tryMerges({ dataDirectory: folder, seed: 7, rounds: 3, pulls: 6 });
  expect(faults).toEqual([]);
  expect(merges).toBe(18);
  // Some merges must have been in progress, otherwise this test checks nothing.
  expect(unanswered).toBeGreaterThan(0);
  const doctor = await runProgram(["doctor"], { HEARTH_DATA: folder });
  expect(doctor.code, doctor.stdout + doctor.stderr).toBe(0);
});
