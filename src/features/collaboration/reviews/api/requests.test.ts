import { describe, expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import type { TestUser } from "../../../../../test/kit/forge.ts";
import type { TestReview } from "../../../../../test/kit/reviewed-pulls.ts";
import { shareReviewedRepository } from "../../../../../test/kit/set-up.ts";

eachDialect((dialect) => {
  const { forge, owner, writer, reader, pull, review, list, world } = shareReviewedRepository(dialect);

  describe("review requests", () => {
    const request = (user: TestUser, path: string, body: object) => user.post<TestReview[]>(`${path}/requested_reviewers`, body);
    const refused = async (user: TestUser, path: string, body: object): Promise<unknown[]> => {
      const { status, json } = await request(user, path, body);
      return [status, (json as unknown as { message: string }).message];
    };

    test("are created once, shown with the reviews and the pull request, and answered by a review", async () => {
      const { path, issue } = await pull({ reviewers: ["writer"] });
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
      const timeline = await owner.get<{ type: string; removed_assignee: boolean; assignee: { login: string } | null }[]>(`${issue}/timeline`);
      const entries = timeline.json.filter(({ type }) => type === "review_request");
      expect(entries.map(({ assignee, removed_assignee }) => [assignee?.login, removed_assignee])).toEqual([
        ["writer", false],
        ["reader", false],
        ["reader", true],
      ]);
    });

    test("list reviewers until their review is dismissed, requested or not; those who only commented in single responses", async () => {
      const { path, number } = await pull({ reviewers: ["writer"] });
      const listed = async (): Promise<unknown[]> => {
        const one = await owner.get<{ requested_reviewers: { login: string }[] }>(path).expect(200);
        const all = await owner.get<{ number: number; requested_reviewers: { login: string }[] | null }[]>("/repos/owner/r/pulls?limit=50").expect(200);
        const ofList = all.find((each) => each.number === number)?.requested_reviewers ?? [];
        return [one.requested_reviewers.map(({ login }) => login), ofList.map(({ login }) => login)];
      };
      await review(reader, path, { event: "COMMENT", body: "only a comment" });
      await review(owner, path, { event: "COMMENT", body: "an author who answers" });
      expect(await listed()).toEqual([["writer", "reader", "owner"], ["writer"]]);
      const rejection = await review(reader, path, { event: "REQUEST_CHANGES", body: "not like this" });
      await review(writer, path, { event: "APPROVED" });
      expect(await listed()).toEqual([
        ["owner", "reader", "writer"],
        ["reader", "writer"],
      ]);
      await owner.post(`${path}/reviews/${rejection.id}/dismissals`, { message: "done" }).expect(200);
      expect(await listed()).toEqual([["reader", "owner", "writer"], ["writer"]]);
    });

    test("suspend an earlier verdict until they are withdrawn", async () => {
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

    test("reject reviewers who cannot be requested and callers who cannot request", async () => {
      const { path } = await pull();
      const repo = await owner.get<{ id: number }>("/repos/owner/r").expect(200);
      expect(await refused(owner, path, { reviewers: ["nobody"] })).toEqual([404, "User 'nobody' not exist"]);
      expect(await refused(owner, path, { reviewers: ["owner"] })).toEqual([422, `poster of pr can't be reviewer [user_id: ${owner.id}, repo_id: ${repo.id}]`]);
      const stranger = await forge.createUser("stranger");
      expect(await refused(stranger, path, { reviewers: ["writer"] })).toEqual([
        422,
        `Doer can't choose reviewer [user_id: ${stranger.id}, repo_id: ${repo.id}]`,
      ]);
      expect(await request(owner, path, {}).expect(201)).toEqual([]);
      await request(owner, path, { reviewers: ["writer"] }).expect(201);
      expect((await stranger.delete(`${path}/requested_reviewers`, { reviewers: ["writer"] })).json.message).toContain("Doer can't remove reviewer");
      await writer.delete(`${path}/requested_reviewers`, { reviewers: ["writer"] }).expect(204);
    });

    test("can be created by collaborators with read access and by the author of the pull request", async () => {
      const guest = await forge.createUser("guest");
      await owner.put("/repos/owner/r/collaborators/guest", { permission: "read" }).expect(204);
      const { path } = await pull();
      expect(await request(guest, path, { reviewers: ["writer"] }).expect(201)).toMatchObject([{ user: { login: "writer" } }]);
      await guest.delete(`${path}/requested_reviewers`, { reviewers: ["writer"] }).expect(204);
      await guest.get("/repos/owner/r/reviewers").expect(200);

      await guest.post("/repos/owner/r/forks", { name: "of-guest" }).expect(202);
      await owner.delete("/repos/owner/r/collaborators/guest").expect(204);
      expect(await guest.get("/repos/owner/r/reviewers").expect(403)).toMatchObject({ message: "doer has no permission to get reviewers" });
      await guest.post("/repos/guest/of-guest/contents/guest.txt", { content: "", new_branch: "guest" }).expect(201);
      const body = { title: "of a guest", head: "guest/of-guest:guest", base: "main", reviewers: ["writer"] };
      const made = await guest.post<{ requested_reviewers: { login: string }[] }>("/repos/owner/r/pulls", body).expect(201);
      expect(made.requested_reviewers.map(({ login }) => login)).toEqual(["writer"]);
    });

    test("accept teams with access to the repository, and are answered by a review of one of their members", async () => {
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

  test("finds the pull requests that await a user's review and those they have reviewed", async () => {
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

  describe("notifications about reviews", () => {
    const unread = async (user: TestUser): Promise<string[]> => {
      const threads = (await user.get<{ subject: { title: string } }[]>("/notifications")).json;
      return threads.map(({ subject }) => subject.title);
    };
    const activities = async (user: TestUser): Promise<unknown[]> =>
      (await user.get<{ op_type: string; content: string }[]>(`/users/${user.name}/activities/feeds?only-performed-by=true&limit=2`)).json.map(
        ({ op_type, content }) => [op_type, content],
      );

    test("go to requested reviewers, subscribers of the pull request and mentioned users", async () => {
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

    test("go to owners of the changed code once it is not a draft", async () => {
      await owner.post("/user/repos", { name: "owned", default_branch: "main" }).expect(201);
      await owner.put("/repos/owner/owned/collaborators/writer", { permission: "write" }).expect(204);
      await world.work.git("w", "checkout", "-q", "main");
      await world.work.git("w", "checkout", "-q", "-B", "owned");
      await world.work.commit("w", { CODEOWNERS: "g.* @writer @owner @nobody\n!g.* @reader\n" });
      await world.work.git("w", "push", "-q", `${owner.gitOrigin}/owner/owned.git`, "HEAD:main");
      await world.work.commit("w", { "g.txt": "G\n" });
      await world.work.git("w", "push", "-q", `${owner.gitOrigin}/owner/owned.git`, "HEAD:topic");
      await owner.post("/repos/owner/owned/pulls", { title: "WIP: g", head: "topic", base: "main" }).expect(201);
      const requested = async (): Promise<unknown[]> => {
        await forge.settled();
        return (await list(owner, "/repos/owner/owned/pulls/1")).map(({ state, user }) => [state, user?.login]);
      };
      expect(await requested()).toEqual([]);
      await owner.patch("/repos/owner/owned/pulls/1", { title: "g" }).expect(201);
      expect(await requested()).toEqual([["REQUEST_REVIEW", "writer"]]);
    });
  });
});
