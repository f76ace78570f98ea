import { type ScopeSet, scopeCategories } from "../../../../access/scopes.ts";
import { Form } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { type TextsOf, useTexts } from "../../../../ui/texts/texts.ts";
import type { ApplicationView } from "../model.ts";
import { asksFor, rightsOf } from "../scopes.ts";
import { oauth2Texts } from "../texts/texts.ts";

export interface ConsentProps {
  readonly application: ApplicationView;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  readonly formToken: string;
  /** The parameters of the request, sent back with the form. */
  readonly hidden: Readonly<Record<string, string>>;
}

/** The consent page: the application, the requested rights and the redirect target. */
export function ConsentView({ application, name, scopes, redirectUri, formToken, hidden }: ConsentProps): Html {
  const { consent: texts, rights } = useTexts(oauth2Texts);
  const { owner } = application;
  return (
    <>
      <p>
        <strong>{application.name}</strong>
        {owner === undefined ? (
          texts.ofServer
        ) : (
          <span>
            {texts.ofOwner}
            <strong>{owner.name}</strong>
            {texts.ofOwnerRest}
          </span>
        )}
        {texts.asks}
        <strong>{name}</strong>
        {texts.able}
      </p>
      <ul>
        {describeScopes(rights, scopes).map((line) => (
          <li>{line}</li>
        ))}
      </ul>
      <p class="soft">
        {texts.leads}
        <code>{redirectUri}</code>
        {texts.leadsRest}
      </p>
      <Form action="/login/oauth/grant" formToken={formToken} hidden={hidden}>
        <div class="actions">
          <button class="primary" type="submit" name="granted" value="true">
            {texts.allow}
          </button>
          <button type="submit" name="granted" value="false">
            {texts.refuse}
          </button>
        </div>
      </Form>
    </>
  );
}

type RightTexts = TextsOf<typeof oauth2Texts>["rights"];

/** Descriptions of scopes, one line each. */
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
