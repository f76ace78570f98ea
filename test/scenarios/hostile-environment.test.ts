import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createApiClient } from "../kit/api-client.ts";
import { createClient } from "../kit/git.ts";
import { hostileVariables, writeHostileHome } from "../kit/hostile.ts";
import { startProgram } from "../kit/program.ts";

const folder = mkdtempSync(join(tmpdir(), "hearth-hostile-"));
writeHostileHome(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const token = "ab".repeat(20);
const base64 = (text: string): string => Buffer.from(text).toString("base64");

test.each([0o077, 0o000])("a server behaves the same with another time zone, language, git configuration and umask %o", async (umask) => {
  const data = join(folder, `data-${umask}`);
  const settings = {
    ...hostileVariables,
    HOME: folder,
    HEARTH_DATA: data,
    HEARTH_ADMIN_USERNAME: "chief",
    HEARTH_ADMIN_PASSWORD: "a long pass phrase",
    HEARTH_ADMIN_TOKEN: token,
  };
  await using program = await startProgram(settings, ["sh", "-c", `umask ${umask.toString(8)}; exec "$0" "$@"`]);
  const api = createApiClient(program.url, `token ${token}`);
  await api.post("/user/repos", { name: "Iıİi", auto_init: true }).expect(422);
  const made = await api.post("/user/repos", { name: "ISSUES-i", auto_init: true }).expect(201);
  expect(made).toMatchObject({ default_branch: "main", name: "ISSUES-i" });
  expect(made.created_at).toMatch(/Z$/);
  // In Turkish, the lower case of I is another letter.
  await api.get("/repos/CHIEF/issues-I").expect(200);
  const base = "/repos/chief/ISSUES-i";

  const dates = { author: "2024-01-02T03:04:05+05:00", committer: "2024-01-02T03:04:05+05:00" };
  const change = { content: base64("line\r\nline\n"), new_branch: "topic", message: "Ünï", author: { name: "Ann", email: "ann@example.com" }, dates };
  const { commit } = await api.post(`${base}/contents/a.txt`, change).expect(201);
  expect(commit).toMatchObject({ author: { name: "Ann", email: "ann@example.com", date: "2024-01-01T22:04:05Z" }, message: "Ünï\n" });
  const { number } = await api.post(`${base}/pulls`, { head: "topic", base: "main", title: "topic" }).expect(201);
  await expect.poll(async () => (await api.get(`${base}/pulls/${number}`).expect(200)).mergeable, { timeout: 20_000 }).toBe(true);
  await api.post(`${base}/pulls/${number}/merge`, { Do: "squash" }).expect(200);

  const client = createClient();
  try {
    const origin = `${program.url.replace("//", `//chief:${token}@`)}/chief/ISSUES-i`;
    client.git("fetch", "-q", origin, "main");
    expect(client.git("show", "FETCH_HEAD:a.txt")).toBe("line\r\nline");
    const tip = client.commit({ "b.txt": "b\n" });
    client.git("push", "-q", origin, `${tip}:refs/heads/pushed`, `${tip}:refs/tags/v1`);
    expect(client.git("ls-remote", origin, "refs/heads/pushed")).toContain(tip);
    const diff = await fetch(`${program.url}/api/v1${base}/compare/main...pushed.diff`, { headers: { authorization: `token ${token}` } });
    expect(diff.status).toBeLessThan(500);
    const archive = await fetch(`${program.url}/api/v1${base}/archive/pushed.tar.gz`, { headers: { authorization: `token ${token}` } });
    expect(execFileSync("tar", ["-tz"], { input: Buffer.from(await archive.arrayBuffer()) }).toString()).toContain("b.txt");
  } finally {
    client.remove();
  }
  expect(await program.stop()).toBe(0);

  const modes = readdirSync(data, { recursive: true, encoding: "utf8" }).map((path) => [path, statSync(join(data, path)).mode & 0o077] as const);
  expect(modes.filter(([, mode]) => mode !== 0)).toEqual([]);
});
