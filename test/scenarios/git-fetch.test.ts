import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createGitUser, type GitUser } from "../kit/git-user.ts";

/** Fetches and clones with the stock git, in all protocol versions. */

let lastFolder = 0;
const folder = (): string => {
  lastFolder += 1;
  return `f${lastFolder}`;
};

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let work: GitUser;
  /** Eight commits on main, a side branch, tags of both kinds. */
  let url: string;

  beforeAll(async () => {
    work = await createGitUser();
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "history" }).expect(201);
    url = `${alice.gitOrigin}/alice/history.git`;
    await work.init("origin");
    for (let index = 1; index <= 8; index += 1) {
      await work.commit("origin", { "file.txt": `version ${index}\n`, [`big-${index}.bin`]: Buffer.alloc(20_000, index) }, `commit ${index}`);
      if (index === 4) await work.git("origin", "branch", "side");
    }
    await work.git("origin", "tag", "light", "main~2");
    await work.git("origin", "tag", "-a", "-m", "one", "v1", "main~5");
    await work.git("origin", "push", "-q", url, "main", "side", "--tags");
    await work.init("unrelated");
    for (let index = 0; index < 40; index += 1) await work.git("unrelated", "commit", "-q", "--allow-empty", "-m", `unrelated ${index}`);
    await forge.settled();
  });
  afterAll(async () => {
    await forge[Symbol.asyncDispose]();
    await work[Symbol.asyncDispose]();
  });

  const count = async (directory: string, rev = "HEAD"): Promise<number> => Number(await work.git(directory, "rev-list", "--count", rev));
  const sameRefs = async (directory: string, remote = "origin"): Promise<void> => {
    const [theirs, ours] = await Promise.all([work.git(directory, "ls-remote", remote), work.git("origin", "ls-remote", ".")]);
    expect(theirs).toBe(ours);
  };

  test("a repeated clone without blobs and the fetch of its files start no process", async () => {
    const cloned = async (): Promise<number> => {
      const { processes } = await forge.cost(() => work.git(".", "clone", "-q", "--filter=blob:none", url, folder()));
      return processes;
    };
    // One for the commits and trees, one for the files of the checkout.
    expect(await cloned()).toBe(2);
    expect(await cloned()).toBe(0);
  });

  test("clones from an address with double slashes", async () => {
    const { origin, pathname } = new URL(url);
    const credentials = alice.gitOrigin.replace(/^http:\/\//, "");
    for (const doubled of [`//${pathname.slice(1)}`, pathname.replaceAll("/", "//")]) {
      const directory = folder();
      await work.git(".", "clone", "-q", `http://${credentials}${doubled}`, directory);
      expect(await count(directory)).toBe(8);
      expect((await fetch(`${origin}${doubled}//info//refs?service=git-upload-pack`)).status).toBe(200);
    }
  });

  describe.each([0, 1, 2])("protocol version %d", (version) => {
    const git = (directory: string, ...args: readonly string[]) => work.git(directory, "-c", `protocol.version=${version}`, ...args);

    test("a clone is complete, and a fetch gets new commits", async () => {
      const directory = folder();
      await git(".", "clone", "-q", url, directory);
      await git(directory, "fsck", "--full", "--strict");
      await sameRefs(directory);
      expect(await count(directory)).toBe(8);
      expect(await git(directory, "symbolic-ref", "refs/remotes/origin/HEAD")).toBe("refs/remotes/origin/main");
      const pushed = folder();
      await git(".", "clone", "-q", url, pushed);
      await work.commit(pushed, { [`new-${version}`]: "x" });
      await git(pushed, "push", "-q", "origin", `HEAD:refs/heads/news-${version}`);
      await git(directory, "fetch", "-q");
      expect(await git(directory, "rev-parse", `origin/news-${version}`)).toBe(await git(pushed, "rev-parse", "HEAD"));
      await git(pushed, "push", "-q", "origin", `:news-${version}`);
      await git(directory, "fetch", "-q", "--prune");
      expect(await git(directory, "branch", "-r")).not.toContain("news");
    });

    test("a shallow clone can be deepened until it is complete", async () => {
      const directory = folder();
      await git(".", "clone", "-q", "--depth", "2", url, directory);
      expect(await count(directory)).toBe(2);
      await git(directory, "fetch", "-q", "--deepen", "3");
      expect(await count(directory)).toBe(5);
      await git(directory, "fetch", "-q", "--depth", "1", "--no-tags");
      expect(await count(directory)).toBe(1);
      await git(directory, "fetch", "-q", "--unshallow");
      expect(await count(directory)).toBe(8);
      await git(directory, "fsck", "--full", "--strict");
    });

    test("history is cut at a date or at a tag", async () => {
      const since = folder();
      const date = await work.git("origin", "log", "-1", "--format=%ct", "main~3");
      await git(".", "clone", "-q", "--single-branch", `--shallow-since=${date}`, url, since);
      expect(await count(since)).toBe(4);
      const excluded = folder();
      await git(".", "clone", "-q", "--single-branch", "--shallow-exclude=v1", url, excluded);
      expect(await count(excluded)).toBe(5);
    });

    test("a single branch is cloned with its tags", async () => {
      const directory = folder();
      await git(".", "clone", "-q", "--single-branch", "-b", "side", url, directory);
      expect(await git(directory, "branch", "-r")).toBe("  origin/side");
      expect(await git(directory, "tag")).toBe("v1");
      expect(await count(directory)).toBe(4);
    });

    test("a partial clone fetches missing blobs on demand", async () => {
      const directory = folder();
      await git(".", "clone", "-q", "--filter=blob:none", "--no-checkout", url, directory);
      expect(await git(directory, "rev-list", "--objects", "--all", "--missing=print")).toContain("?");
      await git(directory, "checkout", "-q", "main");
      expect(await git(directory, "show", "main~6:file.txt")).toBe("version 2");
      await git(directory, "fetch", "-q");
      const sized = folder();
      await git(".", "clone", "-q", "--filter=blob:limit=1k", "--no-checkout", url, sized);
      const missing = (await git(sized, "rev-list", "--objects", "--all", "--missing=print")).split("\n").filter((line) => line.startsWith("?"));
      expect(missing).toHaveLength(8);
    });

    test("an empty repository is cloned with its default branch where the protocol supports it", async () => {
      const name = folder();
      await alice.post("/user/repos", { name, default_branch: "trunk" }).expect(201);
      const { stderr, code } = await work.attempt(".", "-c", `protocol.version=${version}`, "clone", `${alice.gitOrigin}/alice/${name}.git`, name);
      expect(stderr).toContain("You appear to have cloned an empty repository");
      expect(code).toBe(0);
      if (version === 2) expect(await git(name, "symbolic-ref", "HEAD")).toBe("refs/heads/trunk");
      expect(await git(name, "ls-remote")).toBe("");
    });

    test("any reachable commit can be fetched by its id", async () => {
      const directory = folder();
      await work.init(directory);
      const wanted = await work.git("origin", "rev-parse", "main~6");
      await git(directory, "fetch", "-q", "--depth", "1", url, wanted);
      expect(await git(directory, "rev-parse", "FETCH_HEAD")).toBe(wanted);
      const { code, stderr } = await work.attempt(directory, "-c", `protocol.version=${version}`, "fetch", url, "1".repeat(40));
      expect(code).not.toBe(0);
      expect(stderr).toContain(`not our ref ${"1".repeat(40)}`);
    });

    test("a long negotiation, which git compresses, has the same result", async () => {
      const directory = folder();
      await work.git(".", "clone", "-q", "--bare", "unrelated", directory);
      const { stderr } = await work.attempt(
        directory,
        "-c",
        `protocol.version=${version}`,
        "fetch",
        "-v",
        url,
        "refs/heads/*:refs/theirs/*",
        "refs/tags/*:refs/theirs/*",
      );
      expect(stderr).toContain("POST git-upload-pack (gzip");
      expect(await count(directory, "refs/theirs/main")).toBe(8);
      await git(directory, "fsck", "--full");
    });
  });

  describe("a SHA-256 repository", () => {
    test("can be cloned and fetched", async () => {
      await alice.post("/user/repos", { name: "long", object_format_name: "sha256" }).expect(201);
      await work.init("long", "--object-format=sha256");
      const tip = await work.commit("long", { "a.txt": "a" });
      expect(tip).toHaveLength(64);
      await work.git("long", "push", "-q", `${alice.gitOrigin}/alice/long`, "main");
      for (const version of [0, 1, 2]) {
        const directory = folder();
        await work.git(".", "-c", `protocol.version=${version}`, "clone", "-q", `${alice.gitOrigin}/alice/long`, directory);
        expect(await work.git(directory, "rev-parse", "HEAD")).toBe(tip);
      }
    });
  });

  describe("costs of a fetch", () => {
    test("listing refs starts no process", async () => {
      await forge.settled();
      for (const version of [0, 2]) {
        const { processes, statements } = await forge.cost(() => work.git(".", "-c", `protocol.version=${version}`, "ls-remote", url));
        expect(processes).toBe(0);
        expect(statements.length).toBeLessThanOrEqual(10);
      }
    });

    test("a repeated ls-remote runs at most three statements and sees new pushes", async () => {
      const list = () => forge.cost(() => work.git(".", "-c", "protocol.version=2", "ls-remote", url));
      const { result } = await list();
      const again = await list();
      expect(again.statements.length).toBeLessThanOrEqual(3);
      expect(again.result).toBe(result);
      await work.git("origin", "push", "-q", url, "main~1:refs/heads/told");
      expect((await list()).result).toContain("refs/heads/told");
      await work.git("origin", "push", "-q", url, ":told");
      expect((await list()).result).toBe(result);
    });

    test("a repeated clone starts no process", async () => {
      const name = folder();
      await alice.post("/user/repos", { name }).expect(201);
      await work.git("origin", "push", "-q", `${alice.gitOrigin}/alice/${name}`, "main", "v1");
      await forge.settled();
      const clone = () => forge.cost(() => work.git(".", "clone", "-q", `${alice.gitOrigin}/alice/${name}`, folder()));
      expect((await clone()).processes).toBe(1);
      const hits = forge.context.packCache.counters.hits;
      expect((await clone()).processes).toBe(0);
      expect(forge.context.packCache.counters.hits).toBe(hits + 1);
    });
  });

  test("a mirror copies every ref, and follows deletions", async () => {
    await work.git(".", "clone", "-q", "--mirror", url, "mirror.git");
    await sameRefs("mirror.git");
    expect(existsSync(join(work.path, "mirror.git", "refs"))).toBe(true);
    await work.git("origin", "push", "-q", url, "main~1:refs/heads/passing", "main:refs/notes/odd");
    await work.git("mirror.git", "fetch", "-q");
    expect(await work.git("mirror.git", "rev-parse", "passing")).toBe(await work.git("origin", "rev-parse", "main~1"));
    await work.git("origin", "push", "-q", url, ":passing", ":refs/notes/odd");
    await work.git("mirror.git", "fetch", "-q", "--prune");
    await sameRefs("mirror.git");
  });
});
