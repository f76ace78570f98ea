import { afterAll, beforeAll, expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../../test/kit/forge.ts";

const site = "/repos/alice/site";
const pulls = `${site}/pulls`;

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  const said = async (answer: PromiseLike<{ status: number; json: { message?: string } }>): Promise<unknown[]> => {
    const { status, json } = await answer;
    return [status, json.message];
  };

  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "site", auto_init: true }).expect(201);
    await alice.post(`${site}/contents/four.txt`, { content: "", new_branch: "four" }).expect(201);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  test("opens a pull request of a branch that the caller only reads for collaborators and team members only", async () => {
    const dora = await forge.createUser("dora");
    const open = (user: TestUser, body: object) => user.post(pulls, { title: "read only", head: "four", base: "main", ...body });
    expect(await said(open(dora, {}))).toEqual([403, "user must be a collaborator"]);
    await alice.put(`${site}/collaborators/dora`, { permission: "read" }).expect(204);
    const made = (await open(dora, {}).expect(201)) as { number: number };
    await dora.patch(`${pulls}/${made.number}`, { state: "closed" }).expect(201);

    await alice.post("/orgs", { username: "acme" }).expect(201);
    await alice.post("/orgs/acme/repos", { name: "lib", auto_init: true }).expect(201);
    await alice.post("/repos/acme/lib/contents/x", { content: "", new_branch: "x" }).expect(201);
    const team = await alice.post("/orgs/acme/teams", { name: "readers", permission: "read", units: ["repo.code", "repo.pulls"] }).expect(201);
    const ofTeam = { title: "of a team", head: "x", base: "main" };
    await alice.put(`/teams/${team.id}/members/dora`).expect(204);
    expect(await said(dora.post("/repos/acme/lib/pulls", ofTeam))).toEqual([403, "user must be a collaborator"]);
    await alice.put(`/teams/${team.id}/repos/acme/lib`).expect(204);
    await dora.post("/repos/acme/lib/pulls", ofTeam).expect(201);
  });

  test("opens a pull request of the branch of a fork that the caller only reads only where everybody reads the fork", async () => {
    const [erin, fred] = await Promise.all([forge.createUser("erin"), forge.createUser("fred")]);
    await alice.put(`${site}/collaborators/erin`, { permission: "read" }).expect(204);
    await fred.post(`${site}/forks`, {}).expect(202);
    await fred.put("/repos/fred/site/collaborators/erin", { permission: "read" }).expect(204);
    await fred.post("/repos/fred/site/contents/of-fred.txt", { content: "", new_branch: "of-fred" }).expect(201);
    const proposal = { title: "of another fork", head: "fred:of-fred", base: "main" };
    await fred.patch("/repos/fred/site", { private: true }).expect(200);
    expect(await said(erin.post(pulls, proposal))).toEqual([403, "user must be a collaborator"]);
    await fred.patch("/repos/fred/site", { private: false }).expect(200);
    const made = await erin.post(pulls, proposal).expect(201);
    await erin.patch(`${pulls}/${made.number}`, { state: "closed" }).expect(201);
  });
});
