import { h } from "preact";
import { type ScopeSet, scopeCategories } from "../../../access/scopes.ts";
import { Form } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { type Texts, useTexts } from "../../../ui/texts/texts.ts";
import { asksFor, rightsOf } from "../scopes.ts";
import type { ApplicationView } from "../view.ts";

export interface ConsentFacts {
  readonly application: ApplicationView;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  readonly formToken: string;
  /** The request, which travels with the answer. */
  readonly hidden: Readonly<Record<string, string>>;
}

/** Who asks, for what, and where the answer goes: what somebody has to know before he agrees. */
export function ConsentView({ application, name, scopes, redirectUri, formToken, hidden }: ConsentFacts): Html {
  const { consent: texts, rights } = useTexts().security;
  const { owner } = application;
  return [
    h(
      "p",
      null,
      h("strong", null, application.name),
      owner === undefined ? texts.ofServer : h("span", null, texts.ofOwner, h("strong", null, owner.name), texts.ofOwnerRest),
      texts.asks,
      h("strong", null, name),
      texts.able,
    ),
    h(
      "ul",
      null,
      describeScopes(rights, scopes).map((line) => h("li", null, line)),
    ),
    h("p", { class: "soft" }, texts.leads, h("code", null, redirectUri), texts.leadsRest),
    h(
      Form,
      { action: "/login/oauth/grant", formToken, hidden },
      h(
        "div",
        { class: "actions" },
        h("button", { class: "primary", type: "submit", name: "granted", value: "true" }, texts.allow),
        h("button", { type: "submit", name: "granted", value: "false" }, texts.refuse),
      ),
    ),
  ];
}

type RightTexts = Texts["security"]["rights"];

/** What scopes give, a line each. */
export function describeScopes(texts: RightTexts, scopes: readonly string[]): readonly string[] {
  const rights = rightsOf(scopes);
  return [
    rights.all ? texts.all : texts.exists,
    ...(["profile", "email", "groups"] as const).filter((scope) => asksFor(scopes, scope)).map((scope) => texts[scope]),
    ...(rights.all ? [] : describeRights(texts, rights)),
  ];
}

const describeRights = (texts: RightTexts, rights: ScopeSet): readonly string[] =>
  scopeCategories.flatMap((category) => {
    const level = rights.levels.get(category);
    const subject = rights.publicOnly && category === "repository" ? texts.publicRepositories : texts.subjects[category];
    return level === undefined ? [] : [level === "write" ? texts.write(subject) : texts.read(subject)];
  });
