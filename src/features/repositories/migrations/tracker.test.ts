import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { createClient } from "../../../../test/kit/git.ts";
import { push } from "../../../../test/kit/push.ts";
import { startRemote } from "../../../../test/kit/remote.ts";

const origin = createClient();
origin.commit({ "README.md": "# Demo\n" }, { message: "Closes #1, says @bob" });
origin.git("tag", "v1");
const root = mkdtempSync(join(tmpdir(), "hearth-foreign-"));
execFileSync("git", ["clone", "-q", "--mirror", origin.path, join(root, "a", "demo.git")]);
afterAll(() => {
  origin.remove();
  rmSync(root, { recursive: true, force: true });
});

const everything = { service: "gitea", issues: true, labels: true, milestones: true, releases: true, pull_requests: true, wiki: true };

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  beforeAll(async () => {
    forge = await startForge({ dialect, environment: { HEARTH_MIGRATION_ALLOWED_HOSTS: "loopback" } });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  test("imports a repository with its tracker from a Gitea-compatible server", async () => {
    const r = "/repos/alice/full";
    await alice.post("/user/repos", { name: "full", private: true, description: "what it is" }).expect(201);
    await alice.patch(r, { website: "https://example.com/full" }).expect(200);
    await alice.put(`${r}/topics`, { topics: ["forge", "git"] }).expect(204);
    await push(origin, alice, "alice/full", "main", "v1");
    const label = await alice.post(`${r}/labels`, { name: "kind/bug", color: "#ee0701", description: "wrong", exclusive: true }).expect(201);
    const milestone = await alice.post(`${r}/milestones`, { title: "soon", due_on: "2030-01-01T00:00:00Z" }).expect(201);
    const first = await alice.post(`${r}/issues`, { title: "First", body: "text <b>", labels: [label.id], milestone: milestone.id }).expect(201);
    const comment = await alice.post(`${r}/issues/1/comments`, { body: "one" }).expect(201);
    await alice.post(`${r}/issues/1/comments`, { body: "two" }).expect(201);
    await alice.put(`${r}/collaborators/bob`, { permission: "write" }).expect(204);
    for (const content of ["heart", "+1"]) await bob.post(`${r}/issues/1/reactions`, { content }).expect(201);
    await alice.post(`${r}/issues/comments/${comment.id}/reactions`, { content: "rocket" }).expect(201);
    await alice.post(`${r}/issues`, { title: "Second", closed: true, milestone: milestone.id }).expect(201);
    const release = await alice.post(`${r}/releases`, { tag_name: "v1", name: "One", body: "notes" }).expect(201);

    const upload = async (path: string, body: string | FormData): Promise<void> => {
      const headers = { authorization: `token ${alice.token}`, ...(typeof body === "string" && { "content-type": "application/octet-stream" }) };
      expect((await fetch(`${forge.url}/api/v1${r}${path}`, { method: "POST", headers, body })).status).toBe(201);
    };
    const form = (name: string): FormData => {
      const made = new FormData();
      made.set("attachment", new Blob([`content of ${name}`]), name);
      return made;
    };
    await upload(`/releases/${release.id}/assets?name=a.bin`, "file of a release");
    await upload("/issues/1/assets", form("log.txt"));
    await upload(`/issues/comments/${comment.id}/assets`, form("more.txt"));

    const input = { clone_addr: `${forge.url}/alice/full.git`, repo_name: "moved", auth_token: alice.token, ...everything };
    const before = await bob.get("/notifications").expect(200);
    const made = await bob.post("/repos/migrate", input).expect(201);
    expect(made).toMatchObject({ description: "what it is", website: "https://example.com/full", topics: ["forge", "git"] });
    expect(made).toMatchObject({ open_issues_count: 1, release_counter: 1, original_url: `${forge.url}/alice/full.git` });
    const t = "/repos/bob/moved";
    expect(await bob.get(`${t}/labels`).expect(200)).toMatchObject([{ name: "kind/bug", color: "ee0701", description: "wrong", exclusive: true }]);
    expect(await bob.get(`${t}/milestones?state=all`).expect(200)).toMatchObject([{ title: "soon", open_issues: 1, closed_issues: 1 }]);
    const issues = await bob.get(`${t}/issues?state=all`).expect(200);
    expect(
      issues.map(({ number, title, state, comments, original_author, created_at }: Record<string, unknown>) => [
        number,
        title,
        state,
        comments,
        original_author,
        created_at,
      ]),
    ).toEqual([
      [2, "Second", "closed", 0, "alice", expect.any(String)],
      [1, "First", "open", 2, "alice", first.created_at],
    ]);
    expect(issues[1]).toMatchObject({ body: "text <b>", labels: [{ name: "kind/bug" }], milestone: { title: "soon" }, original_author_id: alice.id });
    expect((await bob.get(`${t}/issues/1/comments`).expect(200)).map(({ body, original_author }: Record<string, string>) => [body, original_author])).toEqual([
      ["one", "alice"],
      ["two", "alice"],
    ]);
    expect(await bob.get(`${t}/releases`).expect(200)).toMatchObject([
      { tag_name: "v1", name: "One", body: "notes", draft: false, assets: [{ name: "a.bin", size: 17 }] },
    ]);
    expect(issues[1].assets).toMatchObject([{ name: "log.txt", size: 18 }]);
    // Authors of reactions have no accounts here.
    const reactions = async (path: string) =>
      (await bob.get(`${t}/issues/${path}/reactions`).expect(200)).map(({ user, content }: Record<string, unknown>) => [user, content]);
    expect(await reactions("1")).toEqual([
      [null, "heart"],
      [null, "+1"],
    ]);
    await bob.post(`${t}/issues/1/reactions`, { content: "heart" }).expect(201);
    await bob.post(`${t}/issues/1/reactions`, { content: "heart" }).expect(200);
    expect((await reactions("1")).map(([user]: [{ login: string } | null]) => user?.login)).toEqual([undefined, undefined, "bob"]);
    const [posted] = await bob.get(`${t}/issues/1/comments`).expect(200);
    expect(await reactions(`comments/${posted.id}`)).toEqual([[null, "rocket"]]);
    const [held] = (await bob.get(`${t}/issues/1/comments`).expect(200))[0].assets;
    expect(held).toMatchObject({ name: "more.txt" });
    expect(await (await fetch(held.browser_download_url, { headers: { authorization: `token ${bob.token}` } })).text()).toBe("content of more.txt");
    const file = await fetch(`${forge.url}/bob/moved/releases/download/v1/a.bin`, { headers: { authorization: `token ${bob.token}` } });
    expect(await file.text()).toBe("file of a release");
    expect((await bob.get("/repos/issues/search?q=text").expect(200)).some(({ title }: { title: string }) => title === "First")).toBe(true);
    // No notifications are sent, references in commits are ignored, and new numbers follow the imported ones.
    await forge.settled();
    expect(await bob.get("/notifications").expect(200)).toEqual(before);
    expect(await bob.get(`${t}/issues/1`).expect(200)).toMatchObject({ state: "open" });
    expect(await bob.post(`${t}/issues`, { title: "Third" }).expect(201)).toMatchObject({ number: 3, original_author: "" });
    await bob.post(`${t}/issues/1/comments`, { body: "here" }).expect(201);

    await bob.post("/repos/migrate", { ...input, repo_name: "code", issues: false, labels: false, milestones: false, releases: false }).expect(201);
    expect(await bob.get("/repos/bob/code/labels").expect(200)).toEqual([]);
  });

  describe("a malicious server", () => {
    const answering = (answer: (path: string, response: ServerResponse) => unknown) =>
      startRemote({
        root,
        intercept(request, response) {
          const path = request.url ?? "";
          if (!path.startsWith("/api/v1/repos/a/demo")) return false;
          const value = answer(path.slice("/api/v1/repos/a/demo".length), response);
          if (!response.writableEnded) response.end(typeof value === "string" ? value : JSON.stringify(value));
          return true;
        },
      });
    const migrate = (url: string, name: string) => alice.post("/repos/migrate", { clone_addr: `${url}/a/demo.git`, repo_name: name, ...everything });

    test("a server that repeats pages, sends wrong types and overlong values is imported within limits", async () => {
      const wrong = {
        id: -1,
        number: "x",
        title: { a: 1 },
        name: 7,
        body: [],
        user: "alice",
        labels: "all",
        milestone: 3,
        created_at: "yesterday",
        color: "red;}",
      };
      const good = {
        ...{ id: 5, number: 7, title: "<script>alert(1)</script>", body: "x\u0000y", state: "closed", created_at: "0001-01-01T00:00:00Z" },
        ...{ user: { id: forge.admin.id, login: "chief", email: "chief@example.com" }, labels: [{ id: 9 }, { id: 10 }], milestone: { id: 99 } },
      };
      let assets: readonly object[] = [];
      await using remote = await answering((path) => {
        if (path.startsWith("/labels")) return [wrong, { id: 9, name: "l", color: "url(x)" }, { id: 9, name: "l", color: "fff" }];
        if (path.startsWith("/issues?")) return [wrong, good, good, { ...good, number: 8, pull_request: {} }, null, 3];
        if (path.startsWith("/issues/comments"))
          return [
            { id: 1, body: "c", issue_url: "http://x/a/demo/issues/7" },
            { id: 2, issue_url: "http://x/issues/404" },
          ];
        if (path.startsWith("/file")) return "more than was said";
        if (path.startsWith("/releases"))
          return [{ tag_name: "v1", assets }, { tag_name: "gone", assets: [{ browser_download_url: "file:///etc/passwd" }] }, { tag_name: "a..b" }];
        return [wrong];
      });
      const here = `${remote.url}/api/v1/repos/a/demo/file`;
      assets = [
        ...[here, "http://169.254.169.254/", "file:///etc/passwd"].map((browser_download_url) => ({ name: "f", size: 4, browser_download_url })),
        ...["../up", "a/b", ""].map((name) => ({ name, size: 100, browser_download_url: here })),
        { name: "good", size: 100, browser_download_url: here },
        { name: "huge", size: 2 ** 50, browser_download_url: here },
      ];
      await migrate(remote.url, "strange").expect(201);
      const release = await alice.get("/repos/alice/strange/releases/tags/v1").expect(200);
      expect(release.assets).toMatchObject([{ name: "good", size: 18 }]);
      expect(await alice.get("/repos/alice/strange/issues?state=all").expect(200)).toMatchObject([
        {
          number: 7,
          title: "<script>alert(1)</script>",
          body: "xy",
          state: "closed",
          user: null,
          original_author: "chief",
          labels: [{ name: "l" }],
          comments: 1,
        },
      ]);
      expect(await alice.get("/repos/alice/strange/labels").expect(200)).toMatchObject([{ name: "l", color: "ffffff" }]);
      expect((await alice.get("/repos/alice/strange/releases").expect(200)).map(({ tag_name, draft }: Record<string, unknown>) => [tag_name, draft])).toEqual(
        expect.arrayContaining([
          ["v1", false],
          ["gone", true],
        ]),
      );
      expect(await alice.post("/repos/alice/strange/issues", { title: "next" }).expect(201)).toMatchObject({ number: 9 });
    });

    test.each([
      ["no JSON", (_path: string) => "<html>", "not JSON"],
      ["a failure", (_path: string, response: ServerResponse) => response.writeHead(500).end("boom"), "status 500"],
      ["a redirect", (_path: string, response: ServerResponse) => response.writeHead(302, { location: "http://169.254.169.254/" }).end(), "status 302"],
      ["a list without an end", (path: string) => Array.from({ length: 5_001 }, () => ({ id: 1, name: path })), "more than 100000 entries"],
      ["more bytes than one page has", () => `"${"x".repeat(9 * 1024 * 1024)}"`, "larger than 8 MiB"],
      ["more values than one page has", () => `[${"{},".repeat(200_000)}{}]`, "too many values"],
      [
        "more than 100,000 reactions, to several issues",
        (path: string) => {
          if (path.startsWith("/issues?")) return Array.from({ length: 11 }, (_, at) => ({ number: at + 1 }));
          return path.includes("/reactions") ? Array.from({ length: 10_000 }, (_, at) => ({ content: "heart", user: { id: at + 1, login: "u" } })) : [];
        },
        "more than 100000 entries",
      ],
    ])("a server that sends %s ends the migration", async (what, answer, message) => {
      await using remote = await answering(answer);
      const call = await migrate(remote.url, "never");
      expect([what, call.status, call.json.message]).toEqual([what, 422, expect.stringMatching(/^Migration failed: /)]);
      expect(call.json.message).toContain(message);
      await alice.get("/repos/alice/never").expect(404);
    });
  });
});
