import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiClient, createApiClient } from "../kit/api-client.ts";
import { onPostgres, type TestDatabase } from "../kit/databases.ts";
import { createGitUser, type GitUser } from "../kit/git-user.ts";
import { canTrace } from "../kit/kill-at.ts";
import { type RunningProgram, startProgram } from "../kit/program.ts";
import { startReceiver } from "../kit/receiver.ts";
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
      HEARTH_WEBHOOK_ALLOWED_HOSTS: "loopback",
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

    test("the webhooks and jobs of a killed node are completed by the other one", async () => {
      await using receiver = await startReceiver();
      const config = { url: `${receiver.url}/hook`, content_type: "json" };
      const [killed, other] = nodes;
      // The receiver does not answer the node that is killed, so its deliveries are in progress.
      receiver.answers = () => "silence";
      await api(killed)
        .post("/repos/chief/r/hooks", { type: "gitea", config, events: ["issues"], active: true })
        .expect(201);
      const titles = Array.from({ length: 5 }, (_, at) => `issue ${at}`);
      for (const title of titles) await api(killed).post("/repos/chief/r/issues", { title }).expect(201);
      await expect.poll(() => receiver.at("/hook").length, { timeout: 30_000 }).toBeGreaterThan(0);
      await killed?.kill();
      const before = receiver.at("/hook").length;
      receiver.answers = () => ({ status: 200 });
      const titlesAfter = () =>
        receiver
          .at("/hook")
          .slice(before)
          .map(({ body }) => JSON.parse(body).issue.title as string);
      await expect.poll(titlesAfter, { timeout: 60_000 }).toEqual(titles);
      await api(other).post("/repos/chief/r/issues", { title: "later" }).expect(201);
      await expect.poll(titlesAfter, { timeout: 30_000 }).toEqual([...titles, "later"]);
      nodes[0] = await startProgram(settings("a"));
    }, 180_000);

    test.skipIf(!canTrace)(
      `a node opens no file of another one${canTrace ? "" : " (skipped: this machine has no strace)"}`,
      async () => {
        const log = join(folder, "trace");
        // `-y` shows the paths behind descriptors.
        const trace = ["strace", "-D", "-f", "-qqq", "-y", "-s", "4096", "-e", "signal=none", "-e", "trace=%file", "-o", log];
        const traced = await startProgram({ ...settings("traced"), UV_USE_IO_URING: "0" }, trace);
        try {
          await api(traced).get("/repos/chief/r/contents/README.md").expect(200);
          await git.git(".", "clone", "-q", origin(traced), "from-traced");
          await api(traced)
            .post("/repos/chief/r/contents/traced.bin", { content: base64(randomBytes(100_000)), message: "m" })
            .expect(201);
          await api(nodes[1]).get("/repos/chief/r/contents/traced.bin").expect(200);
        } finally {
          await traced.stop();
        }
        const paths = [...readFileSync(log, "utf8").matchAll(/["<](\/[^">]*)[">]/g)]
          .map(([, path = ""]) => path)
          .filter((path) => path.startsWith(`${folder}/`));
        const nodesUsed = new Set(paths.map((path) => path.slice(folder.length + 1).split("/")[0]));
        expect([...nodesUsed]).toEqual(["traced"]);
        expect(paths.some((path) => path.endsWith(".pack"))).toBe(true);
      },
      120_000,
    );

    test("a node does not start with the data folder of another one, with another key, or without the bucket", async () => {
      await expect(startProgram(settings("b"))).rejects.toThrow("another Hearth process uses the data folder");
      await expect(startProgram({ ...settings("c"), HEARTH_SECRET_KEY: "cd".repeat(32) })).rejects.toThrow(
        "the secret key differs from that of the other nodes",
      );
      await expect(startProgram({ ...settings("d"), HEARTH_STORAGE_URL: "" })).rejects.toThrow("the repositories of this database are in a bucket");
    });
  });
});
