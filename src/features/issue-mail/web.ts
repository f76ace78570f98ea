import { h } from "preact";
import { anyone } from "../../http/access.ts";
import { raw } from "../../http/answers.ts";
import { query } from "../../http/query.ts";
import { defineRoute, type Route } from "../../http/route.ts";
import { renderPage } from "../../ui/page.ts";
import { checkCode, type UnsubscribeDeps, unsubscribe } from "./service/unsubscribe.ts";
import { UnsubscribedView, UnsubscribeView } from "./views/unsubscribe.ts";

/** Nobody signs in here: what a letter's link carries is all that counts. */
const page = {
  mount: "root",
  path: "/user/unsubscribe",
  tag: "user",
  isUnlisted: true,
  isPage: true,
  isOpen: true,
  access: anyone,
  scope: "none",
  query: { code: query.text("What the letter's link carries") },
  answers: raw(["text/html"]),
} as const;

/** Where letters about issues lead whoever wants no more of them. */
export function unsubscribePages(deps: UnsubscribeDeps): Route[] {
  const title = "No more of this";
  return [
    defineRoute({
      ...page,
      id: "unsubscribePage",
      method: "GET",
      summary: "The question whether one wants to hear no more of an issue, or of anything, from a letter",
      // Programs that look at letters open their links: looking changes nothing.
      handle: ({ query }) => {
        const code = query.code ?? "";
        const { issueId } = checkCode(deps, code);
        return renderPage({ title, isNarrow: true }, h(UnsubscribeView, { code, isOfAll: issueId === null }));
      },
    }),
    defineRoute({
      ...page,
      id: "unsubscribe",
      method: "POST",
      // Mail programs post here by themselves (RFC 8058): they come from no page, and their body says nothing that the link does not.
      ignoresCredentials: true,
      summary: "Hear no more of an issue, or of anything",
      handle: async ({ query, remoteAddress }) => {
        const { issueId } = await unsubscribe(deps, query.code ?? "", remoteAddress);
        return renderPage({ title, isNarrow: true }, h(UnsubscribedView, { isOfAll: issueId === null }));
      },
    }),
  ];
}
