import { afterAll, beforeAll, expect, test } from "vitest";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";

/** Concurrent creation of pull requests, and attempts to change heads, approvals and merges of others. */

const site = "/repos/alice/site";
const numberOf = ({ json }: { readonly json: { readonly number: number } }): number => json.number;

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    [alice, bob, carol] = await Promise.all([forge.createUser("alice"), forge.createUser("bob"), forge.createUser("carol")]);
    await alice.post("/user/repos", { name: "site", auto_init: true }).expect(201);
    await alice.put(`${site}/collaborators/carol`, { permission: "write" }).expect(204);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const write = async (user: TestUser, repo: string, branch: string, more: object = { branch: "main", new_branch: branch }): Promise<string> => {
    const file = { content: "eA==", message: branch, branch, ...more };
    return (await user.post(`${repo}/contents/${branch}-${"new_branch" in more}.txt`, file).expect(201)).commit.sha;
  };
  const open = async (user: TestUser, head: string, more: object = {}): Promise<string> =>
    `${site}/pulls/${numberOf(await user.post(`${site}/pulls`, { title: head, head, base: "main", ...more }))}`;

  test("issues and pull requests created concurrently get consecutive numbers", async () => {
    await alice.post("/user/repos", { name: "many", auto_init: true }).expect(201);
    const many = "/repos/alice/many";
    for (let at = 0; at < 25; at += 1) await write(alice, many, `b${at}`);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        at % 2 === 0
          ? alice.post(`${many}/issues`, { title: `issue ${at}` })
          : alice.post(`${many}/pulls`, { title: `pull ${at}`, head: `b${(at - 1) / 2}`, base: "main" }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 201));
    const numbers = Array.from({ length: 50 }, (_, at) => at + 1);
    expect(answers.map(numberOf).sort((a, b) => a - b)).toEqual(numbers);
    const stored = await forge.context.db.sql.selectFrom("issues").select("number").orderBy("number").execute();
    expect(stored.map(({ number }) => number)).toEqual(numbers);
  });

  test("one of twenty concurrent requests creates the same pull request", async () => {
    await write(alice, site, "raced");
    const answers = await Promise.all(Array.from({ length: 20 }, () => alice.post(`${site}/pulls`, { title: "raced", head: "raced", base: "main" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    const listed = await alice.get(`${site}/pulls?state=all`).expect(200);
    const rows = await forge.context.db.sql.selectFrom("pull_requests").select("id").where("head_branch", "=", "raced").execute();
    expect([listed.length, rows.length]).toEqual([1, 1]);
  });

  test("an approval applies to the approved head and base only", async () => {
    await alice.post(`${site}/branches`, { new_branch_name: "release", old_branch_name: "main" }).expect(201);
    for (const name of ["main", "release"])
      await alice.post(`${site}/branch_protections`, { rule_name: name, required_approvals: 1, dismiss_stale_approvals: true }).expect(201);
    const first = await write(carol, site, "approved");
    const path = await open(carol, "approved", { base: "release" });
    const approve = () => alice.post(`${path}/reviews`, { event: "APPROVED" }).expect(200);
    const merge = async (): Promise<readonly [number, string]> => {
      const answer = await carol.post(`${path}/merge`, { Do: "merge" });
      return [answer.status, answer.status === 200 ? "" : answer.json.message];
    };
    const lacks = [405, "Does not have enough approvals"];
    await approve();
    await carol.patch(path, { base: "main" }).expect(201);
    expect(await merge()).toEqual(lacks);
    await approve();
    const second = await write(carol, site, "approved", {});
    expect(await merge()).toEqual(lacks);
    await approve();
    await carol.put(`${site}/branches/approved`, { new_commit_id: first, force: true }).expect(204);
    expect(await merge()).toEqual(lacks);
    await approve();
    // The head has changed since the page was loaded.
    expect((await carol.post(`${path}/merge`, { Do: "merge", head_commit_id: second })).status).toBe(409);
    expect(await merge()).toEqual([200, ""]);
    for (const name of ["main", "release"]) await alice.delete(`${site}/branch_protections/${name}`).expect(204);
  });

  test("merging does not allow changing a head without write access, or merges that others have scheduled", async () => {
    await bob.post(`${site}/forks`, {}).expect(202);
    await write(bob, "/repos/bob/site", "contrib");
    const path = await open(bob, "bob:contrib", { allow_maintainer_edit: false });
    await write(alice, site, "ahead", { branch: "main" });
    for (const style of ["merge", "rebase"]) await carol.post(`${path}/update?style=${style}`).expect(403);
    await carol.patch(path, { allow_maintainer_edit: true }).expect(403);

    await alice
      .post(`${site}/branch_protections`, { rule_name: "main", enable_push: true, enable_status_check: true, status_check_contexts: ["ci"] })
      .expect(201);
    await alice.post(`${path}/merge`, { Do: "merge", merge_when_checks_succeed: true }).expect(201);
    await carol.delete(`${path}/merge`).expect(403);
    await bob.delete(`${path}/merge`).expect(403);
    await alice.delete(`${path}/merge`).expect(204);
    await alice.delete(`${site}/branch_protections/main`).expect(204);

    await carol.post(`${path}/merge`, { Do: "merge", delete_branch_after_merge: true }).expect(200);
    await bob.get("/repos/bob/site/branches/contrib").expect(200);
  });
});
