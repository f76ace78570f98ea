import { cookieOf, type Headers } from "../../../core/cookies.ts";
import { forbidden, invalid } from "../../../core/errors.ts";
import { localPath, type Urls } from "../../../core/urls.ts";
import { anyone } from "../../../http/access.ts";
import { raw } from "../../../http/answers.ts";
import { seeOther } from "../../../http/form-submit.ts";
import { appearanceCookies, visitorReader } from "../../../http/page-reader.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { isFromHere } from "../../../http/session-cookie.ts";
import { appearancePath } from "../../../ui/appearance-menu.tsx";
import { languages, textsFor } from "../../../ui/texts/texts.ts";
import { inPlace, text } from "../../../wire/schema.ts";
import { signInTexts } from "../../accounts/sessions/texts/texts.ts";

const maxAgeSeconds = 365 * 86_400;

/** The form with which visitors choose language and theme. Each of its buttons submits one field. */
export const appearancePages = ({ urls }: { readonly urls: Urls }): readonly Route[] => [
  defineRoute({
    id: "chooseAppearance",
    method: "POST",
    mount: "root",
    path: appearancePath,
    tag: "miscellaneous",
    summary: "Choose language or theme as a visitor",
    isUnlisted: true,
    isPage: true,
    isOpen: true,
    ignoresCredentials: true,
    access: anyone,
    scope: "none",
    answers: raw(["text/html"]),
    body: inPlace({ language: text(), theme: text() }),
    handle: ({ body: { language, theme }, headers }) => {
      if (isFromHere(headers, urls) === false) throw forbidden(textsFor(signInTexts, visitorReader(headers).languages).elsewhere);
      const cookie = language === "" ? cookieFor(urls, "theme", theme, ["system", "light", "dark"]) : cookieFor(urls, "language", language, languages);
      const { status, headers: location } = seeOther(previousPath(headers, urls));
      return { status, headers: { ...location, "set-cookie": cookie } };
    },
  }),
];

/** @throws ForgeError `invalid` */
function cookieFor(urls: Urls, choice: keyof typeof appearanceCookies, value: string, allowed: readonly string[]): string {
  if (!allowed.includes(value)) throw invalid(`${choice} must be one of ${allowed.join(", ")}`, { field: choice });
  return value === "system" ? cookieOf(urls, appearanceCookies[choice], "", 0) : cookieOf(urls, appearanceCookies[choice], value, maxAgeSeconds);
}

/** The page with the form. Browsers send its address, because pages ask them to send it to this server. */
function previousPath({ referer, host }: Headers, urls: Urls): string {
  if (typeof referer !== "string" || !URL.canParse(referer)) return "/";
  const from = new URL(referer);
  return from.host === host || from.origin === urls.origin ? localPath(from.pathname + from.search) : "/";
}
