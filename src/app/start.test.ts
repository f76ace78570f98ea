import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inject } from "../../test/kit/inject.ts";
import { createLogRecorder, type LogEntry, silentLog } from "../../test/kit/logs.ts";
import { loadConfig } from "../config/config.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import { createForge } from "./forge.ts";

const token = "a".repeat(40);
let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "hearth-start-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const config = () =>
  loadConfig({
    PATH: process.env.PATH ?? "",
    HEARTH_DATA: directory,
    HEARTH_SSH_ENABLED: "false",
    HEARTH_ADMIN_USERNAME: "chief",
    HEARTH_ADMIN_EMAIL: "chief@example.com",
    HEARTH_ADMIN_PASSWORD: "the pass phrase of the chief",
    HEARTH_ADMIN_TOKEN: token,
  });

let created = 0;

/** Adds repositories with a commit each, and runs everything that follows from them. */
async function grow(count: number): Promise<void> {
  await using forge = await createForge(config(), { log: silentLog });
  for (const end = created + count; created < end; created += 1) {
    const headers = { authorization: `token ${token}` };
    const { statusCode } = await inject(forge.http, {
      method: "POST",
      url: "/api/v1/user/repos",
      headers,
      payload: { name: `repo-${created}`, auto_init: true },
    });
    expect(statusCode).toBe(201);
  }
  await forge.settled();
}

/** Makes every store unreadable for a sweep, which logs an error for each that it opens. */
function breakStores(): number {
  const root = join(directory, "repositories");
  const stores = readdirSync(root)
    .filter((name) => /^[0-9a-f]{2}$/.test(name))
    .flatMap((shard) => readdirSync(join(root, shard)).map((name) => join(root, shard, name)));
  for (const path of stores) {
    rmSync(join(path, "refs"), { recursive: true, force: true });
    symlinkSync("refs", join(path, "refs"));
  }
  return stores.length;
}

/** A minute in which no schedule is due. */
const quiet: Clock = { ...systemClock, now: () => Math.floor(Date.now() / 86_400_000) * 86_400_000 + 86_400_000 * 2 + 13 * 3_600_000 + 5 * 60_000 };

/** The statements and warnings of a start and of its first minute. */
async function start(): Promise<{ readonly statements: number; readonly warnings: readonly LogEntry[] }> {
  const statements: string[] = [];
  const log = createLogRecorder();
  {
    await using forge = await createForge(config(), { log, clock: quiet, onStatement: (sql) => void statements.push(sql) });
    await forge.settled();
  }
  return { statements: statements.length, warnings: log.entries.filter(({ level }) => level === "warn" || level === "error") };
}

test("the first minute after a start opens no store, and takes the same statements with 10 and with 100 repositories", async () => {
  await grow(10);
  // Missed schedules run at the first of these starts.
  await start();
  const few = await start();
  await grow(90);
  expect(breakStores()).toBe(100);
  await start();
  const many = await start();
  expect(many).toEqual(few);
  expect(many.warnings).toEqual([]);
}, 120_000);
