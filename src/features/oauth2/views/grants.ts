import { h } from "preact";
import type { Html } from "../../../ui/html.ts";
import { Do, Row, Rows } from "../../../ui/rows.ts";
import { Moment } from "../../../ui/time.ts";
import type { GrantView } from "../view.ts";
import { describeScopes } from "./consent.ts";

export interface GrantsFacts {
  readonly grants: readonly GrantView[];
  readonly formToken: string;
}

/** What somebody has allowed, in the words in which he was asked. */
export const GrantsView = ({ grants, formToken }: GrantsFacts): Html => [
  h("p", null, grants.length === 0 ? "You have let no application in." : "You have let these applications in. What you take back ends at once."),
  h(
    Rows,
    null,
    grants.map(({ id, application, scopes, updatedMs }) =>
      h(
        Row,
        { action: h(Do, { action: `/user/applications/${id}/revoke`, formToken, label: "Take back", of: application.name }) },
        h("div", null, h("strong", null, application.name), ", since ", h(Moment, { ms: updatedMs }), ", can:"),
        h(
          "ul",
          { class: "soft" },
          describeScopes(scopes).map((line) => h("li", null, line)),
        ),
      ),
    ),
  ),
];
