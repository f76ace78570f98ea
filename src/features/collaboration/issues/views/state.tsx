import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { isDraftTitle } from "../draft.ts";
import type { IssueRow } from "../model.ts";
import { issueTexts } from "../texts/texts.ts";

type Stated = Pick<IssueRow, "isPull" | "isClosed" | "mergedMs" | "title">;

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

const iconOf = (issue: Stated) => (issue.isPull ? pullIcons : issueIcons)[stateOf(issue)];

export function StateIcon({ issue }: { readonly issue: Stated }): Html {
  const texts = useTexts(issueTexts);
  const state = stateOf(issue);
  return (
    <span class={`state ${state}`}>
      <Icon name={iconOf(issue)} label={texts.stateNames[state]} />
    </span>
  );
}

export function StateBadge({ issue }: { readonly issue: Stated }): Html {
  const texts = useTexts(issueTexts);
  const state = stateOf(issue);
  return (
    <span class={`state-badge ${state}`}>
      <Icon name={iconOf(issue)} />
      {texts.stateNames[state]}
    </span>
  );
}
