import { randomBytes } from "node:crypto";
import { readdir, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newObject } from "../../src/git/objects/hash.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createGitUser, type GitUser } from "../kit/git-user.ts";
import { packOf, rawPush, zeroOid } from "../kit/raw-push.ts";

/** Pushes with the stock git: accepted and rejected ones, with their messages. */

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let work: GitUser;
  let lastId = 0;
  /** Commits of a history to push from: main with three commits; side, branched before the last. */
  let main: string;
  let before: string;
  let side: string;

  beforeAll(async () => {
    work = await createGitUser();
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
    await work.init("source");
    await work.commit("source", { "a.txt": "one\n" }, "first");
    before = await work.commit("source", { "a.txt": "two\n" }, "second");
    main = await work.commit("source", { "a.txt": "three\n" }, "third");
    await work.git("source", "checkout", "-q", "-b", "side", before);
    side = await work.commit("source", { "b.txt": "beside\n" }, "beside");
  });
  afterAll(async () => {
    await forge[Symbol.asyncDispose]();
    await work[Symbol.asyncDispose]();
  });

  interface PushTarget {
    readonly name: string;
    readonly url: string;
  }
  const emptyRepository = async (body: object = {}): Promise<PushTarget> => {
    lastId += 1;
    const name = `alice/r${lastId}`;
    await alice.post("/user/repos", { name: `r${lastId}`, ...body }).expect(201);
    return { name, url: `${alice.gitOrigin}/${name}.git` };
  };
  /** With `main` and `side`. */
  const repository = async (): Promise<PushTarget> => {
    const target = await emptyRepository();
    await work.git("source", "push", "-q", target.url, `${main}:refs/heads/main`, `${side}:refs/heads/side`);
    return target;
  };

  /** @param fullName `alice/name` */
  const objectsPathOf = async (fullName: string): Promise<string> => {
    const { code_store_id: id } = await forge.context.db.sql
      .selectFrom("repositories")
      .select("code_store_id")
      .where("name", "=", fullName.replace("alice/", ""))
      .executeTakeFirstOrThrow();
    return forge.context.git.store(id, "sha1").objectsPath;
  };
  const push = (target: PushTarget, ...args: readonly string[]) =>
    work.attempt("source", "push", ...args.filter((arg) => arg.startsWith("-")), target.url, ...args.filter((arg) => !arg.startsWith("-")));
  const refs = async (target: PushTarget): Promise<Record<string, string>> =>
    Object.fromEntries((await work.git("source", "ls-remote", "--refs", target.url)).split("\n").map((line) => line.split("\t").reverse()));
  /** A push that the server rejects at least in part. @returns the output of git */
  const refused = async (target: PushTarget, ...args: readonly string[]): Promise<string> => {
    const { code, stderr } = await push(target, ...args);
    expect(code, stderr).toBe(1);
    return stderr;
  };

  describe("accepted pushes", () => {
    test.each([0, 1, 2])("create, move and delete branches and tags, in protocol version %d", async (version) => {
      const target = await emptyRepository();
      const git = (...args: readonly string[]) => work.git("source", "-c", `protocol.version=${version}`, "push", "-q", target.url, ...args);
      await git(`${before}:refs/heads/main`);
      expect(await alice.get(`/repos/${target.name}`).expect(200)).toMatchObject({ empty: false, default_branch: "main" });
      await git(`${main}:refs/heads/main`, `${side}:refs/heads/feat/ure`, `${before}:refs/tags/v1`, `${before}:refs/notes/x`);
      expect(await refs(target)).toEqual({ "refs/heads/main": main, "refs/heads/feat/ure": side, "refs/tags/v1": before, "refs/notes/x": before });
      await git(":refs/heads/feat/ure", ":refs/tags/v1", ":refs/notes/x");
      expect(await refs(target)).toEqual({ "refs/heads/main": main });
    });

    test("choose the default branch when the configured one is not pushed", async () => {
      const target = await emptyRepository();
      expect((await push(target, `${side}:refs/heads/trunk`)).code).toBe(0);
      expect((await alice.get(`/repos/${target.name}`).expect(200)).default_branch).toBe("trunk");
      expect(await work.git("source", "ls-remote", "--symref", target.url, "HEAD")).toContain("ref: refs/heads/trunk\tHEAD");
    });

    test("rewind a branch, when forced", async () => {
      const target = await repository();
      expect(await refused(target, `${before}:refs/heads/main`)).toContain("[rejected]");
      expect((await push(target, "--force", `${side}:refs/heads/main`)).code).toBe(0);
      expect((await refs(target))["refs/heads/main"]).toBe(side);
    });

    test("with a lease move a branch only from the expected commit", async () => {
      const target = await repository();
      const stale = await refused(target, `--force-with-lease=refs/heads/main:${before}`, `${side}:refs/heads/main`);
      expect(stale).toContain("stale info");
      expect((await push(target, `--force-with-lease=refs/heads/main:${main}`, `${side}:refs/heads/main`)).code).toBe(0);
      expect((await refs(target))["refs/heads/main"]).toBe(side);
    });

    test("mirror another repository, including deletions", async () => {
      const target = await repository();
      await work.git(".", "clone", "-q", "--bare", "source", `mirror-${lastId}`);
      await work.git(`mirror-${lastId}`, "update-ref", "refs/custom/kept", before);
      await work.git(`mirror-${lastId}`, "push", "-q", "--mirror", target.url);
      expect(await work.git(".", "ls-remote", "--refs", target.url)).toBe(await work.git(`mirror-${lastId}`, "ls-remote", "--refs", "."));
      await work.git(`mirror-${lastId}`, "branch", "-q", "-D", "side");
      await work.git(`mirror-${lastId}`, "push", "-q", "--prune", target.url, "refs/heads/*:refs/heads/*");
      expect(await refs(target)).toEqual({ "refs/heads/main": main, "refs/custom/kept": before });
    });

    test("from a shallow clone add commits on top", async () => {
      const target = await repository();
      const shallow = `shallow-${lastId}`;
      await work.git(".", "clone", "-q", "--depth", "1", target.url, shallow);
      const tip = await work.commit(shallow, { "c.txt": "from a shallow clone" });
      await work.git(shallow, "push", "-q", "origin", "HEAD:main");
      expect((await refs(target))["refs/heads/main"]).toBe(tip);
    });

    test("from a shallow clone are rejected when the repository lacks the missing history", async () => {
      const target = await repository();
      const shallow = `cut-${lastId}`;
      await work.git(".", "clone", "-q", "--depth", "1", target.url, shallow);
      await work.git(shallow, "checkout", "-q", "--orphan", "whole");
      await work.commit(shallow, { "d.txt": "a history of its own" });
      const other = await emptyRepository();
      const refused = await work.attempt(shallow, "push", other.url, "origin/main:refs/heads/main");
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("(shallow update not allowed)") });
      expect(refused.stderr).toContain("git fetch --unshallow");
      expect(refused.stderr).not.toContain("unpack");
      expect(await work.git("source", "ls-remote", other.url)).toBe("");
      // Branches that do not need the missing history are accepted.
      await work.git(shallow, "push", "-q", other.url, "whole:refs/heads/whole");
      const mixed = await work.attempt(shallow, "push", other.url, "origin/main:refs/heads/main", "whole:refs/heads/again");
      expect(mixed).toMatchObject({ code: 1, stderr: expect.stringContaining("(shallow update not allowed)") });
      await work.git(shallow, "fetch", "-q", "--unshallow");
      await work.git(shallow, "push", "-q", other.url, "origin/main:refs/heads/main");
    });

    test("may be compressed or chunked", async () => {
      const target = await emptyRepository();
      await work.git(".", "clone", "-q", "source", `large-${lastId}`);
      const tip = await work.commit(`large-${lastId}`, { "large.bin": randomBytes(300_000) });
      const { code, stderr } = await work.attempt(`large-${lastId}`, "-c", "http.postBuffer=66000", "push", "-v", target.url, "HEAD:refs/heads/main");
      expect(code, stderr).toBe(0);
      expect(stderr).toContain("POST git-receive-pack (chunked)");
      expect((await refs(target))["refs/heads/main"]).toBe(tip);
      await work.git("source", "push", "-q", target.url, ...Array.from({ length: 100 }, (_, index) => `${before}:refs/tags/t${index}`));
      expect(Object.keys(await refs(target))).toHaveLength(101);
    });

    test("contain SHA-256 objects only for a SHA-256 repository", async () => {
      const target = await emptyRepository({ object_format_name: "sha256" });
      const folder = `long-${lastId}`;
      await work.init(folder, "--object-format=sha256");
      const tip = await work.commit(folder, { "a.txt": "a" });
      await work.git(folder, "push", "-q", target.url, "HEAD:refs/heads/main");
      await work.git(folder, "push", "-q", target.url, "HEAD:refs/tags/v1", "HEAD:refs/heads/main");
      expect((await refs(target))["refs/heads/main"]).toBe(tip);
      expect((await push(target, `${main}:refs/heads/other`)).code).not.toBe(0);
      expect(Object.keys(await refs(target))).toEqual(["refs/heads/main", "refs/tags/v1"]);
    });
  });

  describe("rejected pushes", () => {
    test("the deletion of the default branch, with a reason", async () => {
      const target = await repository();
      const output = await refused(target, ":main");
      expect(output).toContain("remote: error: branch main is the default branch and cannot be deleted");
      expect(output).toContain("! [remote rejected] main (pre-receive hook declined)");
      expect((await refs(target))["refs/heads/main"]).toBe(main);
    });

    test("one ref of several, while the others are accepted", async () => {
      const target = await repository();
      const output = await refused(target, `${main}:refs/heads/fine`, `${main}:refs/pull/1/head`, `${main}:refs/tags/fine`);
      expect(output).toContain("[remote rejected]");
      expect(output).toContain("refs/pull/1/head is managed by the server and cannot be pushed to");
      expect(Object.keys(await refs(target))).toEqual(["refs/heads/fine", "refs/heads/main", "refs/heads/side", "refs/tags/fine"]);
    });

    test("all refs of an atomic push with one invalid ref", async () => {
      const target = await repository();
      const was = await refs(target);
      const output = await refused(target, "--atomic", `${main}:refs/heads/fine`, `${main}:refs/pull/1/head`, `${before}:refs/tags/fine`);
      expect(output).toContain("atomic push failure");
      expect(await refs(target)).toEqual(was);
      expect((await push(target, "--atomic", `${main}:refs/heads/fine`, `${before}:refs/tags/fine`, ":side")).code).toBe(0);
      expect(Object.keys(await refs(target))).toEqual(["refs/heads/fine", "refs/heads/main", "refs/tags/fine"]);
    });

    test("names that conflict with existing refs", async () => {
      const target = await repository();
      expect(await refused(target, `${main}:refs/heads/main/below`)).toContain("conflicts with refs/heads/main: delete it or use another name");
      expect((await push(target, `${main}:refs/heads/dir/leaf`)).code).toBe(0);
      expect(await refused(target, `${main}:refs/heads/dir`)).toContain("conflicts with refs/heads/dir/leaf: delete it or use another name");
      // One push may delete the conflicting ref itself.
      expect((await push(target, ":dir/leaf", `${main}:refs/heads/dir`)).code).toBe(0);
      expect(Object.keys(await refs(target))).toContain("refs/heads/dir");
    });

    test.each([
      ["a commit id", () => main],
      ["HEAD", () => "HEAD"],
      ["an option", () => "--output=/tmp/pwned"],
      ["a complete name", () => "refs/heads/x"],
      ["more than a file name takes", () => "x".repeat(300)],
    ])("a branch named %s", async (_what, branch) => {
      const target = await repository();
      const was = await refs(target);
      expect(await refused(target, `${main}:refs/heads/${branch()}`)).toContain("(funny refname)");
      expect(await refs(target)).toEqual(was);
    });

    test("every ref of a user with read access only", async () => {
      const target = await repository();
      const output = await refused({ ...target, url: `${bob.gitOrigin}/${target.name}.git` }, `${main}:refs/heads/x`);
      expect(output).toContain("remote: error: User permission denied for writing.");
      expect(Object.keys(await refs(target))).toHaveLength(2);
      await alice.put(`/repos/${target.name}/collaborators/bob`, { permission: "write" }).expect(204);
      expect((await push({ ...target, url: `${bob.gitOrigin}/${target.name}.git` }, `${main}:refs/heads/x`)).code).toBe(0);
    });

    test("a branch that is not a commit, while tags may have any target", async () => {
      const target = await repository();
      const tree = await work.git("source", "rev-parse", `${main}^{tree}`);
      expect((await push(target, `${tree}:refs/tags/tree`)).code).toBe(0);
      // Clients reject invalid pushes themselves, so this one is sent as raw bytes.
      const { code, stderr } = await push(target, "--force", `${tree}:refs/heads/tree`);
      expect(code, stderr).toBe(1);
      expect(Object.keys(await refs(target))).toEqual(["refs/heads/main", "refs/heads/side", "refs/tags/tree"]);
    });

    test("objects that violate git's own rules", async () => {
      const target = await emptyRepository();
      const folder = `bad-${lastId}`;
      await work.init(folder);
      const blob = await work.git("source", "rev-parse", `${main}:a.txt`);
      await work.git(folder, "fetch", "-q", "../source", "main");
      // A tree with an entry named `.git`, as in an attack.
      await writeFile(`${work.path}/${folder}/tree`, Buffer.concat([Buffer.from("100644 .git\0"), Buffer.from(blob, "hex")]));
      const tree = await work.git(folder, "hash-object", "-t", "tree", "-w", "--literally", "tree");
      const commit = await work.git(folder, "commit-tree", "-m", "bad", tree);
      const { code, stderr } = await work.attempt(folder, "push", target.url, `${commit}:refs/heads/main`);
      expect(code).toBe(1);
      expect(stderr).toContain("hasDotgit");
      expect(stderr).toContain("[remote rejected]");
      expect(await work.git("source", "ls-remote", target.url)).toBe("");
    });
  });

  describe("push options", () => {
    test("are ignored if unknown", async () => {
      const target = await repository();
      expect((await push(target, "--push-option=ci.skip", "--push-option=a=1;repo_id=2", `${before}:refs/heads/x`)).code).toBe(0);
    });

    test("change the repository for its owner, not for a writer", async () => {
      const target = await repository();
      await alice.put(`/repos/${target.name}/collaborators/bob`, { permission: "write" }).expect(204);
      const asBob = { ...target, url: `${bob.gitOrigin}/${target.name}.git` };
      expect((await push(asBob, "--push-option=repo.private=true", "--push-option=repo.template", `${before}:refs/heads/x`)).code).toBe(0);
      expect(await alice.get(`/repos/${target.name}`).expect(200)).toMatchObject({ private: false, template: false });
      expect((await push(target, "--push-option=repo.private", "--push-option=repo.template=true", `${before}:refs/heads/y`)).code).toBe(0);
      expect(await alice.get(`/repos/${target.name}`).expect(200)).toMatchObject({ private: true, template: true });
      expect((await push(asBob, "--push-option=repo.private=false", `${before}:refs/heads/z`)).code).toBe(0);
      expect((await alice.get(`/repos/${target.name}`).expect(200)).private).toBe(true);
    });
  });

  describe("costs of a push", () => {
    test("one commit: no process but the worker that reads the store, a constant number of statements", async () => {
      const target = await repository();
      const folder = `one-${lastId}`;
      await work.git(".", "clone", "-q", target.url, folder);
      await work.commit(folder, { "d.txt": "d" });
      await forge.settled();
      const { processes, statements } = await forge.cost(() => work.git(folder, "push", "-q", "origin", "HEAD:main"));
      expect(processes).toBeLessThanOrEqual(1);
      expect(statements.length).toBeLessThanOrEqual(22);
    });

    test("two thousand tags cost as many statements as two", async () => {
      const target = await repository();
      const tags = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `${zeroOid} ${before} refs/tags/t${from + index}`);
      await forge.settled();
      const few = await forge.cost(() => rawPush(forge.url, alice, target.name, { commands: tags(0, 2) }));
      await forge.settled();
      const many = await forge.cost(() => rawPush(forge.url, alice, target.name, { commands: tags(2, 2_002) }));
      expect(many.result.text.match(/ok refs\/tags\/t/g)).toHaveLength(2_000);
      expect(many.processes).toBeLessThanOrEqual(1);
      // Rows are written in batches that fit into one statement.
      expect(many.statements.length).toBeLessThanOrEqual(few.statements.length + 25);
      expect(Object.keys(await refs(target))).toHaveLength(2_004);
    });

    test("a push reads only the refs that it needs, however many there are", async () => {
      const target = await repository();
      const tags = Array.from({ length: 1_000 }, (_, index) => `${zeroOid} ${before} refs/tags/many${index}`);
      await rawPush(forge.url, alice, target.name, { commands: tags });
      await work.git("source", "checkout", "-q", "-B", "next", main);
      const next = await work.commit("source", { "next.txt": `${lastId}` }, "next");
      const { statements, processes } = await forge.cost(() =>
        work.git("source", "push", "-q", target.url, `${next}:refs/heads/main`, `${next}:refs/heads/new`),
      );
      const lists = statements.filter((sql) => /from "refs"/.test(sql) && !/json_each|any\(|unnest|limit/.test(sql));
      expect([lists, processes]).toEqual([[], 0]);
    });

    test("a push to a ref that has moved is refused before its pack is read, and leaves no file", async () => {
      const target = await repository();
      const objectsPath = await objectsPathOf(target.name);
      const files = async () => (await readdir(objectsPath, { recursive: true })).sort();
      await forge.settled();
      const present = await files();
      const commands = [`${before} ${side} refs/heads/main`];
      const { result, processes } = await forge.cost(() =>
        Promise.all(Array.from({ length: 20 }, () => rawPush(forge.url, alice, target.name, { commands, pack: randomBytes(300_000) }))),
      );
      for (const { text } of result) expect(text).toContain("fetch first");
      expect(processes).toBe(0);
      expect(await files()).toEqual(present);
    });
  });

  test("a push that names one ref twice is refused for both, and the other refs move", async () => {
    const target = await repository();
    const commands = [`${zeroOid} ${before} refs/heads/twice`, `${zeroOid} ${before} refs/heads/once`, `${zeroOid} ${before} refs/heads/twice`];
    const { text } = await rawPush(forge.url, alice, target.name, { commands });
    expect(text.match(/ng refs\/heads\/twice /g)).toHaveLength(2);
    expect(text).toContain("ok refs/heads/once");
    expect(text).not.toContain("ok refs/heads/twice");
    const after = await refs(target);
    expect([after["refs/heads/once"], after["refs/heads/twice"]]).toEqual([before, undefined]);
  });

  describe("concurrent pushes", () => {
    test("to one branch: one succeeds, the others are asked to fetch first", async () => {
      const target = await repository();
      const folders = await Promise.all(
        [1, 2, 3, 4].map(async (index) => {
          const folder = `race-${lastId}-${index}`;
          await work.git(".", "clone", "-q", target.url, folder);
          await work.commit(folder, { [`race-${index}.txt`]: `${index}` }, `race ${index}`);
          return folder;
        }),
      );
      const runs = await Promise.all(folders.map((folder) => work.attempt(folder, "push", "origin", "HEAD:main")));
      const won = runs.flatMap(({ code }, index) => (code === 0 ? [folders[index] ?? ""] : []));
      expect(won).toHaveLength(1);
      expect((await refs(target))["refs/heads/main"]).toBe(await work.git(won[0] ?? "", "rev-parse", "HEAD"));
      for (const { stderr } of runs.filter(({ code }) => code !== 0)) expect(stderr).toMatch(/fetch first/);
    });

    test("to one branch: those that lose the race leave no pack", async () => {
      const target = await repository();
      const objectsPath = await objectsPathOf(target.name);
      const packs = async () => (await readdir(objectsPath, { recursive: true })).filter((name) => name.endsWith(".pack")).length;
      const treeOid = await work.git("source", "rev-parse", `${main}^{tree}`);
      const present = await packs();
      const replies = await Promise.all(
        Array.from({ length: 24 }, (_, index) => {
          const person = "Ann <ann@example.com> 1700000000 +0000";
          const text = `tree ${treeOid}\nparent ${main}\nauthor ${person}\ncommitter ${person}\n\nrace ${index}\n`;
          const commit = newObject("sha1", "commit", Buffer.from(text));
          return rawPush(forge.url, alice, target.name, { commands: [`${main} ${commit.oid} refs/heads/main`], pack: packOf([commit]) });
        }),
      );
      expect(replies.filter(({ text }) => text.includes("ok refs/heads/main"))).toHaveLength(1);
      expect(replies.filter(({ text }) => text.includes("fetch first"))).toHaveLength(23);
      expect(await packs()).toBe(present + 1);
    });

    test("to different branches: all succeed", async () => {
      const target = await repository();
      const runs = await Promise.all([1, 2, 3, 4, 5, 6].map((index) => push(target, `${before}:refs/heads/own-${index}`)));
      expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
      expect(Object.keys(await refs(target))).toHaveLength(8);
      expect((await alice.get(`/repos/${target.name}`).expect(200)).branch_count).toBe(8);
    });
  });
});
