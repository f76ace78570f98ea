import { describe, expect, test } from "vitest";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { registerRunner, type TestRunner } from "../../../../test/kit/runner.ts";
import { shareForge } from "../../../../test/kit/set-up.ts";
import { Result } from "../../../wire/actions-protocol/runner.ts";
import { sweepTasks } from "./service/tasks.ts";

const encode = (text: string): string => Buffer.from(text).toString("base64");

/** An action like that of GitHub: it clones the repository at the commit of the run. */
const checkout = {
  "action.yml": `name: Checkout
inputs:
  token: { default: "\${{ github.token }}" }
  path: { default: . }
runs: { using: node24, main: main.mjs }
`,
  "main.mjs": `import { execFileSync } from "node:child_process";
const { FORGE, GITHUB_REPOSITORY, GITHUB_SHA, INPUT_TOKEN, INPUT_PATH } = process.env;
const git = (...args) => execFileSync("git", ["-c", "http.extraHeader=Authorization: Bearer " + INPUT_TOKEN, ...args], { cwd: INPUT_PATH, stdio: "inherit" });
git("init", "-q");
git("fetch", "-q", "--depth", "1", FORGE + "/" + GITHUB_REPOSITORY + ".git", GITHUB_SHA);
git("checkout", "-q", "FETCH_HEAD");
`,
};

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice", "bob"]);
  const { alice, bob } = users;
  let number = 0;

  async function repository(workflow?: string) {
    number += 1;
    const name = `r${number}`;
    const path = `/repos/alice/${name}`;
    await alice.post("/user/repos", { name, private: true, auto_init: true, default_branch: "main" }).expect(201);
    await alice.patch(path, { has_actions: true }).expect(200);
    const push = async (text: string, file = "w.yml", branch = "main"): Promise<void> => {
      await alice.post(`${path}/contents/.gitea/workflows/${file}`, { content: encode(text), message: `add ${file}`, branch }).expect(201);
      await forge.settled();
    };
    if (workflow !== undefined) await push(workflow);
    return { name, path, push };
  }
  async function runnerAt(path: string): Promise<TestRunner> {
    const { token } = await alice.post(`${path}/actions/runners/registration-token`, {}).expect(200);
    return registerRunner(forge.url, token);
  }

  describe("scenarios of workflows", () => {
    test("actions/checkout comes from a repository of this server, and reads a private repository with the token of the job", async () => {
      await alice.post("/orgs", { username: "actions" }).expect(201);
      await alice.post("/orgs/actions/repos", { name: "checkout", auto_init: true, default_branch: "main" }).expect(201);
      for (const [file, text] of Object.entries(checkout))
        await alice.post(`/repos/actions/checkout/contents/${file}`, { content: encode(text), message: file }).expect(201);
      await alice.post("/repos/actions/checkout/tags", { tag_name: "v4", target: "main" }).expect(201);
      const { name, path } = await repository(
        'on: push\njobs:\n  a:\n    runs-on: linux\n    steps:\n      - uses: actions/checkout@v4\n      - run: echo "files $(ls README.md .gitea/workflows)"\n',
      );
      const runner = await runnerAt(path);
      const task = await runner.runOne();
      await forge.settled();
      expect(task.context?.gitea_default_actions_url).toBe(forge.url);
      const { jobs } = await alice.get(`${path}/actions/jobs`).expect(200);
      expect(jobs).toMatchObject([{ conclusion: "success" }]);
      const log = (await alice.get(`/repos/alice/${name}/actions/jobs/${jobs[0].id}/logs`)).text;
      expect(log).toContain("files README.md");
      expect(log).toContain("w.yml");
    });

    test("a job that exceeds its time fails, although its runner reports, and its token ends", async () => {
      const { path } = await repository("on: push\njobs:\n  a: {runs-on: linux, timeout-minutes: 7, steps: [{run: 'true'}]}\n");
      const runner = await runnerAt(path);
      const task = await runner.fetch();
      const id = task?.id ?? 0n;
      expect(await runner.report(id)).toBe(Result.UNSPECIFIED);
      const row = await forge.context.db.sql.selectFrom("action_tasks").selectAll().where("id", "=", Number(id)).executeTakeFirstOrThrow();
      // A minute more than the time of the job: its runner stops it, if it can.
      expect(row.deadline_ms - row.created_ms).toBe(8 * 60_000);
      await sweepTasks({ ...forge.context, clock: { now: () => row.deadline_ms - 1 } });
      expect(await runner.report(id)).toBe(Result.UNSPECIFIED);
      await forge.context.db.tx((tx) =>
        tx.sql
          .updateTable("action_tasks")
          .set({ deadline_ms: tx.nowMs - 1 })
          .where("id", "=", Number(id))
          .execute(),
      );
      await sweepTasks(forge.context);
      await forge.settled();
      expect(await alice.get(`${path}/actions/runs`).expect(200)).toMatchObject({ workflow_runs: [{ status: "completed", conclusion: "failure" }] });
      expect(await runner.report(id, Result.SUCCESS)).toBe(Result.FAILURE);
      const late = await fetch(`${forge.url}/api/v1${path}`, { headers: { authorization: `token ${task?.secrets.GITHUB_TOKEN}` } });
      expect(late.status).toBe(401);
    });

    test("runners of an organization or a user get jobs of its own repositories only, and those of the server get all", async () => {
      for (const org of ["first-org", "second-org"]) await alice.post("/orgs", { username: org }).expect(201);
      const text = "on: push\njobs:\n  a: {runs-on: linux, strategy: {matrix: {n: [1, 2]}}, steps: [{run: 'true'}]}\n";
      await alice.post("/orgs/first-org/repos", { name: "r", auto_init: true, default_branch: "main" }).expect(201);
      await alice.patch("/repos/first-org/r", { has_actions: true }).expect(200);
      await alice.post("/repos/first-org/r/contents/.gitea/workflows/w.yml", { content: encode(text), message: "add" }).expect(201);
      await forge.settled();
      const other = await runnerAt("/orgs/second-org");
      const own = await runnerAt("/orgs/first-org");
      const personal = await runnerAt("/user");
      const { token } = await forge.admin.post("/admin/actions/runners/registration-token", {}).expect(200);
      const global = await registerRunner(forge.url, token);
      expect([await other.fetch(0), await personal.fetch(0)]).toEqual([undefined, undefined]);
      for (const runner of [own, global]) expect((await runner.fetch())?.context?.repository).toBe("first-org/r");
    });

    test("an ephemeral runner gets one job and is deleted with its end", async () => {
      const { path } = await repository("on: push\njobs:\n  a: {runs-on: linux, strategy: {matrix: {n: [1, 2]}}, steps: [{run: 'true'}]}\n");
      const { token } = await alice.post(`${path}/actions/runners/registration-token`, {}).expect(200);
      const runner = await registerRunner(forge.url, token, { ephemeral: true });
      const task = await runner.fetch();
      expect(await runner.log(task?.id ?? 0n, 0, ["line"], true)).toBe(1);
      expect(await Promise.all([runner.fetch(0), runner.fetch(0)])).toEqual([undefined, undefined]);
      expect(await runner.report(task?.id ?? 0n, Result.SUCCESS)).toBe(Result.SUCCESS);
      await alice.get(`${path}/actions/runners/${runner.id}`).expect(404);
      await expect(runner.fetch(0)).rejects.toMatchObject({ status: 401, code: "unauthenticated" });
      await forge.settled();
      expect((await alice.get(`${path}/actions/jobs`).expect(200)).jobs).toMatchObject([{ conclusion: "success" }, { status: "queued" }]);

      // So does one that is silent, and one whose run is cancelled. Two requests at once get one job.
      const second = await registerRunner(forge.url, token, { ephemeral: true });
      const [held, more] = (await Promise.all([second.fetch(0), second.fetch(0)])).filter((one) => one !== undefined);
      expect(more).toBeUndefined();
      expect(await second.report(held?.id ?? 0n)).toBe(Result.UNSPECIFIED);
      await forge.context.db.tx((tx) => tx.sql.updateTable("action_tasks").set({ lease_until_ms: 0 }).where("id", "=", Number(held?.id)).execute());
      await sweepTasks(forge.context);
      await alice.get(`${path}/actions/runners/${second.id}`).expect(404);
      await forge.settled();
      const [{ id: run }] = (await alice.get(`${path}/actions/runs`).expect(200)).workflow_runs;
      await alice.post(`${path}/actions/runs/${run}/rerun`, {}).expect(201);
      const third = await registerRunner(forge.url, token, { ephemeral: true });
      const last = await third.fetch();
      await third.report(last?.id ?? 0n);
      const browser = createBrowser(forge.url);
      await browser.signIn(alice);
      const page = `${path.replace("/repos", "")}/actions/runs/${run}`;
      await browser.submit(await browser.get(page), `${page}/cancel`);
      expect(await third.report(last?.id ?? 0n)).toBe(Result.CANCELLED);
      expect(await third.report(last?.id ?? 0n, Result.CANCELLED)).toBe(Result.CANCELLED);
      await expect(third.fetch(0)).rejects.toMatchObject({ status: 401 });
    });

    test("a repository with many waiting jobs does not delay those of others: repositories take turns", async () => {
      const matrix = "on: push\njobs:\n  a: {runs-on: linux, strategy: {matrix: {n: [1, 2, 3, 4, 5, 6]}}, steps: [{run: 'true'}]}\n";
      const many = await repository(matrix);
      const few = await repository("on: push\njobs:\n  a: {runs-on: linux, strategy: {matrix: {n: [1, 2]}}, steps: [{run: 'true'}]}\n");
      const runner = await runnerAt("/user");
      const order: unknown[] = [];
      for (let at = 0; at < 8; at += 1) order.push((await runner.fetch())?.context?.repository);
      const [first, other] = [`alice/${many.name}`, `alice/${few.name}`];
      expect(order.filter((name) => name === first)).toHaveLength(6);
      expect(order.slice(0, 5).filter((name) => name === other)).toHaveLength(2);
    });
  });

  describe("pages of runs", () => {
    test("the list is filtered by workflow, status, event and branch, on further pages too", async () => {
      const { name, path, push } = await repository();
      await alice.post(`${path}/branches`, { new_branch_name: "topic" }).expect(201);
      await push("name: Good\non: [push, workflow_dispatch]\njobs:\n  a: {runs-on: linux, steps: [{run: 'true'}]}\n", "good.yml");
      const runner = await runnerAt(path);
      await runner.runOne();
      await forge.settled();
      await push("name: Bad\non: push\njobs:\n  a: {runs-on: linux, steps: [{run: 'false'}]}\n", "bad.yml", "topic");
      await runner.runOne();
      await alice.post(`${path}/actions/workflows/good.yml/dispatches`, { ref: "main" }).expect(204);
      await forge.settled();
      await alice.patch(path, { private: false }).expect(200);
      const shown = async (query: string): Promise<readonly string[]> => {
        const response = await fetch(`${forge.url}/alice/${name}/actions?${query}`);
        expect(response.status).toBe(200);
        return [...(await response.text()).matchAll(/ · #(\d+) · /g)].map(([, run = ""]) => run);
      };
      expect(await shown("")).toEqual(["3", "2", "1"]);
      expect(await shown("state=success")).toEqual(["1"]);
      expect(await shown("state=failure")).toEqual(["2"]);
      expect(await shown("state=queued")).toEqual(["3"]);
      expect(await shown("event=push")).toEqual(["2", "1"]);
      expect(await shown("branch=topic")).toEqual(["2"]);
      expect(await shown("workflow=good.yml&event=workflow_dispatch&branch=main")).toEqual(["3"]);
      expect(await shown("branch=none")).toEqual([]);
      // Unknown states filter nothing, also if objects have a property of this name.
      expect(await shown("state=constructor")).toEqual(["3", "2", "1"]);
      await alice.get(`${path}/actions/runs?status=constructor`).expect(400);
      await alice.get(`${path}/actions/jobs?status=constructor`).expect(400);
    });

    test("writers cancel, run again and delete a run by the forms of its page; its runner stops with the next report", async () => {
      const { name, path } = await repository(
        "on: push\njobs:\n  a: {runs-on: linux, steps: [{run: 'true'}]}\n  b: {runs-on: linux, needs: a, steps: [{run: 'true'}]}\n",
      );
      const runner = await runnerAt(path);
      const task = await runner.fetch();
      expect(await runner.report(task?.id ?? 0n)).toBe(Result.UNSPECIFIED);
      const browser = createBrowser(forge.url);
      await browser.signIn(alice);
      const [{ id }] = (await alice.get(`${path}/actions/runs`).expect(200)).workflow_runs;
      const page = `/alice/${name}/actions/runs/${id}`;
      const submit = async (action: string, fields: Readonly<Record<string, string>> = {}): Promise<void> => {
        expect((await browser.submit(await browser.get(page), `${page}/${action}`, fields)).status).toBe(303);
        await forge.settled();
      };
      const results = async () =>
        (await alice.get(`${path}/actions/jobs`).expect(200)).jobs.map(({ name: job, conclusion }: { name: string; conclusion?: string }) => [job, conclusion]);
      await submit("cancel");
      expect(await runner.report(task?.id ?? 0n)).toBe(Result.CANCELLED);
      expect(await results()).toEqual([
        ["a", "cancelled"],
        ["b", "cancelled"],
      ]);
      await submit("rerun");
      await runner.runOne();
      await forge.settled();
      const second = await runner.fetch();
      await runner.report(second?.id ?? 0n, Result.FAILURE);
      await forge.settled();
      // Only the failed job runs again.
      const form = await browser.get(page);
      expect(form.text).toContain("Re-run failed jobs");
      const { jobs } = await alice.get(`${path}/actions/jobs`).expect(200);
      const job = `${page}/jobs/${jobs.find(({ name: own }: { name: string }) => own === "b").id}`;
      expect((await browser.submit(await browser.get(job), `${job}/rerun`)).status).toBe(303);
      await forge.settled();
      expect((await runner.runOne()).context?.job).toBe("b");
      await forge.settled();
      expect(await results()).toEqual([
        ["a", "success"],
        ["b", "success"],
      ]);
      await submit("delete");
      expect((await browser.get(page)).status).toBe(404);
    });

    test("a saved workflow file shows its mistakes with their lines, and a correct one none", async () => {
      const { name, path } = await repository();
      const browser = createBrowser(forge.url);
      await browser.signIn(alice);
      const save = async (file: string, content: string): Promise<string> => {
        const address = `/alice/${name}/_new/main/.gitea/workflows`;
        const saved = await browser.submit(await browser.get(address), address, { path: file, content, target: "direct" });
        expect(saved.status).toBe(303);
        await forge.settled();
        return (await browser.get(saved.location ?? "")).text;
      };
      const shown = await save(".gitea/workflows/bad.yml", "on: push\njobs:\n  a:\n    runs-on: linux\n    stepps: []\n");
      expect(shown).toContain("This workflow is invalid");
      expect(shown).toMatch(/<a href="#L5">Line 5, column \d+<\/a>: [^<]*stepps/);
      expect(await save(".gitea/workflows/good.yml", "on: push\njobs:\n  a: {runs-on: linux, steps: [{run: 'true'}]}\n")).not.toContain(
        "This workflow is invalid",
      );
      expect(await save("other.yml", "on: push\njobs: 1\n")).not.toContain("This workflow is invalid");
      await alice.patch(path, { has_actions: false }).expect(200);
      expect((await browser.get(`/alice/${name}/src/branch/main/.gitea/workflows/bad.yml`)).text).not.toContain("This workflow is invalid");
    });

    test("a log is searched without scripts: lines lead to their places, in any case, colored or not", async () => {
      const { name, path } = await repository("on: push\njobs:\n  a: {runs-on: linux, steps: [{run: 'true'}]}\n");
      const runner = await runnerAt(path);
      const id = (await runner.fetch())?.id ?? 0n;
      const lines = Array.from({ length: 3_000 }, (_, at) => (at % 1_000 === 999 ? `line ${at} \x1b[31mNee\x1b[1mdle\x1b[0m <b>` : `line ${at}`));
      await runner.log(id, 0, lines.slice(0, 1_500));
      await runner.log(id, 1_500, lines.slice(1_500), true);
      await runner.report(id, Result.SUCCESS);
      await forge.settled();
      await alice.patch(path, { private: false }).expect(200);
      const { jobs } = await alice.get(`${path}/actions/jobs`).expect(200);
      const own = `/alice/${name}/actions/runs/${jobs[0].run_id}/jobs/${jobs[0].id}`;
      const page = async (query: string): Promise<string> => (await fetch(`${forge.url}${own}${query}`)).text();
      const found = await page("/search?q=needle");
      expect(found).toContain("3 lines contain this text.");
      expect([...found.matchAll(/<li value="(\d+)"><a href="([^"]+)"/g)].map(([, line, href]) => [line, href])).toEqual([
        ["1000", `${own}?from=979#L1000`],
        ["2000", `${own}?from=1979#L2000`],
        ["3000", `${own}?from=2979#L3000`],
      ]);
      expect(found).toContain("&lt;b&gt;");
      expect(await page("?from=1979")).toContain('id="L2000"');
      expect(await page("/search?q=line")).toContain("The first 500 lines that contain this text.");
      expect(await page("/search?q=absent")).toContain("No line contains this text.");
      expect(await page("")).toContain(`action="${own}/search"`);
      await alice.patch(path, { private: true }).expect(200);
      await bob.get(path).expect(404);
      expect((await fetch(`${forge.url}${own}/search?q=needle`)).status).toBe(404);
    });
  });
});
