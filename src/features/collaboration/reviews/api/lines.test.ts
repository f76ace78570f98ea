import { describe, expect, test } from "vitest";
import { differences } from "../../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import type { TestUser } from "../../../../../test/kit/forge.ts";
import { numbered, type TestReviewComment } from "../../../../../test/kit/reviewed-pulls.ts";
import { shareReviewedRepository } from "../../../../../test/kit/set-up.ts";

eachDialect((dialect) => {
  const { forge, owner, writer, reader, pull, push, review, list, world } = shareReviewedRepository(dialect);

  describe("comments on lines", () => {
    const commentsOf = (path: string, id: number) => owner.get<TestReviewComment[]>(`${path}/reviews/${id}/comments`).expect(200);

    test("show the diff up to their line and the commit that last changed the line, on both sides", async () => {
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
      const base = await world.work.git("w", "rev-parse", "main");
      expect(comments.map(({ position, original_position, diff_hunk, commit_id }) => [position, original_position, diff_hunk, commit_id])).toEqual([
        [10, 0, `@@ -8,6 +8,6 @@\n line 8\n line 9\n-line 10\n+changed ${branch.slice("topic-".length)}`, head],
        [0, 10, "@@ -7,7 +7,7 @@\n line 7\n line 8\n line 9\n-line 10", base],
        [18, 0, "@@ -15,4 +15,4 @@\n line 15\n line 16\n line 17\n line 18", base],
        [2, 0, "@@ -0,0 +1,2 @@\n+p1\n+line2", head],
        [7, 0, "", expect.any(String)],
      ]);
    });

    test("follow their line through pushes, and keep the original line once it is removed", async () => {
      const { path, branch } = await pull();
      const made = await review(writer, path, {
        event: "COMMENT",
        comments: [
          { path: "f.txt", body: "stays", new_position: 12 },
          { path: "f.txt", body: "goes", new_position: 10 },
          { path: "f.txt", body: "base", old_position: 10, new_position: 12 },
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

    test("can span several lines and keep the remaining ones together", async () => {
      const { path, branch } = await pull();
      const several = { path: "f.txt", body: "these", start_position: 3, new_position: 11 };
      const made = await review(writer, path, { event: "COMMENT", comments: [several, { ...several, body: "and those", new_position: 10 }] });
      const range = async () => (await commentsOf(path, made.id)).map((comment) => [comment.start_position, comment.position, comment.outdated]);
      const [first] = await commentsOf(path, made.id);
      const lines = Array.from({ length: 7 }, (_, at) => ` line ${at + 3}`).join("\n");
      expect(first?.diff_hunk).toBe(`@@ -3,16 +3,16 @@\n${lines}\n-line 10\n+changed ${branch.slice("topic-".length)}\n line 11`);
      expect(await range()).toEqual([
        [3, 11, undefined],
        [3, 10, undefined],
      ]);
      const text = numbered([10, "otherwise"]).split("\n");
      await push(branch, { "f.txt": ["one more", ...text.slice(0, 2), ...text.slice(4)].join("\n") });
      expect(await range()).toEqual([
        [4, 10, undefined],
        [3, 10, true],
      ]);
      await push(branch, { "f.txt": "" });
      expect(await range()).toEqual([
        [3, 11, true],
        [3, 10, true],
      ]);
      for (const wrong of [{ start_position: 12 }, { start_position: -1 }, { start_position: 1, new_position: 101 }])
        await writer.post(`${path}/reviews`, { event: "COMMENT", comments: [{ ...several, ...wrong }] }).expect(422);
    });

    test("follow a renamed file", async () => {
      const { path, branch } = await pull();
      const made = await review(writer, path, {
        event: "COMMENT",
        comments: [
          { path: "f.txt", body: "x", new_position: 12 },
          { path: "f.txt", body: "the old side is called as it was", old_position: 10 },
        ],
      });
      await world.work.git("w", "mv", "f.txt", "called otherwise.txt");
      await push(branch, { "called otherwise.txt": `first\n${numbered([10, "changed"])}` });
      const places = async (id: number) => (await commentsOf(path, id)).map((comment) => [comment.path, comment.position, comment.original_position]);
      expect(await places(made.id)).toEqual([
        ["called otherwise.txt", 13, 0],
        ["f.txt", 0, 10],
      ]);
      // The new name refers to the same conversation, and both names find the old side.
      const reply = await review(owner, path, {
        event: "COMMENT",
        comments: [
          { path: "called otherwise.txt", body: "yes", new_position: 13 },
          { path: "called otherwise.txt", body: "as well", old_position: 10 },
        ],
      });
      expect(await places(reply.id)).toEqual([
        ["called otherwise.txt", 13, 0],
        ["f.txt", 0, 10],
      ]);
      const [answer, older] = await commentsOf(path, reply.id);
      expect(older?.diff_hunk).toBe("@@ -7,7 +8,7 @@\n line 7\n line 8\n line 9\n-line 10");
      const begun = await commentsOf(path, made.id);
      for (const comment of begun) await owner.post(`/repos/owner/r/pulls/comments/${comment.id}/resolve`).expect(204);
      expect((await commentsOf(path, reply.id)).map(({ resolver }) => resolver?.login)).toEqual(["owner", "owner"]);
      // A repeated lookup of a name is cached.
      expect((await forge.cost(() => commentsOf(path, made.id))).processes).toBe(0);
      await world.work.git("w", "rm", "-q", "-f", "called otherwise.txt");
      await push(branch, { "g.txt": "G\n" });
      expect((await commentsOf(path, reply.id)).map(({ id, outdated }) => [id, outdated])).toEqual([
        [answer?.id, true],
        [older?.id, undefined],
      ]);
    });

    test("work on heads from forks and follow their pushes", async () => {
      await reader.post("/repos/owner/r/forks", { name: "mine" }).expect(202);
      const fork = `${reader.gitOrigin}/reader/mine.git`;
      const change = async (text: string): Promise<void> => {
        await world.work.commit("w", { "f.txt": text });
        await world.work.git("w", "push", "-q", fork, "HEAD:topic");
      };
      await world.work.git("w", "checkout", "-q", "-B", "fork", "main");
      await change(numbered([3, "third"]));
      const { number } = await reader.post<{ number: number }>("/repos/owner/r/pulls", { title: "x", head: "reader:topic", base: "main" }).expect(201);
      const path = `/repos/owner/r/pulls/${number}`;
      const made = await review(writer, path, { event: "COMMENT", comments: [{ path: "f.txt", body: "x", new_position: 3 }] });
      await change(`first\n${numbered([3, "third"])}`);
      expect(await commentsOf(path, made.id)).toMatchObject([{ position: 4, diff_hunk: "@@ -1,6 +1,6 @@\n line 1\n line 2\n-line 3\n+third" }]);
    });

    test("form conversations that their author and users with write access can resolve and reopen", async () => {
      const { path, issue } = await pull();
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
      const plain = await owner.post<{ id: number }>(`${issue}/comments`, { body: "x" }).expect(201);
      await owner.post(`/repos/owner/r/pulls/comments/${plain.id}/resolve`).expect(400);
      await owner.post("/repos/owner/r/pulls/comments/999999/resolve").expect(404);
    });

    test("are edited like other comments", async () => {
      const { path } = await pull();
      const made = await review(reader, path, { event: "COMMENT", comments: [{ path: "f.txt", body: "x", new_position: 10 }] });
      const [comment] = await commentsOf(path, made.id);
      await reader.patch(`/repos/owner/r/issues/comments/${comment?.id}`, { body: "y" }).expect(200);
      expect((await commentsOf(path, made.id))[0]).toMatchObject({ body: "y" });
    });

    test("can be edited and deleted by their authors before and after submission", async () => {
      const { path } = await pull();
      const on = (line: number) => ({ path: "f.txt", body: "x", new_position: line });
      const begun = await review(reader, path, { body: "So far", comments: [on(10)] });
      const [draft] = await reader.get<TestReviewComment[]>(`${path}/reviews/${begun.id}/comments`).expect(200);
      const at = (id: number | undefined): string => `/repos/owner/r/pulls/comments/${id}`;
      await owner.patch(at(draft?.id), { body: "y" }).expect(404);
      await owner.delete(at(draft?.id)).expect(404);
      expect(await reader.patch(at(draft?.id), { body: "y" }).expect(200)).toMatchObject({ id: draft?.id, body: "y", position: 10 });
      await reader.patch(at(draft?.id), { body: " " }).expect(422);
      await reader.delete(at(draft?.id)).expect(204);
      expect(await reader.get(`${path}/reviews/${begun.id}`).expect(200)).toMatchObject({ state: "PENDING", comments_count: 0 });

      const made = await review(reader, path, { event: "COMMENT", comments: [on(10), on(9)] });
      const [first, second] = await commentsOf(path, made.id);
      await forge.anonymous.delete(at(first?.id)).expect(401);
      await reader.delete(at(first?.id)).expect(204);
      expect((await commentsOf(path, made.id)).map(({ id }) => id)).toEqual([second?.id]);
      await writer.delete(at(second?.id)).expect(204);
      await reader.get(`${path}/reviews/${made.id}`).expect(404);
      const own = await review(writer, path, { event: "COMMENT", comments: [on(10)] });
      const [kept] = await commentsOf(path, own.id);
      await reader.delete(at(kept?.id)).expect(403);
      const approved = await review(writer, path, { event: "APPROVED", comments: [on(10)] });
      const [only] = await commentsOf(path, approved.id);
      await writer.delete(at(only?.id)).expect(204);
      expect(await writer.get<{ state: string }>(`${path}/reviews/${approved.id}`).expect(200)).toMatchObject({ state: "APPROVED", comments_count: 0 });
      await owner.delete(at(only?.id)).expect(404);
    });
  });

  describe("cost of comments on lines", () => {
    test("does not grow with the amount of existing data", async () => {
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
      expect([read.statements.length, read.processes]).toEqual([6, 0]);
    });
  });
});
