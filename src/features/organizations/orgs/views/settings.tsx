import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import { organizationPath } from "../../../../ui/addresses.ts";
import { CheckBox, Choice, Field, Form, OptionalField, Submit, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { orgTexts } from "../texts/texts.ts";

/** Values of the organization form; the names match the fields in validation errors. */
export interface OrganizationValues {
  readonly user_name: string;
  readonly full_name: string;
  readonly email: string;
  readonly description: string;
  readonly website: string;
  readonly location: string;
  readonly visibility: string;
  readonly repo_admin_change_team_access: boolean;
}

export interface OrganizationFormProps {
  readonly action: string;
  /** A new organization also needs a name. */
  readonly isNew: boolean;
  readonly values: OrganizationValues;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

export function OrganizationForm({ action, isNew, values, problem, formToken }: OrganizationFormProps): Html {
  const texts = useTexts(orgTexts);
  const { organization, forms } = useTexts(sharedTexts);
  return (
    <Form action={action} formToken={formToken} problem={problem}>
      {isNew && <Field name="user_name" label={texts.name} value={values.user_name} names="account" autocomplete="off" hasFocus />}
      <OptionalField name="full_name" label={texts.fullName} value={values.full_name} />
      <TextArea name="description" label={texts.description} value={values.description} rows={2} />
      <Field name="website" type="url" label={texts.website} value={values.website} autocomplete="off" isOptional />
      <OptionalField name="location" label={texts.location} value={values.location} />
      <Field name="email" label={texts.email} value={values.email} type="email" autocomplete="off" isOptional />
      <Choice name="visibility" label={texts.visibility} value={values.visibility} options={Object.entries(texts.visibilities)} />
      <CheckBox name="repo_admin_change_team_access" label={texts.teamAccess} isChecked={values.repo_admin_change_team_access} />
      <Submit label={isNew ? organization.submit : forms.save} />
    </Form>
  );
}

export interface EndProps {
  readonly name: string;
  readonly refused?: { readonly form: "rename" | "delete"; readonly typed: string; readonly problem: FormProblem } | undefined;
  readonly formToken: string;
}

/** The forms for renaming and deleting. */
export function OrganizationEnd({ name, refused, formToken }: EndProps): Html {
  const texts = useTexts(orgTexts);
  const of = (form: "rename" | "delete") => (refused?.form === form ? refused : undefined);
  const path = organizationPath(name, "/settings");
  return (
    <>
      <section>
        <h2>{texts.rename}</h2>
        <Form action={`${path}/rename`} formToken={formToken} name="rename" problem={of("rename")?.problem}>
          <Field
            name="new_name"
            maxLength={lengths.accountName}
            label={texts.newName}
            value={of("rename")?.typed ?? name}
            hint={texts.renameHint}
            names="account"
            autocomplete="off"
          />
          <Submit label={texts.rename} isSecondary />
        </Form>
      </section>
      <section>
        <h2>{texts.delete}</h2>
        <p class="soft">{texts.deleteHint}</p>
        <Form action={`${path}/delete`} formToken={formToken} name="delete" problem={of("delete")?.problem}>
          <Field name="confirmation" label={texts.confirm(name)} value={of("delete")?.typed ?? ""} autocomplete="off" />
          <Submit label={texts.delete} isDanger />
        </Form>
      </section>
    </>
  );
}
