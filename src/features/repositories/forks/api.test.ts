import { createHash, randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiClient } from "../../../../test/kit/api-client.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { readInfo } from "../../../git/objects/objects.ts";
import { type GitStore, storePath } from "../../../git/stores.ts";
import { checkStores, findProblems } from "../refs/service/check.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
    carol = await forge.createUser("carol");
    await alice.post("/user/repos", { name: "full", description: "the first", auto_init: true, license: "MIT", default_branch: "trunk" }).expect(201);
    await alice.post("/repos/alice/full/branches", { new_branch_name: "other" }).expect(201);
    await alice.post("/repos/alice/full/tags", { tag_name: "v1" }).expect(201);
    for (const name of ["empty", "raw"]) await alice.post("/user/repos", { name }).expect(201);
    await alice.post("/user/repos", { name: "hidden", private: true, auto_init: true }).expect(201);
    await alice.post("/orgs", { username: "acme" }).expect(201);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const write = (who: TestUser, repo: string, path: string, text: string, branch = "trunk") =>
    who.post(`/repos/${repo}/contents/${path}`, { content: base64(text), branch, message: `writes ${path}` }).expect(201);
  const storeOf = async (owner: string, name: string): Promise<GitStore> => {
    const { db, git } = forge.context;
    const row = await db.sql
      .selectFrom("repositories as r")
      .innerJoin("accounts as o", "o.id", "r.owner_id")
      .innerJoin("git_stores as s", "s.id", "r.code_store_id")
      .select(["s.id", "s.object_format"])
      .where("o.name", "=", owner)
      .where("r.name", "=", name)
      .where("r.deleted_ms", "is", null)
      .executeTakeFirstOrThrow();
    return git.store(row.id, row.object_format);
  };

  describe("forks", () => {
    test("a fork is a separate repository with the branches and tags of its parent", async () => {
      const parent = await alice.get("/repos/alice/full").expect(200);
      const { result: fork, statements, processes } = await forge.cost(() => bob.post("/repos/alice/full/forks", {}).expect(202));
      expect(processes).toBe(0);
      expect(statements.length).toBeLessThanOrEqual(28);
      expect(fork).toMatchObject({
        full_name: "bob/full",
        fork: true,
        private: false,
        description: "the first",
        default_branch: "trunk",
        branch_count: 2,
        licenses: ["MIT"],
        size: parent.size,
        has_issues: false,
        has_wiki: false,
        has_projects: false,
        has_releases: false,
        has_packages: false,
        has_code: true,
        has_pull_requests: true,
        watchers_count: 0,
        permissions: { admin: true, push: true, pull: true },
        parent: { full_name: "alice/full", forks_count: 1, permissions: { admin: true, push: true, pull: true } },
      });
      expect(await bob.get("/repos/bob/full/contents/README.md").expect(200)).toMatchObject({ name: "README.md" });
      expect(await bob.get("/repos/bob/full/git/refs").expect(200)).toHaveLength(3);
      await forge.settled();
      expect(await findProblems(forge.context, (await storeOf("bob", "full")).id)).toEqual([]);
      expect(await alice.get("/repos/search?mode=fork&q=full").expect(200)).toMatchObject({ data: [{ full_name: "bob/full" }] });
    });

    test("lists the forks that the caller can read, in a fixed number of statements", async () => {
      await carol.post("/repos/alice/full/forks", { name: "mine" }).expect(202);
      await carol.patch("/repos/carol/mine", { private: true }).expect(200);
      const { result, statements, processes } = await forge.cost(() => bob.get("/repos/alice/full/forks"));
      expect(result.json.map((repo: { full_name: string }) => repo.full_name)).toEqual(["bob/full"]);
      expect(result.headers.get("x-total-count")).toBe("1");
      expect(statements.length).toBeLessThanOrEqual(6);
      expect(processes).toBe(0);
      expect(await carol.get("/repos/alice/full/forks?limit=1&page=2").expect(200)).toMatchObject([{ full_name: "carol/mine" }]);
    });

    test("a fork of an empty repository is empty", async () => {
      expect(await bob.post("/repos/alice/empty/forks", {}).expect(202)).toMatchObject({ empty: true, branch_count: 0, parent: { full_name: "alice/empty" } });
      await write(bob, "bob/empty", "first.txt", "first", "main");
      expect(await bob.get("/repos/bob/empty").expect(200)).toMatchObject({ empty: false, branch_count: 1 });
    });

    test("a fork of a private repository is private, and both remain isolated from each other", async () => {
      await alice.put("/repos/alice/hidden/collaborators/bob", { permission: "read" }).expect(204);
      expect(await bob.post("/repos/alice/hidden/forks", {}).expect(202)).toMatchObject({ private: true });
      await carol.get("/repos/bob/hidden").expect(404);
      const { commit } = await write(bob, "bob/hidden", "secret.txt", "CANARY", "main");
      // Objects pushed to a fork are not found in its parent, nor in other forks.
      for (const [owner, name] of [
        ["alice", "hidden"],
        ["alice", "full"],
      ] as const) {
        expect(await readInfo(await storeOf(owner, name), commit.sha)).toBeUndefined();
        await alice.get(`/repos/${owner}/${name}/git/commits/${commit.sha}`).expect(404);
      }
      // A user who lost access to the parent cannot see it through the fork.
      await alice.delete("/repos/alice/hidden/collaborators/bob").expect(204);
      const left = await bob.get("/repos/bob/hidden").expect(200);
      expect(left.fork).toBe(true);
      expect(left.parent).toBeUndefined();
    });
  });

  test("a fork has the Git LFS files of its parent as of the time of the fork", async () => {
    await alice.post("/user/repos", { name: "large" }).expect(201);
    const content = "a large file";
    const oid = createHash("sha256").update(content).digest("hex");
    const lfs = { accept: "application/vnd.git-lfs+json", "content-type": "application/vnd.git-lfs+json" };
    const download = { operation: "download", transfers: ["basic"], objects: [{ oid, size: content.length }] };
    await alice.put(`//alice/large.git/info/lfs/objects/${oid}/${content.length}`, content, { "content-type": "application/octet-stream" }).expect(200);
    await bob.post("/repos/alice/large/forks", {}).expect(202);
    expect(await bob.post("//bob/large.git/info/lfs/objects/batch", download, lfs).expect(200)).toMatchObject({
      objects: [{ oid, actions: { download: {} } }],
    });
    await alice.delete("/repos/alice/large").expect(204);
    expect((await bob.get(`//bob/large.git/info/lfs/objects/${oid}`)).text).toBe(content);
  });

  test("a fork that fails in storage leaves nothing visible, and can be repeated", async () => {
    await alice.post("/user/repos", { name: "cut", auto_init: true }).expect(201);
    const { db, git } = forge.context;
    const { last } = await db.sql.selectFrom("git_stores").select(db.sql.fn.max("id").as("last")).executeTakeFirstOrThrow();
    // A file at the path of the new store's folder.
    const obstacle = dirname(storePath(git.root, Number(last) + 1));
    writeFileSync(obstacle, "in the way");
    await bob.post("/repos/alice/cut/forks", {}).expect(503);
    rmSync(obstacle);
    const problems: string[] = [];
    await checkStores({ db, git }, (_storeId, problem) => problems.push(problem));
    expect(problems).toEqual([]);
    await bob.get("/repos/bob/cut").expect(404);
    expect(await alice.get("/repos/alice/cut").expect(200)).toMatchObject({ forks_count: 0 });
    await bob.post("/repos/alice/cut/forks", {}).expect(202);
    await bob.get("/repos/bob/cut/contents/README.md").expect(200);
  });

  describe("rejected forks", () => {
    test.each([
      ["twice", "bob", "full", {}, 409, "repository is already forked by user [uname: bob, repo path: alice/full, fork path: bob/full]"],
      [
        "twice under another name",
        "bob",
        "full",
        { name: "x" },
        409,
        "repository is already forked by user [uname: bob, repo path: alice/full, fork path: bob/full]",
      ],
      ["over a repository of his", "alice", "full", {}, 409, "repository already exists [uname: alice, name: full]"],
      ["into an organization that is not there", "bob", "full", { organization: "nowhere" }, 404, "not found"],
      [
        "into an organization where he may not",
        "bob",
        "full",
        { organization: "acme" },
        403,
        "User is not allowed to create repositories in this organization.",
      ],
      ["under a name that none can have", "alice", "full", { name: "../x" }, 422, "[Name]: AlphaDashDot"],
      ["under a reserved name", "alice", "full", { name: "x.git" }, 422, "name pattern is not allowed [pattern: *.git]"],
      ["what he cannot see", "carol", "hidden", {}, 404, "not found"],
    ])("%s", async (_name, who, repo, body, status, message) => {
      const users: Record<string, TestUser> = { alice, bob, carol };
      expect(await users[who]?.post(`/repos/alice/${repo}/forks`, body).expect(status)).toMatchObject({ message });
    });

    test("rejects anonymous callers, owners over their repository limit, and tokens restricted to repositories", async () => {
      await forge.anonymous.post("/repos/alice/full/forks", {}).expect(401);
      const dan = await forge.createUser("dan");
      await forge.admin.patch("/admin/users/dan", { login_name: "dan", source_id: 0, max_repo_creation: 0 }).expect(200);
      expect(await dan.post("/repos/alice/full/forks", {}).expect(403)).toMatchObject({ message: "user has reached maximum limit of repositories [limit: 0]" });
      const { sha1 } = await createApiClient(forge.url, `Basic ${base64(`bob:${bob.password}`)}`)
        .post("/users/bob/tokens", { name: "limited", scopes: ["all"], repositories: ["alice/raw"] })
        .expect(201);
      await createApiClient(forge.url, `token ${sha1}`).post("/repos/alice/raw/forks", {}).expect(403);
      await alice.put("/user/blocks/dan").expect(204);
      expect(await dan.post("/repos/alice/full/forks", {}).expect(403)).toMatchObject({ message: "user is blocked" });
      await alice.patch("/repos/alice/raw", { has_code: false }).expect(200);
      expect((await bob.post("/repos/alice/raw/forks", {}).expect(403)).message).toContain("user should have specific read permission");
      expect((await alice.get("/repos/alice/full").expect(200)).forks_count).toBe(2);
    });

    test("of concurrent identical requests, only one creates a fork", async () => {
      await alice.post("/user/repos", { name: "raced", auto_init: true }).expect(201);
      const answers = await Promise.all(Array.from({ length: 4 }, (_, index) => carol.post("/repos/alice/raced/forks", { name: `raced-${index % 2}` })));
      expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409]);
      expect((await alice.get("/repos/alice/raced").expect(200)).forks_count).toBe(1);
    });
  });

  test("owners fork their own repository under another name, and into their organization", async () => {
    expect(await alice.post("/repos/alice/full/forks", { name: "again" }).expect(202)).toMatchObject({ full_name: "alice/again" });
    expect(await alice.post("/repos/alice/full/forks", { organization: "acme", name: "forked" }).expect(202)).toMatchObject({ full_name: "acme/forked" });
  });

  describe("merging upstream", () => {
    const merge = (who: TestUser, repo: string, body = {}) => who.post(`/repos/${repo}/merge-upstream`, { branch: "trunk", ...body });

    test("fast-forwards, and reports a branch that is up to date", async () => {
      expect(await merge(bob, "bob/full").expect(200)).toEqual({ merge_type: "up-to-date" });
      await write(alice, "alice/full", "up.txt", "up");
      expect(await merge(bob, "bob/full", { ff_only: true }).expect(200)).toEqual({ merge_type: "fast-forward" });
      expect(await bob.get("/repos/bob/full/contents/up.txt").expect(200)).toMatchObject({ name: "up.txt" });
      expect((await bob.get("/repos/bob/full/branches/trunk").expect(200)).commit.id).toBe(
        (await alice.get("/repos/alice/full/branches/trunk").expect(200)).commit.id,
      );
    });

    test("merges diverged branches without a process", async () => {
      await write(alice, "alice/full", "theirs.txt", "theirs");
      await write(bob, "bob/full", "ours.txt", "ours");
      expect(await merge(bob, "bob/full", { ff_only: true }).expect(400)).toMatchObject({ message: expect.stringContaining("fast-forwarded") });
      const { result, processes } = await forge.cost(() => merge(bob, "bob/full").expect(200));
      expect(result).toEqual({ merge_type: "merge" });
      expect(processes).toBe(0);
      const names = (await bob.get("/repos/bob/full/contents").expect(200)).map(({ name }: { name: string }) => name);
      expect(names).toEqual(expect.arrayContaining(["ours.txt", "theirs.txt", "up.txt"]));
      await forge.settled();
      expect(await findProblems(forge.context, (await storeOf("bob", "full")).id)).toEqual([]);
      expect(await merge(bob, "bob/full").expect(200)).toEqual({ merge_type: "up-to-date" });
    });

    test("rejects conflicts and protected branches", async () => {
      await write(alice, "alice/full", "same.txt", "alice's");
      await write(bob, "bob/full", "same.txt", "bob's");
      expect(await merge(bob, "bob/full").expect(400)).toMatchObject({ message: "the branch and its upstream cannot be merged without conflicts" });
      await bob.post("/repos/bob/full/branch_protections", { rule_name: "other", enable_push: false }).expect(201);
      await write(alice, "alice/full", "ruled.txt", "ruled", "other");
      await merge(bob, "bob/full", { branch: "other" }).expect(403);
    });

    test("rejects repositories that are not forks, unknown branches and callers without write permission", async () => {
      expect(await merge(alice, "alice/full").expect(400)).toMatchObject({ message: "repo is not a fork" });
      const { id } = await bob.get("/repos/bob/full").expect(200);
      expect(await merge(bob, "bob/full", { branch: "nosuch" }).expect(404)).toMatchObject({ message: `branch does not exist [repo_id: ${id} name: nosuch]` });
      await merge(carol, "bob/full").expect(403);
      // A parent that became hidden cannot be merged from.
      await merge(bob, "bob/hidden", { branch: "main" }).expect(404);
    });
  });
});

eachDialect((dialect) => {
  test("an owner over the quota can neither fork, use a template nor receive a transfer", async () => {
    await using forge = await startForge({ dialect, environment: { HEARTH_LIMITS_OWNER_BYTES: "250000" } });
    const [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    const fill = (who: TestUser, repo: string) =>
      who.post(`/repos/${repo}/contents/noise.bin`, { content: randomBytes(150_000).toString("base64"), message: "noise" }).expect(201);
    await alice.post("/user/repos", { name: "big", template: true }).expect(201);
    await fill(alice, "alice/big");
    const { id } = await bob.post("/user/repos", { name: "full" }).expect(201);
    await fill(bob, "bob/full");
    await bob.post("/repos/alice/big/forks", {}).expect(413);
    await bob.post("/repos/alice/big/generate", { owner: "bob", name: "made", git_content: true }).expect(413);
    await alice.post("/repos/alice/big/transfer", { new_owner: "bob" }).expect(201);
    await bob.post("/repos/alice/big/transfer/accept").expect(413);
    expect(await alice.get("/repos/alice/big").expect(200)).toMatchObject({ full_name: "alice/big", forks_count: 0 });
    expect((await bob.get("/users/bob/repos").expect(200)).map(({ name }: { name: string }) => name)).toEqual(["full"]);
    // Deleted repositories that can be restored count towards the quota.
    await bob.delete("/repos/bob/full").expect(204);
    await bob.post("/repos/alice/big/transfer/accept").expect(413);
    await forge.admin.delete(`/admin/repos/deleted/${id}`).expect(204);
    await bob.post("/repos/alice/big/transfer/accept").expect(202);
  });
});
