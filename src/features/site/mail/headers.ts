import type { Urls } from "../../../core/urls.ts";
import type { Reason } from "./texts/vocabulary.ts";

/** What a letter is about, as mail programs sort it. */
export interface About {
  /** Undefined: it is about no repository. */
  readonly repository: { readonly ownerName: string; readonly name: string; readonly fullName: string } | undefined;
  readonly reason: Reason;
  /** Whose doing it tells of; empty: the server's. */
  readonly senderName: string;
  readonly recipientName: string;
  /** Ends such letters for the recipient, with one request and without signing in. */
  readonly unsubscribeUrl: string;
}

/** Names of reasons as mail filters know them. */
const knownReasons: Partial<Record<Reason, string>> = { requested: "review_requested", assignee: "assign", watch: "subscribed" };

/** What mail programs group, file and unsubscribe by (RFC 2369, 2919, 8058). */
export function headersOf({ repository, reason, senderName, recipientName, unsubscribeUrl }: About, urls: Urls): Record<string, string> {
  const knownReason = knownReasons[reason] ?? reason;
  return {
    ...(repository !== undefined && headersOfRepository(repository, urls)),
    "List-Unsubscribe": `<${unsubscribeUrl}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    "X-Mailer": "Hearth",
    // @compat filters that people have know letters by these
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
