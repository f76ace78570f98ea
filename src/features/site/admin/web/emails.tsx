import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { administrationPaths } from "../../../../ui/settings.tsx";
import type { AccountDeps } from "../../../accounts/users/service/accounts.ts";
import { searchEmails } from "../../../accounts/users/service/emails.ts";
import { EmailsView } from "../views/emails.tsx";
import { adminPage, show } from "./frame.ts";

/** The email addresses of all accounts. */
export const adminEmailPages = (deps: Pick<AccountDeps, "db">): Route[] => [
  defineRoute({
    ...adminPage,
    id: "adminEmailsPage",
    method: "GET",
    path: administrationPaths.emails,
    summary: "The email addresses of all accounts",
    query: { q: query.text("Part of an address or a name") },
    handle: async (request) => {
      const { q = "" } = request.query;
      const { items, total } = await searchEmails(deps, q, request.page);
      return show(request, "emails", <EmailsView path={administrationPaths.emails} emails={items} total={total} text={q} page={request.page} />);
    },
  }),
];
