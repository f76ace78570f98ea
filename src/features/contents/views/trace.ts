import { h } from "preact";
import type { Commit } from "../../../git/types.ts";
import { codeSearchPath, commitPath, type RepositoryName, type RevName, sourcePath } from "../../../ui/addresses.ts";
import { Empty } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";

export interface BlameFacts {
  readonly repository: RepositoryName;
  readonly at: RevName;
  readonly path: string;
  readonly traced: readonly { readonly commit: Commit | undefined; readonly startLine: number; readonly lines: readonly string[] }[];
  readonly now: number;
}

/** A file with the commit that wrote each of its lines. */
export function BlameView({ repository, path, traced, now }: BlameFacts): Html {
  const { search: texts } = useTexts();
  return h(
    "div",
    { class: "box wide", tabIndex: 0, role: "region", "aria-label": texts.blameOf(path) },
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
        traced.map(({ commit, startLine, lines }) =>
          lines.map((line, at) =>
            h(
              "tr",
              at === 0 ? { class: "first" } : null,
              at === 0 && h("td", { class: "by", rowSpan: lines.length }, h(By, { repository, commit, now })),
              h("td", { class: "number" }, h("a", { id: `L${startLine + at}`, href: `#L${startLine + at}` }, startLine + at)),
              h("td", null, h("code", null, line)),
            ),
          ),
        ),
      ),
    ),
  );
}

function By({ repository, commit, now }: { readonly repository: RepositoryName; readonly commit: Commit | undefined; readonly now: number }): Html {
  if (commit === undefined) return "?";
  const title = commit.message.split("\n", 1)[0];
  return [
    h("a", { class: "one-line", href: commitPath(repository, commit.oid), title }, title === "" ? commit.oid.slice(0, 10) : title),
    h("span", { class: "soft" }, commit.author.name, ", ", h(Ago, { ms: commit.author.seconds * 1000, now })),
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
