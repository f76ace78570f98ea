import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { statusAndMessage } from "../../../../../test/kit/api-client.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../../test/kit/forge.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const site = "/repos/alice/site";
const pulls = `${site}/pulls`;

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;

  beforeAll(async () => {
    forge = await startForge({ dialect });
    [alice, bob, carol] = await Promise.all([forge.createUser("alice"), forge.createUser("bob"), forge.createUser("carol")]);
    await alice.post("/user/repos", { name: "site", auto_init: true }).expect(201);
    await alice.put(`${site}/collaborators/bob`, { permission: "write" }).expect(204);
    for (const branch of ["one", "two", "three", "four"]) await write(branch, `${branch}.txt`, `${branch}\n`);
    await alice.post(`${site}/tags`, { tag_name: "v1", target: "main" }).expect(201);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const write = async (branch: string, path: string, text: string): Promise<void> => {
    await alice.post(`${site}/contents/${path}`, { content: base64(text), message: path, branch: "main", new_branch: branch }).expect(201);
  };
  const numbers = async (query: string): Promise<number[]> =>
    (await alice.get(`${pulls}?${query}`).expect(200)).map(({ number }: { number: number }) => number);

  describe("creating a pull request", () => {
    test("reports what is wrong with the input", async () => {
      const open = (body: Readonly<Record<string, unknown>>, user = alice) =>
        statusAndMessage(user.post(pulls, { title: "x", head: "one", base: "main", ...body }));
      expect(await open({ title: "" })).toEqual([422, "[Title]: Required"]);
      expect(await open({ head: "nosuch" })).toEqual([404, "not found"]);
      expect(await open({ base: "nosuch" })).toEqual([404, "not found"]);
      expect(await open({ head: "v1" })).toEqual([422, "Invalid PullRequest: base and head must be branches"]);
      expect(await open({ head: "main" })).toEqual([422, "Invalid PullRequest: There are no changes between the head and the base"]);
      expect(await open({ head: "alice:main" })).toEqual([422, "Invalid PullRequest: There are no changes between the head and the base"]);
      expect(await open({ head: "nobody:one" })).toEqual([404, "not found"]);
      expect(await open({ head: "carol:one" })).toEqual([400, "the user carol does not have a fork of the base repository"]);
      expect(await open({}, carol)).toEqual([403, "user must be a collaborator"]);
      expect(await statusAndMessage(forge.anonymous.post(pulls, { title: "x", head: "one", base: "main" }))).toEqual([401, "token is required"]);
    });

    test("accepts labels, milestone and assignees with one process and a bounded number of statements", async () => {
      const label = await alice.post(`${site}/labels`, { name: "ripe", color: "#00aabb" }).expect(201);
      const milestone = await alice.post(`${site}/milestones`, { title: "v1" }).expect(201);
      const plain = await forge.cost(() => bob.post(pulls, { title: "WIP: one", head: "one", base: "main" }).expect(201));
      expect(plain.processes).toBeLessThanOrEqual(1);
      expect(plain.statements.length).toBeLessThanOrEqual(26);
      expect(plain.result).toMatchObject({
        number: 1,
        draft: true,
        mergeable: true,
        additions: 1,
        deletions: 0,
        changed_files: 1,
        assignees: [],
        requested_reviewers: [],
      });
      const planned = {
        title: "two",
        head: "two",
        base: "main",
        body: "see #1",
        labels: [label.id],
        milestone: milestone.id,
        assignees: ["bob"],
        reviewers: ["bob"],
      };
      const { number } = await alice.post(pulls, planned).expect(201);
      const seen = await alice.get(`${pulls}/${number}`).expect(200);
      expect([seen.labels[0].name, seen.milestone.title, seen.assignee.login, seen.requested_reviewers[0].login]).toEqual(["ripe", "v1", "bob", "bob"]);
      expect(await alice.get(`${site}/issues/1/timeline`).expect(200)).toMatchObject([{ type: "pull_push", ref_commit_sha: "" }, { type: "pull_ref" }]);
      const again = await statusAndMessage(alice.post(pulls, { title: "again", head: "two", base: "main" }));
      expect(again).toEqual([
        409,
        `pull request already exists for these targets [id: ${seen.id}, issue_id: 2, head_repo_id: ${seen.head.repo_id}, base_repo_id: ${seen.base.repo_id}, head_branch: two, base_branch: main]`,
      ]);
    });
  });

  describe("reading pull requests", () => {
    test("applies the filters with a number of statements that does not depend on the page size", async () => {
      await alice.post(pulls, { title: "three", head: "three", base: "main" }).expect(201);
      await alice.post(`${site}/issues/3/comments`, { body: "first" }).expect(201);
      const label = (await alice.get(`${site}/labels`).expect(200))[0].id;
      expect(await numbers("")).toEqual([3, 2, 1]);
      expect(await numbers("sort=oldest&limit=2")).toEqual([1, 2]);
      expect(await numbers("sort=mostcomment&limit=1")).toEqual([3]);
      expect(await numbers(`labels=${label}&labels=x`)).toEqual([2]);
      expect(await numbers("poster=bob&state=all")).toEqual([1]);
      expect(await alice.get(`${pulls}?poster=bob`).expect(200)).toMatchObject([{ assignees: null, requested_reviewers: null }]);
      expect(await numbers("base_branch=nosuch")).toEqual([]);
      expect(await numbers("milestone=9999")).toEqual([]);
      expect(await numbers("state=closed")).toEqual([]);
      expect((await alice.get(`${pulls}?poster=nobody`).expect(400)).message).toBe("user does not exist [uid: 0, name: nobody]");
      const page = await alice.get(`${pulls}?limit=1`);
      expect([page.headers.get("x-total-count"), page.headers.get("link")?.includes('rel="next"')]).toEqual(["3", true]);

      const cost = async (path: string) => (await forge.cost(() => alice.get(path).expect(200))).statements.length;
      await numbers("");
      // With labels, a milestone, an assignee and a requested reviewer.
      expect(await cost(`${pulls}?limit=3`)).toBe(7);
      expect(await cost(`${pulls}?limit=1&page=2`)).toBe(7);
      expect(await cost(`${pulls}?poster=bob`)).toBeLessThanOrEqual(10);
      expect(await cost(`${pulls}/1`)).toBeLessThanOrEqual(8);
    });

    test("finds a pull request by its branches and shows its changes", async () => {
      expect((await alice.get(`${pulls}/main/two`).expect(200)).number).toBe(2);
      expect((await alice.get(`${pulls}/main/alice:two`).expect(200)).number).toBe(2);
      await alice.get(`${pulls}/main/nosuch`).expect(404);
      const files = await alice.get(`${pulls}/2/files`);
      expect([files.json.map(({ filename, status }: { filename: string; status: string }) => [filename, status]), files.headers.get("x-total-count")]).toEqual([
        [["two.txt", "added"]],
        "1",
      ]);
      expect(await alice.get(`${pulls}/2/files?page=2`).expect(200)).toEqual([]);
      expect((await alice.get(`${pulls}/2/commits`).expect(200)).length).toBe(1);
      expect((await alice.get(`${pulls}/2.diff`)).text).toContain("+++ b/two.txt");
      const patch = (await alice.get("//alice/site/pulls/2.patch")).text;
      expect(patch).toContain("Subject: [PATCH] two.txt");
      expect(patch).toMatch(/\n-- \n\d[\d.]+\n\n$/);
      for (const form of ["diff", "patch"]) {
        const { result, processes } = await forge.cost(() => alice.get(`${pulls}/2.${form}`));
        expect([result.text.includes("+++ b/two.txt"), processes]).toEqual([true, 0]);
      }
      expect((await alice.get(`${pulls}/2.txt`)).status).toBe(404);
      for (const path of ["99", "99/files", "99/commits", "99.diff", "x"]) expect((await forge.anonymous.get(`${pulls}/${path}`)).status).toBe(404);
    });
  });

  describe("editing a pull request", () => {
    test("changes all fields or none, for authorized users only", async () => {
      const edited = await alice.patch(`${pulls}/1`, { title: "one", body: "text", assignees: ["alice"], due_date: "2033-04-05T00:00:00Z" }).expect(201);
      expect([edited.title, edited.body, edited.draft, edited.assignee.login, edited.due_date.slice(0, 10)]).toEqual([
        "one",
        "text",
        false,
        "alice",
        "2033-04-05",
      ]);
      expect(edited.assignee.active).toBe(false);
      expect(await alice.patch(`${pulls}/2`, { milestone: 0 }).expect(201)).toMatchObject({ milestone: { title: "v1" } });
      expect(await statusAndMessage(alice.patch(`${pulls}/1`, { base: "nosuch", title: "no" }))).toEqual([404, "new base 'nosuch' not exist"]);
      expect((await alice.get(`${pulls}/1`).expect(200)).title).toBe("one");
      expect((await alice.patch(`${pulls}/1`, { base: "four" }).expect(201)).base.ref).toBe("four");
      await alice.patch(`${pulls}/1`, { base: "main" }).expect(201);
      const changes = (await alice.get(`${site}/issues/1/timeline`).expect(200)).filter(({ type }: { type: string }) => type === "change_target_branch");
      expect(changes.map(({ old_ref, new_ref }: { old_ref: string; new_ref: string }) => [old_ref, new_ref])).toEqual([
        ["main", "four"],
        ["four", "main"],
      ]);
      expect(await statusAndMessage(carol.patch(`${pulls}/1`, { title: "evil" }))).toEqual([
        403,
        "only the author and users with write access to issues may edit an issue",
      ]);
      expect((await alice.patch(`${pulls}/1`, { state: "closed" }).expect(201)).state).toBe("closed");
      await alice.put(`${site}/contents/README.md`, {
        content: base64("# Site\n"),
        branch: "main",
        sha: (await alice.get(`${site}/contents/README.md`).expect(200)).sha,
      });
      expect((await alice.patch(`${pulls}/1`, { state: "open" }).expect(201)).state).toBe("open");
      expect(await statusAndMessage(alice.patch(`${pulls}/99`, { title: "x" }))).toEqual([404, "not found"]);
      expect((await alice.get(site).expect(200)).open_pr_counter).toBe(3);
    });
  });
});
