import { parseBoundedJson } from "../../src/core/bounded-json.ts";
import { parseGlob } from "../../src/core/glob.ts";
import { checkPicture } from "../../src/features/accounts/avatars/picture.ts";
import { readReferences } from "../../src/features/collaboration/issues/references/text-references.ts";
import { parseConfig } from "../../src/features/collaboration/issues/templates/config.ts";
import { parseTemplate } from "../../src/features/collaboration/issues/templates/template.ts";
import { TemplateProblem } from "../../src/features/collaboration/issues/templates/yaml.ts";
import { ownersOf, parseOwners } from "../../src/features/collaboration/reviews/code-owners.ts";
import { linesOfHunk, partsOf } from "../../src/features/collaboration/reviews/suggestions.ts";
import { settingsFor } from "../../src/features/repositories/contents/editorconfig.ts";
import { readSubmodules } from "../../src/features/repositories/contents/gitmodules.ts";
import { readNotebook } from "../../src/features/repositories/contents/notebook.ts";
import type { RenderContext } from "../../src/features/site/markup/context.ts";
import { renderText } from "../../src/features/site/markup/render.ts";
import { renderTableFile } from "../../src/features/site/markup/table-file.ts";
import { parseYaml } from "../../src/features/site/markup/yaml.ts";
import { parseFilledForm } from "../../src/http/form-files.ts";
import { htmlDangers } from "../kit/html-dangers.ts";
import { archiveTargets } from "./archive-targets.ts";
import { gitTargets } from "./git-targets.ts";
import { keyTargets } from "./key-targets.ts";
import { base64, texts } from "./seeds.ts";
import { type FuzzTarget, magnitude } from "./target.ts";
import { workflowTargets } from "./workflow-targets.ts";

const form = `name: Bug\nabout: Something fails\ntitle: "[Bug] "\nlabels: [bug, "kind/x"]\nassignees: ann, bob\nref: main\nbody:\n- type: markdown\n  attributes: {value: "# Hi"}\n- type: input\n  id: version\n  attributes:\n    label: Version\n    placeholder: "1.0"\n  validations: {required: true, regex: "^[0-9.]+$"}\n- type: dropdown\n  id: os\n  attributes: {label: OS, multiple: true, options: [Linux, macOS]}\n- type: checkboxes\n  attributes: {label: Terms, options: [{label: Yes, required: true}]}\n`;
const markdown =
  '# Title\n\nText with **bold**, `code`, [link](docs/a.md "t"), ![i](a.png), <https://example.org>, #12, @ann, acme/app#3, :tada:, 0123456789abcdef.\n\n- [ ] task\n  1. item\n\n| a | b |\n|---|:-:|\n| `x` | y |\n\n```js\nlet a = 1;\n```\n\n> [!NOTE]\n> alert\n\n$x^2$ and <details><summary>s</summary><b onclick="x">b</b></details> [^1]\n\n[^1]: note\n\nterm\n: definition\n';
const org =
  "* Title\n** TODO [#A] Item :tag:\n#+BEGIN_SRC js\nlet a = 1;\n#+END_SRC\n| a | b |\n|---+---|\n| 1 | 2 |\n- [X] done\n[[https://example.org][link]] *bold* /italic/ =code=\n#+BEGIN_HTML\n<b>x</b>\n#+END_HTML\n";
const notebook = JSON.stringify({
  nbformat: 4,
  metadata: { language_info: { name: "python" } },
  cells: [
    { cell_type: "markdown", source: ["# T\n", "x"] },
    {
      cell_type: "code",
      execution_count: 1,
      source: "1+1",
      outputs: [
        { output_type: "stream", text: ["a"] },
        { output_type: "display_data", data: { "image/png": "iVBORw0KGgo=", "text/plain": "x" } },
        { output_type: "error", traceback: ["\u001b[31mno"] },
      ],
    },
  ],
});
const boundary = "----boundary";
const multipart = `--${boundary}\r\nContent-Disposition: form-data; name="title"\r\n\r\nText\r\n--${boundary}\r\nContent-Disposition: form-data; name="file"; filename*=utf-8''a%20b.txt\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\naGk=\r\n--${boundary}--\r\n`;

const context: RenderContext = {
  kind: "document",
  origin: "https://forge.example.org",
  repository: { owner: "acme", name: "app" },
  ref: "branch/main",
  folder: "docs",
};
const contexts: readonly RenderContext[] = [
  context,
  { ...context, kind: "comment", isPage: true },
  { ...context, kind: "wiki" },
  { ...context, kind: "raw", repository: undefined },
];

/** @throws Error if the HTML contains more than rendered text may */
function assertSafe(html: string): string {
  const dangers = htmlDangers(html);
  if (dangers.length > 0) throw new Error(`unsafe HTML: ${dangers.join("; ")}`);
  return `${magnitude(html.length)} ${[...new Set(html.match(/<[a-z]\w*/g))].sort().join("")}`;
}

/** The parsers that need no connection. */
export const targets: readonly FuzzTarget[] = [
  ...gitTargets,
  ...keyTargets,
  ...archiveTargets,
  ...workflowTargets,
  {
    name: "JSON",
    seeds: texts('{"a":[1,-2.5e3,true,null,"\\u00e9\\n"],"b":{"c":{}}}', notebook),
    rejections: [SyntaxError],
    async run(input) {
      const value = await parseBoundedJson(input);
      const whole: unknown = JSON.parse(input.toString());
      if (JSON.stringify(value) !== JSON.stringify(whole)) throw new Error("the value differs from that of JSON.parse");
      return typeof value;
    },
  },
  {
    name: "multipart forms",
    seeds: texts(multipart),
    async run(input) {
      const { values, files } = await parseFilledForm(input, `multipart/form-data; boundary=${boundary}`, 3);
      return `${Object.keys(values).length} ${files.length}`;
    },
  },
  {
    name: "Markdown",
    seeds: texts(
      markdown,
      '<a href="javascript:alert(1)">x</a><img src=x onerror=alert(1)>',
      "[a]: <x>\n[a][a] ![a]\n***b***\n~~~\nx",
      "&lt;b&gt; \\<b> <!-- c --> <![CDATA[x]]>",
    ),
    async run(input) {
      const text = input.toString();
      const html = await Promise.all(contexts.map((one) => renderText("markdown", text, one)));
      return html.map(({ pieces }) => assertSafe(pieces.join(""))).join(" ");
    },
  },
  {
    name: "Org",
    seeds: texts(org),
    run: async (input) => assertSafe((await renderText("org", input.toString(), context)).pieces.join("")),
  },
  { name: "tables", seeds: texts('a,b\n"x ""y""",2\n', "a\tb\n1\t2\n"), run: (input) => assertSafe(renderTableFile(input.toString(), input.length % 2 === 0)) },
  {
    name: "issue forms and their configuration",
    seeds: texts(
      form,
      `---\n${form.split("body")[0]}---\nText\n`,
      "blank_issues_enabled: false\ncontact_links:\n- {name: N, url: https://example.org, about: A}\n",
    ),
    rejections: [TemplateProblem],
    async run(input) {
      const readYaml = async (text: string): Promise<unknown> => {
        const result = await parseYaml(text);
        if ("problem" in result) throw new TemplateProblem(result.problem);
        return result.value;
      };
      const text = input.toString();
      const read = await Promise.allSettled([parseTemplate("a.yaml", text, readYaml), parseTemplate("a.md", text, readYaml), parseConfig(text, readYaml)]);
      const unexpected = read.find((one) => one.status === "rejected" && !(one.reason instanceof TemplateProblem));
      if (unexpected?.status === "rejected") throw unexpected.reason;
      return read.map((one) => (one.status === "rejected" ? String(one.reason.message).replace(/\d+/g, "#").slice(0, 60) : "read")).join(" ");
    },
  },
  {
    name: "notebooks",
    seeds: texts(notebook),
    run(input) {
      const read = readNotebook(input);
      return read === undefined ? "none" : read.cells.map(({ kind }) => kind).join();
    },
  },
  {
    name: "pictures",
    seeds: base64(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
      "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
      "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA",
    ),
    run: (input) => String(magnitude(checkPicture(input).length)),
  },
  {
    name: "code owners",
    seeds: texts("# c\n.*\\.js$ @ann @acme/web\n!docs/.* @bob\n(a|b)+\\ c @ann\n"),
    async run(input) {
      const { users, teams } = await ownersOf(await parseOwners(input.toString()), ["a.js", "docs/x", "a b"]);
      return `${users.length} ${teams.length}`;
    },
  },
  {
    name: "globs and editor settings",
    seeds: texts("root = true\n[*.{js,ts}]\nindent_style = tab\n[a/**/{1..3}[!x].md]\ncharset=utf-8\n", "a/*/**/[b-d]{e,f}?\\*"),
    run(input) {
      const text = input.toString();
      const globs = (["gobwas", "editorconfig"] as const).map((syntax) => parseGlob(text, { syntax, separators: "/" })?.matches("a/b.js"));
      return `${globs.join()} ${settingsFor(text, "a/b.js").size}`;
    },
  },
  {
    name: "submodules",
    seeds: texts('[submodule "a"]\n\tpath = lib/a\n\turl = "https://example.org/a.git" # c\n'),
    run: (input) => String(readSubmodules(input.toString()).size),
  },
  {
    name: "references and suggestions in texts",
    seeds: texts(
      "closes #1, fixes acme/app#2 and #3 @ann @acme/team !4",
      "```suggestion\nx\n```\ntext\n````suggestion\n```\n````\n",
      "@@ -1,3 +1,4 @@\n a\n-b\n+c\n",
    ),
    run(input) {
      const text = input.toString();
      const read = readReferences(text, { owner: "acme", name: "app" });
      const parts = partsOf(text);
      return `${Object.values(read)
        .map((list) => magnitude([...list].length))
        .join()} ${parts.length} ${magnitude(linesOfHunk(text, "new", 3).length)}`;
    },
  },
];
