import { h } from "preact";
import { type RepositoryName, sourcePath } from "../../../ui/addresses.ts";
import { Counts, Modes } from "../../../ui/diff.ts";
import { DiffTable, type Side } from "../../../ui/diff-table.ts";
import { Field, Form, Problem, TextArea } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { FormToken } from "../../../ui/page.ts";
import { Revealed } from "../../../ui/revealed.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { ShownChange } from "../../pulls/file-piece.ts";
import type { PullView } from "../../pulls/view.ts";
import type { Thread } from "../view.ts";
import { anchorOf, type FilesState, filesPath } from "./files-address.ts";
import { type TalkFacts, ThreadView } from "./thread.ts";

/** Where somebody is about to comment. */
export interface Writing {
  readonly index: number;
  readonly side: Side;
  readonly startLine: number;
  readonly line: number;
  readonly content: string;
  readonly problem?: string | undefined;
}

export interface ChangeFacts extends TalkFacts {
  readonly repository: RepositoryName;
  readonly pull: PullView;
  readonly state: FilesState;
  readonly isSplit: boolean;
  readonly change: ShownChange;
  /** On this file. */
  readonly threads: readonly Thread[];
  readonly viewedKey: string;
  readonly isViewed: boolean;
  /** Gaps that are open. */
  readonly gaps: ReadonlySet<number>;
  readonly writing: Writing | undefined;
  readonly hasPending: boolean;
}

/** What changed in a file, and what is said of its lines. */
export function FileChange(facts: ChangeFacts): Html {
  const { reviewing: texts } = useTexts();
  const { change, isViewed, threads } = facts;
  const lines = shownLines(change);
  const others = threads.filter(({ first }) => first.present === undefined || !lines.has(keyOf(first.side, first.present.line)));
  return h(
    "section",
    { class: "box change", id: anchorOf(change.index), "data-file": change.file.path },
    h(Heading, facts),
    h(
      "details",
      { open: !isViewed || facts.writing !== undefined },
      h("summary", null, h(Counts, change.file)),
      h(Lines, facts),
      others.length > 0 &&
        h(
          "div",
          { class: "within below others" },
          h("h3", null, texts.others),
          others.map((thread) => h(ThreadView, { ...facts, thread, isElsewhere: true })),
        ),
    ),
  );
}

const keyOf = (side: Side, line: number): string => `${side}-${line}`;

/** The lines that stand on the page. */
function shownLines({ diff, isLong }: ShownChange): ReadonlySet<string> {
  const lines = isLong ? [] : (diff?.hunks.flatMap((hunk) => hunk.lines) ?? []);
  return new Set(
    lines.flatMap((line) => [line.kind === "added" ? [] : keyOf("old", line.before), line.kind === "removed" ? [] : keyOf("new", line.after)].flat()),
  );
}

function Heading({ repository, pull, change: { index, file, diff }, state, viewedKey, isViewed, formToken }: ChangeFacts): Html {
  const { commit, reviewing: texts } = useTexts();
  const { path, oldPath, status } = file;
  const name = h(Revealed, { text: oldPath === undefined ? path : `${oldPath} → ${path}` });
  const address = status === "removed" ? undefined : sourcePath(repository, { kind: "commit", rev: pull.headOid }, path);
  const word = status === "copied" || status === "type_changed" ? "modified" : status;
  return h(
    "header",
    null,
    h(Icon, { name: "file" }),
    h("h2", null, address === undefined ? name : h("a", { href: address }, name)),
    h("span", { class: "badge" }, commit[word]),
    diff !== undefined && h(Modes, { file: diff }),
    formToken !== undefined &&
      h(
        "form",
        { class: "end viewed", method: "post", action: filesPath(repository, pull.number, state, "/viewed") },
        h(FormToken, { value: formToken }),
        h("input", { type: "hidden", name: "key", value: viewedKey }),
        h("input", { type: "hidden", name: "place", value: index }),
        h("input", { type: "hidden", name: "viewed", value: String(!isViewed) }),
        h(
          "button",
          { class: "small", type: "submit", "aria-pressed": String(isViewed), "aria-label": texts.markViewed(path) },
          h(Icon, { name: "check" }),
          texts.viewed,
        ),
      ),
  );
}

function Lines(facts: ChangeFacts): Html {
  const { commit, reviewing: texts } = useTexts();
  const { repository, pull, state, change, isSplit, gaps } = facts;
  const { file, diff, index, isLong } = change;
  const alone = (more: Readonly<Record<string, string | number>> = {}): string => filesPath(repository, pull.number, state, "", { file: index, ...more });
  if (isLong) return h("p", { class: "soft" }, texts.long, " ", h("a", { href: alone() }, texts.showLong));
  if (diff?.isBinary || file.binary) return h("p", { class: "soft" }, commit.binary);
  if (diff === undefined || diff.hunks.length === 0) return h("p", { class: "soft" }, file.additions + file.deletions === 0 ? texts.onlyMode : commit.nothing);
  const talks = facts.formToken !== undefined && facts.canTalk;
  return h(DiffTable, {
    path: file.path,
    hunks: diff.hunks,
    isSplit,
    gapBelow: diff.gapBelow,
    gapAddress: (gap) => `${alone({ gap: [...gaps, gap].join(",") })}#${anchorOf(index)}`,
    talkAddress: talks ? (side, line) => `${alone({ on: `${side}-${line}` })}#write` : undefined,
    below: belowLines(facts),
  });
}

/** Conversations and forms by the lines that they stand on. */
function belowLines(facts: ChangeFacts): (side: Side, line: number) => Html | undefined {
  const { threads, writing } = facts;
  const placed = new Map<string, Html[]>();
  const add = (side: Side, line: number, html: Html): void => void placed.set(keyOf(side, line), [...(placed.get(keyOf(side, line)) ?? []), html]);
  for (const thread of threads) if (thread.first.present !== undefined) add(thread.first.side, thread.first.present.line, h(ThreadView, { ...facts, thread }));
  if (writing !== undefined) add(writing.side, writing.line, h(WriteForm, { ...facts, writing }));
  return (side, line) => placed.get(keyOf(side, line));
}

function WriteForm({ repository, pull, state, change, writing, formToken, hasPending }: ChangeFacts & { readonly writing: Writing }): Html {
  const { reviewing: texts, issues, forms } = useTexts();
  const { side, line, startLine, content, problem } = writing;
  const back = `${filesPath(repository, pull.number, state)}#${anchorOf(change.index)}`;
  const on = startLine === line ? `${side}-${line}` : `${side}-${startLine}-${line}`;
  const suggesting = `${filesPath(repository, pull.number, state, "", { file: change.index, on, suggest: "true" })}#write`;
  return h(
    "div",
    { class: "write", id: "write", "data-line": line },
    h("h3", null, texts.write(startLine, line)),
    problem !== undefined && h(Problem, { text: problem }),
    h(
      Form,
      {
        action: filesPath(repository, pull.number, state, "/comments"),
        formToken,
        name: `write-${change.index}-${side}-${line}`,
        isOnce: true,
        hidden: {
          head: pull.headOid,
          file: String(change.index),
          path: side === "old" ? (change.file.oldPath ?? change.file.path) : change.file.path,
          side,
          line: String(line),
        },
      },
      line > 1 && h(Field, { name: "start_line", label: texts.firstLine, value: String(startLine), autocomplete: "off", inputMode: "numeric" }),
      h(TextArea, { name: "content", label: texts.text, rows: 4, hint: issues.markdown, isMarkdown: true, value: content }),
      h(
        "div",
        { class: "bar" },
        h("button", { class: "primary", type: "submit", name: "action", value: "review" }, hasPending ? texts.addToReview : texts.beginReview),
        !hasPending && h("button", { type: "submit", name: "action", value: "now" }, texts.commentNow),
        side === "new" && h("a", { class: "suggest", href: suggesting }, texts.suggest),
        h("a", { class: "cancel", href: back }, forms.cancel),
      ),
    ),
  );
}
