import type { Urls } from "../../../core/urls.ts";
import type { Reason } from "./texts/vocabulary.ts";

/** The subject of an email, for mail clients' filters. */
export interface About {
  /** Undefined for an email that is not about a repository. */
  readonly repository: { readonly ownerName: string; readonly name: string; readonly fullName: string } | undefined;
  readonly reason: Reason;
  /** The user whose action the email is about; empty: the server. */
  readonly senderName: string;
  readonly recipientName: string;
  /** Unsubscribes the recipient with one request, without signing in. */
  readonly unsubscribeUrl: string;
}

/** Names of reasons that mail filters know. */
const knownReasons: Partial<Record<Reason, string>> = { requested: "review_requested", assignee: "assign", watch: "subscribed" };

/** Headers for grouping, filtering and unsubscribing (RFC 2369, 2919, 8058). */
export function headersOf({ repository, reason, senderName, recipientName, unsubscribeUrl }: About, urls: Urls): Record<string, string> {
  const knownReason = knownReasons[reason] ?? reason;
  return {
    ...(repository !== undefined && headersOfRepository(repository, urls)),
    "List-Unsubscribe": `<${unsubscribeUrl}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    "X-Mailer": "Hearth",
    // @compat existing mail filters use these headers (issue-mail/issue-mail.test.ts, issue-mail/pulls.test.ts)
    "X-Gitea-Reason": knownReason,
    "X-Gitea-Sender": senderName,
    "X-Gitea-Recipient": recipientName,
    "X-GitHub-Reason": knownReason,
    "X-GitHub-Sender": senderName,
    "X-GitHub-Recipient": recipientName,
  };
}

function headersOfRepository({ ownerName, name, fullName }: NonNullable<About["repository"]>, urls: Urls): Record<string, string> {
  const address = urls.web(ownerName, name);
  return {
    "List-ID": `${fullName} <${name}.${ownerName}.${urls.host}>`,
    "List-Archive": `<${address}>`,
    "List-Post": "NO",
    "X-Gitea-Repository": name,
    "X-Gitea-Repository-Path": fullName,
    "X-Gitea-Repository-Link": address,
  };
}
