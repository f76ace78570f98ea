import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { renderIn } from "../../../../ui/texts/texts.ts";
import type { BackupView, LogShippingView } from "../model.ts";
import { OverviewView } from "./server.tsx";

const counts = { users: 1, organizations: 0, repositories: 0, issues: 0, hooks: 0 };
const show = (backup: BackupView | undefined, language: "en" | "de" = "en"): string =>
  renderIn(language, () =>
    render(<OverviewView counts={counts} failedJobs={0} problems={[]} problemsTotal={0} outdatedGit={undefined} backup={backup} />),
  ).replace(/<[^>]*>/g, " ");

test("the overview shows the newest backup and its verification, and warns about a missing or old one", () => {
  const newest = { createdMs: Date.parse("2026-03-02T03:00:00Z"), sizeBytes: 5_000_000, seconds: 1 };
  const good = show({ newest, verifiedMs: undefined, isStale: false });
  expect(good).toMatch(
    /No problems found\..*Backups.*Newest backup\s+2026-03-02 03:00 UTC\s+Last verification\s+never.*Size\s+4\.8 MiB\s+Duration\s+1 second/s,
  );
  expect(show({ newest, verifiedMs: newest.createdMs, isStale: true })).toMatch(/older than configured.*Last verification\s+2026-03-02/s);
  const missing = show({ newest: undefined, verifiedMs: undefined, isStale: true }, "de");
  expect(missing).toMatch(/Am konfigurierten Ort gibt es kein vollständiges Backup.*Neuestes Backup\s+nie/s);
  expect(missing).not.toContain("Größe");
  const failed = show({ newest, verifiedMs: undefined, isStale: false, failure: { failedMs: newest.createdMs, reason: "backup: the storage is full" } });
  expect(failed).toMatch(/The last scheduled backup failed\.\s+2026-03-02.*Technical details.*backup: the storage is full/s);
  expect(failed).not.toContain("No problems found.");
});

test("the overview has no section of backups without a configured folder", () => {
  expect(show(undefined)).not.toContain("Backup");
});

test("the overview says that mirrors wait during a trial", () => {
  const props = { counts, failedJobs: 0, problems: [], problemsTotal: 0, outdatedGit: undefined, backup: undefined };
  const shown = (isTrial: boolean): string => render(<OverviewView {...props} isTrial={isTrial} />);
  expect([shown(true).includes("hearth admin end-trial"), shown(false).includes("trial")]).toEqual([true, false]);
});

test("the overview shows how far the log in the bucket is, and warns if it is behind", () => {
  const showLog = (log: LogShippingView | undefined, language: "en" | "de" = "en"): string => {
    const props = { counts, failedJobs: 0, problems: [], problemsTotal: 0, outdatedGit: undefined, backup: undefined };
    return renderIn(language, () => render(<OverviewView {...props} log={log} />)).replace(/<[^>]*>/g, " ");
  };
  const good = { lagMs: 300, lagBytes: 4_096, shippedMs: Date.parse("2026-03-02T03:00:00Z"), failure: undefined };
  expect(showLog(good)).toMatch(/No problems found\..*Log in the bucket.*Newest state\s+2026-03-02 03:00 UTC\s+Behind by\s+0 seconds\s+Waiting\s+4 KiB/s);
  const failing = { ...good, lagMs: 90_000, failure: "the file storage cannot be reached" };
  expect(showLog(failing)).toMatch(/are not in the bucket of the log\..*the file storage cannot be reached.*Behind by\s+90 seconds/s);
  expect(showLog(failing)).not.toContain("No problems found");
  expect(showLog({ ...failing, shippedMs: undefined }, "de")).toMatch(/Log im Bucket\s+Neuester Stand\s+noch keiner/);
  expect(showLog(undefined)).not.toContain("Log in the bucket");
});
