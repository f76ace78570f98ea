import { h } from "preact";
import type { Page } from "../../../core/paging.ts";
import { pullPath } from "../../../ui/addresses.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { Do } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { SideFacts } from "../../issues/choices.ts";
import { isDraftTitle } from "../../issues/draft.ts";
import { Answer, type AnswerFacts, type ShownEntry } from "../../issues/views/conversation.ts";
import { joinLabels } from "../../issues/views/joined-labels.ts";
import { Person } from "../../issues/views/person.ts";
import type { OfReactions } from "../../issues/views/reactions.ts";
import { IssueSide } from "../../issues/views/side.ts";
import { Entry, Timeline } from "../../issues/views/timeline.ts";
import type { ReviewerStanding } from "../reviewing.ts";
import { PullFrame, type PullFrameFacts } from "./frame.ts";
import { MergeBox, type MergeBoxFacts } from "./merge-box.ts";
import { ReviewEntry, type ShownReview, verdictIcons } from "./review.ts";

export interface PullConversationFacts extends Omit<PullFrameFacts, "part">, Omit<AnswerFacts, "path" | "issue" | "refused"> {
  /** Its own text. */
  readonly html: string;
  /** To its own text. */
  readonly reactions: OfReactions;
  readonly side: SideFacts;
  /** Whether the reader may ask for reviews. */
  readonly canChooseReviewers: boolean;
  readonly entries: readonly (ShownEntry & { readonly review: ShownReview | undefined })[];
  /** Of the entries; its own text stands on the first. */
  readonly page: Page;
  readonly total: number;
  readonly outlook: MergeBoxFacts["outlook"];
  readonly checks: ShownChecks;
  readonly refusedAnswer: AnswerFacts["refused"];
  readonly refusedMerge: MergeBoxFacts["refused"];
  readonly refusedStep: string | undefined;
  readonly canRevert: boolean;
  readonly standings: readonly ReviewerStanding[];
}

/** What checks say of the head. */
export interface ShownChecks {
  readonly state: "success" | "failure" | "pending";
  readonly statuses: readonly { readonly context: string; readonly state: string; readonly description: string; readonly targetUrl: string }[];
}

/** A pull request: what it says, what happened, how it stands with merging, and where one answers. */
export function PullConversation(facts: PullConversationFacts): Html {
  const { repository, pull, formToken, canComment, canEdit, refusedAnswer, refusedMerge, now } = facts;
  const answer = { path: pullPath(repository, pull.number), issue: pull.issue, formToken, canComment, canEdit };
  return [
    h(PullFrame, { repository, pull, part: "conversation", now }),
    h(
      "div",
      { class: "columns" },
      h(
        "div",
        null,
        h(PullTimeline, facts),
        h(Checks, facts.checks),
        h(MergeBox, {
          repository,
          pull,
          outlook: facts.outlook,
          formToken,
          refused: refusedMerge,
          refusedStep: facts.refusedStep,
          canRevert: facts.canRevert,
          canEdit,
          standings: facts.standings,
          now,
        }),
        h(Answer, { ...answer, ...(refusedAnswer !== undefined && { refused: refusedAnswer }) }),
      ),
      h(IssueSide, { repository, issue: pull.issue, side: facts.side, formToken }, h(Reviewers, facts)),
    ),
  ];
}

/** The reviewers and their verdicts, with the ways to change reviewers and base. */
function Reviewers(facts: PullConversationFacts): Html {
  const { pulls: texts, issues, tracking } = useTexts();
  const { repository, pull, side, standings, canChooseReviewers } = facts;
  const path = pullPath(repository, pull.number);
  const teams = pull.requestedTeams.map(({ team, organization }) => `${organization.name}/${team.name}`);
  const isOpen = side.choices !== undefined && !pull.isClosed;
  const asked = new Set(pull.requestedUsers.map(({ id }) => id));
  const waits = [" ", h("span", { class: "soft" }, h(Icon, { name: "clock" }), " ", texts.waitsForReview)];
  return [
    h("h2", null, texts.reviewers),
    asked.size + teams.length + standings.length === 0 && h("p", { class: "soft" }, issues.noneSet),
    standings.filter(({ reviewer }) => !asked.has(reviewer.id)).map((standing) => h(Standing, { ...facts, standing })),
    pull.requestedUsers.map((user) => h("p", null, h(Person, { user }), waits)),
    teams.map((name) => h("p", null, name, waits)),
    canChooseReviewers && h("p", null, h("a", { href: `${path}/reviewers`, "aria-label": `${tracking.change}: ${texts.reviewers}` }, tracking.change)),
    isOpen && h("p", null, h("a", { href: `${path}/base` }, texts.changeBase)),
    h(DraftSwitch, facts),
  ];
}

/** The verdict of a reviewer, and a way to request another review. */
function Standing({ repository, pull, standing, formToken, canChooseReviewers }: PullConversationFacts & { readonly standing: ReviewerStanding }): Html {
  const { pulls: texts } = useTexts();
  const { reviewer, kind, isStale, anchorId } = standing;
  const words = [h(Icon, { name: verdictIcons[kind] }), " ", texts.verdicts[kind]];
  return h(
    "div",
    { class: `standing ${kind}` },
    h(Person, { user: reviewer }),
    " ",
    anchorId === null ? h("span", null, words) : h("a", { href: `#issuecomment-${anchorId}` }, words),
    isStale && h("span", { class: "soft" }, texts.stale),
    canChooseReviewers &&
      formToken !== undefined &&
      h(Do, {
        action: `${pullPath(repository, pull.number)}/reviewers`,
        formToken,
        label: texts.askAgain,
        of: reviewer.name,
        hidden: { names: reviewer.name, withdraw: "false" },
      }),
  );
}

/** Says that the work is not done; the box that merges says the opposite. */
function DraftSwitch({ repository, pull, formToken, canEdit }: PullConversationFacts): Html {
  const { pulls: texts } = useTexts();
  if (formToken === undefined || !canEdit || pull.isClosed || isDraftTitle(pull.issue.title)) return null;
  const action = `${pullPath(repository, pull.number)}/draft`;
  return h(Do, { action, formToken, label: texts.makeDraft, of: pull.issue.title, hidden: { draft: "true" } });
}

const PullTimeline = (facts: PullConversationFacts): Html => {
  const { repository, pull, entries, now } = facts;
  return h(
    Timeline,
    { ...facts, issue: pull.issue, path: pullPath(repository, pull.number) },
    joinLabels(entries).map((shown) =>
      shown.review === undefined
        ? h(Entry, { repository, shown, now })
        : h(ReviewEntry, { ...shown.review, entryId: shown.entry.id, ms: shown.entry.createdMs, now, formToken: facts.formToken }),
    ),
  );
};

const checkIcons: Readonly<Record<string, "check" | "x" | "clock">> = { success: "check", skipped: "check", pending: "clock" };
const checkClasses = { check: "plus", x: "minus", clock: "soft" } as const;
const iconOf = (state: string): "check" | "x" | "clock" => checkIcons[state] ?? "x";

function Checks({ state, statuses }: ShownChecks): Html {
  const { pulls: texts } = useTexts();
  if (statuses.length === 0) return null;
  return h(
    "section",
    { class: "box" },
    h("header", null, h(Icon, { name: "check-circle" }), h("h2", null, texts.checks), h("span", { class: "end" }, texts.checkStates[state])),
    h(
      "ul",
      { class: "within plain-list" },
      statuses.map((status) =>
        h(
          "li",
          null,
          h("span", { class: checkClasses[iconOf(status.state)] }, h(Icon, { name: iconOf(status.state), label: status.state })),
          " ",
          h("strong", null, status.context),
          " ",
          h("span", { class: "soft" }, status.description),
          status.targetUrl !== "" && [" ", h("a", { href: status.targetUrl, rel: "nofollow noopener" }, texts.checkDetails)],
        ),
      ),
    ),
  );
}
