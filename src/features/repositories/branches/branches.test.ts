import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { differences } from "../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { createClient } from "../../../../test/kit/git.ts";
import { push } from "../../../../test/kit/push.ts";
import { pruneDeletedBranches } from "./service/deleted.ts";

const client = createClient();
afterAll(() => client.remove());
const first = client.commit({ "a.txt": "one" }, { message: "first\n\nwith a body\n", seconds: 1_600_000_000 });
const second = client.commit({ "a.txt": "two" }, { message: "second\n", author: "Alice <alice@example.com>" });
client.git("checkout", "-q", "-b", "side", first);
const side = client.commit({ "b.txt": "three" }, { message: "side\n", author: "Hidden <3+bob@noreply.127.0.0.1>" });
client.git("tag", "-a", "-m", "Version one\n\nnotes", "v1", first);
client.git("tag", "light", second);
client.git("tag", "dev/x", first);

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let count = 0;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice", { full_name: "Alice A." });
    bob = await forge.createUser("bob");
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const emptyRepository = async (): Promise<string> => {
    count += 1;
    await alice.post("/user/repos", { name: `r${count}` }).expect(201);
    return `alice/r${count}`;
  };
  const repository = async (): Promise<string> => {
    const name = await emptyRepository();
    await push(client, alice, name, `${second}:refs/heads/main`, `${side}:refs/heads/side`, "v1", "light");
    return name;
  };
  const tipOf = async (name: string, branch: string): Promise<string> => (await alice.get(`/repos/${name}/branches/${branch}`).expect(200)).commit.id;
  const names = (list: { name: string }[]): string[] => list.map(({ name }) => name);

  describe("branches", () => {
    test("shows a branch with its latest commit", async () => {
      const name = await repository();
      expect(await bob.get(`/repos/${name}/branches/main`).expect(200)).toEqual({
        name: "main",
        commit: {
          id: second,
          message: "second\n",
          url: `${forge.url}/${name}/commit/${second}`,
          author: { name: "Alice", email: "alice@example.com", username: "alice" },
          committer: { name: "Carl Committer", email: "carl@example.com", username: "" },
          verification: { verified: false, reason: "gpg.error.not_signed_commit", signature: "", signer: null, payload: "" },
          timestamp: client.git("log", "-1", "--format=%aI", second),
          added: null,
          removed: null,
          modified: null,
        },
        protected: false,
        required_approvals: 0,
        enable_status_check: false,
        status_check_contexts: [],
        user_can_push: false,
        user_can_merge: false,
        effective_branch_protection_name: "",
      });
      expect(await alice.get(`/repos/${name}/branches/main`).expect(200)).toMatchObject({ user_can_push: true, user_can_merge: true });
      expect((await alice.get(`/repos/${name}/branches/side`).expect(200)).commit.author.username).toBe("bob");
      expect((await alice.get(`/repos/${name}/branches/nosuch`).expect(404)).message).toBe("not found");
    });

    test("lists branches in pages, most recent commits first", async () => {
      const name = await repository();
      await push(client, alice, name, `${first}:refs/heads/b`, `${first}:refs/heads/a`);
      const all = await alice.get(`/repos/${name}/branches`);
      expect(names(all.json)).toEqual(["side", "main", "a", "b"]);
      expect(all.headers.get("x-total-count")).toBe("4");
      expect(all.headers.get("link")).toBeNull();
      const page = await alice.get(`/repos/${name}/branches?limit=2&page=2`);
      expect(names(page.json)).toEqual(["a", "b"]);
      expect(page.headers.get("link")).toContain('rel="prev"');
      expect(await alice.get(`/repos/${name}/branches?limit=2&page=9`).expect(200)).toEqual([]);
    });

    test("an empty repository has no branches and accepts none through the API", async () => {
      const name = await emptyRepository();
      const listed = await alice.get(`/repos/${name}/branches`);
      expect([listed.text, listed.headers.get("x-total-count")]).toEqual(["null\n", "0"]);
      expect(await alice.get(`/repos/${name}/branches`).expect(200)).toBeNull();
      await alice.get(`/repos/${name}/branches/main`).expect(404);
      for (const call of [
        alice.post(`/repos/${name}/branches`, { new_branch_name: "x" }),
        alice.patch(`/repos/${name}/branches/main`, { name: "x" }),
        alice.put(`/repos/${name}/branches/main`, { new_commit_id: first }),
        alice.delete(`/repos/${name}/branches/main`),
      ]) {
        expect((await call.expect(404)).message).toBe("Git Repository is empty.");
      }
    });

    test("creates a branch from a branch, a tag, a commit or the default branch", async () => {
      const name = await repository();
      const create = (body: object) => alice.post(`/repos/${name}/branches`, body).expect(201);
      expect((await create({ new_branch_name: "b1" })).commit.id).toBe(second);
      expect((await create({ new_branch_name: "b2", old_branch_name: "side" })).commit.id).toBe(side);
      expect((await create({ new_branch_name: "b3", old_ref_name: "v1" })).commit.id).toBe(first);
      expect((await create({ new_branch_name: "b4", old_ref_name: side })).commit.id).toBe(side);
      expect((await create({ new_branch_name: "b5", old_ref_name: side.slice(0, 8) })).commit.id).toBe(side);
      expect((await create({ new_branch_name: "feat/with/slash", old_ref_name: "main" })).name).toBe("feat/with/slash");
      expect(await tipOf(name, "feat/with/slash")).toBe(second);
      expect(await tipOf(name, "feat%2Fwith%2Fslash")).toBe(second);
      expect((await alice.get(`/repos/${name}`).expect(200)).branch_count).toBe(8);
    });

    test("rejects names that are in use and invalid names with Gitea's messages", async () => {
      const name = await repository();
      await push(client, alice, name, "dev/x");
      const refused = async (body: object, status: number) => (await alice.post(`/repos/${name}/branches`, body).expect(status)).message;
      expect(await refused({ new_branch_name: "side" }, 409)).toBe("The branch already exists.");
      expect(await refused({ new_branch_name: "v1" }, 409)).toBe("The branch with the same tag already exists.");
      expect(await refused({ new_branch_name: "side/sub" }, 409)).toBe("The branch with the same name already exists.");
      await alice.post(`/repos/${name}/branches`, { new_branch_name: "dir/leaf" }).expect(201);
      expect(await refused({ new_branch_name: "dir" }, 409)).toBe("The branch with the same name already exists.");
      expect(await refused({ new_branch_name: "x", old_ref_name: "nosuch" }, 404)).toBe("The old branch does not exist");
      expect(await refused({ new_branch_name: "x", old_branch_name: "v1" }, 404)).toBe("The old branch does not exist");
      expect(await refused({}, 422)).toBe("[BranchName]: Required");
      for (const bad of [
        "bad..name",
        `x\ncreate refs/heads/y ${first}`,
        "a b",
        "-x",
        "--output=/tmp/pwned",
        "HEAD",
        first,
        "refs/heads/x",
        "x.lock",
        "/x",
        "x\u0000",
        "a".repeat(101),
      ]) {
        expect(await refused({ new_branch_name: bad }, 422), bad).toMatch(/^\[BranchName\]: (GitRefName|MaxSize)$/);
      }
      expect(names(await alice.get(`/repos/${name}/branches`).expect(200)).sort()).toEqual(["dir/leaf", "main", "side"]);
    });

    test("of twenty concurrent requests to create the same branch, exactly one succeeds", async () => {
      const name = await repository();
      const answers = await Promise.all(Array.from({ length: 20 }, () => alice.post(`/repos/${name}/branches`, { new_branch_name: "race" })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
      expect((await alice.get(`/repos/${name}`).expect(200)).branch_count).toBe(3);
    });

    test("twenty concurrent requests to create different branches all succeed", async () => {
      const name = await repository();
      const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => alice.post(`/repos/${name}/branches`, { new_branch_name: `n${index}` })));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
      expect((await alice.get(`/repos/${name}`).expect(200)).branch_count).toBe(22);
    });

    test("renaming keeps the commit, and a renamed default branch stays the default branch", async () => {
      const name = await repository();
      const rename = (from: string, to: string) => alice.patch(`/repos/${name}/branches/${from}`, { name: to });
      await rename("side", "side/way").expect(204);
      expect(await tipOf(name, "side/way")).toBe(side);
      await alice.get(`/repos/${name}/branches/side`).expect(404);
      const inUse = "Cannot rename a branch using the same name or rename to a branch that already exists.";
      for (const to of ["main", "side/way", "side/way/on"]) {
        await rename("side/way", "other").expect(204);
        expect((await rename("other", to === "side/way/on" ? "main/on" : to === "side/way" ? "other" : to).expect(422)).message).toBe(inUse);
        await rename("other", "side/way").expect(204);
      }
      expect((await rename("nosuch", "x").expect(404)).message).toBe("Branch doesn't exist.");
      expect((await rename("side/way", "bad..name").expect(422)).message).toBe("[Name]: GitRefName");
      await rename("main", "trunk").expect(204);
      expect(await alice.get(`/repos/${name}`).expect(200)).toMatchObject({ default_branch: "trunk", branch_count: 2, empty: false });
    });

    test("updates a branch by fast-forward, and backwards only with force", async () => {
      const name = await repository();
      const update = (body: object) => alice.put(`/repos/${name}/branches/work`, body);
      await alice.post(`/repos/${name}/branches`, { new_branch_name: "work", old_ref_name: "v1" }).expect(201);
      await update({ new_commit_id: second, old_commit_id: first }).expect(204);
      expect(await tipOf(name, "work")).toBe(second);
      await update({ new_commit_id: second, old_commit_id: first }).expect(422);
      expect((await update({ new_commit_id: side }).expect(422)).message).toBe("Force push work need a confirm force parameter");
      await update({ new_commit_id: side, force: true }).expect(204);
      expect(await tipOf(name, "work")).toBe(side);
      await update({ new_commit_id: "f".repeat(40) }).expect(422);
      await update({ new_commit_id: "HEAD@{1}" }).expect(422);
      await update({ new_commit_id: "refs/heads/main^", force: true }).expect(204);
      expect(await tipOf(name, "work")).toBe(first);
      await update({ new_commit_id: side, force: true }).expect(204);
      expect((await update({}).expect(422)).message).toBe("[NewCommitID]: Required");
      await alice.put(`/repos/${name}/branches/nosuch`, { new_commit_id: first }).expect(404);
      expect(await tipOf(name, "work")).toBe(side);
    });

    test("reads, updates, renames and deletes a branch by its name with a prefix, and makes it the default branch", async () => {
      const name = await repository();
      expect((await alice.get(`/repos/${name}/branches/refs/heads/side`).expect(200)).name).toBe("side");
      await alice.put(`/repos/${name}/branches/heads/side`, { new_commit_id: second, force: true }).expect(204);
      expect(await tipOf(name, "side")).toBe(second);
      await alice.patch(`/repos/${name}/branches/refs/heads/side`, { name: "renamed" }).expect(204);
      expect((await alice.patch(`/repos/${name}`, { default_branch: "refs/heads/renamed" }).expect(200)).default_branch).toBe("renamed");
      await alice.post(`/repos/${name}/contents/new.txt`, { content: "", branch: "heads/main" }).expect(201);
      expect(await tipOf(name, "main")).not.toBe(second);
      await alice.delete(`/repos/${name}/branches/heads/main`).expect(204);
      expect(names(await alice.get(`/repos/${name}/branches`).expect(200))).toEqual(["renamed"]);
    });

    test("refuses to delete the default branch", async () => {
      const name = await repository();
      await alice.delete(`/repos/${name}/branches/side`).expect(204);
      expect(await alice.delete(`/repos/${name}/branches/side`).expect(404)).toMatchObject({
        errors: ["branch does not exist [name: side]"],
        message: "not found",
      });
      expect((await alice.delete(`/repos/${name}/branches/main`).expect(403)).message).toBe("can not delete default or pull request target branch");
      expect((await alice.get(`/repos/${name}`).expect(200)).branch_count).toBe(1);
    });

    test("users without write permission cannot change branches", async () => {
      const name = await repository();
      for (const [who, status] of [
        [bob, 403],
        [forge.anonymous, 401],
      ] as const) {
        await who.post(`/repos/${name}/branches`, { new_branch_name: "evil" }).expect(status);
        await who.patch(`/repos/${name}/branches/side`, { name: "evil" }).expect(status);
        await who.put(`/repos/${name}/branches/side`, { new_commit_id: first, force: true }).expect(status);
        await who.delete(`/repos/${name}/branches/side`).expect(status);
        await who.post(`/repos/${name}/tags`, { tag_name: "evil" }).expect(status);
        await who.delete(`/repos/${name}/tags/v1`).expect(status);
      }
      expect(await tipOf(name, "side")).toBe(side);
    });

    test("listing branches takes the same number of statements for any page size, and no process", async () => {
      const name = await repository();
      const listed = async (limit: number) => {
        await forge.settled();
        const { statements, processes, result } = await forge.cost(() => alice.get(`/repos/${name}/branches?limit=${limit}`).expect(200));
        return { statements: statements.length, processes, items: result.length };
      };
      await push(client, alice, name, ...Array.from({ length: 48 }, (_, index) => `${index % 2 === 0 ? first : side}:refs/heads/many/${index}`));
      await listed(50);
      expect(await listed(1)).toEqual({ statements: 6, processes: 0, items: 1 });
      expect(await listed(50)).toEqual({ statements: 6, processes: 0, items: 50 });
      const one = await forge.cost(() => alice.get(`/repos/${name}/branches/main`).expect(200));
      expect(one.statements.length).toBeLessThanOrEqual(5);
      expect(one.processes).toBe(0);
      const made = await forge.cost(() => alice.post(`/repos/${name}/branches`, { new_branch_name: "one-more" }).expect(201));
      expect(made.processes).toBe(0);
    });
  });

  describe("deleted branches", () => {
    const listed = async (name: string): Promise<{ id: number; name: string; commit_id: string }[]> => alice.get(`/repos/${name}/deleted_branches`).expect(200);
    /** Deletes all objects that are unreachable from the refs on the disk. */
    const collect = async (name: string): Promise<void> => {
      await forge.settled();
      const { git, db } = forge.context;
      const row = await db.sql
        .selectFrom("repositories")
        .select("code_store_id as store_id")
        .where("name", "=", name.split("/")[1] ?? "")
        .executeTakeFirstOrThrow();
      execFileSync("git", ["gc", "--quiet", "--prune=now"], { cwd: git.store(row.store_id, "sha1").path });
    };

    test("lists deleted branches with commit and deleter, and restores them even after housekeeping", async () => {
      const name = await repository();
      await alice.put(`/repos/${name}/collaborators/bob`, { permission: "write" }).expect(204);
      await bob.post(`/repos/${name}/branches`, { new_branch_name: "topic/a", old_ref_name: "side" }).expect(201);
      await alice.post(`/repos/${name}/contents/only.txt`, { content: "", message: "only here", branch: "topic/a" }).expect(201);
      const tip = await tipOf(name, "topic/a");
      await bob.delete(`/repos/${name}/branches/topic/a`).expect(204);
      // A renamed branch does not count as deleted.
      await alice.patch(`/repos/${name}/branches/side`, { name: "edge" }).expect(204);
      await push(client, alice, name, ":refs/heads/edge");
      const found = await listed(name);
      expect(found).toMatchObject([
        { name: "edge", commit_id: side, deleted_by: { login: "alice" } },
        { name: "topic/a", commit_id: tip, deleted_by: { login: "bob" } },
      ]);
      expect(differences(found[0], "DeletedBranch")).toEqual([]);
      const refs = await alice.get(`/repos/${name}/git/refs`).expect(200);
      expect(refs.map(({ ref }: { ref: string }) => ref)).toEqual(["refs/heads/main", "refs/tags/light", "refs/tags/v1"]);
      const greeting = await forge.anonymous.get(`//${name}.git/info/refs?service=git-upload-pack`);
      expect([greeting.status, greeting.text.includes("refs/heads/main"), greeting.text.includes("refs/hearth")]).toEqual([200, true, false]);
      await collect(name);
      expect(await bob.post(`/repos/${name}/deleted_branches/${found[1]?.id}/restore`, {}).expect(201)).toMatchObject({ name: "topic/a", commit: { id: tip } });
      expect(await alice.get(`/repos/${name}/contents/only.txt?ref=topic/a`).expect(200)).toMatchObject({ name: "only.txt" });
      expect((await listed(name)).map((one) => one.name)).toEqual(["edge"]);
      await bob.post(`/repos/${name}/deleted_branches/${found[1]?.id}/restore`, {}).expect(404);
    });

    test("users who can create branches restore one, under another name if its own is in use", async () => {
      const name = await repository();
      await alice.delete(`/repos/${name}/branches/side`).expect(204);
      const path = `/repos/${name}/deleted_branches`;
      const [{ id } = { id: 0 }] = await listed(name);
      for (const [user, status] of [
        [bob, 403],
        [forge.anonymous, 401],
      ] as const) {
        await user.get(path).expect(status);
        await user.post(`${path}/${id}/restore`, {}).expect(status);
      }
      const other = await repository();
      await alice.post(`/repos/${other}/deleted_branches/${id}/restore`, {}).expect(404);
      await alice.delete(`/repos/${other}/deleted_branches/${id}`).expect(404);
      await alice.post(`/repos/${name}/branches`, { new_branch_name: "side" }).expect(201);
      await alice.post(`${path}/${id}/restore`, {}).expect(409);
      for (const wrong of ["a..b", "-x"]) await alice.post(`${path}/${id}/restore`, { name: wrong }).expect(422);
      await alice.post(`/repos/${name}/branch_protections`, { rule_name: "kept/*", enable_push: false }).expect(201);
      await alice.post(`${path}/${id}/restore`, { name: "kept/side" }).expect(403);
      expect(await listed(name)).toHaveLength(1);
      expect(await alice.post(`${path}/${id}/restore`, { name: "side-again" }).expect(201)).toMatchObject({ commit: { id: side } });
    });

    test("keeps the latest hundred deleted branches for thirty days, unless one is discarded", async () => {
      const name = await repository();
      const { db, clock } = forge.context;
      const many = Array.from({ length: 110 }, (_unused, n) => `refs/heads/b${n + 100}`);
      await push(client, alice, name, ...many.map((ref) => `${side}:${ref}`));
      await push(client, alice, name, ...many.map((ref) => `:${ref}`));
      expect((await listed(name)).map((one) => one.name)).toEqual(Array.from({ length: 100 }, (_unused, n) => `b${209 - n}`));
      await alice.delete(`/repos/${name}/branches/side`).expect(204);
      const [latest] = await listed(name);
      expect([latest?.name, (await listed(name)).length]).toEqual(["side", 100]);
      const held = async (): Promise<number> => {
        const rows = await db.sql
          .selectFrom("refs as r")
          .innerJoin("repositories as p", "p.code_store_id", "r.store_id")
          .select("r.name")
          .where("p.name", "=", name.split("/")[1] ?? "")
          .where("r.name", "like", "refs/hearth/%")
          .execute();
        return rows.length;
      };
      expect(await held()).toBe(100);
      await alice.delete(`/repos/${name}/deleted_branches/${latest?.id}`).expect(204);
      expect([await held(), (await listed(name)).length]).toEqual([99, 99]);
      await pruneDeletedBranches({ db, clock });
      expect(await held()).toBe(99);
      await pruneDeletedBranches({ db, clock: { now: () => clock.now() + 31 * 86_400_000 } });
      expect([await held(), await listed(name)]).toEqual([0, []]);
      const { statements } = await forge.cost(() => alice.get(`/repos/${name}/deleted_branches`).expect(200));
      expect(statements.length).toBeLessThanOrEqual(4);
    });
  });

  describe("tags", () => {
    test("shows annotated and lightweight tags", async () => {
      const name = await repository();
      const tagOid = client.git("rev-parse", "refs/tags/v1");
      expect(await bob.get(`/repos/${name}/tags/v1`).expect(200)).toEqual({
        name: "v1",
        message: "Version one\n\nnotes",
        id: tagOid,
        commit: {
          url: `${forge.url}/api/v1/repos/${name}/git/commits/${tagOid}`,
          sha: first,
          created: client.git("for-each-ref", "--format=%(taggerdate:iso-strict)", "refs/tags/v1"),
        },
        zipball_url: `${forge.url}/${name}/archive/v1.zip`,
        tarball_url: `${forge.url}/${name}/archive/v1.tar.gz`,
      });
      expect(await bob.get(`/repos/${name}/tags/light`).expect(200)).toMatchObject({ message: "second", id: second, commit: { sha: second } });
      expect((await bob.get(`/repos/${name}/tags/nosuch`).expect(404)).message).toBe("tag doesn't exist: nosuch");
      expect(await bob.get(`/repos/${name}/git/tags/${tagOid}`).expect(200)).toEqual({
        tag: "v1",
        sha: tagOid,
        url: `${forge.url}/api/v1/repos/${name}/git/tags/${tagOid}`,
        message: "Version one\n\nnotes\n",
        tagger: {
          name: "Carl Committer",
          email: "carl@example.com",
          date: client.git("for-each-ref", "--format=%(taggerdate:iso-strict)", "refs/tags/v1"),
        },
        object: { type: "commit", url: `${forge.url}/api/v1/repos/${name}/git/commits/${first}`, sha: first },
        verification: { verified: false, reason: "gpg.error.not_signed_commit", signature: "", signer: null, payload: "" },
      });
      for (const other of ["v1", first, "f".repeat(40), "HEAD", tagOid.slice(0, 10), "--output=x"])
        await bob.get(`/repos/${name}/git/tags/${other}`).expect(400);
    });

    test("creates, lists and deletes tags", async () => {
      const name = await repository();
      const made = await alice.post(`/repos/${name}/tags`, { tag_name: "v2", message: "two", target: "side" }).expect(201);
      expect(made).toMatchObject({ name: "v2", message: "two", commit: { sha: side } });
      expect(made.id).not.toBe(side);
      expect(await alice.get(`/repos/${name}/git/tags/${made.id}`).expect(200)).toMatchObject({
        message: "two\n",
        tagger: { name: "Alice A", email: "alice@example.com" },
      });
      expect(await alice.post(`/repos/${name}/tags`, { tag_name: "rel/1", target: first }).expect(201)).toMatchObject({
        id: first,
        message: "first\n\nwith a body",
      });
      expect(await alice.post(`/repos/${name}/tags`, { tag_name: "now" }).expect(201)).toMatchObject({ id: second });
      const list = await alice.get(`/repos/${name}/tags`);
      expect(names(list.json)[0]).toBe("v2");
      expect(names(list.json).sort()).toEqual(["light", "now", "rel/1", "v1", "v2"]);
      expect(list.headers.get("x-total-count")).toBe("5");
      const refused = async (body: object, status: number) => (await alice.post(`/repos/${name}/tags`, body).expect(status)).message;
      expect(await refused({ tag_name: "v2", target: first }, 409)).toBe("tag already exists [name: v2]");
      expect(await refused({ tag_name: "v3", target: "nosuch" }, 404)).toBe("target not found: object does not exist [id: nosuch, rel_path: ]");
      expect(await refused({ tag_name: "rel", target: first }, 409)).toBe("the tag rel conflicts with the existing rel/1");
      expect(await refused({}, 422)).toBe("[TagName]: Required");
      for (const bad of ["bad tag", `x\ncreate refs/tags/y ${first}`, "-d", "HEAD", side, "v".repeat(300), "refs/tags/x"])
        await refused({ tag_name: bad }, 422);
      await refused({ tag_name: "v4", message: "a\u0000b" }, 422);
      await alice.delete(`/repos/${name}/tags/rel/1`).expect(204);
      await alice.delete(`/repos/${name}/tags/rel/1`).expect(404);
      await alice.get(`/repos/${name}/tags/rel/1`).expect(404);
    });

    test("returns an empty list for a repository without tags", async () => {
      const name = await emptyRepository();
      const list = await alice.get(`/repos/${name}/tags`);
      expect([list.status, list.json, list.headers.get("x-total-count")]).toEqual([200, [], "0"]);
      await alice.post(`/repos/${name}/tags`, { tag_name: "v1" }).expect(404);
    });

    test("listing tags takes the same number of statements for any page size, and no process", async () => {
      const name = await repository();
      await push(client, alice, name, ...Array.from({ length: 40 }, (_, index) => `${index % 2 === 0 ? first : "v1"}:refs/tags/many/${index}`));
      await alice.get(`/repos/${name}/tags?limit=50`).expect(200);
      await forge.settled();
      for (const limit of [1, 50]) {
        const { statements, processes } = await forge.cost(() => alice.get(`/repos/${name}/tags?limit=${limit}`).expect(200));
        expect([statements.length, processes]).toEqual([3, 0]);
      }
    });
  });

  describe("refs", () => {
    test("returns every ref that begins with the given prefix", async () => {
      const name = await repository();
      await push(client, alice, name, `${first}:refs/heads/p2`, `${first}:refs/heads/p2x`, `${first}:refs/custom/x`);
      const refs = async (path: string) => (await bob.get(`/repos/${name}/git/refs${path}`).expect(200)).map(({ ref }: { ref: string }) => ref);
      expect(await refs("")).toEqual([
        "refs/custom/x",
        "refs/heads/main",
        "refs/heads/p2",
        "refs/heads/p2x",
        "refs/heads/side",
        "refs/tags/light",
        "refs/tags/v1",
      ]);
      expect(await refs("/heads/p2")).toEqual(["refs/heads/p2", "refs/heads/p2x"]);
      expect(await refs("/tags")).toEqual(["refs/tags/light", "refs/tags/v1"]);
      expect(await bob.get(`/repos/${name}/git/refs/tags/v1`).expect(200)).toEqual([
        {
          ref: "refs/tags/v1",
          url: `${forge.url}/api/v1/repos/${name}/git/refs/tags/v1`,
          object: {
            type: "tag",
            sha: client.git("rev-parse", "refs/tags/v1"),
            url: `${forge.url}/api/v1/repos/${name}/git/tags/${client.git("rev-parse", "refs/tags/v1")}`,
          },
        },
      ]);
      await bob.get(`/repos/${name}/git/refs/heads/nosuch`).expect(404);
      await forge.settled();
      const { statements, processes } = await forge.cost(() => bob.get(`/repos/${name}/git/refs`).expect(200));
      expect([statements.length, processes]).toEqual([2, 0]);
    });

    test("returns 404 for an empty repository", async () => {
      expect((await alice.get(`/repos/${await emptyRepository()}/git/refs`).expect(404)).message).toBe("not found");
    });
  });

  describe("revisions that need a reflog or a search, and git options", () => {
    test("match no ref at any endpoint that takes a name", async () => {
      const name = await repository();
      const words = ["--output=/tmp/pwned", "HEAD@{9.years.ago}", "HEAD^{/(a+)+$}", ":/regex", "@{-1}", "main~99999999", "-x", "main:a.txt", "x\ny", "\u0000"];
      const status = async (call: Promise<{ status: number }>): Promise<number> => (await call).status;
      for (const word of words.map(encodeURIComponent)) {
        for (const path of [`branches/${word}`, `tags/${word}`, `git/refs/${word}`]) expect(await status(alice.get(`/repos/${name}/${path}`)), path).toBe(404);
        expect(await status(alice.get(`/repos/${name}/git/tags/${word}`)), word).toBeOneOf([400, 404]);
        expect(await status(alice.delete(`/repos/${name}/branches/${word}`)), word).toBe(404);
        expect(await status(alice.delete(`/repos/${name}/tags/${word}`)), word).toBe(404);
        expect(await status(alice.patch(`/repos/${name}/branches/${word}`, { name: "y" })), word).toBe(404);
        expect(await status(alice.put(`/repos/${name}/branches/${word}`, { new_commit_id: first })), word).toBe(404);
      }
      for (const word of words.filter((given) => !given.includes("\u0000"))) {
        expect((await alice.post(`/repos/${name}/branches`, { new_branch_name: "y", old_ref_name: word })).status, word).toBeOneOf([404, 422]);
        await alice.post(`/repos/${name}/tags`, { tag_name: "y", target: word }).expect(404);
        await alice.put(`/repos/${name}/branches/main`, { new_commit_id: word, force: true }).expect(422);
      }
      expect(await tipOf(name, "main")).toBe(second);
    });

    test("branches, tags and refs of a private repository are not found for other users", async () => {
      const name = await repository();
      await alice.patch(`/repos/${name}`, { private: true }).expect(200);
      for (const path of ["branches", "branches/main", "tags", "tags/v1", "git/refs", `git/tags/${client.git("rev-parse", "refs/tags/v1")}`]) {
        for (const who of [bob, forge.anonymous]) {
          const there = await who.get(`/repos/${name}/${path}`);
          const missing = await who.get(`/repos/alice/nosuch/${path}`);
          expect([there.status, there.text]).toEqual([404, missing.text]);
        }
      }
    });
  });
});
