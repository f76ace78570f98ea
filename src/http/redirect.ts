import { escapeHtml } from "../core/escape-html.ts";
import type { PreparedReply } from "./answers.ts";

const titles = { 301: "Moved Permanently", 303: "See Other", 307: "Temporary Redirect" } as const;

/**
 * A redirect of the API.
 * @compat Responses to GET contain a link, as those of Go's HTTP library (http/server.test.ts).
 */
export const redirectTo = (location: string, status: keyof typeof titles): PreparedReply & { readonly body: string } => ({
  status,
  headers: { location, "content-type": "text/html; charset=utf-8" },
  body: `<a href="${escapeHtml(location)}">${titles[status]}</a>.\n\n`,
});
