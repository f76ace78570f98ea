import { registerHooks } from "node:module";
import { texts } from "./seeds.ts";
import { type FuzzTarget, magnitude } from "./target.ts";

// The parser imports JSON without the attribute that Node.js requires, as in the worker of the language.
registerHooks({
  load: (url, context, next) => next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context),
});
const { runLanguageJob } = await import("../../src/features/actions/runs/language/run.ts");

const workflow = `name: Checks
run-name: Check \${{ github.ref_name }}
on:
  push: {branches: [main, 'releases/**', '!old'], paths-ignore: [docs/**]}
  pull_request: {types: [opened, synchronize]}
  schedule: [{cron: '30 5 * * 1-5'}]
  workflow_dispatch: {inputs: {level: {type: choice, options: [low, high], default: low, required: true}}}
concurrency: {group: "\${{ github.ref }}", cancel-in-progress: true}
permissions: {contents: read}
env: {A: "\${{ vars.OS }}"}
jobs:
  a:
    name: Test \${{ matrix.v }} on \${{ matrix.os }}
    runs-on: [self-hosted, "\${{ matrix.os }}"]
    if: \${{ !cancelled() && contains(fromJSON('["push"]'), github.event_name) }}
    timeout-minutes: 5
    continue-on-error: \${{ matrix.v == 2 }}
    strategy: {fail-fast: false, max-parallel: 2, matrix: {v: [1, 2], os: [linux], include: [{v: 3, os: mac}], exclude: [{v: 1, os: mac}]}}
    outputs: {x: "\${{ steps.s.outputs.x }}"}
    environment: {name: "\${{ inputs.level }}", url: https://example.org}
    steps:
      - uses: actions/checkout@v4
        with: {ref: main}
      - id: s
        run: echo "x=\${{ hashFiles('**/lock') }}" >> $GITHUB_OUTPUT
  b:
    needs: a
    uses: ./.gitea/workflows/other.yml
    with: {level: "\${{ needs.a.outputs.x }}"}
    secrets: inherit
`;
const called =
  "on:\n  workflow_call:\n    inputs: {level: {type: number, required: false, default: 3}}\n    outputs: {y: {value: '${{ jobs.c.outputs.y }}'}}\n    secrets: {KEY: {required: true}}\njobs:\n  c: {runs-on: linux, steps: [{run: x}]}\n";
const anchors = "on: push\nx: &a {steps: [{run: x}], runs-on: linux}\njobs:\n  a: *a\n  b: {<<: *a, needs: [a]}\n";
const github = { ref: "refs/heads/main", ref_name: "main", event_name: "push", sha: "0".repeat(40), event: { commits: [{ message: "x" }] } };
const context = { github, inputs: { level: "high" }, vars: { OS: "linux" } };
const ended = [{ key: "a", result: "success" as const, outputs: { x: "1" } }];
const path = ".gitea/workflows/ci.yml";

const kindOf = (result: object): string => ("value" in result ? `value ${magnitude(JSON.stringify(result).length)}` : "problems");

/** The languages of workflow files. */
export const workflowTargets: readonly FuzzTarget[] = [
  {
    name: "workflow files",
    seeds: texts(workflow, called, anchors),
    async run(input) {
      const text = input.toString();
      const read = await runLanguageJob({ kind: "read", path, text });
      const jobs = "value" in read && "jobs" in read.value ? (read.value.jobs as readonly { readonly key: string }[]).slice(0, 5) : [];
      const planned = await runLanguageJob({ kind: "plan", path, text, context, jobs: jobs.map(({ key }) => ({ key, needed: ended })) });
      const outputs = await runLanguageJob({ kind: "outputs", path, text, context, jobs: ended });
      const steps = await runLanguageJob({ kind: "steps", text });
      const problems = "problems" in read ? read.problems.map(({ message }) => message.replace(/[\d"'`].*/s, "").slice(0, 40)).join() : jobs.length;
      return `${[read, planned, outputs, steps].map(kindOf).join()} ${problems}`;
    },
  },
  {
    name: "expressions of workflows",
    seeds: texts(
      "${{ github.ref == 'refs/heads/main' && !contains(github.event.commits.*.message, 'x') || 1.5e3 >= 0x1F }}",
      "a ${{ format('{0}-{1}', toJSON(inputs), join(fromJSON('[1,2]'), ',')) }} b",
      "${{ github['ref_name'] }}${{ startsWith('a', null) }}${{ (true && false) != -1 }}${{ hashFiles('**') }}${{ success() }}",
    ),
    async run(input) {
      const result = await runLanguageJob({ kind: "values", values: { x: input.toString() }, contexts: context });
      return kindOf(result);
    },
  },
];
