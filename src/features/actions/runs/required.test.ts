import { describe, expect, test } from "vitest";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { polling } from "../../../../test/kit/polling.ts";
import { registerRunner } from "../../../../test/kit/runner.ts";
import { shareForge } from "../../../../test/kit/set-up.ts";
import { operator } from "../../../access/actor.ts";
import { Result } from "../../../wire/actions-protocol/runner.ts";
import { findRepositoryById } from "../../repositories/repos/service/find.ts";
import { approve } from "./service/manage.ts";

const encode = (text: string): string => Buffer.from(text).toString("base64");
const file = ".gitea/workflows/check.yml";
/** The filters must not exempt a pull request. */
const check =
  "name: Check\non: {push: {branches: [main]}, pull_request: {branches: [none], paths: [none]}}\njobs:\n  a: {runs-on: linux, steps: [{run: 'true'}]}\n";

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice", "bob", "carol"]);
  const { alice, bob, carol } = users;
  let number = 0;

  /** An organization of alice with a repository of workflows; bob administers its other repository, which has none. */
  async function organization() {
    number += 1;
    const org = `org${number}`;
    await alice.post("/orgs", { username: org }).expect(201);
    for (const name of ["rules", "app", "other"]) {
      await alice.post(`/orgs/${org}/repos`, { name, auto_init: true, default_branch: "main" }).expect(201);
      await alice.patch(`/repos/${org}/${name}`, { has_actions: true }).expect(200);
    }
    await alice.post(`/repos/${org}/rules/contents/${file}`, { content: encode(check), message: "add [skip ci]" }).expect(201);
    await alice.put(`/repos/${org}/app/collaborators/bob`, { permission: "admin" }).expect(204);
    const { token } = await alice.post(`/orgs/${org}/actions/runners/registration-token`, {}).expect(200);
    const runner = await registerRunner(forge.url, token);
    await forge.settled();
    const browser = createBrowser(forge.url);
    await browser.signIn(alice);
    const page = `/org/${org}/settings/required_workflows`;
    const add = async (fields: Readonly<Record<string, string>>) =>
      browser.submit(await browser.get(page), page, { repository: "rules", path: file, branch: "", on_pull: "true", repositories: "", ...fields });
    return { org, app: `/repos/${org}/app`, runner, browser, page, add };
  }

  /** A pull request of bob from a branch of the repository itself. */
  async function pullOfBob(app: string, message = "change"): Promise<{ readonly number: number; readonly sha: string }> {
    const made = await bob.post(`${app}/contents/new.txt`, { content: encode("x"), message, new_branch: "topic" }).expect(201);
    const pull = await bob.post(`${app}/pulls`, { title: "Change", head: "topic", base: "main" }).expect(201);
    await forge.settled();
    return { number: pull.number, sha: made.commit.sha };
  }

  const runsOf = async (org: string, name: string) => {
    await forge.settled();
    return forge.context.db.sql
      .selectFrom("action_runs as a")
      .innerJoin("repositories as r", "r.id", "a.repo_id")
      .innerJoin("accounts as o", "o.id", "r.owner_id")
      .selectAll("a")
      .where("o.name", "=", org)
      .where("r.name", "=", name)
      .orderBy("a.id")
      .execute();
  };

  describe("required workflows of an organization", () => {
    test("runs on pull requests of repositories without workflows, and a merge needs their success: no status, word, filter or administrator replaces it", async () => {
      const { org, app, runner, add } = await organization();
      expect((await add({})).status).toBe(303);
      const { number: pull, sha } = await pullOfBob(app, "change [skip ci]");
      expect(await runsOf(org, "app")).toMatchObject([
        { trigger: "pull_request", oid: sha, workflow_file: `${org}/rules/${file}`, workflow_path: `${org}/rules/${file}@main`, status: "queued" },
      ]);
      const merge = (more: object = {}) => bob.post(`${app}/pulls/${pull}/merge`, { Do: "merge", ...more });
      expect((await merge().expect(405)).message).toBe("Not all required workflows have succeeded");
      for (const context of ["Required / Check (pull_request)", "Check / a (pull_request)"]) {
        await bob.post(`${app}/statuses/${sha}`, { state: "success", context }).expect(200);
      }
      await merge({ force_merge: true }).expect(405);
      const browser = createBrowser(forge.url);
      await browser.signIn(bob);
      expect((await browser.get(`/${org}/app/pulls/${pull}`)).text).toContain(`rules/${file}`);
      const task = await runner.fetch();
      const source = await alice.get(`/repos/${org}/rules/branches/main`).expect(200);
      expect(task?.context).toMatchObject({
        repository: `${org}/app`,
        sha,
        workflow_ref: `${org}/rules/${file}@main`,
        workflow_sha: source.commit.id,
      });
      await runner.report(task?.id ?? 0n, Result.FAILURE);
      await forge.settled();
      await merge({ force_merge: true }).expect(405);
      const [run] = await runsOf(org, "app");
      await bob.post(`${app}/actions/runs/${run?.id}/rerun`, {}).expect(201);
      await merge().expect(405);
      await runner.runOne();
      await forge.settled();
      const { statuses } = await bob.get(`${app}/commits/${sha}/status`).expect(200);
      const reported = statuses.map(({ context, status }: { readonly context: string; readonly status: string }) => [context, status]);
      expect(reported).toContainEqual(["Required / Check (pull_request)", "success"]);
      await merge().expect(200);
    });

    test("an auto merge waits for them", async () => {
      const { app, runner, add } = await organization();
      await add({});
      const { number: pull } = await pullOfBob(app);
      await bob.post(`${app}/pulls/${pull}/merge`, { Do: "merge", merge_when_checks_succeed: true }).expect(201);
      expect((await bob.get(`${app}/pulls/${pull}`).expect(200)).merged).toBe(false);
      await runner.runOne();
      // A merge that collides with another transaction is tried again after a moment.
      await expect.poll(async () => (await bob.get(`${app}/pulls/${pull}`).expect(200)).merged, polling).toBe(true);
    });

    test("code of a fork waits for an approval and gets no secrets", async () => {
      const { org, app, runner, add } = await organization();
      await add({});
      await alice.put(`/orgs/${org}/actions/secrets/KEY`, { data: "hidden-word" }).expect(201);
      await carol.post(`${app}/forks`, { name: `fork${number}` }).expect(202);
      await carol.post(`/repos/carol/fork${number}/contents/new.txt`, { content: encode("x"), message: "change", new_branch: "topic" }).expect(201);
      await carol.post(`${app}/pulls`, { title: "Change", head: "carol:topic", base: "main" }).expect(201);
      const [run] = await runsOf(org, "app");
      expect(run).toMatchObject({ is_from_fork: 1, needs_approval: 1, status: "waiting" });
      expect(await runner.fetch(0)).toBeUndefined();
      await bob.post(`${app}/pulls/1/merge`, { Do: "merge" }).expect(405);
      const place = await findRepositoryById(forge.context, run?.repo_id ?? 0, operator);
      await approve({ db: forge.context.db }, { ...operator, id: alice.id }, place, run?.id ?? 0);
      const task = await runner.fetch();
      expect(Object.keys(task?.secrets ?? {}).sort()).toEqual(["GITEA_TOKEN", "GITHUB_TOKEN"]);
      await runner.report(task?.id ?? 0n, Result.SUCCESS);
      await forge.settled();
      await bob.post(`${app}/pulls/1/merge`, { Do: "merge" }).expect(200);
    });

    test("one that is gone or broken fails with the place of the mistake, and pull requests wait for its owners", async () => {
      const { org, app, add, browser, page } = await organization();
      await add({});
      const path = `/repos/${org}/rules/contents/${file}`;
      const { sha } = await alice.get(path).expect(200);
      const broken = await alice.put(path, { content: encode("on: pull_request\njobs: ["), sha, message: "break" }).expect(200);
      const { number: pull } = await pullOfBob(app);
      const problemsOf = async () => (await runsOf(org, "app")).map(({ problems, result }) => [result, JSON.parse(problems)[0]]);
      expect(await problemsOf()).toEqual([["failure", expect.objectContaining({ line: 2 })]]);
      const [failed] = await runsOf(org, "app");
      expect((await browser.get(`/${org}/app/actions/runs/${failed?.id}`)).text).toContain(`${org}/rules/${file}@main, line 2`);
      await alice.delete(path, { sha: broken.content.sha, message: "remove" }).expect(200);
      await bob.patch(`${app}/pulls/${pull}`, { state: "closed" }).expect(201);
      await bob.patch(`${app}/pulls/${pull}`, { state: "open" }).expect(201);
      expect((await problemsOf()).at(-1)).toEqual(["failure", expect.objectContaining({ message: expect.stringContaining("the file does not exist") })]);
      await bob.post(`${app}/pulls/${pull}/merge`, { Do: "merge", force_merge: true }).expect(405);
      const shown = await browser.get(page);
      const id = /name="id"[^>]* value="(\d+)"|value="(\d+)"[^>]* name="id"/.exec(shown.text)?.slice(1).find(Boolean) ?? "";
      expect((await browser.submit(shown, `${page}/delete`, { id })).status).toBe(303);
      await bob.post(`${app}/pulls/${pull}/merge`, { Do: "merge" }).expect(200);
    });

    test("pushes start them in the chosen repositories with their filters, at a cost for these repositories only", async () => {
      const { org, app, add } = await organization();
      let files = 0;
      const pushTo = (repo: string, branch: object) => {
        files += 1;
        return alice.post(`${repo}/contents/f${files}.txt`, { content: encode("x"), message: "[skip ci]", ...branch }).expect(201);
      };
      const findings = (statements: readonly string[]) => statements.filter((sql) => sql.includes('"q"."on_push"')).length;
      const writes = (statements: readonly string[]) => statements.filter((sql) => /^(insert|update|delete)\b.*"action_/s.test(sql)).length;
      const costOf = async (repo: string) => {
        const { statements } = await forge.cost(async () => {
          await pushTo(repo, { branch: "main" });
          await forge.settled();
        });
        return [statements.length, findings(statements), writes(statements)];
      };
      await costOf(app);
      const before = await costOf(app);
      expect(before.slice(1)).toEqual([0, 0]);
      expect((await add({ on_push: "true", on_pull: "", repositories: "APP" })).status).toBe(303);
      expect(await costOf(`/repos/${org}/other`)).toEqual(before);
      expect((await costOf(app))[1]).toBe(1);
      await pushTo(app, { branch: "main", new_branch: "unfiltered" });
      expect((await runsOf(org, "app")).map(({ trigger, ref }) => [trigger, ref])).toEqual([["push", "refs/heads/main"]]);
      expect(await runsOf(org, "other")).toEqual([]);
      // Filters of branches apply to pushes: another branch costs the statement that finds the workflow.
      const { statements } = await forge.cost(async () => {
        await pushTo(app, { branch: "unfiltered" });
        await forge.settled();
      });
      expect([findings(statements), writes(statements)]).toEqual([1, 0]);
    });

    test("owners alone declare them, in their own organization, with an explanation of each mistake", async () => {
      const { org, add, browser, page } = await organization();
      const other = await organization();
      await other.add({});
      const member = createBrowser(forge.url);
      await member.signIn(bob);
      expect((await member.get(page)).status).toBe(403);
      expect((await member.post(page, { repository: "rules", path: file, on_pull: "true" })).status).toBe(403);
      for (const [fields, text] of [
        [{ path: "ci.yml" }, "Enter the path of a workflow file"],
        [{ path: ".gitea/workflows/../x.yml" }, "Enter the path of a workflow file"],
        [{ path: ".gitea/workflows/none.yml" }, "This repository has no such file"],
        [{ branch: "none" }, "This repository has no such file"],
        [{ repository: "none" }, "The organization has no such repository"],
        [{ repositories: "app none" }, "The organization has no such repository"],
        [{ on_pull: "" }, "Select the required options."],
      ] as const) {
        const answer = await add(fields);
        expect([fields, answer.status, answer.text.includes(text)]).toEqual([fields, 422, true]);
      }
      await alice
        .post(`/repos/${org}/rules/contents/.gitea/workflows/push.yml`, { content: encode(check.replace(/, pull_request.*\}\}/, "}")), message: "x" })
        .expect(201);
      expect((await add({ path: ".gitea/workflows/push.yml" })).text).toContain("does not list a chosen event");
      const shown = await browser.get(page);
      const [foreign] = await forge.context.db.sql.selectFrom("action_required_workflows").select("id").execute();
      expect((await add({})).status).toBe(303);
      expect((await add({})).text).toContain("already required");
      const filled = await browser.get(page);
      expect(shown.status).toBe(200);
      expect((await browser.submit(filled, `${page}/delete`, { id: String(foreign?.id) })).status).toBe(404);
      expect(
        await forge.context.db.sql
          .selectFrom("action_required_workflows")
          .select("id")
          .where("id", "=", foreign?.id ?? 0)
          .execute(),
      ).toHaveLength(1);
    });
  });
});
