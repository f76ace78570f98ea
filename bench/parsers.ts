import { parseArgs } from "node:util";
import { createElement } from "preact";
import { render } from "preact-render-to-string";
import { readReferences } from "../src/features/collaboration/issues/references/text-references.ts";
import { countFiles } from "../src/features/repositories/repos/languages.ts";
import type { RenderContext } from "../src/features/site/markup/context.ts";
import { isQuick } from "../src/features/site/markup/cost.ts";
import { createPageTexts } from "../src/features/site/markup/page-texts.ts";
import { createMarkup } from "../src/features/site/markup/service.ts";
import { renderTableFile } from "../src/features/site/markup/table-file.ts";
import { createWorkerPool } from "../src/features/site/markup/worker-pool.ts";
import { ContentsMenu, Rendered } from "../src/ui/rendered.tsx";
import { renderIn } from "../src/ui/texts/texts.ts";
import * as expensive from "../test/kit/expensive-texts.ts";
import { silentLog } from "../test/kit/logs.ts";

const usage = `npm run bench -- parsers [--only markdown,formulas]

Prints the CPU ms of all threads that parsers take for their most expensive inputs, with the ceiling of each group on a quiet machine. The command fails
if an input takes more. Work in a worker is limited to 700 ms; compilation, garbage collection and copies add to it.`;

interface Group {
  readonly name: string;
  readonly ceilingMs: number;
  readonly inputs: Readonly<Record<string, string>>;
  run(text: string): unknown;
}

const context: RenderContext = { kind: "document", origin: "http://forge.example", repository: { owner: "alice", name: "demo" }, ref: "", folder: "" };
const workers = createWorkerPool({ log: silentLog });
const markup = createMarkup({ log: silentLog, workers });
const pageTexts = createPageTexts({ log: silentLog, workers, markup });

const mapped = (inputs: Readonly<Record<string, string>>, map: (text: string) => string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(inputs).map(([name, text]) => [name, map(text)]));
/** The longest start that is rendered on the event loop. */
function quickPart(text: string): string {
  let part = text.slice(0, 8_000);
  while (!isQuick(part)) part = part.slice(0, -500);
  return part;
}
const org = Object.fromEntries(expensive.expensiveOrgParts.map((part) => [JSON.stringify(part), expensive.fill(part)]));

const groups: readonly Group[] = [
  { name: "markdown", ceilingMs: 1_500, inputs: expensive.expensiveTexts, run: (text) => markup.renderMarkdown(text, context) },
  {
    name: "markdown on the event loop",
    ceilingMs: 100,
    inputs: mapped(expensive.expensiveTexts, quickPart),
    run: (text) => markup.renderMarkdown(text, context),
  },
  { name: "org", ceilingMs: 1_500, inputs: org, run: (text) => markup.renderFile("a.org", text, context) },
  { name: "org on the event loop", ceilingMs: 100, inputs: mapped(org, quickPart), run: (text) => markup.renderFile("a.org", text, context) },
  {
    name: "formulas",
    ceilingMs: 2_000,
    inputs: mapped(expensive.expensiveFormulas, (source) => `\`\`\`math\n${source}\n\`\`\``),
    run: (text) => pageTexts.renderMarkdown(text, context),
  },
  {
    name: "headings",
    ceilingMs: 500,
    inputs: expensive.expensiveHeadings,
    run: (html) => renderIn("en", () => [Rendered, ContentsMenu].map((view) => render(createElement(view, { html })))),
  },
  { name: "references", ceilingMs: 200, inputs: expensive.expensiveReferences, run: (text) => readReferences(text, { owner: "alice", name: "demo" }) },
  { name: "tables", ceilingMs: 500, inputs: expensive.expensiveTables, run: (text) => renderTableFile(text, false) },
  {
    name: "languages",
    ceilingMs: 1_000,
    inputs: { "100,000 paths": "" },
    run: () => countFiles(Array.from({ length: 100_000 }, (_, at) => ({ path: `src/module-${at % 500}/deeper/folder/file-${at}.ts`, sizeBytes: 1 }))),
  },
];

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: "string" }, help: { type: "boolean" } } });
  if (values.help === true) return void process.stdout.write(`${usage}\n`);
  const chosen = values.only?.split(",");
  // Loads the renderer, on this thread and on a worker.
  for (const text of ["warm up", "```js\nwarm up\n```\n", "$a$"]) await pageTexts.renderMarkdown(text, context);
  for (const { name: group, ceilingMs, inputs, run } of groups.filter(({ name }) => chosen?.some((word) => name.includes(word)) ?? true)) {
    process.stdout.write(`${group}, ceiling ${ceilingMs} ms\n`);
    for (const [name, input] of Object.entries(inputs)) {
      const before = process.cpuUsage();
      await run(input);
      const { user, system } = process.cpuUsage(before);
      const cpuMs = (user + system) / 1_000;
      process.stdout.write(`${cpuMs.toFixed(0).padStart(6)}  ${(cpuMs > ceilingMs ? "OVER" : "").padEnd(4)}  ${name}\n`);
      if (cpuMs > ceilingMs) process.exitCode = 1;
    }
  }
  await workers.close();
}

await main();
