import { h } from "preact";
import { Empty } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import { Do, Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { IdentityView } from "../view.ts";

export interface IdentitiesFacts {
  readonly identities: readonly IdentityView[];
  /** Names of sources that are not linked yet. */
  readonly others: readonly string[];
  readonly formToken: string;
}

export function IdentitiesView({ identities, others, formToken }: IdentitiesFacts): Html {
  const { identities: texts } = useTexts().security;
  if (identities.length === 0 && others.length === 0) return h(Empty, { icon: "person", title: texts.none }, h("p", null, texts.noneHint));
  return [
    h("p", null, identities.length === 0 ? texts.unlinked : texts.lead),
    h(
      Rows,
      null,
      identities.map(({ id, sourceName, label }) =>
        h(
          Row,
          { action: h(Do, { action: `/user/identities/${id}/unlink`, formToken, label: texts.unlink, of: sourceName }) },
          h("strong", null, sourceName),
          h("div", { class: "soft" }, label),
        ),
      ),
      others.map((name) =>
        h(Row, { action: h(Do, { action: `/user/oauth2/${encodeURIComponent(name)}/link`, formToken, label: texts.link, of: name }) }, h("strong", null, name)),
      ),
    ),
  ];
}
