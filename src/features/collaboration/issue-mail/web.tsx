import { anyone } from "../../../http/access.ts";
import { type RawReply, raw } from "../../../http/answers.ts";
import { visitorReader } from "../../../http/page-reader.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import type { Html } from "../../../ui/html.ts";
import { renderPage } from "../../../ui/page.tsx";
import { textsFor } from "../../../ui/texts/texts.ts";
import { checkCode, languageOf, type UnsubscribeDeps, unsubscribe } from "./service/unsubscribe.ts";
import { unsubscribeTexts } from "./texts/texts.ts";
import type { Unsubscribing } from "./unsubscribing.ts";
import { UnsubscribedView, UnsubscribeView } from "./views/unsubscribe.tsx";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** These pages need no sign-in: the code in the link authorizes. */
const page = {
  mount: "root",
  path: "/user/unsubscribe",
  tag: "user",
  isUnlisted: true,
  isPage: true,
  isOpen: true,
  access: anyone,
  scope: "none",
  query: { code: query.text("The code from the email's link") },
  answers: raw(["text/html"]),
} as const;

/** Pages that the unsubscribe links in emails lead to. */
export function unsubscribePages(deps: UnsubscribeDeps): Route[] {
  async function shown(headers: Headers, input: Unsubscribing, content: Html): Promise<RawReply> {
    const chosen = await languageOf(deps, input);
    const visitor = visitorReader(headers);
    const languages = [...(chosen === "" ? [] : [chosen]), ...visitor.languages];
    return renderPage({ title: textsFor(unsubscribeTexts, languages).title, isNarrow: true, ...visitor, languages }, content);
  }
  return [
    defineRoute({
      ...page,
      id: "unsubscribePage",
      method: "GET",
      summary: "Ask whether to unsubscribe from an issue or from all emails",
      // Mail scanners open links, so GET does not unsubscribe.
      handle: ({ query, headers }) => {
        const code = query.code ?? "";
        const input = checkCode(deps, code);
        return shown(headers, input, <UnsubscribeView code={code} isOfAll={input.issueId === null} />);
      },
    }),
    defineRoute({
      ...page,
      id: "unsubscribe",
      method: "POST",
      // Mail programs post here directly (RFC 8058): there is no page, and the link contains all data.
      ignoresCredentials: true,
      summary: "Unsubscribe from an issue or from all emails",
      handle: async ({ query, headers, remoteAddress }) => {
        const input = await unsubscribe(deps, query.code ?? "", remoteAddress);
        return shown(headers, input, <UnsubscribedView isOfAll={input.issueId === null} />);
      },
    }),
  ];
}
