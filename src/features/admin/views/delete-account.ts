import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import { Field, Form, Submit } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { PasswordFirst } from "../../users/views/password.ts";
import type { Possessions } from "../view.ts";

export interface DeleteAccountFacts {
  readonly path: string;
  readonly possessions: Possessions;
  /** False: he has none, and comes in by a provider of identities alone. */
  readonly hasPassword: boolean;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** What goes with one's own account, and the form that ends it. */
export function DeleteAccountView({ path, possessions, hasPassword, problem, formToken }: DeleteAccountFacts): Html {
  const { deletion: texts } = useTexts().account;
  const { repositories, organizations } = possessions;
  const named = (names: readonly string[], total: number): string => names.join(", ") + (total > names.length ? ", …" : "");
  return [
    h("h2", null, texts.title),
    h("p", { class: "notice bad" }, texts.lead),
    h("h3", null, texts.goes),
    h(
      "ul",
      null,
      repositories.total > 0 && h("li", null, texts.repositories(repositories.total), ": ", named(repositories.names, repositories.total)),
      organizations.total > 0 && h("li", null, texts.organizations, ": ", named(organizations.names, organizations.total)),
      h("li", null, texts.access),
    ),
    h("p", null, texts.stays),
    hasPassword
      ? h(
          Form,
          { action: path, formToken, problem },
          h(Field, { name: "password", label: texts.password, type: "password", autocomplete: "current-password" }),
          h(Submit, { label: texts.confirm, isDanger: true }),
        )
      : h(PasswordFirst, {}),
  ];
}
