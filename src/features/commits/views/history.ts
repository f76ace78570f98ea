import { h } from "preact";
import type { Page } from "../../../core/paging.ts";
import {
  accountPath,
  commitPath,
  contributorsPath,
  graphPath,
  historyPath,
  type RepositoryName,
  type RevName,
  sourcePath,
  withQuery,
} from "../../../ui/addresses.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { RevMenu, type RevNames } from "../../../ui/rev-menu.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import type { CommitView } from "../view.ts";

export interface HistoryFacts {
  readonly repository: RepositoryName;
  readonly at: RevName;
  /** Only what changed this; empty for everything. */
  readonly path: string;
  readonly commits: readonly CommitView[];
  readonly total: number;
  readonly page: Page;
  readonly now: number;
}

export interface HistoryBarFacts extends Pick<HistoryFacts, "repository" | "at" | "path"> {
  readonly revs: RevNames;
}

/** Whose history it is, and how the same one looks elsewhere. */
export function HistoryBar({ repository, at, path, revs }: HistoryBarFacts): Html {
  const { history: texts } = useTexts();
  const branch = at.kind === "branch" ? at.rev : undefined;
  return [
    h(
      "div",
      { class: "bar" },
      h(RevMenu, { repository, at, path, page: "commits", revs }),
      path === "" && [
        h("a", { class: "button", href: withQuery(graphPath(repository), { branch }) }, h(Icon, { name: "git-branch" }), texts.graph),
        h("a", { class: "button", href: contributorsPath(repository) }, h(Icon, { name: "graph" }), texts.contributors),
      ],
    ),
    path !== "" && h("p", null, texts.ofPath, " ", h("a", { href: sourcePath(repository, at, path) }, path)),
  ];
}

/** Commits below each other, the newest first. */
export function HistoryView({ repository, at, path, commits, total, page, now }: HistoryFacts): Html {
  const { history: texts } = useTexts();
  return [
    commits.length === 0
      ? h(Empty, { icon: "history", title: texts.none })
      : h(
          "ol",
          { class: "commits box" },
          commits.map((view) => h(CommitRow, { repository, view, now })),
        ),
    h(Pager, { path: historyPath(repository, at, path), page, total }),
  ];
}

interface RowFacts {
  readonly repository: RepositoryName;
  readonly view: CommitView;
  readonly now: number;
}

export function CommitRow({ repository, view, now }: RowFacts): Html {
  const { history: texts } = useTexts();
  const { commit, author } = view;
  return h(
    "li",
    null,
    h(
      "div",
      { class: "what" },
      h("a", { href: commitPath(repository, commit.oid) }, titleOf(commit.message)),
      h(
        "div",
        { class: "who" },
        author === undefined ? commit.author.name : h("a", { href: accountPath(author.name) }, author.fullName || author.name),
        ", ",
        h(Ago, { ms: commit.author.seconds * 1_000, now }),
      ),
    ),
    view.verdict?.isVerified === true && h("span", { class: "badge good" }, texts.verified),
    h("a", { class: "oid", href: commitPath(repository, commit.oid) }, commit.oid.slice(0, 10)),
    h(
      "a",
      { class: "button", href: sourcePath(repository, { kind: "commit", rev: commit.oid }), title: texts.browse },
      h(Icon, { name: "code", label: texts.browse }),
    ),
  );
}

export const titleOf = (message: string): string => message.split("\n", 1)[0] ?? "";
