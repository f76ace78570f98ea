import { type Api, giteaApi } from "gitea-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";

/** A third-party client library, with its own types, used for common tasks of the API. */

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const isTime = (value: unknown): boolean => typeof value === "string" && !Number.isNaN(Date.parse(value));

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let api: Api<unknown>;

  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    api = giteaApi(forge.url, { token: alice.token, customFetch: fetch });
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  describe("gitea-js", () => {
    test("gets the authenticated user and the server version", async () => {
      const { data: user } = await api.user.userGetCurrent();
      expect(user).toMatchObject({ login: "alice", email: alice.email, is_admin: false, active: true });
      expect(typeof user.id).toBe("number");
      expect(isTime(user.created)).toBe(true);
      // Clients enable features by the version that they know.
      expect((await api.version.getVersion()).data.version).toMatch(/^1\.\d+\.\d+/);
      expect((await api.settings.getGeneralApiSettings()).data.max_response_items).toBe(50);
    });

    test("creates a repository, files, branches and tags, and reads them", async () => {
      const { data: repository } = await api.user.createCurrentUserRepo({
        name: "tour",
        auto_init: true,
        default_branch: "trunk",
        description: "a tour",
        readme: "Default",
      });
      expect(repository).toMatchObject({ full_name: "alice/tour", private: false, empty: false, default_branch: "trunk", owner: { login: "alice" } });
      expect(repository.permissions).toEqual({ admin: true, push: true, pull: true });
      expect(repository.clone_url).toBe(`${forge.url}/alice/tour.git`);

      const { data: made } = await api.repos.repoCreateFile("alice", "tour", "src/a.ts", { content: base64("export const a = 1;\n"), message: "add a" });
      expect(made.commit?.message).toBe("add a\n");
      expect(made.content).toMatchObject({ path: "src/a.ts", type: "file", encoding: "base64", content: base64("export const a = 1;\n") });
      const { data: changed } = await api.repos.repoUpdateFile("alice", "tour", "src/a.ts", {
        content: base64("export const a = 2;\n"),
        sha: made.content?.sha ?? "",
        new_branch: "change",
      });
      expect(changed.commit?.sha).not.toBe(made.commit?.sha);
      const stale = await api.repos.repoUpdateFile("alice", "tour", "src/a.ts", { content: "", sha: "0".repeat(40) }).catch((answer) => answer);
      expect(stale.status).toBe(422);
      expect(stale.error).toMatchObject({ message: expect.any(String), url: expect.stringContaining("/api/swagger") });

      const { data: listing } = await api.repos.repoGetContentsList("alice", "tour");
      expect(listing.map(({ name, type }) => `${type} ${name}`)).toEqual(["file README.md", "dir src"]);
      const { data: file } = await api.repos.repoGetContents("alice", "tour", "src/a.ts", { ref: "change" });
      expect(Buffer.from(file.content ?? "", "base64").toString()).toBe("export const a = 2;\n");
      expect(await (await api.repos.repoGetRawFile("alice", "tour", "src/a.ts", {}, { format: "text" })).data).toBe("export const a = 1;\n");

      const { data: branch } = await api.repos.repoCreateBranch("alice", "tour", { new_branch_name: "feat/ure", old_ref_name: "trunk" });
      expect(branch.commit?.id).toBe(made.commit?.sha);
      const { data: branches, headers } = await api.repos.repoListBranches("alice", "tour", { limit: 2 });
      expect(branches).toHaveLength(2);
      expect(headers.get("x-total-count")).toBe("3");
      const { data: tag } = await api.repos.repoCreateTag("alice", "tour", { tag_name: "v1", message: "one", target: "trunk" });
      expect(tag).toMatchObject({ name: "v1", commit: { sha: made.commit?.sha } });
      expect((await api.repos.repoListTags("alice", "tour")).data.map(({ name }) => name)).toEqual(["v1"]);

      const { data: commits } = await api.repos.repoGetAllCommits("alice", "tour", { sha: "change", stat: true });
      expect(commits.map(({ commit }) => commit?.message?.split("\n")[0])).toHaveLength(3);
      expect(commits[0]).toMatchObject({ sha: changed.commit?.sha, author: { login: "alice" }, stats: { total: 2, additions: 1, deletions: 1 } });
      expect(commits.every(({ created }) => isTime(created))).toBe(true);
      const { data: comparison } = await api.repos.repoCompareDiff("alice", "tour", "trunk...change");
      expect(comparison.total_commits).toBe(1);
      const { data: tree } = await api.repos.getTree("alice", "tour", "change", { recursive: true });
      expect(tree.tree?.map(({ path }) => path)).toEqual(["README.md", "src", "src/a.ts"]);

      expect((await api.repos.repoDeleteFile("alice", "tour", "src/a.ts", { sha: file.sha ?? "", branch: "change" })).status).toBe(200);
      expect((await api.repos.repoDeleteBranch("alice", "tour", "feat/ure")).status).toBe(204);
      expect((await api.repos.repoDeleteTag("alice", "tour", "v1")).status).toBe(204);
      const gone = await api.repos.repoGetBranch("alice", "tour", "feat/ure").catch((answer) => answer);
      expect(gone.status).toBe(404);
    });

    test("edits, renames, searches and deletes", async () => {
      await api.user.createCurrentUserRepo({ name: "plain" });
      const { data: edited } = await api.repos.repoEdit("alice", "plain", { name: "renamed", description: "edited", private: true, has_wiki: false });
      expect(edited).toMatchObject({ full_name: "alice/renamed", description: "edited", private: true, has_wiki: false });
      expect((await api.repos.repoGet("alice", "plain")).data.name).toBe("renamed");
      const { data: found } = await api.repos.repoSearch({ q: "RENAM" });
      expect(found).toMatchObject({ ok: true, data: [{ name: "renamed" }] });
      await api.repos.repoAddTopic("alice", "renamed", "forge");
      expect((await api.repos.repoListTopics("alice", "renamed")).data).toEqual({ topics: ["forge"] });
      await forge.createUser("bob");
      await api.repos.repoAddCollaborator("alice", "renamed", "bob", { permission: "read" });
      expect((await api.repos.repoListCollaborators("alice", "renamed")).data.map(({ login }) => login)).toEqual(["bob"]);
      expect((await api.repos.repoDelete("alice", "renamed")).status).toBe(204);
      expect((await api.repos.repoGet("alice", "renamed").catch((answer) => answer)).status).toBe(404);
    });

    test("creates an organization with a repository", async () => {
      const { data: organization } = await api.orgs.orgCreate({ username: "guild", full_name: "The Guild", visibility: "limited" });
      expect(organization).toMatchObject({ name: "guild", full_name: "The Guild", visibility: "limited" });
      const { data: repository } = await api.orgs.createOrgRepo("guild", { name: "tools" });
      expect(repository).toMatchObject({ full_name: "guild/tools", owner: { login: "guild" } });
      expect((await api.orgs.orgListRepos("guild")).data.map(({ name }) => name)).toEqual(["tools"]);
      expect((await api.user.orgListCurrentUserOrgs()).data.map(({ name }) => name)).toEqual(["guild"]);
      await api.repos.repoDelete("guild", "tools");
      expect((await api.orgs.orgDelete("guild")).status).toBe(204);
    });

    test("creates tokens with a password, limited by their scopes", async () => {
      const nobody = giteaApi(forge.url, { customFetch: fetch });
      const withPassword = { headers: { authorization: `Basic ${base64(`alice:${alice.password}`)}` } };
      const { data: token } = await nobody.users.userCreateToken("alice", { name: "narrow", scopes: ["read:user"] }, withPassword);
      expect(token).toMatchObject({ name: "narrow", scopes: ["read:user"], sha1: expect.stringMatching(/^[0-9a-f]{40}$/) });
      const narrow = giteaApi(forge.url, { token: token.sha1 ?? "", customFetch: fetch });
      expect((await narrow.user.userGetCurrent()).data.login).toBe("alice");
      expect((await narrow.user.createCurrentUserRepo({ name: "x" }).catch((answer) => answer)).status).toBe(403);
      expect((await nobody.users.userGetTokens("alice", {}, withPassword)).data.map(({ name }) => name)).toContain("narrow");
      expect((await nobody.users.userDeleteAccessToken("alice", "narrow", withPassword)).status).toBe(204);
      expect((await narrow.user.userGetCurrent().catch((answer) => answer)).status).toBe(401);
    });
  });
});
