import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chooseKept, pruneBackups } from "./backup-retention.ts";

interface Backup {
  readonly ms: number;
}
const at = (text: string): Backup => ({ ms: Date.parse(`${text}Z`) });
const shown = (kept: ReadonlySet<Backup>): string[] =>
  [...kept].sort((one, other) => other.ms - one.ms).map(({ ms }) => new Date(ms).toISOString().slice(0, 16));

describe("the backups that are kept", () => {
  test("are the newest of each day, week and month, in UTC", () => {
    const times = [
      "2026-03-02T03:00",
      "2026-03-02T09:00",
      "2026-03-01T03:00",
      "2026-02-28T03:00",
      "2026-02-23T03:00",
      "2026-02-22T03:00",
      "2026-01-31T03:00",
    ].map(at);
    expect(shown(chooseKept(times, { daily: 2, weekly: 0, monthly: 0 }))).toEqual(["2026-03-02T09:00", "2026-03-01T03:00"]);
    // 2 March is a Monday.
    expect(shown(chooseKept(times, { daily: 0, weekly: 3, monthly: 0 }))).toEqual(["2026-03-02T09:00", "2026-03-01T03:00", "2026-02-22T03:00"]);
    expect(shown(chooseKept(times, { daily: 0, weekly: 0, monthly: 9 }))).toEqual(["2026-03-02T09:00", "2026-02-28T03:00", "2026-01-31T03:00"]);
    expect(shown(chooseKept(times, { daily: 1, weekly: 2, monthly: 2 }))).toEqual(["2026-03-02T09:00", "2026-03-01T03:00", "2026-02-28T03:00"]);
  });

  test("include the newest one, and days without backups do not count", () => {
    expect(shown(chooseKept([at("2026-03-02T03:00")], { daily: 0, weekly: 0, monthly: 0 }))).toEqual(["2026-03-02T03:00"]);
    expect(shown(chooseKept([at("2026-03-02T03:00"), at("2025-01-01T03:00")], { daily: 2, weekly: 0, monthly: 0 }))).toHaveLength(2);
    expect(chooseKept([], { daily: 2, weekly: 0, monthly: 0 }).size).toBe(0);
  });
});

describe("pruning a folder of backups", () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "hearth-prune-"));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const make = (name: string, created?: string): void => {
    mkdirSync(join(root, name, "repositories"), { recursive: true });
    if (created !== undefined) writeFileSync(join(root, name, "backup.json"), JSON.stringify({ format: 1, version: "1", created }));
  };
  const prune = async (daily: number): Promise<{ readonly code: number; readonly printed: string }> => {
    let printed = "";
    const code = await pruneBackups(root, { daily, weekly: 0, monthly: 0 }, (text) => {
      printed += text;
      return 0;
    });
    return { code, printed };
  };

  test("deletes complete backups only, and what an interrupted run has left", async () => {
    make("new", "2026-03-02T03:00:00Z");
    make("old", "2026-03-01T03:00:00Z");
    make("running");
    make(".deleted-older", "2026-02-01T03:00:00Z");
    writeFileSync(join(root, "notes.txt"), "");
    expect(await prune(1)).toEqual({
      code: 0,
      printed: `deleted old\nkept running, which is not a complete backup\nkept 1 of 2 backups in ${root}\n`,
    });
    expect(readdirSync(root).sort()).toEqual(["new", "notes.txt", "running"]);
  });

  test("keeps one of several backups of the same second", async () => {
    for (const name of ["first", "second", "third"]) make(name, "2026-03-02T03:00:00Z");
    expect(await prune(1)).toEqual({ code: 0, printed: `deleted second\ndeleted first\nkept 1 of 3 backups in ${root}\n` });
    expect(readdirSync(root)).toEqual(["third"]);
  });

  test("deletes nothing without a rule, in a backup, or beside a manifest that cannot be read", async () => {
    make("old", "2026-03-01T03:00:00Z");
    make("new", "2026-03-02T03:00:00Z");
    await expect(prune(0)).rejects.toThrow("--keep-daily");
    writeFileSync(join(root, "new/backup.json"), "{");
    await expect(prune(1)).rejects.toThrow("cannot be read");
    writeFileSync(join(root, "backup.json"), "{}");
    await expect(prune(1)).rejects.toThrow("is a backup");
    expect(existsSync(join(root, "old"))).toBe(true);
  });
});
