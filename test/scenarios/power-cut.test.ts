import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Acts, prepareActs } from "../kit/acts.ts";
import type { LossyDiskOptions } from "../kit/lossy-disk.ts";
import { type Cut, chooseCuts, lastCut, type Recording, recordActs, recordingProblem, tryCuts } from "../kit/power-cut.ts";

/**
 * The power is cut at many moments while the server changes everything that it stores, and only synced data survives. `bench/power-cut.ts`
 * tries many more moments.
 */

interface Recorded extends AsyncDisposable {
  readonly acts: Acts;
  readonly recording: Recording;
}

/** @param groups number of groups of acts, without a backup of their result; all of them and a backup by default */
async function record(durability: string, groups?: number): Promise<Recorded> {
  const acts = prepareActs();
  const recording = await recordActs(acts.groups.slice(0, groups), { HEARTH_DATABASE_DURABILITY: durability }, { isServerOnly: groups !== undefined });
  return {
    acts,
    recording,
    async [Symbol.asyncDispose]() {
      await recording[Symbol.asyncDispose]();
      acts[Symbol.dispose]();
    },
  };
}

async function faultsAfter(recording: Recording, cuts: readonly Cut[], options: LossyDiskOptions = {}): Promise<string[]> {
  const found: string[] = [];
  for await (const { cut, faults } of tryCuts(recording, cuts, options)) found.push(...faults.map((fault) => `${JSON.stringify(cut)}: ${fault}`));
  return found;
}

describe.skipIf(recordingProblem !== undefined)(`a power cut${recordingProblem === undefined ? "" : ` (skipped: ${recordingProblem})`}`, () => {
  let recorded: Recorded;
  beforeAll(async () => {
    recorded = await record("group");
  }, 240_000);
  afterAll(() => recorded[Symbol.asyncDispose]());

  test("loses no acknowledged change and nothing of a restored backup, and leaves nothing half-made or damaged", { timeout: 240_000 }, async () => {
    const { recording } = recorded;
    expect(await faultsAfter(recording, [...chooseCuts(recording, 6, 1), lastCut(recording, "restored")])).toEqual([]);
  });

  test.each(["file", "folder"] as const)("would lose acknowledged changes without the syncs of each %s", { timeout: 240_000 }, async (kind) => {
    const { recording } = recorded;
    const isStored = (path: string): boolean => /^(repositories|files|avatars)\//.test(path.slice(`${recording.root}/data/`.length));
    const faults = await faultsAfter(recording, [lastCut(recording, "data")], { believes: (synced) => synced.kind !== kind || !isStored(synced.path) });
    expect(faults).toContainEqual(expect.stringContaining("lost: "));
  });

  test("loses no acknowledged change if SQLite syncs each commit", { timeout: 240_000 }, async () => {
    await using full = await record("full", 3);
    expect(await faultsAfter(full.recording, chooseCuts(full.recording, 3, 1))).toEqual([]);
  });
});
