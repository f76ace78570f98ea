import { h } from "preact";
import { blamePath, codeSearchPath, commitPath, type RepositoryName, type RevName, rawPath, sourcePath } from "../../../ui/addresses.ts";
import { Empty } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { Revealed, revealedHtml } from "../../../ui/revealed.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import type { TracedLines } from "../view.ts";

export interface BlameFacts {
  readonly repository: RepositoryName;
  readonly at: RevName;
  readonly path: string;
  readonly traced: readonly TracedLines[];
  readonly now: number;
}

/** A file with the commit that wrote each of its lines. */
export function BlameView(facts: BlameFacts): Html {
  const { repository, at, path, traced } = facts;
  const { code, search: texts } = useTexts();
  const count = traced.reduce((sum, { lines }) => sum + lines.length, 0);
  return h(
    "section",
    { class: "box" },
    h(
      "header",
      null,
      h("h2", null, path.split("/").at(-1)),
      h("span", null, code.lines(count)),
      h(
        "span",
        { class: "end" },
        h("a", { href: sourcePath(repository, at, path) }, texts.withoutBlame),
        h("a", { href: rawPath(repository, at, path) }, code.raw),
      ),
    ),
    h(
      "div",
      { class: "wide", tabIndex: 0, role: "region", "aria-label": texts.blameOf(path) },
      h(
        "table",
        { class: "blame" },
        h(
          "thead",
          { class: "hidden" },
          h(
            "tr",
            null,
            [texts.author, texts.number, texts.text].map((word) => h("th", { scope: "col" }, word)),
          ),
        ),
        h(
          "tbody",
          null,
          traced.map((lines) => h(TracedRows, { ...facts, ...lines })),
        ),
      ),
    ),
  );
}

const TracedRows = ({ lines, startLine, ...facts }: BlameFacts & TracedLines): Html =>
  lines.map((line, at) =>
    h(
      "tr",
      at === 0 ? { class: "first" } : null,
      at === 0 && h("td", { class: "by", rowSpan: lines.length }, h(By, facts)),
      h("td", { class: "number" }, h("a", { id: `L${startLine + at}`, href: `#L${startLine + at}` }, startLine + at)),
      h(
        "td",
        null,
        line.html === undefined
          ? h("code", null, h(Revealed, { text: line.text }))
          : h("code", { dangerouslySetInnerHTML: { __html: revealedHtml(line.html) } }),
      ),
    ),
  );

function By({ repository, commit, previous, now }: Pick<BlameFacts & TracedLines, "repository" | "commit" | "previous" | "now">): Html {
  const { search: texts } = useTexts();
  if (commit === undefined) return "?";
  const title = commit.message.split("\n", 1)[0];
  const before = previous && blamePath(repository, { kind: "commit", rev: previous.oid }, previous.path);
  return [
    h("a", { class: "one-line", href: commitPath(repository, commit.oid), title }, title === "" ? commit.oid.slice(0, 10) : title),
    h("span", { class: "soft" }, commit.author.name, ", ", h(Ago, { ms: commit.author.seconds * 1000, now })),
    before !== undefined && h("a", { class: "before", href: before, title: texts.before }, h(Icon, { name: "history", label: texts.before })),
  ];
}

export interface CodeSearchFacts {
  readonly repository: RepositoryName;
  readonly at: RevName;
  readonly typed: string;
  /** Undefined where nothing was looked for. */
  readonly found: { readonly lines: readonly FoundLine[]; readonly end: "all" | "enough" | "late" } | undefined;
}
interface FoundLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Where a text stands in the files of a commit. */
export function CodeSearchForm({ repository, rev, typed }: Pick<CodeSearchFacts, "repository" | "typed"> & { readonly rev: string }): Html {
  const { search: texts } = useTexts();
  return h(
    "form",
    { class: "find", action: codeSearchPath(repository), role: "search" },
    h("input", { type: "hidden", name: "ref", value: rev }),
    h("input", { type: "search", name: "q", value: typed, "aria-label": texts.find(rev), placeholder: texts.find(rev) }),
    h("button", { type: "submit" }, texts.findButton),
  );
}

/** What was found. */
export function FoundLines({ repository, at, typed, found }: CodeSearchFacts): Html {
  const { search: texts } = useTexts();
  const files = Map.groupBy(found?.lines ?? [], ({ path }) => path);
  return [
    found === undefined && h("p", { class: "soft" }, typed === "" ? texts.how : texts.tooShort),
    found !== undefined && files.size === 0 && h(Empty, { icon: "search", title: texts.nothing }, h("p", null, texts.how)),
    files.size > 0 && h("p", { class: "soft" }, texts.files(files.size)),
    found !== undefined && found.end !== "all" && h("p", { class: "notice" }, found.end === "late" ? texts.slow : texts.cut),
    [...files].map(([path, lines]) => h(FoundFile, { repository, at, path, lines, text: typed.trim() })),
  ];
}

interface FoundFileFacts {
  readonly repository: RepositoryName;
  readonly at: RevName;
  readonly path: string;
  readonly lines: readonly FoundLine[];
  readonly text: string;
}

function FoundFile({ repository, at, path, lines, text }: FoundFileFacts): Html {
  const { search: texts } = useTexts();
  const address = sourcePath(repository, at, path);
  return h(
    "section",
    { class: "box" },
    h("header", null, h("h2", null, h("a", { href: address }, path))),
    h(
      "table",
      { class: "found" },
      lines.map((found) =>
        h(
          "tr",
          null,
          h(
            "td",
            { class: "number" },
            h("a", { href: `${address}${address.includes("?") ? "&" : "?"}display=source#L${found.line}`, "aria-label": texts.line(found.line) }, found.line),
          ),
          h("td", null, h("code", null, marked(found.text, text))),
        ),
      ),
    ),
  );
}

/** The line with what was looked for marked in it. */
function marked(line: string, text: string): Html {
  const [lower, wanted] = [line.toLowerCase(), text.toLowerCase()];
  // Some letters have another length in the other case: nothing is marked then, rather than the wrong thing.
  if (wanted === "" || lower.length !== line.length) return line;
  const parts: Html[] = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, from)) {
    parts.push(line.slice(from, at), h("mark", null, line.slice(at, at + wanted.length)));
    from = at + wanted.length;
  }
  return [...parts, line.slice(from)];
}
