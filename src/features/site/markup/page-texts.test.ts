import { afterAll, describe, expect, test } from "vitest";
import { endlessMacro, expensiveFormulas } from "../../../../test/kit/expensive-texts.ts";
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
const workers = createWorkerPool({ log }, { patience: Number.POSITIVE_INFINITY });
const markup = createMarkup({ log, workers });
const pageTexts = createPageTexts({ log, workers, markup });
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

  test.each(Object.entries(expensiveFormulas))("built to take long affect only the formulas of their text: %s", async (_name, source) => {
    const before = workers.counters.jobs;
    const html = await pageOf(`# Title\n\n\`\`\`math\n${source}\n\`\`\``);
    expect(workers.counters.jobs - before).toBeLessThanOrEqual(2);
    expect(html).toContain('<h1 id="user-content-title">Title</h1>');
    expect(html.length).toBeLessThan(300_000);
    expect(await pageOf("$x$")).toContain("<math ");
  });

  test("that take too long are given up by their worker, and not tried again", async () => {
    const text = `\`\`\`math\n${endlessMacro}\n\`\`\`\n\n`.repeat(20);
    const html = await pageOf(text);
    expect(html).toContain("language-math");
    expect(log.entries.some(({ message }) => message.includes("formulas are shown as source"))).toBe(true);
    const { jobs } = workers.counters;
    expect(await pageOf(text)).toBe(html);
    expect(workers.counters.jobs).toBe(jobs);
  });
});
