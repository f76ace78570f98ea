import { monitorEventLoopDelay } from "node:perf_hooks";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { htmlDangers } from "../../../../test/kit/html-dangers.ts";
import { createLogRecorder } from "../../../../test/kit/logs.ts";
import { isForgeError } from "../../../core/errors.ts";
import type { RenderContext } from "./context.ts";
import { isQuick } from "./cost.ts";
import { canRender } from "./file-kinds.ts";
import type { Reference, ReferenceResolver } from "./references.ts";
import { createMarkup, type Markup, type MarkupOptions } from "./service.ts";
import { createWorkerPool, type PoolOptions, type WorkerPool } from "./worker-pool.ts";

const context: RenderContext = { kind: "comment", origin: "http://forge.example", repository: { owner: "alice", name: "demo" }, ref: "", folder: "" };
const fenced = (code: string, language = "js") => `\`\`\`${language}\n${code}\n\`\`\`\n`;

/** The CPU time of all threads of the process, independent of other load on the machine. */
function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const log = createLogRecorder();
const open: WorkerPool[] = [];
const start = (options: Partial<MarkupOptions & PoolOptions> = {}): Markup & Pick<WorkerPool, "close"> => {
  const workers = createWorkerPool({ log }, options);
  open.push(workers);
  return { ...createMarkup({ log, workers }, options), close: () => workers.close() };
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((workers) => workers.close()));
});

describe("references", () => {
  const requested: (readonly Reference[])[] = [];
  const knowing =
    (...names: string[]): ReferenceResolver =>
    async (references) => {
      requested.push(references);
      return references.map((reference) => reference.kind === "account" && names.includes(reference.name));
    };

  test("are resolved once per text and reader, in one call, with the reader's visibility", async () => {
    const markup = start();
    const text = "@bob @eve #1 @bob";
    const link = '<a data-markdown-generated-content="" href="http://forge.example/bob" rel="nofollow">@bob</a>';
    requested.length = 0;
    expect(await markup.renderMarkdown(text, context, knowing("bob"))).toBe(`<p dir="auto">${link} @eve #1 ${link}</p>\n`);
    expect(await markup.renderMarkdown(text, context, knowing())).toBe('<p dir="auto">@bob @eve #1 @bob</p>\n');
    expect(requested.map((references) => references.map(({ kind }) => kind))).toEqual([
      ["account", "account", "issue", "account"],
      ["account", "account", "issue", "account"],
    ]);
  });

  test("are not resolved for a text without any, and never link accounts and commits without a resolver", async () => {
    const markup = start();
    requested.length = 0;
    await markup.renderMarkdown("`@bob`", context, knowing("bob"));
    expect(requested).toEqual([]);
    expect(await markup.renderMarkdown("@bob 0123abc", context)).toBe('<p dir="auto">@bob 0123abc</p>\n');
  });

  test("a resolver's error is thrown to the caller", async () => {
    await expect(start().renderMarkdown("@bob", context, () => Promise.reject(new Error("no database")))).rejects.toThrow("no database");
  });
});

describe("files", () => {
  test("are rendered by extension", async () => {
    const markup = start();
    expect(await markup.renderFile("docs/README.MD", "*a*", context)).toBe('<p dir="auto"><em>a</em></p>\n');
    expect(await markup.renderFile("a.csv", "x,y", context)).toContain("<th>y</th>");
    expect(await markup.renderFile("a.tsv", "x\ty", context)).toContain("<th>y</th>");
    expect(await markup.renderFile("a.org", "*a*", context)).toBe("<p>\n<strong>a</strong>\n</p>\n");
    expect(["a.md", "b.markdown", "c.csv", "d.txt", "md", "e.md/f", "f.org"].filter(canRender)).toEqual(["a.md", "b.markdown", "c.csv", "f.org"]);
    for (const path of ["a.unknown", "", "md", "x.constructor"]) {
      await expect(markup.renderFile(path, "x", context)).rejects.toSatisfy((error) => isForgeError(error, "invalid"));
    }
  });
});

describe("worker threads", () => {
  test("workers render long texts and highlighted code like the main thread", async () => {
    const markup = start();
    expect(await markup.renderMarkdown(fenced("let a = 1;"), context)).toContain('<span class="hljs-keyword">let</span>');
    const long = "para #1\n\n".repeat(2_000);
    expect(isQuick(long)).toBe(false);
    const html = await markup.renderMarkdown(long, context);
    expect(html.match(/class="ref-issue"/g)).toHaveLength(1_000);
    expect(html.match(/<p /g)).toHaveLength(2_000);
  });

  test("workers render large table files once for each content", async () => {
    const workers = createWorkerPool({ log });
    open.push(workers);
    const markup = createMarkup({ log, workers });
    expect(await markup.renderFile("a.csv", "x,y", context)).toContain("<th>y</th>");
    expect(workers.counters.jobs).toBe(0);
    const text = "a,b\n".repeat(5_000);
    const html = await markup.renderFile("a.csv", text, context);
    expect(html.match(/<tr>/g)).toHaveLength(5_000);
    expect(await markup.renderFile("a.csv", text, context)).toBe(html);
    expect(await markup.renderFile("a.csv", '"'.repeat(900_000), context)).not.toBe("");
    expect(workers.counters.jobs).toBe(2);
  });

  test("highlight single pieces of code", async () => {
    const markup = start();
    expect(await markup.highlight("a = 'x' # <b>", "python")).toBe(
      'a = <span class="hljs-string">&#x27;x&#x27;</span> <span class="hljs-comment"># &lt;b&gt;</span>',
    );
    expect(await markup.highlight("x", "nosuch")).toBeUndefined();
  });

  test("process more concurrent jobs than there are workers", async () => {
    const markup = start();
    const texts = Array.from({ length: 40 }, (_, at) => fenced(`const n = ${at};`));
    const all = await Promise.all(texts.map((text) => markup.renderMarkdown(text, context)));
    for (const [at, html] of all.entries()) expect(html).toContain(`<span class="hljs-number">${at}</span>`);
  });

  test("render a text once for two concurrent readers, and the third gets it from the cache", async () => {
    const markup = start({ maxWaiting: 1, size: 1 });
    const text = fenced("shared");
    const [first, second] = await Promise.all([markup.renderMarkdown(text, context), markup.renderMarkdown(text, context)]);
    expect(second).toBe(first);
    await markup.close();
    expect(await markup.renderMarkdown(text, context)).toBe(first);
    expect(await markup.renderMarkdown(text, { ...context, kind: "wiki" })).toBe(`<pre>${text}</pre>\n`);
  });

  test("return the source while too many jobs wait, and render it later", async () => {
    const markup = start({ maxWaiting: 1, size: 1 });
    const texts = [fenced("a"), fenced("b"), fenced("c"), fenced("d")];
    const all = await Promise.all(texts.map((text) => markup.renderMarkdown(text, context)));
    const plain = all.filter((html) => html.startsWith("<pre>"));
    expect(plain).toHaveLength(2);
    for (const text of texts) expect(await markup.renderMarkdown(text, context)).toContain("code-block");
  });

  test("workers abandon a slow job once without repeating it, while others continue", async () => {
    const markup = start({ timeoutMs: 300 });
    await markup.renderMarkdown(fenced("warm up"), context);
    const hostile = "[".repeat(900_000);
    const before = process.cpuUsage();
    const [html, other] = await Promise.all([markup.renderMarkdown(hostile, context), markup.renderMarkdown(fenced("other"), context)]);
    expect(html).toBe(`<pre>${hostile}</pre>\n`);
    expect(other).toContain("code-block");
    const first = cpuMsSince(before);
    expect(first).toBeGreaterThan(250);
    expect(log.entries.some(({ message, meta }) => message.includes("returned as source") && JSON.stringify(meta).includes("300 ms"))).toBe(true);
    const again = process.cpuUsage();
    await markup.renderMarkdown(hostile, context);
    expect(cpuMsSince(again)).toBeLessThan(first / 2);
    expect(await markup.renderMarkdown(fenced("afterwards"), context)).toContain("code-block");
  });

  test("return texts beyond the length limit as source", async () => {
    const markup = start({ maxTextLength: 1_000 });
    expect(await markup.renderMarkdown("<b>".repeat(400), context)).toBe(`<pre>${"&lt;b&gt;".repeat(400)}</pre>\n`);
  });

  test("stop when idle and start again", async () => {
    const workers = () => (process.report.getReport() as { readonly workers: readonly unknown[] }).workers.length;
    const others = workers();
    const markup = start({ idleMs: 20 });
    for (const code of ["a", "b"]) {
      expect(await markup.renderMarkdown(fenced(code), context)).toContain("code-block");
      await expect.poll(workers, { timeout: 15_000 }).toBe(others);
    }
  });

  test("return the source after closing", async () => {
    const markup = start();
    await markup.close();
    expect(await markup.renderMarkdown(fenced("a"), context)).toBe(`<pre>${fenced("a")}</pre>\n`);
    expect(await markup.highlight("a", "js")).toBeUndefined();
    expect(await markup.renderMarkdown("*a*", context)).toBe('<p dir="auto"><em>a</em></p>\n');
  });
});

describe("expensive texts", () => {
  const size = 50_000;
  const fill = (part: string, length = size): string => part.repeat(Math.ceil(length / part.length)).slice(0, length);
  const numbered = (count: number, line: (at: number) => string): string => Array.from({ length: count }, (_, at) => line(at)).join("\n");
  const texts: Readonly<Record<string, string>> = {
    "opening brackets": fill("["),
    "bracket pairs": `${fill("[", size / 2)}a${fill("]", size / 2)}`,
    "opening links": fill("[a]("),
    "opening links in angles": fill("[a](<b"),
    "links with open titles": fill('[a](b "c'),
    images: fill("![a](b)"),
    "opening images": fill("!["),
    references: `${numbered(size / 12, (at) => `[a${at}]: u`)}\n\n${fill("[a1]")}`,
    "one reference, large": `[a]: ${fill("u", 10_000)}\n\n${fill("[a]", 30_000)}`,
    "one reference, small": `[a]: ${fill("u", 4_000)} "${fill("t", 1_000)}"\n\n${fill("[a]", 2_500)}`,
    quotations: fill(">"),
    "nested lists": numbered(Math.sqrt(size), (at) => `${" ".repeat(at * 2)}- a`),
    "list markers": fill("- "),
    stars: fill("*"),
    "stars and words": fill("**a *a "),
    "closing stars": `${fill("*a **a ", size / 2)}${fill("b** b*", size / 2)}`,
    underscores: fill("_a__"),
    tildes: fill("~~a~ "),
    backticks: numbered(Math.sqrt(2 * size), (at) => "`".repeat(at)),
    "open tags": fill("<b>"),
    "open angles": fill("<"),
    attributes: `<a ${fill("b=c ")}>`,
    "nested elements": fill("<div>"),
    "open comments": fill("<!--"),
    "open declarations": fill("<!A <?a <![CDATA["),
    "raw text elements": fill("<noscript><svg><style>"),
    entities: fill("&#1;&amp"),
    "ten thousand columns": `|${fill("a|", 20_000)}\n|${fill("-|", 20_000)}\n|${fill("b|", 20_000)}`,
    "rows to be completed": `|${fill("a|", 5_000)}\n|${fill("-|", 5_000)}\n${fill("b\n")}`,
    headings: fill("# a\n"),
    "underlined headings": fill("a\n=\n"),
    "headings in bars": fill("|\n-\n"),
    "a hundred thousand issues": fill("#1 ", 300_000),
    mentions: fill("@a "),
    "a long name": `@${fill("a-.")}`,
    paths: fill("a.b/"),
    "object ids": fill("0123abc "),
    "a hundred thousand emoji": fill("🎉", 200_000),
    "emoji names": fill(":smile:", 100_000),
    colons: fill(":a"),
    flags: fill("🇩🇪🇫"),
    "joined emoji": fill("👨‍👩‍👧‍"),
    dollars: fill("$a "),
    "formula blocks": fill("$$\na\n\n"),
    "wiki links": fill("[[a"),
    "open footnotes": `[^a]: x\n\n${fill("[^")}`,
    footnotes: numbered(size / 20, (at) => `[^${at}]\n\n[^${at}]: n\n`),
    "footnote references": `[^a]: x\n\n${fill("[^a] ")}`,
    definitions: fill("a\n: b\n\n"),
    tasks: fill("- [ ] a\n"),
    alerts: fill("> [!NOTE]\n\n"),
    addresses: fill("http://a.b/("),
    "a long address": `http://${fill("a.")}`,
    mail: fill("a@b.c "),
    "a long mail name": `${fill("a")}@b.c`,
    schemes: fill("http://www."),
    "open fences": fill("```\n"),
    "a long fence": `\`\`\`${fill("a")}`,
    "code of many quotes": fenced(fill('"\\'), "js"),
    "code of open comments": fenced(fill("/*"), "c"),
    "code of open braces": fenced(fill("${`"), "js"),
    "code of open tags": fenced(fill("<a b='"), "html"),
    "code of numbers": fenced(fill("1e"), "ruby"),
    "code of spaces": fenced(fill(" "), "yaml"),
    backslashes: fill("\\"),
    spaces: `${fill(" ")}a`,
    "line ends": fill("\r\n"),
    zeros: fill("\u0000"),
    candidates: `<img srcset="${fill("a 1x,")}">`,
    climbing: `<a href="${fill("../")}">x</a>`,
    classes: `<p class="${fill("a ")}">`,
    styles: `<p style="${fill("color:red;")}">`,
  };
  const workers = createWorkerPool({ log });
  const markup = createMarkup({ log, workers });
  afterAll(() => workers.close());

  test("never block the event loop for long", async () => {
    await Promise.all([markup.renderMarkdown(fenced("warm up"), context), markup.renderMarkdown("warm up", context)]);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    for (const name of ["opening images", "rows to be completed", "headings", "open footnotes", "code of open braces", "emoji names"]) {
      await markup.renderMarkdown(texts[name] ?? "", { ...context, kind: "document" });
    }
    delay.disable();
    expect(delay.percentile(99) / 1e6).toBeLessThan(100);
  }, 60_000);

  test.each(Object.entries(texts))("%s", async (_name, text) => {
    const before = process.cpuUsage();
    const html = await markup.renderMarkdown(text, context);
    // The worker's own time is limited to 700 ms; compilation, garbage collection and copying add to it.
    expect(cpuMsSince(before)).toBeLessThan(1_500);
    expect(html.length).toBeLessThan(5_000_000);
    expect(htmlDangers(html.slice(0, 10_000).replace(/<[^>]*$/, ""))).toEqual([]);

    let part = text.slice(0, 8_000);
    while (!isQuick(part)) part = part.slice(0, -500);
    const beforePart = process.cpuUsage();
    await markup.renderMarkdown(part, context);
    expect(cpuMsSince(beforePart)).toBeLessThan(400);
  });

  test.each(["* a\n", "** a\n* b\n", "- a\n", "*a /b _c +d ", "[[a][", "#+begin_x\n", "#+begin_quote\n", "| a ", ": a\n", ":a:\n", "http://a", "*", "- a :: "])(
    "Org with many %j",
    async (part) => {
      const before = process.cpuUsage();
      const html = await markup.renderFile("a.org", fill(part), context);
      expect(cpuMsSince(before)).toBeLessThan(1_500);
      expect(htmlDangers(html.slice(0, 10_000).replace(/<[^>]*$/, ""))).toEqual([]);
      const beforePart = process.cpuUsage();
      await markup.renderFile("a.org", fill(part, 8_000), context);
      expect(cpuMsSince(beforePart)).toBeLessThan(400);
    },
  );
});
