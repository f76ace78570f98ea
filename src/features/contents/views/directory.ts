import { h } from "preact";
import type { Page } from "../../../core/paging.ts";
import { commitPath, type RepositoryName, sourcePath } from "../../../ui/addresses.ts";
import { Pager, Rendered } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon, type IconName } from "../../../ui/icons.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import type { DirectoryEntry, ShownFile, Viewpoint } from "../view.ts";

export interface DirectoryFacts {
  readonly repository: RepositoryName;
  readonly at: Viewpoint;
  readonly path: string;
  readonly entries: readonly DirectoryEntry[];
  readonly page: Page;
  /** How many entries there are. */
  readonly total: number;
  /** The file that explains the directory. */
  readonly readme: { readonly path: string; readonly shown: ShownFile } | undefined;
  readonly now: number;
}

/** What is in a directory, each with the commit that touched it last, and what the directory says of itself. */
export const DirectoryView = (facts: DirectoryFacts): Html => [
  h("div", { class: "box" }, h(LatestCommit, facts), h(FileTable, facts)),
  h(Pager, { path: sourcePath(facts.repository, facts.at, facts.path), page: facts.page, total: facts.total }),
  facts.readme !== undefined && h(Readme, { ...facts.readme }),
];

function LatestCommit({ repository, at, now }: DirectoryFacts): Html {
  const { commit } = at;
  return h(
    "header",
    null,
    h("strong", null, commit.author.name),
    h("a", { class: "one-line", href: commitPath(repository, commit.oid) }, titleOf(commit.message)),
    h("a", { class: "oid", href: commitPath(repository, commit.oid) }, commit.oid.slice(0, 10)),
    h(Ago, { ms: commit.committer.seconds * 1_000, now }),
  );
}

const titleOf = (message: string): string => message.split("\n", 1)[0] ?? "";

function FileTable({ repository, at, path, entries, now }: DirectoryFacts): Html {
  const { code: texts } = useTexts();
  const parent = path.split("/").slice(0, -1).join("/");
  return h(
    "table",
    { class: "files" },
    h("caption", { class: "hidden" }, texts.files),
    h("colgroup", null, h("col", { class: "name" }), h("col", { class: "last" }), h("col", { class: "when" })),
    h(
      "thead",
      { class: "hidden" },
      h("tr", null, h("th", { scope: "col" }, texts.name), h("th", { scope: "col" }, texts.lastCommit), h("th", { scope: "col" }, texts.when)),
    ),
    h(
      "tbody",
      null,
      path !== "" && h("tr", null, h("td", { colSpan: 3 }, h("a", { href: sourcePath(repository, at, parent), "aria-label": texts.parent }, ".."))),
      entries.map((entry) => h(FileRow, { repository, at, entry, now })),
    ),
  );
}

const icons: Readonly<Record<DirectoryEntry["mode"], IconName>> = {
  "040000": "file-directory-fill",
  "100644": "file",
  "100755": "file-code",
  "120000": "file-symlink-file",
  "160000": "file-submodule",
};

interface RowFacts {
  readonly repository: RepositoryName;
  readonly at: Viewpoint;
  readonly entry: DirectoryEntry;
  readonly now: number;
}

function FileRow({ repository, at, entry, now }: RowFacts): Html {
  const { mode, path, lastCommit } = entry;
  const name = path.split("/").at(-1);
  return h(
    "tr",
    mode === "040000" ? { class: "folder" } : null,
    h(
      "td",
      null,
      h(Icon, { name: icons[mode] }),
      mode === "160000" ? h("span", null, name, " @ ", entry.oid.slice(0, 10)) : h("a", { href: sourcePath(repository, at, path), title: name }, name),
    ),
    h(
      "td",
      null,
      lastCommit !== undefined && h("a", { href: commitPath(repository, lastCommit.oid), title: titleOf(lastCommit.message) }, titleOf(lastCommit.message)),
    ),
    h("td", null, lastCommit !== undefined && h(Ago, { ms: lastCommit.committer.seconds * 1_000, now })),
  );
}

function Readme({ path, shown }: { readonly path: string; readonly shown: ShownFile }): Html {
  if (shown.kind !== "rendered" && shown.kind !== "code") return null;
  return h(
    "section",
    { class: "box" },
    h("header", null, h(Icon, { name: "book" }), h("h2", null, path.split("/").at(-1))),
    h("div", { class: "within" }, shown.kind === "rendered" ? h(Rendered, { html: shown.html }) : h("pre", { class: "message", dir: "auto" }, shown.text)),
  );
}
