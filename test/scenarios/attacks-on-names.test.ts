import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { underAttack } from "../kit/attack.ts";
import { eachDialect } from "../kit/databases.ts";
import { outsideFolder } from "../kit/outside.ts";

/** Names, paths and revisions with a special meaning for git, the file system or the router. */

const base64 = (text: string): string => Buffer.from(text).toString("base64");

eachDialect((dialect) => {
  const attack = underAttack(dialect);

  describe("revisions that are options or expressions", () => {
    const revisions = [
      `--output=${outsideFolder}/pwned`,
      `--upload-pack=touch ${outsideFolder}/pwned`,
      `-O${outsideFolder}/pwned`,
      ":/one",
      ":(exclude)x",
      "HEAD^{/(a+)+$}",
      "HEAD@{9.years.ago}",
      "main~99999999",
      "@{-1}",
      "main:a.txt",
      "main..main",
      "refs/heads/../../config",
      `main\n--output=${outsideFolder}/pwned`,
    ];
    test.each(revisions)("%j is rejected as a revision everywhere", async (revision) => {
      const { probe } = attack();
      const [inPath, inQuery] = [revision.split("/").map(encodeURIComponent).join("/"), encodeURIComponent(revision)];
      for (const path of [
        `/repos/alice/open/commits?sha=${inQuery}`,
        `/repos/alice/open/contents/a.txt?ref=${inQuery}`,
        `/repos/alice/open/contents?ref=${inQuery}`,
        `/repos/alice/open/raw/a.txt?ref=${inQuery}`,
        `/repos/alice/open/media/a.txt?ref=${inQuery}`,
        `/repos/alice/open/git/trees/${inPath}`,
        `/repos/alice/open/git/commits/${inPath}`,
        `/repos/alice/open/git/blobs/${inPath}`,
        `/repos/alice/open/git/tags/${inPath}`,
        `/repos/alice/open/git/notes/${inPath}`,
        `/repos/alice/open/compare/${inPath}`,
        `/repos/alice/open/compare/main...${inPath}`,
        `/repos/alice/open/archive/${inPath}.zip`,
        `/repos/alice/open/branches/${inPath}`,
        `/repos/alice/open/tags/${inPath}`,
        `//alice/open/archive/${inPath}.tar.gz`,
      ]) {
        const { status, text } = await probe(path);
        // An invalid revision falls back to the default branch here, as in Gitea.
        if (/\/(?:raw|media)\//.test(path) && status === 200) expect(text).toBe("one\n");
        // Two dots compare a branch with itself.
        else if (!(revision.includes("..") && !revision.includes("/") && path.includes("/compare/")))
          expect([400, 404, 422], `${path}: ${status}`).toContain(status);
      }
    });

    test("paths are taken literally", async () => {
      const { probe } = attack();
      for (const path of [":(exclude)x", ":/", `--output=${outsideFolder}/pwned`, "*.txt", "a.tx?", "../a.txt", "/etc/passwd"]) {
        const { status, json } = await probe(`/repos/alice/open/commits?path=${encodeURIComponent(path)}`);
        expect(status === 200 ? json : []).toEqual([]);
        expect((await probe(`/repos/alice/open/contents/${encodeURIComponent(path)}`)).status).not.toBe(200);
      }
    });

    test("branches with names of options are harmless", async () => {
      const { probe, work, alice, openTip } = attack();
      const { code, stderr } = await work.attempt("open", "push", `${alice.gitOrigin}/alice/open`, `${openTip}:refs/heads/--output=${outsideFolder}/pwned`);
      expect(code, stderr).toBe(1);
      for (const name of [`--output=${outsideFolder}/pwned`, `x\ncreate refs/heads/y ${openTip}`, `x\0create refs/heads/y\0${openTip}`]) {
        expect((await probe("/repos/alice/open/branches", { as: alice, method: "POST", body: { new_branch_name: name } })).status).toBe(422);
        expect((await probe("/repos/alice/open/tags", { as: alice, method: "POST", body: { tag_name: name } })).status).toBe(422);
        const change = { content: base64("x"), new_branch: name };
        expect((await probe("/repos/alice/open/contents/new.txt", { as: alice, method: "POST", body: change })).status).toBe(422);
      }
      expect(await work.git(".", "ls-remote", "--refs", `${attack().forge.url}/alice/open`)).toBe(`${openTip}\trefs/heads/main`);
    });
  });

  describe("symbolic links in a repository", () => {
    test("symbolic links are changed in the tree and never followed", async () => {
      const { work, alice, probe } = attack();
      const target = join(work.path, "authorized_keys");
      await writeFile(target, "a key\n");
      await alice.post("/user/repos", { name: "links" }).expect(201);
      await work.init("links");
      await symlink(target, join(work.path, "links", "link"));
      await symlink("../../../config", join(work.path, "links", "config"));
      await symlink(outsideFolder, join(work.path, "links", "directory"));
      await work.git("links", "add", ".");
      await work.git("links", "commit", "-q", "-m", "links");
      await work.git("links", "push", "-q", `${alice.gitOrigin}/alice/links`, "main");
      const { sha } = await alice.get("/repos/alice/links/contents/link").expect(200);
      const moved = { content: base64("mallory's key\n"), from_path: "link", sha };
      for (const path of ["directory/authorized_keys", "config"]) {
        expect((await probe(`/repos/alice/links/contents/${path}`, { as: alice, method: "PUT", body: moved })).status).toBe(422);
      }
      for (const [method, body] of [
        ["PUT", { content: base64("mallory's key\n"), sha }],
        ["DELETE", { sha }],
      ] as const) {
        expect([200, 201, 404, 409, 422]).toContain((await probe("/repos/alice/links/contents/link", { as: alice, method, body })).status);
      }
      for (const path of ["directory/pwned", "directory/x/pwned", "config/x"]) {
        expect((await probe(`/repos/alice/links/contents/${path}`, { as: alice, method: "POST", body: { content: base64("x") } })).status).toBe(422);
      }
      expect(await readFile(target, "utf8")).toBe("a key\n");
      expect((await probe("/repos/alice/links/raw/directory/passwd")).status).toBe(404);
    });

    test("rejects paths outside the repository and paths of git's own files", async () => {
      const { alice, raw, probe } = attack();
      for (const path of [
        "../pwned",
        "a/../../pwned",
        ".git/config",
        ".GIT/hooks/x",
        "x/.git/config",
        "git~1/config",
        "a//b/../..",
        "a\u0000b",
        `${outsideFolder}/pwned`,
        ".git\u200c/config",
      ]) {
        const { status } = await probe(`/repos/alice/open/contents/${encodeURIComponent(path)}`, { as: alice, method: "POST", body: { content: base64("x") } });
        // A leading slash is the root of the repository.
        expect(path === `${outsideFolder}/pwned` ? [201, 404, 422] : [404, 422], `${path}: ${status}`).toContain(status);
      }
      for (const path of ["/api/v1/repos/alice/open/contents/../../secret", "/api/v1/repos/alice/open/raw/%2e%2e/%2e%2e/secret/raw/a.txt"]) {
        expect((await raw(path)).status).toBe(404);
      }
    });
  });

  describe("URLs of private files", () => {
    test.each([
      "/alice/open.git/config",
      "/alice/open.git/FETCH_HEAD",
      "/alice/open.git/hooks/pre-receive",
      "/alice/open.git/objects/../config",
      "/alice/open.git/objects/info/alternates",
      "/alice/open.git/objects/info/commit-graph",
      "/alice/open.git/%2e%2e/%2e%2e/etc/passwd",
      "/alice/open.git/..%2f..%2f..%2fhearth.db",
      "/%2e%2e/%2e%2e/etc/passwd",
      "/assets/..%2f..%2fhearth.db",
      "/avatars/..%2f..%2fhearth.db",
      "/attachments/..%2f..%2fetc%2fpasswd",
      "/..;/hearth.db",
      "/alice/..%5c..%5chearth.db",
      "/alice/open.git/git-upload-archive",
      "/%ff/%fe",
      "/%00",
    ])("%s returns 400 or 404 without the content of a file", async (path) => {
      const { status, text } = await attack().raw(path);
      expect([400, 404]).toContain(status);
      expect(text).not.toMatch(/root:|\[core\]|SQLite|ref: /);
    });
  });

  describe("reserved names", () => {
    const accounts =
      "api user org repo explore login assets attachments avatars captcha ghost gitea-actions twirp issues pulls milestones notifications metrics v2 .well-known favicon.ico manifest.json robots.txt sitemap.xml ssh_info swagger.v1.json x.keys x.gpg x.rss x.atom x.png . .. -";
    test("reserved names are rejected for accounts, in any case and by every route", async () => {
      const { forge, alice, probe } = attack();
      await alice.post("/orgs", { username: "guild" }).expect(201);
      for (const name of accounts.split(" ").flatMap((text) => [text, text.toUpperCase()])) {
        const user = { username: name, email: "reserved@example.com", password: "a long pass phrase" };
        expect((await probe("/admin/users", { as: forge.admin, method: "POST", body: user })).status, name).toBe(422);
        expect((await probe("/orgs", { as: alice, method: "POST", body: { username: name } })).status, name).toBe(422);
        expect((await probe("/admin/users/bob/rename", { as: forge.admin, method: "POST", body: { new_username: name } })).status, name).toBe(422);
        expect((await probe("/orgs/guild/rename", { as: alice, method: "POST", body: { new_name: name } })).status, name).toBe(422);
      }
    });

    test("reserved names are rejected for repositories", async () => {
      const { alice, probe } = attack();
      await alice.post("/user/repos", { name: "pattern", template: true }).expect(201);
      for (const name of [".", "..", "-", "x.git", "x.wiki", "x.rss", "x.atom", "X.GIT", "a/b", "a\\b", "a b", "ünï", "a\u0000", "", "x".repeat(101)]) {
        expect((await probe("/user/repos", { as: alice, method: "POST", body: { name } })).status, name).toBe(422);
        if (name === "") continue;
        for (const [method, path, body] of [
          ["PATCH", "/repos/alice/open", { name }],
          ["POST", "/repos/alice/open/forks", { organization: "guild", name }],
          ["POST", "/repos/alice/pattern/generate", { owner: "alice", name, labels: true }],
          ["POST", "/repos/migrate", { clone_addr: "https://git.example.org/x.git", repo_name: name }],
        ] as const)
          expect([name, path, (await probe(path, { as: alice, method, body })).status]).toEqual([name, path, 422]);
      }
    });
  });
});
