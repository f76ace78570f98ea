import { afterAll, beforeAll, expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../../test/kit/forge.ts";
import { checkIssueCounts } from "../service/check.ts";

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    [alice, bob, carol] = [await forge.createUser("alice"), await forge.createUser("bob"), await forge.createUser("carol")];
    for (const name of ["site", "lib", "other"]) await alice.post("/user/repos", { name }).expect(201);
    for (const name of ["site", "lib"]) await alice.put(`/repos/alice/${name}/collaborators/bob`, { permission: "write" }).expect(204);
    await alice.post("/user/repos", { name: "secret", private: true }).expect(201);
    await bob.post("/user/repos", { name: "own" }).expect(201);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const site = "/repos/alice/site";
  const lib = "/repos/alice/lib";
  const transfer = (user: TestUser, number: number, repository: string, from = site) => user.post(`${from}/issues/${number}/transfer`, { repository });
  const openIssue = async (title: string, more: object = {}): Promise<number> => (await alice.post(`${site}/issues`, { title, ...more }).expect(201)).number;
  const label = async (repository: string, name: string): Promise<number> => (await alice.post(`${repository}/labels`, { name, color: "#f00" }).expect(201)).id;

  test("a transferred issue keeps what belongs to it, and its former address leads to it", async () => {
    const [bug, ui] = [await label(site, "bug"), await label(site, "ui")];
    await label(lib, "bug");
    const { id: milestone } = await alice.post(`${site}/milestones`, { title: "2026" }).expect(201);
    const { id: same } = await alice.post(`${lib}/milestones`, { title: "2026" }).expect(201);
    await alice.post(`${lib}/issues`, { title: "Number one" }).expect(201);
    const hook = { type: "gitea", config: { content_type: "json", delivery: "pull" }, events: ["issues"], active: true };
    const [from, to] = [await alice.post(`${site}/hooks`, hook).expect(201), await alice.post(`${lib}/hooks`, hook).expect(201)];
    const number = await openIssue("Wrong place", { body: "See ![](x)", labels: [bug, ui], milestone, assignees: ["bob"] });
    const { id: comment } = await carol.post(`${site}/issues/${number}/comments`, { body: "I see it, too" }).expect(201);
    await carol.post(`${site}/issues/comments/${comment}/reactions`, { content: "+1" }).expect(201);
    await bob.post(`${site}/issues/${number}/assets?name=log.txt`, "twelve bytes", { "content-type": "application/octet-stream" }).expect(201);
    await alice.post(`${site}/issues/${number}/pin`).expect(204);
    await carol.put("/notifications").expect(205);

    const moved = await transfer(bob, number, "alice/lib").expect(201);
    expect(moved).toMatchObject({
      number: 2,
      html_url: `${forge.url}/alice/lib/issues/2`,
      labels: [{ name: "bug", url: expect.stringContaining("/repos/alice/lib/labels/") }],
      milestone: { id: same, open_issues: 1 },
      assignees: [{ login: "bob" }],
      assets: [{ name: "log.txt" }],
      comments: 1,
      pin_order: 0,
      repository: { full_name: "alice/lib" },
    });
    expect(await carol.get(`${lib}/issues/comments/${comment}`).expect(200)).toMatchObject({ issue_url: `${forge.url}/alice/lib/issues/2` });
    expect(await carol.get(`${lib}/issues/comments/${comment}/reactions`).expect(200)).toMatchObject([{ content: "+1" }]);
    expect((await carol.get<{ type: string }[]>(`${lib}/issues/2/timeline`).expect(200)).map(({ type }) => type)).toEqual([
      "milestone",
      "label",
      "label",
      "assignees",
      "comment",
      "pin",
      "transfer",
    ]);
    expect(await alice.get(`${site}/milestones/${milestone}`).expect(200)).toMatchObject({ open_issues: 0 });
    expect((await alice.get(site).expect(200)).open_issues_count).toBe(0);
    expect((await alice.get(lib).expect(200)).open_issues_count).toBe(2);
    expect(await alice.get(`${site}/issues/pinned`).expect(200)).toEqual([]);
    expect(await checkIssueCounts({ db: forge.context.db })).toEqual([]);

    const old = await fetch(`${forge.url}/api/v1${site}/issues/${number}?a=b`, { redirect: "manual" });
    expect([old.status, old.headers.get("location")]).toEqual([307, `/api/v1${lib}/issues/2?a=b`]);
    const page = await fetch(`${forge.url}/alice/site/issues/${number}`, { redirect: "manual" });
    expect([page.status, page.headers.get("location")]).toEqual([307, "/alice/lib/issues/2"]);

    const threads = await carol.get<{ repository: { full_name: string }; subject: { url: string } }[]>("/notifications").expect(200);
    expect(threads.map(({ repository, subject }) => [repository.full_name, subject.url])).toEqual([["alice/lib", `${forge.url}/api/v1${lib}/issues/2`]]);
    await forge.settled();
    const sent = async (repository: string, { id }: { id: number }) => (await alice.get(`${repository}/hooks/${id}/events`).expect(200)).at(-1).payload;
    expect(await sent(site, from)).toMatchObject({
      action: "transferred",
      number,
      issue: { number, title: "Wrong place" },
      changes: { new_issue: { number: 2 }, new_repository: { full_name: "alice/lib" } },
      repository: { full_name: "alice/site" },
    });
    expect(await sent(lib, to)).toMatchObject({
      action: "opened",
      number: 2,
      issue: { number: 2 },
      changes: { old_issue: { number }, old_repository: { full_name: "alice/site" } },
      repository: { full_name: "alice/lib" },
    });
    const { entries } = await forge.admin.get("/admin/audit?action=repo.issue_transferred").expect(200);
    expect(entries).toMatchObject([
      { actor: { name: "bob" }, target: { name: "alice/site" }, details: { issue: `#${number}`, title: "Wrong place", to: "alice/lib#2" } },
    ]);

    const asPull = await fetch(`${forge.url}/alice/site/pulls/${number}`, { redirect: "manual" });
    expect([asPull.status, asPull.headers.get("location")]).toEqual([303, "/alice/lib/issues/2"]);

    expect((await transfer(alice, 2, "alice/site", lib).expect(201)).number).toBe(number + 1);
    expect((await fetch(`${forge.url}/api/v1${site}/issues/${number}`)).status).toBe(200);
    expect(await checkIssueCounts({ db: forge.context.db })).toEqual([]);
  });

  test("an issue is only transferred between repositories whose issues the caller can write, and never to a larger audience", async () => {
    const number = await openIssue("Stays");
    await transfer(carol, number, "alice/lib").expect(403);
    for (const target of ["alice/nosuch", "alice/secret", "alice/other", "alice", "", "a/b/c", "alice/site"]) await transfer(bob, number, target).expect(422);
    await carol.post("/user/repos", { name: "own" }).expect(201);
    await transfer(carol, number, "carol/own").expect(403);
    const hidden = (await alice.post("/repos/alice/secret/issues", { title: "Hidden" }).expect(201)).number;
    await transfer(alice, hidden, "alice/lib", "/repos/alice/secret").expect(422);
    expect(await alice.get(`${site}/issues/${number}`).expect(200)).toMatchObject({ title: "Stays" });

    const moved = await transfer(alice, number, "alice/secret").expect(201);
    for (const user of [bob, carol]) await user.get(`${site}/issues/${number}`).expect(404);
    expect(await alice.get(`/repos/alice/secret/issues/${moved.number}`).expect(200)).toMatchObject({ title: "Stays" });
  });

  test("two requests at the same time transfer an issue once", async () => {
    const number = await openIssue("Twice");
    const answers = await Promise.all(["alice/lib", "alice/other", "alice/secret"].map((target) => transfer(alice, number, target)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404, 404]);
    expect(await checkIssueCounts({ db: forge.context.db })).toEqual([]);
  });

  test("a deleted issue leaves an entry in the audit log", async () => {
    const number = await openIssue("Spam");
    await alice.delete(`${site}/issues/${number}`).expect(204);
    const { entries } = await forge.admin.get("/admin/audit?action=repo.issue_deleted").expect(200);
    expect(entries).toMatchObject([
      { actor: { name: "alice" }, target: { kind: "repository", name: "alice/site" }, details: { issue: `#${number}`, title: "Spam" } },
    ]);
  });
});
