import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { createClient } from "../../../../test/kit/git.ts";
import { startRemote } from "../../../../test/kit/remote.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const source = "/repos/alice/site";
// biome-ignore lint/suspicious/noExplicitAny: JSON response
type Pull = Record<string, any>;

const input = { service: "gitea", issues: true, pull_requests: true, labels: true, milestones: true };

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;
  beforeAll(async () => {
    forge = await startForge({ dialect, environment: { HEARTH_MIGRATION_ALLOWED_HOSTS: "loopback" } });
    [alice, bob, carol] = await Promise.all([forge.createUser("alice"), forge.createUser("bob"), forge.createUser("carol")]);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const write = async (user: TestUser, repository: string, branch: string): Promise<void> => {
    const file = { content: base64(`first\n${branch}\n`), message: branch, branch: "main", new_branch: branch };
    await user.post(`${repository}/contents/${branch}.txt`, file).expect(201);
  };
  const open = async (user: TestUser, head: string, more: object = {}): Promise<number> =>
    (await user.post(`${source}/pulls`, { title: `PR ${head}`, head, base: "main", ...more }).expect(201)).number;

  test("imports pull requests with their numbers, commits, reviews and merges", async () => {
    await alice.post("/user/repos", { name: "site", auto_init: true }).expect(201);
    await alice.post(`${source}/issues`, { title: "An issue" }).expect(201);
    const label = await alice.post(`${source}/labels`, { name: "kind", color: "#112233" }).expect(201);
    for (const branch of ["open", "merged", "closed"]) await write(alice, source, branch);
    const waiting = await open(alice, "open", { body: "what it does", labels: [label.id] });
    const merged = await open(alice, "merged");
    const closed = await open(alice, "closed");
    await bob.post(`${source}/forks`, {}).expect(202);
    await write(bob, "/repos/bob/site", "forked");
    const forked = await open(bob, "bob:forked");

    await alice.post(`${source}/issues/${waiting}/comments`, { body: "said" }).expect(201);
    const comments = [{ path: "open.txt", new_position: 2, body: "here" }];
    await bob.post(`${source}/pulls/${waiting}/reviews`, { event: "REQUEST_CHANGES", body: "not yet", comments }).expect(200);
    await alice.post(`${source}/pulls/${merged}/merge`, { Do: "merge", delete_branch_after_merge: true }).expect(200);
    await alice.patch(`${source}/pulls/${closed}`, { state: "closed" }).expect(201);

    await carol.post("/repos/migrate", { ...input, clone_addr: `${forge.url}/alice/site.git`, repo_name: "copy", auth_token: carol.token }).expect(201);
    const target = "/repos/carol/copy";
    expect(await carol.get(target).expect(200)).toMatchObject({ open_issues_count: 1, open_pr_counter: 2 });
    const shown = ({ number, title, body, state, merged_at, merge_commit_sha, merge_base, head, base, comments: count, mergeable }: Pull) => ({
      ...{ number, title, body, state, merged_at, merge_commit_sha, merge_base, count, mergeable },
      ...{ head: [head.label, head.ref, head.sha], base: [base.ref, base.sha] },
    });
    const numbers = [waiting, merged, closed];
    for (const number of numbers) {
      const [there, here] = await Promise.all([alice.get(`${source}/pulls/${number}`).expect(200), carol.get(`${target}/pulls/${number}`).expect(200)]);
      expect(shown(here)).toEqual(shown(there));
      expect(here.user).toBeNull();
    }
    // The fork is not imported, but its commits are.
    const there = await alice.get(`${source}/pulls/${forked}`).expect(200);
    const here = await carol.get(`${target}/pulls/${forked}`).expect(200);
    expect(here).toMatchObject({ state: "open", mergeable: true, head: { label: "forked", ref: `refs/pull/${forked}/head`, sha: there.head.sha, repo: null } });
    expect(await carol.get(`${target}/issues/${forked}`).expect(200)).toMatchObject({ original_author: "bob", pull_request: { merged: false } });
    expect(await carol.get(`${target}/pulls/${waiting}`).expect(200)).toMatchObject({ labels: [{ name: "kind" }] });
    expect((await carol.get(`${target}/pulls/${merged}.diff`)).text).toBe((await alice.get(`${source}/pulls/${merged}.diff`)).text);

    const [review, ...others] = await carol.get(`${target}/pulls/${waiting}/reviews`).expect(200);
    expect(others).toEqual([]);
    expect(review).toMatchObject({
      state: "REQUEST_CHANGES",
      body: "not yet",
      official: false,
      stale: false,
      comments_count: 1,
      user: null,
      original_author: "bob",
      original_author_id: bob.id,
    });
    const lines = async (user: TestUser, repository: string) => {
      const [{ id }] = await user.get(`${repository}/pulls/${waiting}/reviews`).expect(200);
      const [{ path, position, original_position, body, diff_hunk, commit_id }] = await user
        .get(`${repository}/pulls/${waiting}/reviews/${id}/comments`)
        .expect(200);
      return { path, position, original_position, body, diff_hunk, commit_id };
    };
    expect(await lines(carol, target)).toEqual(await lines(alice, source));
    expect(await carol.get(`${target}/pulls/${waiting}/reviews/${review.id}/comments`).expect(200)).toMatchObject([{ user: null, original_author: "bob" }]);
    expect((await alice.get(`${source}/pulls/${waiting}/reviews`).expect(200))[0]).not.toHaveProperty("original_author");
    const eventsIn = async (number: number) => (await carol.get(`${target}/issues/${number}/timeline`).expect(200)).map(({ type, user }: Pull) => [type, user]);
    expect(await eventsIn(waiting)).toEqual([
      ["comment", null],
      ["review", null],
    ]);
    expect(await eventsIn(merged)).toEqual([["merge_pull", null]]);
    expect(await carol.get(`${target}/issues/${waiting}/comments`).expect(200)).toMatchObject([{ body: "said", original_author: "alice" }]);

    // Imported pull requests can be pushed to, reviewed and merged.
    const { sha } = await carol.get(`${target}/contents/open.txt?ref=open`).expect(200);
    await carol.put(`${target}/contents/open.txt`, { content: base64("more\n"), message: "more", branch: "open", sha }).expect(200);
    expect(await carol.get(`${target}/pulls/${waiting}/reviews`).expect(200)).toMatchObject([{ stale: true }]);
    await carol.post(`${target}/pulls/${waiting}/merge`, { Do: "merge" }).expect(200);
    await carol.post(`${target}/pulls/${forked}/merge`, { Do: "merge" }).expect(200);
    expect((await carol.get(`${target}/contents/forked.txt`).expect(200)).content).toBe(base64("first\nforked\n"));
    expect(await carol.post(`${target}/issues`, { title: "next" }).expect(201)).toMatchObject({ number: forked + 1 });
  });

  test("pull requests and their commits are omitted unless requested", async () => {
    const address = `${forge.url}/alice/site.git`;
    await carol.post("/repos/migrate", { ...input, pull_requests: false, clone_addr: address, repo_name: "without", auth_token: carol.token }).expect(201);
    expect(await carol.get("/repos/carol/without/pulls?state=all").expect(200)).toEqual([]);
    expect((await carol.get("/repos/carol/without/git/refs").expect(200)).filter(({ ref }: { ref: string }) => ref.startsWith("refs/pull/"))).toEqual([]);
  });

  test("a malicious server can only import text and its own commits", async () => {
    const origin = createClient();
    const root = mkdtempSync(join(tmpdir(), "hearth-ill-"));
    try {
      const tip = origin.commit({ a: "1" });
      origin.git("update-ref", "refs/pull/2/head", tip);
      origin.git("update-ref", "refs/pull/77/head", tip);
      execFileSync("git", ["clone", "-q", "--mirror", origin.path, join(root, "x", "demo.git")]);
      const lost = "1".repeat(40);
      const common = { title: "x", state: "open", user: { login: "mallory", id: 1 }, base: { ref: "main", repo_id: 5 } };
      const pulls = [
        { ...common, number: 2, head: { label: "a..b", sha: lost, repo_id: 5 } },
        { ...common, number: 3, head: { label: "main", sha: lost, repo_id: 6 }, merged: true, merge_commit_sha: lost, merged_by: { login: "root" } },
        { ...common, number: 4, head: { label: "x", sha: "--upload-pack=x", repo_id: 5 } },
        { ...common, number: 5, head: "main" },
        { ...common, number: 6, head: { label: "y", sha: tip, repo_id: -1 }, merged: true, merge_commit_sha: lost, merge_base: lost },
      ];
      const reviews = [{ id: 8, state: "APPROVED", official: true, user: { login: "root1", id: 1 }, commit_id: "HEAD", comments_count: 1 }];
      const comments = [
        { id: 9, path: "../../etc/passwd", position: 3, commit_id: lost, body: "line" },
        { id: 10, path: "a", position: -1 },
      ];
      const answers: Readonly<Record<string, unknown>> = {
        pulls,
        issues: pulls.map((pull) => ({ ...pull, pull_request: {} })),
        "pulls/2/reviews": reviews,
        "pulls/2/reviews/8/comments": comments,
      };
      await using remote = await startRemote({
        root,
        intercept(request, response) {
          const [, path] = /^\/api\/v1\/repos\/x\/demo\/?(.*?)(?:\?|$)/.exec(request.url ?? "") ?? [];
          if (path === undefined) return false;
          response.end(JSON.stringify(answers[path] ?? []));
          return true;
        },
      });
      await carol.post("/repos/migrate", { ...input, clone_addr: `${remote.url}/x/demo.git`, repo_name: "ill" }).expect(201);
      const target = "/repos/carol/ill";
      const came = await carol.get(`${target}/pulls?state=all`).expect(200);
      const shown = ({ number, state, merged, mergeable, head }: Pull) => [number, state, merged, mergeable, head.sha, head.ref];
      expect(came.map(shown)).toEqual([
        [6, "closed", true, true, tip, "refs/pull/6/head"],
        [2, "open", false, true, tip, "refs/pull/2/head"],
      ]);
      const refs: { ref: string }[] = await carol.get(`${target}/git/refs`).expect(200);
      expect(refs.map(({ ref }) => ref)).toEqual(["refs/heads/main", "refs/pull/2/head", "refs/pull/6/head"]);
      const [review, ...others] = await carol.get(`${target}/pulls/2/reviews`).expect(200);
      expect([review, others]).toMatchObject([{ state: "APPROVED", official: false, user: null }, []]);
      expect(await carol.get(`${target}/pulls/2/reviews/${review.id}/comments`).expect(200)).toMatchObject([{ path: "../../etc/passwd", body: "line" }]);
      for (const part of ["", "/files", "/commits", "/reviews"]) await carol.get(`${target}/pulls/6${part}`).expect(200);
      const issues = await carol.get(`${target}/issues?state=all&type=issues`).expect(200);
      expect(issues).toMatchObject([
        { number: 4, state: "open" },
        { number: 3, state: "closed", original_author: "mallory" },
      ]);
      expect(forge.log.filter(({ message }) => message === "pull requests of a migration did not all come with their commits")).toHaveLength(1);
      expect(await carol.post(`${target}/issues`, { title: "next" }).expect(201)).toMatchObject({ number: 7 });
    } finally {
      origin.remove();
      rmSync(root, { recursive: true, force: true });
    }
  });
});
