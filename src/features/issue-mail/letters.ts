import type { Urls } from "../../core/urls.ts";
import type { Letter } from "../mail/letter.ts";
import { escapeHtml } from "../markup/escape.ts";
import type { Happening, IssueNews, Reason } from "./view.ts";

/** Everything that a letter says. Who gets it can read all of it. */
export interface LetterFacts {
  readonly news: IssueNews;
  readonly reason: Reason;
  readonly recipient: { readonly name: string; readonly email: string };
  /** Undefined: the server itself, or an account that is gone. */
  readonly actor: { readonly name: string; readonly fullName: string } | undefined;
  readonly repository: { readonly ownerName: string; readonly name: string; readonly fullName: string };
  readonly issue: { readonly number: number; readonly title: string; readonly isPull: boolean };
  /** What somebody wrote, in Markdown and rendered; empty where nothing was. */
  readonly content: { readonly text: string; readonly html: string };
  /** Ends the conversation for the recipient. */
  readonly unsubscribeUrl: string;
}

const did: Readonly<Record<Happening, string>> = {
  created: "opened",
  commented: "commented on",
  closed: "closed",
  reopened: "reopened",
  assigned: "assigned you to",
  mentioned: "mentioned you in",
};

const because: Readonly<Record<Reason, string>> = {
  mention: "you are mentioned",
  assign: "it was assigned to you",
  author: "you opened it",
  assignee: "it is assigned to you",
  comment: "you commented on it",
  subscribed: "you subscribed to it",
  watch: "you watch the repository",
};

/** Names of reasons as mail filters know them. */
const knownReasons: Partial<Record<Reason, string>> = { assignee: "assign", watch: "subscribed" };

/** The id of the letter that opens a conversation, and of each that follows: mail programs show them together, also to who joins later. */
export function letterId({ happening, issueId, commentId, eventId }: IssueNews): string {
  if (happening === "created") return `issue-${issueId}`;
  return happening === "commented" ? `issue-${issueId}.comment-${commentId}` : `issue-${issueId}.event-${eventId}`;
}

export function writeLetter(facts: LetterFacts, urls: Urls): Letter {
  const { news, issue, repository, recipient } = facts;
  const isFirst = news.happening === "created";
  return {
    to: recipient.email,
    subject: `${isFirst ? "" : "Re: "}[${repository.fullName}] ${issue.title} (#${issue.number})`,
    senderName: facts.actor === undefined ? "" : facts.actor.fullName || facts.actor.name,
    text: textOf(facts, urls),
    html: pageOf(facts, urls),
    ...(!isFirst && { follows: `issue-${news.issueId}` }),
    headers: headersOf(facts, urls),
  };
}

const kindOf = ({ issue }: LetterFacts): string => (issue.isPull ? "pull request" : "issue");

function addressOf({ repository, issue, news }: LetterFacts, urls: Urls): string {
  const page = urls.web(repository.ownerName, repository.name, issue.isPull ? "pulls" : "issues", issue.number);
  return news.commentId === null ? page : `${page}#issuecomment-${news.commentId}`;
}

const headline = (facts: LetterFacts): string =>
  `${facts.actor?.name ?? "The server"} ${did[facts.news.happening]} ${kindOf(facts)} #${facts.issue.number} of ${facts.repository.fullName}.`;

function textOf(facts: LetterFacts, urls: Urls): string {
  const { content, reason, unsubscribeUrl } = facts;
  const footer = `Read and answer: ${addressOf(facts, urls)}
You get this letter because ${because[reason]}. Answers to it are read by nobody.
No more of this ${kindOf(facts)}: ${unsubscribeUrl}
Which letters you get is yours to choose: PATCH ${urls.api("user", "settings", "mail")}`;
  return `${headline(facts)}\n\n${content.text === "" ? "" : `${content.text.trimEnd()}\n\n`}-- \n${footer}\n`;
}

function pageOf(facts: LetterFacts, urls: Urls): string {
  const link = (address: string, text: string): string => `<a href="${escapeHtml(address)}">${escapeHtml(text)}</a>`;
  const footer = [
    link(addressOf(facts, urls), "Read and answer it"),
    `You get this letter because ${because[facts.reason]}. Answers to it are read by nobody.`,
    link(facts.unsubscribeUrl, `No more of this ${kindOf(facts)}`),
    `Which letters you get is yours to choose: <code>PATCH ${escapeHtml(urls.api("user", "settings", "mail"))}</code>`,
  ];
  return `<!doctype html><html><head><meta charset="utf-8"><title>${escapeHtml(facts.issue.title)}</title></head><body>
<p>${escapeHtml(headline(facts))}</p>
${facts.content.html}
<hr>
<p style="font-size:small">${footer.join("<br>\n")}</p>
</body></html>
`;
}

/** What mail programs group, file and unsubscribe by (RFC 2369, 2919, 8058). */
function headersOf(facts: LetterFacts, urls: Urls): Record<string, string> {
  const { repository, issue, recipient, reason } = facts;
  const { ownerName, name, fullName } = repository;
  const address = urls.web(ownerName, name);
  const sender = facts.actor?.name ?? "";
  const knownReason = knownReasons[reason] ?? reason;
  return {
    "List-ID": `${fullName} <${name}.${ownerName}.${urls.host}>`,
    "List-Archive": `<${address}>`,
    "List-Post": "NO",
    "List-Unsubscribe": `<${facts.unsubscribeUrl}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    "X-Mailer": "Hearth",
    // @compat filters that people have know letters by these
    "X-Gitea-Reason": knownReason,
    "X-Gitea-Sender": sender,
    "X-Gitea-Recipient": recipient.name,
    "X-Gitea-Repository": name,
    "X-Gitea-Repository-Path": fullName,
    "X-Gitea-Repository-Link": address,
    "X-Gitea-Issue-ID": String(issue.number),
    "X-Gitea-Issue-Link": urls.web(ownerName, name, issue.isPull ? "pulls" : "issues", issue.number),
    "X-GitHub-Reason": knownReason,
    "X-GitHub-Sender": sender,
    "X-GitHub-Recipient": recipient.name,
  };
}
