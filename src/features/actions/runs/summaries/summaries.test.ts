import { describe, expect, test } from "vitest";
import { createBrowser } from "../../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { registerRunner, summaryOf, type TestRunner } from "../../../../../test/kit/runner.ts";
import { shareForge } from "../../../../../test/kit/set-up.ts";
import { testWithToolkit } from "../../../../../test/kit/toolkit.ts";
import { Result, type Task } from "../../../../wire/actions-protocol/runner.ts";
import { expireLogs } from "../artifacts/service/artifacts.ts";

const dayMs = 86_400_000;
const mebibyte = 1024 * 1024;
const encode = (text: string): string => Buffer.from(text).toString("base64");

const single = `name: CI
on: push
jobs:
  a:
    runs-on: linux
    steps:
      - run: echo 1
      - id: test
        run: echo 2
      - { id: last, run: echo 3 }
`;

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice", "bob"]);
  const { alice, bob } = users;
  let number = 0;

  async function repository(text: string, secret = "swordfish"): Promise<{ readonly name: string; readonly path: string; readonly runner: TestRunner }> {
    number += 1;
    const name = `r${number}`;
    const path = `/repos/alice/${name}`;
    await alice.post("/user/repos", { name, auto_init: true, default_branch: "main" }).expect(201);
    await alice.patch(path, { has_actions: true }).expect(200);
    await alice.put(`${path}/actions/secrets/KEY`, { data: secret }).expect(201);
    const { token } = await alice.post(`${path}/actions/runners/registration-token`, {}).expect(200);
    const runner = await registerRunner(forge.url, token);
    await alice.post(`${path}/contents/.gitea/workflows/w.yml`, { content: encode(text), message: "add" }).expect(201);
    await forge.settled();
    return { name, path, runner };
  }

  async function taskOf(runner: TestRunner): Promise<Task> {
    const task = await runner.fetch();
    if (task === undefined) throw new Error("there is no task");
    return task;
  }

  const send = async (task: Task, step: number | string, body: BodyInit, headers: Readonly<Record<string, string>> = {}) => {
    const { address, headers: own } = summaryOf(task, forge.url, step);
    const response = await fetch(address, { method: "PUT", headers: { ...own, ...headers }, body });
    return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
  };
  const rows = (task?: Task) =>
    forge.context.db.sql
      .selectFrom("action_summaries")
      .select(["task_id", "step", "content", "size_bytes"])
      .where("task_id", task === undefined ? ">" : "=", Number(task?.id ?? 0))
      .orderBy("step")
      .execute();
  const page = async (name: string, below = "", language = "en"): Promise<string> =>
    (await fetch(`${forge.url}/alice/${name}/actions/runs/1${below}`, { headers: { "accept-language": language } })).text();

  describe("summaries of jobs", () => {
    testWithToolkit("the official toolkit writes a summary that the page of the run shows as safe Markdown", async () => {
      const { name, path, runner } = await repository(`name: CI
on: push
jobs:
  test:
    runs-on: linux
    steps:
      - run: node "$TOOLKIT" summarize "Results" docs/notes.md
      - run: echo "Then <script>alert(1)</script> **more** of \${{ secrets.KEY }}" >> "$GITHUB_STEP_SUMMARY"
      - run: echo nothing
`);
      const task = await runner.runOne();
      await forge.settled();
      expect(await alice.get(`${path}/actions/runs`).expect(200)).toMatchObject({ workflow_runs: [{ conclusion: "success" }] });
      const shown = await page(name);
      const { sha } = task.context as { readonly sha: string };
      expect(shown).toContain(">Summaries</h2>");
      expect(shown).toMatch(/<td>valve<\/td>\s*<td>passed<\/td>/);
      expect(shown).toContain(`href="${forge.url}/alice/${name}/src/commit/${sha}/docs/notes.md"`);
      expect(shown).toContain("<strong>more</strong> of ***");
      expect(shown).not.toContain("alert(1)");
      expect(await page(name, "", "de")).toContain(">Zusammenfassungen</h2>");
      const [, job] = /jobs\/(\d+)"/.exec(shown) ?? [];
      expect(await page(name, `/jobs/${job}`)).toContain("<strong>more</strong> of ***");
      await alice.patch(path, { private: true }).expect(200);
      const browser = createBrowser(forge.url);
      await browser.signIn(bob);
      for (const address of [
        `/alice/${name}/actions/runs/1`,
        `/alice/${name}/actions/runs/1/jobs/${job}`,
        `/alice/${name}/actions/runs/${task.context?.run_id}`,
      ])
        expect((await browser.get(address)).status).toBe(404);
    });

    test("runners learn from the answer to Declare that summaries are accepted", async () => {
      const { runner } = await repository(single);
      const response = await fetch(`${forge.url}/api/actions/runner.v1.RunnerService/Declare`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-runner-uuid": runner.uuid, "x-runner-token": runner.token },
        body: '{"version":"v2","labels":["linux"]}',
      });
      expect([response.status, response.headers.get("x-gitea-actions-capabilities")]).toEqual([200, "job-summary"]);
    });

    test("a running job sends a summary for each of its own steps, again in place of the former one, and within limits", async () => {
      const { name, runner } = await repository(single, "first line\nsecond line");
      const task = await taskOf(runner);
      expect(await send(task, 0, "# first")).toEqual({ status: 200, body: { message: "success", sizeBytes: 7, runAttempt: 1 } });
      expect((await send(task, 0, "# again \0of first line, and second line")).status).toBe(200);
      expect((await send(task, 1, "gone", { "content-type": "application/octet-stream" })).status).toBe(200);
      expect(await send(task, 1, "")).toMatchObject({ status: 200, body: { message: "cleared" } });
      expect(await rows(task)).toMatchObject([{ step: 0, content: "# again of ***, and ***", size_bytes: 23 }]);
      expect(await page(name)).toContain(">again of ***, and ***");

      for (const step of [3, -1, "x", "1e1"]) expect((await send(task, step, "x")).status).toBe(400);
      expect((await send(task, 0, "x", { "content-type": "text/html" })).status).toBe(400);
      expect((await send(task, 0, "x", { authorization: "Bearer a.b.c" })).status).toBe(401);
      const other = await taskOf((await repository(single)).runner);
      const foreign = summaryOf(other, forge.url, 0).headers;
      expect(await send(task, 0, "x", foreign)).toMatchObject({ status: 400, body: { msg: expect.stringContaining("another job") } });

      expect((await send(task, 1, "x".repeat(mebibyte + 1))).status).toBe(413);
      expect(await send(task, 1, "x".repeat(mebibyte))).toMatchObject({ status: 413, body: { msg: expect.stringContaining("1048576 bytes together") } });
      expect((await send(task, 0, "")).status).toBe(200);
      expect((await send(task, 1, "x".repeat(mebibyte))).status).toBe(200);
      expect((await send(task, 1, "é".repeat(10))).status).toBe(200);
      expect(await rows(task)).toMatchObject([{ step: 1, size_bytes: 20 }]);

      await runner.report(task.id, Result.SUCCESS);
      await forge.settled();
      expect((await send(task, 0, "late")).status).toBe(401);
      expect(await page(name)).toContain("éééééééééé");
    });

    test("a step of an older runner sends its summary itself, by its id or index", async () => {
      const { name, runner } = await repository(single);
      const task = await taskOf(runner);
      const { gitea_runtime_token: token, run_id: run } = task.context as { readonly gitea_runtime_token: string; readonly run_id: string };
      const base = `${forge.url}/api/actions_pipeline/_apis/pipelines/workflows`;
      const put = async (id: string, step: string, body: string) =>
        (await fetch(`${base}/${id}/summary?step=${encodeURIComponent(step)}`, { method: "PUT", headers: { authorization: `Bearer ${token}` }, body })).status;
      expect([await put(run, "0", "zero"), await put(run, "test", "one"), await put(run, "last", "two"), await put(run, "1", "again")]).toEqual([
        200, 200, 200, 200,
      ]);
      expect([await put(run, "unknown", "x"), await put(run, "", "x"), await put(run, "3", "x"), await put("999999", "0", "x")]).toEqual([400, 400, 400, 400]);
      const shown = await page(name);
      expect(["zero", "again", "two"].map((text) => shown.includes(`>${text}</p>`))).toEqual([true, true, true]);
      expect(shown.indexOf(">zero<")).toBeLessThan(shown.indexOf(">two<"));
    });

    test("summaries belong to one attempt of a job, and are deleted with its log or its run", async () => {
      const { name, path, runner } = await repository(single);
      const first = await taskOf(runner);
      await send(first, 0, "former attempt");
      await runner.report(first.id, Result.SUCCESS);
      await forge.settled();
      const [run] = (await alice.get(`${path}/actions/runs`).expect(200)).workflow_runs;
      await alice.post(`${path}/actions/runs/${run.id}/rerun`, {}).expect(201);
      const second = await taskOf(runner);
      expect(await page(name)).not.toContain("former attempt");
      await send(second, 0, "present attempt");
      expect(await page(name)).toContain("present attempt");
      await runner.report(second.id, Result.SUCCESS);
      await forge.settled();
      const own = async () => (await rows()).filter(({ content }) => content.endsWith("attempt")).length;
      expect(await own()).toBe(2);
      await alice.delete(`${path}/actions/runs/${run.id}`).expect(204);
      expect(await own()).toBe(0);

      const { runner: last } = await repository(single);
      await send(await taskOf(last), 0, "old attempt");
      const at = (days: number) => ({ ...forge.context, clock: { now: () => forge.context.clock.now() + days * dayMs } });
      await expireLogs(at(364));
      expect(await own()).toBe(1);
      await expireLogs(at(366));
      expect(await rows()).toEqual([]);
    });

    test("the page of a run shows a megabyte of summaries with two statements, and refers to the pages of the other jobs", async () => {
      const { name, runner } = await repository(
        `on: push\njobs:\n  a:\n    runs-on: linux\n    strategy: { matrix: { n: [1, 2, 3] } }\n    steps: [{ run: 'true' }]\n`,
      );
      for (const [text, size] of [
        ["small", 10],
        ["large", mebibyte - 5],
        ["tiny", 10],
      ] as const)
        await send(await taskOf(runner), 0, `${text}${" ".repeat(size - text.length)}`);
      const { result: shown, statements } = await forge.cost(() => page(name));
      expect(statements.filter((sql) => sql.includes('"action_summaries"'))).toHaveLength(2);
      expect([shown.includes(">small</p>"), shown.includes("large"), shown.includes(">tiny</p>")]).toEqual([true, false, true]);
      const [, job] = /href="[^"]*\/jobs\/(\d+)#summary"/.exec(shown) ?? [];
      expect(await page(name, `/jobs/${job}`)).toContain("large");
    });
  });
});
