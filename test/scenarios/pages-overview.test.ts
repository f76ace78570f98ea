import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { type ReadPage, readPage } from "../kit/page.ts";

/** Start pages of users: pending work, notifications, profiles. */

const evil = '"><img src=x onerror=alert(1)><script>alert(2)</script>';

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;
  let visitor: Browser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob", { full_name: `Bob ${evil}` });
    carol = await forge.createUser("carol");
    await alice.post("/user/repos", { name: "r", auto_init: true, description: `Things ${evil}` }).expect(201);
    await alice.post("/user/repos", { name: "secret", private: true, auto_init: true }).expect(201);
    await alice.post("/user/repos", { name: ".profile", auto_init: true }).expect(201);
    const readme = await alice.get("/repos/alice/.profile/contents/README.md").expect(200);
    const content = Buffer.from(`# I am Alice\n\n${evil}\n`).toString("base64");
    await alice.put("/repos/alice/.profile/contents/README.md", { content, sha: readme.sha, message: "Tell" }).expect(200);
    await alice.post("/orgs", { username: "guild", full_name: `Guild ${evil}` }).expect(201);
    await alice.post("/orgs", { username: "lodge", visibility: "private" }).expect(201);
    await alice.put("/repos/alice/r/collaborators/bob", { permission: "write" }).expect(204);
    await alice.post("/repos/alice/r/issues", { title: `For bob ${evil}`, assignees: ["bob"] }).expect(201);
    await alice.post("/repos/alice/r/issues", { title: "Named", body: "@bob should know" }).expect(201);
    await alice.post("/repos/alice/secret/issues", { title: "Nobody sees this", body: "@bob" }).expect(201);
    await alice.post("/repos/alice/r/contents/new.txt", { content: "bmV3Cg==", new_branch: "feature", message: "Add" }).expect(201);
    await alice.post("/repos/alice/r/pulls", { title: "Look at it", head: "feature", base: "main" }).expect(201);
    await alice.post("/repos/alice/r/pulls/3/requested_reviewers", { reviewers: ["bob"] }).expect(201);
    await bob.put("/user/starred/alice/r").expect(204);
    await forge.settled();
    visitor = createBrowser(forge.url);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const open = async (path: string, browser = visitor): Promise<ReadPage & { readonly status: number }> => {
    const { status, text } = await browser.get(path, { accept: "text/html" });
    const page = readPage(text);
    expect(page.dangers, path).toEqual([]);
    expect(page.headings.length, path).toBe(1);
    return { status, ...page };
  };
  const signedIn = async (user: TestUser): Promise<Browser> => {
    const browser = createBrowser(forge.url);
    await browser.signIn(user);
    return browser;
  };

  describe("the front page", () => {
    test("shows pending work first, then recent activity", async () => {
      const page = await open("/", await signedIn(bob));
      expect(page.headings).toEqual(["Dashboard"]);
      for (const words of ["Review requests", "Look at it", "Assigned to you", `For bob ${evil}`, "Mentioning you", "Named"])
        expect(page.text).toContain(words);
      expect(page.text).toContain("unread notification");
      expect(page.text).not.toContain("Nobody sees this");
      expect(page.links).toEqual(expect.arrayContaining(["/alice/r/pulls/3", "/alice/r/issues/1", "/notifications", "/alice/r"]));
    });

    test("and related pages show first steps to new users", async () => {
      const browser = await signedIn(carol);
      expect((await open("/carol", browser)).links).toEqual(expect.arrayContaining(["/repo/create", "/user/settings"]));
      await carol.post("/orgs", { username: "newcomers" }).expect(201);
      expect((await open("/newcomers", browser)).links).toContain("/repo/create?owner=newcomers");
      expect((await open("/newcomers")).links).not.toContain("/repo/create?owner=newcomers");
      expect((await open("/carol")).links).not.toContain("/repo/create");
      const issues = await open("/issues", browser);
      expect([issues.text.includes("No open items are assigned to you"), issues.links.includes("/issues?q=is%3Aall")]).toEqual([true, true]);
    });

    test("shows first steps to new users", async () => {
      const page = await open("/", await signedIn(carol));
      expect(page.text).toContain("Welcome, carol");
      expect(page.text).toContain("You're all caught up.");
    });

    test("lists repositories with their number, a search if more exist, and organizations; tags of one push take one line", async () => {
      const dan = await forge.createUser("dan");
      const browser = await signedIn(dan);
      await dan.post("/orgs", { username: "dans-guild" }).expect(201);
      await dan.post("/user/repos", { name: "tagged", auto_init: true }).expect(201);
      for (let number = 1; number <= 4; number += 1) await dan.post("/repos/dan/tagged/tags", { tag_name: `v${number}` }).expect(201);
      await forge.settled();
      const few = await browser.get("/");
      expect(readPage(few.text).text).toMatch(/Your repositories\s*1.*Your organizations\s*1.*dans-guild/);
      expect(few.text).not.toContain('action="/dan"');
      expect(readPage(few.text).text).toMatch(/pushed the tag v4 in dan\/tagged .*3 more of these/);
      for (let number = 1; number <= 10; number += 1) await dan.post("/user/repos", { name: `r${number}` }).expect(201);
      const many = await browser.get("/");
      expect([readPage(many.text).text.includes("Your repositories 11"), many.text.includes('action="/dan" role="search"')]).toEqual([true, true]);
      expect(readPage((await browser.get("/dan?q=r7")).text).links).toContain("/dan/r7");
    });

    test("runs a constant number of statements", async () => {
      const browser = await signedIn(bob);
      await browser.get("/");
      const few = await forge.cost(() => browser.get("/"));
      for (let count = 0; count < 4; count += 1) {
        await alice.post("/repos/alice/r/issues", { title: `More ${count}`, assignees: ["bob"], body: "@bob" }).expect(201);
      }
      await browser.get("/");
      const many = await forge.cost(() => browser.get("/"));
      expect(many.statements).toHaveLength(few.statements.length);
      expect(many.processes).toBe(0);
    });
  });

  describe("an error page", () => {
    test.each(["/nowhere/at/all", "/alice/secret", "/-/admin"])("for %s shows the signed-in user", async (path) => {
      const browser = await signedIn(bob);
      const page = await open(path, browser);
      expect(page.status).toBe(path === "/-/admin" ? 403 : 404);
      expect(page.text).toContain("Sign out");
      expect(page.links.filter((link) => link.startsWith("/user/login"))).toEqual([]);
      // The sign-out form works there, too.
      if (path === "/-/admin") expect((await browser.submit(await browser.get(path), "/user/logout")).status).toBe(303);
    });

    test("links to the sign-in page, which leads back", async () => {
      // Every page has this link, except pages that users should not return to.
      const signIn = async (path: string) => (await open(path)).links.filter((link) => link.startsWith("/user/login"));
      expect(await signIn("/alice/r/issues?q=is%3Aall")).toEqual(["/user/login?redirect_to=%2Falice%2Fr%2Fissues%3Fq%3Dis%253Aall"]);
      for (const path of ["/", "/user/login"]) expect(await signIn(path), path).toEqual(["/user/login"]);
      const browser = createBrowser(forge.url);
      expect((await browser.signIn(bob, "/alice/r/issues?q=is%3Aall")).location).toBe("/alice/r/issues?q=is%3Aall");
      expect((await open("/alice/secret?tab=x")).links).toContain("/user/login?redirect_to=%2Falice%2Fsecret%3Ftab%3Dx");
      const stale = createBrowser(forge.url);
      stale.cookie = `hearth_session=${"x".repeat(43)}`;
      expect((await open("/alice/secret", stale)).text).not.toContain("Sign out");
    });
  });

  describe("a page that a visitor has loaded", () => {
    const whole = ["", "/alice", "/guild", "/explore/repos", "/explore/users", "/explore/organizations", "/alice/r", "/alice/r/src/branch/main/README.md"];
    const ofRepository = ["/issues", "/issues/1", "/pulls", "/pulls/3", "/branches", "/tags", "/releases", "/labels", "/milestones", "/activity", "/stars"];
    test.each([...whole.map((path) => path || "/"), ...ofRepository.map((path) => `/alice/r${path}`)])(
      "%s is sent again only when it has changed",
      async (path) => {
        const first = await visitor.get(path);
        expect([first.status, first.headers.get("cache-control"), first.headers.get("vary")]).toEqual([
          200,
          "private, no-cache",
          "Accept-Encoding, Accept-Language, Cookie",
        ]);
        // Ages of a few seconds change between two requests.
        const again = async () => (await visitor.get(path, { "if-none-match": (await visitor.get(path)).headers.get("etag") ?? "" })).status;
        await expect.poll(again, { timeout: 90_000 }).toBe(304);
      },
    );

    test("differs by language, and for signed-in users", async () => {
      const etag = (await visitor.get("/alice")).headers.get("etag") ?? "";
      const german = await visitor.get("/alice", { "accept-language": "de", "if-none-match": etag });
      expect([german.status, german.headers.get("etag") === etag]).toEqual([200, false]);
      const own = await (await signedIn(carol)).get("/alice", { "if-none-match": etag });
      expect([own.status, own.headers.get("cache-control"), own.headers.get("etag")]).toEqual([200, "private, no-store", null]);
    });

    test.each(["/user/login", "/user/forgot_password", "/nowhere"])("%s is never cached", async (path) => {
      expect((await visitor.get(path, { accept: "text/html" })).headers.get("cache-control")).toBe("private, no-store");
    });
  });

  describe("lists across repositories", () => {
    test("apply their filters, and contain nothing hidden", async () => {
      const browser = await signedIn(bob);
      expect((await open("/issues", browser)).text).toContain(`For bob ${evil}`);
      expect((await open("/pulls?q=is%3Aopen+review-requested%3A%40me", browser)).links).toContain("/alice/r/pulls/3");
      expect((await open("/pulls", await signedIn(alice))).links).toContain("/alice/r/pulls/3");
      expect((await open("/issues?q=is%3Aall+nobody", browser)).text).not.toContain("Nobody sees this");
      expect((await open("/issues?q=is%3Aopen+owner%3Aalice+named", browser)).links).toContain("/alice/r/issues/2");
      const ordered = await open("/issues?q=is%3Aall+owner%3Aalice+sort%3Acreated-asc", browser);
      const [first = -1, second = -1] = [1, 2].map((number) => ordered.links.indexOf(`/alice/r/issues/${number}`));
      expect(first !== -1 && first < second).toBe(true);
      expect(ordered.links).toContain("/issues?q=is%3Aall+owner%3Aalice+sort%3Aupdated");
      for (const typed of ["author:nobody", "owner:nobody", "assignee:alice", `xyzzy ${evil}`])
        expect((await open(`/issues?q=${encodeURIComponent(typed)}`, browser)).text).toContain("No results");
    });

    test.each(["/issues", "/pulls", "/notifications"])("%s requires signing in", async (path) => {
      expect((await visitor.get(path)).location).toMatch(/^\/user\/login/);
    });
  });

  describe("the inbox", () => {
    test("lists notifications, which are marked as read one at a time, by repository or all together", async () => {
      const browser = await signedIn(bob);
      const page = await browser.get("/notifications");
      const read = await open("/notifications", browser);
      expect(read.text).toContain("alice/r");
      expect(read.text).toContain("Named");
      expect(read.text).not.toContain("secret");
      const action = /action="(\/notifications\/\d+)"/.exec(page.text)?.[1] ?? "";
      const marked = await browser.submit(page, action, { status: "pinned" });
      expect([marked.status, marked.location]).toEqual([303, "/notifications"]);
      expect((await open("/notifications?status=pinned", browser)).text).toContain("1 notification");
      await browser.submit(await browser.get("/notifications"), "/notifications/read", { repository: "alice/r" });
      expect((await open("/notifications", browser)).text).toContain("No unread notifications");
      expect((await open("/notifications?status=read&repository=alice%2Fr", browser)).text).toContain("Mark as unread");
      expect((await browser.get("/notifications?repository=alice%2Fsecret")).status).toBe(404);
    });

    test("is private, and redirects only within this server", async () => {
      const page = await (await signedIn(bob)).get("/notifications?status=all");
      const id = /action="\/notifications\/(\d+)"/.exec(page.text)?.[1] ?? "";
      const other = await signedIn(carol);
      const own = await other.get("/user/sessions");
      const token = /name="_csrf" value="([^"]+)"/.exec(own.text)?.[1] ?? "";
      expect((await other.post(`/notifications/${id}`, { _csrf: token, status: "read", back: "/" })).status).toBe(404);
      const browser = await signedIn(bob);
      const form = (await browser.get("/notifications?status=all")).form(`/notifications/${id}`);
      expect((await browser.post(`/notifications/${id}`, { ...form, back: "//evil.example" })).location).toBe("/");
      expect((await browser.post(`/notifications/${id}`, { status: "read", back: "/" })).status).toBe(403);
    });
  });

  describe("a repository", () => {
    test("is starred and watched, and lists the users that the visitor can see", async () => {
      const browser = await signedIn(carol);
      const home = await browser.get("/alice/r");
      expect((await browser.submit(home, "/alice/r/star")).location).toBe("/alice/r");
      expect((await browser.submit(home, "/alice/r/watch", { level: "all" })).location).toBe("/alice/r");
      expect((await open("/alice/r/stars")).links).toEqual(expect.arrayContaining(["/bob", "/carol", "/alice/r/watchers", "/alice/r/forks"]));
      expect((await open("/alice/r/watchers")).links).toContain("/carol");
      expect((await browser.submit(await browser.get("/alice/r"), "/alice/r/unstar")).status).toBe(303);
      expect((await open("/alice/r/stars")).links).not.toContain("/carol");
      expect(readPage(home.text).links).toContain("/alice/r/fork");
      expect((await browser.post("/alice/r/star", {})).status).toBe(403);
      expect((await visitor.post("/alice/r/star", {})).location).toMatch(/^\/user\/login/);
      const token = home.form("/alice/r/star");
      expect((await browser.post("/alice/secret/star", { ...token })).status).toBe(404);
    });
  });

  describe("profiles", () => {
    test("show a user's details, repositories and activity", async () => {
      const page = await open("/alice");
      expect(page.text).toContain("I am Alice");
      expect(page.text).toMatch(/\d+ contributions in the last year/);
      expect(page.links).toEqual(expect.arrayContaining(["/alice/r", "/alice?tab=activity", "/alice.atom"]));
      expect(page.links).not.toContain("/alice/secret");
      expect(page.links).not.toContain("/lodge");
      expect((await open("/alice?tab=activity")).text).toContain("alice opened pull request #3 Look at it in alice/r");
      expect((await open("/bob?tab=stars")).links).toContain("/alice/r");
      expect((await open("/alice?q=nothing-like-it")).text).toContain("No results");
      expect((await open("/bob")).headings).toEqual([`Bob ${evil}`]);
    });

    test("can be followed and unfollowed by signed-in users", async () => {
      const browser = await signedIn(bob);
      expect((await browser.submit(await browser.get("/alice"), "/alice/-/follow")).location).toBe("/alice");
      expect((await open("/alice?tab=followers")).links).toContain("/bob");
      await browser.submit(await browser.get("/alice"), "/alice/-/unfollow");
      expect((await open("/alice?tab=followers")).text).toContain("alice has no followers visible to you.");
      expect((await browser.get("/alice/-/follow")).status).toBe(404);
      expect((await visitor.post("/alice/-/follow", {})).status).toBe(303);
      expect((await open("/alice")).text).not.toContain("Unfollow");
    });

    test("of organizations show the members that the visitor can see", async () => {
      expect((await open("/guild")).headings).toEqual([`Guild ${evil}`]);
      expect((await open("/org/guild/members", await signedIn(alice))).links).toContain("/alice");
      expect((await open("/org/guild/members")).text).toContain("guild has no public members");
      expect((await visitor.get("/lodge")).status).toBe((await visitor.get("/nobody")).status);
    });

    test("are found by search", async () => {
      expect((await open("/explore/users?q=ali")).links).toContain("/alice");
      expect((await open("/explore/users?q=nobody-like-it")).text).toContain("No results");
      const organizations = await open("/explore/organizations");
      expect([organizations.links.includes("/guild"), organizations.links.includes("/lodge")]).toEqual([true, false]);
      const found = await open("/explore/organizations?q=nobody-like-it");
      expect([found.text.includes("No results"), found.links.includes("/explore/organizations")]).toEqual([true, true]);
      expect((await open("/explore/organizations?q=GUIL")).links).toContain("/guild");
      const order = async (path: string) => (await open(path)).links.filter((link) => ["/alice", "/bob", "/carol"].includes(link));
      expect(await order("/explore/users")).toEqual(["/alice", "/bob", "/carol"]);
      expect(await order("/explore/users?sort=newest")).toEqual(["/carol", "/bob", "/alice"]);
    });

    test("are in the user's language", async () => {
      const { text } = await visitor.get("/alice", { "accept-language": "de" });
      expect(readPage(text).text).toMatch(/Beiträge im letzten Jahr/);
    });
  });
});
