import type { Static } from "typebox";
import type { UserActor } from "../../../../access/actor.ts";
import { type ScopeCategory, scopeCategories } from "../../../../access/scopes.ts";
import type { AccountSubject } from "../../../../access/subjects.ts";
import { invalid } from "../../../../core/errors.ts";
import type { Page } from "../../../../core/paging.ts";
import { signedIn } from "../../../../http/access.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { savedAt, submit } from "../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { type Refused, settingsPage } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { renderAccountSettings } from "../../../../ui/settings.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { bool, inPlace, type Schema, text } from "../../../../wire/schema.ts";
import { hasPassword } from "../../users/service/password-keeper.ts";
import { checkExpiry, createToken, listOwnTokens, removeOwnToken, type TokenDeps } from "../../users/service/tokens.ts";
import { TokensView, type TokenValues } from "../../users/views/tokens.tsx";
import { confirmPassword } from "../service/own-password.ts";
import type { SignInDeps } from "../service/sign-in.ts";
import { signInTexts } from "../texts/texts.ts";

export type TokenPageDeps = TokenDeps & Pick<SignInDeps, "passwords">;

const TokenFields = inPlace({
  name: text(),
  public_only: bool(),
  expires: text(),
  repositories: text(),
  password: text(),
  ...(Object.fromEntries(scopeCategories.map((category) => [`scope_${category}`, text()])) as Record<`scope_${ScopeCategory}`, Schema<string>>),
});
const NoFields = inPlace({});

const page = { ...settingsPage, tag: "user", access: signedIn, scope: "user", refusesPublicOnly: true } as const;
const path = "/user/settings/applications";

/** Pages of the caller's access tokens. */
export const tokenPages = (deps: TokenPageDeps): Route[] => [
  defineRoute({ ...page, id: "tokensPage", method: "GET", path, summary: "The caller's access tokens", handle: (request) => show(deps, request) }),
  defineRoute({
    ...page,
    id: "createTokenByForm",
    method: "POST",
    path,
    summary: "Create an access token and show it once",
    body: TokenFields,
    handle: (request) => {
      const { actor, body } = request;
      const make = async (): Promise<RawReply> => {
        const { wrongPassword } = textsFor(signInTexts, pageReader(request).languages);
        const input = readToken(body);
        const person = await confirmPassword(deps, actor, body.password, `[Password]: ${wrongPassword}`);
        const { text: made } = await createToken(deps, person, subjectOf(actor), input);
        return show(deps, request, undefined, made);
      };
      return submit(make, (problem) => show(deps, request, { values: body, problem }), {
        field: "name",
        fieldOf: { time_passed: "expires" },
        checks: {
          scopes: () => scopesOf(body),
          expires: () => checkExpiry(deps, expiryOf(body)),
          password: () => requireText("Password", body.password),
        },
      });
    },
  }),
  defineRoute({
    ...page,
    id: "removeTokenByForm",
    method: "POST",
    path: `${path}/{id}/remove`,
    summary: "Delete an access token",
    body: NoFields,
    handle: async ({ actor, params }) => {
      await removeOwnToken(deps, actor, params.id);
      return savedAt(path, "deleted");
    },
  }),
];

const subjectOf = ({ id, name }: UserActor): AccountSubject => ({ id, name, kind: "user", visibility: "public" });

type Typed = Static<typeof TokenFields>;

function requireText(name: string, text: string): void {
  if (text.trim() === "") throw invalid(`[${name}]: Required`, { reason: "required" });
}

function scopesOf(body: Typed): readonly string[] {
  const levels = scopeCategories.flatMap((category) => (body[`scope_${category}`] === "" ? [] : `${body[`scope_${category}`]}:${category}`));
  if (levels.length === 0) throw invalid("[Scopes]: Required", { reason: "scope_required" });
  return [...(body.public_only ? ["public-only"] : []), ...levels];
}

function expiryOf({ expires }: Typed): number | null {
  const ms = expires.trim() === "" ? null : Date.parse(`${expires.trim()}T23:59:59Z`);
  if (Number.isNaN(ms)) throw invalid("[Expires]: Required", { reason: "required" });
  return ms;
}

function readToken(body: Typed) {
  requireText("Name", body.name);
  const repositories = body.repositories
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return {
    name: body.name.trim(),
    scopes: scopesOf(body),
    expiresMs: expiryOf(body),
    repositories: repositories.length === 0 ? null : repositories,
  };
}

const nothingTyped = {
  name: "",
  public_only: false,
  expires: "",
  repositories: "",
  ...(Object.fromEntries(scopeCategories.map((category) => [`scope_${category}`, ""])) as Record<`scope_${ScopeCategory}`, string>),
} satisfies TokenValues;

type OwnRequest = PageRequest & { readonly actor: UserActor; readonly page: Page };

/** @param made a token that was just created */
async function show(deps: TokenPageDeps, request: OwnRequest, refused?: Refused<TokenValues>, made?: string): Promise<RawReply> {
  const { actor, page, session } = request;
  const { items, total } = await listOwnTokens(deps, actor, page);
  const formToken = formTokenOf(requireSession(session));
  const props = { path, tokens: items, total, page, made, values: nothingTyped, hasPassword: await hasPassword(deps, actor), formToken, ...refused };
  return renderAccountSettings({ ...pageReader(request), section: "tokens" }, <TokensView {...props} />);
}
