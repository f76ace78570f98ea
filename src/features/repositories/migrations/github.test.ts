import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sqlite } from "../../../../test/kit/databases.ts";
import { startForeignForge } from "../../../../test/kit/foreign-forge.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { createClient } from "../../../../test/kit/git.ts";
import { startRemote } from "../../../../test/kit/remote.ts";

// GitHub's responses, in the format of its reference (docs.github.com/rest).

const root = mkdtempSync(join(tmpdir(), "hearth-github-"));
const origin = createClient();
const base = origin.commit({ "a.txt": "one\ntwo\n" });
origin.git("tag", "v1");
origin.git("checkout", "-q", "-b", "feature");
const first = origin.commit({ "a.txt": "one\ntwo\nthree\n" });
const head = origin.commit({ "a.txt": "zero\none\ntwo\nthree\n" });
origin.git("update-ref", "refs/pull/2/head", head);
origin.git("update-ref", "refs/pull/2/merge", base);
origin.git("update-ref", "refs/pull/3/head", first);
origin.git("checkout", "-q", "main");
origin.git("merge", "-q", "--no-ff", "-m", "merge", first);
const merge = origin.git("rev-parse", "HEAD").trim();
execFileSync("git", ["clone", "-q", "--mirror", origin.path, join(root, "x", "demo.git")]);
afterAll(() => {
  origin.remove();
  rmSync(root, { recursive: true, force: true });
});

const day = (number: number): string => `2020-01-${String(number).padStart(2, "0")}T10:00:00Z`;
const mona = { login: "mona", id: 71 };
const hub = { login: "hubert", id: 72 };
const at = (number: number) => ({ created_at: day(number), updated_at: day(number) });
const label = (id: number, name: string) => ({ id, name, color: "d73a4a", description: `about ${name}` });
const milestone = { id: 900, number: 1, title: "1.0", description: "soon", state: "open", due_on: day(30), ...at(1) };
const repo = { id: 5000 };
const pull = (number: number, more: object) => ({
  ...{
    number,
    title: `Pull ${number}`,
    body: null,
    user: mona,
    state: "open",
    labels: [],
    locked: false,
    draft: false,
    merged_at: null,
    merge_commit_sha: null,
  },
  ...{ base: { ref: "main", sha: base, repo }, ...at(number) },
  ...more,
});
const pulls = [
  pull(2, { draft: true, head: { ref: "feature", sha: head, repo } }),
  pull(3, { state: "closed", closed_at: day(9), merged_at: day(9), merge_commit_sha: merge, head: { ref: "gone", sha: first, repo: null } }),
];
const lineComment = (id: number, more: object) => ({
  ...{ id, path: "a.txt", side: "RIGHT", body: `line ${id}`, user: hub, diff_hunk: "@@ -1,2 +1,3 @@\n one", commit_id: head, original_commit_id: first },
  ...{ pull_request_review_id: 700, pull_request_url: "https://api.github.com/repos/x/demo/pulls/2", ...at(6) },
  ...more,
});

interface Special {
  readonly instead?: (path: string, response: ServerResponse) => boolean;
  /** The host of release files. */
  readonly files?: string;
}

const start = ({ instead, files = "" }: Special = {}) =>
  startForeignForge({
    root,
    api: "/api/v3/repos/x/demo",
    apiAuthorization: "Bearer s3cret",
    authorization: `Basic ${Buffer.from("oauth2:s3cret").toString("base64")}`,
    instead: (path, response) => {
      if (path === "/releases/assets/1") response.writeHead(302, { location: `${files}/kept/a.bin` }).end();
      else return instead?.(path, response) ?? false;
      return true;
    },
    answers: (url) => ({
      "": { id: 5000, name: "demo", description: "what it is", homepage: "javascript:alert(1)", topics: ["forge", "Not a topic", 7] },
      "/labels": [label(1, "bug"), label(2, "good first issue"), label(3, "help")],
      "/milestones": [milestone],
      "/issues": [
        {
          number: 1,
          title: "It breaks",
          body: "so",
          state: "closed",
          closed_at: day(8),
          locked: true,
          user: mona,
          labels: [label(3, "help")],
          milestone,
          reactions: { total_count: 4 },
          ...at(1),
        },
        ...pulls.map((one) => ({ ...one, pull_request: { url: "" } })),
        { number: 4, title: "Fine", body: "", state: "open", locked: false, user: null, labels: [], milestone: null, ...at(4) },
      ],
      "/issues/comments": [
        { id: 11, body: "me too", user: hub, reactions: { total_count: 1 }, issue_url: "https://api.github.com/repos/x/demo/issues/1", ...at(2) },
        { id: 12, body: "nice", user: mona, issue_url: "https://api.github.com/repos/x/demo/issues/2", ...at(5) },
      ],
      "/issues/1/reactions": [
        { id: 1, user: mona, content: "hooray", created_at: day(2) },
        { id: 2, user: hub, content: "hooray", created_at: day(3) },
        { id: 3, user: hub, content: "hooray", created_at: day(3) },
        { id: 4, user: hub, content: "shrug", created_at: day(3) },
      ],
      "/issues/comments/11/reactions": [{ id: 5, user: mona, content: "-1", created_at: day(4) }],
      "/issues/comments/12/reactions": [{ id: 6, user: mona, content: "heart", created_at: day(4) }],
      "/pulls": pulls,
      "/pulls/2/reviews": [
        { id: 700, state: "CHANGES_REQUESTED", body: "not so", user: hub, commit_id: first, submitted_at: day(6) },
        { id: 701, state: "PENDING", body: "half", user: hub, commit_id: head },
        { id: 702, state: "APPROVED", body: "", user: hub, commit_id: head, submitted_at: day(7) },
      ],
      "/pulls/3/reviews": [],
      "/pulls/comments": [
        lineComment(21, { line: 4, original_line: 3 }),
        lineComment(22, { line: null, original_line: 1, pull_request_review_id: 799 }),
        lineComment(23, { line: 1, pull_request_url: "https://api.github.com/repos/x/demo/pulls/99" }),
      ],
      "/releases": [
        {
          ...{
            tag_name: "v1",
            name: "One",
            body: "notes",
            target_commitish: "main",
            draft: false,
            prerelease: true,
            author: mona,
            published_at: day(3),
            ...at(3),
          },
          assets: [{ name: "a.bin", size: 5, url: `${url}/api/v3/repos/x/demo/releases/assets/1`, browser_download_url: "http://169.254.169.254/" }],
        },
      ],
    }),
  });

let forge: TestForge;
let alice: TestUser;
beforeAll(async () => {
  forge = await startForge({ dialect: sqlite, environment: { HEARTH_MIGRATION_ALLOWED_HOSTS: "loopback" } });
  alice = await forge.createUser("alice");
});
afterAll(() => forge[Symbol.asyncDispose]());

const parts = { service: "github", issues: true, labels: true, milestones: true, releases: true, pull_requests: true, auth_token: "s3cret" };
const migrate = (url: string, name: string, more: object = {}) =>
  alice.post("/repos/migrate", { clone_addr: `${url}/x/demo.git`, repo_name: name, ...parts, ...more });

test("imports a repository with its tracker from GitHub", async () => {
  await using elsewhere = await startRemote({
    root,
    intercept(request, response) {
      // The file host does not receive the token.
      if (request.headers.authorization === undefined) response.end("bytes");
      else response.writeHead(400).end();
      return true;
    },
  });
  let isFirst = true;
  const instead = (path: string, response: ServerResponse): boolean => {
    if (path !== "/labels" || !isFirst) return false;
    isFirst = false;
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(Math.floor(Date.now() / 1_000) + 1) };
    response.writeHead(403, headers).end(`{"message":"API rate limit exceeded"}`);
    return true;
  };
  await using github = await start({ instead, files: elsewhere.url });
  const made = await migrate(github.url, "full").expect(201);
  expect(made).toMatchObject({ open_issues_count: 1, open_pr_counter: 1, release_counter: 1 });
  expect(made).toMatchObject({ description: "what it is", website: "", topics: ["forge"] });
  const r = "/repos/alice/full";
  expect((await alice.get(`${r}/labels`).expect(200)).map(({ name }: { name: string }) => name)).toEqual(["bug", "good first issue", "help"]);
  expect(await alice.get(`${r}/milestones?state=all`).expect(200)).toMatchObject([{ title: "1.0", due_on: day(30), closed_issues: 1 }]);
  const issues = await alice.get(`${r}/issues?state=all&type=issues`).expect(200);
  expect(issues).toMatchObject([
    { number: 4, original_author: "Ghost", state: "open" },
    {
      ...{ number: 1, title: "It breaks", state: "closed", closed_at: day(8), is_locked: true, original_author: "mona", original_author_id: 71, comments: 1 },
      ...{ labels: [{ name: "help" }], milestone: { title: "1.0" }, created_at: day(1) },
    },
  ]);
  const [comment] = await alice.get(`${r}/issues/1/comments`).expect(200);
  expect(comment).toMatchObject({ body: "me too", original_author: "hubert" });
  const reactions = async (path: string) => alice.get(`${r}/issues/${path}/reactions`).expect(200);
  expect(await reactions("1")).toEqual([2, 3].map((number) => ({ user: null, content: "hooray", created_at: day(number) })));
  expect(await reactions(`comments/${comment.id}`)).toMatchObject([{ content: "-1" }]);
  // Comments are not requested if the list shows a count of zero.
  const [other] = await alice.get(`${r}/issues/2/comments`).expect(200);
  expect((await alice.get(`${r}/issues/comments/${other.id}/reactions`)).text).not.toContain("heart");
  const shown = ({ number, title, state, draft, merged, merge_commit_sha, merged_at, head: of }: Record<string, { ref: string; sha: string }>) => [
    ...[number, title, state, draft, merged, merge_commit_sha, merged_at],
    ...[of?.ref, of?.sha],
  ];
  expect((await alice.get(`${r}/pulls?state=all`).expect(200)).map(shown)).toEqual([
    [3, "Pull 3", "closed", false, true, merge, day(9), "refs/pull/3/head", first],
    [2, "WIP: Pull 2", "open", true, false, null, null, "feature", head],
  ]);
  const reviews = await alice.get(`${r}/pulls/2/reviews`).expect(200);
  expect(reviews).toMatchObject([
    { state: "REQUEST_CHANGES", body: "not so", stale: true, comments_count: 1 },
    { state: "COMMENT", body: "", comments_count: 1 },
    { state: "APPROVED", stale: false, official: false },
  ]);
  const linesOf = async (review: { id: number }) => (await alice.get(`${r}/pulls/2/reviews/${review.id}/comments`).expect(200))[0];
  // An outdated comment was written on the first line of the first commit, which is now the second one.
  expect([await linesOf(reviews[0]), await linesOf(reviews[1])]).toMatchObject([
    { path: "a.txt", position: 4, body: "line 21", diff_hunk: "@@ -1,2 +1,3 @@\n one" },
    { path: "a.txt", position: 2, body: "line 22" },
  ]);
  const [release] = await alice.get(`${r}/releases`).expect(200);
  expect(release).toMatchObject({ tag_name: "v1", name: "One", prerelease: true, published_at: day(3), assets: [{ name: "a.bin", size: 5 }] });
  const refs: { ref: string }[] = await alice.get(`${r}/git/refs`).expect(200);
  expect(refs.map(({ ref }) => ref)).toEqual(["refs/heads/feature", "refs/heads/main", "refs/pull/2/head", "refs/pull/3/head", "refs/tags/v1"]);
  expect(await alice.post(`${r}/issues`, { title: "next" }).expect(201)).toMatchObject({ number: 5 });
});

describe("a server that", () => {
  test("limits the request rate is waited for, visibly, and the wait can be cancelled", async () => {
    await using github = await start({
      instead: (path, response) => {
        if (path === "/milestones") response.writeHead(429, { "retry-after": "3600" }).end();
        return path === "/milestones";
      },
    });
    const ended = migrate(github.url, "later").then(({ status }) => status);
    const found = async () => (await alice.get("/user/migrations?limit=1").expect(200))[0];
    await expect.poll(found, { timeout: 60_000 }).toMatchObject({ full_name: "alice/later", status: "running", resumes_at: expect.any(String) });
    const { id, resumes_at } = await found();
    expect(Date.parse(resumes_at)).toBeGreaterThan(Date.now() + 1_800_000);
    await alice.delete(`/user/migrations/${id}`).expect(204);
    expect(await ended).toBe(409);
  });

  test.each([
    [
      "asks for too long a pause",
      403,
      { "retry-after": "999999" },
      "Migration failed: clone error: the remote server asks for a longer pause than the migration can wait",
    ],
    ["refuses the token", 403, {}, "Authentication failed: the remote rejected the credentials"],
    ["is broken", 500, {}, "Migration failed: clone error: the remote answered with status 500"],
  ])("%s ends the migration", async (_what, status, headers, message) => {
    await using github = await start({
      instead: (_path, response) => {
        response.writeHead(status, headers).end("{}");
        return true;
      },
    });
    expect((await migrate(github.url, "never")).json).toMatchObject({ message });
    await alice.get("/repos/alice/never").expect(404);
  });

  test("pagination to another host or in circles is not followed, but a redirect after a rename is", async () => {
    await using github = await start({
      instead: (path, response) => {
        if (path === "") response.writeHead(301, { location: "/api/v3/repos/x/demo/renamed" }).end();
        if (path === "/renamed") response.end(JSON.stringify({ description: "as it is called now" }));
        if (path === "" || path === "/renamed") return true;
        if (path !== "/labels" && path !== "/milestones") return false;
        const target = path === "/labels" ? "http://169.254.169.254/" : "/api/v3/repos/x/demo/milestones";
        response.setHeader("link", `<${target}>; rel="next"`).end(JSON.stringify(path === "/labels" ? [label(1, "bug")] : [milestone]));
        return true;
      },
    });
    expect(await migrate(github.url, "circle").expect(201)).toMatchObject({ description: "as it is called now" });
    expect(await alice.get("/repos/alice/circle/labels").expect(200)).toMatchObject([{ name: "bug" }]);
    expect(await alice.get("/repos/alice/circle/milestones").expect(200)).toMatchObject([{ title: "1.0" }]);
  });
});

test("a shutdown of this server does not wait for a migration, and its caller is notified that it continues", async () => {
  const stuck = Promise.withResolvers<void>();
  await using github = await start({
    instead: (path, response) => {
      if (path !== "/labels") return false;
      response.writeHead(429, { "retry-after": "3600" }).end();
      stuck.resolve();
      return true;
    },
  });
  const stopping = await startForge({ dialect: sqlite, environment: { HEARTH_MIGRATION_ALLOWED_HOSTS: "loopback" } });
  const input = { clone_addr: `${github.url}/x/demo.git`, repo_name: "demo", ...parts };
  const waiting = stopping.admin.post("/repos/migrate", input).then(({ status, text }) => [status, text]);
  await stuck.promise;
  await stopping[Symbol.asyncDispose]();
  expect(await waiting).toEqual([503, expect.stringContaining("the migration goes on")]);
});
