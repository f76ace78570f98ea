import { monitorEventLoopDelay } from "node:perf_hooks";
import { afterAll, describe, expect, test } from "vitest";
import { createLogRecorder } from "../../../../test/kit/logs.ts";
import type { RenderContext } from "./context.ts";
import { createPageTexts, maxFormulas } from "./page-texts.ts";
import { createMarkup } from "./service.ts";
import { createWorkerPool } from "./worker-pool.ts";

const context: RenderContext = {
  kind: "document",
  origin: "http://forge.example",
  repository: { owner: "alice", name: "demo" },
  ref: "branch/main",
  folder: "",
};
const log = createLogRecorder();
const workers = createWorkerPool({ log });
const markup = createMarkup({ log, workers });
const pageTexts = createPageTexts({ log, workers, markup, pathOfImage: () => undefined });
afterAll(() => workers.close());

const pageOf = async (text: string): Promise<string> => (await pageTexts.renderMarkdown(text, context)).trim();
const math = (source: string, mathml: string, attributes = ""): string =>
  `<span class="math" title="${source}"><math xmlns="http://www.w3.org/1998/Math/MathML"${attributes}><semantics>${mathml}<annotation encoding="application/x-tex">${source}</annotation></semantics></math></span>`;
const block = ' display="block"';
const a = "<mrow><mi>a</mi></mrow>";

describe("formulas", () => {
  test.each([
    ["$a$", `<p dir="auto">${math("a", a)}</p>`],
    ["x $`a`$ y", `<p dir="auto">x ${math("a", a)} y</p>`],
    ["$$a$$", `<p dir="auto">${math("a", a, block)}</p>`],
    ["$$\na\n$$", math("a", a, block)],
    ["```math\na\n```", math("a", a, block)],
    ["$x < y$", `<p dir="auto">${math("x &lt; y", "<mrow><mi>x</mi><mo>&lt;</mo><mi>y</mi></mrow>")}</p>`],
    ["$5 and $6", '<p dir="auto">$5 and $6</p>'],
    ["$5, $6 and US$7", '<p dir="auto">$5, $6 and US$7</p>'],
    ["`$a$` and \\$a$", '<p dir="auto"><code>$a$</code> and $a$</p>'],
    ["costs $`5 and 6", '<p dir="auto">costs $`5 and 6</p>'],
  ])("%j", async (text, expected) => {
    expect(await pageOf(text)).toBe(expected);
  });

  test("with errors are shown as source, with the reason as tooltip", async () => {
    const html = await pageOf("$\\frac{a$ and $b$ and $\\nosuch$");
    expect(html).toMatch(/<code title="KaTeX parse error: [^"]*" class="language-math">\\frac\{a<\/code> and <span class="math" title="b">/);
    expect(html).toMatch(/<code title="KaTeX parse error: Undefined control sequence: \\nosuch[^"]*" class="language-math">\\nosuch<\/code>/);
  });

  test("contain no links, images, styles, classes and ids", async () => {
    const sources = [
      "\\href{javascript:alert(1)}{x}",
      "\\url{https://other.example}",
      "\\includegraphics{https://other.example/a.png}",
      "\\htmlId{a}{x}",
      "\\htmlClass{a}{x}",
      "\\htmlStyle{color:red}{x}",
      "\\htmlData{a=b}{x}",
      "\\text{<img src=x onerror=alert(1)>}",
      "\\color{red}\\fbox{x}\\boxed{y}\\colorbox{blue}{z}\\rule{900em}{900em}",
      "\\def\\x{<script>}\\x",
    ];
    const html = await pageOf(sources.map((source) => `\`\`\`math\n${source}\n\`\`\``).join("\n\n"));
    const tags = [...html.replace(/<annotation[^>]*>[^<]*<\/annotation>/g, "").matchAll(/<([a-z0-9]+)([^>]*)>/g)].filter(([, name]) => name?.startsWith("m"));
    expect(tags.length).toBeGreaterThan(10);
    for (const [, , attributes = ""] of tags) expect(attributes).not.toMatch(/\s(?:href|src|style|class|id|on\w+|data-\w+)=/);
    expect(html).not.toMatch(/<(?:a|img|script|mglyph)\b/);
    expect(html).not.toMatch(/="900em"/);
  });

  test("leave the API's HTML unchanged", async () => {
    expect(await markup.renderMarkdown("$a$ $$b$$", context)).toBe(
      '<p dir="auto"><code class="language-math">a</code> <code class="language-math">b</code></p>\n',
    );
  });

  test("of a text are rendered in one job, once for each content", async () => {
    const before = workers.counters.jobs;
    const text = "$once_1$ and $once_2$";
    expect(await pageOf(text)).toBe(await pageOf(text));
    expect(workers.counters.jobs - before).toBe(1);
  });

  test(`beyond ${maxFormulas} in a text are shown as source`, async () => {
    const html = await pageOf("$x$ ".repeat(10_000));
    expect(html.match(/<math /g)).toHaveLength(maxFormulas);
    expect(html.match(/<code class="language-math">/g)).toHaveLength(10_000 - maxFormulas);
  });

  const longMacro = `\\def\\a{${"x".repeat(900)}}${"\\a".repeat(190)}`;
  test.each([
    ["endless macros", "\\def\\a{\\a}\\a"],
    ["growing macros", "\\def\\a#1{#1#1#1#1}\\a{\\a{\\a{\\a{\\a{\\a{\\a{\\a{x}}}}}}}}"],
    ["macros defined by themselves", `\\def\\a{x}${"\\edef\\a{\\a\\a}".repeat(30)}\\a`],
    ["a long macro, repeated", longMacro],
    ["deep groups", "{".repeat(2_400) + "}".repeat(2_400)],
    ["deep roots", `${"\\sqrt{".repeat(700)}x${"}".repeat(700)}`],
    ["wide tables", `\\begin{matrix}${"&".repeat(4_900)}\\end{matrix}`],
    ["long tables", `\\begin{matrix}${"\\\\".repeat(2_400)}\\end{matrix}`],
    ["a formula of 60,000 characters", "x".repeat(60_000)],
  ])("built to take long affect only the formulas of their text: %s", async (_name, source) => {
    const before = process.cpuUsage();
    const html = await pageOf(`# Title\n\n\`\`\`math\n${source}\n\`\`\``);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(2_000);
    expect(html).toContain('<h1 id="user-content-title">Title</h1>');
    expect(html.length).toBeLessThan(300_000);
    expect(await pageOf("$x$")).toContain("<math ");
  });

  test("that take too long are given up by their worker while the event loop continues", async () => {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const html = await pageOf(`\`\`\`math\n${longMacro}\n\`\`\`\n\n`.repeat(20));
    delay.disable();
    expect(html).toContain("language-math");
    expect(delay.percentile(99) / 1e6).toBeLessThan(100);
    expect(log.entries.some(({ message }) => message.includes("formulas are shown as source"))).toBe(true);
  });
});
