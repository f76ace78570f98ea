import { describe, expect, test } from "vitest";
import { differences } from "../../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import type { TestReview, TestReviewComment } from "../../../../../test/kit/reviewed-pulls.ts";
import { shareReviewedRepository } from "../../../../../test/kit/set-up.ts";

eachDialect((dialect) => {
  const { forge, owner, writer, reader, pull, review, list } = shareReviewedRepository(dialect);
  /** Without the entry of the commits that the pull request was opened with. */
  const timelineOf = async (issue: string): Promise<{ type: string; review_id: number; body: string }[]> => {
    const [opening, ...entries] = await owner.get<{ type: string; review_id: number; body: string }[]>(`${issue}/timeline`).expect(200);
    expect(opening?.type).toBe("pull_push");
    return entries;
  };

  describe("reviews", () => {
    test("can be submitted, and a new verdict replaces the former one", async () => {
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
      expect(await owner.get(path).expect(200)).toMatchObject({ review_comments: 5 });
      const first = await reader.get<TestReview>(`${path}/reviews/${comment.id}`).expect(200);
      expect(first).toMatchObject({ id: comment.id, html_url: expect.stringMatching(/\/owner\/r\/pulls\/\d+#issuecomment-\d+$/) });
    });

    test.each([
      ["APPROVED by the author", "owner", { event: "APPROVED", body: "x" }, "approve your own pull is not allowed"],
      ["REQUEST_CHANGES by the author", "owner", { event: "REQUEST_CHANGES", body: "x" }, "reject your own pull is not allowed"],
      ["a rejection without words", "writer", { event: "REQUEST_CHANGES" }, "review event REQUEST_CHANGES requires a body"],
      ["a comment without words", "writer", { event: "COMMENT" }, "review event COMMENT requires a body or a comment"],
      ["nothing at all", "writer", {}, "review event  requires a body"],
      ["an approval of what is not there", "writer", { event: "APPROVED", commit_id: "f".repeat(40) }, "commit_id: not a commit of the pull request"],
      ["a commit by its first digits", "writer", { event: "COMMENT", body: "x", commit_id: "abcdef1" }, "commit_id: a full commit id is required"],
      [
        "a comment on no line",
        "writer",
        { event: "COMMENT", comments: [{ path: "f.txt", body: "x" }] },
        "comments: a line, from 1, is required as new_position or old_position",
      ],
    ])("reject %s", async (_name, name, body, message) => {
      const { path } = await pull();
      const user = { owner, writer }[name];
      const answer = await user?.post(`${path}/reviews`, body);
      expect([answer?.status, answer?.json.message]).toEqual([422, message]);
      expect(await list(owner, path)).toEqual([]);
    });

    test("that are pending are visible only to their author until submission, one per user", async () => {
      const { path, issue } = await pull();
      const begun = await review(writer, path, { body: "later", comments: [{ path: "f.txt", body: "draft", new_position: 10 }] });
      expect(begun.state).toBe("PENDING");
      const again = await review(writer, path, { event: "PENDING", body: "later still", comments: [{ path: "new.txt", body: "draft 2", new_position: 1 }] });
      expect(again).toMatchObject({ id: begun.id, body: "later still", comments_count: 2 });
      const [{ id: draftId } = { id: 0 }] = await writer.get<TestReviewComment[]>(`${path}/reviews/${begun.id}/comments`).expect(200);
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
      expect(await timelineOf(issue)).toEqual([]);
      expect((await owner.get("/repos/owner/r/issues?type=pulls&q=draft")).json).toEqual([]);

      expect((await writer.post(`${path}/reviews/${begun.id}`, { event: "", body: "x" })).json.message).toBe("review stay pending");
      const submitted = await writer.post<TestReview>(`${path}/reviews/${begun.id}`, { event: "COMMENT", body: "now" }).expect(200);
      expect(submitted).toMatchObject({ id: begun.id, state: "COMMENT", body: "now", comments_count: 2 });
      expect((await writer.post(`${path}/reviews/${begun.id}`, { event: "COMMENT", body: "x" })).json.message).toBe("only a pending review can be submitted");
      expect((await list(reader, path)).map(({ id }) => id)).toEqual([begun.id]);
      const timeline = await timelineOf(issue);
      expect(timeline.map(({ type, review_id, body }) => [type, review_id, body])).toEqual([["review", begun.id, "now"]]);
      expect(await review(writer, path, { event: "ODD", body: "x" })).toMatchObject({ state: "PENDING" });
      const elsewhere = "f".repeat(40);
      expect(await review(reader, path, { event: "COMMENT", body: "x", commit_id: elsewhere })).toMatchObject({ commit_id: elsewhere });
    });

    test("that are created concurrently with comments and requests are all stored once", async () => {
      const { path } = await pull();
      const times = <T>(action: (at: number) => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 6 }, (_, at) => action(at)));
      const begun = await times((at) => review(writer, path, { body: `later ${at}`, comments: [{ path: "f.txt", body: `draft ${at}`, new_position: 10 }] }));
      expect(new Set(begun.map(({ id }) => id)).size).toBe(1);
      expect(await writer.get<TestReviewComment[]>(`${path}/reviews/${begun[0]?.id}/comments`).expect(200)).toHaveLength(6);
      await times((at) => review(reader, path, { event: "COMMENT", body: `comment ${at}` }));
      const requested = await times(() => owner.post<TestReview[]>(`${path}/requested_reviewers`, { reviewers: ["writer"] }).expect(201));
      expect(requested.flat()).toHaveLength(1);
      const states = (await list(owner, path)).map(({ state }) => state);
      expect(states.sort()).toEqual([...Array(6).fill("COMMENT"), "REQUEST_REVIEW"]);
    });

    test("can be deleted with their comments only by their reviewer or a site administrator", async () => {
      const { path, issue } = await pull();
      const countComments = async (): Promise<number> => (await owner.get(path).expect(200)).comments;
      const before = await countComments();
      const made = await review(writer, path, { event: "COMMENT", body: "x", comments: [{ path: "f.txt", body: "y", new_position: 10 }] });
      expect(await countComments()).toBe(before + 2);
      const [comment] = await owner.get<TestReviewComment[]>(`${path}/reviews/${made.id}/comments`).expect(200);
      await reader.delete(`${path}/reviews/${made.id}`).expect(403);
      await owner.delete(`${path}/reviews/${made.id}`).expect(403);
      await forge.admin.delete(`${path}/reviews/${made.id}`).expect(204);
      expect(await countComments()).toBe(before);
      await writer.delete(`${path}/reviews/${made.id}`).expect(404);
      await owner.get(`/repos/owner/r/issues/comments/${comment?.id}`).expect(404);
      expect(await timelineOf(issue)).toEqual([]);
    });

    test("can be dismissed and restored by administrators", async () => {
      const { path, issue } = await pull();
      const commented = await review(writer, path, { event: "COMMENT", body: "x" });
      const earlier = await review(writer, path, { event: "REQUEST_CHANGES", body: "no" });
      const made = await review(writer, path, { event: "APPROVED" });
      for (const user of [writer, reader]) {
        const answer = await user.post(`${path}/reviews/${made.id}/dismissals`, { message: "x" });
        expect([answer.status, answer.json.message]).toEqual([403, "Must be repo admin"]);
      }
      expect(await owner.post(`${path}/reviews/${commented.id}/dismissals`, { message: "x" }).expect(403)).toMatchObject({
        message: "not need to dismiss this review because it's type is not Approve or change request",
      });
      await owner.post(`${path}/reviews/99999/dismissals`, { message: "x" }).expect(404);
      for (const message of ["old", "again"]) {
        expect(await owner.post(`${path}/reviews/${made.id}/dismissals`, { message }).expect(200)).toMatchObject({ dismissed: true });
      }
      expect(await owner.post(`${path}/reviews/${made.id}/undismissals`).expect(200)).toMatchObject({ dismissed: false, official: true });
      expect(await list(owner, path)).toMatchObject([{ id: commented.id }, { id: earlier.id, dismissed: true }, { dismissed: false }]);
      const timeline = await owner.get<{ type: string; body: string }[]>(`${issue}/timeline`).expect(200);
      expect(timeline.filter(({ type }) => type === "dismiss_review").map(({ body }) => body)).toEqual(["old"]);
    });

    test("return 404 under another pull request or repository", async () => {
      const one = await pull();
      const other = await pull();
      const { id } = await review(writer, one.path, { event: "COMMENT", body: "x", comments: [{ path: "f.txt", body: "y", new_position: 10 }] });
      const [comment] = await owner.get<TestReviewComment[]>(`${one.path}/reviews/${id}/comments`).expect(200);
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
            // The number can also occur in the server's address.
            return JSON.stringify([status, json]).replace(`[id: ${wanted}]`, "");
          }),
        );
        expect(answers[0]).toBe(answers[1]);
        expect(answers[0]).toContain("404");
      }
      await reader.post(`/repos/reader/own/pulls/comments/${comment?.id}/resolve`).expect(404);
    });
  });
});
