import { type Actor, isSiteAdmin, isUser, type UserActor } from "../access/actor.ts";
import { type Confirmation, readConfirmation } from "../core/confirmations.ts";
import { type Headers, readCookies } from "../core/cookies.ts";
import type { Pictured } from "../core/urls.ts";
import { formTokenOf } from "./session-cookie.ts";

/** The reader of a page, as the page layout needs it. */
export interface PageReader {
  /** Undefined for anonymous readers. */
  readonly viewer: (Pictured & { readonly formToken: string; readonly isAdmin: boolean }) | undefined;
  /** The chosen theme; undefined to follow the browser. */
  readonly theme: "light" | "dark" | undefined;
  /** Language tags, in order of preference. */
  readonly languages: readonly string[];
  /** The confirmed change after a form was sent; undefined for none. */
  readonly confirmation: Confirmation | undefined;
  /** URL of the page, so that a visitor who signs in from it can return. */
  readonly here: string | undefined;
}

/** The parts of a request that page rendering uses. */
export interface PageRequest {
  readonly actor: Actor;
  readonly session: string | undefined;
  readonly headers: Headers;
  readonly url?: string;
}

export const pageReader = ({ actor, session, headers, url }: PageRequest): PageReader => ({
  viewer: isUser(actor) && session !== undefined ? viewerOf(actor, session) : undefined,
  ...(isUser(actor)
    ? { theme: themeOf(actor.display?.theme), languages: [...chosenLanguage(actor), ...acceptedLanguages(headers["accept-language"])] }
    : visitorReader(headers)),
  confirmation: url === undefined ? undefined : readConfirmation(url),
  here: url !== undefined && !isUser(actor) && isPlace(url) ? url : undefined,
});

const viewerOf = (actor: UserActor, session: string) => ({
  name: actor.name,
  email: actor.email,
  avatar: actor.display?.avatar ?? "",
  formToken: formTokenOf(session),
  isAdmin: isSiteAdmin(actor),
});

/** Excludes the front page, which differs for signed-in users, and the sign-in pages. */
const isPlace = (url: string): boolean => !/^\/(?:\?|$|user\/)/.test(url);

/** The language of the account takes precedence over the browser's. */
const chosenLanguage = ({ display }: UserActor): readonly string[] => (display?.language ? [display.language] : []);

/** Cookies with the choices of a visitor. @compat Gitea's pages also keep the language in `lang` (site/meta/web-appearance.test.ts) */
export const appearanceCookies = { language: "lang", theme: "hearth_theme" } as const;

/** Language and theme of a visitor, also on the pages that end with a sign-in. */
export const visitorReader = (headers: Headers): Pick<PageReader, "theme" | "languages"> => ({
  theme: (["light", "dark"] as const).find((theme) => theme === readCookies(headers, appearanceCookies.theme)[0]),
  languages: [...readCookies(headers, appearanceCookies.language).slice(0, 1), ...acceptedLanguages(headers["accept-language"])],
});

/** @compat Theme names are those of Gitea's clients: `gitea-dark` and similar (scenarios/pages-user-settings.test.ts). */
const themeOf = (name = ""): PageReader["theme"] => (name.endsWith("-dark") ? "dark" : name.endsWith("-light") ? "light" : undefined);

/** Further languages are ignored. */
const maxLanguages = 20;

/** Parses `de-CH, de;q=0.9, en;q=0.8` (RFC 9110, 12.5.4), in order of preference. */
export function acceptedLanguages(header: string | readonly string[] | undefined): readonly string[] {
  if (typeof header !== "string") return [];
  return header
    .split(",", maxLanguages)
    .map((part) => {
      const [, tag = "", weight = "1"] = /^\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*$/.exec(part) ?? [];
      return { tag, weight: Number(weight) };
    })
    .filter(({ tag, weight }) => tag !== "" && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
