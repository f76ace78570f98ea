import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiClient, createApiClient } from "../kit/api-client.ts";
import { onPostgres, type TestDatabase } from "../kit/databases.ts";
import { createGitUser, type GitUser } from "../kit/git-user.ts";
import { type RunningProgram, startProgram } from "../kit/program.ts";
import { ensureGateway, gatewayMissing, type S3Gateway, startGateway } from "../kit/s3-gateway.ts";

const token = "c5".repeat(20);
const base64 = (content: string | Buffer): string => Buffer.from(content).toString("base64");
const name = `programs on one database and one S3 service${gatewayMissing === undefined ? "" : ` (${gatewayMissing})`}`;

onPostgres((dialect) => {
  describe.skipIf(gatewayMissing !== undefined)(name, () => {
    let folder: string;
    let database: TestDatabase;
    let gateway: S3Gateway;
    let git: GitUser;
    const nodes: RunningProgram[] = [];
    const settings = (node: string): Record<string, string> => ({
      HEARTH_DATA: join(folder, node),
      HEARTH_DATABASE_URL: database.url,
      HEARTH_SECRET_KEY: "ab".repeat(32),
      HEARTH_ADMIN_USERNAME: "chief",
      HEARTH_ADMIN_PASSWORD: "a long pass phrase",
      HEARTH_ADMIN_TOKEN: token,
      ...gateway.environment,
    });
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "hearth-nodes-"));
      await ensureGateway();
      [database, gateway, git] = await Promise.all([dialect.create(), startGateway(), createGitUser()]);
      for (const node of ["a", "b"]) nodes.push(await startProgram(settings(node)));
    }, 900_000);
    afterAll(async () => {
      for (const node of nodes) await node[Symbol.asyncDispose]();
      await gateway?.[Symbol.asyncDispose]();
      await database?.[Symbol.asyncDispose]();
      await git?.[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    });
    const api = (node: RunningProgram | undefined): ApiClient => createApiClient(node?.url ?? "", `token ${token}`);
    const origin = (node: RunningProgram | undefined): string => `${node?.url.replace("http://", `http://chief:${token}@`)}/chief/r.git`;

    test("no acknowledged write is lost and none is half-made when a node is killed, and the other one continues", async () => {
      await api(nodes[0]).post("/user/repos", { name: "r", auto_init: true }).expect(201);
      const acknowledged = new Map<string, string>();
      let isOver = false;
      /** Small contents are in the database, large ones in the bucket. */
      const write = async (writer: number): Promise<void> => {
        for (let at = 0; !isOver; at += 1) {
          const content = base64(at % 3 === 0 ? randomBytes(100_000) : randomBytes(20));
          const path = `${writer}-${at}.bin`;
          const done = await api(nodes[writer % 2])
            .post(`/repos/chief/r/contents/${path}`, { content, message: path })
            .catch(() => undefined);
          if (done?.status === 201) acknowledged.set(path, content);
          else await new Promise((resolve) => setTimeout(resolve, 50));
        }
      };
      const writers = [0, 1, 2, 3].map(write);
      const reaches = async (count: number): Promise<void> => expect.poll(() => acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(count);
      await reaches(8);
      await nodes[0]?.kill();
      const whenKilled = acknowledged.size;
      await reaches(whenKilled + 6);
      nodes[0] = await startProgram(settings("a"));
      await reaches(acknowledged.size + 6);
      isOver = true;
      await Promise.all(writers);

      for (const [at, node] of nodes.entries()) {
        await git.git(".", "clone", "-q", origin(node), `copy-${at}`);
        await git.git(`copy-${at}`, "fsck", "--full", "--strict");
        for (const [path, content] of acknowledged) {
          const { content: found } = await api(node).get(`/repos/chief/r/contents/${path}`).expect(200);
          expect([path, found === content]).toEqual([path, true]);
        }
      }
      expect(await git.git("copy-0", "rev-parse", "HEAD")).toBe(await git.git("copy-1", "rev-parse", "HEAD"));
    }, 180_000);

    test("small writes continue while the S3 service is away, and large ones are refused as a whole", async () => {
      await gateway.kill();
      const content = base64(randomBytes(100_000));
      const refused = await api(nodes[0]).post("/repos/chief/r/contents/large.bin", { content, message: "m" });
      expect([refused.status, refused.headers.get("retry-after") !== null]).toEqual([503, true]);
      await api(nodes[1])
        .post("/repos/chief/r/contents/small.txt", { content: base64("small"), message: "m" })
        .expect(201);
      expect((await api(nodes[0]).get("/repos/chief/r/contents/small.txt").expect(200)).content).toBe(base64("small"));
      await api(nodes[1]).get("/repos/chief/r/contents/large.bin").expect(404);
      await gateway.restart();
      await api(nodes[0]).post("/repos/chief/r/contents/large.bin", { content, message: "m" }).expect(201);
      expect((await api(nodes[1]).get("/repos/chief/r/contents/large.bin").expect(200)).content).toBe(content);
    }, 120_000);

    test("a node does not start with the data folder of another one, with another key, or without the bucket", async () => {
      await expect(startProgram(settings("b"))).rejects.toThrow("another Hearth process uses the data folder");
      await expect(startProgram({ ...settings("c"), HEARTH_SECRET_KEY: "cd".repeat(32) })).rejects.toThrow(
        "the secret key differs from that of the other nodes",
      );
      await expect(startProgram({ ...settings("d"), HEARTH_STORAGE_URL: "" })).rejects.toThrow("the repositories of this database are in a bucket");
    });
  });
});
