import { h } from "preact";
import type { Page } from "../../../core/paging.ts";
import { accountPath, commitPath, graphPath, historyPath, type RepositoryName, sourcePath } from "../../../ui/addresses.ts";
import { NoCommits, Pager } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import type { GraphRow } from "../graph-lanes.ts";
import type { CommitView } from "../view.ts";
import { titleOf } from "./history.ts";

export interface GraphFacts {
  readonly repository: RepositoryName & { readonly defaultBranch: string };
  readonly entries: readonly GraphEntryFacts[];
  readonly total: number;
  readonly isCut: boolean;
  readonly branches: readonly string[];
  /** The one that is shown; empty for all. */
  readonly branch: string;
  readonly page: Page;
  readonly now: number;
}

interface GraphEntryFacts {
  readonly row: GraphRow;
  readonly view: CommitView;
  readonly branches: readonly string[];
  readonly tags: readonly string[];
}

/** The history as a picture beside the list of its commits, which says the same in words. */
export function GraphView({ repository, entries, total, isCut, branches, branch, page, now }: GraphFacts): Html {
  const { history: texts } = useTexts();
  const path = graphPath(repository);
  if (total === 0) return h(NoCommits, { repository, icon: "git-branch", title: texts.none });
  const width = widthOf(entries);
  return [
    h(
      "form",
      { class: "find", action: path },
      h(
        "div",
        { class: "field" },
        h("label", { for: "branch" }, texts.graphOf),
        h(
          "select",
          { id: "branch", name: "branch" },
          h("option", { value: "" }, texts.allBranches),
          [...new Set([...branches, branch])].filter((name) => name !== "").map((name) => h("option", { value: name, selected: name === branch }, name)),
        ),
      ),
      h("button", { type: "submit" }, texts.show),
    ),
    h(
      "ol",
      { class: "graph" },
      entries.map((entry) => h(GraphEntryRow, { repository, entry, width, now })),
    ),
    isCut &&
      page.offset + page.limit >= total &&
      h("p", { class: "notice" }, h("a", { href: historyPath(repository, { kind: "branch", rev: repository.defaultBranch }) }, texts.older)),
    h(Pager, { path, query: { branch: branch === "" ? undefined : branch }, page, total }),
  ];
}

const laneWidth = 14;
const rowHeight = 44;

const lanesOf = ({ lane, lines }: GraphRow): number[] => [lane, ...lines.flatMap(({ from, to }) => [from ?? 0, to ?? 0])];
const widthOf = (entries: readonly GraphEntryFacts[]): number => {
  const last = entries.reduce((most, { row }) => Math.max(most, ...lanesOf(row)), 0);
  return (last + 1) * laneWidth + 4;
};
const xOf = (lane: number): number => lane * laneWidth + laneWidth / 2 + 2;

interface RowFacts {
  readonly repository: RepositoryName;
  readonly entry: GraphEntryFacts;
  readonly width: number;
  readonly now: number;
}

function GraphEntryRow({ repository, entry: { row, view, branches, tags }, width, now }: RowFacts): Html {
  const { history: texts } = useTexts();
  const { commit, author } = view;
  return h(
    "li",
    null,
    h(Picture, { row, width }),
    h(
      "div",
      { class: "what" },
      branches.map((name) =>
        h("a", { class: "badge", href: sourcePath(repository, { kind: "branch", rev: name }) }, h(Icon, { name: "git-branch" }), " ", name),
      ),
      tags.map((name) => h("a", { class: "badge", href: sourcePath(repository, { kind: "tag", rev: name }) }, h(Icon, { name: "tag" }), " ", name)),
      h("a", { href: commitPath(repository, commit.oid) }, titleOf(commit.message) || commit.oid.slice(0, 10)),
      row.hiddenParents > 0 && h("span", { class: "soft" }, " ", texts.hiddenParents(row.hiddenParents)),
    ),
    h(
      "span",
      { class: "who soft" },
      author === undefined ? commit.author.name : h("a", { href: accountPath(author.name) }, author.fullName || author.name),
      ", ",
      h(Ago, { ms: commit.author.seconds * 1_000, now }),
    ),
    h("a", { class: "oid", href: commitPath(repository, commit.oid) }, commit.oid.slice(0, 10)),
  );
}

const colours = 8;

function Picture({ row, width }: { readonly row: GraphRow; readonly width: number }): Html {
  const [x, y] = [xOf(row.lane), rowHeight / 2];
  return h(
    "svg",
    { width, height: rowHeight, viewBox: `0 0 ${width} ${rowHeight}`, "aria-hidden": "true" },
    row.lines.map(({ from, to, colour }) => {
      const [x1, y1] = from === undefined ? [x, y] : [xOf(from), 0];
      const [x2, y2] = to === undefined ? [x, y] : [xOf(to), rowHeight];
      const middle = (y1 + y2) / 2;
      const d = x1 === x2 ? `M${x1} ${y1}V${y2}` : `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`;
      return h("path", { class: `lane-${colour % colours}`, d });
    }),
    h("circle", { class: row.isMerge ? `lane-${row.colour % colours} merge` : `dot-${row.colour % colours}`, cx: x, cy: y, r: row.isMerge ? 4 : 5 }),
  );
}
