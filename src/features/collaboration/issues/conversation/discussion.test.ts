import { CompiledQuery, type SqlBool, sql } from "kysely";
import { describe, expect, test } from "vitest";
import { statusAndMessage } from "../../../../../test/kit/api-client.ts";
import { eachDialect, type TestDialect } from "../../../../../test/kit/databases.ts";
import { eventsOf } from "../../../../../test/kit/events.ts";
import { startForge, type TestForge, type TestUser } from "../../../../../test/kit/forge.ts";
import { changedNow } from "../../../../db/update-time.ts";
import { pageOrderedIds } from "../search/store/ordered.ts";
import { checkIssueCounts } from "../service/check.ts";

const site = "/repos/alice/site";
const one = `${site}/issues/1`;

interface World extends AsyncDisposable {
  readonly forge: TestForge;
  /** Repository owner. */
  readonly alice: TestUser;
  /** Has write access. */
  readonly bob: TestUser;
  /** Reads like every other user, and opened the second issue. */
  readonly carol: TestUser;
}

async function world(dialect: TestDialect): Promise<World> {
  const forge = await startForge({ dialect });
  const [alice, bob, carol] = await Promise.all([forge.createUser("alice"), forge.createUser("bob"), forge.createUser("carol")]);
  await alice.post("/user/repos", { name: "site" }).expect(201);
  await alice.put(`${site}/collaborators/bob`, { permission: "write" }).expect(204);
  await alice.post(`${site}/issues`, { title: "one" }).expect(201);
  await carol.post(`${site}/issues`, { title: "two" }).expect(201);
  return { forge, alice, bob, carol, [Symbol.asyncDispose]: () => forge[Symbol.asyncDispose]() };
}

const timeline = (user: TestUser, number = 1) => user.get(`${site}/issues/${number}/timeline`).expect(200);
const kinds = async (user: TestUser, number = 1): Promise<string[]> => (await timeline(user, number)).map(({ type }: { type: string }) => type);
const numbers = (issues: readonly { number: number }[]): number[] => issues.map(({ number }) => number);
const names = (labels: readonly { name: string }[]): string[] => labels.map(({ name }) => name);

eachDialect((dialect) => {
  describe("comments", () => {
    test("can be created by everyone, changed by their authors and by users who write issues, and are counted", async () => {
      await using w = await world(dialect);
      const { forge, alice, bob, carol } = w;
      const made = await carol.post(`${one}/comments`, { body: "first" }).expect(201);
      expect(made).toMatchObject({
        html_url: `${forge.url}/alice/site/issues/1#issuecomment-${made.id}`,
        issue_url: `${forge.url}/alice/site/issues/1`,
        pull_request_url: "",
        body: "first",
        user: { login: "carol", active: false },
        assets: [],
      });
      expect((await alice.get(one).expect(200)).comments).toBe(1);
      const path = `${site}/issues/comments/${made.id}`;
      expect((await forge.anonymous.get(path).expect(200)).body).toBe("first");
      expect((await carol.patch(path, { body: "second" }).expect(200)).body).toBe("second");
      expect((await bob.patch(`${one}/comments/${made.id}`, { body: "third" }).expect(200)).body).toBe("third");
      const mallory = await forge.createUser("mallory");
      const refusal = [403, "only the author and users with write access to issues may change a comment"];
      expect(await statusAndMessage(mallory.patch(path, { body: "evil" }))).toEqual(refusal);
      expect(await statusAndMessage(mallory.delete(path))).toEqual(refusal);
      expect(await statusAndMessage(carol.patch(path, { body: "" }))).toEqual([422, "[Body]: Required"]);
      const history = await forge.context.db.sql.selectFrom("content_history").select("content").orderBy("id").execute();
      expect(history.map(({ content }) => content)).toEqual(["first", "second", "third"]);
      await carol.delete(path).expect(204);
      await carol.delete(path).expect(404);
      expect((await alice.get(one).expect(200)).comments).toBe(0);
      expect(await statusAndMessage(alice.post(`${site}/issues/99/comments`, { body: "x" }))).toEqual([404, "not found"]);
      expect(await statusAndMessage(forge.anonymous.post(`${one}/comments`, { body: "x" }))).toEqual([401, "token is required"]);
      expect(await statusAndMessage(alice.get("/repos/alice/site/issues/comments/99"))).toEqual([404, "not found"]);
    });

    test("are listed per issue and per repository by time; the singular path and the `string` parameter work too", async () => {
      await using w = await world(dialect);
      const { alice, carol } = w;
      for (const body of ["a", "b"]) await carol.post(`${one}/comments`, { body }).expect(201);
      await alice.post(`${site}/issue/2/comments`, { body: "c" }).expect(201);
      await alice.put(`${one}/lock`, {}).expect(204);
      const bodies = async (path: string): Promise<string> => (await alice.get(path).expect(200)).map(({ body }: { body: string }) => body).join("");
      expect(await bodies(`${one}/comments`)).toBe("ab");
      expect(await bodies(`${one}/comments?limit=1`)).toBe("ab");
      expect(await bodies(`${site}/issue/1/comments?string=2040-01-01T00:00:00Z`)).toBe("");
      expect(await bodies(`${one}/comments?before=2020-01-01T00:00:00Z`)).toBe("");
      expect(await bodies(`${site}/issues/comments`)).toBe("abc");
      expect(await bodies(`${site}/issues/comments?limit=2&page=2`)).toBe("c");
      const paged = await alice.get(`${site}/issues/comments?limit=1`);
      expect(paged.headers.get("x-total-count")).toBe("3");
      expect((await alice.get(`${one}/comments?since=garbage`)).status).toBe(422);
    });

    test("are blocked by a lock or a user block, except for users who write issues", async () => {
      await using w = await world(dialect);
      const { alice, bob, carol } = w;
      expect((await carol.put(`${one}/lock`, {})).status).toBe(403);
      await alice.put(`${one}/lock`, { lock_reason: "Too heated" }).expect(204);
      await alice.put(`${one}/lock`, { lock_reason: "again" }).expect(204);
      expect(await statusAndMessage(carol.post(`${one}/comments`, { body: "x" }))).toEqual([403, "You cannot comment on a locked issue."]);
      expect(await statusAndMessage(carol.post(`${one}/reactions`, { content: "eyes" }))).toEqual([403, "no permission to change reaction"]);
      await bob.post(`${one}/comments`, { body: "x" }).expect(201);
      await alice.delete(`${one}/lock`).expect(204);
      await alice.delete(`${one}/lock`).expect(204);
      expect((await timeline(alice)).map(({ type, body }: { type: string; body: string }) => [type, body])).toEqual([
        ["lock", "Too heated"],
        ["comment", "x"],
        ["unlock", ""],
      ]);
      await alice.put("/user/blocks/carol").expect(204);
      expect(await statusAndMessage(carol.post(`${one}/comments`, { body: "x" }))).toEqual([403, "user is blocked"]);
      await bob.put("/user/blocks/carol").expect(204);
    });

    test("cost a bounded number of statements", async () => {
      await using w = await world(dialect);
      const { alice, forge } = w;
      const cost = async (action: () => Promise<unknown>): Promise<number> => (await forge.cost(action)).statements.length;
      expect(await cost(() => alice.post(`${one}/comments`, { body: "plain" }).expect(201))).toBeLessThanOrEqual(10);
      expect(await cost(() => alice.post(`${one}/comments`, { body: "@bob @carol #2 #1 #99" }).expect(201))).toBeLessThanOrEqual(17);
      const listed = await cost(() => alice.get(`${one}/comments`).expect(200));
      const shown = await cost(() => alice.get(`${one}/timeline`).expect(200));
      for (let more = 0; more < 5; more += 1) await alice.post(`${one}/comments`, { body: "@bob #2" }).expect(201);
      expect(await cost(() => alice.get(`${one}/comments`).expect(200))).toBe(listed);
      expect(await cost(() => alice.get(`${one}/timeline`).expect(200))).toBe(shown);
      expect(listed).toBeLessThanOrEqual(6);
    });
  });

  describe("references in a text", () => {
    test("appear under the issues that they name if the reader can see both", async () => {
      await using w = await world(dialect);
      const { alice, bob, carol } = w;
      await alice.post("/user/repos", { name: "hidden", private: true }).expect(201);
      await alice.post("/repos/alice/hidden/issues", { title: "secret" }).expect(201);
      await alice.post("/repos/alice/hidden/issues", { title: "tells", body: "see alice/site#1" }).expect(201);
      const comment = await carol.post(`${site}/issues/2/comments`, { body: "like #1, `#2`, alice/hidden#1 and #99" }).expect(201);
      const [fromHidden, fromComment, ...more] = await timeline(alice);
      expect(more).toEqual([]);
      expect(fromHidden).toMatchObject({ type: "issue_ref", ref_issue: { title: "tells" }, ref_action: "none" });
      expect(fromComment).toMatchObject({ type: "comment_ref", ref_issue: { number: 2 }, ref_comment: { id: comment.id } });
      expect(await kinds(bob)).toEqual(["comment_ref"]);
      expect(await alice.get("/repos/alice/hidden/issues/1/timeline").expect(200)).toBeNull();

      await carol.patch(`${site}/issues/comments/${comment.id}`, { body: "nothing any more" }).expect(200);
      expect((await timeline(bob))[0]).toMatchObject({ type: "comment_ref", ref_action: "neutered" });
      await carol.patch(`${site}/issues/comments/${comment.id}`, { body: "#1 again" }).expect(200);
      expect((await timeline(bob)).map((entry: { ref_action: string }) => entry.ref_action)).toEqual(["none"]);
      const [entry] = await timeline(alice);
      expect(await statusAndMessage(alice.delete(`${site}/issues/comments/${entry.id}`))).toEqual([400, "only a comment can be deleted"]);
      await carol.delete(`${site}/issues/comments/${comment.id}`).expect(204);
      expect(await timeline(bob)).toBeNull();
    });

    test("mention each user who can read the issue once, and the members of a named team", async () => {
      await using w = await world(dialect);
      const { forge, alice, bob, carol } = w;
      await carol.post(`${site}/issues/2/comments`, { body: "@bob @nobody @carol" }).expect(201);
      await bob.post(`${site}/issues/2/comments`, { body: "@bob @alice" }).expect(201);
      expect(numbers(await alice.get(`${site}/issues?mentioned_by=bob`).expect(200))).toEqual([2]);
      expect(numbers(await alice.get(`${site}/issues?mentioned_by=carol`).expect(200))).toEqual([]);
      const events = await eventsOf(forge, { type: "comment.created" });
      expect(events.map(({ payload }) => payload.mentionedIds)).toEqual([[bob.id], [alice.id]]);

      await alice.post("/orgs", { username: "acme" }).expect(201);
      const team = await alice.post("/orgs/acme/teams", { name: "devs", permission: "write", units: ["repo.issues"] }).expect(201);
      await alice.put(`/teams/${team.id}/members/bob`).expect(204);
      await alice.post("/orgs/acme/repos", { name: "lib" }).expect(201);
      await alice.post("/repos/acme/lib/issues", { title: "for @acme/devs" }).expect(201);
      expect(numbers(await bob.get("/repos/issues/search?mentioned=true").expect(200))).toEqual([1, 2]);
      await carol.post("/repos/acme/lib/issues", { title: "for @acme/devs, from outside" }).expect(201);
      expect(numbers(await bob.get("/repos/issues/search?mentioned=true&owner=acme").expect(200))).toEqual([1]);
    });
  });

  describe("planning an issue", () => {
    test("sets labels by id or name, at most one per exclusive scope", async () => {
      await using w = await world(dialect);
      const { alice, carol } = w;
      const make = async (name: string, exclusive = false): Promise<number> =>
        (await alice.post(`${site}/labels`, { name, color: "#abc", exclusive }).expect(201)).id;
      const bug = await make("bug");
      const docs = await make("kind/docs", true);
      await make("kind/feature", true);
      const labels = `${one}/labels`;
      expect(names(await alice.post(labels, { labels: [docs] }).expect(200))).toEqual(["kind/docs"]);
      expect(names(await alice.post(labels, { labels: ["kind/feature", "nosuch"] }).expect(200))).toEqual(["kind/feature"]);
      expect(names(await alice.post(labels, { labels: [999_999] }).expect(200))).toEqual(["kind/feature"]);
      expect(names(await alice.put(`${site}/issue/1/labels`, { labels: [bug, docs] }).expect(200))).toEqual(["bug", "kind/docs"]);
      expect(names(await alice.get(labels).expect(200))).toEqual(["bug", "kind/docs"]);
      await alice.delete(`${labels}/${bug}`).expect(204);
      await alice.delete(`${labels}/${bug}`).expect(204);
      expect(await statusAndMessage(alice.delete(`${labels}/999999`))).toEqual([422, "label does not exist [label_id: 999999]"]);
      expect(await statusAndMessage(alice.put(labels, { labels: [bug, "bug"] }))).toEqual([400, "labels should be an array of strings or integers"]);
      for (const label of [true, null]) {
        expect(await statusAndMessage(alice.put(labels, { labels: [label] }))).toEqual([400, "a label must be an integer or a string"]);
      }
      expect(await statusAndMessage(carol.post(labels, { labels: [bug] }))).toEqual([403, "write permission is required"]);
      await alice.delete(labels).expect(204);
      expect(await alice.get(labels).expect(200)).toEqual([]);
      const shown = (await timeline(alice)).map(({ body, label }: { body: string; label: { name: string } }) => `${body === "1" ? "+" : "-"}${label.name}`);
      expect(shown).toEqual(["+kind/docs", "-kind/docs", "+kind/feature", "-kind/feature", "+bug", "+kind/docs", "-bug", "-kind/docs"]);
      const events = await eventsOf(w.forge, { type: "issue.labels_changed" });
      expect(events.map(({ payload }) => payload.isCleared)).toEqual([false, false, false, false, true]);
    });

    test("sets the due date to the end of a day", async () => {
      await using w = await world(dialect);
      const { alice, carol } = w;
      expect(await alice.post(`${one}/deadline`, { due_date: "2033-03-03T10:00:00Z" }).expect(201)).toEqual({ due_date: "2033-03-03T23:59:59Z" });
      expect(await alice.post(`${one}/deadline`, { due_date: "2034-03-03T10:00:00Z" }).expect(201)).toEqual({ due_date: "2034-03-03T23:59:59Z" });
      expect(await alice.post(`${one}/deadline`, { due_date: null }).expect(201)).toEqual({ due_date: "1970-01-01T00:00:00Z" });
      expect((await alice.get(one).expect(200)).due_date).toBeNull();
      expect((await alice.post(`${one}/deadline`, { due_date: "x" })).status).toBe(422);
      expect((await carol.post(`${one}/deadline`, { due_date: null })).status).toBe(403);
      expect((await timeline(alice)).map(({ type, body }: { type: string; body: string }) => [type, body])).toEqual([
        ["added_deadline", "2033-03-03"],
        ["modified_deadline", "2034-03-03|2033-03-03"],
        ["removed_deadline", "2034-03-03"],
      ]);
    });

    test("pins at most three issues", async () => {
      await using w = await world(dialect);
      const { alice, bob } = w;
      for (const title of ["three", "four"]) await alice.post(`${site}/issues`, { title }).expect(201);
      const pinned = async () => numbers(await alice.get(`${site}/issues/pinned`).expect(200));
      for (const number of [1, 2, 3]) await alice.post(`${site}/issues/${number}/pin`).expect(204);
      expect((await alice.post(`${one}/pin`)).status).toBe(409);
      expect((await alice.post(`${site}/issues/4/pin`)).status).toBe(400);
      expect(await alice.get(`${site}/new_pin_allowed`).expect(200)).toEqual({ issues: false, pull_requests: true });
      await alice.patch(`${one}/pin/3`).expect(204);
      expect(await pinned()).toEqual([2, 3, 1]);
      await alice.patch(`${one}/pin/9`).expect(204);
      await alice.patch(`${one}/pin/1`).expect(204);
      expect(await pinned()).toEqual([1, 2, 3]);
      await alice.patch(`${one}/pin/2`).expect(204);
      expect(await pinned()).toEqual([2, 1, 3]);
      await alice.patch(`${one}/pin/1`).expect(204);
      expect((await alice.patch(`${one}/pin/${"9".repeat(12)}`)).status).toBe(400);
      expect((await alice.patch(`${one}/pin/x`)).status).toBe(400);
      await alice.delete(`${site}/issues/2/pin`).expect(204);
      await alice.delete(`${site}/issues/2/pin`).expect(204);
      await alice.patch(`${site}/issues/2/pin/1`).expect(204);
      expect(await pinned()).toEqual([1, 3]);
      expect((await bob.post(`${site}/issues/4/pin`)).status).toBe(403);
    });

    test("leaves the positions of other pins as they are after an unpinned or deleted issue, and after a move behind the last pin", async () => {
      await using w = await world(dialect);
      const { alice } = w;
      for (const title of ["three", "four"]) await alice.post(`${site}/issues`, { title }).expect(201);
      const orders = async (): Promise<unknown> =>
        (await alice.get(`${site}/issues/pinned`).expect(200)).map((issue: { number: number; pin_order: number }) => [issue.number, issue.pin_order]);
      for (const number of [1, 2, 3]) await alice.post(`${site}/issues/${number}/pin`).expect(204);
      await alice.patch(`${one}/pin/9`).expect(204);
      expect(await orders()).toEqual([
        [2, 1],
        [3, 2],
        [1, 9],
      ]);
      await alice.delete(`${site}/issues/2/pin`).expect(204);
      await alice.post(`${site}/issues/4/pin`).expect(204);
      await alice.delete(`${site}/issues/3`).expect(204);
      expect(await orders()).toEqual([
        [1, 9],
        [4, 10],
      ]);
    });
  });

  describe("relations of an issue", () => {
    test("block each other without cycles, also across repositories", async () => {
      await using w = await world(dialect);
      const { forge, alice, bob, carol } = w;
      const at = (index: number, repo = "site") => ({ owner: "alice", repo, index });
      await alice.post(`${site}/issues`, { title: "three" }).expect(201);
      await alice.post("/user/repos", { name: "hidden", private: true }).expect(201);
      await alice.post("/repos/alice/hidden/issues", { title: "secret" }).expect(201);
      expect((await alice.post(`${one}/dependencies`, at(2)).expect(201)).number).toBe(1);
      await alice.post(`${site}/issues/3/blocks`, at(2)).expect(201);
      await alice.post(`${one}/dependencies`, at(1, "hidden")).expect(201);
      expect((await alice.post(`${one}/dependencies`, at(2))).status).toBe(409);
      expect((await alice.post(`${site}/issues/3/dependencies`, at(1))).status).toBe(422);
      expect(await statusAndMessage(alice.post(`${one}/dependencies`, at(99)))).toEqual([404, "IsErrIssueNotExist"]);
      expect(await statusAndMessage(alice.post(`${one}/dependencies`, {}))).toEqual([404, "IsErrRepoNotExist"]);
      expect(await statusAndMessage(bob.post(`${one}/dependencies`, at(1, "hidden")))).toEqual([404, "IsErrRepoNotExist"]);
      expect(await statusAndMessage(carol.post(`${one}/dependencies`, at(3)))).toEqual([404, "not found"]);
      expect((await alice.get(`${one}/dependencies`).expect(200)).map(({ title }: { title: string }) => title)).toEqual(["two", "secret"]);
      expect(numbers(await forge.anonymous.get(`${one}/dependencies`).expect(200))).toEqual([2]);
      expect(numbers(await alice.get(`${site}/issues/2/blocks`).expect(200))).toEqual([1]);
      expect(await statusAndMessage(alice.patch(one, { state: "closed" }))).toEqual([
        412,
        "cannot close this issue or pull request because it still has open dependencies",
      ]);
      await alice.delete(`${one}/dependencies`, at(1, "hidden")).expect(201);
      expect((await alice.delete(`${one}/dependencies`, at(2)).expect(201)).number).toBe(1);
      await alice.delete(`${one}/dependencies`, at(2)).expect(404);
      await alice.patch(one, { state: "closed" }).expect(201);
      expect(await kinds(bob)).toEqual(["add_dependency", "add_dependency", "remove_dependency", "remove_dependency", "close"]);
      expect((await timeline(bob)).map((entry: { dependent_issue: unknown }) => entry.dependent_issue !== null)).toEqual([true, false, false, true, false]);
    });

    test("an issue that depends on itself is listed, and can be closed", async () => {
      await using w = await world(dialect);
      const { alice, bob } = w;
      const itself = { owner: "alice", repo: "site", index: 1 };
      expect((await alice.post(`${one}/dependencies`, itself).expect(201)).number).toBe(1);
      await alice.post(`${one}/dependencies`, itself).expect(409);
      expect(numbers(await alice.get(`${one}/dependencies`).expect(200))).toEqual([1]);
      expect(numbers(await alice.get(`${one}/blocks`).expect(200))).toEqual([1]);
      await alice.post(`${one}/dependencies`, { ...itself, index: 2 }).expect(201);
      // Issues of one second are in the order of their numbers.
      expect(numbers(await alice.get(`${one}/dependencies`).expect(200)).toSorted()).toEqual([1, 2]);
      await alice.patch(one, { state: "closed" }).expect(412);
      await alice.delete(`${one}/dependencies`, { ...itself, index: 2 }).expect(201);
      await alice.patch(one, { state: "closed" }).expect(201);
      expect(await kinds(bob)).toEqual(["add_dependency", "add_dependency", "remove_dependency", "close"]);
      await alice.delete(`${one}/dependencies`, itself).expect(201);
      expect(await alice.get(`${one}/blocks`).expect(200)).toEqual([]);
    });

    test("accept one reaction of a kind per user", async () => {
      await using w = await world(dialect);
      const { alice, carol, forge } = w;
      const comment = await alice.post(`${one}/comments`, { body: "x" }).expect(201);
      for (const path of [`${one}/reactions`, `${site}/issues/comments/${comment.id}/reactions`]) {
        expect(await alice.post(path, { content: "+1" }).expect(201)).toMatchObject({ user: { login: "alice" }, content: "+1" });
        await alice.post(path, { content: "+1" }).expect(200);
        await carol.post(path, { content: "heart" }).expect(201);
        expect(await statusAndMessage(alice.post(path, { content: "bogus" }))).toEqual([403, "'bogus' is not an allowed reaction"]);
        expect(await statusAndMessage(alice.post(path, {}))).toEqual([403, "'' is not an allowed reaction"]);
        expect((await forge.anonymous.post(path, { content: "+1" })).status).toBe(401);
        expect((await forge.anonymous.get(path).expect(200)).map(({ content }: { content: string }) => content)).toEqual(["+1", "heart"]);
        await alice.delete(path, { content: "+1" }).expect(204);
        await alice.delete(path, { content: "+1" }).expect(204);
        expect((await alice.get(path).expect(200)).length).toBe(1);
        await carol.delete(path, { content: "heart" }).expect(204);
        expect(await alice.get(path).expect(200)).toBeNull();
      }
      await alice.put(`${one}/lock`, {}).expect(204);
      const event = (await timeline(alice)).at(-1);
      expect(event.type).toBe("lock");
      expect(await alice.get(`${site}/issues/comments/${event.id}/reactions`).expect(200)).toBeNull();
      await alice.post(`${site}/issues/comments/${event.id}/reactions`, { content: "+1" }).expect(404);
      await alice.delete(`${site}/issues/comments/${event.id}/reactions`, { content: "+1" }).expect(404);
      await alice.get(`${site}/issues/comments/99/reactions`).expect(404);
    });

    test("include subscribers: explicit ones, participants and watchers, except users who unsubscribed", async () => {
      await using w = await world(dialect);
      const { alice, bob, carol, forge } = w;
      const check = async (user: TestUser) => (await user.get(`${one}/subscriptions/check`).expect(200)).subscribed;
      expect([await check(alice), await check(bob)]).toEqual([true, false]);
      await bob.put(`${one}/subscriptions/bob`).expect(201);
      await bob.put(`${one}/subscriptions/bob`).expect(200);
      expect(await check(bob)).toBe(true);
      expect((await forge.anonymous.get(`${one}/subscriptions`).expect(200)).map(({ login }: { login: string }) => login)).toEqual(["bob"]);
      await bob.delete(`${one}/subscriptions/bob`).expect(201);
      await bob.delete(`${one}/subscriptions/bob`).expect(200);
      await carol.post(`${one}/comments`, { body: "x" }).expect(201);
      expect([await check(bob), await check(carol)]).toEqual([false, true]);
      expect(await statusAndMessage(bob.put(`${one}/subscriptions/carol`))).toEqual([403, "bob is not permitted to change subscriptions for carol"]);
      await alice.put(`${one}/subscriptions/nobody`).expect(404);
      await forge.anonymous.get(`${one}/subscriptions/check`).expect(401);
    });

    test("list blocked issues in pages with the total", async () => {
      await using w = await world(dialect);
      const { alice, forge } = w;
      await alice.post(`${site}/issues`, { title: "three" }).expect(201);
      // The list begins with those of the latest second.
      await forge.context.db.tx((tx) => tx.sql.updateTable("issues").set({ created_ms: 1_000_000 }).execute());
      for (const number of [2, 3]) await alice.post(`${one}/blocks`, { owner: "alice", repo: "site", index: number }).expect(201);
      const blocked = async (query: string): Promise<readonly unknown[]> => {
        const { json, headers } = await alice.get(`${one}/blocks${query}`);
        return [numbers(json), headers.get("x-total-count")];
      };
      expect(await blocked("")).toEqual([[2, 3], "2"]);
      expect(await blocked("?page=2&limit=1")).toEqual([[3], "2"]);
    });

    test("list all tracked times of a user in a repository without pages, filtered by time", async () => {
      await using w = await world(dialect);
      const { alice, bob } = w;
      for (let month = 1; month <= 12; month += 1) {
        const created = `2031-${String(month).padStart(2, "0")}-01T00:00:00Z`;
        for (const time of [month, 100 + month, 200 + month]) await bob.post(`${one}/times`, { time, created }).expect(200);
      }
      await alice.post(`${one}/times`, { time: 7 }).expect(200);
      const listed = async (query: string): Promise<readonly unknown[]> => {
        const { json, headers } = await alice.get(`${site}/times/bob${query}`);
        return [json.length, headers.get("x-total-count"), json.at(0)?.time, json.at(-1)?.time];
      };
      expect(await listed("")).toEqual([36, null, 1, 212]);
      expect(await listed("?since=2031-12-01T00:00:00Z")).toEqual([3, null, 12, 212]);
      expect(await listed("?before=2031-01-02T00:00:00Z")).toEqual([3, null, 1, 201]);
      expect(await listed("?since=2031-02-01T00:00:00Z&before=2031-02-01T00:00:00Z")).toEqual([3, null, 2, 202]);
      expect(await listed("?since=2032-01-01T00:00:00Z")).toEqual([0, null, undefined, undefined]);
      expect((await alice.get(`${site}/times/bob?since=yesterday`)).status).toBe(422);
      expect(await bob.post(`${one}/times`, { time: 5, user_name: "alice" }).expect(200)).toMatchObject({ user_name: "bob" });
    });

    test("track time manually and by stopwatch", async () => {
      await using w = await world(dialect);
      const { alice, bob, carol, forge } = w;
      const time = await alice.post(`${one}/times`, { time: 5_400 }).expect(200);
      expect(time).toMatchObject({ time: 5_400, user_name: "alice", issue: { number: 1 } });
      const bobs = await alice.post(`${one}/times`, { time: 60, user_name: "bob", created: "2031-01-01T00:00:00Z" }).expect(200);
      expect(bobs).toMatchObject({ user_name: "bob", created: "2031-01-01T00:00:00Z", issue: { user: { login: "alice", active: false } } });
      expect(await statusAndMessage(alice.post(`${one}/times`, { time: 0 }))).toEqual([422, "[Time]: Required"]);
      const notATracker = [403, "only users with write access to issues may track time"];
      expect(await statusAndMessage(carol.post(`${one}/times`, { time: 5 }))).toEqual(notATracker);
      const seconds = async (user: TestUser, path: string): Promise<number[]> => (await user.get(path).expect(200)).map((one: { time: number }) => one.time);
      expect(await seconds(alice, `${one}/times`)).toEqual([5_400, 60]);
      expect(await seconds(alice, `${one}/times?user=bob`)).toEqual([60]);
      expect(await seconds(alice, `${site}/times?since=2030-01-01T00:00:00Z`)).toEqual([60]);
      expect(await seconds(bob, `${site}/times/bob`)).toEqual([60]);
      expect(await seconds(bob, "/user/times")).toEqual([60]);
      expect(await seconds(carol, `${site}/times`)).toEqual([]);
      expect((await carol.get(`${site}/times?user=bob`)).status).toBe(403);
      expect(await statusAndMessage(alice.get(`${site}/times/nobody`))).toEqual([404, "not found"]);
      expect(await statusAndMessage(alice.get(`${site}/times?user=nobody`))).toEqual([404, "user does not exist [uid: 0, name: nobody]"]);
      await forge.anonymous.get(`${one}/times`).expect(401);
      expect(await statusAndMessage(bob.delete(`${one}/times/${time.id}`))).toEqual([403, "only the user and site administrators may delete a tracked time"]);
      await bob.delete(`${one}/times/${bobs.id}`).expect(204);
      expect(await statusAndMessage(bob.delete(`${one}/times/${bobs.id}`))).toEqual([404, "tracked time was already deleted"]);
      expect(await statusAndMessage(bob.delete(`${one}/times`))).toEqual([404, "tracked_time does not exist"]);
      await alice.delete(`${one}/times`).expect(204);

      const watch = (number: number, what: string) => `${site}/issues/${number}/stopwatch/${what}`;
      expect(await statusAndMessage(alice.post(watch(1, "stop")))).toEqual([409, "cannot stop a non-existent stopwatch"]);
      await alice.post(watch(1, "start")).expect(201);
      expect(await statusAndMessage(alice.post(watch(1, "start")))).toEqual([409, "cannot start a stopwatch again if it already exists"]);
      await alice.post(watch(2, "start")).expect(201);
      expect((await alice.get("/user/stopwatches").expect(200)).map((one: { issue_index: number }) => one.issue_index)).toEqual([2]);
      expect(await alice.get("/user/stopwatches").expect(200)).toMatchObject([{ duration: expect.stringMatching(/^(\d+ seconds?)?$/) }]);
      await alice.delete(watch(2, "delete")).expect(204);
      expect(await statusAndMessage(alice.delete(watch(2, "delete")))).toEqual([409, "cannot cancel a non-existent stopwatch"]);
      expect(await statusAndMessage(carol.post(watch(1, "start")))).toEqual(notATracker);
      await alice.post(watch(1, "start")).expect(201);
      await alice.patch(one, { state: "closed" }).expect(201);
      expect(await alice.get("/user/stopwatches").expect(200)).toEqual([]);
      expect(await kinds(alice)).toEqual([
        "add_time_manual",
        "add_time_manual",
        "delete_time_manual",
        "delete_time_manual",
        "start_tracking",
        "stop_tracking",
        "start_tracking",
        "stop_tracking",
        "close",
      ]);
      expect((await timeline(alice))[0].body).toBe("1 hour 30 minutes");
      expect((await bob.patch(one, { time_estimate: 5_400 }).expect(201)).time_estimate).toBe(5_400);
      expect((await timeline(alice)).at(-1)).toMatchObject({ type: "change_time_estimate", body: "5400" });
      expect((await statusAndMessage(bob.patch(one, { time_estimate: -1 })))[0]).toBe(422);
      await alice.patch(site, { has_issues: true, internal_tracker: { enable_time_tracker: false } }).expect(200);
      expect(await statusAndMessage(alice.post(`${one}/times`, { time: 5 }))).toEqual([400, "time tracking disabled"]);
      expect(await statusAndMessage(bob.patch(one, { time_estimate: 0 }))).toEqual([400, "time tracking disabled"]);
    });
  });

  describe("a search across repositories", () => {
    test("finds only issues that the caller can read", async () => {
      await using w = await world(dialect);
      const { forge, alice, bob, carol } = w;
      await alice.post("/user/repos", { name: "hidden", private: true }).expect(201);
      await alice.post("/repos/alice/hidden/issues", { title: "secret needle", assignees: ["alice"] }).expect(201);
      await bob.post("/user/repos", { name: "lib" }).expect(201);
      const label = await bob.post("/repos/bob/lib/labels", { name: "bug", color: "#abc" }).expect(201);
      await bob.post("/repos/bob/lib/issues", { title: "open needle", body: "for @carol", labels: [label.id], assignees: ["carol"] }).expect(201);
      await bob.post("/repos/bob/lib/issues", { title: "done needle", closed: true }).expect(201);
      const find = async (user: { get: TestUser["get"] }, query: string): Promise<string[]> =>
        (await user.get(`/repos/issues/search?${query}`).expect(200)).map(({ title }: { title: string }) => title);
      expect(await find(alice, "q=needle")).toEqual(["open needle", "secret needle"]);
      expect(await find(forge.anonymous, "q=needle")).toEqual(["open needle"]);
      expect(await find(carol, "q=needle&state=all")).toEqual(["done needle", "open needle"]);
      expect(await find(carol, "owner=bob&state=closed")).toEqual(["done needle"]);
      expect(await find(carol, "owner=alice")).toEqual(["two", "one"]);
      expect(await find(carol, "created=true")).toEqual(["two"]);
      expect(await find(carol, "assigned=true")).toEqual(["open needle"]);
      expect(await find(carol, "mentioned=true")).toEqual(["open needle"]);
      expect(await find(carol, "review_requested=true")).toEqual([]);
      expect(await find(carol, "labels=bug,nosuch")).toEqual(["open needle"]);
      await bob.post("/repos/bob/lib/labels", { name: "ui", color: "#abc" }).expect(201);
      expect(await find(carol, "labels=bug,ui")).toEqual(["open needle"]);
      expect(await find(carol, "created_by=alice")).toEqual(["one"]);
      expect(await find(carol, "type=pulls")).toEqual([]);
      expect(await find(carol, "limit=1&page=2")).toEqual(["two"]);
      const counted = await carol.get("/repos/issues/search?limit=1");
      expect(counted.headers.get("x-total-count")).toBe("3");
      expect(await statusAndMessage(carol.get("/repos/issues/search?owner=nobody"))).toEqual([400, "user does not exist [uid: 0, name: nobody]"]);
      expect(await statusAndMessage(carol.get("/repos/issues/search?team=x"))).toEqual([400, "owner organisation is required for filtering on team"]);
      await forge.anonymous.get("/repos/issues/search?created=true").expect(401);
      const narrow = await forge.cost(() => carol.get("/repos/issues/search?limit=1").expect(200));
      const wide = await forge.cost(() => carol.get("/repos/issues/search?limit=50").expect(200));
      expect(narrow.statements.length).toBeLessThanOrEqual(7);
      expect(wide.statements.length).toBeLessThanOrEqual(7);
    });

    test("supports other orders too, from each repository's changes, or from all changes with many repositories", async () => {
      await using w = await world(dialect);
      const { forge, alice, bob, carol } = w;
      await bob.post("/user/repos", { name: "lib" }).expect(201);
      for (const repository of [site, "/repos/bob/lib"]) {
        const { id } = await bob.post(`${repository}/labels`, { name: "bug", color: "#abc" }).expect(201);
        for (const name of ["x", "y"])
          await bob.post(`${repository}/issues`, { title: `${repository.at(-1)}${name} word`, body: "@carol", labels: [id] }).expect(201);
      }
      const changed = ["by word", "two", "ex word", "bx word", "one", "ey word"];
      const { db } = forge.context;
      for (const [at, title] of changed.entries())
        await db.tx((tx) =>
          tx.sql
            .updateTable("issues")
            .set(changedNow({ dialect: dialect.name, nowMs: 1_000 * Math.min(at, 4) }))
            .where("title", "=", title)
            .execute(),
        );
      const find = async (query: string, user = carol): Promise<string[]> =>
        (await user.get(`/repos/issues/search?${query}`).expect(200)).map(({ title }: { title: string }) => title);
      // Two were updated at the same time: the newer issue comes first.
      const byChange = ["ey word", "one", "bx word", "ex word", "two", "by word"];
      const opened = ["one", "two", "ex word", "ey word", "bx word", "by word"];
      for (const [filter, kept] of [
        ["", () => true],
        ["&labels=bug", (title: string) => title.endsWith("word")],
        ["&q=word", (title: string) => title.endsWith("word")],
        ["&created_by=bob&owner=bob", (title: string) => title.startsWith("b")],
        ["&mentioned=true", (title: string) => title.endsWith("word")],
        ["&created=true&type=issues", (title: string) => title === "two"],
        ["&state=closed", () => false],
      ] as const) {
        const inOrder = byChange.filter(kept);
        for (const [sort, all] of [
          ["recentupdate", inOrder],
          ["leastupdate", inOrder.toReversed()],
          ["oldest", opened.filter(kept)],
        ] as const) {
          expect([sort + filter, await find(`sort=${sort}${filter}`)]).toEqual([sort + filter, all]);
          const pages = await Promise.all([1, 2, 3, 4].map((page) => find(`sort=${sort}${filter}&limit=2&page=${page}`)));
          expect([sort + filter, pages.flat()]).toEqual([sort + filter, all]);
        }
      }
      const cost = await forge.cost(() => alice.get("/repos/issues/search?sort=recentupdate&limit=2"));
      expect([cost.statements.length, cost.result.headers.get("x-total-count")]).toEqual([7, "6"]);
      const rows = await db.sql.selectFrom("issues").select(["id", "repo_id", "title"]).execute();
      const within = { issues: sql<SqlBool>`1 = 1`, pulls: sql<SqlBool>`1 = 1` };
      const many = await forge.cost(() => pageOrderedIds(db, { within, isClosed: false }, "updated", { page: 2, limit: 4, offset: 1 }, 6));
      const titles = new Map(rows.map(({ id, title }) => [id, title]));
      expect(many.result.items.map((id) => titles.get(id))).toEqual(["one", "bx word", "ex word", "two"]);
      if (dialect.name !== "sqlite") return;
      const { rows: plan } = await db.sql.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${many.statements[0]}`));
      const steps = plan.map(({ detail }) => detail);
      expect([steps.some((step) => step.includes("COVERING INDEX issues_changed")), steps.filter((step) => step.includes("TEMP B-TREE"))]).toEqual([true, []]);
    });
  });

  describe("concurrent requests", () => {
    test("give sixteen new issues consecutive numbers from 1 without gaps or duplicates", async () => {
      await using forge = await startForge({ dialect });
      const alice = await forge.createUser("alice");
      await alice.post("/user/repos", { name: "site" }).expect(201);
      const each = 6;
      const made = await Promise.all(
        Array.from({ length: 16 }, async (_, person) => {
          const own: number[] = [];
          for (let at = 0; at < each; at += 1) own.push((await alice.post(`${site}/issues`, { title: `${person}/${at}` }).expect(201)).number);
          return own;
        }),
      );
      expect(made.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 16 * each }, (_, index) => index + 1));
      expect((await alice.get(site).expect(200)).open_issues_count).toBe(16 * each);
      const ids = await forge.context.db.sql.selectFrom("issues").select("number").orderBy("id").execute();
      expect(ids.map(({ number }) => number)).toEqual(Array.from({ length: 16 * each }, (_, index) => index + 1));
    });

    test("keep counts and lists correct while fifty close, reopen, label, assign, comment, move and delete the same issues", async () => {
      await using forge = await startForge({ dialect });
      const alice = await forge.createUser("alice");
      await alice.post("/user/repos", { name: "site" }).expect(201);
      const milestones = await Promise.all(["a", "b"].map(async (title) => (await alice.post(`${site}/milestones`, { title }).expect(201)).id as number));
      const kinds = ["kind/a", "kind/b"];
      for (const name of kinds) await alice.post(`${site}/labels`, { name, color: "#123456", exclusive: true }).expect(201);
      for (let number = 1; number <= 5; number += 1) await alice.post(`${site}/issues`, { title: `${number}`, assignees: ["alice"] }).expect(201);
      const statuses = new Set<string>();
      const edit = async (number: number, call: Promise<{ readonly status: number }>): Promise<void> => void statuses.add(`${number} ${(await call).status}`);
      await Promise.all(
        Array.from({ length: 50 }, async (_, editor) => {
          const number = (editor % 5) + 1;
          const issue = `${site}/issues/${number}`;
          if (editor === 24) await edit(number, alice.delete(issue));
          const assignees = editor % 7 === 0 ? [] : ["alice"];
          await edit(number, alice.patch(issue, { state: editor % 3 === 0 ? "closed" : "open", milestone: milestones[editor % 2], assignees }));
          if (editor % 11 === 0) await edit(number, alice.delete(`${issue}/labels`));
          await edit(number, alice.post(`${issue}/labels`, { labels: [kinds[editor % 2]] }));
          const comment = await alice.post(`${issue}/comments`, { body: `by ${editor}` });
          await edit(number, Promise.resolve(comment));
          if (editor % 4 === 0 && comment.status === 201) await edit(number, alice.delete(`${site}/issues/comments/${comment.json.id}`));
          if (editor % 13 === 0) await edit(number, alice.patch(issue, { milestone: 0 }));
        }),
      );
      expect([...statuses].filter((status) => !/^\d 20[014]$/.test(status))).toEqual(["5 404"]);
      expect(await checkIssueCounts(forge.context)).toEqual([]);
      for (let number = 1; number <= 4; number += 1)
        await alice.patch(`${site}/issues/${number}`, { milestone: milestones[0], assignees: ["alice"] }).expect(201);
      const all = await alice.get(`${site}/issues?state=all`).expect(200);
      const open = all.filter(({ state }: { state: string }) => state === "open");
      expect((await alice.get(site).expect(200)).open_issues_count).toBe(open.length);
      const kept = Array.from({ length: 50 }, (_, editor) => editor).filter((editor) => editor % 5 !== 4 && editor % 4 !== 0).length;
      expect(all.reduce((sum: number, { comments }: { comments: number }) => sum + comments, 0)).toBe(kept);
      expect(all.map(({ labels }: { labels: unknown[] }) => labels.length)).toEqual([1, 1, 1, 1]);
      const listed = async (query: string): Promise<number> => (await alice.get(`${site}/issues?${query}`).expect(200)).length;
      expect(await listed("assigned_by=alice")).toBe(open.length);
      expect((await listed("labels=kind/a&state=closed")) + (await listed("labels=kind/b&state=closed"))).toBe(4 - open.length);
      for (const id of milestones) {
        const within = (state: string): number =>
          all.filter((issue: { state: string; milestone: { id: number } | null }) => issue.milestone?.id === id && issue.state === state).length;
        expect(await alice.get(`${site}/milestones/${id}`).expect(200)).toMatchObject({ open_issues: within("open"), closed_issues: within("closed") });
      }
    });
  });
});
