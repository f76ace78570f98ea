import { h } from "preact";
import { Form } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import type { IdentityView } from "../view.ts";

export interface IdentitiesFacts {
  readonly identities: readonly IdentityView[];
  /** Names of sources that are not linked yet. */
  readonly others: readonly string[];
  readonly formToken: string;
}

export const IdentitiesView = ({ identities, others, formToken }: IdentitiesFacts): Html => [
  h("p", null, "By these you can sign in here beside your password."),
  identities.map(({ id, sourceName, label }) =>
    h(
      Form,
      { action: `/user/identities/${id}/unlink`, formToken },
      h("p", null, h("strong", null, label), ` at ${sourceName}`),
      h("button", { type: "submit" }, `Take away the link to ${sourceName}`),
    ),
  ),
  others.map((name) =>
    h(Form, { action: `/user/oauth2/${name}/link`, formToken }, h("button", { class: "primary", type: "submit" }, `Link an identity at ${name}`)),
  ),
  identities.length === 0 && others.length === 0 && h("p", null, "This server knows no provider of identities."),
];
