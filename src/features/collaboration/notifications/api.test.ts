import { request } from "node:http";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { differences } from "../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { tableScans } from "../../../../test/kit/plans.ts";
import { recordEvent } from "../../../events/events.ts";

interface Thread {
  readonly id: number;
  readonly unread: boolean;
  readonly pinned: boolean;
  readonly updated_at: string;
  readonly repository: { readonly full_name: string };
  readonly subject: { readonly title: string; readonly url: string; readonly latest_comment_url: string; readonly state: string };
}

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;
  let count = 0;
  let repo = "";
  beforeAll(async () => {
    forge = await startForge({ dialect });
    [alice, bob, carol] = [await forge.createUser("alice"), await forge.createUser("bob"), await forge.createUser("carol")];
  });
  afterAll(() => forge[Symbol.asyncDispose]());
  /** Each test has a repository of alice's that bob watches, without notifications. */
  beforeEach(async () => {
    repo = `r${++count}`;
    await alice.post("/user/repos", { name: repo }).expect(201);
    await bob.put(`/repos/alice/${repo}/subscription`).expect(200);
    await forge.context.db.tx((tx) => tx.sql.deleteFrom("notifications").execute());
  });

  const base = () => `/repos/alice/${repo}`;
  const open = async (user: TestUser, title: string, more: object = {}): Promise<number> =>
    (await user.post(`${base()}/issues`, { title, ...more }).expect(201)).number;
  const say = async (user: TestUser, number: number, body: string): Promise<number> =>
    (await user.post(`${base()}/issues/${number}/comments`, { body }).expect(201)).id;
  const news = (user: TestUser, query = ""): Promise<Thread[]> => user.get<Thread[]>(`/notifications${query}`).expect(200);
  const titles = async (user: TestUser, query = ""): Promise<string[]> => (await news(user, query)).map(({ subject }) => subject.title).sort();
  const idOf = async (user: TestUser, title: string): Promise<number> =>
    (await news(user, "?all=true")).find(({ subject }) => subject.title === title)?.id ?? 0;
  /** Marks threads and returns the response: status 205 has a body here, which fetch never exposes. */
  const mark = (user: TestUser, method: "PUT" | "PATCH", path: string) =>
    new Promise<{ readonly status: number; readonly json: unknown }>((resolve, reject) => {
      const sent = request(`${forge.url}/api/v1${path}`, { method, headers: { authorization: `token ${user.token}` } }, async (answer) => {
        const text = Buffer.concat(await answer.toArray()).toString();
        resolve({ status: answer.statusCode ?? 0, json: text === "" ? undefined : JSON.parse(text) });
      });
      sent.once("error", reject);
      sent.end();
    });

  describe("notifications", () => {
    test("reach subscribers with the next request, but not the author", async () => {
      await open(alice, "one");
      const number = await open(carol, "two");
      expect(await titles(bob)).toEqual(["one", "two"]);
      expect(await titles(alice)).toEqual(["two"]);
      expect(await titles(carol)).toEqual([]);
      const [thread] = await news(alice);
      expect(differences(thread, "NotificationThread")).toEqual([]);
      expect(thread).toMatchObject({
        unread: true,
        pinned: false,
        url: `${forge.url}/api/v1/notifications/threads/${thread?.id}`,
        repository: { full_name: `alice/${repo}`, owner: { login: "alice", email: "alice@example.com", active: false } },
        subject: {
          title: "two",
          type: "Issue",
          state: "open",
          url: `${forge.url}/api/v1${base()}/issues/${number}`,
          html_url: `${forge.url}/alice/${repo}/issues/${number}`,
          latest_comment_url: "",
          latest_comment_html_url: "",
        },
      });
      expect(thread?.repository).not.toHaveProperty("permissions");
      expect(await bob.get("/notifications/new").expect(200)).toEqual({ new: 2 });
      expect(await carol.get("/notifications/new").expect(200)).toEqual({ new: 0 });
    });

    test("of a comment reach participants, mentioned users and assignees once each", async () => {
      const dave = await forge.createUser(`dave${count}`);
      const number = await open(carol, "talk", {});
      await mark(alice, "PUT", "/notifications");
      const first = await say(dave, number, "hello");
      expect((await news(carol))[0]).toMatchObject({
        subject: {
          latest_comment_url: `${forge.url}/api/v1${base()}/issues/comments/${first}`,
          latest_comment_html_url: `${forge.url}/alice/${repo}/issues/${number}#issuecomment-${first}`,
        },
      });
      expect(await titles(alice)).toEqual(["talk"]);
      expect(await titles(dave)).toEqual([]);
      await say(carol, number, "again");
      expect(await titles(dave)).toEqual(["talk"]);
      expect(await news(bob)).toHaveLength(1);

      const named = await forge.createUser(`named${count}`);
      const given = await forge.createUser(`given${count}`);
      await say(alice, number, `ask @named${count} and @nosuch`);
      expect(await titles(named)).toEqual(["talk"]);
      await alice.patch(`${base()}/issues/${number}`, { assignees: [given.name] }).expect(201);
      expect(await titles(given)).toEqual(["talk"]);
      await mark(given, "PUT", "/notifications");
      await alice.patch(`${base()}/issues/${number}`, { state: "closed" }).expect(201);
      expect(await news(given)).toMatchObject([{ unread: true, subject: { state: "closed" } }]);
    });

    test("skip users who unsubscribed or have a block with the author, except for mentions", async () => {
      const number = await open(alice, "quiet");
      await mark(bob, "PUT", "/notifications");
      await forge.context.db.tx(async (tx) => {
        const issue = await tx.sql.selectFrom("issues").select("id").orderBy("id", "desc").executeTakeFirstOrThrow();
        await tx.sql.insertInto("issue_subscriptions").values({ issue_id: issue.id, account_id: bob.id, is_subscribed: 0, created_ms: 1 }).execute();
      });
      await say(carol, number, "pong");
      expect(await titles(bob)).toEqual([]);
      await say(carol, number, "pong @bob");
      expect(await titles(bob)).toEqual(["quiet"]);
      await bob.put("/user/blocks/carol").expect(204);
      await open(carol, "from somebody blocked");
      expect(await titles(bob)).toEqual(["quiet"]);
      await bob.delete("/user/blocks/carol").expect(204);
    });

    test("mark a read thread as unread again, and leave a pinned one pinned", async () => {
      const number = await open(alice, "long");
      const { id, updated_at } = (await news(bob))[0] as Thread;
      await mark(bob, "PATCH", `/notifications/threads/${id}`);
      expect(await news(bob)).toEqual([]);
      expect(await news(bob, "?all=true")).toMatchObject([{ id, unread: false, updated_at }]);
      await say(alice, number, "more");
      expect(await news(bob)).toMatchObject([{ id, unread: true }]);
      await mark(bob, "PATCH", `/notifications/threads/${id}?to-status=pinned`);
      await say(alice, number, "and more");
      expect(await news(bob)).toMatchObject([{ id, unread: false, pinned: true }]);
      await alice.delete(`${base()}/issues/${number}`).expect(204);
      expect(await news(bob, "?all=true")).toEqual([]);
    });
  });

  describe("notifications of other subjects", () => {
    test("reach users mentioned in a commit message once, however often it is pushed", async () => {
      const content = Buffer.from("x").toString("base64");
      const pushed = await alice.post(`${base()}/contents/a.txt`, { content, message: "Ask @bob and @nosuch" }).expect(201);
      await forge.settled();
      const oid: string = pushed.commit.sha;
      const [thread] = await news(bob, "?subject-type=commit");
      expect(differences(thread, "NotificationThread")).toEqual([]);
      expect(thread?.subject).toEqual({
        title: oid,
        type: "Commit",
        url: `${forge.url}/api/v1${base()}/git/commits/${oid}`,
        html_url: `${forge.url}/alice/${repo}/commit/${oid}`,
        latest_comment_url: "",
        latest_comment_html_url: "",
        state: "",
      });
      await bob.get(new URL(thread?.subject.url ?? "").pathname.replace("/api/v1", "")).expect(200);
      await mark(bob, "PUT", "/notifications");
      await alice.post(`${base()}/branches`, { new_branch_name: "other" }).expect(201);
      await forge.settled();
      expect(await news(bob, "?subject-type=commit")).toEqual([]);
      expect(await news(bob, "?all=true&subject-type=issue&subject-type=pull")).toEqual([]);
      expect(await news(carol, "?all=true")).toEqual([]);
      await alice.patch(base(), { private: true }).expect(200);
      expect(await news(bob, "?all=true")).toEqual([]);
    });

    test("reach the new owner of a pending transfer, or the owners of the organization", async () => {
      await alice.patch(base(), { private: true }).expect(200);
      await alice.post(`${base()}/transfer`, { new_owner: "carol" }).expect(201);
      const [thread] = await news(carol, "?subject-type=repository");
      expect(differences(thread, "NotificationThread")).toEqual([]);
      expect(thread?.subject).toMatchObject({ title: `alice/${repo}`, type: "Repository", url: `${forge.url}/api/v1${base()}` });
      expect([await news(alice), await news(bob)]).toEqual([[], []]);
      await carol.post(`${base()}/transfer/reject`).expect(200);
      expect(await news(carol, "?all=true")).toEqual([]);

      await alice.patch(base(), { private: false }).expect(200);
      await carol.post("/orgs", { username: `givenorg${count}` }).expect(201);
      await alice.post(`${base()}/transfer`, { new_owner: `givenorg${count}` }).expect(201);
      expect(await news(carol, "?subject-type=repository")).toHaveLength(1);
      expect([await news(alice), await news(bob)]).toEqual([[], []]);
    });
  });

  describe("hidden content", () => {
    test("causes no notifications, and hides existing ones after access is revoked", async () => {
      await alice.patch(base(), { private: true }).expect(200);
      await alice.put(`${base()}/collaborators/carol`, { permission: "read" }).expect(204);
      await carol.put(`${base()}/subscription`).expect(200);
      await open(alice, "secret", { body: "for @bob and @carol" });
      expect(await titles(bob)).toEqual([]);
      expect(await titles(carol)).toEqual(["secret"]);
      const id = await idOf(carol, "secret");
      await alice.delete(`${base()}/collaborators/carol`).expect(204);
      expect(await news(carol, "?all=true")).toEqual([]);
      const listed = await carol.get("/notifications?all=true");
      expect(listed.headers.get("x-total-count")).toBe("0");
      expect(await carol.get("/notifications/new").expect(200)).toEqual({ new: 0 });
      const missing = await carol.get("/notifications/threads/999999");
      expect(await carol.get("/notifications/threads/abc").expect(404)).toMatchObject({ message: "notification does not exist" });
      const hidden = await carol.get(`/notifications/threads/${id}`);
      expect([hidden.status, hidden.json.message]).toEqual([404, missing.json.message.replace("999999", `${id}`)]);
      expect((await mark(carol, "PATCH", `/notifications/threads/${id}`)).status).toBe(404);
      expect((await mark(carol, "PUT", "/notifications?all=true")).json).toEqual([]);
      await carol.get(`${base()}/notifications`).expect(404);
      await alice.delete(base()).expect(204);
      expect(await news(alice, "?all=true")).toEqual([]);
    });

    test("is not counted for users who can read the repository but no longer its issues", async () => {
      await alice.post("/orgs", { username: `org${count}` }).expect(201);
      await alice.post(`/orgs/org${count}/repos`, { name: "kept", private: true }).expect(201);
      const units_map = { "repo.code": "read", "repo.issues": "read" };
      const team = await alice.post(`/orgs/org${count}/teams`, { name: "readers", permission: "read", units_map, includes_all_repositories: true }).expect(201);
      await alice.put(`/teams/${team.id}/members/bob`).expect(204);
      await bob.put(`/repos/org${count}/kept/subscription`).expect(200);
      for (const title of ["one", "two"]) await alice.post(`/repos/org${count}/kept/issues`, { title }).expect(201);
      await open(alice, "three");
      expect(await bob.get("/notifications/new").expect(200)).toEqual({ new: 3 });
      await alice.patch(`/teams/${team.id}`, { name: "readers", units_map: { "repo.code": "read", "repo.issues": "none" } }).expect(200);
      const listed = await bob.get<Thread[]>("/notifications?limit=1");
      expect([listed.json.map(({ subject }) => subject.title), listed.headers.get("x-total-count")]).toEqual([["three"], "1"]);
      expect(await bob.get("/notifications/new").expect(200)).toEqual({ new: 1 });
      expect((await mark(bob, "PUT", "/notifications")).json).toHaveLength(1);
      await bob.get(`/repos/org${count}/kept`).expect(200);
    });

    test("is invisible to restricted users without explicit access", async () => {
      const guest = await forge.createUser(`guest${count}`, { restricted: true });
      await alice.put(`${base()}/collaborators/${guest.name}`, { permission: "read" }).expect(204);
      await guest.put(`${base()}/subscription`).expect(200);
      await open(alice, "for the guest");
      expect(await titles(guest)).toEqual(["for the guest"]);
      await alice.delete(`${base()}/collaborators/${guest.name}`).expect(204);
      await open(alice, "not for the guest");
      expect(await titles(guest, "?all=true")).toEqual([]);
    });
  });

  describe("lists of notifications", () => {
    test("are filtered by state, subject, time and repository", async () => {
      await open(alice, "one");
      await open(alice, "two");
      await open(alice, "three");
      await mark(bob, "PATCH", `/notifications/threads/${await idOf(bob, "one")}?to-status=read`);
      await mark(bob, "PATCH", `/notifications/threads/${await idOf(bob, "two")}?to-status=pinned`);
      const cases: readonly [string, string[]][] = [
        ["", ["three", "two"]],
        ["?all=true", ["one", "three", "two"]],
        ["?status-types=read", ["one"]],
        ["?status-types=pinned&status-types=read", ["one", "two"]],
        ["?status-types=odd", ["one", "three", "two"]],
        ["?subject-type=issue", ["three", "two"]],
        ["?subject-type=pull&all=true", []],
        ["?subject-type=commit&subject-type=repository", []],
        ["?subject-type=odd", ["three", "two"]],
        ["?since=2040-01-01T00:00:00Z", []],
        ["?before=2020-01-01T00:00:00Z", []],
        ["?since=2020-01-01T00:00:00Z&before=2040-01-01T00:00:00Z", ["three", "two"]],
      ];
      for (const [query, expected] of cases) expect([query, await titles(bob, query)]).toEqual([query, expected]);
      await bob.get("/notifications?since=bad").expect(422);
      const here = await bob.get<Thread[]>(`${base()}/notifications`).expect(200);
      expect(here.map(({ subject }) => subject.title).sort()).toEqual(["three", "two"]);
      await alice.post("/user/repos", { name: `${repo}x` }).expect(201);
      expect(await bob.get(`${base()}x/notifications?all=true`).expect(200)).toEqual([]);
    });

    test("are paginated, latest first, at the same cost for any length", async () => {
      const numbers: number[] = [];
      for (const title of ["a", "b", "c"]) numbers.push(await open(alice, title));
      // Notifications of the same millisecond are listed by id.
      for (const nowMs = Date.now(); Date.now() === nowMs; ) await setImmediate();
      await say(alice, numbers[0] ?? 0, "up");
      const page = await bob.get<Thread[]>("/notifications?limit=2");
      expect(page.json.map(({ subject }) => subject.title)).toEqual(["a", "c"]);
      expect([page.headers.get("x-total-count"), page.headers.get("link")]).toEqual(["3", expect.stringContaining('rel="next"')]);
      expect((await news(bob, "?limit=2&page=2")).map(({ subject }) => subject.title)).toEqual(["b"]);
      const one = await forge.cost(() => news(bob, "?limit=1"));
      const three = await forge.cost(() => news(bob, "?limit=50"));
      expect([one.statements.length <= 6, three.statements.length <= one.statements.length, one.processes]).toEqual([true, true, 0]);
      const scans = dialect.name === "sqlite" ? await tableScans(forge.context.db, [...one.statements, ...three.statements]) : [];
      expect(scans).toEqual([]);
    });

    test("of a private repository are written at a cost that does not depend on its readers or on the number of concurrent events", async () => {
      await alice.patch(base(), { private: true }).expect(200);
      const readers = [await forge.createUser(`p${count}a`), await forge.createUser(`p${count}b`), await forge.createUser(`p${count}c`)];
      const join = async (user: TestUser): Promise<void> => {
        await alice.put(`${base()}/collaborators/${user.name}`, { permission: "read" }).expect(204);
        await user.put(`${base()}/subscription`).expect(200);
      };
      const written = async (): Promise<number> => {
        const { statements } = await forge.cost(() => open(alice, "private"));
        return statements.filter((text) => /insert into notifications|with listening/.test(text)).length;
      };
      await join(readers[0] as TestUser);
      expect(await written()).toBe(2);
      for (const reader of readers.slice(1)) await join(reader);
      expect(await written()).toBe(2);
      for (const reader of readers) expect((await titles(reader)).includes("private")).toBe(true);
      const numbers = [await open(alice, "x"), await open(alice, "y")];
      const { db } = forge.context;
      const { id: repoId } = await alice.get(base()).expect(200);
      const issues = await db.sql.selectFrom("issues").select(["id", "number", "title"]).where("repo_id", "=", repoId).where("number", "in", numbers).execute();
      const { statements } = await forge.cost(() =>
        db.tx(async (tx) => {
          for (const { id, number, title } of issues) {
            await recordEvent(tx, "issue.closed", { repoId, issueId: id, number, isPull: false, title }, { repoId, actorId: alice.id });
          }
        }),
      );
      expect(statements.filter((text) => /insert into notifications/.test(text))).toHaveLength(1);
      expect((await titles(readers[2] as TestUser)).filter((title) => title === "x" || title === "y")).toEqual(["x", "y"]);
    });

    test("are written at a cost that does not depend on the number of subscribers", async () => {
      const statements = async (): Promise<string[]> => {
        const { statements: sent } = await forge.cost(() => open(alice, "cost"));
        return sent.filter((text) => /notifications|issue_subscriptions d/.test(text));
      };
      const few = await statements();
      for (const user of [carol, await forge.createUser(`w${count}`)]) await user.put(`${base()}/subscription`).expect(200);
      expect(await statements()).toHaveLength(few.length);
      expect(few).toHaveLength(2);
      const scans = dialect.name === "sqlite" ? await tableScans(forge.context.db, few) : [];
      // CTEs and subqueries are not tables.
      expect(scans.filter((scan) => !/^(every_reason|f|named|listening|one|scanned): /.test(scan))).toEqual([]);
    });
  });

  describe("marking notifications", () => {
    test("allows a thread's owner and administrators to mark it", async () => {
      await open(alice, "mine");
      const id = await idOf(bob, "mine");
      const path = `/notifications/threads/${id}`;
      expect(await bob.get(path).expect(200)).toMatchObject({ id, unread: true });
      const refusal = `only user itself and admin are allowed to read/change this thread ${id}`;
      expect((await alice.get(path).expect(403)).message).toBe(refusal);
      expect(await mark(alice, "PATCH", path)).toMatchObject({ status: 403, json: { message: refusal } });
      expect(await forge.admin.get(path).expect(200)).toMatchObject({ id });
      const marked = await mark(bob, "PATCH", `${path}?to-status=bogus`);
      expect(marked).toMatchObject({ status: 205, json: { id, unread: false, pinned: false } });
      expect(await mark(bob, "PATCH", `${path}?to-status=unread`)).toMatchObject({ status: 205, json: { unread: true } });
      for (const text of ["999999", "x", "0"]) await bob.get(`/notifications/threads/${text}`).expect(404);
      await forge.anonymous.get(path).expect(401);
    });

    test("marks unread threads, or those in the given states, up to a time", async () => {
      for (const title of ["one", "two", "three"]) await open(alice, title);
      await mark(bob, "PATCH", `/notifications/threads/${await idOf(bob, "three")}?to-status=pinned`);
      const shown = ({ json }: { readonly json: unknown }) => (json as Thread[]).map(({ subject, unread }) => `${subject.title} ${unread}`).sort();
      expect(await mark(bob, "PUT", `${base()}/notifications?last_read_at=2020-01-01T00:00:00Z`)).toEqual({ status: 205, json: [] });
      expect((await mark(bob, "PUT", "/notifications?last_read_at=yesterday")).status).toBe(400);
      expect(shown(await mark(bob, "PUT", `${base()}/notifications`))).toEqual(["one false", "two false"]);
      expect(await titles(bob)).toEqual(["three"]);
      expect(shown(await mark(bob, "PUT", "/notifications?to-status=unread&status-types=read"))).toEqual(["one true", "two true"]);
      expect(shown(await mark(bob, "PUT", "/notifications?all=true"))).toEqual(["one false", "three false", "two false"]);
      expect(await bob.get("/notifications/new").expect(200)).toEqual({ new: 0 });
      for (const path of ["/notifications", `${base()}/notifications`]) {
        await forge.anonymous.get(path).expect(401);
        await forge.anonymous.put(path).expect(401);
      }
    });
  });
});
