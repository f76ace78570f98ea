import { afterAll, beforeAll, expect, test } from "vitest";
import { statusAndMessage } from "../../../../../test/kit/api-client.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../../test/kit/forge.ts";

const site = "/repos/alice/site";
const pulls = `${site}/pulls`;

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;

  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "site", auto_init: true }).expect(201);
    await alice.post(`${site}/contents/four.txt`, { content: "", new_branch: "four" }).expect(201);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  test("lets only collaborators and team members open a pull request from a branch that they can only read", async () => {
    const dora = await forge.createUser("dora");
    const open = (user: TestUser, body: object) => user.post(pulls, { title: "read only", head: "four", base: "main", ...body });
    expect(await statusAndMessage(open(dora, {}))).toEqual([403, "user must be a collaborator"]);
    await alice.put(`${site}/collaborators/dora`, { permission: "read" }).expect(204);
    const made = (await open(dora, {}).expect(201)) as { number: number };
    await dora.patch(`${pulls}/${made.number}`, { state: "closed" }).expect(201);

    await alice.post("/orgs", { username: "acme" }).expect(201);
    await alice.post("/orgs/acme/repos", { name: "lib", auto_init: true }).expect(201);
    await alice.post("/repos/acme/lib/contents/x", { content: "", new_branch: "x" }).expect(201);
    const team = await alice.post("/orgs/acme/teams", { name: "readers", permission: "read", units: ["repo.code", "repo.pulls"] }).expect(201);
    const ofTeam = { title: "of a team", head: "x", base: "main" };
    await alice.put(`/teams/${team.id}/members/dora`).expect(204);
    expect(await statusAndMessage(dora.post("/repos/acme/lib/pulls", ofTeam))).toEqual([403, "user must be a collaborator"]);
    await alice.put(`/teams/${team.id}/repos/acme/lib`).expect(204);
    await dora.post("/repos/acme/lib/pulls", ofTeam).expect(201);
  });

  test("lets readers of a fork open a pull request from its branch only if the fork is public", async () => {
    const [erin, fred] = await Promise.all([forge.createUser("erin"), forge.createUser("fred")]);
    await alice.put(`${site}/collaborators/erin`, { permission: "read" }).expect(204);
    await fred.post(`${site}/forks`, {}).expect(202);
    await fred.put("/repos/fred/site/collaborators/erin", { permission: "read" }).expect(204);
    await fred.post("/repos/fred/site/contents/of-fred.txt", { content: "", new_branch: "of-fred" }).expect(201);
    const proposal = { title: "of another fork", head: "fred:of-fred", base: "main" };
    await fred.patch("/repos/fred/site", { private: true }).expect(200);
    expect(await statusAndMessage(erin.post(pulls, proposal))).toEqual([403, "user must be a collaborator"]);
    await fred.patch("/repos/fred/site", { private: false }).expect(200);
    const { result: made, statements } = await forge.cost(() => erin.post(pulls, proposal).expect(201));
    // The commits are copied into a store that can have many refs.
    expect(statements.filter((text) => /from "git_stores" as "s" left join "refs"/.test(text))).toEqual([]);
    await erin.patch(`${pulls}/${made.number}`, { state: "closed" }).expect(201);
  });

  test("takes the names of branches with and without their prefix when a pull request is opened, found and retargeted", async () => {
    for (const name of ["six", "seven", "heads/seven"]) await alice.post(`${site}/contents/${name}.txt`, { content: "", new_branch: name }).expect(201);
    const opened = await alice.post(pulls, { title: "full names", head: "refs/heads/six", base: "heads/main" }).expect(201);
    expect([opened.head.ref, opened.head.label, opened.base.ref]).toEqual(["six", "six", "main"]);
    expect((await alice.post(pulls, { title: "again", head: "alice:heads/six", base: "refs/heads/main" })).status).toBe(409);
    expect((await alice.get(`${pulls}/main/refs/heads/six`).expect(200)).number).toBe(opened.number);
    expect((await alice.get(`${pulls}?base_branch=refs/heads/main&poster=alice`).expect(200)).map(({ number }: { number: number }) => number)).toContain(
      opened.number,
    );
    const page = await alice.get("//alice/site/compare/refs/heads/main...heads/six");
    expect(page.text).toContain(`/alice/site/pulls/${opened.number}`);

    const retarget = async (base: string): Promise<string> => (await alice.patch(`${pulls}/${opened.number}`, { base }).expect(201)).base.ref;
    expect(await retarget("refs/heads/four")).toBe("four");
    expect(await retarget("heads/main")).toBe("main");
    // A branch with this short name comes before the branch that it could mean.
    expect(await retarget("heads/seven")).toBe("heads/seven");
    expect(await retarget("refs/heads/seven")).toBe("seven");
    expect(await statusAndMessage(alice.patch(`${pulls}/${opened.number}`, { base: "refs/heads/none" }))).toEqual([404, "new base 'none' not exist"]);
    expect((await alice.post(pulls, { title: "itself", head: "six", base: "refs/heads/six" })).status).toBe(422);
  });

  test("names in the timeline the commits that a pull request was opened with, and names them again when its base changes", async () => {
    const write = async (path: string, branch: string, more: object = {}): Promise<string> =>
      (await alice.post(`${site}/contents/${path}`, { content: "", branch, ...more }).expect(201)).commit.sha;
    const first = await write("t1.txt", "main", { new_branch: "stacked" });
    const second = await write("t2.txt", "stacked", { new_branch: "topic" });
    const third = await write("t3.txt", "topic");
    const { number } = await alice.post(pulls, { title: "topic", head: "topic", base: "main", assignees: ["alice"] }).expect(201);
    const timeline = async () => {
      await forge.settled();
      const entries = await alice.get(`${site}/issues/${number}/timeline`).expect(200);
      return entries.map(({ type, body, user }: { type: string; body: string; user: { login: string } }) => [type, body && JSON.parse(body), user.login]);
    };
    const push = (...commit_ids: string[]) => ["pull_push", { is_force_push: false, commit_ids }, "alice"];
    expect(await timeline()).toEqual([["assignees", "", "alice"], push(first, second, third)]);

    const fourth = await write("t4.txt", "topic");
    expect((await timeline()).slice(1)).toEqual([push(first, second, third), push(fourth)]);
    // A push of a head that the branch has had before is an entry of its own.
    await alice.put(`${site}/branches/topic`, { new_commit_id: third, force: true }).expect(204);
    expect((await timeline()).slice(1)).toEqual([
      push(first, second, third),
      push(fourth),
      ["pull_push", { is_force_push: true, commit_ids: [fourth, third] }, "alice"],
    ]);

    // A hidden ref protects the commit that it replaced from housekeeping, so that both can be compared later.
    const holding = await forge.context.db.sql.selectFrom("refs").select("name").where("oid", "=", fourth).execute();
    expect(holding).toEqual([{ name: `refs/hearth/pulls/${number}/${fourth}` }]);
    expect((await alice.get(`//alice/site/compare/${fourth}...${third}`)).status).toBe(200);

    await alice.patch(`${pulls}/${number}`, { base: "stacked" }).expect(201);
    expect((await timeline()).slice(1)).toEqual([["change_target_branch", "", "alice"], push(second, third)]);

    const empty = await alice.post(pulls, { title: "nothing to bring", head: "main", base: "stacked" }).expect(201);
    expect(await alice.get(`${site}/issues/${empty.number}/timeline`).expect(200)).toBeNull();
  });
});
