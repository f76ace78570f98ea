import { type Actor, isSiteAdmin, isUser } from "../access/actor.ts";
import { formTokenOf } from "./session-cookie.ts";

/** Who reads a page, as its frame shows him. */
export interface PageReader {
  /** Undefined: nobody has signed in with this browser. */
  readonly viewer: { readonly name: string; readonly formToken: string; readonly isAdmin: boolean } | undefined;
  /** As he has chosen, else as his browser prefers it. */
  readonly theme: "light" | "dark" | undefined;
  /** Language tags, the best first. */
  readonly languages: readonly string[];
  /** What a form has asked for just before is done (`savedAt` in `form-submit.ts`). */
  readonly isSaved: boolean;
  /** The page itself, for a visitor who signs in from it and comes back. */
  readonly here: string | undefined;
}

/** What of a request a page is rendered by. */
export interface PageRequest {
  readonly actor: Actor;
  readonly session: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly url?: string;
}

export const pageReader = ({ actor, session, headers, url }: PageRequest): PageReader => ({
  viewer: isUser(actor) && session !== undefined ? { name: actor.name, formToken: formTokenOf(session), isAdmin: isSiteAdmin(actor) } : undefined,
  theme: isUser(actor) ? themeOf(actor.display?.theme) : undefined,
  languages: [...chosenLanguage(actor), ...acceptedLanguages(headers["accept-language"])],
  isSaved: url !== undefined && /[?&]saved=true\b/.test(url),
  here: url !== undefined && !isUser(actor) && isPlace(url) ? url : undefined,
});

/** Not the front page, which is another one then, nor those on which people sign in. */
const isPlace = (url: string): boolean => !/^\/(?:\?|$|user\/)/.test(url);

/** What an account has chosen comes before what its browser accepts. */
const chosenLanguage = (actor: Actor): readonly string[] => (isUser(actor) && actor.display?.language ? [actor.display.language] : []);

/** @compat themes have the names by which clients know them: `gitea-dark` and the like */
const themeOf = (name = ""): PageReader["theme"] => (name.endsWith("-dark") ? "dark" : name.endsWith("-light") ? "light" : undefined);

/** More are nobody's languages. */
const maxLanguages = 20;

/** `de-CH, de;q=0.9, en;q=0.8` (RFC 9110, 12.5.4), the most wanted first. */
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
