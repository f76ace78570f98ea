import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import type { Page } from "../../../core/paging.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import { CheckBox, Choice, Field, Form, Group, OptionalField, Submit } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { FormToken } from "../../../ui/page.ts";
import { Do, Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Moment } from "../../../ui/time.ts";
import { eventNames } from "../event-names.ts";
import { type DeliveryView, type HookType, type HookView, hookTypes, settingNames } from "../view.ts";

export interface HooksFacts {
  /** Where they stand. */
  readonly path: string;
  readonly hooks: readonly HookView[];
  readonly total: number;
  readonly page: Page;
  readonly formToken: string;
}

/** The webhooks of somebody or something, and the way to another one. */
export function HooksView({ path, hooks, total, page, formToken }: HooksFacts): Html {
  const { hooks: texts, forms } = useTexts();
  return [
    hooks.length === 0
      ? h(Empty, { icon: "link", title: texts.none }, h("p", null, texts.noneHint))
      : [
          h("p", { class: "soft" }, texts.hint),
          h(
            Rows,
            null,
            hooks.map((hook) => {
              const of = hook.name || hook.url || texts.kinds[hook.type];
              const edit = h("a", { class: "button", href: `${path}/${hook.id}` }, forms.edit);
              const end = h(Do, { action: `${path}/${hook.id}/delete`, formToken, label: forms.delete, of, isDanger: true });
              return h(Row, { action: h("div", { class: "end" }, edit, end) }, h(HookLine, { hook }));
            }),
          ),
          h(Pager, { path, page, total }),
        ],
    h(
      "section",
      null,
      h("h2", null, texts.add),
      h(
        "form",
        { class: "find", action: `${path}/new` },
        h(Choice, { name: "type", label: texts.kind, value: "gitea", options: hookTypes.map((type) => [type, texts.kinds[type]] as const) }),
        h("button", { type: "submit" }, forms.add),
      ),
    ),
  ];
}

function HookLine({ hook }: { readonly hook: HookView }): Html {
  const { hooks: texts } = useTexts();
  const { name, url, type, scope, isActive } = hook;
  const marks = [texts.kinds[type], scope === "system" && texts.system, scope === "default" && texts.default, !isActive && texts.inactive];
  return [
    name !== "" && h("strong", null, name, " "),
    url === "" ? texts.isFetched : h("code", null, url),
    h("div", { class: "soft" }, marks.filter((mark) => mark !== false).join(" · ")),
  ];
}

/** The form of a webhook: `event_...` for each event, `setting_...` for what its type needs. */
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

export interface HookFormFacts {
  readonly action: string;
  readonly type: HookType;
  readonly values: HookValues;
  /** A new one of the server can be for all repositories. */
  readonly asksForSystem: boolean;
  /** It has secrets, which nobody is shown: what is left empty stays. */
  readonly isNew: boolean;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** Whom a webhook calls, how, and about what. */
export function HookForm({ action, type, values, asksForSystem, isNew, problem, formToken }: HookFormFacts): Html {
  const { hooks: texts, forms } = useTexts();
  const { required, optional } = settingNames[type];
  const kept = isNew ? undefined : texts.kept;
  return h(
    Form,
    { action, formToken, problem, hidden: { type } },
    h("p", { class: "soft" }, texts.kinds[type]),
    h(OptionalField, { name: "name", label: texts.name, value: values.name }),
    h(Field, { name: "url", label: texts.url, value: values.url, type: "url", autocomplete: "off" }),
    h(Choice, { name: "content_type", label: texts.contentType, value: values.content_type, options: Object.entries(texts.contentTypes) }),
    required.map((name) => h(Field, { name: `setting_${name}`, label: texts.settings[name], value: values[`setting_${name}`] ?? "", autocomplete: "off" })),
    optional.map((name) => h(OptionalField, { name: `setting_${name}`, label: texts.settings[name], value: values[`setting_${name}`] ?? "" })),
    h(Field, { name: "secret", label: texts.secret, type: "password", autocomplete: "new-password", hint: kept, isOptional: true }),
    h(Field, { name: "authorization_header", label: texts.authorization, type: "password", autocomplete: "off", hint: kept, isOptional: true }),
    h(
      Group,
      { legend: texts.events },
      problem?.field === "events" && h("p", { class: "wrong" }, texts.chooseEvent),
      h(
        "div",
        { class: "beside" },
        eventNames.map((name) => h(CheckBox, { name: `event_${name}`, label: texts.eventNames[name], isChecked: values[`event_${name}`] ?? false })),
      ),
    ),
    h(OptionalField, { name: "branch_filter", label: texts.branchFilter, value: values.branch_filter, hint: texts.branchFilterHint }),
    asksForSystem && h(CheckBox, { name: "system", label: texts.isSystem, isChecked: values.system }),
    h(CheckBox, { name: "active", label: texts.active, isChecked: values.active }),
    h(Submit, { label: isNew ? forms.add : forms.save }),
  );
}

export interface DeliveriesFacts {
  /** Of the webhook. */
  readonly path: string;
  readonly deliveries: readonly DeliveryView[];
  readonly total: number;
  readonly page: Page;
  /** Pages test webhooks of a repository only; the interface tests the others with the push of a chosen repository. */
  readonly canTest: boolean;
  readonly formToken: string;
}

/** What a webhook was told, the newest first. */
export function DeliveriesView({ path, deliveries, total, page, canTest, formToken }: DeliveriesFacts): Html {
  const { hooks: texts } = useTexts();
  return h(
    "section",
    null,
    h("h2", null, texts.deliveries),
    canTest &&
      h("div", { class: "bar" }, h(Do, { action: `${path}/test`, formToken, label: texts.test, of: path }), h("span", { class: "soft" }, texts.testHint)),
    deliveries.length === 0 && h("p", { class: "soft" }, texts.noDeliveries),
    h(
      Rows,
      null,
      deliveries.map((delivery) =>
        h(
          Row,
          { action: h(State, delivery) },
          h("a", { href: `${path}/deliveries/${delivery.id}` }, h("code", null, delivery.eventType)),
          h("span", { class: "soft" }, " ", h(Moment, { ms: delivery.createdMs }), ", ", texts.attempts(delivery.attempts)),
        ),
      ),
    ),
    h(Pager, { path, page, total }),
  );
}

function State({ state, responseStatus }: Pick<DeliveryView, "state" | "responseStatus">): Html {
  const { hooks: texts } = useTexts();
  const look = state === "delivered" ? "badge good" : state === "failed" || state === "refused" ? "badge bad" : "badge";
  return h("span", { class: look }, texts.states[state], responseStatus !== null && ` ${responseStatus}`);
}

export interface DeliveryFacts {
  /** Of the webhook. */
  readonly path: string;
  readonly delivery: DeliveryView;
  readonly isCalled: boolean;
  readonly formToken: string;
}

/** One thing that a webhook was told: what was sent, and what came back. */
export function DeliveryPage({ path, delivery, isCalled, formToken }: DeliveryFacts): Html {
  const { hooks: texts, forms } = useTexts();
  const { id, uuid, eventType, attempts, attemptedMs, durationMs, responseBody, error, payload } = delivery;
  return [
    h(
      "dl",
      { class: "pairs" },
      h("dt", null, texts.event),
      h("dd", null, h("code", null, eventType)),
      h("dt", null, texts.id),
      h("dd", null, h("code", null, uuid)),
      h("dt", null, texts.status),
      h("dd", null, h(State, delivery), " ", texts.attempts(attempts)),
      attemptedMs !== null && [h("dt", null, texts.at), h("dd", null, h(Moment, { ms: attemptedMs }))],
      durationMs !== null && [h("dt", null, texts.took), h("dd", null, `${durationMs} ms`)],
    ),
    error !== null && error !== "" && h("p", { class: "notice bad" }, error),
    isCalled &&
      h(
        "form",
        { method: "post", action: `${path}/deliveries/${id}/redeliver` },
        h(FormToken, { value: formToken }),
        h("button", { class: "primary", type: "submit" }, texts.redeliver),
      ),
    h("h3", null, texts.request),
    payload !== undefined && h("pre", { tabIndex: 0 }, h("code", null, readable(payload))),
    h("h3", null, texts.response),
    responseBody === null || responseBody === "" ? h("p", { class: "soft" }, texts.noResponse) : h("pre", { tabIndex: 0 }, h("code", null, responseBody)),
    h("p", null, h("a", { href: path }, forms.cancel)),
  ];
}

/** JSON with its lines; what is none stays as it is. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
