import { describe, expect, test } from "vitest";
import { createApiClient } from "../../../../test/kit/api-client.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { createGitUser } from "../../../../test/kit/git-user.ts";
import { registerRunner } from "../../../../test/kit/runner.ts";
import { shareForge } from "../../../../test/kit/set-up.ts";
import { loadConfig } from "../../../config/config.ts";
import { grantedUnits, undeclaredPermissions } from "./service/job-token.ts";

const encode = (text: string): string => Buffer.from(text).toString("base64");

test("a token has the declared rights, those of the setting without a declaration, and never writes for code of a fork", () => {
  const some = (units: object) => Object.entries(units).sort();
  expect(some(grantedUnits({ contents: "write", issues: "read", actions: "none" }, false))).toEqual([
    ["repo.code", "write"],
    ["repo.issues", "read"],
    ["repo.releases", "write"],
    ["repo.wiki", "write"],
  ]);
  const undeclared = (value: string) => undeclaredPermissions({ config: { actions: { ...loadConfig({}).actions, token_permissions: value } } });
  expect(loadConfig({}).actions.token_permissions).toBe("read");
  expect(new Set(Object.values(grantedUnits(undeclared("read"), false)))).toEqual(new Set(["read"]));
  expect(new Set(Object.values(grantedUnits(undeclared("write"), false)))).toEqual(new Set(["write"]));
  expect(new Set(Object.values(grantedUnits(undeclared("write"), true)))).toEqual(new Set(["read"]));
  expect(new Set(Object.values(grantedUnits({ all: "write" }, false)))).toEqual(new Set(["write"]));
  expect(new Set(Object.values(grantedUnits({ all: "write" }, true)))).toEqual(new Set(["read"]));
  expect(grantedUnits({}, false)).toEqual({});
});

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice", "bob"]);
  const { alice, bob } = users;
  let number = 0;

  /** A repository with a running job, and a client with its token. */
  async function runningJob(permissions: string) {
    number += 1;
    const name = `r${number}`;
    const path = `/repos/alice/${name}`;
    await alice.post("/user/repos", { name, auto_init: true, default_branch: "main" }).expect(201);
    await alice.patch(path, { has_actions: true }).expect(200);
    const { token } = await alice.post(`${path}/actions/runners/registration-token`, {}).expect(200);
    const runner = await registerRunner(forge.url, token);
    const text = `on: [push, issues, pull_request, issue_comment, release, create]\n${permissions}\njobs:\n  a: {runs-on: linux, steps: [{run: 'true'}]}\n`;
    await alice.post(`${path}/contents/.gitea/workflows/w.yml`, { content: encode(text), message: "add" }).expect(201);
    await forge.settled();
    const task = await runner.fetch();
    const secret = task?.secrets.GITHUB_TOKEN ?? "";
    return { name, path, runner, task, secret, job: createApiClient(forge.url, `token ${secret}`) };
  }

  const runCount = async (name: string): Promise<number> => {
    await forge.settled();
    return (await alice.get(`/repos/alice/${name}/actions/runs`).expect(200)).total_count;
  };

  describe("the token of a job", () => {
    test("writes as its own account if the file declares it, and starts no other run", async () => {
      const { name, path, secret, job, runner, task } = await runningJob("permissions: {contents: write, issues: write, pull-requests: write, actions: write}");
      const made = await job.post(`${path}/contents/made.txt`, { content: encode("x"), message: "by the job", new_branch: "made" }).expect(201);
      expect(made.commit.author).toMatchObject({ name: "Gitea Actions" });
      await using machine = await createGitUser();
      const address = `${forge.url.replace("://", `://x:${secret}@`)}/alice/${name}.git`;
      await machine.git("", "clone", "-q", address, "clone");
      await machine.git("clone", "push", "-q", "origin", "HEAD:refs/heads/pushed");
      // Addresses are for people: the job sees those that anonymous callers see.
      const { email } = (await bob.get(path).expect(200)).owner;
      expect(email).toContain("alice@");
      expect((await job.get(path).expect(200)).owner.email).toMatch(/noreply/);
      const issue = await job.post(`${path}/issues`, { title: "Found" }).expect(201);
      expect(issue.user).toMatchObject({ id: -2, login: "gitea-actions", full_name: "Gitea Actions" });
      await job.post(`${path}/issues/1/comments`, { body: "more" }).expect(201);
      await job.post(`${path}/pulls`, { title: "Change", head: "made", base: "main" }).expect(201);
      await job.post(`${path}/releases`, { tag_name: "v1", target_commitish: "main" }).expect(201);
      await job.put(`${path}/pulls/2/merge`, {}).expect(405);
      await job.post(`${path}/pulls/2/merge`, { Do: "merge" }).expect(200);
      expect(await runCount(name)).toBe(1);
      await job.post(`${path}/actions/workflows/w.yml/dispatches`, { ref: "main" }).expect(204);
      expect(await runCount(name)).toBe(2);
      const page = await (await fetch(`${forge.url}/alice/${name}/issues/1`)).text();
      expect(page).toContain("gitea-actions");
      await runner.execute(task as never);
      await job.get(path).expect(401);
      expect((await machine.attempt("clone", "push", "-q", "origin", "HEAD:refs/heads/later")).code).not.toBe(0);
    });

    test("changes nothing that belongs to a user, an administrator or another repository", async () => {
      const { path, job } = await runningJob("permissions: write-all");
      await alice.post("/user/repos", { name: `other${number}`, auto_init: true }).expect(201);
      await job.post(`/repos/alice/other${number}/issues`, { title: "x" }).expect(403);
      await job.get(`/repos/alice/other${number}/branches`).expect(200);
      const refused: readonly (readonly ["post" | "put" | "patch" | "delete", string, object?])[] = [
        ["post", `${path}/forks`, {}],
        ["put", `/user/starred${path.slice("/repos".length)}`],
        ["put", `${path}/subscription`],
        ["put", `${path}/notifications`],
        ["patch", path, { private: true }],
        ["delete", path],
        ["post", `${path}/hooks`, { type: "gitea", config: { url: "https://example.com", content_type: "json" } }],
        ["put", `${path}/collaborators/bob`, {}],
        ["post", `${path}/branch_protections`, { rule_name: "main" }],
        ["put", `${path}/actions/secrets/KEY`, { data: "x" }],
        ["post", "/user/repos", { name: "mine" }],
        ["post", "/orgs", { username: "mine" }],
      ];
      for (const [method, address, body] of refused) expect([address, (await job[method](address, body as object)).status]).toEqual([address, 403]);
      await job.get("/user").expect(403);
    });

    test("does not write undeclared units, nor to protected branches", async () => {
      const { path, job } = await runningJob("permissions: {contents: write}");
      await alice.post(`${path}/branch_protections`, { rule_name: "main", enable_push: false }).expect(201);
      await job.post(`${path}/issues`, { title: "x" }).expect(403);
      await job.post(`${path}/pulls`, { title: "x", head: "main", base: "main" }).expect(403);
      expect((await job.post(`${path}/contents/a.txt`, { content: encode("x"), message: "m", branch: "main" })).status).toBe(403);
      const { path: plain, job: reader } = await runningJob("");
      expect((await reader.post(`${plain}/contents/a.txt`, { content: encode("x"), message: "m" })).status).toBe(403);
    });

    test("its account cannot be found or signed in, and is in no list", async () => {
      await bob.get("/users/gitea-actions").expect(404);
      expect((await forge.admin.get("/users/search?q=gitea").expect(200)).data).toEqual([]);
      const names = (await forge.admin.get("/admin/users?limit=50").expect(200)).map(({ login }: { login: string }) => login);
      expect(names).not.toContain("gitea-actions");
      expect((await forge.admin.delete("/admin/users/gitea-actions")).status).toBe(404);
      expect((await fetch(`${forge.url}/gitea-actions`)).status).toBe(404);
    });
  });
});
