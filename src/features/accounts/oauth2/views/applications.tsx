import type { FormProblem } from "../../../../core/form-problem.ts";
import type { Page } from "../../../../core/paging.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import { CheckBox, Field, Form, Submit, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { FormToken } from "../../../../ui/page.tsx";
import { Row, Rows } from "../../../../ui/rows.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Day } from "../../../../ui/time.tsx";
import type { ApplicationView } from "../model.ts";
import { oauth2Texts } from "../texts/texts.ts";

export interface ApplicationValues {
  readonly name: string;
  readonly redirect_uris: string;
  readonly confidential_client: boolean;
  readonly skip_secondary_authorization: boolean;
}

interface FormProps {
  /** Path of the list. */
  readonly path: string;
  readonly values: ApplicationValues;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

export interface ApplicationsProps extends FormProps {
  readonly applications: readonly ApplicationView[];
  readonly total: number;
  readonly page: Page;
}

export function ApplicationsView(props: ApplicationsProps): Html {
  const { path, applications, total, page } = props;
  const account = useTexts(oauth2Texts);
  const { forms } = useTexts(sharedTexts);
  const texts = account.applications;
  return (
    <>
      {applications.length === 0 ? (
        <Empty icon="gear" title={texts.none}>
          <p>{texts.noneHint}</p>
        </Empty>
      ) : (
        <Rows>
          {applications.map(({ id, name, clientId, createdMs }) => (
            <Row
              action={
                <a class="button" href={`${path}/${id}`} aria-label={`${forms.edit}: ${name}`}>
                  {forms.edit}
                </a>
              }
            >
              <strong>{name}</strong>
              <div class="soft">
                <code>{clientId}</code>
                {" · "}
                <Day ms={createdMs} />
              </div>
            </Row>
          ))}
        </Rows>
      )}
      <Pager path={path} page={page} total={total} />
      <section>
        <h2>{texts.add}</h2>
        <ApplicationForm {...props} action={path} label={texts.register} />
      </section>
    </>
  );
}

function ApplicationForm({ action, label, values, problem, formToken }: Omit<FormProps, "path"> & { readonly action: string; readonly label: string }): Html {
  const texts = useTexts(oauth2Texts).applications;
  return (
    <Form action={action} formToken={formToken} problem={problem}>
      <Field name="name" label={texts.name} value={values.name} autocomplete="off" />
      <TextArea name="redirect_uris" label={texts.redirects} hint={texts.redirectsHint} value={values.redirect_uris} rows={3} isCode />
      <CheckBox name="confidential_client" label={texts.confidential} hint={texts.confidentialHint} isChecked={values.confidential_client} />
      <CheckBox name="skip_secondary_authorization" label={texts.skips} hint={texts.skipsHint} isChecked={values.skip_secondary_authorization} />
      <Submit label={label} />
    </Form>
  );
}

export function ApplicationPage(props: FormProps & { readonly application: ApplicationView }): Html {
  const { path, application, formToken } = props;
  const account = useTexts(oauth2Texts);
  const { forms } = useTexts(sharedTexts);
  const texts = account.applications;
  const own = `${path}/${application.id}`;
  return (
    <>
      <dl class="pairs">
        <dt>{texts.clientId}</dt>
        <dd>
          <code>{application.clientId}</code>
        </dd>
      </dl>
      <ApplicationForm {...props} action={own} label={forms.save} />
      <ActionForm action={`${own}/secret`} title={texts.renew} hint={texts.renewHint} formToken={formToken} />
      <ActionForm action={`${own}/delete`} title={texts.remove} hint={texts.removeHint} formToken={formToken} />
    </>
  );
}

interface ActionFormProps {
  readonly action: string;
  readonly title: string;
  readonly hint: string;
  readonly formToken: string;
}

/** A form for an irreversible action. */
const ActionForm = ({ action, title, hint, formToken }: ActionFormProps): Html => (
  <section>
    <h2>{title}</h2>
    <p class="soft">{hint}</p>
    <form method="post" action={action}>
      <FormToken value={formToken} />
      <button class="danger" type="submit">
        {title}
      </button>
    </form>
  </section>
);

/** The application's secret, shown only once. */
export function SecretView({ path, application, secret }: { readonly path: string; readonly application: ApplicationView; readonly secret: string }): Html {
  const texts = useTexts(oauth2Texts).applications;
  return (
    <>
      <h2>{application.name}</h2>
      <p class="notice good" role="status">
        {texts.made}
      </p>
      <p>{texts.clientId}</p>
      <code class="secret">{application.clientId}</code>
      <p>{texts.secret}</p>
      <code class="secret">{secret}</code>
      <p>
        <a class="button" href={`${path}/${application.id}`}>
          {texts.goOn}
        </a>
      </p>
    </>
  );
}
