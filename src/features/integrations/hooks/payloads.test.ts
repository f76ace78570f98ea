import { afterAll, beforeAll, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";

/** An event in a webhook's feed. */
interface HookPayload {
  readonly event: string;
  readonly event_type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests check the contract by their own expectations
  readonly payload: any;
}

const issueKeys = ["action", "number", "issue", "repository", "sender", "commit_id"];
const pullKeys = ["action", "number", "pull_request", "requested_reviewer", "repository", "sender", "commit_id", "review"];
const content = (text: string): string => Buffer.from(text).toString("base64");

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let hookId: number;
  let since = 0;
  const base = "/repos/alice/demo";
  beforeAll(async () => {
    forge = await startForge({ dialect });
    [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    await alice.post("/user/repos", { name: "demo", auto_init: true, default_branch: "main" }).expect(201);
    await alice.put(`${base}/collaborators/bob`, { permission: "write" }).expect(204);
    const events = ["push", "create", "delete", "fork", "issues", "pull_request", "wiki", "repository", "release", "status"];
    const hook = { type: "gitea", config: { content_type: "json", delivery: "pull" }, events, active: true };
    hookId = (await alice.post(`${base}/hooks`, hook).expect(201)).id;
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  /** The events since the last call. */
  async function deliveredEvents(feed = `${base}/hooks/${hookId}/events`): Promise<readonly HookPayload[]> {
    await forge.settled();
    const all = await alice.get(`${feed}?since=${since}`).expect(200);
    since = all.at(-1)?.sequence ?? since;
    return all;
  }
  const lines = (all: readonly HookPayload[]): readonly string[] =>
    all.map(({ event, event_type, payload }) => [event, event_type, payload.action ?? payload.ref].join(" "));

  test("a new repository with a first commit sends only `repository` to its owner's webhooks, however it was created", async () => {
    await alice.post("/orgs", { username: "acme" }).expect(201);
    const events = ["push", "create", "delete", "fork", "repository"];
    const hook = { type: "gitea", config: { content_type: "json", delivery: "pull" }, events, active: true };
    const { id } = await alice.post("/orgs/acme/hooks", hook).expect(201);
    let read = 0;
    const heard = async (): Promise<readonly string[]> => {
      await forge.settled();
      const all: readonly (HookPayload & { readonly sequence: number })[] = await alice.get(`/orgs/acme/hooks/${id}/events?since=${read}`).expect(200);
      read = all.at(-1)?.sequence ?? read;
      return all.map(({ event, payload }) => `${event} ${payload.action ?? payload.ref} ${payload.repository?.name}`);
    };
    await alice.post("/orgs/acme/repos", { name: "made", auto_init: true, template: true, default_branch: "main" }).expect(201);
    expect(await heard()).toEqual(["repository created made"]);
    await alice.post("/repos/acme/made/generate", { owner: "acme", name: "generated", git_content: true }).expect(201);
    expect(await heard()).toEqual(["repository created generated"]);
    await alice.post(`${base}/forks`, { organization: "acme" }).expect(202);
    expect(await heard()).toEqual(["repository created demo"]);
    await alice.post("/repos/acme/made/branches", { new_branch_name: "later", old_branch_name: "main" }).expect(201);
    expect(await heard()).toEqual(["create later made", "push refs/heads/later made"]);
    // The origin's webhooks receive only the fork.
    expect(lines(await deliveredEvents())).toEqual(["fork fork "]);
  });

  test("sends issue events", async () => {
    const label = await alice.post(`${base}/labels`, { name: "bug", color: "#ff0000" }).expect(201);
    const milestone = await alice.post(`${base}/milestones`, { title: "v1" }).expect(201);
    await alice.post(`${base}/issues`, { title: "first", body: "text" }).expect(201);
    const opened = await deliveredEvents();
    expect(lines(opened)).toEqual(["issues issues opened"]);
    expect(Object.keys(opened[0]?.payload)).toEqual(issueKeys);
    expect(opened[0]?.payload).toMatchObject({
      number: 1,
      issue: { title: "first", body: "text", state: "open", user: { login: "alice", active: true } },
      repository: { full_name: "alice/demo", permissions: { admin: true } },
      sender: { login: "alice", email: expect.stringContaining("noreply") },
      commit_id: "",
    });
    expect(opened[0]?.payload.repository.open_issues_count).toBe(0);
    await alice.patch(`${base}/issues/1`, { title: "second" }).expect(201);
    await alice.post(`${base}/issues/1/labels`, { labels: [label.id] }).expect(200);
    await alice.delete(`${base}/issues/1/labels`).expect(204);
    await alice.patch(`${base}/issues/1`, { milestone: milestone.id }).expect(201);
    await alice.patch(`${base}/issues/1`, { assignees: ["bob"] }).expect(201);
    await bob.patch(`${base}/issues/1`, { state: "closed" }).expect(201);
    const changed = await deliveredEvents();
    expect(lines(changed)).toEqual([
      "issues issues edited",
      "issues issue_label label_updated",
      "issues issue_label label_cleared",
      "issues issue_milestone milestoned",
      "issues issue_assign assigned",
      "issues issues closed",
    ]);
    expect(changed[0]?.payload.changes).toEqual({ title: { from: "first" }, added_labels: null, removed_labels: null });
    expect(changed[5]?.payload.sender.login).toBe("bob");
    expect([changed[5]?.payload.repository.open_issues_count, changed[5]?.payload.issue.milestone]).toMatchObject([1, { open_issues: 1, closed_issues: 0 }]);
  });

  test("sends comment events, also for comments deleted before delivery", async () => {
    const { id } = await alice.post(`${base}/issues/1/comments`, { body: "hello" }).expect(201);
    await alice.patch(`${base}/issues/comments/${id}`, { body: "hello 2" }).expect(200);
    await alice.delete(`${base}/issues/comments/${id}`).expect(204);
    await alice.delete(`${base}/issues/1`).expect(204);
    const all = await deliveredEvents();
    expect(lines(all)).toEqual([
      "issue_comment issue_comment created",
      "issue_comment issue_comment edited",
      "issue_comment issue_comment deleted",
      "issues issues deleted",
    ]);
    expect(Object.keys(all[1]?.payload)).toEqual(["action", "issue", "comment", "changes", "repository", "sender", "is_pull"]);
    expect(all[1]?.payload.changes.body).toEqual({ from: "hello" });
    expect(all[2]?.payload).toMatchObject({ comment: { id, body: "hello 2", user: { login: "alice" } }, issue: { title: "second" } });
    expect(all[3]?.payload.issue).toMatchObject({ number: 1, title: "second", body: "text", state: "closed", assignees: [{ login: "bob" }] });
  });

  test("cuts off commit messages of more than 100,000 characters", async () => {
    const message = "long ".repeat(30_000);
    await alice.post(`${base}/contents/long.txt`, { content: content("x"), message }).expect(201);
    const [push] = (await deliveredEvents()).filter(({ event }) => event === "push");
    expect(push?.payload.head_commit.message).toBe(`${message.slice(0, 100_000)}…`);
  });

  test("sends events for branches, commits and tags", async () => {
    const before = (await alice.get(`${base}/branches/main`).expect(200)).commit.id;
    for (let at = 1; at <= 7; at += 1)
      await alice
        .post(`${base}/contents/f${at}.txt`, {
          content: content("x"),
          message: `add ${at}`,
          branch: at === 1 ? "main" : "side",
          ...(at === 2 && { branch: "main", new_branch: "side" }),
        })
        .expect(201);
    const pushes = (await deliveredEvents()).filter(({ event }) => event === "push");
    expect(pushes[0]?.payload).toMatchObject({
      ref: "refs/heads/main",
      before,
      total_commits: 1,
      commits: [{ message: "add 1\n", added: ["f1.txt"], removed: [], modified: [], author: { username: "alice" } }],
      compare_url: `${forge.url}/alice/demo/compare/${before}...${pushes[0]?.payload.after}`,
      pusher: { login: "alice" },
    });
    expect(Object.keys(pushes[0]?.payload)).toEqual([
      "ref",
      "before",
      "after",
      "compare_url",
      "commits",
      "total_commits",
      "head_commit",
      "repository",
      "pusher",
      "sender",
    ]);
    expect(pushes[0]?.payload.head_commit.verification).toBeNull();
    expect(pushes[1]?.payload).toMatchObject({ ref: "refs/heads/side", before: "0".repeat(40), total_commits: 1, head_commit: { message: "add 2\n" } });
    await alice.post(`${base}/branches`, { new_branch_name: "six", old_ref_name: "side" }).expect(201);
    await alice.post(`${base}/tags`, { tag_name: "v1", target: "main" }).expect(201);
    await alice.delete(`${base}/tags/v1`).expect(204);
    await alice.delete(`${base}/branches/six`).expect(204);
    const moved = await deliveredEvents();
    expect(lines(moved)).toEqual([
      "create create six",
      "push push refs/heads/six",
      "create create v1",
      "push push refs/tags/v1",
      "delete delete v1",
      "delete delete six",
    ]);
    expect(Object.keys(moved[0]?.payload)).toEqual(["sha", "ref", "ref_type", "repository", "sender"]);
    expect(moved[0]?.payload.repository).toMatchObject({ permissions: { pull: false }, owner: { email: expect.stringContaining("noreply") } });
    expect(moved[1]?.payload).toMatchObject({ total_commits: 6, compare_url: expect.stringContaining("/compare/main...") });
    expect(moved[1]?.payload.commits.map(({ message }: { message: string }) => message)).toEqual([7, 6, 5, 4, 3].map((at) => `add ${at}\n`));
    expect(moved[5]?.payload).toMatchObject({ ref_type: "branch", pusher_type: "user" });
  });

  test("sends events for statuses, releases and wiki pages", async () => {
    const { id: sha } = (await alice.get(`${base}/branches/main`).expect(200)).commit;
    await alice.post(`${base}/statuses/${sha}`, { state: "success", context: "ci", description: "well", target_url: "http://ci.example.org/1" });
    await alice.post(`${base}/statuses/${sha}`, { state: "pending", context: "lint" });
    const release = await alice.post(`${base}/releases`, { tag_name: "v2", name: "Two" }).expect(201);
    await alice.patch(`${base}/releases/${release.id}`, { name: "Two and a half" }).expect(200);
    await alice.delete(`${base}/releases/${release.id}`).expect(204);
    await alice.post(`${base}/wiki/new`, { title: "Home Page", content_base64: content("w"), message: "m" }).expect(201);
    const all = (await deliveredEvents()).filter(({ event }) => event !== "push" && event !== "create");
    expect(lines(all)).toEqual([
      "status status ",
      "status status ",
      "release release published",
      "release release updated",
      "release release deleted",
      "wiki wiki created",
    ]);
    expect(all[0]?.payload).toMatchObject({ sha, state: "success", context: "ci", description: "well", commit: { id: sha }, id: 1 });
    expect([all[0]?.payload.target_url, all[1]?.payload.target_url]).toEqual(["http://ci.example.org/1", `${forge.url}/`]);
    expect(all[4]?.payload).toMatchObject({ release: { name: "Two and a half", tag_name: "v2" } });
    expect(all[5]?.payload).toMatchObject({ page: "Home-Page", comment: "m", sender: { login: "alice" } });
  });

  test("sends events for pull requests and their reviews", async () => {
    await alice.post(`${base}/branches`, { new_branch_name: "other", old_ref_name: "main" }).expect(201);
    await deliveredEvents();
    const { number } = await alice.post(`${base}/pulls`, { title: "change", head: "side", base: "main", body: "why" }).expect(201);
    await alice.post(`${base}/issues/${number}/comments`, { body: "please" }).expect(201);
    await alice.post(`${base}/pulls/${number}/requested_reviewers`, { reviewers: ["bob"] }).expect(201);
    await bob.post(`${base}/pulls/${number}/reviews`, { event: "APPROVED", body: "lgtm" }).expect(200);
    await alice.patch(`${base}/pulls/${number}`, { base: "other" }).expect(201);
    await alice.patch(`${base}/pulls/${number}`, { state: "closed" }).expect(201);
    await alice.delete(`${base}/issues/${number}`).expect(204);
    const all = await deliveredEvents();
    expect(lines(all)).toEqual([
      "pull_request pull_request opened",
      "issue_comment pull_request_comment created",
      "pull_request pull_request_review_request review_requested",
      "pull_request_approved pull_request_review_approved reviewed",
      "pull_request pull_request edited",
      "pull_request pull_request closed",
    ]);
    expect(all[4]?.payload.changes).toEqual({ ref: { from: "main" }, added_labels: null, removed_labels: null });
    expect(Object.keys(all[0]?.payload)).toEqual(pullKeys);
    expect(all[0]?.payload).toMatchObject({
      number,
      pull_request: { title: "change", head: { ref: "side" }, base: { ref: "main" } },
      requested_reviewer: null,
      review: null,
    });
    expect(all[1]?.payload).toMatchObject({ is_pull: true, issue: { number }, pull_request: { number }, comment: { body: "please" } });
    expect(all[2]?.payload.requested_reviewer.login).toBe("bob");
    expect(all[3]?.payload.requested_reviewer.login).toBe("bob");
    expect(all[3]?.payload.review).toEqual({ type: "pull_request_review_approved", content: "lgtm" });
  });

  test("sends fork and repository events to the owner's webhooks", async () => {
    await bob.post(`${base}/forks`, {}).expect(202);
    const [fork, ...others] = await deliveredEvents();
    expect(others).toEqual([]);
    expect(fork).toMatchObject({
      event: "fork",
      payload: { forkee: { full_name: "alice/demo" }, repository: { full_name: "bob/demo" }, sender: { login: "bob" } },
    });
    const hook = { type: "gitea", config: { content_type: "json", delivery: "pull" }, events: ["repository"], active: true };
    const { id } = await alice.post("/user/hooks", hook).expect(201);
    await alice.post("/user/repos", { name: "short" }).expect(201);
    await alice.delete("/repos/alice/short").expect(204);
    since = 0;
    const all = await deliveredEvents(`/user/hooks/${id}/events`);
    expect(lines(all)).toEqual(["repository repository created", "repository repository deleted"]);
    for (const { payload } of all) {
      expect(Object.keys(payload)).toEqual(["action", "repository", "organization", "sender"]);
      expect(payload).toMatchObject({ repository: { full_name: "alice/short" }, organization: { login: "alice", email: expect.stringContaining("noreply") } });
    }
  });

  test("omits a hidden email address", async () => {
    await bob.patch("/user/settings", { hide_email: true }).expect(200);
    const { events } = { events: ["issues"] };
    const { id } = await alice.post(`${base}/hooks`, { type: "gitea", config: { content_type: "json", delivery: "pull" }, events, active: true }).expect(201);
    await bob.post(`${base}/issues`, { title: "hidden" }).expect(201);
    since = 0;
    const all = await deliveredEvents(`${base}/hooks/${id}/events`);
    expect(all).toHaveLength(1);
    expect(JSON.stringify(all)).not.toContain(bob.email);
  });
});
