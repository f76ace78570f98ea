import { h } from "preact";
import { type ScopeCategory, type ScopeSet, scopeCategories } from "../../../access/scopes.ts";
import { Form } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
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
export const ConsentView = ({ application, name, scopes, redirectUri, formToken, hidden }: ConsentFacts): Html => [
  h(
    "p",
    null,
    h("strong", null, application.name),
    application.owner === undefined ? ", which this server knows," : h("span", null, ", an application of ", h("strong", null, application.owner.name), ","),
    " asks for access to your account ",
    h("strong", null, name),
    ". It will be able to:",
  ),
  h(
    "ul",
    null,
    describeScopes(scopes).map((line) => h("li", null, line)),
  ),
  h("p", { class: "soft" }, "You are then led to ", h("code", null, redirectUri), ". Allow this only if you have just asked the application to sign you in."),
  h(
    Form,
    { action: "/login/oauth/grant", formToken, hidden },
    h(
      "div",
      { class: "actions" },
      h("button", { class: "primary", type: "submit", name: "granted", value: "true" }, "Allow"),
      h("button", { type: "submit", name: "granted", value: "false" }, "Refuse"),
    ),
  ),
];

const subjects: Readonly<Record<ScopeCategory, string>> = {
  activitypub: "federation",
  admin: "the administration of this server",
  misc: "settings and rendering",
  notification: "your notifications",
  organization: "your organizations and teams",
  package: "packages",
  issue: "issues and pull requests",
  repository: "repositories, private ones included",
  user: "your account, keys and settings",
};

/** What scopes give, a line each. */
export function describeScopes(scopes: readonly string[]): readonly string[] {
  const rights = rightsOf(scopes);
  return [
    rights.all ? "do everything that you can do through the interface, and read all that you can read" : "know that you have an account here, and its number",
    ...(asksFor(scopes, "profile") ? ["know your name and picture"] : []),
    ...(asksFor(scopes, "email") ? ["know your e-mail address"] : []),
    ...(asksFor(scopes, "groups") ? ["know your organizations and teams"] : []),
    ...(rights.all ? [] : describeRights(rights)),
  ];
}

const describeRights = (rights: ScopeSet): readonly string[] =>
  scopeCategories.flatMap((category) => {
    const level = rights.levels.get(category);
    const subject = rights.publicOnly && category === "repository" ? "public repositories" : subjects[category];
    return level === undefined ? [] : [`${level === "write" ? "read and change" : "read"} ${subject}`];
  });
