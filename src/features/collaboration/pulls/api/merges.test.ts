import { expect, test } from "vitest";
import { statusAndMessage } from "../../../../../test/kit/api-client.ts";
import { eachDialect, type TestDialect } from "../../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../../test/kit/forge.ts";

const site = "/repos/alice/site";
const base64 = (text: string): string => Buffer.from(text).toString("base64");

interface World extends AsyncDisposable {
  readonly forge: TestForge;
  readonly alice: TestUser;
  readonly bob: TestUser;
}

/** A repository of alice's to which bob can write. */
async function world(dialect: TestDialect): Promise<World> {
  const forge = await startForge({ dialect });
  const [alice, bob] = await Promise.all([forge.createUser("alice"), forge.createUser("bob")]);
  await alice.post("/user/repos", { name: "site", auto_init: true }).expect(201);
  await alice.put(`${site}/collaborators/bob`, { permission: "write" }).expect(204);
  return { forge, alice, bob, [Symbol.asyncDispose]: () => forge[Symbol.asyncDispose]() };
}

/** Commits a file. @returns the commit's id */
async function write(user: TestUser, path: string, text: string, branch: string, from = branch): Promise<string> {
  const given = { content: base64(text), message: `${branch}: ${path}`, branch: from, ...(branch !== from && { new_branch: branch }) };
  const present = await user.get(`${site}/contents/${path}?ref=${from}`);
  const made =
    present.status === 200
      ? await user.put(`${site}/contents/${path}`, { ...given, sha: present.json.sha })
      : await user.post(`${site}/contents/${path}`, given);
  expect([200, 201]).toContain(made.status);
  return made.json.commit.sha;
}

/** Opens a pull request from a new branch with one file. @returns its number */
async function open(user: TestUser, branch: string, more: Readonly<Record<string, unknown>> = {}): Promise<number> {
  await write(user, `${branch}.txt`, `${branch}\n`, branch, "main");
  return (await user.post(`${site}/pulls`, { title: `PR ${branch}`, head: branch, base: "main", ...more }).expect(201)).number;
}

eachDialect((dialect) => {
  test("creates the same commits as git in every style and closes the pull request as merged", async () => {
    await using w = await world(dialect);
    const { alice, bob } = w;
    const main = async () => (await alice.get(`${site}/branches/main`).expect(200)).commit.id;
    const commit = async (oid: string) => await alice.get(`${site}/git/commits/${oid}`).expect(200);

    await alice.post(`${site}/issues`, { title: "broken" }).expect(201);
    const merged = await open(bob, "one", { body: "Fixes #1" });
    const before = await main();
    await alice.post(`${site}/pulls/${merged}/merge`, { Do: "merge" }).expect(200);
    const pull = await alice.get(`${site}/pulls/${merged}`).expect(200);
    expect(pull).toMatchObject({ state: "closed", merged: true, mergeable: true, merge_base: before, merge_commit_sha: await main() });
    expect(pull.merged_by.login).toBe("alice");
    const made = await commit(await main());
    expect(made.commit.message).toBe(`Merge pull request 'PR one' (#${merged}) from one into main\n`);
    expect(made.parents.map(({ sha }: { sha: string }) => sha)).toEqual([before, pull.head.sha]);
    expect((await alice.get(`${site}/issues/1`).expect(200)).state).toBe("closed");
    await alice.get(`${site}/pulls/${merged}/merge`).expect(204);
    expect((await alice.get(`${site}/issues/${merged}`).expect(200)).pull_request).toMatchObject({ merged: true, draft: false });
    const entries = await alice.get(`${site}/issues/${merged}/timeline`).expect(200);
    expect(entries.find(({ type }: { type: string }) => type === "merge_pull")).toMatchObject({ ref_commit_sha: "" });
    expect(await statusAndMessage(alice.post(`${site}/pulls/${merged}/merge`, { Do: "merge" }))).toEqual([405, "The PR is already merged"]);
    expect(await statusAndMessage(alice.patch(`${site}/pulls/${merged}`, { state: "open" }))).toEqual([
      412,
      "cannot change state of this pull request, it was already merged",
    ]);
    expect((await alice.get(`${site}/commits/${pull.merge_commit_sha}/pull`).expect(200)).number).toBe(merged);
    expect(await alice.get(`${site}/commits/${"f".repeat(40)}/pull`).expect(404)).toMatchObject({
      message: expect.stringMatching(/^pull request does not exist \[id: 0, issue_id: 0, head_repo_id: 0, base_repo_id: \d+, head_branch: , base_branch: \]$/),
    });

    const squashed = await open(bob, "two");
    await write(alice, "two-more.txt", "more\n", "two");
    await alice.post(`${site}/pulls/${squashed}/merge`, { do: "squash" }).expect(200);
    const squash = await commit(await main());
    expect(squash.commit.message).toBe(`PR two (#${squashed})\n\nCo-authored-by: alice <alice@example.com>\n`);
    expect([squash.commit.author.name, squash.commit.committer.name, squash.parents.length]).toEqual(["bob", "alice", 1]);

    const rebased = await open(bob, "three");
    await write(alice, "aside.txt", "aside\n", "main");
    await alice.post(`${site}/pulls/${rebased}/merge`, { Do: "rebase", delete_branch_after_merge: true }).expect(200);
    const tip = await commit(await main());
    expect([tip.commit.message, tip.commit.author.name, tip.commit.committer.name]).toEqual(["three: three.txt\n", "bob", "alice"]);
    await alice.get(`${site}/branches/three`).expect(404);
    expect((await alice.get(`${site}/pulls/${rebased}`).expect(200)).head).toMatchObject({ label: "three", ref: `refs/pull/${rebased}/head` });

    const both = await open(bob, "four");
    await alice.post(`${site}/pulls/${both}/merge`, { Do: "rebase-merge", MergeTitleField: "Title", MergeMessageField: "Text" }).expect(200);
    expect((await commit(await main())).commit.message).toBe("Title\n\nText\n");

    const forward = await open(bob, "five");
    await alice.post(`${site}/pulls/${forward}/merge`, { Do: "fast-forward-only" }).expect(200);
    expect(await main()).toBe((await alice.get(`${site}/pulls/${forward}`).expect(200)).head.sha);
    const late = await open(bob, "six");
    await write(alice, "aside.txt", "again\n", "main");
    expect((await statusAndMessage(alice.post(`${site}/pulls/${late}/merge`, { Do: "fast-forward-only" })))[0]).toBe(409);
  });

  test("merges in the default style of the repository without a request body", async () => {
    await using w = await world(dialect);
    const { alice } = w;
    await alice.patch(site, { default_merge_style: "squash" }).expect(200);
    const number = await open(alice, "one");
    expect(await statusAndMessage(alice.post(`${site}/pulls/${number}/merge`, {}))).toEqual([422, "[Do]: Required"]);
    await alice.post(`${site}/pulls/${number}/merge`).expect(200);
    const merged = await alice.get(`${site}/pulls/${number}`).expect(200);
    const { parents } = await alice.get(`${site}/git/commits/${merged.merge_commit_sha}`).expect(200);
    expect([merged.merged, parents.length]).toEqual([true, 1]);
  });

  test("reports why a pull request cannot be merged", async () => {
    await using w = await world(dialect);
    const { forge, alice, bob } = w;
    const carol = await forge.createUser("carol");
    const number = await open(alice, "one");
    const merge = (user: TestUser, body: Readonly<Record<string, unknown>>, index: number | string = number) =>
      statusAndMessage(user.post(`${site}/pulls/${index}/merge`, body));
    expect(await merge(alice, {})).toEqual([422, "[Do]: Required"]);
    expect(await merge(alice, { Do: "explode" })).toEqual([422, "[Do]: In"]);
    expect(await merge(carol, { Do: "merge" })).toEqual([405, "User not allowed to merge PR"]);
    expect((await merge(alice, { Do: "merge" }, 99))[0]).toBe(404);
    expect(await merge(alice, { Do: "merge", head_commit_id: "f".repeat(40) })).toEqual([409, "head out of date"]);
    expect(await merge(alice, { Do: "manually-merged" })).toEqual([405, "manually-merged is not allowed an allowed merge style for this repository"]);
    await alice.patch(`${site}/pulls/${number}`, { title: "WIP: one" }).expect(201);
    expect(await merge(alice, { Do: "merge" })).toEqual([405, "Work in progress PRs cannot be merged"]);
    await alice.patch(`${site}/pulls/${number}`, { title: "one", state: "closed" }).expect(201);
    expect((await merge(alice, { Do: "merge" }))[0]).toBe(404);
    await alice.patch(`${site}/pulls/${number}`, { state: "open" }).expect(201);
    await alice.patch(site, { has_pull_requests: true, allow_squash_merge: false }).expect(200);
    expect(await merge(alice, { Do: "squash" })).toEqual([405, "squash is not allowed an allowed merge style for this repository"]);

    await write(alice, "same.txt", "ours\n", "main");
    await write(alice, "same.txt", "theirs\n", "clash", "one");
    const clash = (await alice.post(`${site}/pulls`, { title: "clash", head: "clash", base: "main" }).expect(201)).number;
    expect((await alice.get(`${site}/pulls/${clash}`).expect(200)).mergeable).toBe(false);
    expect(await merge(alice, { Do: "merge" }, clash)).toEqual([405, "the head conflicts with the base branch in same.txt"]);
    expect(await statusAndMessage(alice.post(`${site}/pulls/${clash}/update`))).toEqual([409, "merge failed because of conflict"]);

    await alice.post(`${site}/branch_protections`, { rule_name: "main", enable_status_check: true, status_check_contexts: ["ci/*"] }).expect(201);
    expect(await merge(bob, { Do: "merge", force_merge: true })).toEqual([405, "Not all required status checks successful"]);
    const { head, mergeable } = await alice.get(`${site}/pulls/${number}`).expect(200);
    expect(mergeable).toBe(true);
    await bob.post(`${site}/pulls/${number}/merge`, { Do: "merge", merge_when_checks_succeed: true }).expect(201);
    expect((await merge(bob, { Do: "merge", merge_when_checks_succeed: true }))[0]).toBe(409);
    expect(await statusAndMessage(carol.delete(`${site}/pulls/${number}/merge`))).toEqual([403, "user has no permission to cancel the scheduled auto merge"]);
    await bob.delete(`${site}/pulls/${number}/merge`).expect(204);
    await bob.delete(`${site}/pulls/${number}/merge`).expect(404);
    await bob.post(`${site}/pulls/${number}/merge`, { Do: "merge", MergeTitleField: "By itself", merge_when_checks_succeed: true }).expect(201);
    await alice.post(`${site}/statuses/${head.sha}`, { state: "success", context: "ci/x" });
    await forge.settled();
    const done = await alice.get(`${site}/pulls/${number}`).expect(200);
    expect([done.merged, done.merged_by.login]).toEqual([true, "bob"]);

    const forced = await open(alice, "forced");
    await alice.post(`${site}/pulls/${forced}/merge`, { Do: "merge", force_merge: true }).expect(200);
  });

  test("merges once under concurrent requests", async () => {
    await using w = await world(dialect);
    const { alice } = w;
    const number = await open(alice, "one");
    const answers = await Promise.all(Array.from({ length: 20 }, () => alice.post(`${site}/pulls/${number}/merge`, { Do: "merge" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 405)]);
    expect((await alice.get(`${site}/commits`).expect(200)).length).toBe(3);
  });

  test("updates a pull request when its branches change", async () => {
    await using w = await world(dialect);
    const { forge, alice, bob } = w;
    const number = await open(bob, "one");
    const read = () => alice.get(`${site}/pulls/${number}`).expect(200);
    const opened = (await read()).head.sha;
    const pushed = await write(bob, "one.txt", "more\n", "one");
    expect((await read()).head.sha).toBe(pushed);
    await forge.settled();
    const entries = await alice.get(`${site}/issues/${number}/timeline`).expect(200);
    expect(entries.map(({ type, body }: { type: string; body: string }) => [type, body])).toEqual([
      ["pull_push", JSON.stringify({ is_force_push: false, commit_ids: [opened] })],
      ["pull_push", JSON.stringify({ is_force_push: false, commit_ids: [pushed] })],
    ]);
    expect((await alice.get(`${site}/git/refs/pull/${number}/head`).expect(200))[0].object.sha).toBe(pushed);

    await write(alice, "main.txt", "main\n", "main");
    await bob.post(`${site}/pulls/${number}/update`).expect(200);
    const updated = await read();
    expect(updated.merge_base).toBe(updated.base.sha);
    // The entry of a merge of the base lacks the commits of the base.
    await forge.settled();
    const [last] = (await alice.get(`${site}/issues/${number}/timeline`).expect(200)).slice(-1);
    expect([last.type, last.body]).toEqual(["pull_push", JSON.stringify({ is_force_push: false, commit_ids: [updated.head.sha] })]);
    expect((await statusAndMessage(bob.post(`${site}/pulls/${number}/update?style=rebase`)))[0]).toBe(409);

    await bob.patch(`${site}/branches/one`, { name: "uno" }).expect(204);
    expect((await read()).head).toMatchObject({ label: "uno", sha: updated.head.sha });
    const child = (await bob.post(`${site}/pulls`, { title: "child", head: await branchOf(bob, "child", "uno"), base: "uno" }).expect(201)).number;
    expect(await statusAndMessage(bob.delete(`${site}/branches/uno`))).toEqual([403, "can not delete default or pull request target branch"]);
    await alice.post(`${site}/pulls/${number}/merge`, { Do: "merge", delete_branch_after_merge: true }).expect(200);
    expect((await alice.get(`${site}/pulls/${child}`).expect(200)).base.ref).toBe("main");
    await bob.delete(`${site}/branches/child`).expect(204);
    expect(await alice.get(`${site}/pulls/${child}`).expect(200)).toMatchObject({ state: "closed", merged: false, head: { ref: `refs/pull/${child}/head` } });
  });

  test("merges without a process and at the same cost for any history", async () => {
    await using w = await world(dialect);
    const { forge, alice } = w;
    const number = await open(alice, "one");
    const cost = await forge.cost(() => alice.post(`${site}/pulls/${number}/merge`, { Do: "merge" }).expect(200));
    expect(cost.processes).toBe(0);
    expect(cost.statements.length).toBeLessThanOrEqual(38);
  });
});

async function branchOf(user: TestUser, branch: string, from: string): Promise<string> {
  await write(user, `${branch}.txt`, `${branch}\n`, branch, from);
  return branch;
}
