import { h } from "preact";
import { comparePath, pullPath, type RepositoryName, withQuery } from "../../../ui/addresses.ts";
import { Empty } from "../../../ui/blocks.ts";
import { CheckBox, Field, Form, OptionalField, Refusal, TextArea } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { CommitView } from "../../commits/view.ts";
import { CommitRow } from "../../commits/views/history.ts";
import type { FilesPiece } from "../../diffs/file-piece.ts";
import { ReadOnlyChanges } from "../../diffs/views/changes.ts";
import type { FileBoxCommon } from "../../diffs/views/file-box.ts";
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

/** What is compared, as the address of the page calls it. */
export interface ComparedNames {
  readonly repository: RepositoryName;
  readonly base: string;
  readonly head: string;
  /** By two dots: the two as they are. */
  readonly isDirect: boolean;
}

export const comparedPath = ({ repository, base, head, isDirect }: ComparedNames): string =>
  comparePath(repository, `${base}${isDirect ? ".." : "..."}${head}`);

export interface ChooserFacts extends ComparedNames {
  /** What may stand at both ends, and at the head alone. */
  readonly choices: { readonly refs: readonly string[]; readonly forks: readonly string[] };
  /** The same the other way round; undefined where one of the two is not there. */
  readonly swapAddress: string | undefined;
}

/** What is compared with what, and the way to compare something else. */
export function Chooser({ repository, base, head, isDirect, choices, swapAddress }: ChooserFacts): Html {
  const { compare: texts } = useTexts();
  return [
    h(
      "form",
      { class: "find", action: comparePath(repository) },
      h(OptionalField, { name: "base", label: texts.base, value: base, suggestions: choices.refs }),
      h(OptionalField, { name: "head", label: texts.head, value: head, hint: texts.headHint, suggestions: [...choices.refs, ...choices.forks] }),
      isDirect && h("input", { type: "hidden", name: "dots", value: "2" }),
      h("button", { type: "submit" }, texts.compare),
    ),
    swapAddress !== undefined &&
      h(
        "div",
        { class: "bar" },
        h("a", { class: "button small", href: swapAddress }, h(Icon, { name: "git-compare" }), texts.swap),
        h(Ways, { repository, base, head, isDirect }),
      ),
  ];
}

/** So many are proposed. */
const candidates = 12;

/** What was worked on last, to be compared with the base at a click. */
export function Candidates({ repository, base, isDirect, choices }: Omit<ChooserFacts, "swapAddress">): Html {
  const { compare: texts } = useTexts();
  const heads = [...choices.refs.filter((ref) => ref !== base), ...choices.forks].slice(0, candidates);
  if (heads.length === 0) return h(Empty, { icon: "git-branch", title: texts.onlyBase }, h("p", null, texts.onlyBaseHint));
  return h(
    "section",
    { class: "box" },
    h("header", null, h(Icon, { name: "git-compare" }), h("h2", null, texts.candidates(base))),
    h(
      "ul",
      { class: "within plain-list" },
      heads.map((head) => h("li", null, h("a", { href: comparedPath({ repository, base, head, isDirect }) }, h("code", null, head)))),
    ),
  );
}

/** Since the two parted, or as they are. */
function Ways(names: ComparedNames): Html {
  const { compare: texts } = useTexts();
  const link = (isDirect: boolean, word: string): Html =>
    h("a", { href: comparedPath({ ...names, isDirect }), ...(names.isDirect === isDirect && { "aria-current": "page" }) }, word);
  return h("nav", { class: "switch end", "aria-label": texts.ways }, link(false, texts.sinceParted), link(true, texts.asTheyAre));
}

export interface CompareFacts extends ComparedNames, Omit<FileBoxCommon, "repository"> {
  readonly found: {
    readonly total: number;
    readonly commits: readonly CommitView[];
    readonly piece: FilesPiece;
    readonly mergeBaseOid: string | undefined;
    readonly openPull: number | undefined;
  };
  /** Both ends are one commit. */
  readonly isSame: boolean;
  /** Whether a pull request can lead from the one to the other. */
  readonly areBranches: boolean;
  readonly swapAddress: string;
  /** Undefined: nobody has signed in. */
  readonly formToken: string | undefined;
  /** Whether the repository takes pull requests of the reader. */
  readonly takesPulls: boolean;
  readonly proposal: Proposal;
  /** What it may be sorted by; undefined for readers who do not plan. */
  readonly planned: PlanChoices | undefined;
  readonly now: number;
}

/** So many commits stand on the page; their number is told whole. */
const shownCommits = 100;

/** What one branch has that another one lacks, and the way to propose it. */
export function CompareView(facts: CompareFacts): Html {
  const { compare: texts } = useTexts();
  const { repository, found, isDirect, now } = facts;
  const { commits, total, piece, mergeBaseOid } = found;
  if (total === 0 && (!isDirect || piece.fileCount === 0)) return h(NothingNew, facts);
  return [
    mergeBaseOid === undefined && h("p", { class: "notice" }, texts.unrelated),
    total > 0 && !isDirect && h(Pulls, facts),
    h(
      "details",
      { class: "box within-diff", open: total > 0 && total <= openCommits },
      h("summary", null, texts.commits(total)),
      h(
        "ol",
        { class: "commits" },
        commits.slice(0, shownCommits).map((view) => h(CommitRow, { repository, view, now })),
      ),
      total > shownCommits && h("p", { class: "soft within" }, texts.newestOnly(shownCommits)),
    ),
    piece.fileCount === 0 ? h(Empty, { icon: "file-code", title: texts.sameFiles }) : h(Difference, facts),
  ];
}

/** More commits than this stand behind their number. */
const openCommits = 30;

function Difference(facts: CompareFacts): Html {
  const { compare: texts } = useTexts();
  const text = comparedPath(facts);
  return [
    h(ReadOnlyChanges, { ...facts, piece: facts.found.piece, textAddress: `${text}.diff` }),
    facts.found.mergeBaseOid !== undefined && h("p", null, h("a", { href: `${text}.patch` }, texts.asMails)),
  ];
}

/** Where the base has everything: because both are the same, or because the head is behind. */
function NothingNew({ base, head, isSame, swapAddress }: CompareFacts): Html {
  const { compare: texts } = useTexts();
  return h(
    Empty,
    { icon: "git-compare", title: isSame ? texts.same : texts.nothing },
    h("p", null, texts.nothingHint),
    !isSame && h("p", null, h("a", { class: "button", href: swapAddress }, texts.otherWay(base, head))),
  );
}

/** The pull request that is open for what is compared, or the way to open one. */
function Pulls(facts: CompareFacts): Html {
  const { compare: texts } = useTexts();
  const { repository, areBranches, takesPulls, found, proposal } = facts;
  if (!takesPulls) return null;
  if (!areBranches) return h("p", { class: "soft" }, texts.onlyBranches);
  return [
    found.openPull !== undefined &&
      h("p", { class: "notice" }, texts.isOpen, " ", h("a", { href: pullPath(repository, found.openPull) }, `#${found.openPull}`)),
    (found.openPull === undefined || proposal.problem !== undefined) && h(Proposing, facts),
  ];
}

function Proposing({ repository, base, head, isDirect, formToken, proposal, planned }: CompareFacts): Html {
  const { compare: texts, issues, site } = useTexts();
  const path = comparedPath({ repository, base, head, isDirect });
  if (formToken === undefined) return h("p", null, h("a", { href: withQuery("/user/login", { redirect_to: path }) }, site.signIn), " ", texts.signIn);
  return h(
    "details",
    { class: "box within-diff", open: proposal.problem !== undefined },
    h("summary", null, texts.open),
    proposal.problem !== undefined && h(Refusal, { message: proposal.problem }),
    h(
      Form,
      { action: path, formToken, isOnce: true },
      h(Field, { name: "title", label: issues.newTitle, value: proposal.title, autocomplete: "off", isInvalid: proposal.problem !== undefined }),
      h(TextArea, { name: "content", label: issues.newText, value: proposal.content, rows: 8, hint: issues.markdown, isMarkdown: true }),
      h(OptionalField, { name: "reviewers", label: texts.reviewers, value: proposal.reviewers, hint: texts.reviewersHint }),
      planned !== undefined &&
        h("details", { class: "folded" }, h("summary", null, texts.more), h("div", { class: "stack" }, h(PlanFields, { choices: planned, values: proposal }))),
      h(CheckBox, { name: "draft", label: texts.draft, isChecked: proposal.draft, hint: texts.draftHint }),
      h("div", { class: "bar" }, h("button", { class: "primary", type: "submit" }, texts.submit)),
    ),
  );
}
