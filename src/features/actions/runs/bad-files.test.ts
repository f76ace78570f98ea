import { describe, expect, test } from "vitest";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { polling } from "../../../../test/kit/polling.ts";
import { registerRunner } from "../../../../test/kit/runner.ts";
import { shareForge } from "../../../../test/kit/set-up.ts";
import { Result } from "../../../wire/actions-protocol/runner.ts";
import { maxLogBytes } from "./service/logs.ts";

const encode = (text: string): string => Buffer.from(text).toString("base64");
const job = (fields: string): string => `on: push\njobs:\n  a:\n    runs-on: linux\n${fields}    steps: [{run: 'true'}]\n`;
const numbers = JSON.stringify(Array.from({ length: 100 }, (_, at) => at));
const long = "n".repeat(10_000);
const aliases = Array.from({ length: 12 }, (_, at) => `  l${at + 1}: &l${at + 1} [${Array.from({ length: 12 }, () => `*l${at}`).join(", ")}]`);

/** Files with the start of the message on their run; the line is undefined where the mistake concerns the whole file. */
const files = {
  "broken.yml": ["on: push\njobs: [", 2, "Flow sequence"],
  "unknown.yml": [job("    stepps: []\n"), 5, "Unexpected value 'stepps'"],
  "expression.yml": [job("    if: github.ref ==\n"), 5, "Unexpected end of expression"],
  "runtime.yml": [job("    strategy: {matrix: {n: \"${{ fromJSON('{') }}\"}}\n"), 5, "jobs.a.strategy"],
  "cycle.yml": [
    "on: push\njobs:\n  x: {runs-on: l, steps: [{run: a}]}\n  a: {runs-on: l, needs: b, steps: [{run: a}]}\n  b: {runs-on: l, needs: a, steps: [{run: a}]}\n",
    4,
    "cycle",
  ],
  "matrix.yml": [job(`    strategy: {matrix: {a: ${numbers}, b: ${numbers}}}\n`), 5, "strategy.matrix has 10000 combinations; at most 256 are allowed"],
  "key.yml": [`on: push\njobs:\n  ${long}: {runs-on: linux, steps: [{run: 'true'}]}\n`, 3, ""],
  "label.yml": [`on: push\njobs:\n  a: {runs-on: ${long}, steps: [{run: 'true'}]}\n`, 3, "jobs.a: runs-on"],
  "bomb.yml": [`x:\n  l0: &l0 [a]\n${aliases.join("\n")}\n${job("")}`, undefined, ""],
  "large.yml": [`# ${"x".repeat(300_000)}\n${job("")}`, undefined, "the file is larger than"],
} as const;

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice"]);
  const { alice } = users;

  async function repository(name: string) {
    const path = `/repos/alice/${name}`;
    await alice.post("/user/repos", { name, auto_init: true, default_branch: "main" }).expect(201);
    await alice.patch(path, { has_actions: true }).expect(200);
    const { token } = await alice.post(`${path}/actions/runners/registration-token`, {}).expect(200);
    return { path, runner: await registerRunner(forge.url, token) };
  }

  describe("bad input", () => {
    test("each bad file fails a run with its name, line and reason on the page and the commit, and stops no other workflow or runner", async () => {
      const { path, runner } = await repository("files");
      const changes = Object.entries({ ...Object.fromEntries(Object.entries(files).map(([file, [text]]) => [file, text])), "good.yml": job("") });
      const made = await alice
        .post(`${path}/contents`, {
          message: "add",
          files: changes.map(([file, text]) => ({ operation: "create", path: `.gitea/workflows/${file}`, content: encode(text) })),
        })
        .expect(201);
      await runner.runOne();
      const listRuns = () => forge.context.db.sql.selectFrom("action_runs").selectAll().where("oid", "=", made.commit.sha).execute();
      // A step that fails, for example because the process that reads workflows was ended by a bad file, is repeated after a pause.
      await expect
        .poll(async () => {
          await forge.settled();
          return (await listRuns()).filter(({ status }) => status !== "done").map(({ workflow_file }) => workflow_file);
        }, polling)
        .toEqual([]);
      const runs = await listRuns();
      const { statuses } = await alice.get(`${path}/commits/${made.commit.sha}/status?limit=50`).expect(200);
      const browser = createBrowser(forge.url);
      expect(runs.find(({ workflow_file }) => workflow_file === "good.yml")).toMatchObject({ status: "done", result: "success" });
      for (const [file, [, line, message]] of Object.entries(files)) {
        const run = runs.find(({ workflow_file }) => workflow_file === file);
        expect([file, run?.status, run?.result]).toEqual([file, "done", "failure"]);
        const [problem] = JSON.parse(run?.problems ?? "[]");
        expect([file, problem.line]).toEqual([file, line]);
        expect(problem.message).toContain(message);
        const place = line === undefined ? `.gitea/workflows/${file}` : `.gitea/workflows/${file}:${line}`;
        expect(statuses.map(({ description }: { readonly description: string }) => description)).toContainEqual(expect.stringContaining(`${place}: `));
        const page = await browser.get(`/alice/files/actions/runs/${run?.id}`);
        expect([file, page.status, page.text.includes(line === undefined ? file : `${file}, line ${line}`)]).toEqual([file, 200, true]);
      }
      const german = { "accept-language": "de" };
      const ofFile = (file: string) => runs.find(({ workflow_file }) => workflow_file === file)?.id;
      const inGerman = async (path: string) => (await browser.get(`/alice/files/${path}`, german)).text;
      expect(await inGerman(`actions/runs/${ofFile("unknown.yml")}`)).toContain("„stepps“ wird hier nicht erwartet.");
      expect(await inGerman(`actions/runs/${ofFile("matrix.yml")}`)).toContain("strategy.matrix hat 10000 Kombinationen; höchstens 256 sind erlaubt.");
      expect(await inGerman("src/branch/main/.gitea/workflows/unknown.yml")).toContain("„stepps“ wird hier nicht erwartet.");
      for (const page of ["/alice/files/actions", "/alice/files/actions/workflows/bomb.yml/run"]) expect((await browser.get(page)).status).toBeLessThan(500);
      await alice.get(`${path}/actions/workflows`).expect(200);
      await alice.post(`${path}/actions/workflows/bomb.yml/dispatches`, { ref: "main" }).expect(204);
      expect(await runner.fetch(0)).toBeUndefined();
    });

    test("long names are shortened on pages, statuses and in the API", async () => {
      const { path, runner } = await repository("names");
      const text = `name: ${long}\non: push\nrun-name: ${long}\njobs:\n  a: {name: ${long}, environment: ${long}, runs-on: linux, steps: [{name: ${long}, run: 'true'}]}\n`;
      const made = await alice.post(`${path}/contents/.gitea/workflows/w.yml`, { content: encode(text), message: "add" }).expect(201);
      await forge.settled();
      await runner.runOne();
      await forge.settled();
      const { jobs } = await alice.get(`${path}/actions/jobs`).expect(200);
      expect(jobs).toMatchObject([{ status: "completed", conclusion: "success" }]);
      expect(jobs[0].name.length).toBeLessThanOrEqual(255);
      const { statuses } = await alice.get(`${path}/commits/${made.commit.sha}/status`).expect(200);
      expect(statuses[0].context.length).toBeLessThanOrEqual(255);
      expect((await createBrowser(forge.url).get(`/alice/names/actions/runs/${jobs[0].run_id}`)).text).toContain("Environment: nnn");
    });

    test("a log that exceeds its limit ends with a line that says so, and its runner goes on", async () => {
      const { path, runner } = await repository("logs");
      await alice.post(`${path}/contents/.gitea/workflows/w.yml`, { content: encode(job("")), message: "add" }).expect(201);
      await forge.settled();
      const id = (await runner.fetch())?.id ?? 0n;
      await runner.log(id, 0, ["first"]);
      await forge.context.db.tx((tx) =>
        tx.sql
          .updateTable("action_tasks")
          .set({ log_bytes: maxLogBytes - 10 })
          .where("id", "=", Number(id))
          .execute(),
      );
      expect(await runner.log(id, 1, ["second", "third", "x".repeat(1_000_000)])).toBe(4);
      expect(await runner.log(id, 4, ["fourth"])).toBe(5);
      expect(await runner.log(id, 5, [], true)).toBe(5);
      await runner.report(id, Result.SUCCESS);
      await forge.settled();
      const { jobs } = await alice.get(`${path}/actions/jobs`).expect(200);
      const lines = (await (await fetch(`${forge.url}/alice/logs/actions/runs/1/jobs/${jobs[0].id}/logs`)).text())
        .split("\n")
        .map((line) => line.replace(/^\S+ /, ""));
      expect(lines).toEqual(["first", "second", "This log exceeds 64 MiB: the rest is not stored.", ""]);
      expect(jobs).toMatchObject([{ status: "completed", conclusion: "success" }]);
    });
  });

  test("the environment of a job is shown and passed to its runner, and gives it nothing", async () => {
    const { path, runner } = await repository("environments");
    const text = job('    environment: {name: "${{ github.ref_name }}-site", url: https://site.example}\n');
    await alice.post(`${path}/contents/.gitea/workflows/w.yml`, { content: encode(text), message: "add" }).expect(201);
    await forge.settled();
    const task = await runner.fetch();
    expect(new TextDecoder().decode(task?.workflowPayload)).toContain("url: https://site.example");
    expect(Object.keys(task?.secrets ?? {}).sort()).toEqual(["GITEA_TOKEN", "GITHUB_TOKEN"]);
    const { workflow_runs } = await alice.get(`${path}/actions/runs`).expect(200);
    expect((await createBrowser(forge.url).get(`/alice/environments/actions/runs/${workflow_runs[0].id}`)).text).toContain("Environment: main-site");
  });
});
