import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadConfig } from "../../config/config.ts";
import { describeLogProblem, type LogStatus, writeLogStatus } from "./status.ts";

let dataDirectory: string;
beforeAll(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), "hearth-log-status-"));
});
afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }));

const problem = (environment: Readonly<Record<string, string>> = { HEARTH_LOG_SHIPPING_URL: "s3://host/bucket?region=eu-central-1" }) =>
  describeLogProblem(loadConfig({ HEARTH_DATA: dataDirectory, HEARTH_LOG_SHIPPING_ACCESS_KEY: "a", HEARTH_LOG_SHIPPING_SECRET_KEY: "b", ...environment }));
const status: LogStatus = {
  lagMs: 90_400,
  lagBytes: 5,
  shippedMs: Date.parse("2026-03-02T03:00:00Z"),
  baseMs: 1,
  hasBase: true,
  failure: "the file storage cannot be reached",
  failedSinceMs: 1,
  atMs: Date.parse("2026-03-02T03:01:30Z"),
};

test("a log that is more than a minute behind is one line with its newest state and the reason", () => {
  writeLogStatus(dataDirectory, status);
  expect(problem()).toBe(
    "log in the bucket: 90 seconds behind at 2026-03-02T03:01:30Z, its newest state is of 2026-03-02T03:00:00Z: the file storage cannot be reached",
  );
  writeLogStatus(dataDirectory, { ...status, shippedMs: undefined, failure: undefined });
  expect(problem()).toBe("log in the bucket: 90 seconds behind at 2026-03-02T03:01:30Z, it has no copy of the database yet");
});

test("a log that is less behind, a server without one, and a lost or damaged status are no problem", () => {
  writeLogStatus(dataDirectory, { ...status, lagMs: 60_000 });
  expect(problem()).toBeUndefined();
  writeLogStatus(dataDirectory, status);
  expect(problem({ HEARTH_LOG_SHIPPING_URL: "" })).toBeUndefined();
  writeFileSync(join(dataDirectory, "log-shipping.json"), "{");
  expect(problem()).toBeUndefined();
});
