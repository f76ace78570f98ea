import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { type ClientRepository, createClient } from "../../../../test/kit/git.ts";

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let client: ClientRepository;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    client = createClient();
    client.commit({ "README.md": "# found\n", "d/e.txt": "deep" });
    client.git("tag", "-a", "-m", "a release", "v1");
    client.git("branch", "side");
    client.git("notes", "add", "-m", "noted");
  });
  afterAll(async () => {
    client.remove();
    await forge[Symbol.asyncDispose]();
  });

  const pathOf = (owner: string, name: string): string => join(forge.dataDirectory, "adopt", owner, `${name}.git`);
  /** Clones the test repository into the adoption folder, as an operator does. */
  function put(owner: string, name: string, ...options: string[]): string {
    const path = pathOf(owner, name);
    mkdirSync(join(path, ".."), { recursive: true });
    client.git("clone", "-q", "--mirror", "--no-hardlinks", ...options, client.path, path);
    return path;
  }
  const adopt = (fullName: string) => forge.admin.post(`/admin/unadopted/${fullName}`);
  const listed = async (query = "") => (await forge.admin.get(`/admin/unadopted${query}`).expect(200)) as string[];

  test("lists a repository on the disk and adopts it as a private repository with its branches, tags and notes", async () => {
    expect(await listed()).toEqual([]);
    put("alice", "first");
    put("alice", "second");
    put("nobody", "third");
    mkdirSync(join(forge.dataDirectory, "adopt", "alice", "no-repository"), { recursive: true });
    expect(await listed()).toEqual(["alice/first", "alice/second", "nobody/third"]);
    expect(await listed("?pattern=ali*/f*")).toEqual(["alice/first"]);
    expect(await listed("?pattern=nobody")).toEqual(["nobody/third"]);
    expect(await listed("?limit=1&page=2")).toEqual(["alice/second"]);
    await adopt("alice/first").expect(204);
    expect(await alice.get("/repos/alice/first").expect(200)).toMatchObject({ private: true, empty: false, default_branch: "main", branch_count: 2 });
    expect((await alice.get("/repos/alice/first/git/refs").expect(200)).map(({ ref }: { ref: string }) => ref)).toEqual([
      "refs/heads/main",
      "refs/heads/side",
      "refs/notes/commits",
      "refs/tags/v1",
    ]);
    await alice.get("/repos/alice/first/contents/d/e.txt").expect(200);
    expect(await listed()).toEqual(["alice/second", "nobody/third"]);
    await adopt("nobody/third").expect(404);
    await adopt("alice/first").expect(404);
  });

  test("deletes an unadopted repository from the disk", async () => {
    const path = put("alice", "unwanted");
    await forge.admin.delete("/admin/unadopted/alice/unwanted").expect(204);
    expect(existsSync(path)).toBe(false);
    await forge.admin.delete("/admin/unadopted/alice/unwanted").expect(404);
  });

  describe("untrusted repositories on the disk", () => {
    test("hooks and git configuration of an adopted repository are never run", async () => {
      const path = put("alice", "trapped");
      const canary = join(forge.dataDirectory, "canary");
      const script = join(path, "hooks", "trap");
      mkdirSync(join(path, "hooks"), { recursive: true });
      writeFileSync(script, `#!/bin/sh\ntouch ${canary}\ncat\n`);
      chmodSync(script, 0o755);
      for (const hook of ["post-receive", "pre-receive", "update", "reference-transaction", "post-update", "pre-auto-gc"]) {
        writeFileSync(join(path, "hooks", hook), readFileSync(script), { mode: 0o755 });
      }
      const settings = ["core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "uploadpack.packObjectsHook", "core.gitProxy", "gpg.program"];
      for (const setting of settings) client.git("-C", path, "config", setting, script);
      client.git("-C", path, "config", "core.hooksPath", join(path, "hooks"));
      await adopt("alice/trapped").expect(204);
      await alice.get("/repos/alice/trapped/contents").expect(200);
      await forge.settled();
      expect(existsSync(canary)).toBe(false);
    });

    test("refuses a repository that borrows objects from another store", async () => {
      const path = put("alice", "borrower");
      // A store that holds the objects of another repository.
      await alice.post("/user/repos", { name: "secret", private: true, auto_init: true }).expect(201);
      writeFileSync(join(path, "objects", "info", "alternates"), `${join(forge.dataDirectory, "repositories")}\n`);
      expect(await adopt("alice/borrower").expect(422)).toMatchObject({ message: expect.stringContaining("uses objects of another one") });
      await alice.get("/repos/alice/borrower").expect(404);
      await forge.admin.delete("/admin/unadopted/alice/borrower").expect(204);
    });

    test("refuses links that lead out of the repository folder", async () => {
      const path = put("alice", "linked");
      symlinkSync("/etc", join(path, "objects", "pack", "elsewhere"));
      expect(await adopt("alice/linked").expect(422)).toMatchObject({ message: expect.stringContaining("neither a file nor a folder") });
      const refs = put("alice", "linked-refs");
      symlinkSync("/etc/passwd", join(refs, "refs", "heads", "passwd"));
      await adopt("alice/linked-refs").expect(422);
      symlinkSync(client.path, join(forge.dataDirectory, "adopt", "alice", "outside.git"));
      symlinkSync(forge.dataDirectory, join(forge.dataDirectory, "adopt", "mallory"));
      expect(await listed()).not.toEqual(expect.arrayContaining([expect.stringMatching(/outside|mallory/)]));
      for (const name of ["alice/outside", "mallory/x", "alice/..", "alice/%2e%2e%2f%2e%2e%2frepositories", "../repositories", "alice/a%00b"]) {
        for (const answer of [await adopt(name), await forge.admin.delete(`/admin/unadopted/${name}`)]) expect([404, 405]).toContain(answer.status);
      }
      expect(existsSync(client.path)).toBe(true);
    });

    test("refuses a damaged or incomplete repository and leaves it on the disk", async () => {
      const broken = put("alice", "broken");
      const oid = client.git("rev-parse", "main:d/e.txt");
      const blob = join(broken, "objects", oid.slice(0, 2), oid.slice(2));
      chmodSync(blob, 0o644);
      writeFileSync(blob, "no object");
      expect((await adopt("alice/broken")).status).toBe(422);
      const missing = put("alice", "missing");
      writeFileSync(join(missing, "packed-refs"), `${"1".repeat(40)} refs/heads/gone\n`);
      expect((await adopt("alice/missing")).status).toBe(422);
      for (const name of ["broken", "missing"]) {
        await alice.get(`/repos/alice/${name}`).expect(404);
        expect(await listed()).toContain(`alice/${name}`);
      }
    });
  });

  test("refuses to adopt under a name that is in use, and for users who are not administrators", async () => {
    await alice.post("/user/repos", { name: "used" }).expect(201);
    put("alice", "used");
    await adopt("alice/used").expect(409);
    expect((await alice.get("/admin/unadopted")).status).toBe(403);
    expect((await alice.post("/admin/unadopted/alice/used")).status).toBe(403);
    expect((await alice.delete("/admin/unadopted/alice/used")).status).toBe(403);
  });
});
