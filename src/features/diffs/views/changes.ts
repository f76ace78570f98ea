import { h } from "preact";
import { Counts, Styles } from "../../../ui/diff.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { type FilesPiece, maxListed, type ShownChange } from "../file-piece.ts";
import { FileBox, type FileBoxCommon } from "./file-box.ts";
import { FileTree, type TreeMark } from "./file-tree.ts";
import { anchorOf, type DiffAddress, type DiffState } from "./looking.ts";

export interface ChangesFacts {
  readonly piece: FilesPiece;
  readonly state: DiffState;
  /** Where the page is. */
  readonly address: DiffAddress;
  /** Where all of it is a text. */
  readonly textAddress: string;
  /** What the tree says beside a file, by its place among all. */
  readonly markOf?: (index: number) => TreeMark;
  readonly boxOf: (change: ShownChange) => Html;
}

/** A piece of a difference: the tree of all its files, the changes of some of them, and the ways to the rest. */
export function Changes(facts: ChangesFacts): Html {
  const { commit, reviewing: texts } = useTexts();
  const { piece, state, address, textAddress, boxOf } = facts;
  return h(
    "div",
    { class: "changes" },
    h(Tree, facts),
    h(
      "div",
      null,
      piece.isAlone && h("p", null, h("a", { href: address({ ...state, part: 1 }) }, texts.allFiles)),
      piece.shown.map(boxOf),
      piece.isAlone ? h(Parts, facts) : [h(Pieces, facts), h(Lists, facts)],
      h("p", null, piece.isCut && [commit.tooLarge, " "], h("a", { href: textAddress }, commit.asText)),
    ),
  );
}

function Tree({ piece, state, address, markOf = () => ({}) }: ChangesFacts): Html {
  const pieceOf = (index: number): number => piece.starts.findLastIndex((start) => start <= index) + 1;
  return h(FileTree, {
    files: piece.files.map(({ path }, index) => {
      const isHere = !piece.isAlone && pieceOf(index) === piece.piece;
      return { path, href: `${isHere ? "" : address({ ...state, part: 1, piece: pieceOf(index) })}#${anchorOf(index)}`, ...markOf(index) };
    }),
  });
}

function Pieces({ piece, state, address }: ChangesFacts): Html {
  const { reviewing: texts, pages } = useTexts();
  const last = piece.starts.length;
  if (last === 1) return null;
  return h(
    "nav",
    { class: "pager", "aria-label": texts.pieces },
    piece.piece > 1 && h("a", { href: address({ ...state, piece: piece.piece - 1 }), rel: "prev" }, pages.previousPage),
    h("span", { class: "soft" }, `${piece.piece} / ${last}`),
    piece.piece < last && h("a", { href: address({ ...state, piece: piece.piece + 1 }), rel: "next" }, pages.nextPage),
  );
}

/** To the files before those that are listed here, and behind them. */
function Lists({ piece: { list, hasNextList, files }, state, address }: ChangesFacts): Html {
  const { reviewing: texts } = useTexts();
  if (list === 1 && !hasNextList) return null;
  const first = (list - 1) * maxListed;
  const to = (other: number): string => address({ ...state, list: other, piece: 1, part: 1 });
  return h(
    "nav",
    { class: "pager", "aria-label": texts.lists },
    list > 1 && h("a", { href: to(list - 1) }, texts.filesBefore),
    files.length > 0 && h("span", { class: "soft" }, texts.listed(first + 1, first + files.length)),
    hasNextList && h("a", { href: to(list + 1) }, texts.filesBehind),
  );
}

/** To the lines of a long file before those that stand here, and behind them. */
function Parts({ piece: { part, hasNextPart, shown }, state, address }: ChangesFacts): Html {
  const { reviewing: texts, pages } = useTexts();
  const file = shown[0]?.index;
  if (part === 1 && !hasNextPart) return null;
  const to = (other: number): string => address({ ...state, part: other }, { file });
  return h(
    "nav",
    { class: "pager", "aria-label": texts.parts },
    part > 1 && h("a", { href: to(part - 1), rel: "prev" }, pages.previousPage),
    h("span", { class: "soft" }, part),
    hasNextPart && h("a", { href: to(part + 1), rel: "next" }, pages.nextPage),
  );
}

export interface DiffBarFacts extends Pick<ChangesFacts, "piece" | "state" | "address"> {
  readonly isSplit: boolean;
  /** What else is known of the files. */
  readonly told?: Html;
  /** In place of the links from one column to two. */
  readonly styles?: Html;
}

/** How much changed, and how it is looked at. */
export function DiffBar({ piece, state, address, isSplit, told, styles }: DiffBarFacts): Html {
  const { reviewing: texts, commit } = useTexts();
  const file = piece.isAlone ? piece.shown[0]?.index : undefined;
  const spaces = [
    ["show-all", texts.allChanges],
    ["ignore-all", texts.withoutSpace],
  ] as const;
  return h(
    "div",
    { class: "bar" },
    h("strong", null, commit.changed(piece.fileCount)),
    h("span", null, h(Counts, piece)),
    told,
    h(
      "span",
      { class: "end" },
      h(
        "nav",
        { class: "switch", "aria-label": texts.whitespace },
        spaces.map(([whitespace, word]) =>
          h("a", { href: address({ ...state, part: 1, whitespace }, { file }), ...(state.whitespace === whitespace && { "aria-current": "page" }) }, word),
        ),
      ),
      styles ?? h(Styles, { isSplit, styleAddress: (style) => address({ ...state, style }, { file }) }),
    ),
  );
}

/** A difference where it is only read. */
export const ReadOnlyChanges = (facts: Omit<ChangesFacts, "markOf" | "boxOf"> & FileBoxCommon): Html => [
  h(DiffBar, facts),
  h(Changes, { ...facts, boxOf: (change) => h(FileBox, { ...facts, between: facts.piece, change }) }),
];
