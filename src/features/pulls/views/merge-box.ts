import { h } from "preact";
import { branchesPath, commitPath, pickPath, pullPath, type RepositoryName, withQuery } from "../../../ui/addresses.ts";
import { CheckBox, Choice, Form, OptionalField, Refusal, TextArea } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { FormToken } from "../../../ui/page.ts";
import { sayProblem } from "../../../ui/refusals.ts";
import { Do } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import { Person } from "../../issues/views/person.ts";
import type { MergeOutlook } from "../outlook.ts";
import type { ReviewerStanding } from "../reviewing.ts";
import type { PullView } from "../view.ts";

/** What was filled in and refused, and why. */
export interface RefusedMerge {
  readonly problem: string;
  readonly style: string;
  readonly title: string;
  readonly message: string;
  readonly deletesBranch: boolean;
}

export interface MergeBoxFacts {
  readonly repository: RepositoryName;
  readonly pull: PullView;
  readonly outlook: MergeOutlook;
  readonly formToken: string | undefined;
  readonly refused?: RefusedMerge | undefined;
  /** Why the head could not be brought up to its base, or what was merged not be taken back. */
  readonly refusedStep?: string | undefined;
  readonly canRevert: boolean;
  /** Whether the reader says that the work is done. */
  readonly canEdit: boolean;
  readonly standings: readonly ReviewerStanding[];
  readonly now: number;
}

/** How it stands with merging, and the way to do it for those who may. */
export function MergeBox(facts: MergeBoxFacts): Html {
  const { merging: texts } = useTexts();
  const { outlook, formToken, refused } = facts;
  const isOpen = outlook.state !== "merged" && outlook.state !== "closed";
  const offers = outlook.canMerge && formToken !== undefined && (outlook.state === "ready" || outlook.state === "unmet");
  return h(
    "section",
    { class: "box", id: "merging" },
    h("header", null, h(Icon, { name: "git-merge" }), h("h2", null, texts.title)),
    h(
      "div",
      { class: "within" },
      refused !== undefined && h(Refusal, { message: refused.problem }),
      h(Standing, facts),
      isOpen && h(Verdicts, facts),
      facts.refusedStep !== undefined && h(Refusal, { message: facts.refusedStep }),
      formToken !== undefined && outlook.state === "merged" && h(AfterMerge, { ...facts, formToken }),
      formToken !== undefined && outlook.state === "draft" && facts.canEdit && h(MakeReady, { ...facts, formToken }),
      formToken !== undefined && outlook.updates.length > 0 && h(Updating, { ...facts, formToken }),
      outlook.isWaiting && h("p", null, h(Icon, { name: "clock" }), " ", texts.waits),
      isOpen && !outlook.canMerge && formToken !== undefined && h("p", { class: "soft" }, texts.noRight),
      offers && outlook.styles.length === 0 && h("p", { class: "soft" }, texts.noStyle),
      formToken !== undefined && outlook.canCancel && h(CancelForm, { ...facts, formToken }),
      offers && outlook.styles.length > 0 && h(MergeForm, { ...facts, formToken }),
    ),
  );
}

/** What reviewers say who have not been set aside: those who ask for changes are named even where no rule heeds them. */
function Verdicts({ standings }: MergeBoxFacts): Html {
  const { merging: texts } = useTexts();
  const named = (kind: "approve" | "reject"): readonly ReviewerStanding[] => standings.filter((one) => one.kind === kind);
  const people = (ones: readonly ReviewerStanding[]): Html => ones.map(({ reviewer }, at) => [at > 0 && ", ", h(Person, { user: reviewer })]);
  const [rejecting, approving] = [named("reject"), named("approve")];
  return [
    rejecting.length > 0 && h("p", null, h("span", { class: "minus" }, h(Icon, { name: "x" })), " ", texts.askedForChanges, " ", people(rejecting)),
    approving.length > 0 && h("p", null, h("span", { class: "plus" }, h(Icon, { name: "check" })), " ", texts.approvedBy, " ", people(approving)),
  ];
}

/** The state in words. */
function Standing({ repository, pull, outlook, now }: MergeBoxFacts): Html {
  const all = useTexts();
  const { merging: texts } = all;
  switch (outlook.state) {
    case "merged":
      return (
        pull.merged &&
        h(
          "p",
          null,
          h(Icon, { name: "git-merge" }),
          " ",
          texts.merged(pull.baseBranch),
          " ",
          texts.mergedBy,
          " ",
          h(Person, { user: pull.merger }),
          ", ",
          h(Ago, { ms: pull.merged.mergedMs, now }),
          ": ",
          h("a", { class: "oid", href: commitPath(repository, pull.merged.commitOid) }, pull.merged.commitOid.slice(0, 10)),
        )
      );
    case "conflict":
      return [
        h("p", null, h("span", { class: "minus" }, h(Icon, { name: "alert" })), " ", texts.conflict),
        h(
          "ul",
          null,
          outlook.conflicts.map((path) => h("li", null, h("code", null, path))),
        ),
      ];
    case "unmet":
      return h(
        "p",
        null,
        h("span", { class: "minus" }, h(Icon, { name: "alert" })),
        " ",
        texts.unmet,
        " ",
        h("strong", null, outlook.unmet !== undefined && sayProblem(all, outlook.unmet)),
      );
    case "ready":
      return h("p", null, h("span", { class: "plus" }, h(Icon, { name: "check-circle" })), " ", texts.ready);
    default:
      return h("p", { class: "soft" }, texts[plainWords[outlook.state]]);
  }
}

const plainWords = {
  closed: "closed",
  draft: "draft",
  "base-gone": "baseGone",
  "head-gone": "headGone",
  empty: "empty",
  unrelated: "unrelated",
} as const;

interface FormFacts extends MergeBoxFacts {
  readonly formToken: string;
}

function MakeReady({ repository, pull, formToken }: FormFacts): Html {
  const { merging: texts } = useTexts();
  return h(Do, { action: `${pullPath(repository, pull.number)}/draft`, formToken, label: texts.makeReady, of: pull.issue.title, hidden: { draft: "false" } });
}

/** What is left to do about what is merged: its branch, taking it back, carrying it elsewhere. */
function AfterMerge({ repository, pull, outlook, canRevert, formToken }: FormFacts): Html {
  const { merging: texts, picking } = useTexts();
  const path = pullPath(repository, pull.number);
  const isGone = pull.flow === "branch" && pull.headTipOid === null && pull.headRepository?.id === pull.repoId;
  return h(
    "div",
    { class: "bar" },
    outlook.deletesBranch !== undefined &&
      h(Do, { action: `${path}/branch/delete`, formToken, label: texts.deleteBranchNow, of: outlook.deletesBranch.branch }),
    canRevert && h(Do, { action: `${path}/revert`, formToken, label: picking.revertPull, of: pull.issue.title }),
    canRevert && pull.merged !== null && h("a", { class: "button", href: pickPath(repository, pull.merged.commitOid) }, texts.carryOver),
    canRevert && isGone && h("a", { href: withQuery(branchesPath(repository), { deleted: pull.headBranch }) }, texts.restoreBranch),
  );
}

/** Brings the head up to its base; what conflicts is resolved on a page of its own. */
function Updating({ repository, pull, outlook, formToken }: FormFacts): Html {
  const { merging: texts } = useTexts();
  const path = pullPath(repository, pull.number);
  if (outlook.state === "conflict") return h("p", null, h("a", { class: "button", href: `${path}/conflicts` }, texts.resolve));
  return h(
    "form",
    { class: "bar", method: "post", action: `${path}/update` },
    h(FormToken, { value: formToken }),
    h("span", { class: "soft" }, texts.behind),
    outlook.updates.map((style) => h("button", { class: "small", type: "submit", name: "style", value: style }, texts.updates[style])),
  );
}

/** Carries the head that whoever merges has seen: another one is not merged at his word. */
function MergeForm({ repository, pull, outlook, formToken, refused }: FormFacts): Html {
  const { merging: texts } = useTexts();
  const isReady = outlook.state === "ready";
  const { deletesBranch } = outlook;
  return h(
    Form,
    { action: `${pullPath(repository, pull.number)}/merge`, formToken, hidden: { head_commit_id: pull.headOid } },
    h(Choice, {
      name: "style",
      label: texts.style,
      value: refused?.style || (outlook.defaultStyle ?? ""),
      options: outlook.styles.map((style) => [style, texts.styles[style]] as const),
    }),
    h(
      "details",
      { class: "folded", open: `${refused?.title ?? ""}${refused?.message ?? ""}` !== "" },
      h("summary", null, texts.words),
      h(
        "div",
        { class: "stack" },
        h(OptionalField, { name: "title", label: texts.messageTitle, value: refused?.title ?? "", hint: texts.messageTitleHint }),
        h(TextArea, { name: "message", label: texts.message, value: refused?.message ?? "", rows: 3 }),
      ),
    ),
    deletesBranch !== undefined &&
      h(CheckBox, { name: "delete_branch", label: texts.deleteBranch(deletesBranch.branch), isChecked: refused?.deletesBranch ?? deletesBranch.byDefault }),
    h(
      "div",
      { class: "bar" },
      isReady && h("button", { class: "primary", type: "submit", name: "action", value: "merge" }, texts.merge),
      !isReady && !outlook.isWaiting && h("button", { class: "primary", type: "submit", name: "action", value: "schedule" }, texts.schedule),
      !isReady && outlook.canForce && h("button", { type: "submit", name: "action", value: "force" }, texts.force),
    ),
  );
}

function CancelForm({ repository, pull, formToken }: FormFacts): Html {
  const { merging: texts } = useTexts();
  return h(Form, { action: `${pullPath(repository, pull.number)}/merge/cancel`, formToken }, h("div", null, h("button", { type: "submit" }, texts.cancel)));
}
