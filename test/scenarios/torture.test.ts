import { describe, expect, test } from "vitest";
import { createGitUser } from "../kit/git-user.ts";
import { findPostgres } from "../kit/postgres-cluster.ts";
import { gatewayMissing } from "../kit/s3-gateway.ts";
import { checker, findDisorder, type Operation } from "../torture/checker.ts";
import { runRound } from "../torture/round.ts";
import { startSite } from "../torture/site.ts";
import { checkSlots, slotRecorder } from "../torture/verify.ts";

const missing = findPostgres() === undefined ? "skipped: this machine has no postgres and initdb" : (checker.missing ?? gatewayMissing);

describe.skipIf(missing !== undefined)(`torture of three nodes${missing === undefined ? "" : ` (${missing})`}`, () => {
  test("no acknowledged write is lost or half done, and refs stay linearizable, while components fail", async () => {
    await checker.ensure();
    await using site = await startSite(3);
    await using git = await createGitUser();
    await site.query(slotRecorder);
    const { problems, record, faults } = await runRound(site, git, { seed: 4, durationMs: 10_000, pausesLong: false });
    expect(problems).toEqual([]);
    expect(await checkSlots(site)).toEqual([]);
    expect(faults.length).toBeGreaterThan(3);
    expect(record.files.acknowledged.size).toBeGreaterThan(0);
    expect(record.issues.acknowledged.size).toBeGreaterThan(0);
  }, 300_000);

  describe("the checker", () => {
    const operation = (kind: Operation["kind"], to: string, callNs: number, endNs: number, other: Partial<Operation> = {}): Operation => ({
      client: callNs,
      ref: "r",
      kind,
      from: "",
      to,
      outcome: "done",
      callNs,
      endNs,
      ...other,
    });
    const first = operation("first", "a", 0, 0);

    test.each<[string, readonly Operation[]]>([
      ["a read of the old object after an acknowledged write", [operation("write", "b", 1, 2, { from: "a" }), operation("read", "a", 3, 4)]],
      ["two writes that replace the same object", [operation("write", "b", 1, 5, { from: "a" }), operation("write", "c", 2, 4, { from: "a" })]],
      ["a read of an object that no write has set", [operation("read", "x", 1, 2)]],
      ["a write that took effect although it was refused", [operation("write", "b", 1, 2, { from: "a", outcome: "refused" }), operation("read", "b", 3, 4)]],
      ["reads that go back", [operation("write", "b", 1, 9, { from: "a", outcome: "unknown" }), operation("read", "b", 2, 3), operation("read", "a", 4, 5)]],
    ])("finds %s", async (_name, operations) => {
      expect(await findDisorder([first, ...operations])).toEqual(["r Illegal"]);
    });

    test("accepts a write of unknown outcome that takes effect after its request", async () => {
      const late = operation("write", "b", 1, 2, { from: "a", outcome: "unknown" });
      expect(await findDisorder([first, late, operation("read", "a", 3, 4), operation("read", "b", 5, 6)])).toEqual([]);
    });
  });
});
