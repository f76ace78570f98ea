import { h } from "preact";
import { comparePath, type RepositoryName, sourcePath, withQuery } from "../../../ui/addresses.ts";
import { Empty } from "../../../ui/blocks.ts";
import { Diff } from "../../../ui/diff.ts";
import { CheckBox, Field, Form, OptionalField, Problem, TextArea } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { FileDiff } from "../../commits/unified-diff.ts";
import type { CommitView } from "../../commits/view.ts";
import { CommitRow } from "../../commits/views/history.ts";
import type { PlanChoices } from "../../issues/choices.ts";
import { PlanFields } from "../../issues/views/plan-forms.ts";

/** A pull request as it is being written. */
export interface Proposal {
  readonly title: string;
  readonly content: string;
  readonly draft: boolean;
  readonly labels: readonly number[];
  readonly assignees: string;
  /** 0: none. */
  readonly milestone: number;
  /** Names, as they are typed. */
  readonly reviewers: string;
  readonly problem?: string;
}

export interface CompareFacts {
  readonly repository: RepositoryName;
  readonly base: string;
  readonly head: string;
  /** Undefined: one of the two is not there. */
  readonly found: { readonly total: number; readonly commits: readonly CommitView[]; readonly files: readonly FileDiff[]; readonly isCut: boolean } | undefined;
  readonly isSplit: boolean;
  /** Undefined: nobody has signed in. */
  readonly formToken: string | undefined;
  readonly proposal: Proposal;
  /** What it may be sorted by; undefined for readers who do not plan. */
  readonly choices: PlanChoices | undefined;
  readonly now: number;
}

/** So many commits stand on the page; their number is told whole. */
const shownCommits = 100;

/** What one branch has that another one lacks, and the way to propose it. */
export function CompareView(facts: CompareFacts): Html {
  const { compare: texts, commit } = useTexts();
  const { repository, found, base, head, isSplit, now } = facts;
  const chooser = h(Chooser, facts);
  if (found === undefined) return [chooser, head !== "" && h(Empty, { icon: "git-compare", title: texts.notThere })];
  if (found.total === 0) return [chooser, h(Empty, { icon: "git-compare", title: texts.nothing }, h("p", null, texts.nothingHint))];
  const at = { kind: "commit", rev: found.commits[0]?.commit.oid ?? head } as const;
  return [
    chooser,
    h(Proposing, facts),
    h("h2", null, texts.commits(found.total)),
    h(
      "ol",
      { class: "commits box" },
      found.commits.slice(0, shownCommits).map((view) => h(CommitRow, { repository, view, now })),
    ),
    h(Diff, {
      files: found.files,
      isSplit,
      styleAddress: (style) => withQuery(comparePath(repository, `${base}...${head}`), { style }),
      addressOf: ({ status, path }) => (status === "removed" ? undefined : sourcePath(repository, at, path)),
    }),
    found.isCut && h("p", null, commit.tooLarge),
  ];
}

function Chooser({ repository, base, head }: CompareFacts): Html {
  const { compare: texts } = useTexts();
  return h(
    "form",
    { class: "find", action: comparePath(repository) },
    h(OptionalField, { name: "base", label: texts.base, value: base }),
    h(OptionalField, { name: "head", label: texts.head, value: head, hint: texts.headHint }),
    h("button", { type: "submit" }, texts.compare),
  );
}

function Proposing({ repository, base, head, formToken, proposal, choices }: CompareFacts): Html {
  const { compare: texts, issues, site } = useTexts();
  const path = comparePath(repository, `${base}...${head}`);
  if (formToken === undefined) return h("p", null, h("a", { href: withQuery("/user/login", { redirect_to: path }) }, site.signIn), " ", texts.signIn);
  return h(
    "details",
    { class: "box within-diff", open: proposal.problem !== undefined },
    h("summary", null, texts.open),
    proposal.problem !== undefined && h(Problem, { text: proposal.problem }),
    h(
      Form,
      { action: path, formToken, isOnce: true },
      h(Field, { name: "title", label: issues.newTitle, value: proposal.title, autocomplete: "off", isInvalid: proposal.problem !== undefined }),
      h(TextArea, { name: "content", label: issues.newText, value: proposal.content, rows: 8, hint: issues.markdown, isMarkdown: true }),
      choices !== undefined && [
        h(OptionalField, { name: "reviewers", label: texts.reviewers, value: proposal.reviewers, hint: texts.reviewersHint }),
        h("details", { class: "folded" }, h("summary", null, texts.more), h("div", { class: "stack" }, h(PlanFields, { choices, values: proposal }))),
      ],
      h(CheckBox, { name: "draft", label: texts.draft, isChecked: proposal.draft, hint: texts.draftHint }),
      h("div", { class: "bar" }, h("button", { class: "primary", type: "submit" }, texts.submit)),
    ),
  );
}
