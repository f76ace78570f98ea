import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { createClient } from "../../../../test/kit/git.ts";
import { push } from "../../../../test/kit/push.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const textOf = ({ content }: { content: string }): string => Buffer.from(content, "base64").toString();

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
    await alice.post("/user/repos", { name: "plain", auto_init: true }).expect(201);
    await alice.post("/user/repos", { name: "tmpl", description: "a template", template: true, auto_init: true }).expect(201);
    await alice.put("/repos/alice/tmpl/topics", { topics: ["web", "api"] }).expect(204);
    await alice.post("/repos/alice/tmpl/labels", { name: "bug", color: "ff0000" }).expect(201);
    await alice.post("/repos/alice/tmpl/branch_protections", { rule_name: "release/*", enable_push: false }).expect(201);
    await alice.post("/repos/alice/tmpl/branches", { new_branch_name: "draft" }).expect(201);
    await alice.post("/orgs", { username: "acme" }).expect(201);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const generate = (who: TestUser, body: object, template = "alice/tmpl") => who.post(`/repos/${template}/generate`, body);

  test("a repository generated from a template has its files and the selected items, but not its history", async () => {
    const everything = { git_content: true, topics: true, labels: true, protected_branch: true, avatar: true };
    const { result: made, processes } = await forge.cost(() => generate(bob, { owner: "bob", name: "made", description: "mine", ...everything }).expect(201));
    // The one process is a worker that reads the template.
    expect(processes).toBeLessThanOrEqual(1);
    expect(made).toMatchObject({
      full_name: "bob/made",
      description: "mine",
      fork: false,
      template: false,
      empty: false,
      default_branch: "main",
      branch_count: 1,
      watchers_count: 0,
      topics: ["api", "web"],
    });
    const [commit, ...others] = await bob.get("/repos/bob/made/commits").expect(200);
    expect(others).toEqual([]);
    expect(commit).toMatchObject({ author: { login: "bob" }, commit: { message: "Initial commit\n" } });
    expect(textOf(await bob.get("/repos/bob/made/contents/README.md").expect(200))).toContain("# tmpl");
    expect(await bob.get("/repos/bob/made/labels").expect(200)).toMatchObject([{ name: "bug", color: "ff0000" }]);
    expect(await bob.get("/repos/bob/made/branch_protections").expect(200)).toMatchObject([{ rule_name: "release/*", enable_push: false }]);
    const [original] = await alice.get("/repos/alice/tmpl/commits").expect(200);
    await bob.get(`/repos/bob/made/git/commits/${original.sha}`).expect(404);
  });

  test("selecting only labels, or an empty template, generates an empty repository", async () => {
    expect(await generate(alice, { owner: "acme", name: "labelled", labels: true, private: true }).expect(201)).toMatchObject({
      full_name: "acme/labelled",
      empty: true,
      private: true,
      topics: [],
    });
    await alice.post("/user/repos", { name: "void", template: true }).expect(201);
    expect(await generate(alice, { owner: "alice", name: "nothing", git_content: true }, "alice/void").expect(201)).toMatchObject({ empty: true });
  });

  describe("rejected requests", () => {
    test.each([
      ["of what is no template", { owner: "alice", name: "x", git_content: true }, "alice/plain", 422, "this is not a template repo"],
      ["where nothing is asked for", { owner: "alice", name: "x" }, "alice/tmpl", 422, "must select at least one template item"],
      ["over another repository", { owner: "alice", name: "plain", labels: true }, "alice/tmpl", 409, "The repository with the same name already exists."],
      ["under a name that is a path", { owner: "alice", name: "a..", labels: true }, "alice/tmpl", 422, "name is reserved [name: a..]"],
      ["for another user", { owner: "bob", name: "x", labels: true }, "alice/tmpl", 403, "Only admin can generate repository for other user."],
      ["of what is not there", { owner: "alice", name: "x", labels: true }, "alice/nowhere", 404, "not found"],
      ["on a branch that none can be", { owner: "alice", name: "x", labels: true, default_branch: "a..b" }, "alice/tmpl", 422, "[DefaultBranch]: GitRefName"],
    ])("%s", async (_name, body, template, status, message) => {
      expect(await generate(alice, body, template).expect(status)).toMatchObject({ message });
    });

    test("rejects unknown owners, other users' organizations and anonymous callers", async () => {
      expect(await generate(alice, { owner: "nobody", name: "x", labels: true }).expect(404)).toEqual({ error: "request owner `nobody` does not exist" });
      expect(await generate(bob, { owner: "acme", name: "x", labels: true }).expect(403)).toMatchObject({
        message: "Given user is not allowed to create repository in organization.",
      });
      await forge.anonymous.post("/repos/alice/tmpl/generate", { owner: "bob", name: "x", labels: true }).expect(401);
      await alice.patch("/repos/alice/tmpl", { private: true }).expect(200);
      await generate(bob, { owner: "bob", name: "x", labels: true }).expect(404);
      await alice.patch("/repos/alice/tmpl", { private: false }).expect(200);
    });
  });

  describe("variables", () => {
    test("variables are expanded in matching files and their paths, but not in links or other files", async () => {
      await alice.post("/user/repos", { name: "starter", template: true }).expect(201);
      const client = createClient();
      try {
        const patterns = "# what is to be filled in\n\nsrc/**\n*.md\nlink\n";
        client.commit({
          ".gitea/template": patterns,
          "README.md": "# ${REPO_NAME} by $REPO_OWNER\n$HOME\n",
          "src/${REPO_NAME_SNAKE}/main.ts": "export const from = '${TEMPLATE_OWNER}';\n",
          "docs/untouched.txt": "${REPO_NAME}\n",
        });
        // Git stores link targets verbatim, and expansion skips them.
        const target = client.pipe("/etc/${REPO_NAME}", "hash-object", "-w", "--stdin").toString().trim();
        client.git("update-index", "--add", "--cacheinfo", `120000,${target},link`);
        client.git("commit", "-q", "-m", "a link");
        await push(client, alice, "alice/starter", "main");
      } finally {
        client.remove();
      }
      await generate(bob, { owner: "bob", name: "My-App", git_content: true }, "alice/starter").expect(201);
      const tree = await bob.get("/repos/bob/My-App/git/trees/main?recursive=true").expect(200);
      const entries = tree.tree
        .filter(({ type }: { type: string }) => type === "blob")
        .map(({ path, mode }: { path: string; mode: string }) => `${mode} ${path}`);
      expect(entries).toEqual(["100644 README.md", "100644 docs/untouched.txt", "120000 link", "100644 src/my_app/main.ts"]);
      expect(textOf(await bob.get("/repos/bob/My-App/contents/README.md").expect(200))).toBe("# My-App by bob\n$HOME\n");
      expect(textOf(await bob.get("/repos/bob/My-App/contents/docs/untouched.txt").expect(200))).toBe("${REPO_NAME}\n");
      expect(textOf(await bob.get("/repos/bob/My-App/contents/src/my_app/main.ts").expect(200))).toContain("'alice'");
      expect(await bob.get("/repos/bob/My-App/contents/link").expect(200)).toMatchObject({ type: "symlink", target: "/etc/${REPO_NAME}" });
    });

    test.each([
      [
        "two files become one",
        { "${REPO_NAME}.txt": "one", "a.txt": "two" },
        { name: "a" },
        "two files of the template have the same expanded path [path: a.txt]",
      ],
      [
        "a path would lead into git's own directory",
        { "${REPO_DESCRIPTION}/config": "[core]" },
        { name: "b", description: ".git" },
        "malformed path component",
      ],
      ["a file is too large", { "big.txt": `\${REPO_NAME}${"x".repeat(1_100_000)}` }, { name: "c" }, "too large to replace variables in it"],
    ])("generating fails if %s", async (name, files, body, message) => {
      const repo = name.replaceAll(/[^a-z]+/g, "-");
      await alice.post("/user/repos", { name: repo, template: true }).expect(201);
      const changes = Object.entries({ ".gitea/template": "**", ...files }).map(([path, text]) => ({ operation: "create", path, content: base64(text) }));
      await alice.post(`/repos/alice/${repo}/contents`, { files: changes, branch: "main", message: "a template" }).expect(201);
      expect(await generate(bob, { owner: "bob", git_content: true, ...body }, `alice/${repo}`).expect(422)).toMatchObject({
        message: expect.stringContaining(message),
      });
      await bob.get(`/repos/bob/${body.name}`).expect(404);
    });

    test("variables cannot create paths outside of the repository", async () => {
      await alice.post("/user/repos", { name: "upwards", template: true }).expect(201);
      const files = { ".gitea/template": "**", "x/${REPO_DESCRIPTION}": "text" };
      const changes = Object.entries(files).map(([path, text]) => ({ operation: "create", path, content: base64(text) }));
      await alice.post("/repos/alice/upwards/contents", { files: changes, branch: "main", message: "a template" }).expect(201);
      await generate(bob, { owner: "bob", name: "within", description: "../../../../tmp/pwned", git_content: true }, "alice/upwards").expect(201);
      const { tree } = await bob.get("/repos/bob/within/git/trees/main?recursive=true").expect(200);
      expect(tree.map(({ path }: { path: string }) => path)).toEqual(["x", "x/________tmp_pwned"]);
    });
  });
});
