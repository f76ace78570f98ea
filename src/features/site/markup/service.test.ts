import { afterAll, afterEach, describe, expect, test } from "vitest";
import { expensiveOrgParts, expensiveTexts, fill } from "../../../../test/kit/expensive-texts.ts";
import { htmlDangers } from "../../../../test/kit/html-dangers.ts";
import { createLogRecorder } from "../../../../test/kit/logs.ts";
import { isForgeError } from "../../../core/errors.ts";
import type { RenderContext } from "./context.ts";
import { isQuick } from "./cost.ts";
import { canRender } from "./file-kinds.ts";
import type { Reference, ReferenceResolver } from "./references.ts";
import { createMarkup, type Markup, type MarkupDeps, type MarkupOptions } from "./service.ts";
import { createWorkerPool, type PoolOptions, type WorkerPool } from "./worker-pool.ts";

const context: RenderContext = { kind: "comment", origin: "http://forge.example", repository: { owner: "alice", name: "demo" }, ref: "", folder: "" };
const fenced = (code: string, language = "js") => `\`\`\`${language}\n${code}\n\`\`\`\n`;

const log = createLogRecorder();
const open: WorkerPool[] = [];
const start = (options: Partial<MarkupOptions & PoolOptions & Pick<MarkupDeps, "pathOfImage">> = {}): Markup & Pick<WorkerPool, "close"> => {
  const workers = createWorkerPool({ log }, options);
  open.push(workers);
  const { pathOfImage = () => undefined } = options;
  return { ...createMarkup({ log, workers, pathOfImage }, options), close: () => workers.close() };
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((workers) => workers.close()));
});

test("the addresses of a text's images on this server are computed once, and for pages only", async () => {
  const images: string[] = [];
  const markup = start({ pathOfImage: (address) => `/image/${images.push(address)}` });
  const text = "![a](https://other.example/a.png) @bob ![b](https://other.example/b.png)";
  const own = /src="http:\/\/forge\.example\/image\/1".* src="http:\/\/forge\.example\/image\/2"/s;
  expect(await markup.renderMarkdown(text, { ...context, isPage: true })).toMatch(own);
  expect(await markup.renderMarkdown(text, { ...context, isPage: true })).toMatch(own);
  expect(await markup.renderMarkdown(text, context)).toContain('src="https://other.example/a.png"');
  expect(images).toEqual(["https://other.example/a.png", "https://other.example/b.png"]);
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
    const workers = createWorkerPool({ log }, { patience: Number.POSITIVE_INFINITY });
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
    const workers = createWorkerPool({ log }, { timeoutMs: 300, patience: Number.POSITIVE_INFINITY });
    open.push(workers);
    const markup = createMarkup({ log, workers });
    await markup.renderMarkdown(fenced("warm up"), context);
    const hostile = "[".repeat(900_000);
    const [html, other] = await Promise.all([markup.renderMarkdown(hostile, context), markup.renderMarkdown(fenced("other"), context)]);
    expect(html).toBe(`<pre>${hostile}</pre>\n`);
    expect(other).toContain("code-block");
    expect(log.entries.some(({ message, meta }) => message.includes("returned as source") && JSON.stringify(meta).includes("300 ms"))).toBe(true);
    const { jobs } = workers.counters;
    expect(await markup.renderMarkdown(hostile, context)).toBe(html);
    expect(workers.counters.jobs).toBe(jobs);
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
  const workers = createWorkerPool({ log }, { patience: Number.POSITIVE_INFINITY });
  const markup = createMarkup({ log, workers });
  afterAll(() => workers.close());

  /** The HTML, and the number of jobs that workers had to do for it. */
  async function rendered(path: string, text: string): Promise<{ readonly html: string; readonly jobs: number }> {
    const before = workers.counters.jobs;
    const html = await markup.renderFile(path, text, context);
    return { html, jobs: workers.counters.jobs - before };
  }
  const isSafe = (html: string): void => expect(htmlDangers(html.slice(0, 10_000).replace(/<[^>]*$/, ""))).toEqual([]);

  test.each(Object.entries(expensiveTexts))(
    "of %s are rendered by a worker, within the limit of their output, and a short part on the event loop",
    async (_name, text) => {
      const { html, jobs } = await rendered("a.md", text);
      expect(jobs).toBe(isQuick(text) ? 0 : 1);
      expect(html.length).toBeLessThan(5_000_000);
      isSafe(html);

      let part = text.slice(0, 8_000);
      while (!isQuick(part)) part = part.slice(0, -500);
      const short = await rendered("a.md", part);
      expect(short.jobs).toBe(0);
      expect(short.html.length).toBeLessThan(500_000);
    },
  );

  test.each(expensiveOrgParts)("of Org with many %j are rendered by a worker, and a short part on the event loop", async (part) => {
    const { html, jobs } = await rendered("a.org", fill(part));
    expect(jobs).toBe(1);
    isSafe(html);
    const short = fill(part, 4_000);
    expect((await rendered("a.org", short)).jobs).toBe(isQuick(short) ? 0 : 1);
  });
});
