import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createForge } from "../../src/app/forge.ts";
import { moveStorage } from "../../src/app/move-storage.ts";
import { type Config, loadConfig } from "../../src/config/config.ts";
import { type ApiClient, createApiClient } from "../kit/api-client.ts";
import { onPostgres, type TestDatabase } from "../kit/databases.ts";
import { createGitUser, type GitUser } from "../kit/git-user.ts";
import { silentLog } from "../kit/logs.ts";
import { type S3Server, startS3Server } from "../kit/s3-server.ts";

const token = "d4".repeat(20);
const base64 = (content: string | Buffer): string => Buffer.from(content).toString("base64");

onPostgres((dialect) => {
  let folder: string;
  let database: TestDatabase;
  let service: S3Server;
  let git: GitUser;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "hearth-move-"));
    [database, service, git] = await Promise.all([dialect.create(), startS3Server(), createGitUser()]);
  });
  afterAll(async () => {
    await git?.[Symbol.asyncDispose]();
    await service?.[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const configOf = (node: string, hasBucket: boolean): Config =>
    loadConfig({
      PATH: process.env.PATH ?? "",
      HEARTH_HOST: "127.0.0.1",
      HEARTH_PORT: "0",
      HEARTH_SSH_ENABLED: "false",
      HEARTH_DATA: join(folder, node),
      HEARTH_DATABASE_URL: database.url,
      HEARTH_SECRET_KEY: "ab".repeat(32),
      HEARTH_ADMIN_USERNAME: "chief",
      HEARTH_ADMIN_PASSWORD: "a long pass phrase",
      HEARTH_ADMIN_TOKEN: token,
      ...(hasBucket && service.environment),
    });
  const serving = async (config: Config, work: (api: ApiClient, url: string) => Promise<void>): Promise<void> => {
    await using forge = await createForge(config, { log: silentLog });
    const url = await forge.listen();
    await work(createApiClient(url, `token ${token}`), url);
  };
  const move = async (config: Config, to: string): Promise<string> => {
    const printed: string[] = [];
    const print = (text: string): number => {
      printed.push(text);
      return 0;
    };
    expect(await moveStorage(config, to, print)).toBe(0);
    return printed.join("");
  };
  const clone = (url: string, name: string) => git.git(".", "clone", "-q", `${url.replace("http://", `http://chief:${token}@`)}/chief/r.git`, name);

  test("a site on one disk moves to a bucket and back, without a loss, and continues after an interruption", async () => {
    const large = randomBytes(200_000);
    await serving(configOf("a", false), async (api) => {
      await api.post("/user/repos", { name: "r", auto_init: true }).expect(201);
      await api.post("/repos/chief/r/contents/large.bin", { content: base64(large), message: "m" }).expect(201);
      await api.post("/repos/chief/r/wiki/new", { title: "Home", content_base64: base64("welcome"), message: "m" }).expect(201);
      await api.post("/repos/chief/r/releases", { tag_name: "v1" }).expect(201);
      const release = await api.get("/repos/chief/r/releases/tags/v1").expect(200);
      await api.post(`/repos/chief/r/releases/${release.id}/assets?name=a.bin`, large, { "content-type": "application/octet-stream" }).expect(201);
      await expect(moveStorage(configOf("a", true), "bucket", () => 0)).rejects.toThrow("a server uses this database");
    });
    // A service that fails does not lose anything, and no server starts in between.
    service.fail("PUT", 1_000);
    await expect(moveStorage(configOf("a", true), "bucket", () => 0)).rejects.toThrow("the file storage cannot be reached");
    await expect(createForge(configOf("a", true), { log: silentLog })).rejects.toThrow(
      "the repositories are being moved: run `hearth storage move bucket` until it is complete",
    );
    service.fail("PUT", 0);
    expect(await move(configOf("a", true), "bucket")).toContain("1 uploaded files into the bucket");
    expect(await move(configOf("a", true), "bucket")).toContain("are in the bucket already");

    // Another node, which has nothing on its disk.
    await serving(configOf("b", true), async (api, url) => {
      expect((await api.get("/repos/chief/r/contents/large.bin").expect(200)).content).toBe(base64(large));
      expect((await api.get("/repos/chief/r/wiki/page/Home").expect(200)).content_base64).toBe(base64("welcome"));
      const asset = await fetch(`${url}/chief/r/releases/download/v1/a.bin`);
      expect(Buffer.from(await asset.arrayBuffer()).equals(large)).toBe(true);
      await clone(url, "from-bucket");
      await api.post("/repos/chief/r/contents/later.txt", { content: base64("later"), message: "m" }).expect(201);
    });

    expect(await move(configOf("c", true), "disk")).toContain("fetched the packs of 2 repositories and wikis");
    for (const key of [...service.objects.keys()]) if (key.startsWith("hearth/packs/")) service.objects.delete(key);
    await serving(configOf("c", true), async (api, url) => {
      expect((await api.get("/repos/chief/r/contents/later.txt").expect(200)).content).toBe(base64("later"));
      expect((await api.get("/repos/chief/r/wiki/page/Home").expect(200)).content_base64).toBe(base64("welcome"));
      await clone(url, "from-disk");
      await git.git("from-disk", "fsck", "--full", "--strict");
      await api.post("/repos/chief/r/contents/last.txt", { content: base64("last"), message: "m" }).expect(201);
    });
  });

  test("a move is refused without a bucket, with an embedded database, and to an unknown place", async () => {
    await expect(moveStorage(configOf("a", false), "bucket", () => 0)).rejects.toThrow("set HEARTH_STORAGE_URL");
    await expect(moveStorage(loadConfig({ HEARTH_DATA: folder, ...service.environment }), "bucket", () => 0)).rejects.toThrow(
      "an embedded database serves one node only",
    );
    await expect(moveStorage(configOf("a", true), "tape", () => 0)).rejects.toThrow("usage: storage move bucket|disk");
  });
});
