import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerDifferences } from "../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { createClient } from "../../../../test/kit/git.ts";
import { expectNothingOutside, outsideFolder } from "../../../../test/kit/outside.ts";
import { push } from "../../../../test/kit/push.ts";
import type { Commit } from "../../../wire/commit.ts";

/** A history with a merged branch, an unmerged branch, two tags and a note. */
const client = createClient();
afterAll(() => client.remove());
const [c1, c2] = [
  client.commit({ "README.md": "# G\n", "src/main.go": "package main\n", "src/util.py": "x = 1\n" }, { message: "initial commit\n\nwith a body\n" }),
  client.commit({ "README.md": "# G\n\nmore\n", "docs/deep/er/x.txt": "x\n" }, { message: "second\n", author: "Alice Author <alice@example.com>" }),
] as const;
client.git("checkout", "-q", "-f", "-b", "feature/topic");
const c3 = client.commit({ "src/main.go": "package other\n" }, { message: "third\n", author: "Hidden <3+bob@noreply.127.0.0.1>" });
client.git("checkout", "-q", "-f", "main");
client.git("merge", "-q", "--no-ff", "-m", "merge third\n", "feature/topic");
const merge = client.git("rev-parse", "HEAD");
client.git("checkout", "-q", "-f", "-b", "dev", c3);
const dev = client.commit({ "only-dev.txt": "d\n" }, { message: "fourth on dev\n" });
const moved = client.commit({ "only-dev.txt": undefined, "moved-dev.txt": "d\n" }, { message: "moved\n", author: "Carla <carla@example.com>" });
client.git("tag", "-a", "-m", "Version one", "v1.0", c2);
client.git("tag", "light", c1);
client.git("notes", "add", "-m", "a note", c1);
const refspecs = [`${merge}:refs/heads/main`, `${moved}:refs/heads/dev`, `${c3}:refs/heads/feature/topic`, "v1.0", "light", "refs/notes/commits"];

const shas = (commits: Commit[]): string[] => commits.map(({ sha }) => sha);
const gitLog = (...args: string[]): string[] => client.git("rev-list", ...args).split("\n");

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  const R = "/repos/alice/g";
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice", { full_name: "Alice A." });
    bob = await forge.createUser("bob");
    await forge.createUser("carla", { visibility: "private" });
    await alice.post("/user/repos", { name: "g" }).expect(201);
    await alice.post("/user/repos", { name: "hidden", private: true }).expect(201);
    await alice.post("/user/repos", { name: "empty" }).expect(201);
    await push(client, alice, "alice/g", ...refspecs);
    await push(client, alice, "alice/hidden", ...refspecs);
  });
  afterAll(() => forge[Symbol.asyncDispose]());
  const list = (query = ""): Promise<Commit[]> => bob.get<Commit[]>(`${R}/commits${query}`).expect(200);
  const one = (rev: string): Promise<Commit> => bob.get<Commit>(`${R}/git/commits/${rev}`).expect(200);

  describe("commit list", () => {
    test("lists commits in the order of git log, with pagination headers", async () => {
      const answer = await bob.get<Commit[]>(`${R}/commits`);
      expect(shas(answer.json)).toEqual(gitLog("main"));
      expect(answerDifferences("GET", `${R}/commits`, 200, answer.json)).toEqual([]);
      const page = await bob.get<Commit[]>(`${R}/commits?limit=3&page=1&sha=main`);
      expect(shas(page.json)).toEqual(gitLog("main").slice(0, 3));
      const headers = ["x-total-count", "x-page", "x-perpage", "x-total", "x-pagecount", "x-hasmore"];
      expect(headers.map((name) => page.headers.get(name))).toEqual(["4", "1", "3", "4", "2", "true"]);
      expect(page.headers.get("access-control-expose-headers")).toBe("Link, X-Total-Count, X-Page, X-PerPage, X-Total, X-PageCount, X-HasMore");
      expect(page.headers.get("link")).toContain(`<${forge.url}/api/v1${R}/commits?limit=3&page=2&sha=main>; rel="next"`);
      const last = await bob.get<Commit[]>(`${R}/commits?limit=3&page=2`);
      expect([shas(last.json), last.headers.get("x-hasmore")]).toEqual([gitLog("main").slice(3), "false"]);
      const beyond = await bob.get<Commit[]>(`${R}/commits?page=9`);
      expect([beyond.json, beyond.headers.get("x-total-count"), beyond.headers.get("x-hasmore"), beyond.headers.get("link")]).toEqual([[], "4", "false", null]);
    });

    test("starts at the given branch, tag or commit", async () => {
      for (const rev of ["dev", "feature/topic", "v1.0", "light", c2, c2.slice(0, 7), c2.toUpperCase()]) {
        expect(shas(await list(`?sha=${encodeURIComponent(rev)}`)), rev).toEqual(gitLog(rev.toLowerCase().replace("V", "v")));
      }
    });

    test("filters by path, by time and by commits of another branch", async () => {
      const expectList = async (query: string, ...args: string[]): Promise<void> => {
        const answer = await bob.get<Commit[]>(`${R}/commits?${query}`);
        const expected = gitLog(...args);
        expect(shas(answer.json), query).toEqual(expected);
        expect(answer.headers.get("x-total-count")).toBe(String(expected.length));
      };
      await expectList("path=README.md", "main", "--", "README.md");
      await expectList("path=docs", "main", "--", "docs");
      await expectList("path=/docs/", "main", "--", "docs");
      await expectList("path=src/main.go&sha=dev", "dev", "--", "src/main.go");
      await expectList("not=feature/topic", "main", "^feature/topic");
      await expectList("not=v1.0&sha=dev", "dev", `^${c2}`);
      const at = (rev: string): string => client.git("log", "-1", "--format=%cI", rev);
      await expectList(`since=${encodeURIComponent(at(c2))}`, "main", `--since=${at(c2)}`);
      await expectList(`until=${encodeURIComponent(at(c2))}`, "main", `--until=${at(c2)}`);
      expect(await list("?since=2100-01-01T00:00:00Z")).toEqual([]);
      const page = await bob.get<Commit[]>(`${R}/commits?path=src&limit=1&page=2`);
      expect([shas(page.json), page.headers.get("x-pagecount")]).toEqual([gitLog("main", "--", "src").slice(1, 2), "2"]);
    });

    test("omits stats, files and verification on request", async () => {
      const [bare] = await list("?stat=false&files=false&verification=false&limit=1");
      expect([bare?.stats, bare?.files, bare?.commit?.verification]).toEqual([null, null, null]);
      const [statless] = await list("?stat=false&limit=1");
      expect([statless?.stats, statless?.files?.length, statless?.commit?.verification?.verified]).toEqual([null, 1, false]);
    });

    test("returns Gitea's messages for an empty repository, an unknown ref or path and an invalid time", async () => {
      expect(await alice.get("/repos/alice/empty/commits").expect(409)).toMatchObject({ message: "Git Repository is empty." });
      expect((await bob.get(`${R}/commits?sha=nosuch`)).text).toBe("null\n");
      expect((await bob.get(`${R}/commits?sha=nosuch`)).status).toBe(404);
      expect(await bob.get(`${R}/commits?path=none`).expect(404)).toMatchObject({ errors: null, message: "FileCommitsCount" });
      await bob.get(`${R}/commits?not=nosuch`).expect(404);
      expect((await bob.get(`${R}/commits?since=yesterday`).expect(422)).message).toContain("since");
    });
  });

  describe("single commit", () => {
    test("returns every field of a commit", async () => {
      const url = `${forge.url}/api/v1${R}/git/commits`;
      const date = client.git("log", "-1", "--format=%aI", c2);
      const shown = await one(c2);
      expect(shown).toEqual({
        url: `${url}/${c2}`,
        sha: c2,
        created: date,
        html_url: `${forge.url}/alice/g/commit/${c2}`,
        commit: {
          url: `${url}/${c2}`,
          author: { name: "Alice Author", email: "alice@example.com", date },
          committer: { name: "Carl Committer", email: "carl@example.com", date },
          message: "second\n",
          tree: { url: `${forge.url}/api/v1${R}/git/trees/${c2}`, sha: c2, created: date },
          verification: { verified: false, reason: "gpg.error.not_signed_commit", signature: "", signer: null, payload: "" },
        },
        author: { ...(await forge.anonymous.get("/users/alice").expect(200)), email: `${alice.id}+alice@noreply.127.0.0.1` },
        committer: null,
        parents: [{ url: `${url}/${c1}`, sha: c1, created: "0001-01-01T00:00:00Z" }],
        files: [
          { filename: "README.md", status: "modified" },
          { filename: "docs/deep/er/x.txt", status: "added" },
        ],
        stats: { total: 3, additions: 3, deletions: 0 },
      });
      expect(Object.keys(shown)).toEqual(["url", "sha", "created", "html_url", "commit", "author", "committer", "parents", "files", "stats"]);
      expect(await one("v1.0")).toEqual(shown);
      expect((await list("?sha=v1.0"))[0]).toEqual(shown);
    });

    test("finds a commit by branch, full id and abbreviated id", async () => {
      for (const rev of ["main", merge, merge.slice(0, 7), merge.toUpperCase()]) expect((await one(rev)).sha).toBe(merge);
      for (const path of ["feature/topic", "feature%2Ftopic", c3, c3.slice(0, 10)]) {
        expect((await one(path)).sha).toBe(c3);
        expect((await bob.get(`${R}/commits/${path}`).expect(200)).sha).toBe(c3);
      }
    });

    test("compares a merge with its first parent, and lists a moved file as removed and added", async () => {
      expect(await one(merge)).toMatchObject({ files: [{ filename: "src/main.go", status: "modified" }], stats: { total: 2, additions: 1, deletions: 1 } });
      expect((await one(merge)).parents).toHaveLength(2);
      const move = await one(moved);
      expect(move.stats).toEqual({ total: 0, additions: 0, deletions: 0 });
      expect(move.files).toEqual([
        { filename: "moved-dev.txt", status: "added" },
        { filename: "only-dev.txt", status: "removed" },
      ]);
      // The second request reads the stored changes.
      expect(await one(moved)).toEqual(move);
    });

    test("includes the author's account only if the user is visible to the caller", async () => {
      expect((await one(c3)).author?.login).toBe("bob");
      expect((await one(moved)).author).toBeNull();
      expect((await forge.admin.get(`${R}/git/commits/${moved}`).expect(200)).author.login).toBe("carla");
    });

    test("returns 404 for an unknown commit and 422 for an invalid name", async () => {
      for (const rev of ["zzz", "f".repeat(40), c1.slice(0, 6)]) {
        expect(await bob.get(`${R}/git/commits/${rev}`).expect(404)).toMatchObject({ errors: null, message: `commit doesn't exist: ${rev}` });
        expect((await bob.get(`${R}/commits/${rev}`).expect(404)).message).toBe(`commit doesn't exist: ${rev}`);
      }
      expect((await bob.get(`${R}/git/commits/bad..name`).expect(422)).message).toBe("no valid ref or sha: bad..name");
      await alice.get("/repos/alice/empty/git/commits/main").expect(404);
    });
  });

  describe("commit as text", () => {
    const plain = "text/plain;charset=utf-8";

    test("returns the diff that git writes", async () => {
      for (const [rev, parent] of [
        [c2, c1],
        [merge, c2],
        [moved, dev],
      ] as const) {
        const answer = await bob.get(`${R}/git/commits/${rev}.diff`);
        expect([answer.status, answer.headers.get("content-type"), answer.headers.get("x-content-type-options")]).toEqual([200, plain, "nosniff"]);
        expect(answer.text).toBe(client.pipe("", "diff-tree", "-p", "-M", parent, rev).toString());
        expect((await forge.anonymous.get(`//alice/g/commit/${rev}.diff`)).text).toBe(answer.text);
      }
      expect((await bob.get(`${R}/git/commits/${c1}.diff`)).text).toBe(client.pipe("", "diff-tree", "-p", "--root", "--no-commit-id", c1).toString());
      expect((await bob.get(`${R}/git/commits/feature/topic.diff`)).text).toBe(client.pipe("", "diff-tree", "-p", c2, c3).toString());
    });

    test("returns the patch emails that git format-patch writes", async () => {
      const mails = (range: string): string => client.pipe("", "format-patch", "--stdout", "--no-signature", ...range.split(" ")).toString();
      expect((await bob.get(`${R}/git/commits/${c2}.patch`)).text).toBe(mails(`-1 ${c2}`));
      expect((await bob.get(`${R}/git/commits/light.patch`)).text).toBe(mails(`-1 --root ${c1}`));
      const brought = await forge.anonymous.get(`//alice/g/commit/${merge}.patch`);
      expect([brought.status, brought.headers.get("content-type"), brought.text]).toEqual([200, plain, mails(`${c2}..${merge}`)]);
    });

    test("returns 404 for unknown commits and hidden repositories", async () => {
      expect((await bob.get(`${R}/git/commits/zzz.diff`).expect(404)).message).toBe("commit doesn't exist: zzz");
      expect((await bob.get("//alice/g/commit/zzz.patch")).status).toBe(404);
      expect((await bob.get(`//alice/hidden/commit/${c2}.diff`)).status).toBe(404);
      expect((await forge.anonymous.get(`//alice/hidden/commit/${c2}.diff`)).status).toBe(404);
    });
  });

  describe("comparison", () => {
    const compare = (basehead: string) => bob.get<{ total_commits: number; commits: Commit[]; message: string }>(`${R}/compare/${basehead}`);

    test("lists the commits that the head has and the base lacks, newest first", async () => {
      const cases: readonly [string, string[]][] = [
        ["main...dev", gitLog("main..dev")],
        ["dev...main", gitLog("dev..main")],
        [`${c1}...${c2}`, [c2]],
        [`${c1}..${merge}`, gitLog(`${c1}..${merge}`)],
        ["v1.0...feature/topic", [c3]],
        ["main...main", []],
        ["main", []],
        ["main...", []],
        ["...", []],
        ["...dev", gitLog("main..dev")],
        ["v1.0...", gitLog("v1.0..main")],
        ["v1.0^{}...HEAD", gitLog("v1.0..main")],
        ["dev", gitLog("main..dev")],
        ["main...alice:dev", gitLog("main..dev")],
        ["main...ALICE/g:dev", gitLog("main..dev")],
        ["feature%2Ftopic...dev", gitLog("feature/topic..dev")],
        [`light...${moved.slice(0, 8)}`, gitLog(`light..${moved}`)],
      ];
      for (const [basehead, expected] of cases) {
        const { total_commits, commits } = await compare(basehead).expect(200);
        expect([total_commits, shas(commits)], basehead).toEqual([expected.length, expected]);
      }
      expect(answerDifferences("GET", `${R}/compare/x`, 200, await compare("main...dev").expect(200))).toEqual([]);
      expect((await compare("v1.0...dev").expect(200)).commits[0]).toEqual(await one(moved));
    });

    test("returns 404 for unknown ends and for ends in unrelated repositories", async () => {
      for (const basehead of [
        "main...nosuch",
        "nosuch...main",
        "nosuch",
        "main...bob:main",
        "main...alice/hidden:main",
        "main...alice:nosuch",
        "main....dev",
      ]) {
        expect((await compare(basehead).expect(404)).message, basehead).toBe("not found");
      }
      await alice.get("/repos/alice/empty/compare/main...dev").expect(404);
    });
  });

  test("returns a note with the commit that wrote it", async () => {
    const note = await bob.get(`${R}/git/notes/${c1}`).expect(200);
    expect(answerDifferences("GET", `${R}/git/notes/${c1}`, 200, note)).toEqual([]);
    expect([note.message, note.commit.sha]).toEqual(["a note\n", client.git("rev-parse", "refs/notes/commits")]);
    expect(note.commit.stats).toEqual({ total: 1, additions: 1, deletions: 0 });
    expect((await bob.get(`${R}/git/notes/light?verification=false&files=false`).expect(200)).commit).toMatchObject({
      files: null,
      commit: { verification: null },
    });
    expect(await bob.get(`${R}/git/notes/nosuch`).expect(404)).toMatchObject({
      errors: ["object does not exist [id: nosuch, rel_path: ]"],
      message: "not found",
    });
    expect((await bob.get(`${R}/git/notes/${c2}`).expect(404)).message).toBe(`commit doesn't exist: ${c2}`);
    await bob.get(`${R}/git/notes/bad..name`).expect(422);
  });

  describe("read access", () => {
    const paths = [
      "/commits",
      "/commits/main",
      `/git/commits/${c1}`,
      `/git/commits/${c1}.diff`,
      "/compare/main...dev",
      `/git/notes/${c1}`,
      "/git/trees/main",
      `/git/blobs/${client.git("rev-parse", `${c1}:README.md`)}`,
    ];

    test("a private repository is not found for other users", async () => {
      for (const path of paths) {
        expect((await alice.get(`/repos/alice/hidden${path}`)).status, path).toBe(200);
        for (const caller of [bob, forge.anonymous]) expect((await caller.get(`/repos/alice/hidden${path}`).expect(404)).message).toBe("not found");
        expect((await forge.anonymous.get(`${R}${path}`)).status, path).toBe(200);
      }
    });

    test("objects of one repository are not found through another repository", async () => {
      const other = createClient();
      try {
        const secret = other.commit({ "secret.txt": "canary" }, { message: "canary" });
        await push(other, alice, "alice/hidden", `${secret}:refs/heads/secret`);
        for (const rev of [secret, secret.slice(0, 8)]) {
          await bob.get(`${R}/git/commits/${rev}`).expect(404);
          await bob.get(`${R}/commits?sha=${rev}`).expect(404);
          await bob.get(`${R}/git/trees/${rev}`).expect(400);
          await bob.get(`${R}/compare/main...${rev}`).expect(404);
        }
        await bob.get(`${R}/git/blobs/${other.git("rev-parse", `${secret}:secret.txt`)}`).expect(400);
        await bob.get(`${R}/git/trees/${other.git("rev-parse", `${secret}^{tree}`)}`).expect(400);
      } finally {
        other.remove();
      }
    });
  });

  test("300 concurrent requests for a list that was never read start one process for each derived result", async () => {
    await alice.post("/user/repos", { name: "herd" }).expect(201);
    await push(client, alice, "alice/herd", ...refspecs);
    for (const [path, processes] of [
      // The workers that read objects, and the process that compares the commits.
      ["/commits", 3],
      ["/commits?path=src", 1],
      ["/contents", 1],
    ] as const) {
      const herd = async () => Promise.all(Array.from({ length: 300 }, () => bob.get(`/repos/alice/herd${path}`)));
      const cost = await forge.cost(async () => {
        const statuses = (await herd()).map(({ status }) => status);
        expect(new Set(statuses), path).toEqual(new Set([200]));
      });
      expect(cost.processes, path).toBeLessThanOrEqual(processes);
    }
  });

  test("revisions that need a reflog or a search, and git options, match nothing", async () => {
    const target = join(outsideFolder, "commits");
    const revs = [
      `--output=${target}`,
      ":/second",
      "HEAD^{/(a+)+$}",
      "@{-1}",
      "HEAD@{9.years.ago}",
      "main@{upstream}",
      "main:",
      "^main",
      "a\nb",
      c1.slice(0, 4),
    ];
    for (const rev of revs) {
      const name = encodeURIComponent(rev);
      for (const path of [
        `/commits?sha=${name}`,
        `/commits?not=${name}`,
        `/commits/${name}`,
        `/git/commits/${name}`,
        `/git/commits/${name}.diff`,
        `/git/notes/${name}`,
        `/compare/${name}`,
        `/compare/${name}...main`,
        `/git/blobs/${name}`,
        `/git/trees/${name}`,
      ]) {
        if (path === `/git/trees/${encodeURIComponent("main:")}`) continue;
        const { status } = await bob.get(`${R}${path}`);
        expect([400, 404, 422], `${path} ${status}`).toContain(status);
      }
    }
    for (const path of [
      ":(exclude)README.md",
      ":/",
      `--output=${target}`,
      "*",
      "READM?.md",
      "../x",
      "src/../README.md",
      ".",
      ".git/config",
      "a\nb",
      "src//main.go",
    ]) {
      expect((await bob.get(`${R}/commits?path=${encodeURIComponent(path)}`)).status, path).toBe(404);
    }
    expectNothingOutside();
  });

  describe("cost", () => {
    const cost = async (path: string): Promise<{ statements: number; processes: number }> => {
      const { statements, processes } = await forge.cost(() => bob.get(`${R}${path}`).expect(200));
      return { statements: statements.length, processes };
    };

    test("the first page takes a constant number of statements, and no process when repeated", async () => {
      for (const path of ["/commits", "/commits?stat=false&files=false", "/compare/v1.0...dev", "/compare/main...dev"]) await cost(path);
      const whole = await cost("/commits");
      expect(whole.processes).toBe(0);
      expect(whole.statements).toBeLessThanOrEqual(7);
      expect(await cost("/commits?limit=2")).toEqual(whole);
      const bare = await cost("/commits?stat=false&files=false");
      expect(bare).toEqual({ statements: whole.statements - 1, processes: 0 });
      // Two diverging lines without merges are compared without git.
      const compared = await cost("/compare/v1.0...dev");
      expect(compared.processes).toBe(0);
      expect(compared.statements).toBeLessThanOrEqual(7);
      await cost("/commits?path=src");
      expect((await cost("/commits?path=src&limit=1&page=2")).processes).toBe(0);
    });

    test("one commit and one tree take no process when repeated", async () => {
      for (const path of [`/git/commits/${c2}`, "/git/trees/main?recursive=true"]) {
        await cost(path);
        const { statements, processes } = await cost(path);
        expect(processes).toBe(0);
        expect(statements).toBeLessThanOrEqual(5);
      }
    });

    test("after a push, one process handles the new commits", async () => {
      client.git("checkout", "-q", "-f", "--detach", "dev");
      const next = client.commit({ "next.txt": "1" });
      await cost("/commits?sha=dev");
      await push(client, alice, "alice/g", `${next}:refs/heads/next`);
      expect((await cost("/commits?sha=next&stat=false&files=false")).processes).toBe(0);
      expect((await cost("/commits?sha=next")).processes).toBe(1);
      expect((await cost("/commits?sha=next")).processes).toBe(0);
    });
  });
});
