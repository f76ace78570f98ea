import { afterAll, beforeAll, expect, test } from "vitest";
import { sqlite } from "../../../../../test/kit/databases.ts";
import { countEvents } from "../../../../../test/kit/events.ts";
import { startForge, type TestForge, type TestUser } from "../../../../../test/kit/forge.ts";
import { checkIssueCounts } from "../service/check.ts";

const site = "/repos/alice/site";
const one = `${site}/issues/1`;

let forge: TestForge;
let alice: TestUser;
/** Ids that belong to the other repository. */
let foreign: { readonly label: number; readonly milestone: number };
let closedMilestone: number;
let deletedComment: number;

beforeAll(async () => {
  forge = await startForge({ dialect: sqlite });
  alice = await forge.createUser("alice");
  for (const name of ["site", "other"]) await alice.post("/user/repos", { name }).expect(201);
  const idOf = async (path: string, body: object): Promise<number> => (await alice.post(path, body).expect(201)).id;
  const bug = { name: "bug", color: "#f00" };
  foreign = { label: await idOf("/repos/alice/other/labels", bug), milestone: await idOf("/repos/alice/other/milestones", { title: "theirs" }) };
  const labels = [await idOf(`${site}/labels`, bug)];
  closedMilestone = await idOf(`${site}/milestones`, { title: "done", state: "closed" });
  const milestone = await idOf(`${site}/milestones`, { title: "v1" });
  for (const title of ["one", "two", "three"]) await idOf(`${site}/issues`, { title, body: "text", labels, milestone, assignees: ["alice"] });
  await alice.patch(one, { body: "newer" }).expect(201);
  for (const [number, on] of [
    [1, 2],
    [2, 3],
  ] as const) {
    await alice.post(`${site}/issues/${number}/dependencies`, { owner: "alice", repo: "site", index: on }).expect(201);
  }
  deletedComment = await idOf(`${one}/comments`, { body: "gone" });
  await alice.delete(`${site}/issues/comments/${deletedComment}`).expect(204);
});
afterAll(() => forge[Symbol.asyncDispose]());

/** All state that a change could leave behind. */
async function everything(): Promise<readonly unknown[]> {
  const paths = [`${site}/issues?state=all`, `${one}/timeline`, `${one}/dependencies`, `${one}/blocks`, `${site}/milestones?state=all`, site, "/notifications"];
  const answers: unknown[] = [];
  for (const path of paths) answers.push(await alice.get(path).expect(200));
  return [...answers, await countEvents(forge)];
}

type Method = "post" | "patch" | "put" | "delete";
const depends = (index: number, repo = "site") => ({ owner: "alice", repo, index });

test.for<readonly [string, number, () => readonly [Method, string, object?]]>([
  ["an unknown assignee of a new issue", 422, () => ["post", `${site}/issues`, { title: "x", assignees: ["nobody"] }]],
  ["an unknown assignee, with changes that would do", 422, () => ["patch", one, { title: "other", body: "other", assignees: ["nobody"] }]],
  ["one unknown assignee among known ones", 422, () => ["patch", one, { title: "other", assignees: ["chief", "alice", "nobody"] }]],
  ["a foreign milestone", 422, () => ["patch", one, { title: "other", milestone: foreign.milestone }]],
  ["an unknown milestone", 422, () => ["patch", one, { title: "other", milestone: 999_999 }]],
  ["a label's name for its id", 422, () => ["post", `${site}/issues`, { title: "x", labels: ["bug"] }]],
  ["a circle", 422, () => ["post", `${site}/issues/3/dependencies`, depends(1)]],
  ["the same circle from its other side", 422, () => ["post", `${one}/blocks`, depends(3)]],
  ["a dependency that is there", 409, () => ["post", `${one}/dependencies`, depends(2)]],
  ["a dependency on nothing", 404, () => ["post", `${one}/dependencies`, depends(99)]],
  ["a dependency in no repository", 404, () => ["post", `${one}/dependencies`, depends(1, "nowhere")]],
  ["closing what waits for others, with changes that would do", 412, () => ["patch", one, { title: "other", milestone: closedMilestone, state: "closed" }]],
  ["a state that is none", 412, () => ["patch", one, { title: "other", state: "bogus" }]],
  ["a text that has changed meanwhile", 409, () => ["patch", one, { title: "other", body: "mine", content_version: 0 }]],
  ["a due date that is none, of a new issue", 422, () => ["post", `${site}/issues`, { title: "x", due_date: "tomorrow" }]],
  ["an empty due date", 422, () => ["post", `${site}/issues`, { title: "x", due_date: "" }]],
  ["a due date that is none", 422, () => ["patch", one, { title: "other", due_date: "2026-02-30T00:00:00Z" }]],
  ["a deadline that is none", 422, () => ["post", `${one}/deadline`, { due_date: "x" }]],
  ["a milestone's date that is none", 422, () => ["post", `${site}/milestones`, { title: "x", due_on: "32.1.2026" }]],
  ["a comment that was deleted, edited", 404, () => ["patch", `${site}/issues/comments/${deletedComment}`, { body: "again" }]],
  ["the same, deleted", 404, () => ["delete", `${site}/issues/comments/${deletedComment}`]],
  ["the same, reacted to", 404, () => ["post", `${site}/issues/comments/${deletedComment}/reactions`, { content: "heart" }]],
])("rejects %s and leaves nothing half-applied", async ([, status, call]) => {
  const [method, path, body] = call();
  const before = await everything();
  const answer = await alice[method](path, body);
  expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
  expect(await everything()).toEqual(before);
});

test.for([
  ["since", `${site}/issues`],
  ["before", `${site}/issues/comments`],
  ["since", `${one}/timeline`],
  ["before", "/notifications"],
  ["since", "/repos/issues/search"],
] as const)("rejects %s=tomorrow at %s", async ([name, path]) => {
  await alice.get(`${path}?${name}=tomorrow`).expect(422);
});

test("ignores labels and milestones of other repositories in a new issue but accepts a closed milestone", async () => {
  const made = await alice.post(`${site}/issues`, { title: "x", labels: [foreign.label, 999_999], milestone: foreign.milestone }).expect(201);
  expect([made.labels, made.milestone]).toEqual([[], null]);
  const path = `${site}/issues/${made.number}`;
  await alice.post(`${path}/labels`, { labels: [foreign.label] });
  expect((await alice.get(path).expect(200)).labels).toEqual([]);
  expect(await alice.patch(path, { milestone: closedMilestone }).expect(201)).toMatchObject({ milestone: { title: "done", state: "closed", open_issues: 1 } });
  expect(await checkIssueCounts(forge.context)).toEqual([]);
});
