import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { differences } from "../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { eventsOf } from "../../../../test/kit/events.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { createGitUser, type GitRun, type GitUser } from "../../../../test/kit/git-user.ts";

eachDialect((dialect) => {
  let forge: TestForge;
  let owner: TestUser;
  let writer: TestUser;
  let reader: TestUser;
  let work: GitUser;
  let number = 0;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    owner = await forge.createUser("owner");
    writer = await forge.createUser("writer");
    reader = await forge.createUser("reader");
    work = await createGitUser();
    await work.init("w");
  });
  afterAll(async () => {
    await work[Symbol.asyncDispose]();
    await forge[Symbol.asyncDispose]();
  });

  /** Creates a repository with a commit on main, a writer, and a second branch. */
  async function repository(): Promise<string> {
    number += 1;
    const name = `r${number}`;
    await owner.post("/user/repos", { name, auto_init: true, default_branch: "main" }).expect(201);
    await owner.put(`/repos/owner/${name}/collaborators/writer`, { permission: "write" }).expect(204);
    await work.git("w", "fetch", "-q", `${owner.gitOrigin}/owner/${name}.git`, "+main:refs/heads/main", "--update-head-ok");
    await work.git("w", "checkout", "-q", "-f", "main");
    return `/repos/owner/${name}`;
  }
  const pushAs = (user: TestUser, repo: string, ...specs: readonly string[]): Promise<GitRun> =>
    work.attempt("w", "push", `${user.gitOrigin}/${repo.slice("/repos/".length)}.git`, ...specs);
  const edit = (user: TestUser, repo: string, path: string, more: object = {}) =>
    user.post(`${repo}/contents/${path}`, { content: Buffer.from(`${path} ${number}`).toString("base64"), branch: "main", ...more });

  describe("branch protection rules", () => {
    test("are created, shown, edited, ordered and deleted by administrators only", async () => {
      const repo = await repository();
      expect(await owner.get(`${repo}/branch_protections`).expect(200)).toEqual([]);
      const made = await owner.post(`${repo}/branch_protections`, { rule_name: "main" }).expect(201);
      expect(differences(made, "BranchProtection")).toEqual([]);
      expect(made).toMatchObject({
        branch_name: "main",
        rule_name: "main",
        priority: 1,
        enable_push: false,
        status_check_contexts: null,
        push_whitelist_teams: [],
      });
      const glob = await owner
        .post(`${repo}/branch_protections`, { rule_name: "rel/**", enable_push: true, enable_push_whitelist: true, push_whitelist_usernames: ["Writer"] })
        .expect(201);
      expect(glob).toMatchObject({ branch_name: "", rule_name: "rel/**", priority: 2, push_whitelist_usernames: ["writer"] });
      expect((await owner.post(`${repo}/branch_protections`, { branch_name: "main" })).status).toBe(403);
      expect((await owner.post(`${repo}/branch_protections`, {})).json.message).toBe("both rule_name and branch_name are empty");
      expect((await owner.post(`${repo}/branch_protections`, { rule_name: "a[" })).status).toBe(422);
      expect((await owner.post(`${repo}/branch_protections`, { rule_name: "x", push_whitelist_usernames: ["nobody"] })).json.message).toBe(
        "user does not exist [uid: 0, name: nobody]",
      );
      expect((await owner.get(`${repo}/branch_protections`)).json).toHaveLength(2);

      const path = `${repo}/branch_protections/rel/**`;
      expect(await owner.get(`${repo}/branch_protections/rel%2F%2A%2A`).expect(200)).toEqual(glob);
      const edited = await owner.patch(path, { required_approvals: 2, status_check_contexts: ["ci/*"], push_whitelist_usernames: [] }).expect(200);
      expect(edited).toMatchObject({
        enable_push: true,
        enable_push_whitelist: true,
        push_whitelist_usernames: [],
        required_approvals: 2,
        status_check_contexts: ["ci/*"],
      });
      expect(await owner.patch(path, { enable_push: false }).expect(200)).toMatchObject({
        enable_push: false,
        enable_push_whitelist: false,
        required_approvals: 2,
      });
      expect(await owner.patch(path, { required_approvals: -1 }).expect(200)).toMatchObject({ required_approvals: 0 });
      await owner.patch(path, { required_approvals: 2 }).expect(200);
      expect(await owner.patch(path, { push_whitelist_teams: ["none"] }).expect(200)).toMatchObject({ push_whitelist_teams: [] });
      await owner.patch(`${repo}/branch_protections/none`, {}).expect(404);

      for (const user of [writer, reader]) {
        await user.get(path).expect(403);
        await user.post(`${repo}/branch_protections`, { rule_name: "z" }).expect(403);
        await user.patch(path, {}).expect(403);
        await user.delete(path).expect(403);
      }
      await forge.anonymous.get(`${repo}/branch_protections`).expect(401);
      await owner.delete(path).expect(204);
      await owner.delete(path).expect(404);
    });

    test("can be reordered, and the first matching rule applies", async () => {
      const repo = await repository();
      await owner.post(`${repo}/branch_protections`, { rule_name: "ma*", required_approvals: 1 }).expect(201);
      await owner.post(`${repo}/branch_protections`, { rule_name: "main", required_approvals: 2 }).expect(201);
      expect(await owner.get(`${repo}/branches/main`).expect(200)).toMatchObject({ required_approvals: 1, effective_branch_protection_name: "ma*" });
      const { db } = forge.context;
      const rows = await db.sql.selectFrom("ref_protections").select(["id", "pattern"]).orderBy("id", "desc").limit(2).execute();
      await owner.post(`${repo}/branch_protections/priority`, { ids: rows.map(({ id }) => id) }).expect(204);
      expect((await owner.get(`${repo}/branch_protections`)).json.map((rule: { rule_name: string }) => rule.rule_name)).toEqual(["main", "ma*"]);
      expect(await owner.get(`${repo}/branches/main`).expect(200)).toMatchObject({ required_approvals: 2, effective_branch_protection_name: "main" });
      expect(await writer.get(`${repo}/branches/main`).expect(200)).toMatchObject({
        protected: true,
        status_check_contexts: null,
        user_can_push: false,
        effective_branch_protection_name: "",
      });
    });

    test("are listed with a constant number of statements", async () => {
      const repo = await repository();
      const list = () => owner.get(`${repo}/branch_protections`).expect(200);
      for (const name of ["a", "b"])
        await owner
          .post(`${repo}/branch_protections`, { rule_name: name, enable_push: true, enable_push_whitelist: true, push_whitelist_usernames: ["writer"] })
          .expect(201);
      const cost = async (): Promise<number> => {
        await forge.settled();
        return (await forge.cost(list)).statements.length;
      };
      await cost();
      const few = await cost();
      for (const name of ["c", "d", "e"]) await owner.post(`${repo}/branch_protections`, { rule_name: name, merge_whitelist_usernames: ["owner"] }).expect(201);
      expect(await cost()).toBe(few);
      expect(few).toBeLessThanOrEqual(5);
    });
  });

  describe("protected branches", () => {
    test("reject changes by push, API and merge, while the head branch of a pull request is unaffected", async () => {
      const repo = await repository();
      await owner.post(`${repo}/branch_protections`, { rule_name: "main" }).expect(201);
      await work.commit("w", { [`pushed-${number}.txt`]: "x" });
      for (const user of [owner, writer]) {
        const run = await pushAs(user, repo, "HEAD:main", `HEAD:free-${user.name}`);
        expect(run.code).not.toBe(0);
        expect(run.stderr).toContain("remote: error: Not allowed to push to protected branch main");
        expect(run.stderr).toContain("main (pre-receive hook declined)");
        // Each ref of a push is checked on its own.
        await owner.get(`${repo}/branches/free-${user.name}`).expect(200);
        const answer = await edit(user, repo, "direct.txt");
        expect([answer.status, answer.json.message]).toEqual([403, `user cannot commit to repo [user: ${user.name}]`]);
        await edit(user, repo, "direct.txt", { new_branch: `patch-${user.name}` }).expect(201);
      }
      expect((await pushAs(owner, repo, "--atomic", "HEAD:main", "HEAD:never")).code).not.toBe(0);
      await owner.get(`${repo}/branches/never`).expect(404);
      expect((await pushAs(owner, repo, ":main")).stderr).toContain("is the default branch and cannot be deleted");
      const head = (await owner.get(`${repo}/branches/free-owner`)).json.commit.id;
      expect((await owner.put(`${repo}/branches/main`, { new_commit_id: head })).status).toBe(403);
    });

    test("other than the default one can only be deleted or renamed by administrators, and the rule follows a rename", async () => {
      const repo = await repository();
      await owner.post(`${repo}/branches`, { new_branch_name: "stable" }).expect(201);
      await owner.post(`${repo}/branch_protections`, { rule_name: "stable" }).expect(201);
      await owner.post(`${repo}/branch_protections`, { rule_name: "lts-*" }).expect(201);
      expect((await owner.delete(`${repo}/branches/stable`)).json.message).toBe("branch protected");
      expect((await pushAs(owner, repo, ":stable")).stderr).toContain("branch stable is protected from deletion");
      await writer.patch(`${repo}/branches/stable`, { name: "mine" }).expect(403);
      await owner.patch(`${repo}/branches/stable`, { name: "lts-1" }).expect(403);
      await owner.patch(`${repo}/branches/stable`, { name: "steady" }).expect(204);
      expect((await owner.get(`${repo}/branch_protections`)).json.map((rule: { rule_name: string }) => rule.rule_name)).toEqual(["steady", "lts-*"]);
      expect(await owner.get(`${repo}/branches/steady`).expect(200)).toMatchObject({ protected: true });
    });

    test("accept pushes from listed users, and forced ones if enabled", async () => {
      const repo = await repository();
      const rule = { rule_name: "main", enable_push: true, enable_push_whitelist: true, push_whitelist_usernames: ["writer"] };
      await owner.post(`${repo}/branch_protections`, rule).expect(201);
      const first = await work.commit("w", { [`first-${number}.txt`]: "x" });
      expect((await pushAs(owner, repo, "HEAD:main")).code).not.toBe(0);
      expect((await pushAs(writer, repo, "HEAD:main")).code).toBe(0);
      await work.git("w", "reset", "-q", "--hard", `${first}~1`);
      await work.commit("w", { [`other-${number}.txt`]: "y" });
      expect((await pushAs(writer, repo, "--force", "HEAD:main")).stderr).toContain("branch main is protected from force push");
      await owner.patch(`${repo}/branch_protections/main`, { enable_force_push: true }).expect(200);
      expect((await pushAs(writer, repo, "--force", "HEAD:main")).code).toBe(0);
    });

    test("enforce protected files and signed commits for every kind of change", async () => {
      const repo = await repository();
      const rule = { rule_name: "main", enable_push: true, protected_file_patterns: "secret-*.txt", unprotected_file_patterns: "*.md" };
      await owner.post(`${repo}/branch_protections`, rule).expect(201);
      await work.commit("w", { [`secret-${number}.txt`]: "x", [`open-${number}.txt`]: "x" });
      expect((await pushAs(writer, repo, "HEAD:main")).stderr).toContain(`branch main is protected from changing file secret-${number}.txt`);
      expect((await edit(writer, repo, "secret-api.txt")).json.message).toBe("branch main is protected from changing file secret-api.txt");
      await edit(writer, repo, "open.txt").expect(201);
      await owner.patch(`${repo}/branch_protections/main`, { enable_push: false }).expect(200);
      await edit(writer, repo, "notes.md").expect(201);
      await edit(writer, repo, "closed.txt").expect(403);
      await owner.patch(`${repo}/branch_protections/main`, { enable_push: true, require_signed_commits: true, protected_file_patterns: "" }).expect(200);
      expect((await edit(writer, repo, "unsigned.txt")).json.message).toMatch(/^branch main is protected from unverified commit [0-9a-f]{40}$/);
      await work.git("w", "fetch", "-q", `${owner.gitOrigin}${repo.slice("/repos".length)}.git`, "main");
      await work.git("w", "reset", "-q", "--hard", "FETCH_HEAD");
      const unsigned = await work.commit("w", { [`unsigned-${number}.txt`]: "x" });
      expect((await pushAs(writer, repo, "HEAD:main")).stderr).toContain(`branch main is protected from unverified commit ${unsigned}`);
    });

    test("accept pushes from members of a listed team until they leave it", async () => {
      await owner.post("/orgs", { username: `org${number}` }).expect(201);
      const org = `org${number}`;
      const team = await owner
        .post(`/orgs/${org}/teams`, { name: "Keepers", permission: "write", units: ["repo.code"], includes_all_repositories: true })
        .expect(201);
      await owner.put(`/teams/${team.id}/members/reader`).expect(204);
      await owner.post(`/orgs/${org}/repos`, { name: "kept", auto_init: true, default_branch: "main" }).expect(201);
      const repo = `/repos/${org}/kept`;
      const rule = { rule_name: "main", enable_push: true, enable_push_whitelist: true, push_whitelist_teams: ["keepers"] };
      expect(await owner.post(`${repo}/branch_protections`, rule).expect(201)).toMatchObject({ push_whitelist_teams: ["Keepers"] });
      expect((await owner.post(`${repo}/branch_protections`, { rule_name: "x", push_whitelist_teams: ["none"] })).status).toBe(404);
      await edit(owner, repo, "no.txt").expect(403);
      await edit(reader, repo, "yes.txt").expect(201);
      expect(await reader.get(`${repo}/branches/main`).expect(200)).toMatchObject({ protected: true, user_can_push: true });
      await owner.delete(`/teams/${team.id}`).expect(204);
      expect((await owner.get(`${repo}/branch_protections/main`)).json.push_whitelist_teams).toEqual([]);
    });
  });

  describe("tag protection rules", () => {
    test("are created, edited and deleted, and apply to every kind of change", async () => {
      const repo = await repository();
      await owner.post(`${repo}/tag_protections`, { name_pattern: "" }).expect(400);
      await owner.post(`${repo}/tag_protections`, { name_pattern: "v*" }).expect(400);
      await owner.post(`${repo}/tag_protections`, { name_pattern: "/(/", whitelist_usernames: ["owner"] }).expect(422);
      const made = await owner.post(`${repo}/tag_protections`, { name_pattern: "v*", whitelist_usernames: ["owner"] }).expect(201);
      expect(differences(made, "TagProtection")).toEqual([]);
      await owner.post(`${repo}/tag_protections`, { name_pattern: "v*", whitelist_usernames: ["owner"] }).expect(422);

      expect((await writer.post(`${repo}/tags`, { tag_name: "v1" })).json.message).toBe("user not allowed to create protected tag");
      expect((await pushAs(writer, repo, "HEAD:refs/tags/v1")).stderr).toContain("Tag v1 is protected");
      await owner.post(`${repo}/tags`, { tag_name: "v1" }).expect(201);
      expect((await writer.delete(`${repo}/tags/v1`)).json.message).toBe("user not allowed to delete protected tag");
      await work.commit("w", { [`tagged-${number}.txt`]: "x" });
      expect((await pushAs(writer, repo, "--force", "HEAD:refs/tags/v1")).code).not.toBe(0);
      await writer.post(`${repo}/tags`, { tag_name: "w1" }).expect(201);

      const path = `${repo}/tag_protections/${made.id}`;
      expect(await owner.patch(path, { name_pattern: "/^w\\d+$/" }).expect(200)).toMatchObject({ name_pattern: "/^w\\d+$/", whitelist_usernames: ["owner"] });
      await writer.delete(`${repo}/tags/w1`).expect(422);
      await writer.post(`${repo}/tags`, { tag_name: "v2" }).expect(201);
      await writer.get(path).expect(403);
      await owner.delete(path).expect(204);
      await owner.get(path).expect(404);
      await writer.delete(`${repo}/tags/w1`).expect(204);
    });
  });

  test("rule changes are recorded in the audit log, and rules are deleted with their repository", async () => {
    const repo = await repository();
    await owner.post(`${repo}/branch_protections`, { rule_name: "main" }).expect(201);
    await owner.delete(`${repo}/branch_protections/main`).expect(204);
    const events = await eventsOf(forge, { type: "branch_protection.*" });
    expect(events.slice(-2)).toMatchObject([
      { type: "branch_protection.created", actorId: owner.id },
      { type: "branch_protection.deleted", actorId: owner.id },
    ]);
  });
});
