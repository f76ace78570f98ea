import type { FormProblem } from "../../../../core/form-problem.ts";
import { Field, Form, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { accountTexts } from "../../../accounts/users/texts/texts.ts";

import { PasswordFirst } from "../../../accounts/users/views/password.tsx";
import type { Possessions } from "../model.ts";

export interface DeleteAccountProps {
  readonly path: string;
  readonly possessions: Possessions;
  /** False for a user who signs in only through an identity provider. */
  readonly hasPassword: boolean;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** The possessions deleted with one's own account, and the form to delete it. */
export function DeleteAccountView({ path, possessions, hasPassword, problem, formToken }: DeleteAccountProps): Html {
  const texts = useTexts(accountTexts).deletion;
  const { repositories, organizations } = possessions;
  const named = (names: readonly string[], total: number): string => names.join(", ") + (total > names.length ? ", …" : "");
  return (
    <>
      <h2>{texts.title}</h2>
      <p class="notice bad">{texts.lead}</p>
      <h3>{texts.goes}</h3>
      <ul>
        {repositories.total > 0 && (
          <li>
            {texts.repositories(repositories.total)}
            {": "}
            {named(repositories.names, repositories.total)}
          </li>
        )}
        {organizations.total > 0 && (
          <li>
            {texts.organizations}
            {": "}
            {named(organizations.names, organizations.total)}
          </li>
        )}
        <li>{texts.access}</li>
      </ul>
      <p>{texts.stays}</p>
      {hasPassword ? (
        <Form action={path} formToken={formToken} problem={problem}>
          <Field name="password" label={texts.password} type="password" autocomplete="current-password" />
          <Submit label={texts.confirm} isDanger />
        </Form>
      ) : (
        <PasswordFirst />
      )}
    </>
  );
}
