import { h } from "preact";
import { Empty } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import { Do, Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Moment } from "../../../ui/time.ts";
import type { GrantView } from "../view.ts";
import { describeScopes } from "./consent.ts";

export interface GrantsFacts {
  readonly grants: readonly GrantView[];
  readonly formToken: string;
}

/** What somebody has allowed, in the words in which he was asked. */
export function GrantsView({ grants, formToken }: GrantsFacts): Html {
  const { grants: texts, rights } = useTexts().security;
  if (grants.length === 0) return h(Empty, { icon: "key", title: texts.none }, h("p", null, texts.noneHint));
  return [
    h("p", null, texts.lead),
    h(
      Rows,
      null,
      grants.map(({ id, application, scopes, updatedMs }) =>
        h(
          Row,
          { action: h(Do, { action: `/user/applications/${id}/revoke`, formToken, label: texts.takeBack, of: application.name }) },
          h("div", null, h("strong", null, application.name), `, ${texts.since} `, h(Moment, { ms: updatedMs }), `, ${texts.can}`),
          h(
            "ul",
            { class: "soft" },
            describeScopes(rights, scopes).map((line) => h("li", null, line)),
          ),
        ),
      ),
    ),
  ];
}
