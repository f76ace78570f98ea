import { h } from "preact";
import { pullPath } from "../../../ui/addresses.ts";
import { Empty } from "../../../ui/blocks.ts";
import { Counts, Styles } from "../../../ui/diff.ts";
import { OptionalField, Problem, Submit } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { FormToken } from "../../../ui/page.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { FilesPiece } from "../../pulls/file-piece.ts";
import { PullFrame } from "../../pulls/views/frame.ts";
import type { Thread } from "../view.ts";
import { type ChangeFacts, FileChange, type Writing } from "./file-change.ts";
import { FileTree } from "./file-tree.ts";
import { anchorOf, filesPath } from "./files-address.ts";
import { type RefusedReview, ReviewForm } from "./review-form.ts";
import { batchId, isApplicable } from "./thread.ts";

export interface FilesPageFacts extends Omit<ChangeFacts, "change" | "threads" | "viewedKey" | "isViewed" | "hasPending" | "writing"> {
  readonly piece: FilesPiece;
  /** One file stands alone. */
  readonly isAlone: boolean;
  readonly threads: readonly Thread[];
  /** Of all files, in their order. */
  readonly viewedKeys: readonly string[];
  readonly viewed: ReadonlySet<string>;
  readonly writing: Writing | undefined;
  readonly drafts: number | undefined;
  readonly canJudge: boolean;
  readonly refusedReview: RefusedReview | undefined;
  /** Suggestions that could not be committed. */
  readonly refusedSuggestions: { readonly title: string; readonly problem: string } | undefined;
}

/** What a pull request changes, where it is read and judged. */
export function FilesPage(facts: FilesPageFacts): Html {
  const { pulls: texts, reviewing, commit } = useTexts();
  const { repository, pull, piece, isAlone, state, now } = facts;
  if (piece.fileCount === 0) return [h(PullFrame, { repository, pull, part: "files", now }), h(Empty, { icon: "file-code", title: texts.noFiles })];
  return [
    h(PullFrame, { repository, pull, part: "files", now }),
    h(Bar, facts),
    h(Reviewing, facts),
    h(Batch, facts),
    h(
      "div",
      { class: "changes" },
      h(Tree, facts),
      h(
        "div",
        null,
        isAlone && h("p", null, h("a", { href: filesPath(repository, pull.number, state) }, reviewing.allFiles)),
        h(Changes, facts),
        !isAlone && h(Pieces, facts),
        h(
          "p",
          null,
          piece.isCut && [commit.tooLarge, " "],
          piece.files.length < piece.fileCount && [reviewing.moreFiles, " "],
          h("a", { href: `${pullPath(repository, pull.number)}.diff` }, commit.asText),
        ),
      ),
    ),
  ];
}

function Bar(facts: FilesPageFacts): Html {
  const { reviewing: texts, commit } = useTexts();
  const { repository, pull, piece, state, viewed, viewedKeys, formToken, isSplit } = facts;
  const link = (word: string, isCurrent: boolean, changes: Partial<FilesPageFacts["state"]>): Html =>
    h("a", { href: filesPath(repository, pull.number, { ...state, ...changes }), ...(isCurrent && { "aria-current": "page" }) }, word);
  const styles = [
    ["unified", texts.unified],
    ["split", texts.split],
  ] as const;
  const seen = viewedKeys.filter((key) => viewed.has(key)).length;
  return h(
    "div",
    { class: "bar" },
    h("strong", null, commit.changed(piece.fileCount)),
    h("span", null, h(Counts, piece)),
    formToken !== undefined && h("span", { class: "soft", "data-viewed-count": true }, texts.viewedCount(seen, piece.fileCount)),
    h(
      "span",
      { class: "end" },
      h(
        "nav",
        { class: "switch", "aria-label": texts.whitespace },
        link(texts.allChanges, state.whitespace === "show-all", { whitespace: "show-all" }),
        link(texts.withoutSpace, state.whitespace === "ignore-all", { whitespace: "ignore-all" }),
      ),
      formToken === undefined
        ? h(Styles, { isSplit, styleAddress: (style) => filesPath(repository, pull.number, { ...state, style }) })
        : h(
            "form",
            { class: "switch", method: "post", action: filesPath(repository, pull.number, { ...state, style: "" }, "/style"), "aria-label": texts.showing },
            h(FormToken, { value: formToken }),
            styles.map(([style, word]) =>
              h("button", { class: "plain", type: "submit", name: "style", value: style, "aria-pressed": String(isSplit === (style === "split")) }, word),
            ),
          ),
    ),
  );
}

function Reviewing(facts: FilesPageFacts): Html {
  const { formToken, canTalk, refusedReview } = facts;
  return formToken !== undefined && canTalk && h(ReviewForm, { ...facts, formToken, refused: refusedReview });
}

/** Commits the suggestions that are chosen below, wherever they stand. */
function Batch({ applyPath, formToken, threads, refusedSuggestions: refused }: FilesPageFacts): Html {
  const { reviewing: texts, merging } = useTexts();
  const count = threads.flatMap(({ comments }) => comments).filter(isApplicable).length;
  if (applyPath === undefined || formToken === undefined) return null;
  if (count === 0) return refused !== undefined && h(Problem, { text: refused.problem });
  return h(
    "details",
    { class: "box within-diff", open: refused !== undefined },
    h("summary", null, texts.suggestions(count)),
    refused !== undefined && h(Problem, { text: refused.problem }),
    h("p", { class: "soft" }, texts.batchHint),
    h(
      "form",
      { id: batchId, class: "stack", method: "post", action: applyPath },
      h(FormToken, { value: formToken }),
      h(OptionalField, { name: "title", label: merging.messageTitle, value: refused?.title ?? "", hint: merging.messageTitleHint }),
      h(Submit, { label: texts.applyChosen }),
    ),
  );
}

/** Conversations of a file, by the name that its side has. */
const threadsOf = (threads: readonly Thread[], { path, oldPath }: FilesPiece["files"][number]): readonly Thread[] =>
  threads.filter(({ first }) => (first.present?.path ?? first.path) === (first.side === "old" ? (oldPath ?? path) : path));

function Tree({ repository, pull, piece, state, threads, viewed, viewedKeys, isAlone }: FilesPageFacts): Html {
  const pieceOf = (index: number): number => piece.starts.findLastIndex((start) => start <= index) + 1;
  const talks = Map.groupBy(threads, ({ first }) => first.present?.path ?? first.path);
  return h(FileTree, {
    files: piece.files.map((file, index) => {
      const isHere = !isAlone && pieceOf(index) === piece.piece;
      const page = isHere ? "" : filesPath(repository, pull.number, { ...state, piece: pieceOf(index) });
      const own = (talks.get(file.path)?.length ?? 0) + (file.oldPath === undefined ? 0 : (talks.get(file.oldPath)?.length ?? 0));
      return { path: file.path, href: `${page}#${anchorOf(index)}`, isViewed: viewed.has(viewedKeys[index] ?? ""), talks: own };
    }),
  });
}

const Changes = (facts: FilesPageFacts): Html =>
  facts.piece.shown.map((change) => {
    const viewedKey = facts.viewedKeys[change.index] ?? "";
    return h(FileChange, {
      ...facts,
      change,
      threads: threadsOf(facts.threads, change.file),
      viewedKey,
      isViewed: facts.viewed.has(viewedKey) && !facts.isAlone,
      writing: facts.writing?.index === change.index ? facts.writing : undefined,
      hasPending: facts.drafts !== undefined,
    });
  });

function Pieces({ repository, pull, piece, state }: FilesPageFacts): Html {
  const { reviewing: texts, pages } = useTexts();
  const last = piece.starts.length;
  if (last === 1) return null;
  const address = (to: number): string => filesPath(repository, pull.number, { ...state, piece: to });
  return h(
    "nav",
    { class: "pager", "aria-label": texts.pieces },
    piece.piece > 1 && h("a", { href: address(piece.piece - 1), rel: "prev" }, pages.previousPage),
    h("span", { class: "soft" }, `${piece.piece} / ${last}`),
    piece.piece < last && h("a", { href: address(piece.piece + 1), rel: "next" }, pages.nextPage),
  );
}
