import { h } from "preact";
import { repositoryPath, withQuery } from "../../../ui/addresses.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { IssueView } from "../view.ts";
import { BulkForm, type BulkFormFacts } from "./bulk.ts";
import { IssueRow } from "./list.ts";

export interface BulkPageFacts extends BulkFormFacts {
  readonly issues: readonly IssueView[];
  readonly now: number;
}

/** What was ticked, with the change that was refused. */
export function BulkPage(facts: BulkPageFacts): Html {
  const { forms } = useTexts();
  const { kind, repository, query, page, issues, chosen, now } = facts;
  const back = withQuery(`${repositoryPath(repository)}/${kind}`, { q: query, page: page > 1 ? page : undefined });
  return [
    h(BulkForm, facts),
    h(
      "ul",
      { class: "list issues" },
      issues.map((issue) => h(IssueRow, { kind, repository, issue, chosen, now })),
    ),
    h("p", null, h("a", { href: back }, forms.cancel)),
  ];
}
