import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sqlite } from "../../../../test/kit/databases.ts";
import { startForeignForge } from "../../../../test/kit/foreign-forge.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { createClient } from "../../../../test/kit/git.ts";
import { startRemote } from "../../../../test/kit/remote.ts";

// GitLab's responses, in the format of its reference (docs.gitlab.com/api).

const root = mkdtempSync(join(tmpdir(), "hearth-gitlab-"));
const origin = createClient();
const base = origin.commit({ "a.txt": "one\ntwo\n" });
origin.git("tag", "v1");
origin.git("checkout", "-q", "-b", "feature");
const head = origin.commit({ "a.txt": "one\ntwo\nthree\n" });
origin.git("update-ref", "refs/merge-requests/1/head", head);
origin.git("update-ref", "refs/merge-requests/1/merge", base);
execFileSync("git", ["clone", "-q", "--mirror", origin.path, join(root, "group", "sub", "demo.git")]);
afterAll(() => {
  origin.remove();
  rmSync(root, { recursive: true, force: true });
});

const day = (number: number): string => `2020-01-${String(number).padStart(2, "0")}T10:00:00.000Z`;
const wire = (number: number): string => day(number).replace(".000", "");
const tanuki = { id: 81, username: "tanuki", name: "T." };
const at = (number: number) => ({ created_at: day(number), updated_at: day(number) });
const milestone = { id: 600, iid: 1, title: "1.0", description: "", state: "closed", due_date: "2020-02-01", ...at(1) };
const issue = (iid: number, more: object) => ({
  ...{ id: 1_000 + iid, iid, title: `Issue ${iid}`, description: "text", state: "opened", labels: [], milestone: null, author: tanuki, closed_at: null },
  ...{ confidential: false, discussion_locked: null, due_date: null, user_notes_count: 0, ...at(iid) },
  ...more,
});
const note = (id: number, body: string, more: object = {}) => ({ id, body, author: tanuki, system: false, internal: false, ...at(6), ...more });
const request = {
  ...issue(1, { title: "Draft: Three", author: { id: 82, username: "fox" }, labels: ["feature::new"] }),
  ...{ id: 2_000, draft: true, source_branch: "feature", target_branch: "main", source_project_id: 42, target_project_id: 42, sha: head },
  reviewers: [tanuki, { id: 82 }],
  ...{ merge_commit_sha: null, squash_commit_sha: null, merged_at: null },
};
const place = { position_type: "text", base_sha: base, start_sha: base, head_sha: head, old_path: "a.txt", new_path: "a.txt", old_line: null, new_line: 3 };

const start = () =>
  startForeignForge({
    root,
    api: "/api/v4/projects/group%2Fsub%2Fdemo",
    apiAuthorization: "Bearer s3cret",
    authorization: `Basic ${Buffer.from("oauth2:s3cret").toString("base64")}`,
    intercept(request, response) {
      if (request.url === "/files/notes.txt") response.end("linked");
      else if (request.url === "/files/elsewhere.txt") response.end(request.headers.authorization ?? "told nothing");
      else return false;
      return true;
    },
    answers: (url) => ({
      "": { id: 42, path_with_namespace: "group/sub/demo", description: "what it is", topics: ["forge"], issues_enabled: true, merge_requests_enabled: true },
      "/labels": [
        { id: 1, name: "feature::new", color: "#6699cc", description: null, archived: false },
        { id: 2, name: "bug", color: "red", description: "wrong" },
      ],
      "/milestones": [milestone],
      "/issues": [
        issue(1, {
          state: "closed",
          closed_at: day(4),
          labels: ["bug", "unknown"],
          milestone,
          user_notes_count: 3,
          assignees: [tanuki, { id: 82 }],
          discussion_locked: true,
          due_date: "2020-03-01",
        }),
        issue(2, { confidential: true, user_notes_count: 1 }),
        issue(3, {}),
      ],
      "/issues/1/notes": [note(10, "said"), note(11, "added label", { system: true }), note(12, "among us", { internal: true })],
      "/issues/1/award_emoji": [
        { name: "thumbsup", user: tanuki, created_at: day(2) },
        { name: "baby_tone1", user: tanuki, created_at: day(2) },
      ],
      "/issues/1/notes/10/award_emoji": [{ name: "tada", user: { id: 83, username: "owl" }, created_at: day(2) }],
      "/merge_requests/1/award_emoji": [{ name: "eyes", user: tanuki, created_at: day(2) }],
      "/merge_requests/1/notes/20/award_emoji": [{ name: "heart", user: tanuki, created_at: day(2) }],
      "/issues/2/notes": [note(13, "secret")],
      "/merge_requests": [request],
      "/merge_requests/1/discussions": [
        { id: "a", individual_note: true, notes: [note(20, "all of it")] },
        { id: "b", notes: [note(21, "this line", { type: "DiffNote", position: place }), note(22, "and so", { type: "DiffNote", position: place })] },
        { id: "c", individual_note: true, notes: [note(23, "pushed", { system: true })] },
      ],
      "/merge_requests/1/approvals": { approved_by: [{ user: tanuki, approved_at: day(7) }] },
      "/releases": [
        {
          ...{ tag_name: "v1", name: "One", description: "notes", created_at: day(2), released_at: day(3), author: tanuki, upcoming_release: false },
          assets: {
            links: [
              { id: 1, name: "notes.txt", url: `${url}/files/notes.txt`, direct_asset_url: `${url}/files/notes.txt` },
              { id: 2, name: "x", url: "http://169.254.169.254/" },
              { id: 3, name: "elsewhere.txt", url: `${url.replace("127.0.0.1", "localhost")}/files/elsewhere.txt` },
            ],
          },
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

test("imports a project with its tracker from GitLab", async () => {
  await using gitlab = await start();
  const parts = { service: "gitlab", issues: true, labels: true, milestones: true, releases: true, pull_requests: true, auth_token: "s3cret" };
  const input = { clone_addr: `${gitlab.url}/group/sub/demo.git`, ...parts };
  await alice.post("/repos/migrate", { ...input, repo_name: "open" }).expect(201);
  const r = "/repos/alice/open";
  expect(await alice.get(r).expect(200)).toMatchObject({ description: "what it is", topics: ["forge"] });
  expect(await alice.get(`${r}/labels`).expect(200)).toMatchObject([
    { name: "bug", color: "cccccc", description: "wrong" },
    { name: "feature::new", color: "6699cc" },
  ]);
  expect(await alice.get(`${r}/milestones?state=all`).expect(200)).toMatchObject([{ title: "1.0", state: "closed", due_on: "2020-02-01T23:59:59Z" }]);
  // Confidential items are not imported into a public repository.
  expect(await alice.get(`${r}/issues?state=all&type=issues`).expect(200)).toMatchObject([
    { number: 3, title: "Issue 3", state: "open" },
    {
      ...{ number: 1, state: "closed", closed_at: wire(4), is_locked: true, due_date: "2020-03-01T23:59:59Z", comments: 1, original_author: "tanuki" },
      ...{ labels: [{ name: "bug" }], milestone: { title: "1.0" } },
    },
  ]);
  expect(await alice.get(`${r}/issues/1/comments`).expect(200)).toMatchObject([{ body: "said", original_author: "tanuki", original_author_id: 81 }]);
  // Merge requests are numbered after the issues.
  expect(await alice.get(`${r}/pulls?state=all`).expect(200)).toMatchObject([
    {
      number: 4,
      title: "WIP: Three",
      draft: true,
      state: "open",
      labels: [{ name: "feature::new" }],
      head: { ref: "feature", sha: head },
      base: { ref: "main" },
    },
  ]);
  expect(await alice.get(`${r}/issues/4/comments`).expect(200)).toMatchObject([{ body: "all of it" }]);
  const reviews = await alice.get(`${r}/pulls/4/reviews`).expect(200);
  expect(reviews).toMatchObject([
    { state: "COMMENT", comments_count: 2 },
    { state: "APPROVED", official: false, submitted_at: wire(7) },
  ]);
  expect(await alice.get(`${r}/pulls/4/reviews/${reviews[0].id}/comments`).expect(200)).toMatchObject([
    { path: "a.txt", position: 3, body: "this line" },
    { path: "a.txt", position: 3, body: "and so" },
  ]);
  expect(await alice.get(`${r}/releases`).expect(200)).toMatchObject([
    {
      ...{ tag_name: "v1", body: "notes", published_at: wire(3) },
      // Other file hosts do not receive the token.
      assets: [
        { name: "elsewhere.txt", size: "told nothing".length },
        { name: "notes.txt", size: 6 },
      ],
    },
  ]);
  expect(await alice.post(`${r}/issues`, { title: "next" }).expect(201)).toMatchObject({ number: 5 });

  await alice.post("/repos/migrate", { ...input, repo_name: "closed", private: true }).expect(201);
  const all = await alice.get("/repos/alice/closed/issues?state=all&type=issues").expect(200);
  expect(all.map(({ number, comments }: { number: number; comments: number }) => [number, comments])).toEqual([
    [3, 0],
    [2, 1],
    [1, 2],
  ]);
});

test("maps authors to accounts only if they have signed in here through the source server", async () => {
  await using gitlab = await start();
  const secret = "the client's secret, which is long enough";
  const source = { kind: "oidc", name: "gitlab", secret, oidc: { issuer: `${gitlab.url}/`, client_id: "hearth" } };
  const { id: source_id } = await forge.admin.post("/admin/sources", source).expect(201);
  // An equal username is not enough.
  const fox = await forge.createUser("fox");
  const bob = await forge.createUser("bob");
  const identity = { source_id, account_id: bob.id, subject: String(tanuki.id), label: "tanuki", created_ms: 0, last_used_ms: 0 };
  await forge.context.db.tx((tx) => tx.sql.insertInto("external_identities").values(identity).execute());
  const input = { clone_addr: `${gitlab.url}/group/sub/demo.git`, service: "gitlab", issues: true, pull_requests: true, auth_token: "s3cret" };
  await alice.post("/repos/migrate", { ...input, repo_name: "linked" }).expect(201);
  const r = "/repos/alice/linked";
  expect(await alice.get(`${r}/issues/1`).expect(200)).toMatchObject({ user: { login: "bob" }, original_author: "tanuki", assignees: [{ login: "bob" }] });
  expect(await alice.get(`${r}/issues/1/comments`).expect(200)).toMatchObject([{ user: { login: "bob" }, original_author: "tanuki" }]);
  expect(await alice.get(`${r}/issues/4`).expect(200)).toMatchObject({ user: null, original_author: fox.name, assignees: null });
  const reactions = async (path: string) =>
    (await alice.get(`${r}/issues/${path}/reactions`).expect(200)).map(
      ({ user, content }: { user: { login: string } | null; content: string }) => `${user?.login} ${content}`,
    );
  const comments = await Promise.all([1, 4].map(async (number) => (await alice.get(`${r}/issues/${number}/comments`).expect(200))[0].id));
  expect(await Promise.all(["1", `comments/${comments[0]}`, "4", `comments/${comments[1]}`].map(reactions))).toEqual([
    ["bob +1"],
    ["undefined hooray"],
    ["bob eyes"],
    ["bob heart"],
  ]);
  // Review requests are imported for mapped users.
  expect(await alice.get(`${r}/pulls/4`).expect(200)).toMatchObject({ requested_reviewers: [{ login: "bob" }] });
  expect(await bob.get("/repos/issues/search?review_requested=true&type=pulls").expect(200)).toMatchObject([{ number: 4 }]);
  const reviewers = (await alice.get(`${r}/pulls/4/reviews`).expect(200)).map(({ state, user }: { state: string; user: { login: string } | null }) => [
    state,
    user?.login,
  ]);
  expect(reviewers).toEqual([
    ["COMMENT", undefined],
    ["APPROVED", undefined],
    ["REQUEST_REVIEW", "bob"],
  ]);
  // Users without access are not assigned.
  await alice.post("/repos/migrate", { ...input, repo_name: "hidden", private: true }).expect(201);
  expect(await alice.get("/repos/alice/hidden/issues/1").expect(200)).toMatchObject({ user: { login: "bob" }, assignees: null });
});

test("merge requests keep their numbers if issues are not imported", async () => {
  await using gitlab = await start();
  const input = { clone_addr: `${gitlab.url}/group/sub/demo.git`, service: "gitlab", pull_requests: true, auth_password: "s3cret", auth_username: "oauth2" };
  await alice.post("/repos/migrate", { ...input, repo_name: "requests" }).expect(201);
  expect(await alice.get("/repos/alice/requests/pulls?state=all").expect(200)).toMatchObject([{ number: 1, head: { sha: head } }]);
});

test.each(["github", "gitlab"])("values of unexpected types in %s are ignored and cause no error", async (service) => {
  const odd = {
    ...{ id: -1, iid: 2 ** 60, number: "7", title: { a: 1 }, name: 7, tag_name: ["v1"], labels: "all", milestone: 3, author: "root", user: [], body: [] },
    ...{ created_at: "yesterday", color: "red;}", base: "main", head: { ref: 5, sha: "--upload-pack=x" }, notes: [{ position: { new_line: "x" } }] },
    ...{ assets: { links: [{ name: "../up", url: "file:///etc/passwd" }] }, issues_enabled: "no", topics: [{}], description: ["x"] },
  };
  const good = {
    number: 9,
    iid: 9,
    id: 5,
    title: "t",
    description: "<script>",
    user_notes_count: 1,
    source_branch: "x",
    target_branch: "main",
    state: "merged",
  };
  const pages = [odd, null, 3, "text", [odd], { ...good, base: { ref: "main" }, head: { ref: "x", sha: "1".repeat(40) }, merged_at: day(1) }];
  await using ill = await startRemote({
    root,
    authorization: `Basic ${Buffer.from("oauth2:s3cret").toString("base64")}`,
    intercept(request, response) {
      const isApi = request.url?.startsWith("/api/") === true;
      if (isApi) response.end(JSON.stringify(/demo(?:\?|$)/.test(request.url ?? "") ? odd : pages));
      return isApi;
    },
  });
  const parts = { service, issues: true, labels: true, milestones: true, releases: true, pull_requests: true, auth_token: "s3cret" };
  const name = `odd-${service}`;
  await alice.post("/repos/migrate", { clone_addr: `${ill.url}/group/sub/demo.git`, repo_name: name, ...parts }).expect(201);
  const issues = await alice.get(`/repos/alice/${name}/issues?state=all`).expect(200);
  expect(new Set(issues.map(({ user, original_author }: Record<string, unknown>) => [user, original_author].join()))).toEqual(new Set([",Ghost"]));
  expect(await alice.get(`/repos/alice/${name}/releases`).expect(200)).toEqual([]);
  // Its commits are missing, so it is imported as an issue.
  expect(await alice.get(`/repos/alice/${name}/pulls?state=all`).expect(200)).toEqual([]);
});
