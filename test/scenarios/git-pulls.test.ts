import { afterAll, beforeAll, expect, test } from "vitest";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createGitUser, type GitUser } from "../kit/git-user.ts";

/** Pull requests with the stock git: hints, proposals, fetching heads, manual merges, forks and maintainer edits. */

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let work: GitUser;
  let base: string;
  const site = "/repos/alice/site";
  const origin = (user: TestUser, path = "alice/site"): string => `${user.gitOrigin}/${path}.git`;

  beforeAll(async () => {
    work = await createGitUser();
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
    await alice.post("/user/repos", { name: "site" }).expect(201);
    await work.init("source");
    base = await work.commit("source", { "a.txt": "one\n" }, "first");
    await work.git("source", "push", "-q", origin(alice), `${base}:refs/heads/main`);
  });
  afterAll(async () => {
    await forge[Symbol.asyncDispose]();
    await work[Symbol.asyncDispose]();
  });

  /** A commit on top of another one. */
  const commit = async (from: string, name: string): Promise<string> => {
    await work.git("source", "checkout", "-q", "--detach", from);
    return work.commit("source", { [`${name}.txt`]: `${name}\n` }, `${name}\n\nwhat it does`);
  };

  test("a pushed branch prints the URL of its pull request, or of the form to create one", async () => {
    const tip = await commit(base, "hint");
    const { stderr } = await work.attempt("source", "push", origin(alice), `${tip}:refs/heads/hint`);
    expect(stderr).toContain(`remote: Create a new pull request for 'hint':`);
    expect(stderr).toContain(`remote:   ${forge.url}/alice/site/pulls/new/hint`);
    const { number } = await alice.post(`${site}/pulls`, { title: "Hint", head: "hint", base: "main" }).expect(201);
    const next = await commit(tip, "more");
    const again = await work.attempt("source", "push", origin(alice), `${next}:refs/heads/hint`);
    expect(again.stderr).toContain(`remote:   ${forge.url}/alice/site/pulls/${number}`);
    await work.git("source", "fetch", "-q", origin(bob), `refs/pull/${number}/head`);
    expect(await work.git("source", "rev-parse", "FETCH_HEAD")).toBe(next);
    const refused = await work.attempt("source", "push", origin(alice), `+${base}:refs/pull/${number}/head`);
    expect([refused.code, refused.stderr.includes("pre-receive hook declined")]).toEqual([1, true]);
  });

  test("a push to a fork prints the URL of the open pull request in another repository, unless the pusher cannot read it", async () => {
    await alice.post("/user/repos", { name: "upstream" }).expect(201);
    await work.git("source", "push", "-q", `${alice.gitOrigin}/alice/upstream.git`, `${base}:refs/heads/main`);
    await bob.post("/repos/alice/upstream/forks", {}).expect(202);
    const fork = `${bob.gitOrigin}/bob/upstream.git`;
    const tip = await commit(base, "forked");
    await work.git("source", "push", "-q", fork, `${tip}:refs/heads/forked`);
    const { number } = await bob.post("/repos/alice/upstream/pulls", { title: "Forked", head: "bob:forked", base: "main" }).expect(201);
    const push = async (name: string) => (await work.attempt("source", "push", "-f", fork, `${await commit(tip, name)}:refs/heads/forked`)).stderr;
    expect(await push("second")).toContain(`remote:   ${forge.url}/alice/upstream/pulls/${number}`);
    await alice.patch("/repos/alice/upstream", { private: true }).expect(200);
    expect(await push("third")).toContain(`remote:   ${forge.url}/bob/upstream/pulls/new/forked`);
  });

  test("a push to refs/for creates a pull request, also without write access", async () => {
    const tip = await commit(base, "proposal");
    const made = await work.attempt("source", "push", origin(bob), `${tip}:refs/for/main/topic`);
    expect(made.stderr).toMatch(/\[new reference\]\s+\S+ -> refs\/pull\/\d+\/head/);
    const number = Number(/refs\/pull\/(\d+)\/head/.exec(made.stderr)?.[1]);
    expect(made.stderr).toContain(`remote:   ${forge.url}/alice/site/pulls/${number}`);
    const pull = await alice.get(`${site}/pulls/${number}`).expect(200);
    expect(pull).toMatchObject({ title: "proposal", body: "what it does", head: { label: "bob/topic", ref: `refs/pull/${number}/head`, sha: tip } });
    const next = await commit(tip, "proposal-two");
    await work.git("source", "push", "-q", "-o", "topic=topic", origin(bob), `${next}:refs/for/main`);
    expect((await alice.get(`${site}/pulls/${number}`).expect(200)).head.sha).toBe(next);
    const back = await work.attempt("source", "push", origin(bob), `${tip}:refs/for/main/topic`);
    expect(back.stderr).toContain("this would discard commits of the topic");
    await work.git("source", "push", "-q", "-o", "topic=topic", "-o", "force-push=true", origin(bob), `${tip}:refs/for/main`);
    expect((await work.attempt("source", "push", origin(bob), `${tip}:refs/for/nosuch/x`)).stderr).toContain("there is no branch nosuch/x");
    expect((await work.attempt("source", "push", origin(bob), `${tip}:refs/for/main`)).stderr).toContain("name a topic");
    expect((await work.attempt("source", "push", origin(bob), `${tip}:refs/heads/mine`)).stderr).toContain("User permission denied for writing.");
    await alice.post(`${site}/pulls/${number}/merge`, { Do: "merge" }).expect(200);
    expect((await alice.get(`${site}/pulls/${number}`).expect(200)).merged).toBe(true);
  });

  test("a push that brings a head into its base marks the pull request as merged, if the repository detects manual merges", async () => {
    const tip = await commit(base, "hand");
    await work.git("source", "push", "-q", origin(alice), `${tip}:refs/heads/hand`);
    const { number } = await alice.post(`${site}/pulls`, { title: "By hand", head: "hand", base: "main" }).expect(201);
    await work.git("source", "fetch", "-q", origin(alice), "main");
    await work.git("source", "checkout", "-q", "--detach", "FETCH_HEAD");
    await work.git("source", "merge", "-q", "--no-ff", "-m", "by hand", tip);
    const merge = await work.git("source", "rev-parse", "HEAD");
    const later = await commit(merge, "later");
    await alice.patch(site, { has_pull_requests: true, allow_manual_merge: true, autodetect_manual_merge: true }).expect(200);
    await work.git("source", "push", "-q", origin(alice), `${later}:refs/heads/main`);
    expect(await alice.get(`${site}/pulls/${number}`).expect(200)).toMatchObject({ merged: true, state: "closed", merge_commit_sha: merge, changed_files: 1 });
  });

  test("a pull request from a fork is merged, follows pushes, accepts maintainer edits, and outlives the fork", async () => {
    await bob.post(`${site}/forks`, {}).expect(202);
    const tip = await commit(base, "fork");
    await work.git("source", "push", "-q", origin(bob, "bob/site"), `${tip}:refs/heads/contrib`);
    const requested = { title: "From a fork", head: "bob:contrib", base: "main" };
    const { number } = await bob.post(`${site}/pulls`, requested).expect(201);
    expect((await bob.post(`${site}/pulls`, { ...requested, head: "bob/site:contrib" })).status).toBe(409);
    expect((await bob.post(`${site}/pulls/${number}/merge`, { Do: "merge" })).status).toBe(405);
    const next = await commit(tip, "fork-two");
    await work.git("source", "push", "-q", origin(bob, "bob/site"), `${next}:refs/heads/contrib`);
    expect((await alice.get(`${site}/pulls/${number}`).expect(200)).head.sha).toBe(next);
    const third = await commit(next, "maintained");
    await work.git("source", "push", "-q", origin(alice, "bob/site"), `${third}:refs/heads/contrib`);
    expect((await work.attempt("source", "push", origin(alice, "bob/site"), `${third}:refs/heads/other`)).code).toBe(1);
    await bob.patch(`${site}/pulls/${number}`, { allow_maintainer_edit: false }).expect(201);
    expect((await work.attempt("source", "push", origin(alice, "bob/site"), `${base}:refs/heads/contrib`, "--force")).code).toBe(1);
    expect((await alice.patch(`${site}/pulls/${number}`, { allow_maintainer_edit: true })).status).toBe(403);
    await forge.settled();
    await work.git("source", "fetch", "-q", origin(alice), `refs/pull/${number}/head`);
    expect(await work.git("source", "rev-parse", "FETCH_HEAD")).toBe(third);
    expect((await alice.get(`${site}/pulls/${number}/commits`).expect(200)).length).toBe(3);

    const second = (await bob.post(`${site}/pulls`, { ...requested, head: "bob:contrib", base: await branch("stable") }).expect(201)).number;
    await alice.post(`${site}/pulls/${number}/merge`, { Do: "squash", delete_branch_after_merge: true }).expect(200);
    await bob.delete("/repos/bob/site").expect(204);
    const orphan = await alice.get(`${site}/pulls/${second}`).expect(200);
    expect(orphan).toMatchObject({ state: "closed", head: { label: "contrib", repo: null, repo_id: -1, sha: third } });
    expect(orphan).not.toHaveProperty("additions");
    expect((await alice.get(`${site}/pulls/${number}`).expect(200)).merged).toBe(true);
  });

  async function branch(name: string): Promise<string> {
    await work.git("source", "push", "-q", origin(alice), `${base}:refs/heads/${name}`);
    return name;
  }
});
