import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import { Field, Form, Submit, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Do, Row, Rows } from "../../../../ui/rows.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Moment } from "../../../../ui/time.tsx";
import type { SecretView, VariableView } from "../../secrets/model.ts";
import type { RunnerView } from "../model.ts";
import { actionsSettingsTexts } from "../texts/texts.ts";

export interface ActionsSettingsProps {
  readonly path: string;
  readonly formToken: string;
  /** Undefined for the server, which has runners only. */
  readonly values: { readonly secrets: readonly SecretView[]; readonly variables: readonly VariableView[] } | undefined;
  readonly runners: readonly RunnerView[];
  /** For the runners of all owners: the names of the owners, by id of the runner. */
  readonly owners: ReadonlyMap<number, string> | undefined;
  /** Undefined until the first one is made. */
  readonly token: string | undefined;
  readonly problem?: { readonly form: "secret" | "variable"; readonly name: string; readonly value: string; readonly about: FormProblem } | undefined;
}

/** Says that no workflow uses the settings of a repository. @param settings path of its general settings */
export function ActionsDisabled({ settings }: { readonly settings: string }): Html {
  const texts = useTexts(actionsSettingsTexts);
  return (
    <p class="notice">
      {texts.disabledHere} <a href={settings}>{texts.enableHere}</a>
    </p>
  );
}

/** Secrets, variables and runners of one owner. */
export const ActionsSettingsView = (props: ActionsSettingsProps): Html => (
  <>
    {props.values !== undefined && <Secrets {...props} secrets={props.values.secrets} />}
    {props.values !== undefined && <Variables {...props} variables={props.values.variables} />}
    <Runners {...props} />
  </>
);

function Secrets({ path, formToken, secrets, problem }: ActionsSettingsProps & { readonly secrets: readonly SecretView[] }): Html {
  const texts = useTexts(actionsSettingsTexts);
  const refused = problem?.form === "secret" ? problem : undefined;
  return (
    <section>
      <h2>{texts.secrets}</h2>
      <p class="soft">{texts.secretsHint}</p>
      {secrets.length === 0 ? (
        <p class="soft">{texts.noSecrets}</p>
      ) : (
        <Rows>
          {secrets.map(({ name, description, updatedMs }) => (
            <Row action={<Do action={`${path}/secrets/delete`} formToken={formToken} label={texts.delete} of={name} hidden={{ name }} isDanger />}>
              <code>{name}</code> {description}
              <div class="soft">
                {texts.updated} <Moment ms={updatedMs} />
              </div>
            </Row>
          ))}
        </Rows>
      )}
      <Form action={`${path}/secrets`} formToken={formToken} name="secret" problem={refused?.about}>
        <Field name="name" label={texts.secretName} value={refused?.name ?? ""} hint={texts.nameHint} names="variable" autocomplete="off" />
        <TextArea name="value" label={texts.secretValue} value="" rows={3} maxLength={lengths.key} has="secret" />
        <Submit label={texts.saveSecret} />
      </Form>
    </section>
  );
}

function Variables({ path, formToken, variables, problem }: ActionsSettingsProps & { readonly variables: readonly VariableView[] }): Html {
  const texts = useTexts(actionsSettingsTexts);
  const refused = problem?.form === "variable" ? problem : undefined;
  return (
    <section>
      <h2>{texts.variables}</h2>
      <p class="soft">{texts.variablesHint}</p>
      {variables.length === 0 ? (
        <p class="soft">{texts.noVariables}</p>
      ) : (
        <Rows>
          {variables.map(({ name, value }) => (
            <Row action={<Do action={`${path}/variables/delete`} formToken={formToken} label={texts.delete} of={name} hidden={{ name }} isDanger />}>
              <code>{name}</code>
              <div class="soft">{value.length > 200 ? `${value.slice(0, 200)}…` : value}</div>
            </Row>
          ))}
        </Rows>
      )}
      <Form action={`${path}/variables`} formToken={formToken} name="variable" problem={refused?.about}>
        <Field name="name" label={texts.variableName} value={refused?.name ?? ""} hint={texts.nameHint} names="variable" autocomplete="off" />
        <TextArea name="value" label={texts.variableValue} value={refused?.value ?? ""} rows={3} maxLength={lengths.key} />
        <Submit label={texts.saveVariable} isSecondary />
      </Form>
    </section>
  );
}

function Runners({ path, formToken, runners, owners, token }: ActionsSettingsProps): Html {
  const texts = useTexts(actionsSettingsTexts);
  return (
    <section>
      <h2>{texts.runners}</h2>
      <p class="soft">{texts.runnersHint}</p>
      <p>
        {texts.token}: {token === undefined ? texts.noToken : <code class="secret">{token}</code>}
      </p>
      <div class="bar">
        <Do action={`${path}/token`} formToken={formToken} label={token === undefined ? texts.make : texts.renew} of={texts.token} />
      </div>
      {runners.length === 0 ? (
        <p class="soft">{texts.noRunners}</p>
      ) : (
        <Rows>
          {runners.map((runner) => {
            const { id, name, labels, isDisabled, isEphemeral, isOnline, version } = runner;
            const marks = [
              isOnline ? texts.online : texts.offline,
              ...(isDisabled ? [texts.disabled] : []),
              ...(isEphemeral ? [texts.ephemeral] : []),
              ...(version === "" ? [] : [texts.version(version)]),
              ...(owners === undefined ? [] : [texts.ownedBy(owners.get(id) ?? "")]),
            ];
            const own = { id: String(id) };
            return (
              <Row
                action={
                  <div class="end">
                    <Do
                      action={`${path}/runners/${isDisabled ? "enable" : "disable"}`}
                      formToken={formToken}
                      label={isDisabled ? texts.enable : texts.disable}
                      of={name}
                      hidden={own}
                    />
                    <Do action={`${path}/runners/delete`} formToken={formToken} label={texts.delete} of={name} hidden={own} isDanger />
                  </div>
                }
              >
                <strong>{name}</strong> {labels.join(", ")}
                <div class="soft">{marks.join(" · ")}</div>
              </Row>
            );
          })}
        </Rows>
      )}
    </section>
  );
}
