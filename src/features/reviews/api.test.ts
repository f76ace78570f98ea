import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { differences } from "../../../test/kit/contract.ts";
import { eachDialect } from "../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../test/kit/forge.ts";
import { createWorkplace, type Workplace } from "../../../test/kit/workplace.ts";

interface Review {
  readonly id: number;
  readonly state: string;
  readonly body: string;
  readonly stale: boolean;
  readonly official: boolean;
  readonly dismissed: boolean;
  readonly user: { readonly login: string } | null;
  readonly team: { readonly name: string } | null;
}
interface ReviewComment {
  readonly id: number;
  readonly position: number;
  readonly original_position: number;
  readonly diff_hunk: string;
  readonly commit_id: string;
  readonly resolver: { readonly login: string } | null;
}

const numbered = (...changes: readonly (readonly [number, string])[]): string => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
  for (const [line, text] of changes) lines[line - 1] = text;
  return `${lines.join("\n")}\n`;
};

eachDialect((dialect) => {
  let forge: TestForge;
  let owner: TestUser;
  let writer: TestUser;
  let reader: TestUser;
  let work: Workplace;
  let count = 0;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    owner = await forge.createUser("owner");
    writer = await forge.createUser("writer");
    reader = await forge.createUser("reader");
    work = await createWorkplace();
    await owner.post("/user/repos", { name: "r", default_branch: "main" }).expect(201);
    await owner.put("/repos/owner/r/collaborators/writer", { permission: "write" }).expect(204);
    await work.init("w");
    await work.commit("w", { "f.txt": numbered(), "g.txt": "g\n" });
    await work.git("w", "push", "-q", origin(), "main");
  });
  afterAll(async () => {
    await work[Symbol.asyncDispose]();
    await forge[Symbol.asyncDispose]();
  });

  const origin = (): string => `${owner.gitOrigin}/owner/r.git`;
  const push = async (branch: string, files: Readonly<Record<string, string>>): Promise<string> => {
    const oid = await work.commit("w", files);
    await work.git("w", "push", "-q", "-f", origin(), `HEAD:${branch}`);
    return oid;
  };

  /** A pull request of the owner's, from a branch of its own that changes line 10. */
  async function pull(
    more: object = {},
    base = "main",
  ): Promise<{ readonly path: string; readonly branch: string; readonly head: string; readonly number: number }> {
    count += 1;
    const branch = `topic-${count}`;
    await work.git("w", "checkout", "-q", "-B", branch, "main");
    const head = await push(branch, { "f.txt": numbered([10, `changed ${count}`]), "new.txt": "p1\nline2\n" });
    const { number } = await owner.post<{ number: number }>("/repos/owner/r/pulls", { title: branch, head: branch, base, ...more }).expect(201);
    return { path: `/repos/owner/r/pulls/${number}`, branch, head, number };
  }
  const review = (user: TestUser, path: string, body: object) => user.post<Review>(`${path}/reviews`, body).expect(200);
  const list = (user: Pick<TestUser, "get">, path: string) => user.get<Review[]>(`${path}/reviews`).expect(200);
  const protect = async (branch: string, settings: object): Promise<void> => {
    await owner.post("/repos/owner/r/branches", { new_branch_name: branch, old_branch_name: "main" }).expect(201);
    await owner.post("/repos/owner/r/branch_protections", { rule_name: branch, ...settings }).expect(201);
  };

  describe("reviews", () => {
    test("are said of a pull request, and a verdict takes the place of the one before", async () => {
      const { path, head } = await pull();
      const comment = await review(writer, path, { event: "COMMENT", body: "odd", comments: [{ path: "f.txt", body: "why?", new_position: 10 }] });
      expect(differences(comment, "PullReview")).toEqual([]);
      expect(comment).toMatchObject({ state: "COMMENT", body: "odd", commit_id: head, official: false, stale: false, comments_count: 1 });
      const rejection = await review(writer, path, { event: "REQUEST_CHANGES", body: "no" });
      expect(rejection).toMatchObject({ official: true, dismissed: false });
      await review(writer, path, { event: "APPROVED" });
      await review(reader, path, { event: "APPROVED" });
      await review(owner, path, { event: "COMMENT", body: "mine" });
      const all = await list(forge.anonymous, path);
      expect(all.map(({ user, state, official, dismissed }) => [user?.login, state, official, dismissed])).toEqual([
        ["writer", "COMMENT", false, false],
        ["writer", "REQUEST_CHANGES", false, true],
        ["writer", "APPROVED", true, false],
        ["reader", "APPROVED", false, false],
        ["owner", "COMMENT", false, false],
      ]);
      const first = await reader.get<Review>(`${path}/reviews/${comment.id}`).expect(200);
      expect(first).toMatchObject({ id: comment.id, html_url: expect.stringMatching(/\/owner\/r\/pulls\/\d+#issuecomment-\d+$/) });
    });

    test.each([
      ["APPROVED by the author", "owner", { event: "APPROVED", body: "x" }, "approve your own pull is not allowed"],
      ["REQUEST_CHANGES by the author", "owner", { event: "REQUEST_CHANGES", body: "x" }, "reject your own pull is not allowed"],
      ["a rejection without words", "writer", { event: "REQUEST_CHANGES" }, "review event REQUEST_CHANGES requires a body"],
      ["a comment without words", "writer", { event: "COMMENT" }, "review event COMMENT requires a body or a comment"],
      ["nothing at all", "writer", {}, "review event  requires a body"],
      ["an approval of what is not there", "writer", { event: "APPROVED", commit_id: "f".repeat(40) }, "commit_id: no commit of the pull request"],
      ["a commit by its first digits", "writer", { event: "COMMENT", body: "x", commit_id: "abcdef1" }, "commit_id: give the complete id of a commit"],
      [
        "a comment on no line",
        "writer",
        { event: "COMMENT", comments: [{ path: "f.txt", body: "x" }] },
        "comments: give a line, from 1, as new_position or as old_position",
      ],
    ])("refuse %s", async (_name, name, body, message) => {
      const { path } = await pull();
      const user = { owner, writer }[name];
      const answer = await user?.post(`${path}/reviews`, body);
      expect([answer?.status, answer?.json.message]).toEqual([422, message]);
      expect(await list(owner, path)).toEqual([]);
    });

    test("that are pending are their author's alone until they are submitted, and there is one of them", async () => {
      const { path } = await pull();
      const begun = await review(writer, path, { body: "later", comments: [{ path: "f.txt", body: "draft", new_position: 10 }] });
      expect(begun.state).toBe("PENDING");
      const again = await review(writer, path, { event: "PENDING", body: "later still", comments: [{ path: "new.txt", body: "draft 2", new_position: 1 }] });
      expect(again).toMatchObject({ id: begun.id, body: "later still", comments_count: 2 });
      const [{ id: draftId } = { id: 0 }] = await writer.get<ReviewComment[]>(`${path}/reviews/${begun.id}/comments`).expect(200);
      for (const user of [owner, reader, forge.admin]) {
        expect((await user.get(`${path}/reviews/${begun.id}`)).json).toMatchObject({ message: "GetReviewByID" });
        await user.get(`${path}/reviews/${begun.id}/comments`).expect(404);
        await user.post(`${path}/reviews/${begun.id}`, { event: "APPROVED" }).expect(404);
        await user.delete(`${path}/reviews/${begun.id}`).expect(404);
        await user.get(`/repos/owner/r/issues/comments/${draftId}`).expect(404);
        await user.post(`/repos/owner/r/issues/comments/${draftId}/reactions`, { content: "+1" }).expect(404);
        await user.post(`/repos/owner/r/pulls/comments/${draftId}/resolve`).expect(404);
        expect(await list(user, path)).toEqual([]);
      }
      expect((await owner.get(`${path.replace("pulls", "issues")}/timeline`)).json ?? []).toEqual([]);
      expect((await owner.get("/repos/owner/r/issues?type=pulls&q=draft")).json).toEqual([]);

      expect((await writer.post(`${path}/reviews/${begun.id}`, { event: "", body: "x" })).json.message).toBe("review stay pending");
      const submitted = await writer.post<Review>(`${path}/reviews/${begun.id}`, { event: "COMMENT", body: "now" }).expect(200);
      expect(submitted).toMatchObject({ id: begun.id, state: "COMMENT", body: "now", comments_count: 2 });
      expect((await writer.post(`${path}/reviews/${begun.id}`, { event: "COMMENT", body: "x" })).json.message).toBe("only a pending review can be submitted");
      expect((await list(reader, path)).map(({ id }) => id)).toEqual([begun.id]);
      const timeline = await owner.get<{ type: string; review_id: number; body: string }[]>(`${path.replace("pulls", "issues")}/timeline`).expect(200);
      expect(timeline.map(({ type, review_id, body }) => [type, review_id, body])).toEqual([["review", begun.id, "now"]]);
    });

    test("that are begun, said and asked for at the same moment are all there, once", async () => {
      const { path } = await pull();
      const times = <T>(action: (at: number) => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 6 }, (_, at) => action(at)));
      const begun = await times((at) => review(writer, path, { body: `later ${at}`, comments: [{ path: "f.txt", body: `draft ${at}`, new_position: 10 }] }));
      expect(new Set(begun.map(({ id }) => id)).size).toBe(1);
      expect(await writer.get<ReviewComment[]>(`${path}/reviews/${begun[0]?.id}/comments`).expect(200)).toHaveLength(6);
      await times((at) => review(reader, path, { event: "COMMENT", body: `said ${at}` }));
      const asked = await times(() => owner.post<Review[]>(`${path}/requested_reviewers`, { reviewers: ["writer"] }).expect(201));
      expect(asked.flat()).toHaveLength(1);
      const states = (await list(owner, path)).map(({ state }) => state);
      expect(states.sort()).toEqual([...Array(6).fill("COMMENT"), "REQUEST_REVIEW"]);
    });

    test("are deleted with their comments, by their author or an administrator", async () => {
      const { path } = await pull();
      const made = await review(writer, path, { event: "COMMENT", body: "x", comments: [{ path: "f.txt", body: "y", new_position: 10 }] });
      const [comment] = await owner.get<ReviewComment[]>(`${path}/reviews/${made.id}/comments`).expect(200);
      await reader.delete(`${path}/reviews/${made.id}`).expect(403);
      await owner.delete(`${path}/reviews/${made.id}`).expect(204);
      await writer.delete(`${path}/reviews/${made.id}`).expect(404);
      await owner.get(`/repos/owner/r/issues/comments/${comment?.id}`).expect(404);
      expect((await owner.get(`${path.replace("pulls", "issues")}/timeline`)).json ?? []).toEqual([]);
    });

    test("are dismissed, and let count again, by administrators", async () => {
      const { path } = await pull();
      const said = await review(writer, path, { event: "COMMENT", body: "x" });
      const earlier = await review(writer, path, { event: "REQUEST_CHANGES", body: "no" });
      const made = await review(writer, path, { event: "APPROVED" });
      for (const user of [writer, reader]) {
        const answer = await user.post(`${path}/reviews/${made.id}/dismissals`, { message: "x" });
        expect([answer.status, answer.json.message]).toEqual([403, "Must be repo admin"]);
      }
      await owner.post(`${path}/reviews/${said.id}/dismissals`, { message: "x" }).expect(422);
      await owner.post(`${path}/reviews/99999/dismissals`, { message: "x" }).expect(404);
      for (const message of ["old", "again"]) {
        expect(await owner.post(`${path}/reviews/${made.id}/dismissals`, { message }).expect(200)).toMatchObject({ dismissed: true });
      }
      expect(await owner.post(`${path}/reviews/${made.id}/undismissals`).expect(200)).toMatchObject({ dismissed: false, official: true });
      expect(await list(owner, path)).toMatchObject([{ id: said.id }, { id: earlier.id, dismissed: true }, { dismissed: false }]);
      const timeline = await owner.get<{ type: string; body: string }[]>(`${path.replace("pulls", "issues")}/timeline`).expect(200);
      expect(timeline.filter(({ type }) => type === "dismiss_review").map(({ body }) => body)).toEqual(["old"]);
    });

    test("of one pull request are not found under another one, and those of another repository not at all", async () => {
      const one = await pull();
      const other = await pull();
      const { id } = await review(writer, one.path, { event: "COMMENT", body: "x", comments: [{ path: "f.txt", body: "y", new_position: 10 }] });
      const [comment] = await owner.get<ReviewComment[]>(`${one.path}/reviews/${id}/comments`).expect(200);
      expect((await owner.get(`${other.path}/reviews/${id}`)).json.message).toBe("ReviewNotInPR");
      await reader.post("/user/repos", { name: "own", auto_init: true }).expect(201);
      await reader.post("/repos/reader/own/contents/x", { content: "", new_branch: "x" }).expect(201);
      await reader.post("/repos/reader/own/pulls", { title: "x", head: "x", base: "main" }).expect(201);
      for (const [method, rest] of [
        ["get", ""],
        ["get", "/comments"],
        ["delete", ""],
        ["post", ""],
        ["post", "/dismissals"],
        ["post", "/undismissals"],
      ] as const) {
        const answers = await Promise.all(
          [id, 999_999].map(async (wanted) => {
            const { status, json } = await reader[method](`/repos/reader/own/pulls/1/reviews/${wanted}${rest}`, method === "post" ? {} : undefined);
            return JSON.stringify([status, json]).replaceAll(String(wanted), "");
          }),
        );
        expect(answers[0]).toBe(answers[1]);
        expect(answers[0]).toContain("404");
      }
      await reader.post(`/repos/reader/own/pulls/comments/${comment?.id}/resolve`).expect(404);
    });
  });

  describe("comments on lines", () => {
    const commentsOf = (path: string, id: number) => owner.get<ReviewComment[]>(`${path}/reviews/${id}/comments`).expect(200);

    test("show the diff down to their line and the commit that it comes from, on both sides", async () => {
      const { path, branch, head } = await pull();
      await push(branch, { "g.txt": "G\n" });
      const made = await review(writer, path, {
        event: "COMMENT",
        comments: [
          { path: "f.txt", body: "new", new_position: 10 },
          { path: "f.txt", body: "old", old_position: 10 },
          { path: "f.txt", body: "far", new_position: 18 },
          { path: "new.txt", body: "added", new_position: 2 },
          { path: "nosuch.txt", body: "nothing", new_position: 7 },
        ],
      });
      const comments = await commentsOf(path, made.id);
      for (const comment of comments) expect(differences(comment, "PullReviewComment")).toEqual([]);
      const base = await work.git("w", "rev-parse", "main");
      expect(comments.map(({ position, original_position, diff_hunk, commit_id }) => [position, original_position, diff_hunk, commit_id])).toEqual([
        [10, 0, `@@ -8,6 +8,6 @@\n line 8\n line 9\n-line 10\n+changed ${count}`, head],
        [0, 10, "@@ -7,7 +7,7 @@\n line 7\n line 8\n line 9\n-line 10", base],
        [18, 0, "@@ -15,4 +15,4 @@\n line 15\n line 16\n line 17\n line 18", base],
        [2, 0, "@@ -0,0 +1,2 @@\n+p1\n+line2", head],
        [7, 0, "", expect.any(String)],
      ]);
    });

    test("follow their line through pushes, and keep the one they had when it goes", async () => {
      const { path, branch } = await pull();
      const made = await review(writer, path, {
        event: "COMMENT",
        comments: [
          { path: "f.txt", body: "stays", new_position: 12 },
          { path: "f.txt", body: "goes", new_position: 10 },
          { path: "f.txt", body: "base", old_position: 10 },
        ],
      });
      await push(branch, { "f.txt": `one more\nand one\n${numbered([10, "changed again"])}` });
      const places = async () => (await commentsOf(path, made.id)).map(({ position, original_position }) => [position, original_position]);
      expect(await places()).toEqual([
        [14, 0],
        [10, 0],
        [0, 10],
      ]);
      const reply = await review(owner, path, { event: "COMMENT", comments: [{ path: "f.txt", body: "yes", new_position: 14 }] });
      const [first] = await commentsOf(path, made.id);
      await owner.post(`/repos/owner/r/pulls/comments/${first?.id}/resolve`).expect(204);
      expect((await commentsOf(path, reply.id)).map(({ resolver }) => resolver?.login)).toEqual(["owner"]);
    });

    test("are conversations, which their author and those who write end and open again", async () => {
      const { path } = await pull();
      const made = await review(reader, path, { event: "COMMENT", comments: [{ path: "f.txt", body: "x", new_position: 10 }] });
      const [comment] = await commentsOf(path, made.id);
      const resolve = (user: TestUser, verb = "resolve") => user.post(`/repos/owner/r/pulls/comments/${comment?.id}/${verb}`);
      await resolve(reader).expect(403);
      await forge.anonymous.post(`/repos/owner/r/pulls/comments/${comment?.id}/resolve`).expect(401);
      await resolve(writer).expect(204);
      await resolve(owner).expect(204);
      expect((await commentsOf(path, made.id))[0]?.resolver?.login).toBe("writer");
      await resolve(owner, "unresolve").expect(204);
      expect((await commentsOf(path, made.id))[0]?.resolver).toBeNull();
      const plain = await owner.post<{ id: number }>(`${path.replace("pulls", "issues")}/comments`, { body: "x" }).expect(201);
      await owner.post(`/repos/owner/r/pulls/comments/${plain.id}/resolve`).expect(400);
      await owner.post("/repos/owner/r/pulls/comments/999999/resolve").expect(404);
    });

    test("are edited as other comments are", async () => {
      const { path } = await pull();
      const made = await review(reader, path, { event: "COMMENT", comments: [{ path: "f.txt", body: "x", new_position: 10 }] });
      const [comment] = await commentsOf(path, made.id);
      await reader.patch(`/repos/owner/r/issues/comments/${comment?.id}`, { body: "y" }).expect(200);
      expect((await commentsOf(path, made.id))[0]).toMatchObject({ body: "y" });
    });
  });

  describe("requests", () => {
    const request = (user: TestUser, path: string, body: object) => user.post<Review[]>(`${path}/requested_reviewers`, body);
    const refused = async (user: TestUser, path: string, body: object): Promise<unknown[]> => {
      const { status, json } = await request(user, path, body);
      return [status, (json as unknown as { message: string }).message];
    };

    test("are made once, shown among the reviews and with the pull request, and answered by a review", async () => {
      const { path } = await pull({ reviewers: ["writer"] });
      expect(await request(owner, path, { reviewers: ["writer"] }).expect(201)).toEqual([]);
      const [made] = await request(writer, path, { reviewers: ["Reader", "reader"], team_reviewers: ["x"] }).expect(201);
      expect(made).toMatchObject({ state: "REQUEST_REVIEW", commit_id: "", html_url: "", official: false, user: { login: "reader" } });
      expect((await list(owner, path)).map(({ state, official, user }) => [state, official, user?.login])).toEqual([
        ["REQUEST_REVIEW", true, "writer"],
        ["REQUEST_REVIEW", false, "reader"],
      ]);
      const shown = await owner.get<{ requested_reviewers: { login: string }[] }>(path).expect(200);
      expect(shown.requested_reviewers.map(({ login }) => login)).toEqual(["writer", "reader"]);
      await review(writer, path, { event: "APPROVED" });
      await owner.delete(`${path}/requested_reviewers`, { reviewers: ["reader", "writer"] }).expect(204);
      expect(await list(owner, path)).toMatchObject([{ state: "APPROVED", official: true }]);
      const timeline = await owner.get<{ type: string; removed_assignee: boolean; assignee: { login: string } | null }[]>(
        `${path.replace("pulls", "issues")}/timeline`,
      );
      const entries = timeline.json.filter(({ type }) => type === "review_request");
      expect(entries.map(({ assignee, removed_assignee }) => [assignee?.login, removed_assignee])).toEqual([
        ["writer", false],
        ["reader", false],
        ["reader", true],
      ]);
    });

    test("let an earlier verdict count only when they are withdrawn", async () => {
      const { path } = await pull();
      await review(writer, path, { event: "APPROVED" });
      await request(owner, path, { reviewers: ["writer"] }).expect(201);
      expect((await list(owner, path)).map(({ state, official }) => [state, official])).toEqual([
        ["APPROVED", false],
        ["REQUEST_REVIEW", true],
      ]);
      await owner.delete(`${path}/requested_reviewers`, { reviewers: ["writer"] }).expect(204);
      expect((await list(owner, path)).map(({ state, official }) => [state, official])).toEqual([["APPROVED", true]]);
    });

    test("refuse who cannot be asked and who may not ask", async () => {
      const { path } = await pull();
      const repo = await owner.get<{ id: number }>("/repos/owner/r").expect(200);
      expect(await refused(owner, path, { reviewers: ["nobody"] })).toEqual([404, "User 'nobody' not exist"]);
      expect(await refused(owner, path, { reviewers: ["owner"] })).toEqual([422, `poster of pr can't be reviewer [user_id: ${owner.id}, repo_id: ${repo.id}]`]);
      expect(await refused(reader, path, { reviewers: ["writer"] })).toEqual([422, `Doer can't choose reviewer [user_id: ${reader.id}, repo_id: ${repo.id}]`]);
      expect(await request(owner, path, {}).expect(201)).toEqual([]);
      await request(owner, path, { reviewers: ["writer"] }).expect(201);
      expect((await reader.delete(`${path}/requested_reviewers`, { reviewers: ["writer"] })).json.message).toContain("Doer can't remove reviewer");
      await writer.delete(`${path}/requested_reviewers`, { reviewers: ["writer"] }).expect(204);
    });

    test("are made of teams that have the repository, and answered by one of their members", async () => {
      await owner.post("/orgs", { username: "acme" }).expect(201);
      const team = await owner.post<{ id: number }>("/orgs/acme/teams", { name: "devs", permission: "write", units: ["repo.code", "repo.pulls"] }).expect(201);
      await owner.put(`/teams/${team.id}/members/writer`).expect(204);
      await owner.post("/orgs/acme/repos", { name: "t", auto_init: true, default_branch: "main" }).expect(201);
      await owner.post("/repos/acme/t/contents/x", { content: "", new_branch: "x" }).expect(201);
      const { number } = await owner.post<{ number: number }>("/repos/acme/t/pulls", { title: "x", head: "x", base: "main" }).expect(201);
      const path = `/repos/acme/t/pulls/${number}`;
      expect(await refused(owner, path, { team_reviewers: ["devs"] })).toEqual([404, "Team 'devs' not exist"]);
      await owner.put(`/teams/${team.id}/repos/acme/t`).expect(204);
      expect(await request(owner, path, { team_reviewers: ["Devs"] }).expect(201)).toMatchObject([{ user: null, team: { name: "devs" }, official: true }]);
      const shown = await owner.get<{ requested_reviewers_teams: { name: string }[] }>(path).expect(200);
      expect(shown.requested_reviewers_teams.map(({ name }) => name)).toEqual(["devs"]);
      await review(writer, path, { event: "APPROVED" });
      expect((await list(owner, path)).map(({ state }) => state)).toEqual(["APPROVED"]);
    });
  });

  describe("what a merge needs", () => {
    const merge = async (path: string, user = writer): Promise<unknown> => {
      const answer = await user.post(`${path}/merge`, { Do: "merge" });
      return answer.status === 200 ? 200 : answer.json.message;
    };

    test("is so many approvals of those who count, none of them dismissed, for what the head is now", async () => {
      await protect("guarded", { required_approvals: 1, dismiss_stale_approvals: true });
      const { path, branch } = await pull({}, "guarded");
      await review(reader, path, { event: "APPROVED" });
      expect(await merge(path)).toBe("Does not have enough approvals");
      const approval = await review(writer, path, { event: "APPROVED" });
      await push(branch, { "later.txt": "x\n" });
      expect(await list(owner, path)).toMatchObject([{ stale: true }, { id: approval.id, stale: true, official: true, dismissed: true }]);
      expect(await merge(path)).toBe("Does not have enough approvals");
      expect((await owner.post(`${path}/reviews/${approval.id}/undismissals`)).status).toBe(422);
      await review(writer, path, { event: "APPROVED" });
      expect(await merge(path)).toBe(200);
    });

    test("is that the list of the rule approves, and that nobody who counts wants changes or is still asked", async () => {
      await protect("listed", {
        required_approvals: 1,
        enable_approvals_whitelist: true,
        approvals_whitelist_username: ["reader"],
        block_on_rejected_reviews: true,
        block_on_official_review_requests: true,
      });
      const { path } = await pull({}, "listed");
      await review(writer, path, { event: "APPROVED" });
      expect(await merge(path)).toBe("Does not have enough approvals");
      await review(reader, path, { event: "APPROVED" });
      await owner.post(`${path}/requested_reviewers`, { reviewers: ["writer"] }).expect(201);
      await owner.post(`${path}/requested_reviewers`, { reviewers: ["reader"] }).expect(201);
      expect(await merge(path)).toBe("Does not have enough approvals");
      await owner.patch("/repos/owner/r/branch_protections/listed", { required_approvals: 0 }).expect(200);
      expect(await merge(path)).toBe("There are official review requests");
      const rejection = await review(reader, path, { event: "REQUEST_CHANGES", body: "no" });
      expect(await merge(path)).toBe("There are requested changes");
      await owner.post(`${path}/reviews/${rejection.id}/dismissals`, { message: "settled" }).expect(200);
      expect(await merge(path)).toBe(200);
    });

    test("is an approval of who still may give it", async () => {
      await protect("kept", { required_approvals: 1, block_on_official_review_requests: true });
      const dora = await forge.createUser("dora");
      await owner.put("/repos/owner/r/collaborators/dora", { permission: "write" }).expect(204);
      const { path } = await pull({ reviewers: ["dora"] }, "kept");
      await review(dora, path, { event: "APPROVED" });
      await owner.delete("/repos/owner/r/collaborators/dora").expect(204);
      expect(await merge(path)).toBe("Does not have enough approvals");
      await review(writer, path, { event: "APPROVED" });
      const erin = await forge.createUser("erin");
      await owner.put("/repos/owner/r/collaborators/erin", { permission: "write" }).expect(204);
      await owner.post(`${path}/requested_reviewers`, { reviewers: ["erin"] }).expect(201);
      expect(await merge(path)).toBe("There are official review requests");
      await forge.admin.delete(`/admin/users/${erin.name}`).expect(204);
      expect((await list(owner, path)).map(({ state }) => state)).toEqual(["APPROVED", "APPROVED"]);
      expect(await merge(path)).toBe(200);
    });

    test("is an approval for this very base", async () => {
      await protect("strict", { required_approvals: 1, ignore_stale_approvals: true });
      const { path } = await pull();
      await review(writer, path, { event: "APPROVED" });
      await owner.patch(path, { base: "strict" }).expect(201);
      expect(await list(owner, path)).toMatchObject([{ stale: true, dismissed: false }]);
      expect(await merge(path)).toBe("Does not have enough approvals");
    });

    test("says nothing of what is closed", async () => {
      const { path } = await pull();
      const made = await review(writer, path, { event: "APPROVED" });
      await owner.patch(path, { state: "closed" }).expect(201);
      expect((await writer.post(`${path}/reviews`, { event: "APPROVED" })).json.message).toBe("can't submit review for a closed or merged PR");
      await owner.post(`${path}/reviews/${made.id}/dismissals`, { message: "x" }).expect(403);
      await review(writer, path, { event: "COMMENT", body: "afterwards" });
    });
  });

  test("what waits for somebody's review and what he has reviewed is found", async () => {
    const find = async (user: TestUser, query: string): Promise<unknown[]> =>
      (await user.get<{ title: string }[]>(`/repos/issues/search?owner=owner&${query}`).expect(200)).map(({ title }) => title);
    const carol = await forge.createUser("carol");
    const [one, two] = [await pull({ reviewers: ["carol"] }), await pull({ reviewers: ["carol"], assignees: ["writer"] })];
    expect(await find(carol, "review_requested=true")).toEqual([two.branch, one.branch]);
    expect(await find(carol, "reviewed=true")).toEqual([]);
    await review(carol, one.path, { body: "not yet" });
    expect(await find(carol, "reviewed=true")).toEqual([]);
    await review(carol, one.path, { event: "APPROVED" });
    await review(carol, one.path, { event: "COMMENT", body: "again" });
    expect(await find(carol, "review_requested=true&type=pulls")).toEqual([two.branch]);
    expect(await find(carol, "reviewed=true")).toEqual([one.branch]);
    expect(await find(carol, "reviewed=true&review_requested=true")).toEqual([]);
    expect(await find(carol, "review_requested=true&assigned=true")).toEqual([]);
    expect(await find(carol, "review_requested=true&type=issues")).toEqual([]);
  });

  describe("who hears of it", () => {
    const unread = async (user: TestUser): Promise<string[]> => {
      const threads = (await user.get<{ subject: { title: string } }[]>("/notifications")).json;
      return threads.map(({ subject }) => subject.title);
    };
    const activities = async (user: TestUser): Promise<unknown[]> =>
      (await user.get<{ op_type: string; content: string }[]>(`/users/${user.name}/activities/feeds?only-performed-by=true&limit=2`)).json.map(
        ({ op_type, content }) => [op_type, content],
      );

    test("are those who are asked, who follow the pull request, and whom it names", async () => {
      for (const user of [owner, writer, reader]) await user.put("/notifications").expect(205);
      const { path, branch, number } = await pull();
      await owner.post(`${path}/requested_reviewers`, { reviewers: ["reader"] }).expect(201);
      expect(await unread(reader)).toEqual([branch]);
      await reader.put("/notifications").expect(205);
      await review(writer, path, { body: "draft of @reader", comments: [{ path: "f.txt", body: "@reader", new_position: 10 }] });
      expect([await unread(owner), await unread(reader)]).toEqual([[], []]);
      await review(writer, path, { event: "APPROVED", body: "fine, @reader" });
      expect([await unread(owner), await unread(reader)]).toEqual([[branch], [branch]]);
      expect((await activities(writer))[0]).toEqual(["approve_pull_request", `${number}|fine, @reader`]);
    });

    test("are the owners of the code that changes, once it is no draft", async () => {
      await owner.post("/user/repos", { name: "owned", default_branch: "main" }).expect(201);
      await owner.put("/repos/owner/owned/collaborators/writer", { permission: "write" }).expect(204);
      await work.git("w", "checkout", "-q", "main");
      await work.git("w", "checkout", "-q", "-B", "owned");
      await work.commit("w", { CODEOWNERS: "g.* @writer @owner @nobody\n!g.* @reader\n" });
      await work.git("w", "push", "-q", `${owner.gitOrigin}/owner/owned.git`, "HEAD:main");
      await work.commit("w", { "g.txt": "G\n" });
      await work.git("w", "push", "-q", `${owner.gitOrigin}/owner/owned.git`, "HEAD:topic");
      await owner.post("/repos/owner/owned/pulls", { title: "WIP: g", head: "topic", base: "main" }).expect(201);
      const asked = async (): Promise<unknown[]> => {
        await forge.settled();
        return (await list(owner, "/repos/owner/owned/pulls/1")).map(({ state, user }) => [state, user?.login]);
      };
      expect(await asked()).toEqual([]);
      await owner.patch("/repos/owner/owned/pulls/1", { title: "g" }).expect(201);
      expect(await asked()).toEqual([["REQUEST_REVIEW", "writer"]]);
    });
  });

  describe("cost", () => {
    test("does not grow with what there is", async () => {
      const { path, number } = await pull();
      const lists = async () => ({
        reviews: (await forge.cost(() => list(owner, path))).statements.length,
        pull: (await forge.cost(() => owner.get(path).expect(200))).statements.length,
      });
      const made = await review(writer, path, { event: "COMMENT", comments: [{ path: "f.txt", body: "x", new_position: 10 }] });
      await owner.post(`${path}/requested_reviewers`, { reviewers: ["reader"] }).expect(201);
      const comments = () => forge.cost(() => owner.get(`${path}/reviews/${made.id}/comments`).expect(200));
      await comments();
      const few = await lists();
      const read = await comments();
      for (const user of [writer, owner]) {
        for (let more = 0; more < 3; more += 1) await review(user, path, { event: "COMMENT", body: `more of #${number}` });
      }
      expect(await lists()).toEqual(few);
      expect(few.reviews).toBeLessThanOrEqual(6);
      expect([read.statements.length, read.processes]).toEqual([7, 0]);
    });
  });
});
