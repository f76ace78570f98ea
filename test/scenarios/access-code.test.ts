import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";

/**
 * A member of a team with access to everything except the code of a private repository. Calls every GET route of the API and of the pages with
 * the values of a pull request, and searches the responses for lines of files and messages of commits.
 */

const app = "/repos/acme/app";
/** Appear only in files and in messages of commits. */
const secrets = ["SECRETLINE", "SECRETMESSAGE"];

/** Values of path parameters; `id` is replaced by each id of the pull request's review and comment. */
const values: Record<string, string> = {
  owner: "acme",
  repo: "app",
  org: "acme",
  username: "bob",
  index: "1",
  base: "main",
  head: "topic",
  ref: "main",
  diffType: "diff",
  basehead: "main...topic",
  branch: "main",
  tag: "v1",
  filepath: "secret.txt",
  archive: "main.zip",
  path: "secret.txt",
  team: "testers",
};

eachDialect((dialect) => {
  describe("readers of pull requests without access to code", () => {
    let forge: TestForge;
    let alice: TestUser;
    let bob: TestUser;
    let browser: Browser;
    let ids: readonly string[];

    beforeAll(async () => {
      forge = await startForge({ dialect });
      [alice, bob] = await Promise.all([forge.createUser("alice"), forge.createUser("bob")]);
      await alice.post("/orgs", { username: "acme" }).expect(201);
      const units_map = { "repo.pulls": "write", "repo.issues": "write", "repo.releases": "read", "repo.wiki": "read", "repo.projects": "write" };
      const team = await alice.post("/orgs/acme/teams", { name: "testers", permission: "read", units_map, includes_all_repositories: true }).expect(201);
      await alice.put(`/teams/${team.id}/members/bob`).expect(204);
      await alice.post("/orgs/acme/repos", { name: "app", private: true, auto_init: true }).expect(201);
      await bob.put(`${app}/subscription`).expect(200);
      const write = async (path: string, more: object): Promise<string> => {
        const body = { message: `SECRETMESSAGE of ${path}`, content: Buffer.from(`SECRETLINE of ${path}\nmore\n`).toString("base64"), ...more };
        return (await alice.post(`${app}/contents/${path}`, body).expect(201)).commit.sha;
      };
      await write("docs/secret.txt", {});
      await write("secret.txt", {});
      await write("new.txt", { branch: "main", new_branch: "topic" });
      await alice.post(`${app}/pulls`, { title: "a pull", body: "described", head: "topic", base: "main" }).expect(201);
      values.sha = await write("late.txt", { branch: "topic" });
      values.oid = values.sha;
      await alice.post(`${app}/tags`, { tag_name: "v1", target: "main", message: "a tag" }).expect(201);
      await alice.post(`${app}/releases`, { tag_name: "v2", target_commitish: "main", name: "two" }).expect(201);
      const comments = [{ path: "new.txt", body: "a remark on a line", new_position: 1 }];
      const review = await alice.post(`${app}/pulls/1/reviews`, { event: "COMMENT", body: "a review", comments }).expect(200);
      const [comment] = await alice.get(`${app}/pulls/1/reviews/${review.id}/comments`).expect(200);
      ids = [...new Set([`${review.id}`, `${comment.id}`, "1"])];
      await forge.settled();
      browser = createBrowser(forge.url);
      await browser.signIn(bob);
    });
    afterAll(async () => {
      await forge[Symbol.asyncDispose]();
    });

    test("members without access to code see no line of a file and no message of a commit in any response to a GET request", async () => {
      const shown: string[] = [];
      let answered = 0;
      const ask = async (isPage: boolean, path: string): Promise<{ readonly status: number; readonly text: string }> => {
        if (isPage) return browser.get(path);
        const headers = { authorization: `token ${bob.token}` };
        const response = await fetch(`${forge.url}${path}`, { headers, redirect: "manual", signal: AbortSignal.timeout(60_000) });
        return { status: response.status, text: await response.text() };
      };
      for (const { method, path: template, mount, isPage } of forge.forge.routes) {
        if (method !== "GET" || template.startsWith("/events")) continue;
        const paths = new Set(ids.map((id) => template.replace(/\{(\w+)[+*]?\}/g, (_all, name: string) => (name === "id" ? id : (values[name] ?? "1")))));
        for (const path of paths) {
          const { status, text } = await ask(isPage === true, mount === "root" ? path : `/api/v1${path}`);
          if (status < 300) answered += 1;
          if (secrets.some((secret) => text.includes(secret))) shown.push(path);
        }
      }
      expect(shown).toEqual([]);
      expect(answered).toBeGreaterThan(80);
    });

    test.each([
      ["api", `${app}/pulls/1`, 200, "a pull"],
      ["api", `${app}/pulls/1/commits`, 403, "specific read permission"],
      ["api", `${app}/pulls/1/files`, 403, "specific read permission"],
      ["api", `${app}/pulls/1.diff`, 403, "specific read permission"],
      ["api", `${app}/pulls/1/reviews/1/comments`, 200, '"diff_hunk":""'],
      ["page", "/acme/app/pulls/1", 200, "a remark on a line"],
      ["page", "/acme/app/pulls/1/commits", 403, ""],
      ["page", "/acme/app/pulls/1/files", 403, ""],
      ["page", "/acme/app/pulls/1.diff", 403, ""],
    ])("members without access to code get the conversation, but no changes: %s %s", async (kind, path, status, content) => {
      const headers = { authorization: `token ${bob.token}` };
      const answer =
        kind === "page" && !path.endsWith(".diff")
          ? await browser.get(path)
          : await fetch(`${forge.url}${kind === "page" ? "" : "/api/v1"}${path}`, { headers }).then(async (got) => ({
              status: got.status,
              text: await got.text(),
            }));
      expect([answer.status, answer.text.includes(content)]).toEqual([status, true]);
    });

    test("users with access to code see both", async () => {
      const [comment] = await alice.get(`${app}/pulls/1/reviews/1/comments`).expect(200);
      expect(comment.diff_hunk).toContain("SECRETLINE");
      expect(JSON.stringify(await alice.get(`${app}/pulls/1/commits`).expect(200))).toContain("SECRETMESSAGE");
      expect((await createSignedIn(forge, alice).then((own) => own.get("/acme/app/pulls/1"))).text).toContain("SECRETLINE");
    });
  });
});

async function createSignedIn(forge: TestForge, user: TestUser): Promise<Browser> {
  const browser = createBrowser(forge.url);
  await browser.signIn(user);
  return browser;
}
