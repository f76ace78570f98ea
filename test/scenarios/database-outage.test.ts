import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApiClient } from "../kit/api-client.ts";
import { onPostgres } from "../kit/databases.ts";
import { findPostgres, type PostgresCluster, startPostgres } from "../kit/postgres-cluster.ts";
import { type RunningProgram, startProgram } from "../kit/program.ts";
import { type Receiver, startReceiver } from "../kit/receiver.ts";

const token = "c5".repeat(20);
const writers = 8;

onPostgres(() => {
  let folder: string;
  let cluster: PostgresCluster;
  let receiver: Receiver;
  let program: RunningProgram;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hearth-out-"));
    chmodSync(folder, 0o711);
    cluster = await startPostgres(findPostgres() ?? "", join(folder, "pg"));
    receiver = await startReceiver();
    program = await startProgram({
      HEARTH_DATA: join(folder, "data"),
      HEARTH_DATABASE_URL: cluster.urlOf("postgres"),
      HEARTH_ADMIN_USERNAME: "chief",
      HEARTH_ADMIN_PASSWORD: "a long pass phrase",
      HEARTH_ADMIN_TOKEN: token,
      HEARTH_WEBHOOK_ALLOWED_HOSTS: "loopback",
    });
  });
  afterAll(async () => {
    await program?.[Symbol.asyncDispose]();
    await receiver?.[Symbol.asyncDispose]();
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("a PostgreSQL outage under load causes 503, loses no acknowledged write, and needs no restart", async () => {
    const api = createApiClient(program.url, `token ${token}`);
    await api.post("/user/repos", { name: "r" }).expect(201);
    const config = { url: `${receiver.url}/hook`, content_type: "json" };
    await api.post("/repos/chief/r/hooks", { type: "gitea", config, events: ["issues"], active: true }).expect(201);

    const acknowledged: string[] = [];
    const refusals: { readonly status: number; readonly retryAfter: string | null }[] = [];
    let hasEnded = false;
    const write = async (writer: number): Promise<void> => {
      for (let at = 0; !hasEnded; at += 1) {
        const title = `writer ${writer} issue ${at}`;
        const { status, headers } = await api.post("/repos/chief/r/issues", { title });
        if (status === 201) acknowledged.push(title);
        else refusals.push({ status, retryAfter: headers.get("retry-after") });
      }
    };
    const writing = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
    await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(2 * writers);
    await cluster.kill();
    // Each writer is refused several times: no request hangs and the pool is not exhausted.
    await expect.poll(() => refusals.length, { timeout: 60_000 }).toBeGreaterThan(10 * writers);
    expect((await createApiClient(program.url).get("//api/healthz")).status).toBe(503);
    const notReady = await createApiClient(program.url).get("//api/readyz");
    expect([notReady.status, notReady.json]).toMatchObject([503, { checks: { "database:ping": [{ status: "fail", output: "does not answer" }] } }]);
    await cluster.start();
    const before = acknowledged.length;
    await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(before + 2 * writers);
    hasEnded = true;
    await writing;

    expect(refusals.filter(({ status, retryAfter }) => status !== 503 || !/^\d+$/.test(retryAfter ?? ""))).toEqual([]);
    const titles: string[] = [];
    for (let page = 1; ; page += 1) {
      const issues: readonly { title: string }[] = await api.get(`/repos/chief/r/issues?limit=50&page=${page}`).expect(200);
      titles.push(...issues.map(({ title }) => title));
      if (issues.length < 50) break;
    }
    expect(titles).toEqual(expect.arrayContaining(acknowledged));
    const delivered = (): string[] => [...new Set(receiver.at("/hook").map(({ body }) => JSON.parse(body).issue.title as string))].sort();
    await expect.poll(delivered, { timeout: 30_000 }).toEqual(titles.toSorted());
    // The server keeps the result of a health check for a while.
    await expect.poll(async () => (await createApiClient(program.url).get("//api/healthz")).status, { timeout: 30_000 }).toBe(200);
  }, 240_000);
});
