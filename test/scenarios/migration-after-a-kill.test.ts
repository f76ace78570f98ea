import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createApiClient } from "../kit/api-client.ts";
import { createClient } from "../kit/git.ts";
import { startProgram } from "../kit/program.ts";
import { startRemote } from "../kit/remote.ts";

/** Kills the program while it fetches a pack, and again after that: no partial result is visible, and the migration resumes by itself. */

const token = "6f".repeat(20);
const folder = mkdtempSync(join(tmpdir(), "hearth-killed-migration-"));
const origin = createClient();
const tip = origin.commit({ "README.md": "# Demo\n" });
execFileSync("git", ["clone", "-q", "--mirror", origin.path, join(folder, "remote", "x", "demo.git")]);
afterAll(() => {
  origin.remove();
  rmSync(folder, { recursive: true, force: true });
});

const start = () =>
  startProgram({
    HEARTH_DATA: join(folder, "data"),
    HEARTH_ADMIN_USERNAME: "root1",
    HEARTH_ADMIN_EMAIL: "root1@example.com",
    HEARTH_ADMIN_PASSWORD: "a long enough pass phrase",
    HEARTH_ADMIN_TOKEN: token,
    HEARTH_MIGRATION_ALLOWED_HOSTS: "loopback",
  });

/** Quarantines of the stores. */
function quarantines(): string[] {
  const repositories = join(folder, "data", "repositories");
  if (!existsSync(repositories)) return [];
  return readdirSync(repositories, { recursive: true, encoding: "utf8" }).filter((path) => /tmp_objdir-incoming-[^/]*$/.test(path));
}

// Three starts of the program.
test("a migration resumes after a kill and fetches only what is missing", { timeout: 240_000 }, async () => {
  let stuck: "pack" | "tracker" | "nowhere" = "pack";
  const { promise: packAsked, resolve: askPack } = Promise.withResolvers<void>();
  const { promise: trackerAsked, resolve: askTracker } = Promise.withResolvers<void>();
  let questions = 0;
  const intercept = (request: IncomingMessage, response: ServerResponse): boolean => {
    if (request.url?.startsWith("/api/v1/") === true) {
      if (stuck === "tracker") askTracker();
      else response.end("[]");
      return true;
    }
    if (request.method !== "POST") return false;
    questions += 1;
    // The first request is for the refs.
    if (stuck !== "pack" || questions === 1) return false;
    // Enough objects for a quarantine: small packs are kept in memory.
    response.writeHead(200, { "content-type": "application/x-git-upload-pack-result" });
    response.write("000dpackfile\n0011\x01PACK\0\0\0\x02\0\0\x03\x03", () => askPack());
    return true;
  };
  await using remote = await startRemote({ root: join(folder, "remote"), intercept });
  {
    await using server = await start();
    const input = { clone_addr: `${remote.url}/x/demo.git`, repo_name: "demo", service: "gitea", labels: true };
    const call = createApiClient(server.url, `token ${token}`).post("/repos/migrate", input);
    const broken = expect(call).rejects.toThrow();
    await packAsked;
    await expect.poll(quarantines, { timeout: 60_000 }).toHaveLength(1);
    await server.kill();
    await broken;
  }
  stuck = "tracker";
  {
    await using server = await start();
    const api = createApiClient(server.url, `token ${token}`);
    await trackerAsked;
    expect(await api.get("/user/repos").expect(200)).toEqual([]);
    expect(await api.get("/user/migrations").expect(200)).toMatchObject([{ full_name: "root1/demo", status: "running" }]);
    await expect.poll(quarantines, { timeout: 60_000 }).toEqual([]);
    await server.kill();
  }
  stuck = "nowhere";
  await using server = await start();
  const api = createApiClient(server.url, `token ${token}`);
  const status = async () => (await api.get("/user/migrations").expect(200))[0].status;
  await expect.poll(status, { timeout: 60_000 }).toBe("done");
  expect(await api.get("/repos/root1/demo").expect(200)).toMatchObject({ empty: false, size: expect.any(Number) });
  expect(await api.get("/repos/root1/demo/branches/main").expect(200)).toMatchObject({ commit: { id: tip } });
  // Refs and pack; refs and pack; refs.
  expect(questions).toBe(5);
});
