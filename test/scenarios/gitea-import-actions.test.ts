import { execFileSync } from "node:child_process";
import { createHash, pbkdf2Sync } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Result } from "../../src/wire/actions-protocol/runner.ts";
import { createApiClient } from "../kit/api-client.ts";
import { onSqlite } from "../kit/databases.ts";
import { openRecordedGitea, type RecordedGitea, recorded } from "../kit/gitea.ts";
import { polling } from "../kit/polling.ts";
import { type RunningProgram, runProgram, startProgram } from "../kit/program.ts";
import { connectRunner, registerRunner } from "../kit/runner.ts";

/** Actions of an imported Gitea. */

const runnerToken = "5f2c9e0b8a7d6c5b4a39281706f5e4d3c2b1a098";
const salt = "runnersalt";
const hash = pbkdf2Sync(runnerToken, salt, 10_000, 50, "sha256").toString("hex");
const uuid = "11111111-2222-4333-8444-555555555555";
const registration = "registration-token-of-gitea-0123456789ab";
const workflow =
  "name: Checks\non: push\njobs:\n  test: {runs-on: linux, steps: [{run: 'true'}]}\n  last: {runs-on: linux, needs: test, steps: [{run: 'true'}]}\n";
const payload = (job: string): string => `name: Checks\non: push\njobs:\n  ${job}: {runs-on: linux, steps: [{run: 'true'}]}\n`;
const log = ["2026-11-27T04:00:01.1234567Z first line", "2026-11-27T04:00:02.0000000Z grün", "2026-11-27T04:00:03.0000000Z last line"].join("\n");

/** The log of a job of the stock runner, as Gitea stores it: seekable Zstandard with several frames. */
const recordedLog = readFileSync(join(import.meta.dirname, "../kit/gitea-data/job.log.zst"));
const recordedLogDigest = "34f5feda0cbd72aa23c69eeb2b5a6dd6095e9b2d82e469e9a07c1ba22de563ef";
const archive = Buffer.from("PK\u0005\u0006".padEnd(22, "\0"), "latin1");

const rows = (oid: string): string => `
  insert into repo_unit (id, repo_id, type, config, created_unix) values (90, 1, 10, '{"DisabledWorkflows":["old.yml"]}', 5);
  insert into action_runner (id, uuid, name, version, owner_id, repo_id, token_hash, token_salt, last_online, last_active, agent_labels, ephemeral, is_disabled, created, deleted)
    values (4, '${uuid}', 'shed', 'v0.2.11', 0, 0, '${hash}', '${salt}', 1795753000, 1795753000, '["linux:docker://node","slow"]', 0, 0, 1795752000, 0),
    (5, '${uuid.replace("1", "9")}', 'of nobody', '', 999, 0, 'aa', 'b', 0, 0, '[]', 0, 0, 5, 0);
  insert into action_runner_token (id, token, owner_id, repo_id, is_active, created, deleted) values (2, '${registration}', 0, 1, 1, 5, 0);
  insert into action_run (id, title, repo_id, owner_id, workflow_id, "index", trigger_user_id, ref, commit_sha, is_fork_pull_request, need_approval, approved_by,
      event, event_payload, trigger_event, status, started, stopped, created, updated) values
    (31, 'Water the beds', 1, 2, 'ci.yml', 7, 2, 'refs/heads/main', '${oid}', 0, 0, 0, 'push', '{"ref":"refs/heads/main"}', 'push', 2, 1795753001, 1795753009, 1795753000, 1795753009),
    (32, 'Still running', 1, 2, 'ci.yml', 8, 2, 'refs/heads/main', '${oid}', 0, 0, 0, 'push', '{}', 'push', 6, 1795753001, 0, 1795753000, 1795753001),
    (33, 'Number twice', 1, 2, 'ci.yml', 8, 2, 'refs/heads/main', '${oid}', 0, 0, 0, 'push', '{}', 'push', 1, 5, 6, 5, 6);
  insert into action_run_job (id, run_id, repo_id, owner_id, commit_sha, name, attempt, workflow_payload, job_id, needs, runs_on, task_id, status, started, stopped, created, updated) values
    (61, 31, 1, 2, '${oid}', 'test', 1, '${payload("test").replaceAll("'", "''")}', 'test', null, '["linux"]', 81, 1, 1795753001, 1795753005, 1795753000, 1795753005),
    (62, 31, 1, 2, '${oid}', 'last', 1, '${payload("last").replaceAll("'", "''")}', 'last', '["test"]', '["linux"]', 82, 2, 1795753006, 1795753009, 1795753000, 1795753009),
    (63, 32, 1, 2, '${oid}', 'test', 1, '${payload("test").replaceAll("'", "''")}', 'test', null, '["linux"]', 83, 6, 1795753001, 0, 1795753000, 1795753001);
  insert into action_task (id, job_id, attempt, runner_id, status, started, stopped, repo_id, token_hash, log_filename, log_in_storage, log_length, log_expired, created, updated) values
    (81, 61, 1, 4, 1, 1795753001, 1795753005, 1, 'x', 'ada/garden/51/81.log', 1, 3, 0, 1795753001, 1795753005),
    (82, 62, 1, 4, 2, 1795753006, 1795753009, 1, 'y', 'ada/garden/52/82.log.zst', 1, 23, 0, 1795753006, 1795753009),
    (83, 63, 1, 4, 6, 1795753001, 0, 1, 'z', 'ada/garden/53/83.log', 0, 1, 0, 1795753001, 1795753001),
    (84, 61, 0, 4, 2, 1795753001, 1795753005, 1, 'w', 'ada/garden/54/84.log.zst', 1, 23, 0, 1795753001, 1795753005);
  insert into action_task_step (id, name, task_id, "index", repo_id, status, log_index, log_length, started, stopped) values
    (1, 'Run true', 81, 0, 1, 1, 1, 1, 1795753002, 1795753004), (2, 'Run true', 82, 0, 1, 2, 1, 1, 1795753007, 1795753008);
  insert into action_task_output (id, task_id, output_key, output_value) values (1, 81, 'colour', 'green');
  insert into dbfs_meta (id, full_path, block_size, file_size) values (1, '4:actions_log/ada/garden/53/83.log', 32768, 40);
  insert into dbfs_data (id, meta_id, blob_offset, blob_size, blob_data) values (1, 1, 0, 0, x'${Buffer.from("2026-11-27T04:00:01.0000000Z in the rows").toString("hex")}');
  insert into action_artifact (id, run_id, runner_id, repo_id, storage_path, file_size, content_encoding, artifact_path, artifact_name, status, created_unix, updated_unix, expired_unix) values
    (11, 31, 4, 1, '31/1/17.chunk', 10, 'application/zip', 'harvest.zip', 'harvest', 2, 1795753008, 1795753008, 4102444800),
    (12, 31, 4, 1, '31/2/18.chunk', 10, 'gzip', 'old/a.txt', 'old', 2, 1795753008, 1795753008, 4102444800),
    (13, 31, 4, 1, '31/3/19.chunk', 8, 'application/json', 'report.json', 'report.json', 2, 1795753008, 1795753008, 4102444800);
`;

onSqlite(() => {
  const opened = new AsyncDisposableStack();
  let gitea: RecordedGitea;
  let program: RunningProgram;
  let printed: string;
  let settings: Record<string, string>;
  let oid: string;
  const ada = () => createApiClient(program.url, `token ${recorded.tokens.ada}`);
  const actions = "/repos/ada/garden/actions";

  beforeAll(async () => {
    const probe = openRecordedGitea();
    oid = addWorkflow(probe);
    probe[Symbol.dispose]();
    gitea = opened.use(openRecordedGitea(rows(oid)));
    expect(addWorkflow(gitea)).toBe(oid);
    const write = (path: string, content: string | Buffer): void => {
      mkdirSync(dirname(join(gitea.folder, "data", path)), { recursive: true });
      writeFileSync(join(gitea.folder, "data", path), content);
    };
    write("actions_log/ada/garden/51/81.log", log);
    write("actions_log/ada/garden/52/82.log.zst", recordedLog);
    write("actions_log/ada/garden/54/84.log.zst", recordedLog.subarray(0, 12_000));
    write("actions_artifacts/31/1/17.chunk", archive);
    write("actions_artifacts/31/3/19.chunk", '{"a":1}\n');
    settings = { HEARTH_DATA: join(gitea.folder, "hearth") };
    const words = ["import", "gitea", "--config", gitea.appIni];
    const dry = await runProgram([...words, "--dry-run"], settings);
    const { code, stdout, stderr } = await runProgram(words, settings);
    expect(code, stderr).toBe(0);
    expect(dry.stdout.replace("nothing was changed", "")).toBe(stdout.replace(/the import is complete: .*/, ""));
    printed = stdout;
    program = opened.use(await startProgram(settings));
  }, 120_000);
  afterAll(() => opened.disposeAsync());

  function addWorkflow({ folder }: RecordedGitea): string {
    const env = { ...process.env, GIT_INDEX_FILE: join(folder, "index"), GIT_AUTHOR_DATE: "1700000000 +0000", GIT_COMMITTER_DATE: "1700000000 +0000" };
    const git = (words: readonly string[], input = ""): string =>
      execFileSync("git", ["-C", join(folder, "data/repositories/ada/garden.git"), "-c", "user.name=A", "-c", "user.email=a@example.com", ...words], {
        encoding: "utf8",
        input,
        env,
      }).trim();
    const blob = git(["hash-object", "-w", "--stdin"], workflow);
    git(["read-tree", "main"]);
    git(["update-index", "--add", "--cacheinfo", `100644,${blob},.gitea/workflows/ci.yml`]);
    const commit = git(["commit-tree", "-p", "main", "-m", "Add checks", git(["write-tree"])]);
    git(["update-ref", "refs/heads/main", commit]);
    return commit;
  }

  test("runs and jobs keep ids, numbers, results and times, and those that have not ended are canceled", async () => {
    const { workflow_runs } = (await ada().get(`${actions}/runs`).expect(200)) as { workflow_runs: object[] };
    expect(workflow_runs).toMatchObject([
      { id: 32, run_number: 8, conclusion: "cancelled", head_sha: oid },
      {
        id: 31,
        run_number: 7,
        display_title: "Water the beds",
        event: "push",
        conclusion: "failure",
        path: "ci.yml@refs/heads/main",
        started_at: "2026-11-27T04:16:41Z",
        completed_at: "2026-11-27T04:16:49Z",
        actor: { login: "ada" },
      },
    ]);
    const { jobs } = (await ada().get(`${actions}/runs/31/jobs`).expect(200)) as { jobs: object[] };
    expect(jobs).toMatchObject([
      {
        id: 61,
        name: "test",
        conclusion: "success",
        labels: ["linux"],
        runner_id: 4,
        runner_name: "shed",
        steps: [{ name: "Run true", conclusion: "success" }],
      },
      { id: 62, name: "last", conclusion: "failure" },
    ]);
    expect(printed).toContain("workflow runs: 2\njobs of workflow runs: 3\n");
    expect(printed).toContain("  workflow runs without a number of their own: 1 (id 33)\n");
    expect(printed).toContain("  workflow runs that have not ended: they are canceled: 1\n");
    // Addresses of Gitea 1.26 have the id of the run, those of earlier versions its number.
    for (const run of [31, 7]) {
      const page = await (await fetch(`${program.url}/ada/garden/actions/runs/${run}/jobs/61`)).text();
      expect(page.includes("Runner: shed") && page.includes("Run true")).toBe(true);
    }
    expect(await (await fetch(`${program.url}/ada/garden/actions/runs/31/jobs/61/logs`)).text()).toBe(`${log}\n`);
    expect(printed).not.toMatch(/runs of Actions|runners of Actions/);
  });

  test("logs keep their lines: plain, compressed, and in the database of Gitea", async () => {
    const read = async (job: number): Promise<string> => (await ada().get(`${actions}/jobs/${job}/logs`)).text;
    expect(await read(61)).toBe(`${log}\n`);
    expect(
      createHash("sha256")
        .update(await read(62))
        .digest("hex"),
    ).toBe(recordedLogDigest);
    expect(await read(63)).toBe("2026-11-27T04:00:01.0000000Z in the rows\n");
    expect(printed).toMatch(/ {2}logs of jobs that are damaged: they end there: 1 \(ada\/garden\/54\/84\.log\.zst: /);
  });

  test("artifacts of one file keep their ids and contents, and others are listed", async () => {
    expect(await ada().get(`${actions}/artifacts`).expect(200)).toMatchObject({
      artifacts: [
        { id: 13, name: "report.json" },
        { id: 11, name: "harvest", workflow_run: { id: 31 } },
      ],
    });
    const zip = await fetch(`${program.url}/api/v1${actions}/artifacts/11/zip`, { headers: { authorization: `token ${recorded.tokens.ada}` } });
    expect(Buffer.from(await zip.arrayBuffer()).equals(archive)).toBe(true);
    const single = await fetch(`${program.url}/ada/garden/actions/runs/31/artifacts/report.json`);
    expect([single.headers.get("content-disposition"), await single.text()]).toEqual(["attachment; filename=report.json", '{"a":1}\n']);
    expect(printed).toContain("  artifacts that are missing or of several files: 1 (old of ada/garden)\n");
  });

  test("workflows stay disabled, others are read from the default branch, and a second import brings the new content of an artifact of the same size", async () => {
    await expect
      .poll(async () => ((await ada().get(`${actions}/workflows`).expect(200)) as { workflows: object[] }).workflows, polling)
      .toMatchObject([{ id: "ci.yml", name: "Checks", state: "active" }]);
    await program[Symbol.asyncDispose]();
    writeFileSync(join(gitea.folder, "data/actions_artifacts/31/3/20.chunk"), '{"a":2}\n');
    const db = new DatabaseSync(gitea.database);
    db.exec("update action_artifact set storage_path = '31/3/20.chunk', updated_unix = updated_unix + 5 where id = 13");
    db.close();
    const again = await runProgram(["import", "gitea", "--config", gitea.appIni, "--final"], settings);
    expect([again.code, again.stderr]).toMatchObject([0, expect.not.stringContaining("was changed after the import")]);
    program = opened.use(await startProgram(settings));
    expect(await (await fetch(`${program.url}/ada/garden/actions/runs/31/artifacts/report.json`)).text()).toBe('{"a":2}\n');
  });

  test("a runner keeps its id and token, and runs an imported run again", { timeout: 60_000 }, async () => {
    expect(printed).toContain("runners: 1\nregistration tokens of runners: 1\n");
    expect(printed).toContain("  runners without an owner: register them again: 1 (of nobody)\n");
    await expect(connectRunner(program.url, { id: 4, uuid, token: "wrong" }).declare(["linux"])).rejects.toThrow("401");
    const runner = connectRunner(program.url, { id: 4, uuid, token: runnerToken });
    expect(await runner.declare(["linux:host"])).toEqual(["linux"]);
    // The second call finds the server's own hash.
    expect(await runner.declare(["linux:host"])).toEqual(["linux"]);
    await ada().post(`${actions}/runs/31/rerun`).expect(201);
    for (const name of ["test", "last"]) {
      const task = await runner.fetch();
      expect([name, Buffer.from(task?.workflowPayload ?? []).toString()]).toEqual([name, expect.stringContaining(`${name}:`)]);
      await runner.report(task?.id ?? 0n, Result.SUCCESS);
    }
    await expect.poll(async () => (await ada().get(`${actions}/runs/31`).expect(200)).conclusion, polling).toBe("success");
    const registered = await registerRunner(program.url, registration, { name: "new" });
    expect(registered.id).toBeGreaterThan(4);
  });
});
