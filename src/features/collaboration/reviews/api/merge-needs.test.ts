import { describe, expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { shareReviewedRepository } from "../../../../../test/kit/set-up.ts";

eachDialect((dialect) => {
  const { forge, owner, writer, reader, pull, push, review, list, protect, world } = shareReviewedRepository(dialect);

  describe("merge requirements", () => {
    const merge = async (path: string, user = writer): Promise<unknown> => {
      const answer = await user.post(`${path}/merge`, { Do: "merge" });
      return answer.status === 200 ? 200 : answer.json.message;
    };

    test("count the required approvals: official, not dismissed, and for the current head", async () => {
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

    test("include approvals from the rule's list, and no official change requests or pending requests", async () => {
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

    test("keep approvals after merging the base into the head, unless that changed more", async () => {
      await protect("kept-up", { required_approvals: 1, dismiss_stale_approvals: true, block_on_outdated_branch: true });
      const { path, branch, head } = await pull({}, "kept-up");
      await review(writer, path, { event: "APPROVED" });
      await owner.patch("/repos/owner/r/branch_protections/kept-up", { enable_push: true }).expect(200);
      await owner.post("/repos/owner/r/contents/other.txt", { content: "", branch: "kept-up" }).expect(201);
      expect(await merge(path)).toBe("The head branch is behind the base branch");
      await owner.post(`${path}/update`).expect(200);
      await world.forge.settled();
      expect(await list(owner, path)).toMatchObject([{ stale: false, dismissed: false, commit_id: head }]);
      await world.work.git("w", "fetch", "-q", `${owner.gitOrigin}/owner/r.git`, branch);
      await world.work.git("w", "reset", "-q", "--hard", "FETCH_HEAD");
      await world.push(branch, { "g.txt": "slipped in\n" });
      await world.forge.settled();
      expect(await list(owner, path)).toMatchObject([{ stale: true, dismissed: true }]);
      expect(await merge(path)).toBe("Does not have enough approvals");
    });

    test("count an approval only while its author has the right to give it", async () => {
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

    test("count an approval only for its base branch", async () => {
      await protect("strict", { required_approvals: 1, ignore_stale_approvals: true });
      const { path } = await pull();
      await review(writer, path, { event: "APPROVED" });
      await owner.patch(path, { base: "strict" }).expect(201);
      expect(await list(owner, path)).toMatchObject([{ stale: true, dismissed: false }]);
      expect(await merge(path)).toBe("Does not have enough approvals");
    });

    test("ignore closed pull requests", async () => {
      const { path } = await pull();
      const made = await review(writer, path, { event: "APPROVED" });
      await owner.patch(path, { state: "closed" }).expect(201);
      expect((await writer.post(`${path}/reviews`, { event: "APPROVED" })).json.message).toBe("can't submit review for a closed or merged PR");
      await owner.post(`${path}/reviews/${made.id}/dismissals`, { message: "x" }).expect(403);
      await review(writer, path, { event: "COMMENT", body: "afterwards" });
    });
  });
});
