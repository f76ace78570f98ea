import { describe, expect, test } from "vitest";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { registerRunner, type TestRunner } from "../../../../test/kit/runner.ts";
import { shareForge } from "../../../../test/kit/set-up.ts";
import type { Task } from "../../../wire/actions-protocol/runner.ts";
import { Result } from "../../../wire/actions-protocol/runner.ts";
import { limitPermissions } from "./service/calls.ts";

const encode = (text: string): string => Buffer.from(text).toString("base64");

const called = `on:
  workflow_call:
    inputs:
      place: { type: string, required: true }
      count: { type: number, default: 2 }
      fast: { type: boolean, default: true }
    secrets:
      KEY: { required: true }
    outputs:
      made: { value: "\${{ jobs.make.outputs.made }} for \${{ inputs.place }}" }
permissions: { contents: read, id-token: write }
jobs:
  make:
    runs-on: linux
    outputs: { made: "\${{ steps.one.outputs.made }}" }
    steps:
      - id: one
        if: inputs.fast
        run: echo "made=\${{ inputs.count }} in \${{ inputs.place }} with \${{ secrets.KEY }}" >> "$GITHUB_OUTPUT"
  check:
    needs: make
    runs-on: linux
    steps: [{ run: "echo 'got \${{ needs.make.outputs.made }}:\${{ secrets.OTHER }}'" }]
`;

const caller = `name: Main
on: workflow_dispatch
jobs:
  before: { runs-on: linux, steps: [{ run: "true" }] }
  call:
    needs: before
    strategy: { matrix: { place: [here, there] } }
    uses: ./.gitea/workflows/called.yml
    with: { place: "\${{ matrix.place }}" }
    secrets: { KEY: "\${{ secrets.KEY }}-\${{ matrix.place }}" }
  after:
    needs: call
    runs-on: linux
    steps: [{ run: "echo '\${{ needs.call.outputs.made }}'" }]
`;

test("a called workflow has at most the permissions of its caller", () => {
  expect(limitPermissions(undefined, { all: "read" })).toEqual({ all: "read" });
  expect(limitPermissions({ contents: "write", "id-token": "write" }, { all: "read" })).toEqual({ contents: "read", "id-token": "read" });
  expect(limitPermissions({ contents: "read", issues: "write" }, { contents: "write" })).toEqual({ contents: "read", issues: "none" });
  expect(limitPermissions({ all: "read" }, { contents: "write", issues: "none" })).toEqual({ contents: "read", issues: "none" });
});

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice", "bob"]);
  const { alice, bob } = users;
  let number = 0;

  interface Place {
    readonly name: string;
    readonly path: string;
    readonly runner: TestRunner;
    dispatch(file: string, inputs?: object): Promise<number>;
    write(file: string, text: string): Promise<void>;
    jobs(runId: number): Promise<readonly (readonly [name: string, status: string, result: string | null])[]>;
  }

  async function repository(files: Readonly<Record<string, string>>, more: object = {}, owner = alice): Promise<Place> {
    number += 1;
    const name = `r${number}`;
    const path = `/repos/${owner.name}/${name}`;
    await owner.post("/user/repos", { name, auto_init: true, default_branch: "main", ...more }).expect(201);
    await owner.patch(path, { has_actions: true }).expect(200);
    const write = async (file: string, text: string) => {
      const { sha } = (await owner.get(`${path}/contents/.gitea/workflows/${file}`)).json as { sha?: string };
      const change = { content: encode(text), message: `write ${file}`, ...(sha && { sha }) };
      await (sha ? owner.put(`${path}/contents/.gitea/workflows/${file}`, change) : owner.post(`${path}/contents/.gitea/workflows/${file}`, change)).expect(
        sha ? 200 : 201,
      );
      await forge.settled();
    };
    for (const [file, text] of Object.entries(files)) await write(file, text);
    const { token } = await owner.post(`${path}/actions/runners/registration-token`, {}).expect(200);
    const runner = await registerRunner(forge.url, token);
    return {
      name,
      path,
      runner,
      write,
      async dispatch(file, inputs = {}) {
        const made = await owner.post(`${path}/actions/workflows/${file}/dispatches?return_run_details=true`, { ref: "main", inputs }).expect(200);
        await forge.settled();
        return made.workflow_run_id as number;
      },
      async jobs(runId) {
        await forge.settled();
        const rows = await forge.context.db.sql
          .selectFrom("action_jobs")
          .select(["name", "status", "result"])
          .where("run_id", "=", runId)
          .orderBy("id")
          .execute();
        return rows.map((row) => [row.name, row.status, row.result]);
      },
    };
  }

  const runAll = async ({ runner }: Place): Promise<readonly Task[]> => {
    const tasks: Task[] = [];
    for (;;) {
      await forge.settled();
      const task = await runner.fetch(0);
      if (task === undefined) return tasks;
      tasks.push(task);
      await runner.execute(task);
    }
  };

  /** Takes the next job, and ends it with a result. */
  const end = async ({ runner }: Place, result: Result = Result.SUCCESS): Promise<string> => {
    await forge.settled();
    const task = await runner.fetch(0);
    if (task === undefined) return "none";
    await runner.report(task.id, result);
    await forge.settled();
    return String(task.context?.job);
  };

  const logOf = async (place: Place, runId: number, job: string): Promise<string> => {
    const { jobs } = await alice.get(`${place.path}/actions/runs/${runId}/jobs`).expect(200);
    const { id } = jobs.find((one: { name: string }) => one.name === job);
    return (await alice.get(`${place.path}/actions/jobs/${id}/logs`)).text.replaceAll(/^\S+ /gm, "");
  };

  describe("reusable workflows", () => {
    test("a job calls a workflow with inputs, a matrix and chosen secrets, and others need its outputs", async () => {
      const place = await repository({ "called.yml": called, "main.yml": caller });
      await alice.put(`${place.path}/actions/secrets/KEY`, { data: "hidden-word" }).expect(201);
      await alice.put(`${place.path}/actions/secrets/OTHER`, { data: "kept-back" }).expect(201);
      const id = await place.dispatch("main.yml");
      const tasks = await runAll(place);
      expect(await place.jobs(id)).toEqual([
        ["before", "done", "success"],
        ["call (here)", "done", "success"],
        ["after", "done", "success"],
        ["call (there)", "done", "success"],
        ["call (here) / make", "done", "success"],
        ["call (here) / check", "done", "success"],
        ["call (there) / make", "done", "success"],
        ["call (there) / check", "done", "success"],
      ]);
      expect(await logOf(place, id, "call (there) / check")).toBe("got 2 in there with ***-there:\n");
      expect(await logOf(place, id, "after")).toMatch(/^2 in (here|there) with \*\*\*-\1 for \1\n$/);
      const made = tasks.find(({ context }) => context?.job === "make");
      expect(Object.keys(made?.secrets ?? {}).sort()).toEqual(["GITEA_TOKEN", "GITHUB_TOKEN", "KEY"]);
      // The caller declares no permission to identify, so the called workflow cannot.
      expect(made?.context?.actions_id_token_request_url).toBeUndefined();
      expect((await alice.get(`${place.path}/actions/runs/${id}/jobs`).expect(200)).jobs).toHaveLength(6);
      const browser = createBrowser(forge.url);
      await browser.signIn(alice);
      const page = await browser.get(`/alice/${place.name}/actions/runs/${id}`);
      expect(page.text.replaceAll(/<[^>]*>/g, " ")).toMatch(/call \(here\)\s+Success · calls \.gitea\/workflows\/called\.yml/);
    });

    test("files of other repositories are called if everybody can read them, or both are private and have one owner", async () => {
      const other = await repository({ "called.yml": called.replace("secrets:\n      KEY: { required: true }\n    ", "") }, { private: true });
      const text = (uses: string) => `on: workflow_dispatch\njobs:\n  a:\n    uses: ${uses}\n    with: { place: there }\n    secrets: inherit\n`;
      const uses = `alice/${other.name}/.gitea/workflows/called.yml@main`;
      const open = await repository({ "w.yml": text(uses) });
      const closed = await repository({ "w.yml": text(uses) }, { private: true });
      const foreign = await repository({ "w.yml": text(uses) }, { private: true }, bob);
      const problemsOf = async (id: number) => {
        const row = await forge.context.db.sql.selectFrom("action_runs").select(["problems", "status"]).where("id", "=", id).executeTakeFirstOrThrow();
        return (JSON.parse(row.problems) as readonly { readonly message: string }[]).map(({ message }) => message);
      };
      const refused = [`jobs.a: ${uses}: the repository or ref does not exist, or runs of this repository cannot read it`];
      expect(await problemsOf(await open.dispatch("w.yml"))).toEqual(refused);
      expect(await problemsOf(await foreign.dispatch("w.yml"))).toEqual(refused);
      await alice.put(`${closed.path}/actions/secrets/OTHER`, { data: "passed-on" }).expect(201);
      const id = await closed.dispatch("w.yml");
      expect(await problemsOf(id)).toEqual([]);
      const tasks = await runAll(closed);
      expect(tasks.map(({ secrets }) => secrets.OTHER)).toEqual(["passed-on", "passed-on"]);
      await alice.patch(other.path, { private: false }).expect(200);
      expect(await problemsOf(await open.dispatch("w.yml"))).toEqual([]);
    });

    test("mistakes in calls are reported with the job and the file", async () => {
      const call = (uses: string, more = "") => `on: workflow_dispatch\njobs:\n  a:\n    uses: ${uses}\n${more}`;
      const local = (file: string) => `./.gitea/workflows/${file}`;
      const place = await repository({
        "called.yml": called,
        "plain.yml": "on: push\njobs:\n  a: { runs-on: none, steps: [{ run: 'true' }] }\n",
        "broken.yml": "on: workflow_call\njobs:\n  a: { runs-on: linux, stepps: [] }\n",
        "loop.yml": `on: [workflow_call, workflow_dispatch]\njobs:\n  a:\n    uses: ${local("loop.yml")}\n`,
        "none.yml": call(local("missing.yml")),
        "other.yml": call(local("plain.yml")),
        "bad.yml": call(local("broken.yml")),
        "unnamed.yml": call("alice/nothing/.gitea/workflows/x.yml@main"),
        "inputs.yml": call(local("called.yml"), "    with: { count: many, odd: 1 }\n"),
        "odd.yml": call("some/action@v1"),
      });
      const problemsOf = async (file: string) => {
        const id = await place.dispatch(file);
        const row = await forge.context.db.sql
          .selectFrom("action_runs")
          .select(["problems", "status", "result"])
          .where("id", "=", id)
          .executeTakeFirstOrThrow();
        expect([row.status, row.result]).toEqual(["done", "failure"]);
        return (JSON.parse(row.problems) as readonly { readonly message: string }[]).map(({ message }) => message);
      };
      expect(await problemsOf("none.yml")).toEqual([`jobs.a: ${local("missing.yml")}: the file does not exist`]);
      expect(await problemsOf("other.yml")).toEqual([`jobs.a: ${local("plain.yml")}: the file has no trigger \`workflow_call\``]);
      expect(await problemsOf("bad.yml")).toEqual([expect.stringMatching(/^\.gitea\/workflows\/broken\.yml: .*stepps/)]);
      expect(await problemsOf("loop.yml")).toEqual([`jobs.a: ${local("loop.yml")}: the workflow calls itself`]);
      expect(await problemsOf("unnamed.yml")).toEqual([expect.stringContaining("the repository or ref does not exist")]);
      expect(await problemsOf("inputs.yml")).toEqual([
        "jobs.a: the secret KEY is required by .gitea/workflows/called.yml",
        "jobs.a.with: the called workflow has no input odd",
        "jobs.a.with: the input place is required",
        "jobs.a.with: the input count must be a number",
      ]);
      expect(await problemsOf("odd.yml")).toEqual([expect.stringContaining("`uses` must be")]);
    });

    test("failed jobs of a call run again with their call and with the jobs that need it; others are kept", async () => {
      const place = await repository({ "called.yml": called, "main.yml": caller.replace("matrix: { place: [here, there] }", "matrix: { place: [here] }") });
      const id = await place.dispatch("main.yml");
      expect(await end(place)).toBe("before");
      expect(await end(place)).toBe("make");
      expect(await end(place, Result.FAILURE)).toBe("check");
      expect(await place.jobs(id)).toEqual([
        ["before", "done", "success"],
        ["call (here)", "done", "failure"],
        ["after", "done", "skipped"],
        ["call (here) / make", "done", "success"],
        ["call (here) / check", "done", "failure"],
      ]);
      await alice.post(`${place.path}/actions/runs/${id}/rerun-failed-jobs`, {}).expect(201);
      expect(await place.jobs(id)).toEqual([
        ["before", "done", "success"],
        ["call (here)", "running", null],
        ["after", "blocked", null],
        ["call (here) / make", "done", "success"],
        ["call (here) / check", "waiting", null],
      ]);
      expect(await end(place)).toBe("check");
      expect(await end(place)).toBe("after");
      await alice.post(`${place.path}/actions/runs/${id}/rerun`, {}).expect(201);
      expect((await place.jobs(id)).map(([name, status]) => [name, status])).toEqual([
        ["before", "waiting"],
        ["call (here)", "blocked"],
        ["after", "blocked"],
      ]);
      for (const key of ["before", "make", "check", "after", "none"]) expect(await end(place)).toBe(key);
      expect((await place.jobs(id)).every(([, , result]) => result === "success")).toBe(true);
      // A cancelled run ends its calls.
      await alice.post(`${place.path}/actions/runs/${id}/rerun`, {}).expect(201);
      expect(await end(place)).toBe("before");
      const browser = createBrowser(forge.url);
      await browser.signIn(alice);
      const page = `/alice/${place.name}/actions/runs/${id}`;
      await browser.submit(await browser.get(page), `${page}/cancel`);
      expect((await place.jobs(id)).every(([, status]) => status === "done")).toBe(true);
    });
  });

  describe("running again", () => {
    test("jobs wait for those that they need, and their conditions are evaluated again", async () => {
      const place = await repository({
        "w.yml": "on: workflow_dispatch\njobs:\n  a: {runs-on: linux, steps: [{run: 'true'}]}\n  b: {needs: a, runs-on: linux, steps: [{run: 'true'}]}\n",
      });
      const id = await place.dispatch("w.yml");
      for (const key of ["a", "b"]) expect(await end(place)).toBe(key);
      await alice.post(`${place.path}/actions/runs/${id}/rerun`, {}).expect(201);
      expect(await end(place, Result.FAILURE)).toBe("a");
      expect(await place.jobs(id)).toEqual([
        ["a", "done", "failure"],
        ["b", "done", "skipped"],
      ]);
    });

    test("one job of a matrix runs again although another one has failed", async () => {
      const place = await repository({
        "w.yml": "on: workflow_dispatch\njobs:\n  a: {runs-on: linux, strategy: {fail-fast: false, matrix: {v: [1, 2]}}, steps: [{run: 'true'}]}\n".replace(
          "fail-fast: false, ",
          "",
        ),
      });
      const id = await place.dispatch("w.yml");
      await end(place);
      await end(place, Result.FAILURE);
      const { jobs } = await alice.get(`${place.path}/actions/runs/${id}/jobs`).expect(200);
      await alice.post(`${place.path}/actions/runs/${id}/jobs/${jobs[0].id}/rerun`, {}).expect(201);
      expect(await end(place)).toBe("a");
      expect(await place.jobs(id)).toEqual([
        ["a (1)", "done", "success"],
        ["a (2)", "done", "failure"],
      ]);
    });
  });

  describe("concurrency of jobs", () => {
    const deploy = (more = "") =>
      `on: workflow_dispatch\njobs:\n  a:\n    runs-on: linux\n    concurrency: { group: production${more} }\n    steps: [{ run: 'true' }]\n`;

    test("one job of a group runs and the newest one waits, over workflows", async () => {
      const place = await repository({ "one.yml": deploy(), "two.yml": deploy() });
      const first = await place.dispatch("one.yml");
      const second = await place.dispatch("two.yml");
      const third = await place.dispatch("one.yml");
      expect([...(await place.jobs(first)), ...(await place.jobs(second)), ...(await place.jobs(third))].map(([, status, result]) => [status, result])).toEqual(
        [
          ["waiting", null],
          ["done", "cancelled"],
          ["blocked", null],
        ],
      );
      expect(await end(place)).toBe("a");
      expect(await place.jobs(third)).toEqual([["a", "waiting", null]]);
      expect(await end(place)).toBe("a");
      expect(await place.jobs(third)).toEqual([["a", "done", "success"]]);
    });

    test("a job that cancels jobs in progress begins at once", async () => {
      const place = await repository({ "one.yml": deploy(), "two.yml": deploy(", cancel-in-progress: true") });
      const first = await place.dispatch("one.yml");
      const task = await place.runner.fetch();
      const second = await place.dispatch("two.yml");
      expect(await place.jobs(first)).toEqual([["a", "done", "cancelled"]]);
      expect(await place.runner.report(task?.id ?? 0n)).toBe(Result.CANCELLED);
      expect(await place.jobs(second)).toEqual([["a", "waiting", null]]);
    });

    test("jobs of one matrix take turns in their group", async () => {
      const place = await repository({ "w.yml": deploy().replace("    steps", "    strategy: { matrix: { v: [1, 2, 3] } }\n    steps") });
      const id = await place.dispatch("w.yml");
      for (let job = 0; job < 3; job += 1) {
        expect((await place.jobs(id)).filter(([, status]) => status === "waiting")).toHaveLength(1);
        await end(place);
      }
      expect((await place.jobs(id)).map(([, , result]) => result)).toEqual(["success", "success", "success"]);
    });
  });
});
