import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../../test/kit/forge.ts";
import { changedNow } from "../../../../db/update-time.ts";

const site = "/repos/alice/site";

interface World extends AsyncDisposable {
  readonly forge: TestForge;
  /** Repository owner. */
  readonly alice: TestUser;
  /** Has write access. */
  readonly bob: TestUser;
  /** Reads like every other user. */
  readonly carol: TestUser;
}

async function world(dialect: Parameters<typeof startForge>[0]["dialect"]): Promise<World> {
  const forge = await startForge({ dialect });
  const [alice, bob, carol] = await Promise.all([forge.createUser("alice"), forge.createUser("bob"), forge.createUser("carol")]);
  await alice.post("/user/repos", { name: "site" }).expect(201);
  await alice.put(`${site}/collaborators/bob`, { permission: "write" }).expect(204);
  return { forge, alice, bob, carol, [Symbol.asyncDispose]: () => forge[Symbol.asyncDispose]() };
}

const titles = (issues: readonly { title: string }[]): string[] => issues.map(({ title }) => title);
const kinds = async (user: TestUser, number = 1): Promise<string[]> =>
  (await user.get(`${site}/issues/${number}/timeline`).expect(200)).map(({ type }: { type: string }) => type);

eachDialect((dialect) => {
  describe("an issue", () => {
    test("can be created with labels, milestone, assignees and due date by writers and read by everyone", async () => {
      await using w = await world(dialect);
      const { forge, alice, bob } = w;
      const label = await alice.post(`${site}/labels`, { name: "bug", color: "#f00" }).expect(201);
      const kindA = await alice.post(`${site}/labels`, { name: "kind/a", color: "#0f0", exclusive: true }).expect(201);
      const kindB = await alice.post(`${site}/labels`, { name: "kind/b", color: "#00f", exclusive: true }).expect(201);
      const milestone = await alice.post(`${site}/milestones`, { title: "v1" }).expect(201);
      const made = await bob
        .post(`${site}/issues`, {
          title: "First",
          body: "text",
          ref: "main",
          labels: [kindA.id, label.id, kindB.id, 999_999],
          milestone: milestone.id,
          assignees: ["carol", "alice"],
          due_date: "2033-01-02T03:04:05Z",
        })
        .expect(201);
      expect(made).toMatchObject({
        number: 1,
        url: `${forge.url}/api/v1${site}/issues/1`,
        html_url: `${forge.url}/alice/site/issues/1`,
        user: { login: "bob" },
        title: "First",
        body: "text",
        ref: "main",
        assets: [],
        state: "open",
        comments: 0,
        closed_at: null,
        due_date: "2033-01-02T03:04:05Z",
        content_version: 0,
        repository: { name: "site", owner: "alice", full_name: "alice/site" },
        milestone: { title: "v1", open_issues: 1 },
      });
      expect(made.labels.map(({ name }: { name: string }) => name)).toEqual(["bug", "kind/a", "kind/b"]);
      expect(made.assignees.map(({ login }: { login: string }) => login)).toEqual(["carol", "alice"]);
      expect(made.assignee.login).toBe("carol");
      const seen = await forge.anonymous.get(`${site}/issues/1`).expect(200);
      // @compat a number can begin with zeros
      expect(await forge.anonymous.get(`${site}/issues/01`).expect(200)).toEqual(seen);
      expect(seen.title).toBe("First");
      expect((await alice.get(site).expect(200)).open_issues_count).toBe(1);
    });

    test("of a reader gets no labels, milestone, assignees or due date", async () => {
      await using w = await world(dialect);
      const label = await w.alice.post(`${site}/labels`, { name: "bug", color: "#f00" }).expect(201);
      const plan = { labels: [label.id], assignees: ["bob"], due_date: "2033-01-02T03:04:05Z" };
      const made = await w.carol.post(`${site}/issues`, { title: "By carol", ...plan }).expect(201);
      expect(made).toMatchObject({ labels: [], assignees: null, assignee: null, milestone: null, due_date: null });
    });

    test("is rejected with invalid fields", async () => {
      await using w = await world(dialect);
      const { alice, carol, forge } = w;
      const message = async (call: Promise<{ json: { message: string }; status: number }>) => {
        const { status, json } = await call;
        return [status, json.message];
      };
      expect(await message(alice.post(`${site}/issues`, { title: "" }))).toEqual([422, "[Title]: Required"]);
      expect(await message(alice.post(`${site}/issues`, { title: "x", assignees: ["nobody"] }))).toEqual([
        422,
        "Assignee does not exist: [name: user does not exist [uid: 0, name: nobody]]",
      ]);
      expect(await message(forge.anonymous.post(`${site}/issues`, { title: "x" }))).toEqual([401, "token is required"]);
      await alice.post("/user/repos", { name: "hidden", private: true }).expect(201);
      await carol.post("/repos/alice/hidden/issues", { title: "x" }).expect(404);
      expect((await alice.post("/repos/alice/hidden/issues", { title: "x", assignees: ["carol"] })).status).toBe(422);
      expect((await alice.get("/repos/alice/hidden/issues").expect(200)).length).toBe(0);
      await alice.put("/user/blocks/carol").expect(204);
      expect(await message(carol.post(`${site}/issues`, { title: "x" }))).toEqual([403, "user is blocked"]);
      await alice.patch(site, { archived: true }).expect(200);
      expect((await alice.post(`${site}/issues`, { title: "x" })).status).toBe(423);
    });

    test("returns 404 if the repository has issues disabled", async () => {
      await using w = await world(dialect);
      await w.alice.post(`${site}/issues`, { title: "x" }).expect(201);
      await w.alice.patch(site, { has_issues: false }).expect(200);
      await w.alice.get(`${site}/issues`).expect(404);
      await w.alice.get(`${site}/issues/1`).expect(404);
      await w.alice.post(`${site}/issues`, { title: "x" }).expect(404);
      await w.alice.patch(site, { has_pull_requests: false }).expect(200);
      await w.alice.get(`${site}/issues`).expect(404);
    });

    test("is updated as a whole or not at all, with a timeline entry for each change", async () => {
      await using w = await world(dialect);
      const { alice, bob, carol } = w;
      const milestone = await alice.post(`${site}/milestones`, { title: "v1" }).expect(201);
      await carol.post(`${site}/issues`, { title: "One", body: "text" }).expect(201);
      const edited = await bob
        .patch(`${site}/issues/1`, { title: "Two", body: "other", ref: "main", assignees: ["bob"], milestone: milestone.id, due_date: "2033-01-02T03:04:05Z" })
        .expect(201);
      expect(edited).toMatchObject({ title: "Two", body: "other", content_version: 1, due_date: "2033-01-02T23:59:59Z", milestone: { open_issues: 1 } });
      expect(await kinds(alice)).toEqual(["change_title", "change_issue_ref", "added_deadline", "assignees", "milestone"]);
      await bob.patch(`${site}/issues/1`, { ref: "refs/heads/next" }).expect(201);
      const { old_ref, new_ref } = (await alice.get(`${site}/issues/1/timeline`).expect(200)).at(-1);
      expect([old_ref, new_ref]).toEqual(["main", "next"]);
      const cleared = await bob.patch(`${site}/issues/1`, { assignees: [], milestone: 0, unset_due_date: true, body: "" }).expect(201);
      expect(cleared).toMatchObject({ body: "", content_version: 2, due_date: null, milestone: null, assignees: null });
      expect(await bob.patch(`${site}/issues/1`, { title: "", due_date: null }).expect(201)).toMatchObject({ title: "Two", content_version: 2 });

      const stale = await bob.patch(`${site}/issues/1`, { content_version: 1, body: "late" });
      expect([stale.status, stale.json.message]).toEqual([409, "the issue is already changed"]);
      const unknown = await bob.patch(`${site}/issues/1`, { state: "odd", title: "Three" });
      expect([unknown.status, unknown.json.message]).toEqual([412, "unknown state: odd"]);
      expect((await bob.patch(`${site}/issues/1`, { title: "Three", milestone: 999_999 })).status).toBe(422);
      expect((await bob.patch(`${site}/issues/1`, { title: "Three", assignees: ["nobody"] })).status).toBe(422);
      expect((await alice.get(`${site}/issues/1`).expect(200)).title).toBe("Two");
    });

    test("can have its title, text and state changed only by its author and by users who write issues", async () => {
      await using w = await world(dialect);
      const { alice, carol, forge } = w;
      const mallory = await forge.createUser("mallory");
      await carol.post(`${site}/issues`, { title: "One" }).expect(201);
      const refused = await mallory.patch(`${site}/issues/1`, { title: "evil" });
      expect([refused.status, refused.json.message]).toEqual([403, "only the author and users with write access to issues may edit an issue"]);
      const own = await carol.patch(`${site}/issues/1`, { title: "Mine", state: "closed", assignees: ["carol"], due_date: "2033-01-02T03:04:05Z" }).expect(201);
      expect(own).toMatchObject({ title: "Mine", state: "closed", assignees: null, due_date: null });
      expect(own.closed_at).not.toBeNull();
      await mallory.delete(`${site}/issues/1`).expect(403);
      await alice.delete(`${site}/issues/1`).expect(204);
      await alice.get(`${site}/issues/1`).expect(404);
      expect((await alice.post(`${site}/issues`, { title: "Next" }).expect(201)).number).toBe(2);
    });

    test("is counted once when closed and reopened", async () => {
      await using w = await world(dialect);
      const { alice } = w;
      const milestone = await alice.post(`${site}/milestones`, { title: "v1" }).expect(201);
      await alice.post(`${site}/issues`, { title: "One", milestone: milestone.id }).expect(201);
      await alice.post(`${site}/issues`, { title: "Two", milestone: milestone.id, closed: true }).expect(201);
      const counts = async () => {
        const { open_issues, closed_issues } = await alice.get(`${site}/milestones/${milestone.id}`).expect(200);
        const { open_issues_count } = await alice.get(site).expect(200);
        return [open_issues_count, open_issues, closed_issues];
      };
      expect(await counts()).toEqual([1, 1, 1]);
      for (const state of ["closed", "closed", "open", "closed"]) await alice.patch(`${site}/issues/1`, { state }).expect(201);
      expect(await counts()).toEqual([0, 0, 2]);
      expect(await kinds(alice)).toEqual(["milestone", "close", "reopen", "close"]);
      await alice.patch(`${site}/issues/1`, { state: "open", milestone: 0 }).expect(201);
      expect(await counts()).toEqual([1, 0, 1]);
      await alice.delete(`${site}/issues/2`).expect(204);
      expect(await counts()).toEqual([1, 0, 0]);
    });

    test("is created and updated with a bounded number of statements", async () => {
      await using w = await world(dialect);
      const { alice, forge } = w;
      const label = await alice.post(`${site}/labels`, { name: "bug", color: "#f00" }).expect(201);
      const milestone = await alice.post(`${site}/milestones`, { title: "v1" }).expect(201);
      const plan = { labels: [label.id], milestone: milestone.id, assignees: ["bob"] };
      const opened = await forge.cost(() => alice.post(`${site}/issues`, { title: "One", body: "@bob #1", ...plan }).expect(201));
      expect(opened.statements.length).toBeLessThanOrEqual(28);
      const plain = await forge.cost(() => alice.post(`${site}/issues`, { title: "Two", body: "text" }).expect(201));
      expect(plain.statements.length).toBeLessThanOrEqual(9);
      for (let more = 0; more < 5; more += 1) await alice.post(`${site}/issues`, { title: "More", ...plan }).expect(201);
      const read = await forge.cost(() => alice.get(`${site}/issues/1`).expect(200));
      expect(read.statements.length).toBeLessThanOrEqual(6);
      const listed = async (limit: number) => (await forge.cost(() => alice.get(`${site}/issues?limit=${limit}`).expect(200))).statements.length;
      expect(await listed(1)).toBe(await listed(6));
      expect(await listed(6)).toBeLessThanOrEqual(8);
      const filters = "labels=bug&milestones=v1&created_by=alice&assigned_by=bob&q=one&limit=1";
      expect((await forge.cost(() => alice.get(`${site}/issues?${filters}`).expect(200))).statements.length).toBeLessThanOrEqual(8);
    });
  });

  describe("a list of issues", () => {
    test("contains all issues if there is a milestone without a title and none is given", async () => {
      await using w = await world(dialect);
      const { alice } = w;
      const untitled = await alice.post(`${site}/milestones`, {}).expect(201);
      await alice.post(`${site}/issues`, { title: "one", milestone: untitled.id }).expect(201);
      await alice.post(`${site}/issues`, { title: "two" }).expect(201);
      expect((await alice.get(`${site}/issues`).expect(200)).map(({ title }: { title: string }) => title)).toEqual(["two", "one"]);
    });

    test("combines all filters", async () => {
      await using w = await world(dialect);
      const { alice, bob, carol } = w;
      const bug = await alice.post(`${site}/labels`, { name: "bug", color: "#f00" }).expect(201);
      const ui = await alice.post(`${site}/labels`, { name: "ui", color: "#f00" }).expect(201);
      const milestone = await alice.post(`${site}/milestones`, { title: "v1" }).expect(201);
      await alice
        .post(`${site}/issues`, { title: "one", labels: [bug.id, ui.id], milestone: milestone.id, assignees: ["bob"], body: "for @carol" })
        .expect(201);
      await bob.post(`${site}/issues`, { title: "two", labels: [bug.id], assignees: ["bob"] }).expect(201);
      await carol.post(`${site}/issues`, { title: "three", body: "Straße (50% off_now)" }).expect(201);
      await alice.post(`${site}/issues`, { title: "four", closed: true, labels: [ui.id] }).expect(201);
      await carol.post(`${site}/issues/2/comments`, { body: "a needle in it" }).expect(201);
      const list = async (query: string): Promise<string[]> => titles(await w.forge.anonymous.get(`${site}/issues?${query}`).expect(200));
      const cases: readonly [string, readonly string[]][] = [
        ["", ["three", "two", "one"]],
        ["state=odd", ["three", "two", "one"]],
        ["state=closed", ["four"]],
        ["state=all", ["four", "three", "two", "one"]],
        ["state=all&limit=2", ["four", "three"]],
        ["state=all&limit=2&page=2", ["two", "one"]],
        ["state=all&limit=3&page=2", ["one"]],
        ["state=all&limit=3&page=3", []],
        ["type=pulls&state=all", []],
        ["type=issues", ["three", "two", "one"]],
        ["labels=bug", ["two", "one"]],
        ["labels=bug,ui", ["one"]],
        ["labels=ui&state=all", ["four", "one"]],
        ["labels=nosuch", ["three", "two", "one"]],
        ["milestones=v1", ["one"]],
        [`milestones=${milestone.id}`, ["one"]],
        ["created_by=bob", ["two"]],
        ["assigned_by=bob", ["two", "one"]],
        ["assigned_by=bob&labels=ui&milestones=v1&created_by=alice", ["one"]],
        ["mentioned_by=carol", ["one"]],
        ["since=2040-01-01T00:00:00Z", []],
        ["before=2040-01-01T00:00:00Z", ["three", "two", "one"]],
        ["q=THREE", ["three"]],
        ["q=needle", ["two"]],
        ["q=needle two", []],
        ["q=stra%C3%9Fe", ["three"]],
        ["q=50%25", ["three"]],
        ["q=off_now", ["three"]],
        ["q=off-now", []],
        ["q=tw", ["two"]],
        [`q=${encodeURIComponent('x" OR "three')}`, []],
        ["q=*", []],
        ["q=thr*", []],
        ["q=NEAR(one two)", []],
      ];
      for (const [query, expected] of cases) expect([query, await list(query)]).toEqual([query, expected]);
      expect((await w.forge.anonymous.get(`${site}/issues?created_by=nobody`)).status).toBe(404);
      expect((await w.forge.anonymous.get(`${site}/issues?since=bad`)).status).toBe(422);
    });

    test("is searched by the current text, however many texts have been indexed since", async () => {
      await using w = await world(dialect);
      const { alice } = w;
      const found = async (word: string): Promise<number[]> =>
        (await alice.get(`${site}/issues?q=${encodeURIComponent(word)}&state=all`).expect(200))
          .map(({ number }: { number: number }) => number)
          .sort((a: number, b: number) => a - b);
      const open = (title: string, body = ""): Promise<unknown> => alice.post(`${site}/issues`, { title, body }).expect(201);
      await open("Heron");
      await open("other", `a 100% HERON, ${"and more of it ".repeat(300)}`);
      await alice.post(`${site}/issues/2/comments`, { body: "Kingfisher" }).expect(201);
      expect([await found("heron"), await found("100% h"), await found("100_"), await found("kingfisher")]).toEqual([[1, 2], [2], [], [2]]);
      // Texts are indexed in batches: the following happens before some batches and after others.
      for (let count = 3; count <= 70; count += 1) await open(`filler-${count}.`);
      expect([await found("heron"), await found("filler-3."), await found("filler-70.")]).toEqual([[1, 2], [3], [70]]);
      await alice.patch(`${site}/issues/1`, { title: "Egret" }).expect(201);
      await alice.patch(`${site}/issues/70`, { title: "Egret too" }).expect(201);
      const [comment] = await alice.get(`${site}/issues/2/comments`).expect(200);
      await alice.patch(`/repos/alice/site/issues/comments/${comment.id}`, { body: "Bittern" }).expect(200);
      expect([await found("heron"), await found("egret"), await found("filler-70."), await found("kingfisher"), await found("bittern")]).toEqual([
        [2],
        [1, 70],
        [],
        [],
        [2],
      ]);
      await alice.delete(`${site}/issues/1`).expect(204);
      await alice.delete(`${site}/issues/70`).expect(204);
      await alice.delete(`/repos/alice/site/issues/comments/${comment.id}`).expect(204);
      expect([await found("egret"), await found("bittern")]).toEqual([[], []]);
    });

    test("is sorted in other orders too, with every filter and page size", async () => {
      await using w = await world(dialect);
      const { forge, alice } = w;
      await alice.post(`${site}/labels`, { name: "odd", color: "#0f0" }).expect(201);
      for (let number = 1; number <= 7; number += 1) await alice.post(`${site}/issues`, { title: `n${number} word`, body: "" }).expect(201);
      // Orders by update time: the issues updated last were opened early, and two were updated at the same time.
      const changed = [4, 7, 1, 6, 3, 5, 2];
      for (const [index, number] of changed.entries()) {
        if (number % 2 === 1) await alice.post(`${site}/issues/${number}/labels`, { labels: ["odd"] }).expect(200);
        // Within one interval of PostgreSQL.
        const times = changedNow({ dialect: dialect.name, nowMs: 3_000_000 + 1_000 * Math.min(index, 5) });
        await forge.context.db.tx((tx) => tx.sql.updateTable("issues").set(times).where("number", "=", number).execute());
      }
      const list = async (rest: string): Promise<number[]> =>
        (await alice.get(`${site}/issues?${rest}`).expect(200)).map(({ number }: { number: number }) => number);
      const inPages = async (rest: string): Promise<number[]> => (await Promise.all([1, 2, 3, 4].map((page) => list(`${rest}&limit=2&page=${page}`)))).flat();
      const byChange = [5, 2, 3, 6, 1, 7, 4];
      for (const [filter, kept] of [
        ["", () => true],
        ["&labels=odd", (number: number) => number % 2 === 1],
        ["&q=word", () => true],
        ["&q=n1", (number: number) => number === 1],
        ["&created_by=alice&type=issues", () => true],
        ["&since=1970-01-01T00:50:03Z", (number: number) => [5, 2, 3, 6].includes(number)],
        ["&state=closed", () => false],
      ] as const) {
        for (const [order, all] of [
          ["oldest", [1, 2, 3, 4, 5, 6, 7]],
          ["recentupdate", byChange],
          ["leastupdate", byChange.toReversed()],
        ] as const) {
          const expected = all.filter(kept);
          expect([order + filter, await list(`sort=${order}${filter}`)]).toEqual([order + filter, expected]);
          expect([order + filter, await inPages(`sort=${order}${filter}`)]).toEqual([order + filter, expected]);
        }
      }
      const cost = await forge.cost(() => alice.get(`${site}/issues?sort=recentupdate&labels=odd&limit=1`));
      expect(cost.result.headers.get("x-total-count")).toBe("4");
      expect(cost.statements.length).toBeLessThanOrEqual(8);
    });

    test("searches for short words in the newest titles and for longer words in all titles", async () => {
      await using w = await world(dialect);
      await w.alice.post(`${site}/issues`, { title: "zq longword" }).expect(201);
      const { id } = await w.alice.get(site).expect(200);
      await w.forge.context.db.tx((tx) =>
        sql`with recursive n (x) as (select 100 union all select x + 1 from n where x < 5098)
          insert into issues (repo_id, number, is_pull, title, content, ref, created_ms, updated_ms)
          select cast(${id} as bigint), x, 0, 'one of many', '', '', 1, 1 from n`.execute(tx.sql),
      );
      const list = async (query: string) => titles(await w.alice.get(`${site}/issues?limit=2&${query}`).expect(200));
      expect([await list("q=zq"), await list("q=zq+longword")]).toEqual([["zq longword"], ["zq longword"]]);
      await w.alice.post(`${site}/issues`, { title: "zq new" }).expect(201);
      expect([await list("q=zq"), await list("q=zq+longword"), await list("q=zq&created_by=alice")]).toEqual([
        ["zq new"],
        ["zq longword"],
        ["zq new", "zq longword"],
      ]);
    });

    test("has the total and page links in both directions", async () => {
      await using w = await world(dialect);
      for (let number = 1; number <= 9; number += 1) await w.alice.post(`${site}/issues`, { title: `n${number}`, closed: number % 3 === 0 }).expect(201);
      const pages: string[] = [];
      for (let page = 1; page <= 5; page += 1) {
        const answer = await w.alice.get(`${site}/issues?state=all&limit=2&page=${page}`);
        expect(answer.headers.get("x-total-count")).toBe("9");
        pages.push(titles(answer.json).join(" "));
      }
      expect(pages).toEqual(["n9 n8", "n7 n6", "n5 n4", "n3 n2", "n1"]);
      const closed = await w.alice.get(`${site}/issues?state=closed&limit=1&page=3`);
      expect([titles(closed.json), closed.headers.get("x-total-count")]).toEqual([["n3"], "3"]);
      expect(closed.headers.get("link")).toContain('rel="prev"');
    });

    test("is the same in small pages as in one, with every filter, at nine statements per page or fewer", async () => {
      await using w = await world(dialect);
      const { alice, forge } = w;
      await alice.post("/user/repos", { name: "other" }).expect(201);
      for (const base of [site, "/repos/alice/other"]) {
        const labels = await Promise.all(["odd", "low"].map(async (name) => (await alice.post(`${base}/labels`, { name, color: "#fff" }).expect(201)).id));
        const { id: milestone } = await alice.post(`${base}/milestones`, { title: "v1" }).expect(201);
        for (let number = 1; number <= 6; number += 1) {
          const borne = [...(number % 2 === 1 ? [labels[0]] : []), ...(number < 6 ? [labels[1]] : [])];
          await alice.post(`${base}/issues`, { title: `word ${number}`, labels: borne, milestone, assignees: ["bob"], closed: number === 3 }).expect(201);
        }
      }
      const filters = ["", "labels=odd", "created_by=alice&milestones=v1", "assigned_by=bob", "q=word", "q=wo", "state=all&labels=odd,low"];
      for (const filter of filters) {
        for (const path of [`${site}/issues?`, "/repos/issues/search?"]) {
          const query = `${path}${filter}&limit=`;
          const whole = await alice.get(`${query}50`).expect(200);
          expect(whole.length, query).toBeGreaterThan(1);
          const walked: unknown[] = [];
          for (let page = 1; page <= Math.ceil(whole.length / 2) + 1; page += 1) {
            const { result, statements } = await forge.cost(async () => alice.get(`${query}2&page=${page}`));
            expect([query, result.headers.get("x-total-count")]).toEqual([query, String(whole.length)]);
            expect(statements.length).toBeLessThanOrEqual(9);
            walked.push(...result.json);
          }
          expect(walked, query).toEqual(whole);
        }
      }
    });
  });
});
