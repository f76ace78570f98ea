import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import { CheckBox, Choice, Field, Form, Group, OptionalField, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { migrationTexts } from "../texts/texts.ts";

/** The entered values, without secrets. */
export interface MigrationValues {
  readonly clone_addr: string;
  readonly service: string;
  readonly auth_username: string;
  readonly owner: string;
  readonly name: string;
  readonly description: string;
  readonly private: boolean;
  readonly mirror: boolean;
  readonly wiki: boolean;
  readonly lfs: boolean;
  readonly labels: boolean;
  readonly milestones: boolean;
  readonly issues: boolean;
  readonly pull_requests: boolean;
  readonly releases: boolean;
}

export const services = ["git", "gitea", "github", "gitlab"] as const;

export interface MigrationFormProps {
  /** The caller, followed by the organizations that they belong to. */
  readonly owners: readonly string[];
  readonly values: MigrationValues;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** The form that starts a migration. */
export function MigrationForm({ owners, values, problem, formToken }: MigrationFormProps): Html {
  const texts = useTexts(migrationTexts);
  const items = [
    ["wiki", texts.wiki],
    ["lfs", texts.lfs],
    ["labels", texts.labels],
    ["milestones", texts.milestones],
    ["issues", texts.issues],
    ["pull_requests", texts.pullRequests],
    ["releases", texts.releases],
  ] as const;
  return (
    <>
      <p>{texts.how}</p>
      <Form action="/repo/migrate" formToken={formToken} problem={problem} isOnce>
        <Field
          name="clone_addr"
          label={texts.address}
          value={values.clone_addr}
          hint={texts.addressHint}
          autocomplete="off"
          maxLength={lengths.address}
          hasFocus
        />
        <Choice name="service" label={texts.service} value={values.service} options={services.map((service) => [service, texts.services[service]] as const)} />
        <Field name="auth_token" type="password" label={texts.token} hint={texts.tokenHint} autocomplete="off" maxLength={lengths.secret} isOptional />
        <details class="more" open={values.auth_username !== ""}>
          <summary>{texts.signIn}</summary>
          <OptionalField name="auth_username" label={texts.username} value={values.auth_username} maxLength={255} />
          <Field name="auth_password" type="password" label={texts.password} autocomplete="off" maxLength={lengths.secret} isOptional />
        </details>
        <Choice name="owner" label={texts.owner} value={values.owner} options={owners.map((name) => [name, name] as const)} />
        <Field name="name" maxLength={lengths.repositoryName} label={texts.name} value={values.name} names="item" autocomplete="off" />
        <OptionalField name="description" maxLength={lengths.repositoryDescription} label={texts.description} value={values.description} />
        <CheckBox name="private" label={texts.private} isChecked={values.private} />
        <CheckBox name="mirror" label={texts.mirror} hint={texts.mirrorHint} isChecked={values.mirror} />
        <Group legend={texts.items} hint={texts.itemsHint}>
          {items.map(([name, label]) => (
            <CheckBox name={name} label={label} isChecked={values[name]} />
          ))}
        </Group>
        <Submit label={texts.submit} />
      </Form>
    </>
  );
}
