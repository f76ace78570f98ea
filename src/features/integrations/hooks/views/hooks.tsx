import { callFailures, type DeliveryFailure } from "../../../../core/failures.ts";
import type { FormProblem } from "../../../../core/form-problem.ts";
import type { Page } from "../../../../core/paging.ts";
import { unavailable } from "../../../../core/unavailable.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import { FieldProblem } from "../../../../ui/form-problems.tsx";
import { CheckBox, Choice, Field, Form, Group, KeptField, OptionalField, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon, type IconName } from "../../../../ui/icons.tsx";
import { FormToken } from "../../../../ui/page.tsx";
import { Do, EditAndDelete, Row, Rows } from "../../../../ui/rows.tsx";
import { Technical } from "../../../../ui/technical.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Moment } from "../../../../ui/time.tsx";
import { eventNames } from "../event-names.ts";
import { type DeliveryState, type DeliveryView, type HookType, type HookView, hookTypes, settingNames } from "../model.ts";
import { hookTexts } from "../texts/texts.ts";

export interface HooksProps {
  /** Path of the list. */
  readonly path: string;
  readonly hooks: readonly HookView[];
  /** The states of the last deliveries, by webhook. */
  readonly states: ReadonlyMap<number, DeliveryState>;
  readonly total: number;
  readonly page: Page;
  readonly formToken: string;
}

export function HooksView({ path, hooks, states, total, page, formToken }: HooksProps): Html {
  const texts = useTexts(hookTexts);
  return (
    <>
      {hooks.length === 0 ? (
        <Empty icon="link" title={texts.none}>
          <p>{texts.noneHint}</p>
        </Empty>
      ) : (
        <>
          <p class="soft">{texts.hint}</p>
          <Rows>
            {hooks.map((hook) => {
              const of = hook.name || hook.url || texts.kinds[hook.type];
              const own = `${path}/${hook.id}`;
              return (
                <Row action={<EditAndDelete edit={own} deletion={`${own}/delete`} formToken={formToken} of={of} />}>
                  <HookLine hook={hook} own={own} state={states.get(hook.id)} />
                </Row>
              );
            })}
          </Rows>
          <Pager path={path} page={page} total={total} />
        </>
      )}
      <section>
        <h2>{texts.add}</h2>
        <form class="find" action={`${path}/new`}>
          <Choice name="type" label={texts.kind} value="gitea" options={hookTypes.map((type) => [type, texts.kinds[type]] as const)} />
          <button type="submit">{texts.add}</button>
        </form>
      </section>
    </>
  );
}

const stateLooks: Partial<Record<DeliveryState, readonly [IconName, string]>> = {
  delivered: ["check-circle", "good"],
  refused: ["alert", "bad"],
  failed: ["x-circle", "bad"],
};

interface HookLineProps {
  readonly hook: HookView;
  readonly own: string;
  readonly state: DeliveryState | undefined;
}

function HookLine({ hook, own, state }: HookLineProps): Html {
  const texts = useTexts(hookTexts);
  const { name, url, type, scope, isActive } = hook;
  const look = state && stateLooks[state];
  const marks = [texts.kinds[type], scope === "system" && texts.system, scope === "default" && texts.default, !isActive && texts.inactive];
  return (
    <>
      <a href={own}>
        {name !== "" && <strong>{name} </strong>}
        {url === "" ? texts.isFetched : <code>{url}</code>}
      </a>
      <div class="soft">{marks.filter((mark) => mark !== false).join(" · ")}</div>
      {state !== undefined && look !== undefined && (
        <span class={`badge ${look[1]}`}>
          <Icon name={look[0]} /> {texts.lastDelivery}: {texts.states[state]}
        </span>
      )}
    </>
  );
}

/** Values of the webhook form: `event_...` for each event, `setting_...` for each setting of its type. */
export interface HookValues {
  readonly [name: `event_${string}`]: boolean;
  readonly [name: `setting_${string}`]: string;
  readonly name: string;
  readonly url: string;
  readonly content_type: string;
  readonly branch_filter: string;
  readonly active: boolean;
  readonly system: boolean;
}

export interface HookFormProps {
  readonly action: string;
  readonly type: HookType;
  readonly values: HookValues;
  /** A new webhook of the server can apply to all repositories. */
  readonly asksForSystem: boolean;
  /** A new webhook needs its secrets; for an existing one an empty field keeps them. */
  readonly isNew: boolean;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

export function HookForm({ action, type, values, asksForSystem, isNew, problem, formToken }: HookFormProps): Html {
  const texts = useTexts(hookTexts);
  const { required, optional } = settingNames[type];
  const kept = isNew ? undefined : texts.kept;
  return (
    <Form action={action} formToken={formToken} problem={problem} hidden={{ type }}>
      <p class="soft">{texts.kinds[type]}</p>
      <OptionalField name="name" label={texts.name} value={values.name} />
      <Field name="url" label={texts.url} value={values.url} type="url" autocomplete="off" />
      <Choice name="content_type" label={texts.contentType} value={values.content_type} options={Object.entries(texts.contentTypes)} />
      {required.map((name) => (
        <Field name={`setting_${name}`} label={texts.settings[name]} value={values[`setting_${name}`] ?? ""} autocomplete="off" />
      ))}
      {optional.map((name) => (
        <OptionalField name={`setting_${name}`} label={texts.settings[name]} value={values[`setting_${name}`] ?? ""} />
      ))}
      <Field name="secret" label={texts.secret} type="password" autocomplete="new-password" hint={kept} isOptional />
      <Field name="authorization_header" label={texts.authorization} type="password" autocomplete="off" hint={kept} isOptional />
      <Group legend={texts.events}>
        <FieldProblem name="events" hasFocus />
        <div class="beside">
          {eventNames.map((name) => {
            const isChecked = values[`event_${name}`] ?? false;
            if (unavailable.has(name)) return isChecked && <KeptField name={`event_${name}`} value="true" />;
            return <CheckBox name={`event_${name}`} label={texts.eventNames[name]} isChecked={isChecked} />;
          })}
        </div>
      </Group>
      <OptionalField name="branch_filter" label={texts.branchFilter} value={values.branch_filter} hint={texts.branchFilterHint} />
      {asksForSystem && <CheckBox name="system" label={texts.isSystem} isChecked={values.system} />}
      <CheckBox name="active" label={texts.active} isChecked={values.active} />
      <Submit label={isNew ? texts.add : texts.update} />
    </Form>
  );
}

export interface DeliveriesProps {
  /** Path of the webhook's page. */
  readonly path: string;
  readonly deliveries: readonly DeliveryView[];
  readonly total: number;
  readonly page: Page;
  /** Pages can test only webhooks of a repository; the API tests others with a chosen repository's push. */
  readonly canTest: boolean;
  readonly formToken: string;
}

/** The deliveries of a webhook, newest first. */
export function DeliveriesView({ path, deliveries, total, page, canTest, formToken }: DeliveriesProps): Html {
  const texts = useTexts(hookTexts);
  return (
    <section id="deliveries">
      <h2>{texts.deliveries}</h2>
      {canTest && (
        <div class="bar">
          <Do action={`${path}/test`} formToken={formToken} label={texts.test} of={path} />
          <span class="soft">{texts.testHint}</span>
        </div>
      )}
      {deliveries.length === 0 && <p class="soft">{texts.noDeliveries}</p>}
      <Rows>
        {deliveries.map((delivery) => (
          <Row action={<State {...delivery} />}>
            <a href={`${path}/deliveries/${delivery.id}`}>
              <code>{delivery.eventType}</code>
            </a>
            <span class="soft">
              {" "}
              <Moment ms={delivery.createdMs} />
              {", "}
              {texts.attempts(delivery.attempts)}
            </span>
          </Row>
        ))}
      </Rows>
      <Pager path={path} page={page} total={total} />
    </section>
  );
}

function State({ state, responseStatus }: Pick<DeliveryView, "state" | "responseStatus">): Html {
  const texts = useTexts(hookTexts);
  const look = state === "delivered" ? "badge good" : state === "failed" || state === "refused" ? "badge bad" : "badge";
  return (
    <span class={look}>
      {texts.states[state]}
      {responseStatus !== null && ` ${responseStatus}`}
    </span>
  );
}

export interface DeliveryProps {
  /** Path of the webhook's page. */
  readonly path: string;
  readonly delivery: DeliveryView;
  readonly isCalled: boolean;
  readonly formToken: string;
}

/** A delivery with its request and response. */
export function DeliveryPage({ path, delivery, isCalled, formToken }: DeliveryProps): Html {
  const texts = useTexts(hookTexts);
  const { id, uuid, eventType, attempts, attemptedMs, durationMs, responseBody, error, failure, payload } = delivery;
  return (
    <>
      <dl class="pairs">
        <dt>{texts.event}</dt>
        <dd>
          <code>{eventType}</code>
        </dd>
        <dt>{texts.id}</dt>
        <dd>
          <code>{uuid}</code>
        </dd>
        <dt>{texts.status}</dt>
        <dd>
          <State {...delivery} /> {texts.attempts(attempts)}
        </dd>
        {attemptedMs !== null && (
          <>
            <dt>{texts.at}</dt>
            <dd>
              <Moment ms={attemptedMs} />
            </dd>
          </>
        )}
        {durationMs !== null && (
          <>
            <dt>{texts.took}</dt>
            <dd>{`${durationMs} ms`}</dd>
          </>
        )}
      </dl>
      {error !== null && error !== "" && <Failed error={error} failure={failure} />}
      {isCalled && (
        <form method="post" action={`${path}/deliveries/${id}/redeliver`}>
          <FormToken value={formToken} />
          <button class="primary" type="submit">
            {texts.redeliver}
          </button>
        </form>
      )}
      <h3>{texts.request}</h3>
      {payload !== undefined && (
        <pre tabIndex={0}>
          <code>{readable(payload)}</code>
        </pre>
      )}
      <h3>{texts.response}</h3>
      {responseBody === null || responseBody === "" ? (
        <p class="soft">{texts.noResponse}</p>
      ) : (
        <pre tabIndex={0}>
          <code>{responseBody}</code>
        </pre>
      )}
      <p>
        <a href={path}>{texts.backToHook}</a>
      </p>
    </>
  );
}

/** Details whose code the badge of the state does not show. */
const withDetails: ReadonlySet<string> = new Set<DeliveryFailure>([...callFailures, "unsendable"]);

function Failed({ error, failure }: { readonly error: string; readonly failure: string }): Html {
  const texts = useTexts(hookTexts);
  const sentences: Readonly<Record<string, string>> = texts.failures;
  const sentence = sentences[failure];
  const isKnown = sentence !== undefined;
  return (
    <>
      <p class="notice bad">{sentence ?? texts.failure}</p>
      {(!isKnown || withDetails.has(failure)) && <Technical message={error} isOpen={!isKnown} />}
    </>
  );
}

/** Indented JSON; other text stays unchanged. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
