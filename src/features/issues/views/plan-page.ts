import { h } from "preact";
import { issuePath, pullPath, type RepositoryName } from "../../../ui/addresses.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { IssueView } from "../view.ts";

export interface PlanPageFacts {
  readonly repository: RepositoryName;
  readonly issue: IssueView;
  readonly children?: Html;
}

/** One form about an issue, on a page of its own. */
export function PlanPage({ repository, issue, children }: PlanPageFacts): Html {
  const { forms } = useTexts();
  const path = (issue.isPull ? pullPath : issuePath)(repository, issue.number);
  return [
    h("h1", { dir: "auto" }, h("a", { href: path }, issue.title), " ", h("span", { class: "soft" }, `#${issue.number}`)),
    h("div", { class: "narrow-form" }, children, h("p", null, h("a", { href: path }, forms.cancel))),
  ];
}
