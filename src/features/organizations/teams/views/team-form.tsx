import { type Unit, units } from "../../../../access/repository.ts";
import type { FormProblem } from "../../../../core/form-problem.ts";
import { unavailable } from "../../../../core/unavailable.ts";
import { CheckBox, Choice, Field, Form, Group, KeptField, OptionalField, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { orgTexts } from "../../orgs/texts/texts.ts";
import { teamTexts } from "../texts/texts.ts";

/** Values of the team form; `unit_...` are the rights per unit. */
export interface TeamValues extends Partial<Readonly<Record<`unit_${Unit}`, string>>> {
  readonly name: string;
  readonly description: string;
  /** `admin`, or `units` for rights per unit. */
  readonly permission: string;
  readonly includes_all_repositories: boolean;
  readonly can_create_org_repo: boolean;
}

export interface TeamFormProps {
  readonly action: string;
  /** For `owners` only the description can be changed. */
  readonly kind: "new" | "usual" | "owners";
  readonly values: TeamValues;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

export function TeamForm({ action, kind, values, problem, formToken }: TeamFormProps): Html {
  const texts = useTexts(teamTexts);
  const { forms } = useTexts(sharedTexts);
  return (
    <Form action={action} formToken={formToken} problem={problem}>
      {kind !== "owners" && <Field name="name" label={texts.name} value={values.name} names="item" autocomplete="off" hasFocus={kind === "new"} />}
      <OptionalField name="description" label={texts.description} value={values.description} />
      {kind === "owners" ? <p class="soft">{texts.rightsOfOwners}</p> : <Rights values={values} />}
      <Submit label={kind === "new" ? texts.create : forms.save} />
    </Form>
  );
}

function Rights({ values }: { readonly values: TeamValues }): Html {
  const texts = useTexts(teamTexts);
  return (
    <>
      <CheckBox name="includes_all_repositories" label={texts.includesAll} isChecked={values.includes_all_repositories} />
      <CheckBox name="can_create_org_repo" label={texts.canCreate} isChecked={values.can_create_org_repo} />
      <Group legend={texts.rights}>
        <Choice name="permission" label={texts.permission} value={values.permission} options={Object.entries(texts.permissions)} hint={texts.unitsHint} />
        <div class="beside">
          {units.map((unit) => {
            const [name, value] = [`unit_${unit}`, values[`unit_${unit}`] ?? "none"] as const;
            return unavailable.has(unit) ? (
              <KeptField name={name} value={value} />
            ) : (
              <Choice name={name} label={texts.units[unit]} value={value} options={Object.entries(texts.modes)} />
            );
          })}
        </div>
      </Group>
    </>
  );
}

export interface TeamEndProps {
  readonly action: string;
  readonly name: string;
  readonly refused?: { readonly typed: string; readonly problem: FormProblem } | undefined;
  readonly formToken: string;
}

/** The form that deletes a team. */
export function TeamEnd({ action, name, refused, formToken }: TeamEndProps): Html {
  const texts = useTexts(teamTexts);
  const organizations = useTexts(orgTexts);
  return (
    <section class="page-form">
      <h2>{texts.end}</h2>
      <p class="soft">{texts.endHint}</p>
      <Form action={action} formToken={formToken} name="end" problem={refused?.problem}>
        <Field name="confirmation" label={organizations.confirm(name)} value={refused?.typed ?? ""} autocomplete="off" />
        <Submit label={texts.end} isDanger />
      </Form>
    </section>
  );
}
