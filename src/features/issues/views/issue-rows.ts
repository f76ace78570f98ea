import { h } from "preact";
import { accountPath, issuePath, pullPath, repositoryPath } from "../../../ui/addresses.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import type { IssueView } from "../view.ts";
import { StateIcon } from "./state.ts";

export interface IssueRowsFacts {
  readonly issues: readonly IssueView[];
  readonly now: number;
}

/** Issues of several repositories below each other, each with where it is from. */
export const IssueRows = ({ issues, now }: IssueRowsFacts): Html =>
  h(
    "ul",
    { class: "list issues" },
    issues.map((issue) => h(Row, { issue, now })),
  );

function Row({ issue, now }: { readonly issue: IssueView; readonly now: number }): Html {
  const { issues: texts } = useTexts();
  const { place, poster } = issue;
  const repository = { ownerName: place.ownerName, name: place.name };
  return h(
    "li",
    null,
    h(StateIcon, { issue }),
    h(
      "div",
      { class: "what" },
      h("a", { class: "row-title", href: (issue.isPull ? pullPath : issuePath)(repository, issue.number), dir: "auto" }, issue.title),
      h(
        "div",
        { class: "meta" },
        h("span", null, h("a", { href: repositoryPath(repository) }, `${place.ownerName}/${place.name}`), ` #${issue.number}`),
        h(
          "span",
          null,
          `${texts.openedBy} `,
          poster === undefined ? texts.gone : h("a", { href: accountPath(poster.name) }, poster.name),
          " ",
          h(Ago, { ms: issue.createdMs, now }),
        ),
        issue.commentsCount > 0 && h("span", null, texts.comments(issue.commentsCount)),
      ),
    ),
  );
}
