import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadConfig } from "../config/config.ts";
import { backupMetrics, describeStaleBackup, readBackupState } from "./backup-state.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-backups-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const nowMs = Date.parse("2026-03-02T12:00:00Z");
const make = (name: string, manifest: object | string): void => {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, "backup.json"), typeof manifest === "string" ? manifest : JSON.stringify(manifest));
};
const config = () => loadConfig({ HEARTH_BACKUP_FOLDER: folder });
const metrics = (): readonly number[] =>
  backupMetrics({ state: () => readBackupState(config(), nowMs), isConfigured: true }, () => nowMs)
    .map(({ read }) => Number(read()))
    .slice(0, 2);

test("the newest complete backup counts, and any verification", async () => {
  make("old", { created: "2026-03-01T03:00:00Z", verified: "2026-03-01T04:00:00Z" });
  make("new", { created: "2026-03-02T03:00:00Z", bytes: 5_000, seconds: 12 });
  make("broken", "{");
  make(".deleted-newer", { created: "2026-03-02T11:00:00Z" });
  mkdirSync(join(folder, "running"));
  expect(readBackupState(config(), nowMs)).toEqual({
    newest: { createdMs: Date.parse("2026-03-02T03:00:00Z"), sizeBytes: 5_000, seconds: 12 },
    verifiedMs: Date.parse("2026-03-01T04:00:00Z"),
    isStale: false,
    failure: undefined,
  });
  expect(await describeStaleBackup(config(), undefined, nowMs)).toBeUndefined();
  expect(metrics()).toEqual([9 * 3_600, 32 * 3_600]);
});

test("missing and old backups are a problem", async () => {
  expect(await describeStaleBackup(config(), undefined, nowMs)).toBe(`backups: there is no complete backup in ${folder}`);
  expect(metrics()).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
  make("old", { created: "2026-02-27T03:00:00Z" });
  expect(await describeStaleBackup(config(), undefined, nowMs)).toBe(`backups: the newest one in ${folder} is 81 hours old; backup.max_age_hours is 26`);
  rmSync(folder, { recursive: true });
  expect(await describeStaleBackup(config(), undefined, nowMs)).toContain("there is no complete backup");
  mkdirSync(folder);
});

test("without the setting there is no state, no problem and no metric", async () => {
  const unset = loadConfig({});
  expect([
    readBackupState(unset, nowMs),
    await describeStaleBackup(unset, undefined, nowMs),
    backupMetrics({ state: () => undefined, isConfigured: false }, () => nowMs),
  ]).toEqual([undefined, undefined, []]);
});
