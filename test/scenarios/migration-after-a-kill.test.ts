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

/** The program is killed in the middle of a pack that it fetches: nothing of it is to be seen afterwards, and the same can be asked for again. */

const token = "6f".repeat(20);
const folder = mkdtempSync(join(tmpdir(), "hearth-killed-migration-"));
const origin = createClient();
const tip = origin.commit({ "README.md": "# Demo\n" });
execFileSync("git", ["clone", "-q", "--mirror", origin.path, join(folder, "remote", "demo.git")]);
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

/** Quarantines below the stores. */
function quarantines(): string[] {
  const repositories = join(folder, "data", "repositories");
  if (!existsSync(repositories)) return [];
  return readdirSync(repositories, { recursive: true, encoding: "utf8" }).filter((path) => /tmp_objdir-incoming-[^/]*$/.test(path));
}

test("a migration that is killed has not been, and can be again", async () => {
  let isStuck = true;
  let packAsked: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    packAsked = resolve;
  });
  let isSecondQuestion = false;
  const intercept = (request: IncomingMessage, response: ServerResponse): boolean => {
    if (!isStuck || request.method !== "POST") return false;
    // The first question is for the refs.
    if (!isSecondQuestion) {
      isSecondQuestion = true;
      return false;
    }
    response.writeHead(200, { "content-type": "application/x-git-upload-pack-result" });
    response.write("000dpackfile\n0011\x01PACK\0\0\0\x02\0\0\0\x03", packAsked);
    return true;
  };
  await using remote = await startRemote({ root: join(folder, "remote"), intercept });
  const wish = { clone_addr: `${remote.url}/demo.git`, repo_name: "demo" };
  {
    await using server = await start();
    const call = createApiClient(server.url, `token ${token}`).post("/repos/migrate", wish);
    const broken = expect(call).rejects.toThrow();
    await asked;
    await expect.poll(quarantines, { timeout: 60_000 }).toHaveLength(1);
    await server.kill();
    await broken;
  }
  isStuck = false;
  await using server = await start();
  const api = createApiClient(server.url, `token ${token}`);
  await api.get("/repos/root1/demo").expect(404);
  expect(await api.get("/user/repos").expect(200)).toEqual([]);
  await expect.poll(quarantines, { timeout: 60_000 }).toEqual([]);
  expect(await api.post("/repos/migrate", wish).expect(201)).toMatchObject({ full_name: "root1/demo", empty: false });
  expect(await api.get("/repos/root1/demo/branches/main").expect(200)).toMatchObject({ commit: { id: tip } });
});
