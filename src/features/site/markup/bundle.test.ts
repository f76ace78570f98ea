import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, test } from "vitest";

test("finds the worker in a bundle with separate chunks and renders with it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hearth-bundle-"));
  try {
    const source = join(folder, "main.ts");
    await writeFile(
      source,
      `const { createMarkup } = await import(${JSON.stringify(join(import.meta.dirname, "service.ts"))});
const say = (meta, message) => console.error(message, meta);
const { createWorkerPool } = await import(${JSON.stringify(join(import.meta.dirname, "worker-pool.ts"))});
const log = { debug: say, info: say, warn: say, error: say };
const workers = createWorkerPool({ log });
const markup = createMarkup({ log, workers });
const context = { kind: "comment", origin: "http://forge.example", repository: undefined, ref: "", folder: "" };
console.log(await markup.renderMarkdown("*quick* :tada:", context));
console.log(await markup.renderMarkdown("\`\`\`js\\nlet a;\\n\`\`\`", context));
console.log(JSON.stringify(await workers.run({ kind: "yaml", text: "a: [1]" })));
await workers.close();`,
    );
    const outdir = join(folder, "dist");
    await build({
      entryPoints: { hearth: source, "markup-worker": join(import.meta.dirname, "worker.ts") },
      outdir,
      bundle: true,
      splitting: true,
      chunkNames: "chunks/[name]-[hash]",
      platform: "node",
      format: "esm",
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
      logLevel: "error",
    });
    await writeFile(join(outdir, "package.json"), '{"type":"module"}');
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(outdir, "hearth.js")]);
    expect(stderr).toBe("");
    expect(stdout).toContain('<em>quick</em> <span class="emoji" aria-label="party popper">🎉</span>');
    expect(stdout).toContain('<span class="hljs-keyword">let</span> a;');
    expect(stdout).toContain('{"kind":"done","value":{"value":{"a":[1]}}}');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);
