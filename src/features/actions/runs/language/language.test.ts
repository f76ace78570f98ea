import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createLogRecorder } from "../../../../../test/kit/logs.ts";
import { evaluateText } from "./expressions.ts";
import { withInputs } from "./inputs.ts";
import type { Planned } from "./jobs.ts";
import { isSelected, passes } from "./patterns.ts";
import { stepIndexes } from "./plan.ts";
import { createWorkflowLanguage } from "./pool.ts";
import type { Problem } from "./problem.ts";
import type { EndedJob, JobPlan, PlanContext, Workflow } from "./workflow.ts";

const language = createWorkflowLanguage({ log: createLogRecorder() });
afterAll(() => language.close());

const path = ".gitea/workflows/ci.yml";
const context: PlanContext = { github: { ref: "refs/heads/main", ref_name: "main", event_name: "push" }, inputs: { level: "high" }, vars: { OS: "linux" } };

type Result<T> = T | { readonly problems: readonly Problem[] };

async function read(text: string): Promise<Result<Workflow>> {
  const outcome = await language.run({ kind: "read", path, text });
  if (outcome.kind !== "done") throw new Error(outcome.reason);
  return "value" in outcome.value ? outcome.value.value : outcome.value;
}

async function plan(text: string, jobs: readonly { readonly key: string; readonly needed: readonly EndedJob[] }[]): Promise<Result<Planned>> {
  const outcome = await language.run({ kind: "plan", path, text, context, jobs });
  if (outcome.kind !== "done") throw new Error(outcome.reason);
  return "value" in outcome.value ? outcome.value.value : outcome.value;
}

async function planOne(text: string, needed: readonly EndedJob[] = []): Promise<JobPlan | undefined> {
  const planned = await plan(text, [{ key: "a", needed }]);
  if ("problems" in planned) throw new Error(JSON.stringify(planned.problems));
  return planned.jobs[0];
}

const jobWith = (fields: string): string => `on: push\njobs:\n  a:\n    runs-on: linux\n${fields}\n    steps: [{run: "true"}]\n`;

describe("reading a workflow", () => {
  test("accepts quoted defaults of inputs, and numbers", async () => {
    const inputs = `dry: {type: boolean, default: 'false'}, count: {type: number, default: 3}`;
    const workflow = await read(`on: {workflow_dispatch: {inputs: {${inputs}}}}\njobs: {a: {runs-on: linux, steps: [{run: "true"}]}}\n`);
    expect("triggers" in workflow && workflow.triggers.workflow_dispatch?.inputs).toMatchObject([
      { name: "dry", type: "boolean", default: "false" },
      { name: "count", type: "number", default: "3" },
    ]);
  });

  test("returns its triggers with their filters, and its jobs with their needs", async () => {
    const text = `name: CI
run-name: Build of \${{ github.ref_name }}
on:
  push: { branches: [main, "rel/**"], paths-ignore: ["docs/**"] }
  pull_request: { types: [opened] }
  schedule: [{ cron: "5 4 * * *" }]
  workflow_dispatch:
    inputs:
      level: { type: choice, options: [low, high], default: low, description: How much }
jobs:
  a: { runs-on: linux, steps: [{ run: "true" }] }
  b: { runs-on: [self-hosted, linux], needs: a, steps: [{ run: "true" }] }
`;
    expect(await read(text)).toEqual({
      name: "CI",
      runName: "Build of ${{ github.ref_name }}",
      triggers: {
        push: { branches: ["main", "rel/**"], pathsIgnore: ["docs/**"] },
        pull_request: { types: ["opened"] },
        schedule: { crons: ["5 4 * * *"] },
        workflow_dispatch: {
          inputs: [{ name: "level", description: "How much", type: "choice", isRequired: false, default: "low", options: ["low", "high"] }],
        },
      },
      jobs: [
        { key: "a", name: undefined, needs: [] },
        { key: "b", name: undefined, needs: ["a"] },
      ],
    });
  });

  test("accepts triggers of events that this server does not have, such as packages", async () => {
    const workflow = await read(`on: {registry_package: {types: [published]}, push: }\njobs: {a: {runs-on: linux, steps: [{run: "true"}]}}\n`);
    expect("triggers" in workflow && workflow.triggers).toEqual({ registry_package: { types: ["published"] }, push: {} });
  });

  test.each([
    ["an unclosed list", "on: push\njobs: [", { line: 2, message: expect.stringContaining("sequence") }],
    ["an unknown key", "on: push\njobs:\n  a:\n    runs-on: x\n    stepps: []\n", { line: 5, message: "Unexpected value 'stepps'" }],
    ["an expression that cannot be parsed", jobWith("    if: github.ref == "), { line: 5, message: expect.stringContaining("end of expression") }],
    [
      "a cycle",
      "on: push\njobs:\n  x: {runs-on: l, steps: [{run: a}]}\n  a: {runs-on: l, needs: b, steps: [{run: a}]}\n  b: {runs-on: l, needs: a, steps: [{run: a}]}\n",
      { line: 5, message: expect.stringContaining("cycle") },
    ],
    [
      "an unknown need",
      "on: push\njobs:\n  a: {runs-on: l, steps: [{run: a}]}\n  b: {runs-on: l, needs: zz, steps: [{run: a}]}\n",
      { line: 4, message: expect.stringContaining("unknown job 'zz'") },
    ],
    ["an empty file", "", { message: expect.any(String) }],
  ])("reports %s with its place", async (_, text, expected) => {
    expect(await read(text)).toEqual({ problems: expect.arrayContaining([expect.objectContaining(expected)]) });
  });

  test("gives up a file that multiplies its content by aliases, and reads the next one", async () => {
    const levels = Array.from({ length: 12 }, (_, at) => `  l${at + 1}: &l${at + 1} [${Array.from({ length: 12 }, () => `*l${at}`).join(", ")}]`);
    const bomb = `x:\n  l0: &l0 [a]\n${levels.join("\n")}\n${jobWith("")}`;
    expect(await read(bomb)).toEqual({ problems: [expect.objectContaining({ message: expect.any(String) })] });
    expect(await read(jobWith(""))).toMatchObject({ jobs: [{ key: "a" }] });
  });
});

describe("planning a job", () => {
  test("expands its matrix as GitHub documents it", async () => {
    const fields = `    strategy:
      matrix:
        fruit: [apple, pear]
        animal: [cat, dog]
        exclude: [{ fruit: pear, animal: dog }]
        include:
          - color: green
          - { color: pink, animal: cat }
          - { fruit: apple, shape: circle }
          - { fruit: banana }`;
    const planned = await planOne(jobWith(fields));
    expect(planned).toMatchObject({ kind: "run", failsFast: true, maxParallel: null });
    expect(planned?.kind === "run" && planned.instances.map(({ name }) => name)).toEqual([
      "a (apple, cat, pink, circle)",
      "a (apple, dog, green, circle)",
      "a (pear, cat, pink)",
      "a (banana)",
    ]);
  });

  test("evaluates names, labels and matrices from outputs of needed jobs", async () => {
    const fields = `    needs: z
    name: Test \${{ matrix.v }} on \${{ vars.OS }}
    timeout-minutes: \${{ matrix.v }}
    continue-on-error: \${{ matrix.v == 2 }}
    strategy: { fail-fast: false, max-parallel: 1, matrix: { v: "\${{ fromJSON(needs.z.outputs.list) }}" } }`;
    const text = `${jobWith(fields).replace("runs-on: linux", "runs-on: [self-hosted, '${{ vars.OS }}']")}  z: { runs-on: linux, steps: [{ run: "true" }] }\n`;
    const planned = await planOne(text, [{ key: "z", result: "success", outputs: { list: "[1, 2]" } }]);
    expect(planned).toMatchObject({
      kind: "run",
      failsFast: false,
      maxParallel: 1,
      instances: [
        { name: "Test 1 on linux", labels: ["self-hosted", "linux"], timeoutMinutes: 1, continuesOnError: false, payload: expect.stringContaining("v:") },
        { name: "Test 2 on linux", timeoutMinutes: 2, continuesOnError: true },
      ],
    });
  });

  test("passes containers, services, defaults and steps on as they are", async () => {
    const text = `on: push
env: { TOP: "1" }
jobs:
  a:
    runs-on: linux
    container: { image: "node:24", env: { A: b }, ports: [80], volumes: ["/x:/y"], options: --cpus 1, credentials: { username: u, password: "\${{ secrets.P }}" } }
    services:
      db: { image: "postgres:18", ports: ["5432:5432"], options: --health-cmd pg_isready }
    defaults: { run: { shell: sh, working-directory: src } }
    env: { JOB: "\${{ github.sha }}" }
    steps:
      - { id: x, uses: actions/checkout@v4, with: { fetch-depth: 0 }, if: always(), timeout-minutes: 3, continue-on-error: true }
`;
    const planned = await planOne(text);
    const payload = planned?.kind === "run" ? (parse(planned.instances[0]?.payload ?? "") as { env: object; jobs: { a: object } }) : undefined;
    const { env, jobs } = parse(text) as { env: object; jobs: { a: object } };
    expect(payload?.env).toEqual(env);
    expect(payload?.jobs.a).toEqual({ ...jobs.a, "runs-on": ["linux"] });
  });

  test("skips a job by its condition and by the results of its needs", async () => {
    const after = (condition: string) => `${jobWith(`    needs: z${condition}`)}  z: { runs-on: linux, steps: [{ run: "true" }] }\n`;
    const decide = async (condition: string, result: EndedJob["result"]) => (await planOne(after(condition), [{ key: "z", result, outputs: {} }]))?.kind;
    expect(await decide("", "success")).toBe("run");
    expect(await decide("", "failure")).toBe("skip");
    expect(await decide("", "skipped")).toBe("skip");
    expect(await decide("\n    if: always()", "failure")).toBe("run");
    expect(await decide("\n    if: failure() && github.ref == 'refs/heads/main'", "failure")).toBe("run");
    expect(await decide("\n    if: github.ref == 'refs/heads/other'", "success")).toBe("skip");
    expect(await decide("\n    if: github.ref == 'always()'", "failure")).toBe("skip");
    expect(await decide("\n    if: ${{ !cancelled() }}", "skipped")).toBe("run");
  });

  test.each([
    [
      "a matrix of 10,000",
      `    strategy: { matrix: { a: "\${{ fromJSON('[${Array.from({ length: 100 }, (_, at) => at).join(",")}]') }}", b: [${Array.from({ length: 100 }, (_, at) => at).join(", ")}] } }`,
      "10000 combinations",
    ],
    ["an expression that fails", "    name: ${{ fromJSON('{') }}", "jobs.a.name"],
    ["no label", "    name: ${{ vars.OS }}\n", "no label"],
  ])("reports %s", async (_, fields, message) => {
    const text = message === "no label" ? jobWith(fields).replace("runs-on: linux", "runs-on: ${{ vars.MISSING }}") : jobWith(fields);
    expect(await plan(text, [{ key: "a", needed: [] }])).toEqual({ problems: [expect.objectContaining({ message: expect.stringContaining(message) })] });
  });

  test("evaluates the title and the concurrency group of the run, and reads permissions", async () => {
    const text = `run-name: \${{ inputs.level }} build\nconcurrency: { group: "x-\${{ github.ref }}", cancel-in-progress: true }\npermissions: { contents: read }\n${jobWith("")}`;
    expect(await plan(text, [{ key: "a", needed: [] }])).toMatchObject({
      run: { title: "high build", concurrency: { group: "x-refs/heads/main", cancelsInProgress: true } },
      jobs: [{ permissions: { contents: "read" } }],
    });
  });
});

test("the indexes of steps are read from a job with ambiguous YAML, without a warning on standard error", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on("warning", note);
  try {
    expect(stepIndexes("jobs:\n  a: {steps: [{id: one, run: &x: date}, {id: two, run: *x: }]}\n")).toEqual({ one: "0", two: "1" });
    // Warnings are emitted in the next tick.
    await new Promise(setImmediate);
    expect(warnings).toEqual([]);
  } finally {
    process.off("warning", note);
  }
});

test("references to inputs become their values in expressions and conditions", () => {
  const inputs = { name: "it's", count: 2, fast: false, lines: "a\nb" };
  const text =
    "${{ inputs.name }} ${{ inputs.count == 2 && inputs['name'] }} ${{ github.event.inputs.name }} ${{ inputs.missing }} inputs.name ${{ 'inputs.name' }}";
  expect(withInputs({ run: text, if: "inputs.fast", with: [{ if: "${{ !inputs.fast }}" }] }, inputs)).toEqual({
    run: "${{ 'it''s' }} ${{ 2 == 2 && 'it''s' }} ${{ github.event.inputs.name }} ${{ null }} inputs.name ${{ 'inputs.name' }}",
    if: "false",
    with: [{ if: "${{ !false }}" }],
  });
  const whole = withInputs("${{ toJSON(inputs) }} ${{ inputs.lines }}", inputs) as string;
  expect(evaluateText(whole, { contexts: {} })).toBe(`${JSON.stringify(inputs, null, 2)} a\nb`);
  expect(withInputs("${{ inputs.name }}", {})).toBe("${{ inputs.name }}");
});

test("patterns select branches, tags and paths", () => {
  expect(isSelected(["main", "rel/**"], "rel/1/2")).toBe(true);
  expect(isSelected(["feature/*"], "feature/a/b")).toBe(false);
  expect(isSelected(["v[12].[0-9]+"], "v1.10")).toBe(true);
  expect(isSelected(["**", "!docs/**"], "docs/a.md")).toBe(false);
  expect(isSelected(["**/*.js"], "a.js")).toBe(true);
  expect(isSelected(["*.jsx?"], "page.js")).toBe(true);
  expect(isSelected(["[", "main"], "main")).toBe(true);
  expect(passes(undefined, ["main"], "main")).toBe(false);
  expect(passes(undefined, undefined, "main")).toBe(true);
});
