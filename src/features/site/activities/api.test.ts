import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { differences } from "../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { createGitUser, type GitUser } from "../../../../test/kit/git-user.ts";
import type { Activity } from "../../../wire/activity.ts";
import { pruneActivities } from "./service/record.ts";

const dayMs = 86_400_000;

eachDialect((dialect) => {
  describe("feeds", () => {
    let forge: TestForge;
    let work: GitUser;
    let alice: TestUser;
    let bob: TestUser;
    beforeAll(async () => {
      forge = await startForge({ dialect });
      work = await createGitUser();
      [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    });
    afterAll(async () => {
      await forge[Symbol.asyncDispose]();
      await work[Symbol.asyncDispose]();
    });
    const linesOf = (feed: readonly Activity[]): string[] =>
      feed.map(({ op_type, repo, ref_name }) => [op_type, repo?.name, ref_name].filter(Boolean).join(" "));
    const feed = async (viewer: Pick<TestUser, "get">, path: string): Promise<string[]> => {
      const { status, json, headers } = await viewer.get<Activity[]>(`${path}/activities/feeds`);
      expect([status, headers.get("x-total-count"), headers.get("link")]).toEqual([200, `${json.length}`, null]);
      return linesOf(json);
    };
    /** Moves a repository's activities into the past in the database. */
    const backdate = async (path: string, ms: number): Promise<void> => {
      const { id } = await forge.admin.get(path).expect(200);
      await forge.context.db.tx((tx) =>
        tx.sql
          .updateTable("activities")
          .set((eb) => ({ created_ms: eb("created_ms", "-", ms) }))
          .where("repo_id", "=", id)
          .execute(),
      );
    };
    const cloneOf = async (folder: string, user: TestUser, fullName: string): Promise<void> => {
      await work.init(folder);
      await work.git(folder, "remote", "add", "origin", `${user.gitOrigin}/${fullName}.git`);
    };

    test("list a user's actions at once, newest first", async () => {
      const carol = await forge.createUser("carol");
      await carol.post("/user/repos", { name: "demo" }).expect(201);
      await cloneOf("demo", carol, "carol/demo");
      const first = await work.commit("demo", { f: "1" }, "first\n\nwith a body");
      await work.git("demo", "push", "-q", "origin", "main");
      const second = await work.commit("demo", { f: "2" }, "second");
      const third = await work.commit("demo", { f: "3" }, "third");
      await work.git("demo", "push", "-q", "origin", "main", "main:topic");
      await work.git("demo", "tag", "v1");
      await work.git("demo", "push", "-q", "origin", "v1", ":topic", "main:refs/notes/x");
      await work.git("demo", "push", "-q", "origin", ":v1");
      await carol.post("/repos/carol/demo/contents/g", { content: "eA==", message: "by hand" }).expect(201);
      await carol.patch("/repos/carol/demo", { name: "renamed" }).expect(200);
      const items = await carol.get<Activity[]>("/users/carol/activities/feeds").expect(200);
      expect(differences(items, "[]Activity")).toEqual([]);
      expect(linesOf(items)).toEqual([
        "rename_repo renamed",
        "commit_repo renamed refs/heads/main",
        "delete_tag renamed refs/tags/v1",
        "push_tag renamed refs/tags/v1",
        "delete_branch renamed refs/heads/topic",
        "commit_repo renamed refs/heads/topic",
        "commit_repo renamed refs/heads/main",
        "commit_repo renamed refs/heads/main",
        "create_repo renamed",
      ]);
      expect(items[0]).toMatchObject({
        content: "demo",
        act_user_id: carol.id,
        user_id: carol.id,
        act_user: { login: "carol" },
        comment_id: 0,
        comment: null,
        is_private: false,
      });
      const push = JSON.parse(items[6]?.content ?? "");
      expect(push).toMatchObject({ Len: 2, CompareURL: `carol/renamed/compare/${first}...${third}`, HeadCommit: { Sha1: third } });
      expect(push.Commits).toEqual([expect.objectContaining({ Sha1: third }), expect.objectContaining({ Sha1: second })]);
      expect(push.Commits[1]).toEqual({
        Sha1: second,
        Message: "second\n",
        AuthorName: "Ann Author",
        AuthorEmail: "ann@example.com",
        CommitterName: "Ann Author",
        CommitterEmail: "ann@example.com",
        Timestamp: expect.stringMatching(/^2023-/),
      });
      expect(JSON.parse(items[7]?.content ?? "")).toMatchObject({ Len: 1, CompareURL: "", Commits: [{ Message: "first\n\nwith a body\n" }] });
      expect([items[2]?.content, items[3]?.content, items[4]?.content]).toEqual(["", "", ""]);
      expect(await feed(forge.anonymous, "/repos/carol/renamed")).toEqual(linesOf(items));
    });

    test("omit the initial refs of a new repository and everything about a failed change", async () => {
      const dora = await forge.createUser("dora");
      await dora.post("/user/repos", { name: "begun", auto_init: true }).expect(201);
      await dora.post("/user/repos", { name: "begun" }).expect(409);
      await dora.post("/repos/dora/begun/branches", { new_branch_name: "main" }).expect(409);
      expect(await feed(dora, "/users/dora")).toEqual(["create_repo begun"]);
    });

    test("contain activity of watched repositories, unless only the user's own is requested", async () => {
      const [erin, fay] = [await forge.createUser("erin"), await forge.createUser("fay")];
      await erin.post("/user/repos", { name: "watched", auto_init: true }).expect(201);
      await erin.post("/user/repos", { name: "other" }).expect(201);
      await fay.put("/repos/erin/watched/subscription").expect(200);
      await fay.post("/user/repos", { name: "own" }).expect(201);
      await erin.post("/repos/erin/watched/branches", { new_branch_name: "b" }).expect(201);
      expect(await feed(fay, "/users/fay")).toEqual(["commit_repo watched refs/heads/b", "create_repo own", "create_repo watched"]);
      expect(linesOf(await fay.get<Activity[]>("/users/fay/activities/feeds?only-performed-by=true").expect(200))).toEqual(["create_repo own"]);
      await fay.delete("/repos/erin/watched/subscription").expect(204);
      expect(await feed(fay, "/users/fay")).toEqual(["create_repo own"]);
    });

    test("show each reader what they can read now", async () => {
      const gus = await forge.createUser("gus");
      const [member, stranger] = [await forge.createUser("member"), await forge.createUser("stranger")];
      await gus.post("/user/repos", { name: "secret", private: true, auto_init: true }).expect(201);
      await gus.post("/user/repos", { name: "open" }).expect(201);
      await gus.put("/repos/gus/secret/collaborators/member", { permission: "read" }).expect(204);
      await member.put("/repos/gus/secret/subscription").expect(200);
      const both = ["create_repo open", "create_repo secret"];
      for (const viewer of [gus, forge.admin]) expect(await feed(viewer, "/users/gus")).toEqual(both);
      // A user's activity in private repositories is hidden even from other members.
      for (const viewer of [member, stranger, forge.anonymous]) expect(await feed(viewer, "/users/gus")).toEqual(["create_repo open"]);
      expect(await feed(member, "/repos/gus/secret")).toEqual(["create_repo secret"]);
      expect(await feed(member, "/users/member")).toEqual(["create_repo secret"]);
      await gus.delete("/repos/gus/secret/collaborators/member").expect(204);
      expect(await feed(member, "/users/member")).toEqual([]);
      await member.get("/repos/gus/secret/activities/feeds").expect(404);
      await gus.patch("/repos/gus/open", { private: true }).expect(200);
      expect(await feed(stranger, "/users/gus")).toEqual([]);
      await gus.patch("/repos/gus/open", { private: false }).expect(200);
      expect(await feed(stranger, "/users/gus")).toEqual(["create_repo open"]);
      await gus.delete("/repos/gus/open").expect(204);
      expect(await feed(gus, "/users/gus")).toEqual(["create_repo secret"]);
    });

    test("hide users who hide their activity or their account", async () => {
      const shy = await forge.createUser("shy");
      await shy.post("/user/repos", { name: "quiet" }).expect(201);
      await shy.patch("/user/settings", { hide_activity: true }).expect(200);
      for (const viewer of [shy, forge.admin]) {
        expect(await feed(viewer, "/users/shy")).toEqual(["create_repo quiet"]);
        expect(await viewer.get("/users/shy/heatmap").expect(200)).toHaveLength(1);
      }
      for (const viewer of [bob, forge.anonymous]) {
        for (const path of ["/users/shy", "/repos/shy/quiet"]) expect(await feed(viewer, path)).toEqual([]);
        expect(await viewer.get("/users/shy/heatmap").expect(200)).toEqual([]);
      }
      const hidden = await forge.createUser("hidden", { visibility: "private" });
      await bob.get(`/users/${hidden.name}/activities/feeds`).expect(404);
      await bob.get(`/users/${hidden.name}/heatmap`).expect(404);
      await alice.post("/user/repos", { name: "busy" }).expect(201);
      await alice.put("/repos/alice/busy/collaborators/hidden", { permission: "write" }).expect(204);
      await hidden.post("/repos/alice/busy/contents/x", { content: "eA==", message: "m" }).expect(201);
      expect(await feed(bob, "/repos/alice/busy")).toEqual(["create_repo busy"]);
      expect(await feed(hidden, "/repos/alice/busy")).toHaveLength(2);
    });

    test("of organizations and teams", async () => {
      const [boss, dev] = [await forge.createUser("boss"), await forge.createUser("dev")];
      await boss.post("/orgs", { username: "acme" }).expect(201);
      for (const name of ["site", "secret", "shared"]) await boss.post("/orgs/acme/repos", { name, private: name !== "site", auto_init: true }).expect(201);
      const team = await boss.post("/orgs/acme/teams", { name: "devs", permission: "read", units: ["repo.issues"] }).expect(201);
      await boss.put(`/teams/${team.id}/members/dev`).expect(204);
      await boss.put(`/teams/${team.id}/repos/acme/shared`).expect(204);
      await boss.post("/repos/acme/shared/branches", { new_branch_name: "b" }).expect(201);
      const all = ["commit_repo shared refs/heads/b", "create_repo shared", "create_repo secret", "create_repo site"];
      expect(await feed(boss, "/orgs/acme")).toEqual(all);
      expect(await feed(bob, "/orgs/acme")).toEqual(["create_repo site"]);
      expect(await feed(forge.anonymous, "/orgs/acme")).toEqual(["create_repo site"]);
      expect(await feed(boss, `/teams/${team.id}`)).toEqual(all.slice(0, 2));
      // The team may read issues only, so it sees that something was pushed but not what.
      expect(await feed(dev, "/orgs/acme")).toEqual(["commit_repo shared", "create_repo shared", "create_repo site"]);
      expect((await dev.get<Activity[]>(`/teams/${team.id}/activities/feeds`).expect(200))[0]).toMatchObject({
        op_type: "commit_repo",
        ref_name: "",
        content: "",
      });
      await bob.get(`/teams/${team.id}/activities/feeds`).expect(404);
      await forge.anonymous.get("/orgs/nosuch/activities/feeds").expect(404);
    });

    test("show issues with the current comments and without deleted ones", async () => {
      const [nora, team] = [await forge.createUser("nora"), await forge.createUser("coder")];
      await nora.post("/user/repos", { name: "talk" }).expect(201);
      const issues = "/repos/nora/talk/issues";
      await nora.post(issues, { title: "First | one" }).expect(201);
      await nora.post(issues, { title: "Second" }).expect(201);
      const comment = await bob.post(`${issues}/1/comments`, { body: "Hello\nthere" }).expect(201);
      const other = await bob.post(`${issues}/1/comments`, { body: "Oops" }).expect(201);
      await nora.patch(`${issues}/1`, { state: "closed" }).expect(201);
      await nora.patch(`${issues}/1`, { state: "open" }).expect(201);
      const list = (viewer: Pick<TestUser, "get">) => viewer.get<Activity[]>("/repos/nora/talk/activities/feeds").expect(200);
      const shown = (items: readonly Activity[]) => items.map(({ op_type, content }) => `${op_type} ${content}`);
      const items = await list(forge.anonymous);
      expect(differences(items, "[]Activity")).toEqual([]);
      expect(shown(items)).toEqual([
        "reopen_issue 1|",
        "close_issue 1|",
        "comment_issue 1|Oops",
        "comment_issue 1|Hello\nthere",
        "create_issue 2|Second",
        "create_issue 1|First | one",
        "create_repo ",
      ]);
      expect(items[3]).toMatchObject({
        comment_id: comment.id,
        comment: { id: comment.id, body: "Hello\nthere", user: null },
        act_user: { login: "bob" },
      });
      await bob.patch(`/repos/nora/talk/issues/comments/${comment.id}`, { body: "Edited" }).expect(200);
      await bob.delete(`/repos/nora/talk/issues/comments/${other.id}`).expect(204);
      expect(shown(await list(nora)).slice(2, 4)).toEqual(["comment_issue 1|Edited", "create_issue 2|Second"]);
      await nora.patch("/repos/nora/talk", { private: true }).expect(200);
      expect(await feed(bob, "/users/bob")).not.toContain("comment_issue talk");
      await nora.patch("/repos/nora/talk", { private: false }).expect(200);
      expect(await feed(team, "/users/bob")).toContain("comment_issue talk");
      await nora.delete(`${issues}/1`).expect(204);
      expect(shown(await list(nora))).toEqual(["create_issue 2|Second", "create_repo "]);
    });

    test("show merges of pull requests with their titles", async () => {
      const mia = await forge.createUser("mia");
      await mia.post("/user/repos", { name: "trunk", auto_init: true }).expect(201);
      await mia.post("/repos/mia/trunk/contents/f", { content: "eA==", message: "by hand", new_branch: "topic" }).expect(201);
      await mia.post("/repos/mia/trunk/pulls", { title: "Add f", head: "topic", base: "main" }).expect(201);
      await mia.post("/repos/mia/trunk/pulls/1/merge", { Do: "merge" }).expect(200);
      const items = await forge.anonymous.get<Activity[]>("/repos/mia/trunk/activities/feeds").expect(200);
      expect(differences(items, "[]Activity")).toEqual([]);
      expect(items.map(({ op_type, content }) => `${op_type} ${op_type === "commit_repo" ? "" : content}`).toSorted()).toEqual([
        "commit_repo ",
        "commit_repo ",
        "create_pull_request 1|Add f",
        "create_repo ",
        "merge_pull_request 1|Add f",
      ]);
    });

    test("distinguish merges that were scheduled and run when the requirements are met", async () => {
      const ines = await forge.createUser("ines");
      await ines.post("/user/repos", { name: "line", auto_init: true }).expect(201);
      const made = await ines.post("/repos/ines/line/contents/f", { content: "eA==", message: "f", new_branch: "topic" }).expect(201);
      await ines.post("/repos/ines/line/branch_protections", { rule_name: "main", enable_status_check: true, status_check_contexts: ["ci/*"] }).expect(201);
      await ines.post("/repos/ines/line/pulls", { title: "Add f", head: "topic", base: "main" }).expect(201);
      await ines.post("/repos/ines/line/pulls/1/merge", { Do: "merge", merge_when_checks_succeed: true }).expect(201);
      await ines.post(`/repos/ines/line/statuses/${made.commit.sha}`, { state: "success", context: "ci/x" }).expect(200);
      await forge.settled();
      const items = await forge.anonymous.get<Activity[]>("/repos/ines/line/activities/feeds").expect(200);
      expect(differences(items, "[]Activity")).toEqual([]);
      expect(items.filter(({ op_type }) => op_type.includes("merge")).map(({ op_type, content, act_user }) => [op_type, content, act_user?.login])).toEqual([
        ["auto_merge_pull_request", "1|Add f", "ines"],
      ]);
    });

    test("can be paged and limited to a day", async () => {
      const hal = await forge.createUser("hal");
      for (const name of ["a", "b", "c"]) await hal.post("/user/repos", { name }).expect(201);
      await backdate("/repos/hal/a", 2 * dayMs);
      await backdate("/repos/hal/b", dayMs);
      const page = await hal.get<Activity[]>("/users/hal/activities/feeds?limit=2&page=2");
      expect([linesOf(page.json), page.headers.get("x-total-count")]).toEqual([["create_repo a"], "3"]);
      expect(await hal.get("/users/hal/activities/feeds?page=9").expect(200)).toEqual([]);
      const created = (await hal.get<Activity[]>("/repos/hal/b/activities/feeds").expect(200))[0]?.created ?? "";
      const date = created.slice(0, 10);
      for (const path of ["/users/hal", "/repos/hal/b"]) {
        expect(linesOf(await hal.get<Activity[]>(`${path}/activities/feeds?date=${date}`).expect(200))).toEqual(["create_repo b"]);
        expect(await hal.get(`${path}/activities/feeds?date=2020-01-01`).expect(200)).toEqual([]);
        await hal.get(`${path}/activities/feeds?date=2020-02-30`).expect(422);
      }
    });

    test("contain the newest thousand entries; older days are available by date", async () => {
      const leo = await forge.createUser("leo");
      const { id } = await leo.post("/user/repos", { name: "loud" }).expect(201);
      const row = { kind: "create_issue", actor_id: leo.id, repo_id: id, owner_id: leo.id, ref_name: "", subject: "1|x" };
      const todayMs = Math.floor(Date.now() / dayMs) * dayMs;
      const rows = Array.from({ length: 1_010 }, (_, index) => ({ ...row, created_ms: todayMs - 5 * dayMs + (index < 1_005 ? 1_000 + index : -index) }));
      await forge.context.db.tx((tx) => tx.sql.insertInto("activities").values(rows).execute());
      const page = async (query: string): Promise<[number, string | null]> => {
        const { json, headers } = await leo.get<Activity[]>(`/users/leo/activities/feeds?${query}`);
        return [json.length, headers.get("x-total-count")];
      };
      expect(await page("limit=50")).toEqual([50, "1000"]);
      expect(await page("limit=50&page=20")).toEqual([50, "1000"]);
      expect(await page("limit=50&page=21")).toEqual([0, "1000"]);
      expect(await page(`date=${new Date(todayMs - 6 * dayMs).toISOString().slice(0, 10)}`)).toEqual([5, "5"]);
    });

    test("count a user's actions per quarter of an hour, limited to what the caller can read", async () => {
      const ida = await forge.createUser("ida");
      await ida.post("/user/repos", { name: "one" }).expect(201);
      await ida.post("/user/repos", { name: "two", private: true }).expect(201);
      await ida.post("/user/repos", { name: "three" }).expect(201);
      await ida.post("/user/repos", { name: "ancient" }).expect(201);
      // All in the middle of a quarter, so that no two fall into different quarters.
      const created = Date.parse((await ida.get<Activity[]>("/repos/ida/one/activities/feeds").expect(200))[0]?.created ?? "");
      const intoQuarterMs = (created % 900_000) - 450_000;
      for (const [name, agoMs] of Object.entries({ one: 3_600_000, two: 3_600_000, three: 0, ancient: 400 * dayMs })) {
        await backdate(`/repos/ida/${name}`, intoQuarterMs + agoMs);
      }
      const counts = async (viewer: Pick<TestUser, "get">): Promise<number[]> => {
        const heatmap = await viewer.get<{ timestamp: number; contributions: number }[]>("/users/ida/heatmap").expect(200);
        expect(heatmap.every((span) => Object.keys(span).sort().join() === "contributions,timestamp")).toBe(true);
        expect(heatmap.every(({ timestamp }) => timestamp % 900 === 0 && Math.abs(timestamp * 1000 - Date.now()) < dayMs)).toBe(true);
        return heatmap.map(({ contributions }) => contributions);
      };
      expect(await counts(ida)).toEqual([2, 1]);
      expect(await counts(bob)).toEqual([1, 1]);
    });

    test("cost the same for any length, run no process, and write nothing for other events", async () => {
      const jim = await forge.createUser("jim");
      await jim.post("/user/repos", { name: "busy", auto_init: true }).expect(201);
      const change = (name: string) => jim.post(`/repos/jim/busy/contents/${name}`, { content: "eA==", message: name }).expect(201);
      await change("f0");
      await forge.settled();
      const cost = async (path: string): Promise<{ statements: number; processes: number }> => {
        await bob.get(path).expect(200);
        const { statements, processes } = await forge.cost(() => bob.get(path).expect(200));
        return { statements: statements.length, processes };
      };
      const paths = ["/users/jim/activities/feeds", "/repos/jim/busy/activities/feeds", "/users/jim/heatmap"];
      const before: Awaited<ReturnType<typeof cost>>[] = [];
      for (const path of paths) before.push(await cost(path));
      for (let count = 1; count < 8; count += 1) await change(`f${count}`);
      await jim.post("/user/repos", { name: "more" }).expect(201);
      await forge.settled();
      for (const [at, path] of paths.entries()) {
        expect([path, await cost(path)]).toEqual([path, before[at]]);
        expect(before[at]?.statements).toBeLessThanOrEqual(8);
        expect(before[at]?.processes).toBe(0);
      }
      const { statements } = await forge.cost(() => jim.patch("/repos/jim/busy", { description: "new" }).expect(200));
      expect(statements.filter((sql) => sql.includes('"activities"'))).toEqual([]);
    });

    test("reach back two years and are deleted with their repository and user", async () => {
      const kim = await forge.createUser("kim");
      await kim.post("/user/repos", { name: "old" }).expect(201);
      const { db } = forge.context;
      const rows = async () => db.sql.selectFrom("activities").select("id").where("actor_id", "=", kim.id).execute();
      await kim.post("/user/repos", { name: "new" }).expect(201);
      await backdate("/repos/kim/old", 1_000 * dayMs);
      await pruneActivities({ db }, Date.now() - 732 * dayMs);
      expect(await rows()).toHaveLength(1);
      for (const name of ["old", "new"]) await kim.delete(`/repos/kim/${name}`).expect(204);
      await forge.settled();
      await forge.admin.delete("/admin/users/kim").expect(204);
      expect(await rows()).toEqual([]);
    });
  });
});
