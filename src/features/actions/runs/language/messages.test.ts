import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { createLogRecorder } from "../../../../../test/kit/logs.ts";
import type { MistakeKind } from "../../../../core/workflow-mistakes.ts";
import { english } from "../../../../ui/texts/mistakes/english.ts";
import { german } from "../../../../ui/texts/mistakes/german.ts";
import { evaluateText } from "./expressions.ts";
import { explain } from "./messages.ts";
import { createWorkflowLanguage } from "./pool.ts";
import type { PlanContext } from "./workflow.ts";

const language = createWorkflowLanguage({ log: createLogRecorder() });
afterAll(() => language.close());

const context: PlanContext = { github: { ref: "refs/heads/main" }, inputs: {}, vars: {} };
const steps = "    steps: [{run: 'true'}]\n";
const job = (fields: string, last = steps): string => `on: push\njobs:\n  a:\n    runs-on: linux\n${fields}${last}`;
const on = (trigger: string): string => `on: ${trigger}\njobs:\n  a:\n    runs-on: linux\n${steps}`;
const expression = (text: string): string => job(`    env: {A: "\${{ ${text} }}"}\n`);
const dispatch = (input: string): string => on(`{workflow_dispatch: {inputs: {x: ${input}}}}`);
const numbers = JSON.stringify(Array.from({ length: 100 }, (_, at) => at));
const evaluated = (text: string): string => job(`    name: "\${{ ${text} }}"\n`);

const files: readonly (readonly [MistakeKind, string])[] = [
  ["yaml_quote_missing", "on: 'push\njobs: {}\n"],
  ["yaml_comma_unexpected", "on: [, push]\n"],
  ["yaml_comma_missing", "on: ['push' 'tag']\n"],
  ["yaml_bracket_missing", "on: push\njobs: [\n"],
  ["yaml_colon_missing", "on: push\njobs\n"],
  ["yaml_key_lines", "on: push\n'a\n b': 1\n"],
  ["yaml_key_long", `on: push\n${"k".repeat(1100)}: 1\n`],
  ["yaml_key_twice", "on: push\non: push\n"],
  ["yaml_map_nested", "on: a: b\n"],
  ["yaml_block_in_flow", "on: [\n  a,\n  - b\n]\n"],
  ["yaml_map_columns", "on:\n   push: 1\n  tags: 2\n"],
  ["yaml_list_columns", "on:\n - - a\n  - b\n"],
  ["yaml_key_list", "on:\n  - a\n - b\n"],
  ["yaml_list_on_key_line", "on: - push\n"],
  ["yaml_block_indent", "on: |\n     \n  a\n"],
  ["yaml_block_header", "on: |ab\n  b\n"],
  ["yaml_tab", "on:\n\t- push\n"],
  ["yaml_scalar_start", "on: @push\n"],
  ["yaml_escape", 'on: "\\q"\n'],
  ["yaml_comment", "on: 'push'#all\n"],
  ["yaml_alias_missing", "on: *missing\n"],
  ["yaml_anchor", "on: &a &b push\n"],
  ["yaml_tag", "on: !<x push\n"],
  ["yaml_directive", "%YAML 1.2\non: push\n"],
  ["yaml_documents", "on: push\n---\non: push\n"],
  ["yaml_unexpected", "on: push\n]\n"],
  ["file_empty", ""],
  ["key_type", "1: 2\n"],
  ["key_type", "? [a]\n: b\n"],
  ["value_type", "on: !!binary aGVsbG8=\n"],
  ["type_wrong", job('    env: "${{ github }}"\n')],
  ["value_unexpected", on("nothing")],
  ["value_unexpected", job("    stepps: []\n")],
  ["key_missing", "on: push\n"],
  ["key_twice", "on: push\n? ON\n: push\njobs: {}\n"],
  ["keys_ambiguous", "on: push\njobs: {a: {name: x}}\n"],
  ["list_unexpected", job("    name: [a]\n")],
  ["map_unexpected", job("    name: {a: 1}\n")],
  ["options_missing", dispatch("{type: choice}")],
  ["options_unexpected", dispatch("{type: string, options: [a]}")],
  ["cron_invalid", on("{schedule: [{cron: '* *'}]}")],
  [
    "job_cycle",
    "on: push\njobs:\n  x: {runs-on: l, steps: [{run: a}]}\n  a: {runs-on: l, needs: b, steps: [{run: a}]}\n  b: {runs-on: l, needs: a, steps: [{run: a}]}\n",
  ],
  ["jobs_without_start", "on: push\njobs:\n  a: {runs-on: l, needs: b, steps: [{run: a}]}\n  b: {runs-on: l, needs: a, steps: [{run: a}]}\n"],
  ["job_unknown", `${job("")}  b: {runs-on: l, needs: c, steps: [{run: a}]}\n`],
  ["id_invalid", job("", "    steps: [{id: '1 2', run: a}]\n")],
  ["id_reserved", job("", "    steps: [{id: __a, run: a}]\n")],
  ["id_twice", job("", "    steps: [{id: a, run: a}, {id: a, run: a}]\n")],
  ["keys_ambiguous", job("", "    steps: [{name: a}]\n")],
  ["container_image", job("    container: {}\n")],
  ["group_prefix", job("").replace("linux", "{group: a/b/c}")],
  ["expression_empty", job('    env: {A: "${{ }}"}\n')],
  ["expression_open", job('    env: {A: "${{ github.ref"}\n')],
  ["expression_forbidden", 'on: push\njobs: {"${{ 1 }}": {}}\n'],
  ["expression_end", expression("github.ref ==")],
  ["expression_symbol", expression("github.ref )")],
  ["expression_symbol", expression("#")],
  ["expression_name", expression("nothing.a")],
  ["expression_function", expression("nothing()")],
  ["expression_few", expression("contains('a')")],
  ["expression_many", expression("contains('a', 'b', 'c')")],
  ["expression_even", expression("case(true, 1, false, 2)")],
  ["expression_depth", expression(`${"(".repeat(60)}1${")".repeat(60)}`)],
  ["expression_long", expression(`'${"x".repeat(21_000)}'`)],
  ["directive_parameters", job('    env: {"${{ insert 1 }}": "${{ github }}"}\n')],
  ["directive_embedded", job('    env: {A: "x ${{ insert }}"}\n')],
  ["uses_invalid", "on: push\njobs: {a: {uses: x}}\n"],
  ["jobs_too_many", `on: push\njobs:\n${Array.from({ length: 257 }, (_, at) => `  j${at}: {runs-on: l, steps: [{run: a}]}\n`).join("")}`],
  ["expression_case", evaluated("case('x', 1, 2)")],
  ["expression_json_empty", evaluated("fromJSON('')")],
  ["expression_json", evaluated("fromJSON('{')")],
  ["expression_json", evaluated("github[fromJSON('{')]")],
  ["expression_format_few", evaluated("format('{1}', 'a')")],
  ["expression_format", evaluated("format('{', 'a')")],
  ["matrix_not_map", job('    strategy: {matrix: "${{ github.ref }}"}\n')],
  ["matrix_not_list", job('    strategy: {matrix: {a: "${{ github.ref }}"}}\n')],
  ["matrix_not_maps", job('    strategy: {matrix: {a: [1], exclude: "${{ github.ref }}"}}\n')],
  ["matrix_too_large", job(`    strategy: {matrix: {a: ${numbers}, b: ${numbers}}}\n`)],
  ["matrix_empty", job("    strategy: {matrix: {a: [1], exclude: [{a: 1}]}}\n")],
  ["timeout_invalid", job("    timeout-minutes: 0\n")],
  ["labels_missing", job("").replace("linux", "${{ vars.MISSING }}")],
  ["labels_too_many", job("").replace("linux", "x".repeat(300))],
  [
    "yaml_aliases",
    `x:\n  l0: &l0 [a]\n${Array.from({ length: 12 }, (_, at) => `  l${at + 1}: &l${at + 1} [${Array.from({ length: 12 }, () => `*l${at}`).join(", ")}]`).join("\n")}\n${job("")}`,
  ],
];

describe("a mistake in a workflow file", () => {
  test.each(files)("of the kind %s has a text in each language", async (kind, text) => {
    const outcome = await language.run({ kind: "plan", path: ".gitea/workflows/ci.yml", text, context, jobs: [{ key: "a", needed: [] }] });
    const problems = outcome.kind === "done" && "problems" in outcome.value ? outcome.value.problems : [];
    expect([kind, problems.map((problem) => problem.kind ?? problem.message)]).toEqual([kind, expect.arrayContaining([kind])]);
    expect(problems.filter((problem) => problem.kind === undefined)).toEqual([]);
    for (const problem of problems)
      for (const texts of [english, german]) {
        const wanted = [...texts.kinds[problem.kind ?? kind].matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
        expect(Object.keys(problem.values ?? {}), problem.kind).toEqual(expect.arrayContaining(wanted));
      }
  });

  test("names the same values in each language", () => {
    const valuesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
    for (const [kind, text] of Object.entries(english.kinds)) expect([kind, valuesIn(german.kinds[kind as MistakeKind])]).toEqual([kind, valuesIn(text)]);
  });

  test("that a library can report has a kind", () => {
    expect(libraryMessages().length).toBeGreaterThan(50);
    const unknown = libraryMessages().filter((message) => explain(message).kind === undefined);
    expect(unknown).toEqual([]);
  });

  test("of an unknown kind keeps its message", () => expect(explain("Something new")).toEqual({ message: "Something new" }));

  test("in an expression without an end has a kind", () => {
    expect(() => evaluateText("${{ github.ref", { contexts: {} })).toThrow(/has no end/);
  });
});

const folderOf = (name: string): string => fileURLToPath(new URL(`../../../../../node_modules/@actions/${name}/dist`, import.meta.url));

/** Code that does not read workflow files: the schema of the library, actions, and files that the library would fetch itself. */
const unused =
  /\/(?:schema|actions|test-utils)\/|\.test\.js$|\/(?:json-object-reader|completion|file-reference|referencedWorkflow|convert|ast|traversal-state|types)\.js$|\/job\/(?:inputs|secrets)\.js$/;
/** States that no file leads to. */
const impossible = /^(?:unknown (?:unary|binary) operator|Unhandled token type|Unknown error|Method not|x|could not evaluate index for index access: x$)/;

/** The messages in the sources of the libraries, with x for each value. */
function libraryMessages(): string[] {
  const folders = [folderOf("workflow-parser"), folderOf("expressions")];
  const sources = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, name))
      .filter((name) => name.endsWith(".js") && !unused.test(name))
      .map((name) => readFileSync(name, "utf8")),
  );
  const reported = /(?:\.error\([\w.]+, (?:new Error\()?|new \w*Error\(|return (?=`The identifier))((["`])(?:\\.|(?!\2).)*\2)/gs;
  const ofTokens = /return ([`"])((?:Un|Ex|Too|Even)[^`"]*)\1;/g;
  const texts = sources.flatMap((source) => [
    ...[...source.matchAll(reported)].map(([, text = ""]) => text.slice(1, -1)),
    ...[...source.matchAll(ofTokens)].map(([, , text = ""]) => `${text}: 'x'`),
  ]);
  return texts.map((text) => text.replaceAll(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, "x")).filter((text) => !impossible.test(text));
}
