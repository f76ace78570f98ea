import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge, type TestUser } from "../../../../../test/kit/forge.ts";
import { createClient } from "../../../../../test/kit/git.ts";
import { push } from "../../../../../test/kit/push.ts";
import { startRemote } from "../../../../../test/kit/remote.ts";

const alone = { "content-type": "application/octet-stream" };

eachDialect((dialect) => {
  test("the size of a repository includes its objects, Git LFS files and attachments", async () => {
    await using forge = await startForge({ dialect });
    const alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "demo", auto_init: true }).expect(201);
    const size = async (): Promise<number> => (await alice.get("/repos/alice/demo").expect(200)).size;
    const before = await size();
    await putLarge(forge.url, alice, randomBytes(300 * 1024), 200);
    expect(await size()).toBe(before + 300);
    const issue = await alice.post("/repos/alice/demo/issues", { title: "files" }).expect(201);
    const assets = `/repos/alice/demo/issues/${issue.number}/assets`;
    const first = await alice.post(`${assets}?name=a.txt`, "x".repeat(100 * 1024), alone).expect(201);
    await alice.post(`${assets}?name=b.txt`, "x".repeat(50 * 1024), alone).expect(201);
    expect(await size()).toBe(before + 450);
    await alice.delete(`${assets}/${first.id}`).expect(204);
    expect(await size()).toBe(before + 350);
    // Attachments that are deleted with their issue are subtracted by the daily recount.
    await alice.delete(`/repos/alice/demo/issues/${issue.number}`).expect(204);
    await forge.admin.post("/admin/cron/check_repo_stats").expect(204);
    await forge.settled();
    expect(await size()).toBe(before + 300);
  });

  test("the quota of an owner applies to every way of adding content", async () => {
    await using forge = await startForge({ dialect, environment: { HEARTH_LIMITS_OWNER_BYTES: "1000000" } });
    const [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    for (const name of ["one", "demo"]) await alice.post("/user/repos", { name }).expect(201);
    await alice.put("/repos/alice/demo/collaborators/bob", { permission: "write" }).expect(204);
    const client = createClient();
    client.commit({ "noise.bin": randomBytes(500_000) });
    await push(client, alice, "alice/one", "main:refs/heads/main");
    client.commit({ "more.bin": randomBytes(600_000) });
    const refused = await push(client, alice, "alice/one", "main").then(
      () => "taken",
      (error: { readonly stderr: string }) => error.stderr,
    );
    expect(refused).toContain("the limit of 1000000 bytes for all repositories of one owner");
    await putLarge(forge.url, alice, randomBytes(600_000), 413);
    const issue = await bob.post("/repos/alice/demo/issues", { title: "files" }).expect(201);
    const assets = `/repos/alice/demo/issues/${issue.number}/assets`;
    expect((await bob.post(`${assets}?name=a.txt`, "x".repeat(600_000), alone).expect(413)).message).toContain("one owner");
    const { id } = await bob.post(`${assets}?name=a.txt`, "x".repeat(400_000), alone).expect(201);
    await putLarge(forge.url, alice, randomBytes(200_000), 413);
    await bob.delete(`${assets}/${id}`).expect(204);
    await putLarge(forge.url, alice, randomBytes(200_000), 200);
    // Other owners have their own quota, and requests that add nothing succeed.
    await bob.post("/user/repos", { name: "own" }).expect(201);
    await push(client, bob, "bob/own", "main~1:refs/heads/main");
    await push(client, alice, "alice/one", "main~1:refs/heads/again");
    const text = Buffer.alloc(400_000, "no room").toString("base64");
    expect((await alice.post("/repos/alice/one/contents/large.txt", { content: text, message: "large" }).expect(413)).message).toContain("one owner");
    expect((await alice.post("/repos/alice/one/wiki/new", { title: "Large", content_base64: text }).expect(413)).message).toContain("one owner");
    await alice.get("/repos/alice/one/contents/large.txt").expect(404);
    await alice.get("/repos/alice/one/wiki/page/Large").expect(404);
    const { sha } = await alice.get("/repos/alice/one/contents/noise.bin").expect(200);
    await alice.delete("/repos/alice/one/contents/noise.bin", { sha, message: "gone" }).expect(200);
    client.remove();
  });

  test("the quota applies to the code and the wiki of a migration together", async () => {
    await using forge = await startForge({ dialect, environment: { HEARTH_LIMITS_OWNER_BYTES: "1000000", HEARTH_MIGRATION_ALLOWED_HOSTS: "loopback" } });
    const alice = await forge.createUser("alice");
    const root = mkdtempSync(join(tmpdir(), "hearth-sizes-"));
    const clients = ["demo.git", "demo.wiki.git"].map((name) => {
      const client = createClient();
      client.commit({ "noise.md": randomBytes(600_000) });
      client.git("clone", "-q", "--bare", client.path, join(root, "x", name));
      return client;
    });
    try {
      await using remote = await startRemote({ root });
      const input = { clone_addr: `${remote.url}/x/demo.git`, repo_name: "demo" };
      expect((await alice.post("/repos/migrate", { ...input, wiki: true }).expect(413)).message).toContain("one owner");
      expect(await alice.get("/user/repos").expect(200)).toEqual([]);
      await alice.post("/repos/migrate", input).expect(201);
    } finally {
      for (const client of clients) client.remove();
      rmSync(root, { recursive: true, force: true });
    }
  });
});

async function putLarge(url: string, user: TestUser, content: Buffer, status: number): Promise<void> {
  const oid = createHash("sha256").update(content).digest("hex");
  const authorization = `Basic ${Buffer.from(`${user.name}:${user.token}`).toString("base64")}`;
  const address = `${url}/alice/demo.git/info/lfs/objects/${oid}/${content.length}`;
  expect((await fetch(address, { method: "PUT", headers: { authorization }, body: new Uint8Array(content) })).status).toBe(status);
}
