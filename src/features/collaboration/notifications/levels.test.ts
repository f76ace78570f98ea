import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Browser, createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { readPage } from "../../../../test/kit/page.ts";
import { headerOf, type ReceivedEmail, type SmtpServer, startSmtpServer } from "../../../../test/kit/smtp-server.ts";

const names = ["alice", "bob", "carol", "dave", "erin"] as const;
type Name = (typeof names)[number];

eachDialect((dialect) => {
  let mailServer: SmtpServer;
  let forge: TestForge;
  const users = {} as Record<Name, TestUser>;
  const browsers = {} as Record<Name, Browser>;
  let count = 0;
  let place = "";
  let base = "";
  beforeAll(async () => {
    mailServer = await startSmtpServer();
    forge = await startForge({ dialect, environment: mailServer.environment });
    for (const name of names) {
      users[name] = await forge.createUser(name);
      browsers[name] = createBrowser(forge.url);
      await browsers[name].signIn(users[name]);
    }
  });
  afterAll(async () => {
    await forge[Symbol.asyncDispose]();
    await mailServer[Symbol.asyncDispose]();
  });
  /** Each test has a repository of alice's with a pull request's branch, and no notifications. */
  beforeEach(async () => {
    count += 1;
    place = `/alice/r${count}`;
    base = `/repos${place}`;
    await users.alice.post("/user/repos", { name: `r${count}`, auto_init: true, default_branch: "main" }).expect(201);
    await users.alice.post(`${base}/contents/a.txt`, { content: "YQ==", new_branch: "side" }).expect(201);
    await forge.settled();
    await forge.context.db.tx((tx) => tx.sql.deleteFrom("notifications").execute());
    mailServer.emails.length = 0;
  });

  async function choose(name: Name, level: string, kinds: readonly string[] = []): Promise<number> {
    const page = await browsers[name].get(place);
    const fields = new URLSearchParams({ ...page.form(`${place}/watch`), level });
    for (const kind of kinds) fields.append("kinds", kind);
    return (await browsers[name].post(`${place}/watch`, fields)).status;
  }
  const summary = async (name: Name): Promise<string> =>
    /<details class="menu watch">.*?<span class="text">(.*?)<\/span>/s.exec((await browsers[name].get(place)).text)?.[1] ?? "";
  /** Titles in the inbox of each user who has any, and the recipients of emails since the last call. */
  async function told(): Promise<{ readonly web: Partial<Record<Name, readonly string[]>>; readonly emails: Map<string, ReceivedEmail> }> {
    await forge.settled();
    const web: Partial<Record<Name, readonly string[]>> = {};
    for (const name of names) {
      const page = await browsers[name].get("/notifications");
      const titles = [...page.text.matchAll(/<div class="what">.*?<a href="[^"]*" dir="auto">([^<]*)<\/a>/gs)].map(([, title]) => title ?? "");
      if (titles.length > 0) web[name] = titles;
    }
    await forge.context.db.tx((tx) => tx.sql.deleteFrom("notifications").execute());
    const emails = mailServer.emails.splice(0);
    return { web, emails: new Map(emails.map((email) => [email.to.join().replace("@example.com", ""), email])) };
  }
  const everyone = async (): Promise<void> => {
    expect(await choose("carol", "all")).toBe(303);
    expect(await choose("dave", "custom", ["pulls", "releases"])).toBe(303);
    expect(await choose("erin", "ignored")).toBe(303);
  };

  describe("the level of a repository", () => {
    test("selects issues and pull requests that watchers are notified of, in the inbox and by email", async () => {
      await everyone();
      await users.bob.post(`${base}/issues`, { title: "an issue" }).expect(201);
      const issue = await told();
      expect(issue.web).toEqual({ alice: ["an issue"], carol: ["an issue"] });
      expect([...issue.emails.keys()].sort()).toEqual(["alice", "carol"]);
      await users.alice.post(`${base}/pulls`, { title: "a pull request", head: "side", base: "main" }).expect(201);
      const pull = await told();
      expect(pull.web).toEqual({ carol: ["a pull request"], dave: ["a pull request"] });
      expect([...pull.emails.keys()].sort()).toEqual(["carol", "dave"]);
      // Participants are notified at each level but the last one.
      await users.dave.post(`${base}/issues/1/comments`, { body: "hello" }).expect(201);
      await told();
      await users.alice.post(`${base}/issues/1/comments`, { body: "hello" }).expect(201);
      const comment = await told();
      expect(comment.web).toEqual({ bob: ["an issue"], carol: ["an issue"], dave: ["an issue"] });
      expect([...comment.emails.keys()].sort()).toEqual(["bob", "carol", "dave"]);
    });

    test("excludes ignored repositories, even from mentions, assignments and comments on commits", async () => {
      await users.alice.put(`${base}/collaborators/erin`, { permission: "write" }).expect(204);
      await users.erin.post(`${base}/issues`, { title: "by erin" }).expect(201);
      await choose("erin", "ignored");
      await told();
      await users.alice.post(`${base}/issues/1/comments`, { body: "@erin and @bob" }).expect(201);
      await users.alice.patch(`${base}/issues/1`, { assignees: ["erin"] }).expect(201);
      const named = await told();
      expect(named.web).toEqual({ bob: ["by erin"] });
      expect([...named.emails.keys()]).toEqual(["bob"]);
      await users.alice.post(`${base}/contents/b.txt`, { content: "YQ==", message: "for @erin and @bob" }).expect(201);
      const mentioned = await told();
      expect(Object.keys(mentioned.web)).toEqual(["bob"]);
      expect([...mentioned.emails.keys()]).toEqual(["bob"]);
      // A subscription to an issue has no effect meanwhile.
      await users.erin.put(`${base}/issues/1/subscriptions/erin`).expect(201);
      expect(await users.erin.get(`${base}/issues/1/subscriptions/check`).expect(200)).toMatchObject({ subscribed: false });
      const page = readPage((await browsers.erin.get(`${place}/issues/1`)).text).text;
      expect(page).toContain("You ignore this repository.");
      await choose("erin", "participating");
      expect(await users.erin.get(`${base}/issues/1/subscriptions/check`).expect(200)).toMatchObject({ subscribed: true });
    });

    test("is shown in the menu and on the page of watched repositories, and counts watchers once", async () => {
      const watchers = async (): Promise<number> => (await users.alice.get(base).expect(200)).watchers_count;
      await everyone();
      await choose("dave", "all");
      await choose("dave", "custom", ["issues"]);
      expect([await summary("bob"), await summary("carol"), await summary("dave"), await summary("erin")]).toEqual([
        "Watch",
        "Watching",
        "Watching",
        "Ignoring",
      ]);
      expect(await watchers()).toBe(3);
      const list = async (name: Name, query = ""): Promise<string> => readPage((await browsers[name].get(`/notifications/watching${query}`)).text).text;
      expect(await list("dave")).toContain("Notifications: Issues");
      expect(await list("carol")).not.toContain("Notifications: ");
      expect(await list("erin", "?list=ignored")).toContain(`alice/r${count}`);
      const { id } = await users.alice.get(base).expect(200);
      const ignored = await browsers.erin.get("/notifications/watching?list=ignored");
      expect((await browsers.erin.submit(ignored, "/notifications/watching", { repository: `${id}` })).location).toBe(
        "/notifications/watching?list=ignored&saved=true",
      );
      expect(await summary("erin")).toBe("Watch");
      await choose("carol", "ignored");
      expect(await watchers()).toBe(2);
      expect(readPage((await browsers.bob.get(`${place}/watchers`)).text).links).not.toContain("/carol");
      expect(await choose("carol", "custom")).toBe(422);
      expect(await choose("carol", "nonsense")).toBe(422);
      expect(await summary("carol")).toBe("Ignoring");
      expect((await browsers.bob.get(place, { "accept-language": "de" })).text).toContain("Beteiligung und @Erwähnungen");
    });

    test("stays out of the API: a watch is all activity, and an ignored repository is not watched", async () => {
      await everyone();
      await users.erin.get(`${base}/subscription`).expect(404);
      expect(await users.dave.get(`${base}/subscription`).expect(200)).toMatchObject({ subscribed: true, ignored: false });
      for (const name of ["dave", "erin"] as const) await users[name].put(`${base}/subscription`).expect(200);
      await users.alice.post(`${base}/issues`, { title: "an issue" }).expect(201);
      expect(Object.keys((await told()).web)).toEqual(["carol", "dave", "erin"]);
      await users.dave.delete(`${base}/subscription`).expect(204);
      expect(await summary("dave")).toBe("Watch");
    });

    test("is kept when a team gets the repository, and refused to blocked users except for ignoring", async () => {
      await users.alice.post("/orgs", { username: `crew${count}` }).expect(201);
      const [owners] = await users.alice.get(`/orgs/crew${count}/teams`).expect(200);
      await users.alice.post(`/orgs/crew${count}/repos`, { name: "shared" }).expect(201);
      const team = await users.alice.post(`/orgs/crew${count}/teams`, { name: "readers", permission: "read", units: ["repo.code"] }).expect(201);
      for (const name of ["bob", "erin"] as const) await users.alice.put(`/teams/${team.id}/members/${name}`).expect(204);
      place = `/crew${count}/shared`;
      await choose("erin", "ignored");
      await users.alice.put(`/teams/${team.id}/repos/crew${count}/shared`).expect(204);
      expect([owners.name, await summary("bob"), await summary("erin")]).toEqual(["Owners", "Watching", "Ignoring"]);
      await users.alice.put(`/orgs/crew${count}/blocks/dave`).expect(204);
      expect([await choose("dave", "custom", ["issues"]), await choose("dave", "ignored")]).toEqual([403, 303]);
      await users.alice.delete(`/orgs/crew${count}/blocks/dave`).expect(204);
    });
  });

  describe("a published release", () => {
    const publish = (more: object = {}) =>
      users.alice.post(`${base}/releases`, { tag_name: "v1", name: "First", body: "With **news**", target_commitish: "main", ...more }).expect(201);

    test("notifies watchers of releases except the publisher, in the inbox and by email", async () => {
      await everyone();
      await choose("bob", "custom", ["issues"]);
      await publish();
      const { web, emails } = await told();
      expect(web).toEqual({ carol: ["First"], dave: ["First"] });
      expect([...emails.keys()].sort()).toEqual(["carol", "dave"]);
      const email = emails.get("carol");
      expect(headerOf(email, "subject")).toBe(`[alice/r${count}] Release First`);
      expect(email?.raw).toContain(`alice published release First (v1) in alice/r${count}.`);
      expect(email?.raw).toContain("<strong>news</strong>");
      expect(email?.raw).toContain(`${forge.url}/alice/r${count}/releases/tag/v1`);
      expect(headerOf(email, "x-gitea-reason")).toBe("subscribed");
    });

    test("is not announced while it is a draft or a pre-release, and its notification ends when it becomes a draft", async () => {
      await choose("carol", "all");
      const draft = await publish({ draft: true });
      await publish({ tag_name: "v2", name: "Beta", prerelease: true });
      expect((await told()).web).toEqual({});
      await users.alice.patch(`${base}/releases/${draft.id}`, { draft: false }).expect(200);
      await forge.settled();
      expect(readPage((await browsers.carol.get("/notifications")).text).links).toContain(`${place}/releases/tag/v1`);
      await users.alice.patch(`${base}/releases/${draft.id}`, { draft: true }).expect(200);
      expect((await told()).web).toEqual({});
    });

    test("is a thread of its own beside those of its commit and its repository, with its title and author", async () => {
      await choose("carol", "all");
      await publish();
      await publish({ tag_name: "v2", name: "" });
      const page = await browsers.carol.get("/notifications");
      const { text, links } = readPage(page.text);
      expect(links).toEqual(expect.arrayContaining([`${place}/releases/tag/v1`, `${place}/releases/tag/v2`]));
      expect(text).toContain("Release · You watch the repository");
      expect(text).toContain("alice With news");
      const { rows } = await forge.context.db.sql.executeQuery<{ id: number }>(
        forge.context.db.sql.selectFrom("notifications").select("id").where("account_id", "=", users.carol.id).orderBy("id").compile(),
      );
      expect(rows.length).toBe(2);
      const [first] = rows;
      const marked = await browsers.carol.submit(page, `/notifications/${first?.id}`, { status: "read" });
      expect(marked.status).toBe(303);
      // Gitea has no such threads, and clients know no other types.
      expect(await users.carol.get("/notifications?all=true").expect(200)).toEqual([]);
      expect(await users.carol.get("/notifications/new").expect(200)).toEqual({ new: 0 });
      await users.carol.get(`/notifications/threads/${first?.id}`).expect(404);
      await users.carol.put("/notifications").expect(205);
      expect((await told()).web).toEqual({ carol: ["v2"] });
    });

    test("notifies only those watchers of a private repository who can read it when it is published and when the email is sent", async () => {
      await users.alice.patch(base, { private: true }).expect(200);
      for (const name of ["carol", "dave"] as const) {
        await users.alice.put(`${base}/collaborators/${name}`, { permission: "read" }).expect(204);
        await choose(name, "all");
      }
      const { db } = forge.context;
      const { id } = await users.alice.get(base).expect(200);
      // Rows of users without access, as they exist for a moment after their access was revoked.
      await db.tx((tx) => tx.sql.insertInto("watches").values({ repo_id: id, account_id: users.bob.id, created_ms: 0 }).execute());
      await publish();
      const { web, emails } = await told();
      expect(web).toEqual({ carol: ["First"], dave: ["First"] });
      expect([...emails.keys()].sort()).toEqual(["carol", "dave"]);
    });

    test("takes a constant number of statements for any number of watchers", async () => {
      const cost = async (tag: string): Promise<number> => {
        const { statements } = await forge.cost(() => publish({ tag_name: tag }));
        return statements.filter((statement) => statement.includes("watches w") && !statement.includes("email_notifications")).length;
      };
      await choose("bob", "all");
      expect(await cost("v1")).toBe(2);
      for (const name of ["carol", "dave", "erin"] as const) await choose(name, "all");
      expect(await cost("v2")).toBe(2);
    });
  });
});
