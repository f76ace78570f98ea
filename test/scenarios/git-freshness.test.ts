import { existsSync } from "node:fs";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storePath } from "../../src/git/stores.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createGitUser, type GitUser } from "../kit/git-user.ts";
import { gitOverSsh, makeKeyPair, sshMissing } from "../kit/ssh.ts";

/**
 * Fetches with the stock git right after a push, while the server never writes refs to the directories of its stores: a response computed
 * from those would be wrong.
 */

/** Longer than any test runs. */
const never = { delayMs: 3_600_000, sweepMs: 3_600_000 };

let lastName = 0;
const fresh = (prefix: string): string => {
  lastName += 1;
  return `${prefix}${lastName}`;
};

interface Client {
  readonly name: string;
  readonly over: "http" | "ssh";
  readonly version: 0 | 1 | 2;
}

const client = (over: Client["over"], version: Client["version"]): Client => ({ name: `${over.toUpperCase()}, protocol version ${version}`, over, version });

const clientsOf = (dialect: string): readonly Client[] => {
  const few = [client("http", 2), client("ssh", 0)];
  return dialect === "sqlite" ? [...few, client("http", 0), client("http", 1), client("ssh", 2)] : few;
};

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let work: GitUser;
  let sshArguments: readonly string[] = [];
  let sshOrigin = "";

  beforeAll(async () => {
    work = await createGitUser();
    await work.init("history");
    for (let index = 1; index <= 5; index += 1) {
      await work.commit("history", { file: `version ${index}\n` }, `commit ${index}`);
      if (index === 2) await work.git("history", "tag", "-a", "-m", "one", "v1");
    }
    const environment = sshMissing === undefined ? { HEARTH_SSH_ENABLED: "true", HEARTH_SSH_PORT: "0" } : {};
    forge = await startForge({ dialect, projector: never, environment });
    alice = await forge.createUser("alice");
    const { sshState } = forge.forge;
    if (sshState.kind !== "open") return;
    const key = makeKeyPair(work.path, "alice-key");
    await alice.post("/user/keys", { title: "laptop", key: key.publicKey }).expect(201);
    sshArguments = gitOverSsh(key, sshState.port);
    sshOrigin = `ssh://git@127.0.0.1:${sshState.port}`;
  });
  afterAll(async () => {
    await forge[Symbol.asyncDispose]();
    await work[Symbol.asyncDispose]();
  });

  const count = async (directory: string, rev = "HEAD"): Promise<number> => Number(await work.git(directory, "rev-list", "--count", rev));
  const storeOf = async (name: string): Promise<string> => {
    const { db } = forge.context;
    const row = await db.sql.selectFrom("repositories").select("code_store_id as id").where("name", "=", name).executeTakeFirstOrThrow();
    return storePath(join(forge.dataDirectory, "repositories"), row.id);
  };

  describe.each(clientsOf(dialect.name).filter(({ over }) => over === "http" || sshMissing === undefined))("$name", ({ over, version }) => {
    const withClient = (args: readonly string[]): readonly string[] => [...(over === "ssh" ? sshArguments : []), "-c", `protocol.version=${version}`, ...args];
    const git = (directory: string, ...args: readonly string[]) => work.git(directory, ...withClient(args));
    const attempt = (directory: string, ...args: readonly string[]) => work.attempt(directory, ...withClient(args));
    const urlOf = (name: string): string => `${over === "http" ? alice.gitOrigin : sshOrigin}/alice/${name}.git`;

    /** A repository with five commits, an annotated tag on the second, and a clone to push from. */
    const start = async (): Promise<{ readonly name: string; readonly url: string; readonly author: string }> => {
      const [name, author] = [fresh("r"), fresh("author")];
      await alice.post("/user/repos", { name }).expect(201);
      await cp(join(work.path, "history"), join(work.path, author), { recursive: true });
      await git(author, "remote", "add", "origin", urlOf(name));
      await git(author, "push", "-q", "origin", "main", "v1");
      return { name, url: urlOf(name), author };
    };
    const clone = async (url: string, ...options: readonly string[]): Promise<string> => {
      const directory = fresh("clone");
      await git(".", "clone", "-q", ...options, url, directory);
      return directory;
    };

    test("a clone of one branch gets the tags of the previous push, and no deleted ones", async () => {
      const { url, author } = await start();
      await work.commit(author, { file: "later\n" });
      await work.git(author, "tag", "-a", "-m", "nine", "v9");
      await git(author, "push", "-q", "origin", "main", "v9");
      for (let round = 0; round < 2; round += 1) {
        const directory = await clone(url, "--single-branch");
        expect(await work.git(directory, "describe")).toBe("v9");
      }
      await git(author, "push", "-q", "origin", ":v9");
      expect(await work.git(await clone(url, "--single-branch"), "tag")).toBe("v1");
      await git(author, "push", "-q", "origin", "v9");
      expect(await work.git(await clone(url, "--single-branch"), "tag")).toBe("v1\nv9");
    });

    test("a fetch gets the tags of the previous push", async () => {
      const { url, author } = await start();
      const directory = await clone(url);
      await work.commit(author, { file: "later\n" });
      await work.git(author, "tag", "-a", "-m", "nine", "v9");
      await git(author, "push", "-q", "origin", "main", "v9");
      await git(directory, "fetch", "-q");
      expect(await work.git(directory, "describe", "origin/main")).toBe("v9");
    });

    // Version 1 differs in the advertisement, which the tests above read.
    if (version === 1) return;

    test("a shallow clone is deepened with commits that were just pushed", async () => {
      const { url, author } = await start();
      const directory = await clone(url, "--depth=1");
      await work.commit(author, { file: "later\n" });
      await git(author, "push", "-q", "origin", "main");
      await git(directory, "fetch", "-q", "--deepen=1");
      expect(await count(directory, "origin/main")).toBe(3);
      await git(directory, "fetch", "-q", "--deepen=2");
      expect(await count(directory, "origin/main")).toBe(5);
    });

    test("history is cut at the current target of a moved tag", async () => {
      const { url, author } = await start();
      const depth = async (): Promise<number> => count(await clone(url, "--shallow-exclude=v1"));
      expect(await depth()).toBe(3);
      await work.git(author, "tag", "-f", "-a", "-m", "moved", "v1", "main~1");
      await git(author, "push", "-q", "-f", "origin", "v1");
      expect(await depth()).toBe(1);
      expect(await depth()).toBe(1);
      await work.git(author, "tag", "-f", "-a", "-m", "moved back", "v1", "main~3");
      await git(author, "push", "-q", "-f", "origin", "v1");
      expect(await depth()).toBe(3);
    });

    test("history is cut at a date, including commits that were just pushed", async () => {
      const { url, author } = await start();
      await work.commit(author, { file: "later\n" });
      await git(author, "push", "-q", "origin", "main");
      const since = await work.git(author, "log", "-1", "--format=%ct", "main~1");
      expect(await count(await clone(url, `--shallow-since=${since}`))).toBe(2);
    });

    test("a deleted or unknown ref is refused with git's own message, and logged as no server error", async () => {
      const { url, author } = await start();
      await git(author, "push", "-q", "origin", "main~1:refs/heads/gone");
      expect(await count(await clone(url, "--shallow-exclude=gone"))).toBe(1);
      await git(author, "push", "-q", "origin", ":gone");
      for (const [ref, words] of [
        ["gone", "ambiguous deepen-not"],
        ["nope", "ambiguous deepen-not"],
        ["refs/hearth/deleted/1", "ambiguous deepen-not"],
        ["main", "no commits selected for shallow requests"],
      ] as const) {
        const { code, stderr } = await attempt(".", "clone", "-q", `--shallow-exclude=${ref}`, url, fresh("clone"));
        expect({ ref, code, stderr }).toEqual({ ref, code: 128, stderr: expect.stringContaining(words) });
        expect(stderr).not.toMatch(/50\d/);
      }
      expect(forge.log.filter(({ level }) => level === "error")).toEqual([]);
    });

    test("a clone checks out the new default branch", async () => {
      const { name, url, author } = await start();
      await git(author, "push", "-q", "origin", "main~2:refs/heads/trunk");
      await alice.patch(`/repos/alice/${name}`, { default_branch: "trunk" }).expect(200);
      const directory = await clone(url, "--single-branch");
      expect(await work.git(directory, "branch", "--show-current")).toBe("trunk");
      expect(await count(directory)).toBe(3);
      // History can be cut at HEAD too.
      expect(await count(await clone(url, "--shallow-exclude=HEAD", "--branch=main"))).toBe(2);
    });

    test("a wiki is cloned with the tags of the previous push", async () => {
      const { name, author } = await start();
      const wiki = urlOf(`${name}.wiki`);
      await git(author, "push", "-q", wiki, "main");
      expect(await work.git(await clone(wiki, "--single-branch"), "tag")).toBe("");
      await git(author, "push", "-q", wiki, "v1");
      expect(await work.git(await clone(wiki, "--single-branch"), "tag")).toBe("v1");
      expect(await count(await clone(wiki, "--shallow-exclude=v1"))).toBe(3);
    });

    test("no response is read from the store's own directory", async () => {
      const { name, url, author } = await start();
      await writeFile(join(await storeOf(name), "packed-refs"), "git dies of this\n");
      await writeFile(join(await storeOf(name), "HEAD"), "ref: refs/heads/nonsense\n");
      const directory = await clone(url, "--depth=1");
      await work.commit(author, { file: "later\n" });
      await git(author, "push", "-q", "origin", "main");
      await git(directory, "fetch", "-q", "--deepen=1");
      expect(await count(directory, "origin/main")).toBe(3);
      expect(await work.git(await clone(url, "--single-branch"), "describe", "main")).toMatch(/^v1-4-/);
    });
  });

  test("an archive names the current refs of its commit, and its ETag changes with them", async () => {
    const [name, author] = [fresh("r"), fresh("author")];
    await alice.post("/user/repos", { name }).expect(201);
    await work.init(author);
    await work.commit(author, { ".gitattributes": "names.txt export-subst\n", "names.txt": "$Format:%D$ $Format:%(describe:tags=true)$\n" });
    await work.git(author, "push", "-q", `${alice.gitOrigin}/alice/${name}`, "main");
    const archive = async (): Promise<{ readonly names: string; readonly etag: string | null }> => {
      const response = await fetch(`${forge.url}/api/v1/repos/alice/${name}/archive/main.tar.gz`, { headers: { authorization: `token ${alice.token}` } });
      const file = join(work.path, `${fresh("archive")}.tar.gz`);
      await writeFile(file, Buffer.from(await response.arrayBuffer()));
      await work.git(".", "init", "-q", `${file}.d`);
      const names = await work.git(".", "-c", `alias.untar=!tar -xzOf ${file} ${name}/names.txt`, "untar");
      return { names, etag: response.headers.get("etag") };
    };
    const before = await archive();
    expect(before.names).toBe("HEAD -> main");
    await work.git(author, "tag", "-a", "-m", "one", "v1");
    await work.git(author, "push", "-q", `${alice.gitOrigin}/alice/${name}`, "v1");
    const after = await archive();
    expect(after.names).toBe("HEAD -> main, tag: v1 v1");
    expect(after.etag).not.toBe(before.etag);
    expect((await archive()).etag).toBe(after.etag);
    if (sshOrigin !== "") {
      const tar = await work.git(author, ...sshArguments, "archive", "--format=tar", `--remote=${sshOrigin}/alice/${name}.git`, "main", "names.txt");
      expect(tar).toContain("HEAD -> main, tag: v1 v1\n");
    }
    expect(existsSync(join(await storeOf(name), "packed-refs"))).toBe(false);
  });
});
