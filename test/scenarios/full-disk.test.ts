import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statfsSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiClient, createApiClient } from "../kit/api-client.ts";
import { createClient } from "../kit/git.ts";
import { type RunningProgram, runProgram, startProgram } from "../kit/program.ts";

const token = "f".repeat(40);
const mib = 1_048_576;

const mount = (folder: string): Buffer => execFileSync("mount", ["-t", "tmpfs", "-o", "size=48m", "hearth-test", folder], { stdio: "pipe" });
const unmount = (folder: string): Buffer => execFileSync("umount", ["-l", folder]);

/** A folder for a separate file system, if this user may mount one; otherwise undefined. It is mounted by the tests, which a run can leave out. */
function folderOfSmallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "hearth-disk-"));
  try {
    mount(folder);
    unmount(folder);
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
}

const disk = process.platform === "linux" && process.getuid?.() === 0 ? folderOfSmallDisk() : undefined;

describe.skipIf(disk === undefined)(disk === undefined ? "a full disk (skipped: this user may not mount a file system)" : "a full disk", () => {
  const folder = disk ?? "";
  let program: RunningProgram;
  let api: ApiClient;
  const logFile = join(folder, "log");
  const settings = {
    HEARTH_DATA: join(folder, "data"),
    HEARTH_ADMIN_USERNAME: "chief",
    HEARTH_ADMIN_PASSWORD: "chief's pass phrase",
    HEARTH_ADMIN_TOKEN: token,
  };

  beforeAll(async () => {
    mount(folder);
    // The log is on the same disk, as in many installations.
    program = await startProgram({ ...settings, HEARTH_LOG_LEVEL: "info" }, ["sh", "-c", 'exec "$@" 2>"$0"', logFile]);
    api = createApiClient(program.url, `token ${token}`);
    await api.post("/user/repos", { name: "kept", auto_init: true }).expect(201);
  });
  afterAll(async () => {
    await program.kill();
    unmount(folder);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Fills the disk except for `leftBytes`. */
  const fill = (leftBytes: number): void => {
    const { bavail, bsize } = statfsSync(folder);
    try {
      writeFileSync(join(folder, "ballast"), Buffer.alloc(Math.max(0, bavail * bsize - leftBytes)));
    } catch (error) {
      // Metadata of fragmented files takes blocks too.
      if (leftBytes > 0 || (error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  };

  test("rejects writes with 503, keeps reading, loses no acknowledged write, and recovers when there is space", async () => {
    fill(0);
    const content = Buffer.alloc(mib, "x").toString("base64");
    const statuses: number[] = [];
    // Already allocated pages and blocks may hold a few more writes.
    const acknowledged: string[] = [];
    for (let index = 0; index < 40; index += 1) {
      const { status } = await api.post("/user/repos", { name: `made-${index}`, auto_init: true });
      statuses.push(status);
      if (status === 201) acknowledged.push(`made-${index}`);
    }
    expect(statuses.at(-1)).toBe(503);
    const health = (): Promise<{ status: number; json: Record<string, unknown> }> => createApiClient(program.url).get("//api/healthz");
    const full = [{ status: "fail", output: "the disk is full" }];
    const unwell = { status: "fail", checks: { "database:ping": [{ status: "pass" }], "database:write": full, "storage:write": full } };
    await expect.poll(health, { timeout: 20_000 }).toMatchObject({ status: 503, json: unwell });
    expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);

    const refused = await api.post("/repos/chief/kept/contents/big.txt", { content });
    expect(refused.status).toBe(503);
    expect(refused.json.message).toMatch(/\w/);
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
    await api.get("/repos/chief/kept").expect(200);
    await api.get("/repos/chief/kept/contents/README.md").expect(200);
    await api.get("/repos/chief/kept/contents/big.txt").expect(404);
    await api.get("/repos/chief/made-39").expect(404);

    const client = createClient();
    try {
      client.commit({ "large.bin": Buffer.from(Array.from({ length: 3 * mib }, (_, index) => (index * 2_654_435_761) >>> 13)) });
      expect(() => client.git("push", "-q", `${program.url.replace("//", `//chief:${token}@`)}/chief/kept.git`, "HEAD:refs/heads/large")).toThrow();
      await api.get("/repos/chief/kept/branches/large").expect(404);

      const { size } = statSync(join(folder, "ballast"));
      truncateSync(join(folder, "ballast"), size - 2 * mib);
      const low = [{ status: "warn", output: "1 MiB left" }];
      await expect.poll(health, { timeout: 20_000 }).toMatchObject({ status: 200, json: { status: "warn", checks: { "storage:write": low } } });
      truncateSync(join(folder, "ballast"), 0);
      await expect.poll(health, { timeout: 20_000 }).toMatchObject({ status: 200, json: { status: "pass" } });
      await api.post("/repos/chief/kept/contents/small.txt", { content: "eA==" }).expect(201);
      client.git("push", "-q", `${program.url.replace("//", `//chief:${token}@`)}/chief/kept.git`, "HEAD:refs/heads/large");
      await api.get("/repos/chief/kept/branches/large").expect(200);
    } finally {
      client.remove();
    }
    await expect.poll(() => readFileSync(logFile, "utf8")).toContain('"path":"/api/v1/repos/chief/kept/branches/large","status":200');
    for (const name of acknowledged) await api.get(`/repos/chief/${name}/contents/README.md`).expect(200);

    expect(await program.stop()).toBe(0);
    expect(await runProgram(["doctor"], settings)).toMatchObject({ code: 0 });
  });
});
