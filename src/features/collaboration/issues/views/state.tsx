import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { isDraftTitle } from "../draft.ts";
import type { IssueRow } from "../model.ts";
import { issueTexts } from "../texts/texts.ts";

type Stated = Pick<IssueRow, "isPull" | "isClosed" | "mergedMs" | "title"> & Partial<Pick<IssueRow, "closeReason">>;

/** State of an issue or pull request; also used as a style class. */
export function stateOf({ isPull, isClosed, mergedMs, title }: Stated): "open" | "closed" | "merged" | "rejected" | "draft" {
  if (mergedMs !== null) return "merged";
  if (isClosed) return isPull ? "rejected" : "closed";
  return isPull && isDraftTitle(title) ? "draft" : "open";
}

const issueIcons = { open: "issue-opened", draft: "issue-opened", closed: "issue-closed", rejected: "issue-closed", merged: "issue-closed" } as const;
const pullIcons = {
  open: "git-pull-request",
  draft: "git-pull-request-draft",
  closed: "git-pull-request-closed",
  rejected: "git-pull-request-closed",
  merged: "git-merge",
} as const;

/** Whether an issue was closed without being completed. */
const isSkipped = ({ isPull, isClosed, closeReason = "" }: Stated): boolean => !isPull && isClosed && closeReason !== "";

const iconOf = (issue: Stated) => (isSkipped(issue) ? "skip" : (issue.isPull ? pullIcons : issueIcons)[stateOf(issue)]);

/** The state as a style class. */
const styleOf = (issue: Stated): string => (isSkipped(issue) ? "skipped" : stateOf(issue));

function nameOf(issue: Stated): string {
  const texts = useTexts(issueTexts);
  return isSkipped(issue) && issue.closeReason !== undefined ? texts.skippedAs[issue.closeReason] : texts.stateNames[stateOf(issue)];
}

export function StateIcon({ issue }: { readonly issue: Stated }): Html {
  return (
    <span class={`state ${styleOf(issue)}`}>
      <Icon name={iconOf(issue)} label={nameOf(issue)} />
    </span>
  );
}

export function StateBadge({ issue }: { readonly issue: Stated }): Html {
  return (
    <span class={`state-badge ${styleOf(issue)}`}>
      <Icon name={iconOf(issue)} />
      {nameOf(issue)}
    </span>
  );
}
