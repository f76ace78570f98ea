import { h } from "preact";
import { pullPath } from "../../../ui/addresses.ts";
import { Empty } from "../../../ui/blocks.ts";
import { OptionalField, Refusal, Submit } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { FormToken } from "../../../ui/page.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { FilesPiece } from "../../diffs/file-piece.ts";
import { Changes, DiffBar } from "../../diffs/views/changes.ts";
import type { Thread } from "../view.ts";
import { type ChangeFacts, FileChange, type Writing } from "./file-change.ts";
import { filesPath } from "./files-address.ts";
import { type RefusedReview, ReviewForm } from "./review-form.ts";
import { batchId, isApplicable } from "./thread.ts";

export interface FilesPageFacts extends Omit<ChangeFacts, "change" | "threads" | "viewedKey" | "isViewed" | "hasPending" | "writing"> {
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
  const { pulls: texts } = useTexts();
  const { repository, pull, piece } = facts;
  if (piece.fileCount === 0) return h(Empty, { icon: "file-code", title: texts.noFiles });
  return [
    h(Bar, facts),
    h(Reviewing, facts),
    h(Batch, facts),
    h(Changes, {
      ...facts,
      textAddress: `${pullPath(repository, pull.number)}.diff`,
      markOf: markIn(facts),
      boxOf: (change) => h(Change, { ...facts, change }),
    }),
  ];
}

function Bar(facts: FilesPageFacts): Html {
  const { reviewing: texts } = useTexts();
  const { piece, viewed, viewedKeys, formToken } = facts;
  const seen = viewedKeys.filter((key) => viewed.has(key)).length;
  const told = h("span", { class: "soft", "data-viewed-count": true }, texts.viewedCount(seen, piece.files.length));
  return h(DiffBar, { ...facts, ...(formToken !== undefined && { told, styles: h(LastingStyles, { ...facts, formToken }) }) });
}

/** The way from one column to two, and back, which the account keeps. */
function LastingStyles({ repository, pull, state, isSplit, formToken }: FilesPageFacts & { readonly formToken: string }): Html {
  const { reviewing: texts } = useTexts();
  const styles = [
    ["unified", texts.unified],
    ["split", texts.split],
  ] as const;
  return h(
    "form",
    { class: "switch", method: "post", action: filesPath(repository, pull.number, { ...state, style: "" }, "/style"), "aria-label": texts.showing },
    h(FormToken, { value: formToken }),
    styles.map(([style, word]) =>
      h("button", { class: "plain", type: "submit", name: "style", value: style, "aria-pressed": String(isSplit === (style === "split")) }, word),
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
  if (count === 0) return refused !== undefined && h(Refusal, { message: refused.problem });
  return h(
    "details",
    { class: "box within-diff", open: refused !== undefined },
    h("summary", null, texts.suggestions(count)),
    refused !== undefined && h(Refusal, { message: refused.problem }),
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

/** What the tree says beside each file. */
function markIn({ piece, threads, viewed, viewedKeys }: FilesPageFacts) {
  const talks = Map.groupBy(threads, ({ first }) => first.present?.path ?? first.path);
  const talksOn = (path: string | undefined): number => (path === undefined ? 0 : (talks.get(path)?.length ?? 0));
  return (index: number) => {
    const { path, oldPath } = piece.files[index] ?? {};
    return { isViewed: viewed.has(viewedKeys[index] ?? ""), talks: talksOn(path) + talksOn(oldPath) };
  };
}

function Change(facts: FilesPageFacts & Pick<ChangeFacts, "change">): Html {
  const { change, piece, viewed, viewedKeys, threads, writing, drafts } = facts;
  const viewedKey = viewedKeys[change.index] ?? "";
  return h(FileChange, {
    ...facts,
    threads: threadsOf(threads, change.file),
    viewedKey,
    isViewed: viewed.has(viewedKey) && !piece.isAlone,
    writing: writing?.index === change.index ? writing : undefined,
    hasPending: drafts !== undefined,
  });
}
