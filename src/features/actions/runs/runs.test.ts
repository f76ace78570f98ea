import { describe, expect, test } from "vitest";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge } from "../../../../test/kit/forge.ts";
import { createGitUser } from "../../../../test/kit/git-user.ts";
import { RunnerCallError, registerRunner, type TestRunner } from "../../../../test/kit/runner.ts";
import { shareForge } from "../../../../test/kit/set-up.ts";
import { operator } from "../../../access/actor.ts";
import { Result } from "../../../wire/actions-protocol/runner.ts";
import { findRepositoryById } from "../../repositories/repos/service/find.ts";
import { getRunner } from "../runners/service/runners.ts";
import { approve } from "./service/manage.ts";
import { claimTask, sweepTasks } from "./service/tasks.ts";
import { createWaitingRunners } from "./service/waiting-runners.ts";

const build = `name: CI
on: push
jobs:
  prepare:
    runs-on: linux
    outputs: { list: "\${{ steps.make.outputs.list }}" }
    steps:
      - id: make
        run: echo 'list=["a","b"]' >> "$GITHUB_OUTPUT"
  test:
    needs: prepare
    runs-on: linux
    strategy: { matrix: { part: "\${{ fromJSON(needs.prepare.outputs.list) }}" } }
    steps:
      - run: echo "testing \${{ matrix.part }} with \${{ secrets.KEY }}"
  report:
    needs: [prepare, test]
    if: always()
    runs-on: linux
    steps:
      - run: echo "result \${{ needs.test.result }} of \${{ vars.PLACE }}"
`;

/** A delivery of a webhook for runs and jobs. */
interface Delivered {
  readonly event: string;
  readonly payload: { readonly action: string } & { readonly [Subject in "workflow" | "workflow_run" | "workflow_job"]?: Readonly<Record<string, unknown>> };
}

/** Reads server-sent events one by one. */
async function openEvents(url: string, headers: Readonly<Record<string, string>> = {}) {
  const { status, headers: answered, body } = await fetch(url, { headers });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    status,
    type: answered.get("content-type"),
    async read(count: number): Promise<readonly string[]> {
      for (;;) {
        const events = text.split("\n\n").slice(0, -1);
        if (events.length >= count) {
          text = text.slice(events.slice(0, count).reduce((sum, event) => sum + event.length + 2, 0));
          return events.slice(0, count);
        }
        const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
        if (done) throw new Error(`the stream ended after: ${text}`);
        text += value;
      }
    },
    close: () => reader?.cancel(),
  };
}

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice", "bob"]);
  const { alice, bob } = users;
  let number = 0;

  const encode = (text: string): string => Buffer.from(text).toString("base64");

  /** A repository with a workflow, which is pushed after the runner is registered. */
  async function repository(
    workflow?: string,
  ): Promise<{ readonly path: string; readonly name: string; readonly sha: string; readonly push: (text: string) => Promise<string> }> {
    number += 1;
    const name = `r${number}`;
    await alice.post("/user/repos", { name, auto_init: true, default_branch: "main" }).expect(201);
    await alice.patch(`/repos/alice/${name}`, { has_actions: true }).expect(200);
    const path = `/repos/alice/${name}`;
    let files = 0;
    const push = async (text: string): Promise<string> => {
      files += 1;
      const made = await alice.post(`${path}/contents/.gitea/workflows/w${files}.yml`, { content: encode(text), message: `add workflow ${files}` }).expect(201);
      await forge.settled();
      return made.commit.sha as string;
    };
    return { path, name, sha: workflow === undefined ? "" : await push(workflow), push };
  }

  async function runnerOf(path: string, options: Parameters<typeof registerRunner>[2] = {}): Promise<TestRunner> {
    const { token } = await alice.post(`${path}/actions/runners/registration-token`, {}).expect(200);
    return registerRunner(forge.url, token, options);
  }

  const jobsOf = (repo: string) =>
    forge.context.db.sql
      .selectFrom("action_jobs as j")
      .innerJoin("repositories as r", "r.id", "j.repo_id")
      .selectAll("j")
      .where("r.name", "=", repo)
      .orderBy("j.id")
      .execute();
  const runsOf = (repo: string) =>
    forge.context.db.sql
      .selectFrom("action_runs as a")
      .innerJoin("repositories as r", "r.id", "a.repo_id")
      .selectAll("a")
      .where("r.name", "=", repo)
      .orderBy("a.id")
      .execute();

  describe("runs of workflows", () => {
    test("a push runs jobs with needs, a matrix from outputs, secrets and variables; the log shows no secret", async () => {
      const { path, name, push } = await repository();
      await alice.put(`${path}/actions/secrets/KEY`, { data: "hidden-word" }).expect(201);
      await alice.post(`${path}/actions/variables/PLACE`, { value: "here" }).expect(201);
      const runner = await runnerOf(path);
      const sha = await push(build);
      for (let job = 0; job < 4; job += 1) {
        await runner.runOne();
        await forge.settled();
      }
      expect(await runner.fetch(0)).toBeUndefined();
      const jobs = await jobsOf(name);
      expect(jobs.map((job) => [job.name, job.status, job.result])).toEqual([
        ["prepare", "done", "success"],
        ["test (a)", "done", "success"],
        ["report", "done", "success"],
        ["test (b)", "done", "success"],
      ]);
      expect(await runsOf(name)).toMatchObject([{ number: 1, status: "done", result: "success", oid: sha, title: "add workflow 1", ref: "refs/heads/main" }]);
      const parts = await forge.context.db.sql
        .selectFrom("action_log_parts")
        .select("content")
        .where(
          "task_id",
          "in",
          jobs.map(({ task_id }) => task_id ?? 0),
        )
        .execute();
      const log = parts.map(({ content }) => content).join("\n");
      expect(log).toContain("testing a with ***");
      expect(log).toContain("result success of here");
      expect(log).not.toContain("hidden-word");
      const combined = await alice.get(`${path}/commits/${sha}/status`).expect(200);
      expect(combined).toMatchObject({ state: "success", total_count: 5 });
      expect(combined.statuses.map(({ context }: { context: string }) => context)).toContain("CI / test (a) (push)");
    });

    test("a job keeps the secrets that it began with, and its log hides them after they were replaced and deleted", async () => {
      const { path, name, push } = await repository();
      await alice.put(`${path}/actions/secrets/ONE`, { data: "first-value" }).expect(201);
      await alice.put(`${path}/actions/secrets/TWO`, { data: "second-value" }).expect(201);
      const runner = await runnerOf(path);
      await push("on: push\njobs:\n  a: {runs-on: linux, steps: [{run: 'true'}]}\n");
      const task = await runner.fetch();
      await alice.put(`${path}/actions/secrets/ONE`, { data: "other-value" }).expect(204);
      await alice.delete(`${path}/actions/secrets/TWO`).expect(204);
      const id = task?.id ?? 0n;
      await runner.log(id, 0, [`one first-value two second-value ${task?.context?.gitea_runtime_token}`]);
      const sealed = () => forge.context.db.sql.selectFrom("action_tasks").select("sealed_secrets").where("id", "=", Number(id)).executeTakeFirstOrThrow();
      expect((await sealed()).sealed_secrets).not.toBeNull();
      await runner.report(id, Result.SUCCESS);
      await runner.log(id, 1, ["late first-value"], true);
      expect(await sealed()).toEqual({ sealed_secrets: null });
      const [job] = (await alice.get(`${path}/actions/jobs`).expect(200)).jobs;
      const log = await (await fetch(`${forge.url}/alice/${name}/actions/runs/${job.run_id}/jobs/${job.id}/logs`)).text();
      expect(log.split("\n").map((line) => line.replace(/^\S+ /, ""))).toEqual(["one *** two *** ***", "late ***", ""]);
    });

    test("lists of organizations contain the runs and jobs that the caller may see, those of users their own, and those of the server all", async () => {
      const org = `org${number}`;
      await alice.post("/orgs", { username: org }).expect(201);
      for (const [name, isPrivate] of [
        ["open", false],
        ["closed", true],
      ] as const) {
        await alice.post(`/orgs/${org}/repos`, { name, private: isPrivate, auto_init: true, default_branch: "main" }).expect(201);
        await alice.patch(`/repos/${org}/${name}`, { has_actions: true }).expect(200);
        const text = "on: push\njobs:\n  a: {runs-on: none, steps: [{run: 'true'}]}\n";
        await alice.post(`/repos/${org}/${name}/contents/.gitea/workflows/w.yml`, { content: encode(text), message: name }).expect(201);
      }
      const { id } = await alice.post(`/orgs/${org}/teams`, { name: "issues", permission: "read", units: ["repo.issues"] }).expect(201);
      await alice.put(`/teams/${id}/repos/${org}/closed`).expect(204);
      await alice.put(`/teams/${id}/members/bob`).expect(204);
      await forge.settled();
      type Runs = { readonly workflow_runs: readonly { readonly display_title: string }[]; readonly total_count: number };
      const titles = ({ workflow_runs: runs }: Runs) => runs.map(({ display_title: title }) => title);
      expect(titles(await alice.get(`/orgs/${org}/actions/runs`).expect(200))).toEqual(["closed", "open"]);
      // Members of a team without the unit do not see runs of private repositories.
      expect(titles(await bob.get(`/orgs/${org}/actions/runs`).expect(200))).toEqual(["open"]);
      expect(await bob.get(`/orgs/${org}/actions/jobs?status=queued`).expect(200)).toMatchObject({ total_count: 1, jobs: [{ name: "a", status: "queued" }] });
      await alice.patch(`/teams/${id}`, { name: "issues", units: ["repo.issues", "repo.actions"] }).expect(200);
      expect(titles(await bob.get(`/orgs/${org}/actions/runs`).expect(200))).toEqual(["closed", "open"]);
      await bob.get("/admin/actions/runs").expect(403);
      expect(await bob.get("/user/actions/runs").expect(200)).toMatchObject({ total_count: 0 });
      const all = await forge.admin.get("/admin/actions/jobs").expect(200);
      const own = await alice.get("/user/actions/jobs").expect(200);
      expect(all.total_count).toBe(own.total_count + 2);
      expect((await forge.admin.get("/admin/actions/runs?event=push&limit=2").expect(200)).workflow_runs).toHaveLength(2);
    });

    test("a failed job skips those that need it, and fails the run and the commit", async () => {
      const { path, name, push } = await repository();
      const runner = await runnerOf(path);
      const sha = await push(
        "on: push\njobs:\n  a: {runs-on: linux, steps: [{run: 'exit 1'}]}\n  b: {runs-on: linux, needs: a, steps: [{run: 'true'}]}\n  c: {runs-on: linux, needs: b, if: failure(), steps: [{run: 'true'}]}\n",
      );
      await runner.runOne();
      await forge.settled();
      expect((await jobsOf(name)).map(({ key, result }) => [key, result])).toEqual([
        ["a", "failure"],
        ["b", "skipped"],
        ["c", "skipped"],
      ]);
      expect(await runsOf(name)).toMatchObject([{ status: "done", result: "failure" }]);
      expect(await alice.get(`${path}/commits/${sha}/status`).expect(200)).toMatchObject({ state: "failure" });
    });

    test("webhooks get each step of runs and jobs, in order and as it was", async () => {
      const { path, name, push } = await repository();
      const other = await repository(build);
      const runner = await runnerOf(path);
      const hook = { type: "gitea", config: { content_type: "json", delivery: "pull" }, events: ["workflow_run", "workflow_job"], active: true };
      const { id, events } = await alice.post(`${path}/hooks`, hook).expect(201);
      expect(events).toEqual(["workflow_run", "workflow_job"]);
      await push(
        "name: CI\non: push\njobs:\n  a: {runs-on: linux, steps: [{name: say, run: echo}]}\n  b: {runs-on: linux, needs: a, steps: [{run: 'false'}]}\n",
      );
      await runner.runOne();
      await forge.settled();
      await runner.runOne();
      await forge.settled();
      const sent = await alice.get(`${path}/hooks/${id}/events`).expect(200);
      const stateOf = ({ workflow_run: run, workflow_job: job }: Delivered["payload"]) => {
        const { status, conclusion, started_at: started, completed_at: completed } = job ?? run ?? {};
        return [job?.name ?? "run", status, conclusion, ...[started, completed].map((time) => !String(time).startsWith("1970"))];
      };
      expect(sent.map(({ event, payload }: Delivered) => [event, payload.action, ...stateOf(payload)])).toEqual([
        ["workflow_run", "requested", "run", "queued", undefined, false, false],
        ["workflow_job", "queued", "a", "queued", undefined, false, false],
        ["workflow_job", "waiting", "b", "waiting", undefined, false, false],
        ["workflow_run", "in_progress", "run", "in_progress", undefined, true, false],
        ["workflow_job", "in_progress", "a", "in_progress", undefined, true, false],
        ["workflow_job", "completed", "a", "completed", "success", true, true],
        ["workflow_job", "queued", "b", "queued", undefined, false, false],
        ["workflow_job", "in_progress", "b", "in_progress", undefined, true, false],
        ["workflow_job", "completed", "b", "completed", "failure", true, true],
        ["workflow_run", "completed", "run", "completed", "failure", true, true],
      ]);
      const [requested, , waiting, , started, ended] = sent.map(({ payload }: { payload: object }) => payload);
      expect(Object.keys(requested)).toEqual(["action", "workflow", "workflow_run", "repository", "sender"]);
      expect(requested).toMatchObject({
        workflow: { id: "w1.yml", name: "CI", state: "active" },
        workflow_run: { path: "w1.yml@refs/heads/main", event: "push", run_number: 1, actor: { login: "alice", email: expect.stringMatching(/noreply/) } },
        repository: { full_name: `alice/${name}`, permissions: { admin: true } },
        sender: { login: "alice" },
      });
      expect(waiting.workflow_job).toMatchObject({ steps: [], run_attempt: 0 });
      expect(started.workflow_job).toMatchObject({ runner_name: "runner", run_attempt: 1, labels: ["linux"], steps: [{ name: "say", status: "queued" }] });
      expect(ended.workflow_job).toMatchObject({ steps: [{ name: "say", status: "completed", conclusion: "success" }] });
      // Nothing is recorded without a webhook that has selected it.
      const recorded = await forge.context.db.sql
        .selectFrom("events as e")
        .innerJoin("repositories as r", "r.id", "e.repo_id")
        .select((eb) => ["r.name", eb.fn.countAll().as("total")])
        .where("e.type", "in", ["workflow_run.changed", "workflow_job.changed"])
        .where("r.name", "in", [name, other.name])
        .groupBy("r.name")
        .execute();
      expect(recorded.map((row) => [row.name, Number(row.total)])).toEqual([[name, 10]]);

      await alice.post(`${path}/actions/runs/${requested.workflow_run.id}/rerun-failed-jobs`, {}).expect(201);
      await forge.settled();
      const later = await alice.get(`${path}/hooks/${id}/events?since=10`).expect(200);
      expect(later.map(({ event, payload }: Delivered) => [event, payload.action, ...stateOf(payload)])).toEqual([
        ["workflow_run", "requested", "run", "queued", undefined, false, false],
        ["workflow_job", "queued", "b", "queued", undefined, false, false],
      ]);
      const elsewhere = { content: encode("on: push\njobs:\n  a: {runs-on: linux, steps: [{run: 'true'}]}\n"), message: "add", new_branch: "side" };
      await alice.post(`${path}/contents/.gitea/workflows/side.yml`, elsewhere).expect(201);
      await forge.settled();
      const last = (await alice.get(`${path}/hooks/${id}/events?since=12`).expect(200)).filter(({ payload }: Delivered) => payload.workflow_run !== undefined);
      expect(last.map(({ payload }: Delivered) => [payload.workflow_run?.path, payload.workflow])).toEqual([
        ["side.yml@refs/heads/side", null],
        ["w1.yml@refs/heads/side", expect.objectContaining({ id: "w1.yml" })],
      ]);
    });

    test("a broken workflow is reported on its run and commit with file and line", async () => {
      const { path, name, sha } = await repository("on: push\njobs:\n  a:\n    runs-on: linux\n    stepps: []\n");
      const [run] = await runsOf(name);
      expect(run).toMatchObject({ status: "done", result: "failure" });
      expect(JSON.parse(run?.problems ?? "[]")).toEqual([expect.objectContaining({ line: 5 })]);
      const combined = await alice.get(`${path}/commits/${sha}/status`).expect(200);
      expect(combined.statuses[0].description).toContain(".gitea/workflows/w1.yml:5");
      const reader = createBrowser(forge.url);
      expect((await reader.get(`/alice/${name}/actions`)).text).toContain(`/alice/${name}/actions/runs/${run?.id}`);
      expect(await alice.get(`${path}/actions/runs/${run?.id}`).expect(200)).toMatchObject({ status: "completed", conclusion: "failure" });
      expect(await alice.get(`${path}/actions/runs`).expect(200)).toMatchObject({ workflow_runs: [], total_count: 0 });
    });

    test("a push that leaves the workflows as they are does not read the list of them", async () => {
      await alice.post("/user/repos", { name: "same", auto_init: true }).expect(201);
      const add = (path: string, text: string) => alice.post(`/repos/alice/same/contents/${path}`, { content: encode(text) }).expect(201);
      const listed = async () => (await alice.get("/repos/alice/same/actions/workflows").expect(200)).workflows.map(({ path }: { path: string }) => path);
      const manual = build.replace("on: push", "on: workflow_dispatch");
      await add(".gitea/workflows/a.yml", manual);
      await forge.settled();
      const { statements } = await forge.cost(async () => {
        await add("a.txt", "text");
        await forge.settled();
      });
      expect(statements.filter((sql) => /^(select|insert|update|delete)[^(]*"action_/.test(sql))).toEqual([]);
      await add(".gitea/workflows/b.yml", manual);
      await forge.settled();
      expect(await listed()).toEqual([".gitea/workflows/a.yml", ".gitea/workflows/b.yml"]);
    });

    test("the workflows of the default branch are recorded from a push of many refs", async () => {
      await using user = await createGitUser();
      await alice.post("/user/repos", { name: "refs", auto_init: true }).expect(201);
      await alice.patch("/repos/alice/refs", { has_actions: true }).expect(200);
      const manual = build.replace("on: push", "on: workflow_dispatch");
      const url = forge.url.replace("http://", `http://alice:${alice.token}@`);
      await user.git(".", "clone", "-q", `${url}/alice/refs.git`, "refs");
      const push = async (path: string, text: string): Promise<void> => {
        await user.commit("refs", { [path]: text });
        await user.git("refs", "push", "-q", "--all");
        await forge.settled();
      };
      await push(".gitea/workflows/a.yml", manual);
      const branches = Array.from({ length: 20 }, (_, at) => `a-${at}`);
      for (const name of branches) await user.git("refs", "branch", name);
      await push("b.txt", "text");
      // Existing branches are pushed in the order of their names.
      for (const name of branches) await user.git("refs", "branch", "-f", name);
      await push(".gitea/workflows/b.yml", build.replace("on: push", "on: issues"));
      await push("a.txt", "text");
      await alice.post("/repos/alice/refs/issues", { title: "an issue" }).expect(201);
      await forge.settled();
      expect(await alice.get("/repos/alice/refs/actions/runs").expect(200)).toMatchObject({ total_count: 1, workflow_runs: [{ event: "issues" }] });
    });

    test("a push to a repository without workflows costs no statement for them", async () => {
      const { path } = await repository();
      await forge.settled();
      const { statements } = await forge.cost(async () => {
        await alice.post(`${path}/contents/file-${number}.txt`, { content: encode("x"), message: "m" }).expect(201);
        await forge.settled();
      });
      expect(statements.filter((sql) => /^(select|insert|update|delete)[^(]*"action_/.test(sql))).toEqual([]);
    });

    test("a held request gets the task of a push; an idle one costs a statement or two", async () => {
      const { path, push } = await repository();
      const runner = await runnerOf(path);
      await runner.fetch(0);
      const { statements } = await forge.cost(() => runner.fetch(1_500));
      expect(statements.filter((sql) => !sql.startsWith("select"))).toEqual([]);
      expect(statements.length).toBeLessThanOrEqual(4);
      const waiting = runner.fetch(20_000);
      await push("on: push\njobs:\n  a: {runs-on: linux, steps: [{run: 'true'}]}\n");
      const task = await waiting;
      expect(task?.context).toMatchObject({
        repository: `alice/r${number}`,
        event: { commits: [{ author: { username: "alice" }, committer: { username: "alice" }, verification: null }] },
        ...Object.fromEntries(
          ["action", "action_path", "action_ref", "action_repository", "action_status", "env", "path", "retention_days"].map((key) => [key, ""]),
        ),
      });
      // The token reads the repository as long as the job runs, and nothing else.
      const token = task?.secrets.GITHUB_TOKEN ?? "";
      const get = async (address: string) => (await fetch(`${forge.url}/api/v1${address}`, { headers: { authorization: `token ${token}` } })).status;
      await alice.patch(path, { private: true }).expect(200);
      expect([await get(path), await get(`${path}/branches/main`), await get("/user"), await get("/user/repos"), await get("/repos/search")]).toEqual([
        200, 200, 403, 403, 403,
      ]);
      const write = await fetch(`${forge.url}/api/v1${path}/issues`, {
        method: "POST",
        headers: { authorization: `token ${token}`, "content-type": "application/json" },
        body: '{"title":"x"}',
      });
      expect(write.status).toBe(403);
      await runner.execute(task as never);
      expect(await get(path)).toBe(401);
    });

    test("a job goes to one runner with all of its labels, of its repository", async () => {
      const one = await repository();
      const other = await repository();
      const foreign = await runnerOf(other.path, { labels: ["linux", "big"] });
      const plain = await runnerOf(one.path, { labels: ["linux"] });
      await one.push("on: push\njobs:\n  a: {runs-on: [linux, big], steps: [{run: 'true'}]}\n");
      expect(await foreign.fetch(0)).toBeUndefined();
      expect(await plain.fetch(0)).toBeUndefined();
      expect(await plain.declare(["linux:host", "big:host"])).toEqual(["linux", "big"]);
      const twin = await runnerOf(one.path, { labels: ["linux", "big"] });
      const tasks = await Promise.all([plain.fetch(1_000), twin.fetch(1_000)]);
      expect(tasks.filter((task) => task !== undefined)).toHaveLength(1);
    });

    test("a runner that is disabled or removed while its request is held gets no job, and another runner gets it", async () => {
      const { path, push } = await repository();
      const { id: repoId } = await alice.get(path).expect(200);
      const ids = [(await runnerOf(path)).id, (await runnerOf(path)).id, (await runnerOf(path)).id] as const;
      const waiting = createWaitingRunners({ ...forge.context, claim: (runner, jobId) => claimTask(forge.context, runner, jobId) });
      const owner = { scope: "repository", repoId, name: "" } as const;
      const runners = await Promise.all(ids.map((id) => getRunner(forge.context, owner, id)));
      const held = runners.map((runner) => waiting.wait(runner, 20_000, AbortSignal.timeout(20_000)));
      await alice.patch(`${path}/actions/runners/${ids[0]}`, { disabled: true }).expect(200);
      await alice.delete(`${path}/actions/runners/${ids[1]}`).expect(204);
      await push("on: push\njobs:\n  a: {runs-on: linux, steps: [{run: 'true'}]}\n");
      expect(await Promise.all(held)).toEqual([undefined, undefined, expect.any(Number)]);
      waiting.close();
    });

    test("log lines are acknowledged once they are stored: a repetition and a gap change nothing", async () => {
      const { path, push } = await repository();
      const runner = await runnerOf(path);
      await push("on: push\njobs:\n  a: {runs-on: linux, steps: [{run: 'true'}]}\n");
      const task = await runner.fetch();
      const id = task?.id ?? 0n;
      expect(await runner.log(id, 0, ["one", "two"])).toBe(2);
      expect(await runner.log(id, 0, ["one", "two"])).toBe(2);
      expect(await runner.log(id, 1, ["two", "three"])).toBe(3);
      expect(await runner.log(id, 7, ["gap"])).toBe(3);
      expect(await runner.log(id, 3, ["end"], true)).toBe(4);
      expect(await runner.log(id, 4, ["late"])).toBe(4);
      const stranger = await runnerOf(path);
      await expect(stranger.log(id, 4, ["x"])).rejects.toMatchObject({ status: 404, code: "not_found" });
      expect(await runner.report(id, Result.SUCCESS)).toBe(Result.SUCCESS);
      expect(await runner.report(id, Result.FAILURE)).toBe(Result.SUCCESS);
    });

    test("unknown tokens, runners, methods and messages are refused without an error of the server", async () => {
      const reading = await fetch(`${forge.url}/api/actions/runner.v1.RunnerService/FetchTask`);
      expect([reading.status, reading.headers.get("allow")]).toEqual([405, "POST"]);
      await expect(registerRunner(forge.url, "wrong")).rejects.toMatchObject({ status: 401, code: "unauthenticated" });
      const { path } = await repository();
      const runner = await runnerOf(path);
      await bob.get(`${path}/actions/runners/${runner.id}`).expect(403);
      await alice.delete(`${path}/actions/runners/${runner.id}`).expect(204);
      await expect(runner.fetch(0)).rejects.toBeInstanceOf(RunnerCallError);
      const garbage = await fetch(`${forge.url}/api/actions/runner.v1.RunnerService/Register`, {
        method: "POST",
        headers: { "content-type": "application/proto" },
        body: "\xff\xff",
      });
      expect(garbage.status).toBe(400);
    });

    const one = "on: [push, workflow_dispatch]\njobs:\n  a: {runs-on: linux, steps: [{run: echo hello}]}\n";

    test("the API lists, dispatches, cancels by group, runs again and deletes", async () => {
      const { path, push } = await repository();
      const runner = await runnerOf(path);
      await push(
        "name: Manual\nrun-name: level ${{ inputs.level }}\nconcurrency: {group: one, cancel-in-progress: true}\non:\n  workflow_dispatch:\n    inputs: {level: {type: choice, options: [low, high], default: low}}\njobs:\n  a: {runs-on: linux, steps: [{run: echo hello}]}\n  b: {runs-on: linux, needs: a, steps: [{run: 'true'}]}\n",
      );
      expect(await alice.get(`${path}/actions/workflows`).expect(200)).toMatchObject({
        total_count: 1,
        workflows: [{ id: "w1.yml", name: "Manual", state: "active" }],
      });
      const dispatch = (body: object, details = "") => alice.post(`${path}/actions/workflows/w1.yml/dispatches${details}`, body);
      await dispatch({ ref: "main" }).expect(204);
      const { workflow_run_id: id } = await dispatch({ ref: "refs/heads/main", inputs: { level: "high", odd: "x" } }, "?return_run_details=true").expect(200);
      expect((await dispatch({ ref: "nowhere" }).expect(404)).message).toBe('ref "nowhere" doesn\'t exist');
      await bob.post(`${path}/actions/workflows/w1.yml/dispatches`, { ref: "main" }).expect(403);
      await forge.settled();
      const listed = await alice.get(`${path}/actions/runs`).expect(200);
      expect(listed.workflow_runs[0]).toMatchObject({
        actor: { login: "alice", active: false },
        repository: { permissions: { admin: false, push: false, pull: false } },
      });
      expect(listed.workflow_runs[0].actor.email).toMatch(/alice@noreply/);
      expect(listed.workflow_runs.map((run: Record<string, unknown>) => [run.display_title, run.status, run.conclusion])).toEqual([
        ["level high", "queued", undefined],
        ["level low", "completed", "cancelled"],
      ]);
      await alice.post(`${path}/actions/runs/${id}/rerun`, {}).expect(400);
      await runner.runOne();
      await forge.settled();
      await runner.runOne();
      await forge.settled();
      expect(await alice.get(`${path}/actions/runs/${id}`).expect(200)).toMatchObject({
        status: "completed",
        conclusion: "success",
        head_branch: "main",
        event: "workflow_dispatch",
      });
      const { jobs } = await alice.get(`${path}/actions/runs/${id}/jobs`).expect(200);
      expect(jobs.map((job: Record<string, unknown>) => [job.name, job.status, job.conclusion, job.runner_name, job.run_attempt])).toEqual([
        ["a", "completed", "success", "runner", 1],
        ["b", "completed", "success", "runner", 1],
      ]);
      expect((await alice.get(`${path}/actions/jobs/${jobs[0].id}/logs`)).text).toMatch(/^\S+ hello\n$/);
      await alice.post(`${path}/actions/runs/${id}/jobs/${jobs[1].id}/rerun`, {}).expect(201);
      await forge.settled();
      await runner.runOne();
      await forge.settled();
      expect(await alice.get(`${path}/actions/tasks`).expect(200)).toMatchObject({
        total_count: 3,
        workflow_runs: [{ name: "b", status: "success" }, { name: "b" }, { name: "a" }],
      });
      expect(await alice.get(`${path}/actions/runs?status=failure`).expect(200)).toMatchObject({ total_count: 0 });
      await alice.get(`${path}/actions/runs?status=odd`).expect(400);
      await alice.put(`${path}/actions/workflows/w1.yml/disable`, {}).expect(204);
      await dispatch({ ref: "main" }).expect(403);
      expect(await alice.post(`${path}/actions/runs/${id}/rerun`, {}).expect(400)).toMatchObject({ message: "workflow w1.yml is disabled: enable it first" });
      await alice.put(`${path}/actions/workflows/w1.yml/enable`, {}).expect(204);
      const [{ created_at: made, updated_at: changed }] = (await alice.get(`${path}/actions/workflows`).expect(200)).workflows;
      const { commit } = (await alice.get(`${path}/commits?limit=1`).expect(200))[0];
      expect([made, changed].map((time) => Date.parse(time))).toEqual([Date.parse(commit.author.date), Date.parse(commit.author.date)]);

      // A run that runs again enters its group again.
      const { workflow_run_id: newer } = await dispatch({ ref: "main" }, "?return_run_details=true").expect(200);
      await alice.post(`${path}/actions/runs/${id}/rerun`, {}).expect(201);
      await forge.settled();
      const stateOf = async (run: number) => {
        const { status, conclusion, started_at: started } = await alice.get(`${path}/actions/runs/${run}`).expect(200);
        return [status, conclusion, started.slice(0, 4) === "1970"];
      };
      expect([await stateOf(newer), await stateOf(id)]).toEqual([
        ["completed", "cancelled", true],
        ["queued", undefined, true],
      ]);
      const again = await runner.fetch();
      expect(again?.context).toMatchObject({ event: { repository: { default_branch: "main", owner: { login: "alice" } }, sender: { login: "alice" } } });
      const first = await alice.get(`${path}/actions/runs/${id}/jobs`).expect(200);
      expect(first.jobs[0].steps).toEqual([
        { name: "Run echo hello", number: 0, status: "queued", started_at: "1970-01-01T00:00:00Z", completed_at: "1970-01-01T00:00:00Z" },
      ]);
      await runner.report(again?.id ?? 0n, Result.SUCCESS);
      await forge.settled();
      // Between two jobs.
      expect(await stateOf(id)).toEqual(["queued", undefined, false]);
      await runner.runOne();
      await forge.settled();

      // Administrators of the repository read and delete runs while Actions are off.
      await alice.patch(path, { has_actions: false }).expect(200);
      expect(await alice.get(`${path}/actions/runs`).expect(200)).toMatchObject({ total_count: 3 });
      expect(await bob.get(`${path}/actions/runs`).expect(403)).toMatchObject({
        message: "user should have specific read permission or be a repo admin or a site admin",
      });
      await forge.anonymous.get(`${path}/actions/artifacts`).expect(403);
      await dispatch({ ref: "main" }).expect(403);
      await alice.post(`${path}/actions/runs/${id}/rerun`, {}).expect(403);
      await alice.delete(`${path}/actions/runs/${id}`).expect(204);
      await alice.get(`${path}/actions/runs/${id}`).expect(404);
      await forge.anonymous.get(`${path}/actions/runs`).expect(401);
      for (const [change, message] of [
        [alice.put(`${path}/actions/workflows/none.yml/enable`, {}), 'workflow "none.yml" not found'],
        [alice.post(`${path}/actions/workflows/none.yml/dispatches`, { ref: "main" }), 'workflow "none.yml" doesn\'t exist'],
      ] as const)
        expect(await change.expect(404)).toMatchObject({ message });

      // The number of a deleted run is in links, so no other run gets it.
      await alice.patch(path, { has_actions: true }).expect(200);
      const { run_number: last } = await alice.get(`${path}/actions/runs/${newer}`).expect(200);
      await alice.delete(`${path}/actions/runs/${newer}`).expect(204);
      const { workflow_run_id: next } = await dispatch({ ref: "main" }, "?return_run_details=true").expect(200);
      expect(await alice.get(`${path}/actions/runs/${next}`).expect(200)).toMatchObject({ run_number: last + 1 });
    });

    test("a site can enable Actions in new repositories, which forks leave off", async () => {
      await using other = await startForge({ dialect, environment: { HEARTH_ACTIONS_IN_NEW_REPOSITORIES: "true" } });
      const carol = await other.createUser("carol");
      const dave = await other.createUser("dave");
      expect((await carol.post("/user/repos", { name: "on", auto_init: true }).expect(201)).has_actions).toBe(true);
      expect((await dave.post("/repos/carol/on/forks", {}).expect(202)).has_actions).toBe(false);
    });

    test("a silent runner loses its job: one that it never reported on waits for another runner, any other one fails", async () => {
      const { path, name, push } = await repository();
      const silent = await runnerOf(path);
      await push(one);
      const first = await silent.fetch();
      const expire = () => forge.context.db.tx((tx) => tx.sql.updateTable("action_tasks").set({ lease_until_ms: 0 }).where("status", "=", "running").execute());
      await expire();
      await sweepTasks(forge.context);
      const other = await runnerOf(path);
      const second = await other.fetch();
      expect(second?.id).not.toBe(first?.id);
      // The fence: the first task has no job any more.
      expect(await silent.report(first?.id ?? 0n, Result.SUCCESS)).toBe(Result.CANCELLED);
      expect(await other.log(second?.id ?? 0n, 0, ["begun"])).toBe(1);
      await expire();
      await sweepTasks(forge.context);
      await forge.settled();
      expect(await jobsOf(name)).toMatchObject([{ status: "done", result: "failure", attempt: 2 }]);
      expect(await runsOf(name)).toMatchObject([{ status: "done", result: "failure" }]);
    });

    test("a pull request of a fork runs without secrets, after the approval of its commit", async () => {
      const { path, name, push } = await repository();
      await alice.put(`${path}/actions/secrets/KEY`, { data: "hidden-word" }).expect(201);
      const runner = await runnerOf(path);
      await push("on: [pull_request, pull_request_target]\njobs:\n  a: {runs-on: linux, steps: [{run: 'echo \"key=${{ secrets.KEY }}\"'}]}\n");
      await bob.post(`${path}/forks`, { name: `fork${number}` }).expect(202);
      await bob.post(`/repos/bob/fork${number}/contents/change.txt`, { content: encode("x"), message: "change", new_branch: "topic" }).expect(201);
      await bob.post(`${path}/pulls`, { title: "Change", head: "bob:topic", base: "main" }).expect(201);
      await forge.settled();
      const runs = await runsOf(name);
      expect(runs.map((run) => [run.trigger, run.status, run.is_from_fork, run.needs_approval])).toEqual([
        ["pull_request", "waiting", 1, 1],
        ["pull_request_target", "queued", 0, 0],
      ]);
      const target = await runner.fetch();
      expect([target?.context?.event_name, target?.secrets.KEY]).toEqual(["pull_request_target", "hidden-word"]);
      await runner.execute(target as never);
      await forge.settled();
      expect(await runner.fetch(0)).toBeUndefined();
      await approve(
        { db: forge.context.db },
        { ...operator, id: alice.id },
        await findRepositoryById(forge.context, runs[0]?.repo_id ?? 0, operator),
        runs[0]?.id ?? 0,
      );
      const task = await runner.fetch();
      expect([task?.context?.event_name, task?.context?.head_ref, Object.keys(task?.secrets ?? {}).sort()]).toEqual([
        "pull_request",
        "topic",
        ["GITEA_TOKEN", "GITHUB_TOKEN"],
      ]);
      await bob.post(`/repos/bob/fork${number}/contents/more.txt`, { content: encode("x"), message: "more", branch: "topic" }).expect(201);
      await forge.settled();
      expect((await runsOf(name)).filter((run) => run.trigger === "pull_request").map((run) => run.status)).toEqual(["running", "waiting"]);
    });

    test("a page follows a log as it is written, goes on after its last line, and ends with it", async () => {
      const { path, name, push } = await repository();
      const runner = await runnerOf(path);
      await push("on: push\njobs:\n  a: {runs-on: linux, steps: [{run: 'true'}]}\n");
      const id = (await runner.fetch())?.id ?? 0n;
      const [job] = await jobsOf(name);
      await runner.log(id, 0, ["one", "##[error]\x1b[31m<two>"]);
      const events = `${forge.url}/alice/${name}/actions/runs/${job?.run_id}/jobs/${job?.id}/events`;
      const first = await openEvents(events);
      expect([first.status, first.type]).toEqual([200, "text/event-stream"]);
      const [initial] = await first.read(1);
      expect(initial).toMatch(/^id: 2\ndata: /);
      expect(JSON.parse(initial?.split("data: ")[1] ?? "")).toMatch(/^<li id="L1" .*>one<.*<li id="L2" value="2" class="log-error">.*&lt;two&gt;/);
      await runner.log(id, 2, ["three"]);
      expect((await first.read(1))[0]).toMatch(/^id: 3\n.*L3.*three/);
      await first.close();

      await runner.log(id, 3, ["four"]);
      const second = await openEvents(events, { "last-event-id": "3" });
      expect((await second.read(1))[0]).toMatch(/^id: 4\ndata: "<li id=\\"L4\\".*four/);
      await runner.log(id, 4, [], true);
      await runner.report(id, Result.SUCCESS);
      expect(await second.read(1)).toEqual(["event: end\ndata:"]);
      expect((await openEvents(`${events}?from=4`).then((all) => all.read(1)))[0]).toBe("event: end\ndata:");
    });

    test("writers start a workflow by a form with its inputs; another branch has its own", async () => {
      const { name, push } = await repository();
      const dispatched = (inputs: string): string =>
        `name: Deploy\non:\n  workflow_dispatch:\n    inputs:\n${inputs}jobs:\n  a: {runs-on: linux, steps: [{run: 'true'}]}\n`;
      await push(
        dispatched(
          "      place: {description: Target, type: choice, options: [home, away], default: away}\n      dry: {type: boolean, default: true}\n      count: {type: number, required: true}\n",
        ),
      );
      await push("on: push\njobs:\n  a: {runs-on: linux, steps: [{run: 'true'}]}\n");
      const browser = createBrowser(forge.url);
      await browser.signIn(alice);
      const form = `/alice/${name}/actions/workflows/w1.yml/run`;
      const list = (await browser.get(`/alice/${name}/actions`)).text;
      expect([list.includes(`href="${form}"`), list.includes("w2.yml/run")]).toEqual([true, false]);
      const start = form.replace(/run$/, "dispatches");
      const page = await browser.get(form);
      expect(page.form(start)).toMatchObject({ ref: "main", "inputs.place": "away", "inputs.dry": "true", "inputs.count": "" });
      const { "inputs.dry": _dry, ...unticked } = page.form(start);
      const refused = await browser.post(start, { ...unticked, "inputs.place": "home" });
      expect([refused.status, refused.form(start)["inputs.place"], refused.text.includes("This field is required.")]).toEqual([422, "home", true]);
      expect((await browser.post(start, { ...unticked, "inputs.count": "many" })).text).toContain("Enter a number.");
      const { location } = await browser.post(start, { ...unticked, "inputs.count": "3" });
      const [, started] = await runsOf(name);
      expect(location).toBe(`/alice/${name}/actions/runs/${started?.id}`);
      expect([started?.trigger, JSON.parse(started?.inputs ?? "")]).toEqual(["workflow_dispatch", { place: "away", dry: false, count: 3 }]);
      const runner = await runnerOf(`/repos/alice/${name}`);
      await runner.runOne();
      expect((await runner.fetch())?.context).toMatchObject({ event: { inputs: { place: "away", dry: "false", count: "3" } } });
      expect((await browser.get(`${form}?ref=nowhere`)).text).toContain("This branch or tag does not exist, or its workflow file is missing");
      expect((await browser.get(`/alice/${name}/actions/workflows/w9.yml/run`)).status).toBe(404);
      const reader = createBrowser(forge.url);
      await reader.signIn(bob);
      expect([(await reader.get(form)).status, (await reader.get(`/alice/${name}/actions`)).text.includes("w1.yml/run")]).toEqual([403, false]);
    });

    test("addresses name a run by its id, and those with its number lead there, also if another run has that id", async () => {
      const { path, name, push } = await repository();
      const browser = createBrowser(forge.url);
      const [before] = await forge.context.db.sql
        .selectFrom("action_runs")
        .select((eb) => eb.fn.max("id").as("id"))
        .execute();
      const renumber = (id: number, to: number) =>
        forge.context.db.tx((tx) => tx.sql.updateTable("action_runs").set({ number: to }).where("id", "=", id).execute());
      // The first run gets the id of the second one as its number.
      const next = Number(before?.id ?? 0) + 2;
      await push("on: push\njobs:\n  a: {runs-on: linux, steps: [{run: 'true'}]}\n");
      await renumber(next - 1, next);
      await push("on: push\njobs:\n  b: {runs-on: linux, steps: [{run: 'true'}]}\n");
      await renumber(next, next + 1_000_000);
      const runs = await runsOf(name);
      const [first, second] = runs;
      expect([first?.number, second?.id]).toEqual([next, next]);
      const { jobs } = await alice.get(`${path}/actions/runs/${first?.id}/jobs`).expect(200);
      expect(jobs).toMatchObject([{ html_url: `${forge.url}/alice/${name}/actions/runs/${first?.id}/jobs/${jobs[0].id}` }]);
      expect(await alice.get(`${path}/actions/runs/${first?.id}`).expect(200)).toMatchObject({
        html_url: `${forge.url}/alice/${name}/actions/runs/${first?.id}`,
        run_number: next,
      });
      const at = async (below: string) => {
        const { status, location } = await browser.get(`/alice/${name}/actions/runs/${below}`);
        return [status, location];
      };
      expect(await at(`${second?.id}`)).toEqual([200, undefined]);
      expect(await at(`${second?.number}`)).toEqual([303, `/alice/${name}/actions/runs/${second?.id}`]);
      const latest = runs.at(-1);
      expect(await at("latest")).toEqual([303, `/alice/${name}/actions/runs/${latest?.id}`]);
      // The job decides between the run with the id and the one with the number.
      expect(await at(`${first?.number}/jobs/${jobs[0].id}`)).toEqual([303, `/alice/${name}/actions/runs/${first?.id}/jobs/${jobs[0].id}`]);
      expect(await at(`${first?.id}/jobs/${jobs[0].id}`)).toEqual([200, undefined]);
      expect(await at(`${second?.number}/jobs/${jobs[0].id}`)).toEqual([404, undefined]);
    });

    test("a log as text has each line with the time of the runner in seven decimals, also a line with a line break", async () => {
      const { path, push } = await repository();
      const runner = await runnerOf(path);
      await push("name: Log\non: push\njobs:\n  a: {name: my job, runs-on: linux, steps: [{run: 'true'}]}\n");
      const id = (await runner.fetch())?.id ?? 0n;
      await runner.logRows(id, 0, [
        { seconds: 1_790_000_000n, nanos: 123_456_789, content: "one" },
        { seconds: 1_790_000_000n, nanos: 5_000, content: "two\nlines" },
        { seconds: 1_790_000_001n, nanos: 0, content: "" },
      ]);
      const [job] = (await alice.get(`${path}/actions/jobs`).expect(200)).jobs;
      const answer = await alice.get(`${path}/actions/jobs/${job.id}/logs`);
      expect(answer.text).toBe("2026-09-21T14:13:20.1234567Z one\n2026-09-21T14:13:20.0000050Z two\\nlines\n2026-09-21T14:13:21.0000000Z \n");
      expect(answer.headers.get("content-disposition")).toContain(`attachment; filename="w1-my job-${id}.log"`);
    });

    test("the pages show runs, jobs, logs and a badge to visitors, without forms", async () => {
      const { path, name, push } = await repository();
      const runner = await runnerOf(path);
      await push(one);
      const page = async (address: string): Promise<string> => (await fetch(`${forge.url}/alice/${name}${address}`)).text();
      const [own] = await runsOf(name);
      expect(await page("/actions")).toContain(`/actions/runs/${own?.id}"`);
      await runner.runOne();
      await forge.settled();
      const run = await page(`/actions/runs/${own?.id}`);
      expect(run).toContain("Success");
      const job = /\/actions\/runs\/\d+\/jobs\/\d+/.exec(run)?.[0] ?? "";
      expect(await page(job)).toContain("hello");
      expect(await page(`${job}/logs`)).toMatch(/ hello\n$/);
      expect(await page("/actions/workflows/w1.yml/badge.svg")).toContain("passing");
      expect(run).not.toContain("Re-run");
    });
  });
});
