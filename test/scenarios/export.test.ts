import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiClient, createApiClient } from "../kit/api-client.ts";
import { createBrowser } from "../kit/browser.ts";
import { eachDialect, type TestDialect } from "../kit/databases.ts";
import { openRecordedGitea, recorded } from "../kit/gitea.ts";
import { canTrace, killingAt } from "../kit/kill-at.ts";
import { readPage } from "../kit/page.ts";
import { type RunningProgram, runProgram, startProgram } from "../kit/program.ts";

const token = "5e3a1f0c9b8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f";
const administrator = {
  HEARTH_ADMIN_USERNAME: "newada",
  HEARTH_ADMIN_EMAIL: "newada@example.com",
  HEARTH_ADMIN_PASSWORD: "a long enough pass phrase",
  HEARTH_ADMIN_TOKEN: token,
};

type Json = Record<string, unknown>;

/** The author of an item, whose account may exist on one server only. */
const authorOf = ({ original_author, user, author }: Json): string => {
  const name = original_author || ((user ?? author) as Json | null)?.login;
  return name === "newada" ? "ada" : String(name);
};
const pick = (of: Json, ...names: readonly string[]): Json => Object.fromEntries(names.map((name) => [name, of[name]]));
const named = (list: unknown, member: string): readonly unknown[] => ((list ?? []) as Json[]).map((one) => one[member]);
const files = (of: Json): readonly Json[] => ((of.assets ?? []) as Json[]).map((file) => pick(file, "name", "size"));
const isSame = { issue: "number title body state created_at updated_at closed_at due_date is_locked ref comments".split(" ") } as const;

/** Everything that an import has to preserve, as the API shows it. */
async function shown(api: ApiClient, repository: string): Promise<Json> {
  const list = async (path: string): Promise<readonly Json[]> => await api.get<Json[]>(`/repos/${repository}${path}`).expect(200);
  const about = await api.get<Json>(`/repos/${repository}`).expect(200);
  const issues = await list("/issues?state=all&type=all&limit=50");
  const pulls = await list("/pulls?state=all&limit=50");
  const comments = await list("/issues/comments?limit=50");
  const reviews = await Promise.all(
    pulls.map(async ({ number }) => {
      const found = await list(`/pulls/${number}/reviews`);
      const submitted = found.filter(({ state }) => state !== "PENDING" && state !== "REQUEST_REVIEW");
      return Promise.all(
        submitted.map(async (review) => ({
          ...pick(review, "state", "body", "commit_id", "stale", "dismissed", "submitted_at", "comments_count"),
          author: authorOf(review),
          comments: (await list(`/pulls/${number}/reviews/${review.id}/comments`)).map((comment) =>
            pick(comment, "path", "position", "original_position", "commit_id", "diff_hunk", "body", "created_at", "updated_at"),
          ),
        })),
      );
    }),
  );
  const reactions = await Promise.all(issues.map(({ number }) => list(`/issues/${number}/reactions`)));
  const wiki = await api.get<Json[]>(`/repos/${repository}/wiki/pages`);
  return {
    about: pick(about, "description", "website", "topics", "private", "default_branch", "open_issues_count", "open_pr_counter", "release_counter"),
    labels: (await list("/labels?limit=50")).map((label) => pick(label, "name", "color", "description", "exclusive", "is_archived")),
    milestones: (await list("/milestones?state=all")).map((one) =>
      pick(one, "title", "description", "state", "due_on", "closed_at", "open_issues", "closed_issues"),
    ),
    issues: issues.map((issue) => ({
      ...pick(issue, ...isSame.issue),
      author: authorOf(issue),
      labels: named(issue.labels, "name"),
      milestone: (issue.milestone as Json | null)?.title,
      isPull: issue.pull_request !== null,
      files: files(issue),
    })),
    pulls: pulls.map((pull) => ({
      ...pick(pull, "number", "merged", "merged_at", "merge_commit_sha", "allow_maintainer_edit"),
      base: pick(pull.base as Json, "ref", "sha"),
      // The branch of a fork stays in the fork.
      head: pick(pull.head as Json, ...(((pull.head as Json).repo as Json | null)?.full_name === repository ? ["ref", "sha"] : ["sha"])),
    })),
    comments: comments.map((comment) => ({ ...pick(comment, "body", "created_at", "updated_at"), author: authorOf(comment), files: files(comment) })),
    reviews,
    reactions: reactions.map((some) => (some ?? []).map((one) => pick(one, "content", "created_at"))),
    releases: (await list("/releases")).map((release) => ({
      ...pick(release, "tag_name", "target_commitish", "name", "body", "draft", "prerelease", "created_at", "published_at"),
      files: files(release),
    })),
    branches: (await list("/branches")).map((branch) => ({ name: branch.name, oid: (branch.commit as Json).id })),
    tags: (await list("/tags")).map((tag) => ({ name: tag.name, oid: (tag.commit as Json).sha })),
    wiki: wiki.status === 200 ? named(wiki.json, "title") : [],
  };
}

/** The path of the latest commit of the default branch. */
async function latestCommit(program: RunningProgram, repository: string, password: string): Promise<string> {
  const [commit] = await createApiClient(program.url, `token ${password}`).get<Json[]>(`/repos/${repository}/commits`).expect(200);
  return `/${repository}/commit/${commit?.sha}`;
}

const refsOf = (program: RunningProgram, repository: string, password: string): readonly string[] =>
  execFileSync("git", ["ls-remote", `${program.url.replace("http://", `http://x:${password}@`)}/${repository}.git`], { encoding: "utf8" })
    .trim()
    .split("\n")
    .sort();

async function settingsFor(dialect: TestDialect, folder: string, opened: AsyncDisposableStack): Promise<Record<string, string>> {
  if (dialect.name === "sqlite") return { HEARTH_DATA: folder };
  return { HEARTH_DATA: folder, HEARTH_DATABASE_URL: opened.use(await dialect.create()).url };
}

eachDialect((dialect) => {
  describe("an export of a repository", () => {
    const opened = new AsyncDisposableStack();
    const root = mkdtempSync(join(tmpdir(), "hearth-export-"));
    const exported = join(root, "garden");
    let source: Record<string, string>;
    let target: Record<string, string>;
    let printed: readonly string[];

    const importing = async (folder: string, settings: Record<string, string>, ...more: readonly string[]) => {
      const { code, stdout, stderr } = await runProgram(["import", folder, "--owner", "newada", ...more], settings);
      return { code, stdout, stderr: stderr.replaceAll(/^.*(?:known vulnerabilities|in a power cut).*\n/gm, "") };
    };
    /** A server with one account and no repository. */
    const emptyServer = async (name: string): Promise<Record<string, string>> => {
      const settings = { ...(await settingsFor(dialect, join(root, name), opened)), ...administrator };
      const original = join(root, "original");
      if (dialect.name === "sqlite" && existsSync(original)) {
        cpSync(original, join(root, name), { recursive: true });
        return settings;
      }
      await using program = await startProgram(settings);
      await program.stop();
      cpSync(join(root, name), original, { recursive: true });
      return settings;
    };

    beforeAll(async () => {
      const gitea = opened.use(openRecordedGitea());
      source = await settingsFor(dialect, join(root, "source"), opened);
      expect((await runProgram(["import", "gitea", "--config", gitea.appIni], source)).code).toBe(0);
      target = await emptyServer("target");
      // Beside a running server.
      await using program = await startProgram(source);
      for (const [name, content] of [
        ["ada", "By **ada**"],
        ["ben", "By ben"],
      ] as const) {
        const browser = createBrowser(program.url);
        await browser.signIn({ name, password: recorded.password });
        const page = await browser.get(await latestCommit(program, "ada/garden", recorded.tokens.ada));
        expect((await browser.submit(page, "/ada/garden/commit_comments", { content })).status).toBe(303);
      }
      printed = [];
      for (const words of [
        ["ada/garden", exported],
        ["ada", join(root, "ada")],
      ])
        printed = [...printed, (await runProgram(["export", ...words], source)).stdout];
      await program.stop();
    }, 180_000);
    afterAll(async () => {
      await opened.disposeAsync();
      rmSync(root, { recursive: true, force: true });
    });

    test("gives the same responses on another server, with authors by name or as a mapped account", async () => {
      expect(printed).toEqual(["exported ada/garden\n", "exported ada/garden\nexported ada/secret-plans\n"]);
      expect(await importing(exported, target, "--author", "ada=newada")).toEqual({ code: 0, stdout: "imported newada/garden\n", stderr: "" });
      await using before = await startProgram(source);
      await using after = await startProgram(target);
      const [expected, found] = [
        await shown(createApiClient(before.url, `token ${recorded.tokens.ada}`), "ada/garden"),
        await shown(createApiClient(after.url, `token ${token}`), "newada/garden"),
      ];
      // A review that a later one of the same user has replaced is no review any more: its text becomes a comment.
      const comments = found.comments as readonly Json[];
      expect(comments.filter(({ body }) => body === "wait").length).toBe(1);
      found.comments = comments.filter(({ body }) => body !== "wait");
      for (const [part, value] of Object.entries(expected)) expect({ part, value: found[part] }).toEqual({ part, value });
      for (const part of ["labels", "milestones", "issues", "pulls", "comments", "reviews", "releases", "branches", "tags", "wiki"])
        expect({ part, length: (expected[part] as unknown[]).length > 0 }).toEqual({ part, length: true });
      expect(refsOf(after, "newada/garden", token)).toEqual(refsOf(before, "ada/garden", recorded.tokens.ada));
      const browser = createBrowser(after.url);
      await browser.signIn({ name: "newada", password: administrator.HEARTH_ADMIN_PASSWORD });
      const commented = await browser.get(await latestCommit(after, "newada/garden", token));
      expect(readPage(commented.text).text).toMatch(/2 comments.*newada ?commented.*By ada.*ben ?commented.*By ben/);
      expect(commented.text).toContain("By <strong>ada</strong>");
      // An author without an account has a name, but no profile.
      expect(readPage(commented.text).links).not.toContain("/ben");
      expect(readPage((await browser.get("/newada/garden/issues?q=is:all")).text).text).toContain("by ben");
      const clone = join(root, "clone");
      execFileSync("git", ["clone", "-q", "--mirror", `${after.url.replace("http://", `http://x:${token}@`)}/newada/garden.git`, clone]);
      execFileSync("git", ["-C", clone, "fsck", "--strict"], { stdio: "ignore" });
      const issues = await createApiClient(after.url, `token ${token}`).get<Json[]>("/repos/newada/garden/issues?state=all&type=all").expect(200);
      const accounts = new Map(issues.map((issue) => [issue.original_author, (issue.user as Json | null)?.login]));
      expect(accounts.get("ada")).toBe("newada");
      expect(accounts.get("ben")).not.toBe("newada");
      await after.stop();
      expect((await runProgram(["doctor"], target)).stdout).toMatch(/^ok: /m);
    }, 120_000);

    test("has bundles that git reads, and lines of JSON", () => {
      for (const name of ["code.bundle", "wiki.bundle"]) execFileSync("git", ["clone", "-q", "--bare", join(exported, name), join(root, `bare-${name}`)]);
      const lists = readdirSync(exported).filter((name) => name.endsWith(".jsonl"));
      expect(lists.length).toBe(9);
      for (const name of lists) for (const line of readFileSync(join(exported, name), "utf8").trim().split("\n")) if (line !== "") JSON.parse(line);
      expect(readdirSync(join(exported, "lfs")).length).toBe(1);
    });

    // Nothing that depends on the dialect decides about these refusals.
    if (dialect.name === "sqlite")
      test("is refused in one line if it is incomplete, truncated, changed or of another version, and nothing is made", async () => {
        const settings = await emptyServer("strict");
        const changed = (name: string, change: (folder: string) => void): string => {
          const folder = join(root, name);
          cpSync(exported, folder, { recursive: true });
          change(folder);
          return folder;
        };
        const manifest = "hearth-export.json";
        const edit = (folder: string, path: string, replace: (text: string) => string): void =>
          writeFileSync(join(folder, path), replace(readFileSync(join(folder, path), "utf8")));
        const cases: readonly (readonly [folder: string, message: RegExp])[] = [
          [join(root, "nowhere"), /^hearth: the folder \S+ does not exist\n$/],
          [changed("unfinished", (folder) => rmSync(join(folder, manifest))), /^hearth: the export in \S+ is incomplete: it has no hearth-export.json\n$/],
          [changed("short", (folder) => truncateSync(join(folder, "code.bundle"), 300)), /^hearth: the export in \S+ was changed or truncated: code.bundle /],
          [changed("edited", (folder) => edit(folder, "issues.jsonl", (text) => text.replace("a", "b"))), /was changed or truncated: issues.jsonl /],
          [changed("missing", (folder) => rmSync(join(folder, "pulls.jsonl"))), /^hearth: the export in \S+ is incomplete: pulls.jsonl is missing\n$/],
          [
            changed("newer", (folder) => edit(folder, manifest, (text) => text.replace('"version": 1', '"version": 2'))),
            /has version 2; this version of Hearth reads/,
          ],
          [changed("cut", (folder) => truncateSync(join(folder, manifest), 50)), /has a hearth-export.json that cannot be read\n$/],
          [changed("outside", (folder) => edit(folder, manifest, (text) => text.replace("labels.jsonl", "../labels.jsonl"))), /lists an unknown file/],
        ];
        for (const [folder, message] of cases) {
          const { code, stdout, stderr } = await importing(folder, settings);
          expect({ folder, code, stdout, stderr }).toEqual({ folder, code: 1, stdout: "", stderr: expect.stringMatching(message) });
          expect(stderr.trim().split("\n").length).toBe(1);
        }
        expect((await runProgram(["admin", "repo", "list"], settings)).stdout).toBe("");
        expect((await importing(exported, settings, "--author", "ada=nobody2")).stderr).toBe("hearth: there is no account nobody2\n");
        expect((await importing(exported, settings)).code).toBe(0);
        expect((await importing(exported, settings)).stderr).toBe("hearth: newada/garden exists already: choose another name with --name\n");
        expect((await importing(exported, settings, "--name", "second")).stdout).toBe("imported newada/second\n");
        expect((await runProgram(["export", "newada", exported], settings)).stderr).toMatch(/^hearth: \S+ is not empty: name another folder, /m);
      }, 120_000);

    test.skipIf(!canTrace)(
      "can be imported again after an import that was killed",
      async () => {
        const settings = await emptyServer("killed");
        let kills = 0;
        // Beside PostgreSQL, only the files of git are synced.
        for (const nth of dialect.name === "sqlite" ? [1, 3, 5, 8] : [1, 5]) {
          const { code } = await runProgram(["import", join(root, "ada"), "--owner", "newada"], settings, killingAt("fsync,fdatasync", nth));
          if (code === 0) break;
          kills += 1;
          // Each repository is there completely or not at all.
          const made = (await runProgram(["admin", "repo", "list"], settings)).stdout.trim().split("\n").filter(Boolean);
          for (const line of made) expect((await runProgram(["admin", "repo", "delete", line.split("\t")[1] ?? ""], settings)).code).toBe(0);
        }
        expect(kills).toBeGreaterThan(0);
        const { code } = await importing(join(root, "ada"), settings);
        expect(code).toBe(0);
        expect((await runProgram(["doctor"], settings)).stdout).toMatch(/^ok: /m);
      },
      120_000,
    );
  });
});
