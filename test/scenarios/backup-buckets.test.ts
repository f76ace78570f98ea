import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawIdenticon } from "../../src/features/accounts/avatars/identicon.ts";
import { createApiClient } from "../kit/api-client.ts";
import { administrator, contentOf, fill, good, token } from "../kit/backed-up-site.ts";
import { eachDialect } from "../kit/databases.ts";
import { createClient } from "../kit/git.ts";
import { runProgram, startProgram } from "../kit/program.ts";
import { ensureGateway, gatewayMissing, type S3Gateway, startGateway } from "../kit/s3-gateway.ts";

/** Backups of servers whose uploaded files and packs are in a bucket, on a real S3 service. */

let root: string;
let gateway: S3Gateway;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "hearth-buckets-"));
  if (gatewayMissing !== undefined) return;
  await ensureGateway();
  gateway = await startGateway();
}, 600_000);
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

const large = randomBytes(300_000);
const oid = createHash("sha256").update(large).digest("hex");
const pack = randomBytes(400_000);
const basic = `Basic ${Buffer.from(`chief:${token}`).toString("base64")}`;

/** Settings for a prefix of the bucket. */
const storageAt = (prefix: string) => ({
  ...gateway.environment,
  HEARTH_STORAGE_URL: (gateway.environment.HEARTH_STORAGE_URL ?? "").replace("/hearth?", `/${prefix}?`),
});

async function fillLarge(url: string): Promise<void> {
  await fill(url);
  const api = createApiClient(url, `token ${token}`);
  await api.post("/user/avatar", { image: drawIdenticon("chief", 64).toString("base64") }).expect(204);
  const sent = await fetch(`${url}/chief/demo.git/info/lfs/objects/${oid}/${large.length}`, {
    method: "PUT",
    headers: { authorization: basic },
    body: new Uint8Array(large),
  });
  expect(sent.status).toBe(200);
  const client = createClient();
  client.commit({ "pack.bin": pack });
  client.git("push", "-q", `${url.replace("//", `//chief:${token}@`)}/chief/demo.git`, "HEAD:refs/heads/large");
  client.remove();
}

async function everythingOf(url: string) {
  const fetched = await fetch(`${url}/chief/demo.git/info/lfs/objects/${oid}`, { headers: { authorization: basic } });
  const { avatar_url } = await createApiClient(url, `token ${token}`).get("/user").expect(200);
  const avatar = await fetch(`${url}${new URL(avatar_url).pathname}`);
  const clone = mkdtempSync(join(root, "clone-"));
  execFileSync("git", ["clone", "-q", "--mirror", `${url.replace("//", `//chief:${token}@`)}/chief/demo.git`, clone]);
  execFileSync("git", ["-C", clone, "fsck", "--strict"], { stdio: "ignore" });
  const blob = execFileSync("git", ["-C", clone, "cat-file", "blob", "large:pack.bin"], { maxBuffer: 1_000_000 });
  const digest = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");
  return {
    ...(await contentOf(url)),
    lfs: digest(Buffer.from(await fetched.arrayBuffer())),
    avatar: digest(Buffer.from(await avatar.arrayBuffer())),
    blob: digest(blob),
  };
}

eachDialect((dialect) => {
  const name = "a server with files and packs in a bucket is backed up to a bucket and to a folder, and restored to another bucket and to a disk";
  test.skipIf(gatewayMissing !== undefined)(gatewayMissing === undefined ? name : `${name} (skipped: ${gatewayMissing})`, { timeout: 400_000 }, async () => {
    const isPostgres = dialect.name === "postgres";
    const base = mkdtempSync(join(root, "run-"));
    const at = `of-${dialect.name}`;
    await using database = await dialect.createEmpty();
    const before = { ...administrator, ...storageAt(at), HEARTH_DATA: join(base, "data"), ...(isPostgres && { HEARTH_DATABASE_URL: database.url }) };
    const [place, folder] = [storageAt(`${at}-backups`).HEARTH_STORAGE_URL, join(base, "folder")];
    let content: Awaited<ReturnType<typeof everythingOf>>;
    {
      await using server = await startProgram(before);
      await fillLarge(server.url);
      content = await everythingOf(server.url);
      expect({ lfs: content.lfs, blob: content.blob }).toEqual({ lfs: oid, blob: createHash("sha256").update(pack).digest("hex") });
      const stored = readdirSync(join(gateway.objects, at));
      expect(stored.toSorted()).toEqual(isPostgres ? ["avatars", "files", "packs"] : ["avatars", "files"]);
      expect(good(await runProgram(["backup", place], before))).toMatch(/; sent (\d+) of \1 objects/);
      good(await runProgram(["backup", folder], before));
      // The second one finds the large objects.
      const [, sent = ""] = /; sent \d+ of \d+ objects \((\S+) MiB\)/.exec(good(await runProgram(["backup", place], before))) ?? [];
      expect(Number(sent)).toBeLessThan(0.2);
      await server.stop();
    }
    expect(good(await runProgram(["backup", "verify", place], before))).toMatch(/\nverified the backup /);
    expect(good(await runProgram(["backup", "verify", folder], before))).toMatch(/it can be restored\n$/);
    for (const [kind, from] of [
      ["bucket", place],
      ["folder", folder],
    ] as const) {
      await using second = await dialect.createEmpty();
      const keys = {
        HEARTH_BACKUP_ACCESS_KEY: gateway.environment.HEARTH_STORAGE_ACCESS_KEY ?? "",
        HEARTH_BACKUP_SECRET_KEY: gateway.environment.HEARTH_STORAGE_SECRET_KEY ?? "",
      };
      const onBucket = {
        ...administrator,
        ...storageAt(`${at}-restored-${kind}`),
        HEARTH_DATA: join(base, `bucket-of-${kind}`),
        ...(isPostgres && { HEARTH_DATABASE_URL: second.url }),
      };
      const onDisk = { ...administrator, ...keys, HEARTH_DATA: join(base, `disk-of-${kind}`) };
      for (const after of [onBucket, onDisk]) {
        good(await runProgram(["restore", from], after));
        expect(await runProgram(["doctor"], after)).toMatchObject({ code: 0, stdout: expect.stringContaining("\nok: ") });
        await using server = await startProgram(after);
        expect(await everythingOf(server.url)).toEqual(content);
        await createApiClient(server.url, `token ${token}`).post("/repos/chief/demo/contents/later.txt", { message: "later", content: "bGF0ZXI=" }).expect(201);
        await server.stop();
      }
    }
  });
});
