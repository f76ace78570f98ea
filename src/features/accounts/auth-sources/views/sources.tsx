import type { FormProblem } from "../../../../core/form-problem.ts";
import type { Page } from "../../../../core/paging.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import { CheckBox, Choice, Field, Form, Group, OptionalField, Submit, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { FormToken } from "../../../../ui/page.tsx";
import { Row, Rows } from "../../../../ui/rows.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { type Filled, isSwitch, type LdapField, type OidcField } from "../form-fields.ts";
import type { SourceView } from "../model.ts";
import { authSourceTexts } from "../texts/texts.ts";

export interface SourcesProps {
  readonly path: string;
  readonly sources: readonly SourceView[];
  readonly total: number;
  readonly page: Page;
}

export function SourcesView({ path, sources, total, page }: SourcesProps): Html {
  const texts = useTexts(authSourceTexts);
  const { forms } = useTexts(sharedTexts);
  return (
    <>
      {sources.length === 0 ? (
        <Empty icon="sign-in" title={texts.none}>
          <p>{texts.noneHint}</p>
        </Empty>
      ) : (
        <Rows>
          {sources.map((source) => (
            <Row
              action={
                <a class="button" href={`${path}/${source.id}`} aria-label={`${forms.edit}: ${source.name}`}>
                  {forms.edit}
                </a>
              }
            >
              <strong>{source.name}</strong>
              {!source.isActive && (
                <>
                  {" "}
                  <span class="badge">{texts.inactive}</span>
                </>
              )}
              <div class="soft">
                {texts.kinds[source.kind]}
                {", "}
                {source.kind === "ldap" ? source.settings.host : source.settings.issuer}
              </div>
            </Row>
          ))}
        </Rows>
      )}
      <Pager path={path} page={page} total={total} />
      <section>
        <h2>{texts.add}</h2>
        <form class="find" action={`${path}/new`}>
          <Choice name="kind" label={texts.kind} value="oidc" options={Object.entries(texts.kinds)} />
          <button type="submit">{texts.add}</button>
        </form>
      </section>
    </>
  );
}

/** The fields of each kind, in groups. */
const groups = {
  ldap: [
    ["server", ["host", "port", "security", "verify_certificate", "authority", "bind_dn"]],
    ["people", ["user_base", "user_filter", "user_dn", "name_attribute", "full_name_attribute", "email_attribute"]],
    ["groups", ["group_base", "group_filter", "admin_filter", "restricted_filter"]],
  ],
  oidc: [
    ["server", ["issuer", "client_id", "scopes"]],
    ["people", ["name_claim", "trust_email", "link_by_email"]],
    ["groups", ["groups_claim", "required_group", "admin_group", "restricted_group"]],
  ],
} as const satisfies Readonly<Record<SourceView["kind"], readonly (readonly [string, readonly (LdapField | OidcField)[]])[]>>;

/** The fields without which no source works. */
const required: readonly (LdapField | OidcField)[] = ["host", "port", "issuer", "client_id", "name_claim"];

export interface SourceFormProps {
  readonly action: string;
  readonly kind: SourceView["kind"];
  readonly isNew: boolean;
  readonly values: Filled;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

export function SourceForm({ action, kind, isNew, values, problem, formToken }: SourceFormProps): Html {
  const texts = useTexts(authSourceTexts);
  const { forms } = useTexts(sharedTexts);
  return (
    <Form action={action} formToken={formToken} problem={problem} hidden={{ kind }}>
      <Field name="name" label={texts.name} value={String(values.name ?? "")} hint={texts.nameHint} names="item" autocomplete="off" />
      <CheckBox name="active" label={texts.active} isChecked={values.active === true} />
      <CheckBox name="auto_register" label={texts.autoRegister} isChecked={values.auto_register === true} />
      {groups[kind].map(([name, fields]) => (
        <Group legend={texts[name]}>
          {fields.map((field) => (
            <Setting kind={kind} field={field} values={values} />
          ))}
          {name === "server" && (
            <Field name="secret" label={texts.secrets[kind]} type="password" autocomplete="off" hint={isNew ? undefined : texts.secretKept} isOptional />
          )}
        </Group>
      ))}
      <Submit label={isNew ? texts.add : forms.save} />
    </Form>
  );
}

interface SettingProps {
  readonly kind: SourceView["kind"];
  readonly field: LdapField | OidcField;
  readonly values: Filled;
}

function Setting({ kind, field, values }: SettingProps): Html {
  const texts = useTexts(authSourceTexts);
  const hints: Readonly<Record<string, string>> = texts.hints;
  const common = { name: field, label: texts.fields[field], hint: hints[field] };
  if (isSwitch(kind, field)) return <CheckBox {...common} isChecked={values[field] === true} />;
  const value = String(values[field] ?? "");
  if (field === "security") return <Choice {...common} value={value} options={Object.entries(texts.securities)} />;
  if (field === "authority") return <TextArea {...common} value={value} rows={3} isCode />;
  if (required.includes(field)) return <Field {...common} value={value} type={field === "issuer" ? "url" : "text"} autocomplete="off" />;
  return <OptionalField {...common} value={value} />;
}

export interface SourceEndProps {
  /** Path of the source's page. */
  readonly path: string;
  /** The provider's redirect URI; undefined for directories. */
  readonly redirectUri: string | undefined;
  readonly formToken: string;
}

/** Check and delete forms of a source. */
export function SourceEnd({ path, redirectUri, formToken }: SourceEndProps): Html {
  const texts = useTexts(authSourceTexts);
  const button = (action: "check" | "delete", label: string, hint: string): Html => (
    <section>
      <h2>{label}</h2>
      <p class="soft">{hint}</p>
      <form method="post" action={`${path}/${action}`}>
        <FormToken value={formToken} />
        <button type="submit" {...(action === "delete" && { class: "danger" })}>
          {label}
        </button>
      </form>
    </section>
  );
  return (
    <>
      {redirectUri !== undefined && (
        <section>
          <h2>{texts.redirect}</h2>
          <p>
            <code>{redirectUri}</code>
          </p>
        </section>
      )}
      {button("check", texts.check, texts.checkHint)}
      {button("delete", texts.end, texts.endHint)}
    </>
  );
}
