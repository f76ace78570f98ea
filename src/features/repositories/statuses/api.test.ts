import { describe, expect, test } from "vitest";
import { differences } from "../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { eventsOf } from "../../../../test/kit/events.ts";
import { shareForge } from "../../../../test/kit/set-up.ts";
import { combine } from "./model.ts";

test.each([
  [[], "pending"],
  [["success", "skipped"], "success"],
  [["success", "pending"], "pending"],
  [["success", "odd"], "pending"],
  [["pending", "failure"], "failure"],
  [["success", "error"], "failure"],
  [["success", "warning"], "failure"],
] as const)("%j are combined as %s", (states, expected) => expect(combine(states)).toBe(expected));

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice", "bob"]);
  const { alice, bob } = users;
  let number = 0;
  const repository = async (): Promise<{ readonly path: string; readonly sha: string }> => {
    number += 1;
    await alice.post("/user/repos", { name: `r${number}`, auto_init: true, default_branch: "main" }).expect(201);
    const path = `/repos/alice/r${number}`;
    return { path, sha: (await alice.get(`${path}/branches/main`).expect(200)).commit.id };
  };

  describe("commit statuses", () => {
    test("writers create statuses, which are numbered per commit and sent as events", async () => {
      const { path, sha } = await repository();
      const made = await alice
        .post(`${path}/statuses/${sha}`, { state: "pending", context: "ci/a", description: "runs", target_url: "https://ci.example.org/1" })
        .expect(200);
      expect(differences(made, "CommitStatus")).toEqual([]);
      expect(made).toMatchObject({ id: 1, status: "pending", context: "ci/a", creator: { login: "alice", email: expect.stringContaining("@noreply.") } });
      expect(made.url).toBe(`${forge.url}/api/v1${path}/statuses/${sha}`);
      expect(await alice.post(`${path}/statuses/main`, { state: "success", context: "ci/a" }).expect(200)).toMatchObject({ id: 2 });
      expect(await alice.post(`${path}/statuses/${sha.slice(0, 10)}?list=true`, {}).expect(200)).toMatchObject([
        { id: 3, status: "", context: "" },
        { id: 2 },
        { id: 1 },
      ]);
      await bob.post(`${path}/statuses/${sha}`, { state: "success" }).expect(403);
      await forge.anonymous.post(`${path}/statuses/${sha}`, { state: "success" }).expect(401);
      await alice.post(`${path}/statuses/${"f".repeat(40)}`, { state: "success" }).expect(404);
      await alice.post(`${path}/statuses/${sha}`, { state: "success", target_url: "javascript:alert(1)" }).expect(422);
      await alice.post(`${path}/statuses/${sha}`, { state: "success", context: "x".repeat(256) }).expect(422);
      const events = await eventsOf(forge, { type: "status.created" });
      expect(events.slice(-3).map(({ payload }) => payload.state)).toEqual(["pending", "success", ""]);
    });

    test("any string is accepted as a state and returned as described", async () => {
      const { path, sha } = await repository();
      for (const state of ["odd", ""]) {
        expect(await alice.post(`${path}/statuses/${sha}`, { state, context: state }).expect(200)).toMatchObject({ status: state });
      }
      expect((await alice.get(`${path}/statuses/${sha}?sort=oldest`).expect(200)).map(({ status }: { status: string }) => status)).toEqual(["odd", ""]);
      expect(await alice.get(`${path}/commits/main/status`).expect(200)).toMatchObject({ state: "pending" });
    });

    test("lists statuses by commit, branch, tag and state, sorted and in pages", async () => {
      const { path, sha } = await repository();
      await alice.post(`${path}/tags`, { tag_name: "v/1" }).expect(201);
      for (const [at, state] of ["pending", "success", "failure", "success"].entries())
        await alice.post(`${path}/statuses/${sha}`, { state, context: `c${at % 2}` }).expect(200);
      const ids = async (query: string): Promise<number[]> => (await alice.get(`${path}/${query}`).expect(200)).map(({ id }: { id: number }) => id);
      expect(await ids(`statuses/${sha}`)).toEqual([4, 3, 2, 1]);
      for (const sort of ["oldest", "leastupdate", "leastindex"]) expect(await ids(`statuses/${sha}?sort=${sort}`)).toEqual([1, 2, 3, 4]);
      for (const sort of ["recentupdate", "highestindex", "odd"]) expect(await ids(`commits/main/statuses?sort=${sort}`)).toEqual([4, 3, 2, 1]);
      expect(await ids("commits/v/1/statuses?state=success&sort=oldest")).toEqual([2, 4]);
      const page = await alice.get(`${path}/statuses/${sha}?sort=oldest&limit=1&page=2`);
      expect([page.json[0].id, page.headers.get("x-total-count"), page.headers.get("link")]).toEqual([2, "4", expect.stringContaining('rel="last"')]);
      expect(await ids(`statuses/${sha.slice(0, 10)}`)).toEqual([4, 3, 2, 1]);
      const combined = await alice.get(`${path}/commits/main/statuses?combined=true`);
      expect([combined.json, combined.headers.get("x-total-count")]).toMatchObject([{ state: "failure", total_count: 2 }, "2"]);
    });

    test("returns no statuses for an unknown commit, and for a name in place of a commit id", async () => {
      const { path, sha } = await repository();
      await alice.post(`${path}/statuses/main`, { state: "success" }).expect(200);
      for (const unknown of ["f".repeat(40), "nothing", "main", "HEAD"]) {
        const answer = await alice.get(`${path}/statuses/${unknown}`);
        expect([unknown, answer.json, answer.headers.get("x-total-count")]).toEqual([unknown, [], "0"]);
      }
      expect(await alice.get(`${path}/statuses/${sha}`).expect(200)).toHaveLength(1);
      await alice.get(`${path}/commits/nothing/statuses`).expect(404);
    });

    test("combines the latest status of each context", async () => {
      const { path, sha } = await repository();
      const combined = async () => {
        const answer = await alice.get(`${path}/commits/main/status`);
        return { ...answer.json, header: answer.headers.get("x-total-count") };
      };
      expect(await combined()).toMatchObject({
        state: "pending",
        sha,
        total_count: 0,
        statuses: null,
        header: "0",
        repository: { full_name: `alice/r${number}` },
      });
      const say = (state: string, context: string) => alice.post(`${path}/statuses/${sha}`, { state, context }).expect(200);
      await say("failure", "a");
      await say("success", "b");
      expect(await combined()).toMatchObject({ state: "failure", total_count: 2 });
      await say("success", "a");
      const all = await combined();
      expect(all).toMatchObject({
        state: "success",
        total_count: 2,
        header: "2",
        statuses: [
          { id: 2, context: "b" },
          { id: 3, context: "a" },
        ],
      });
      expect([all.commit_url, all.url]).toEqual([`${forge.url}/api/v1${path}/commits/${sha}`, `${forge.url}/api/v1${path}/commits/${sha}/status`]);
      const first = await alice.get(`${path}/commits/main/status?limit=1`);
      expect([first.json.statuses.length, first.json.state, first.json.total_count]).toEqual([1, "success", 2]);
      expect((await bob.get(`${path}/commits/nosuch/status`)).json).toMatchObject({ errors: ["object does not exist [id: nosuch, rel_path: ]"] });
    });

    test("concurrently created statuses have different numbers", async () => {
      const { path, sha } = await repository();
      const made = await Promise.all(
        Array.from({ length: 16 }, (_, at) => alice.post(`${path}/statuses/${sha}`, { state: "success", context: `c${at}` }).expect(200)),
      );
      expect(made.map(({ id }) => id).sort((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, at) => at + 1));
    });

    test("the cost of a list does not depend on the number of statuses", async () => {
      const { path, sha } = await repository();
      const list = async () => {
        await forge.settled();
        return (await forge.cost(() => alice.get(`${path}/commits/${sha}/status`).expect(200))).statements.length;
      };
      await alice.post(`${path}/statuses/${sha}`, { state: "success", context: "one" }).expect(200);
      await list();
      const few = await list();
      for (let at = 0; at < 6; at += 1) await alice.post(`${path}/statuses/${sha}`, { state: "success", context: `c${at}` }).expect(200);
      expect(await list()).toBe(few);
      expect(few).toBeLessThanOrEqual(8);
      const { statements, processes } = await forge.cost(() => alice.post(`${path}/statuses/${sha}`, { state: "success", context: "last" }).expect(200));
      expect([statements.length, processes]).toEqual([5, 0]);
    });
  });
});
