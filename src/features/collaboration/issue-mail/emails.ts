import type { Urls } from "../../../core/urls.ts";
import type { EmailMessage } from "../../site/mail/email.ts";
import { headersOf } from "../../site/mail/headers.ts";
import { layOut, type Passage } from "../../site/mail/layout.ts";
import type { MailTexts } from "../../site/mail/texts/texts.ts";
import type { Reason } from "../../site/mail/texts/vocabulary.ts";
import type { IssueNews } from "./model.ts";
import type { IssueEmailTexts } from "./texts/texts.ts";

/** Contents of an email. The recipient can read all of it. */
export interface EmailContext {
  readonly texts: MailTexts & IssueEmailTexts;
  readonly news: IssueNews;
  readonly reason: Reason;
  readonly recipient: { readonly name: string; readonly email: string };
  /** Undefined: the server itself, or a deleted account. */
  readonly actor: { readonly name: string; readonly fullName: string } | undefined;
  readonly repository: { readonly ownerName: string; readonly name: string; readonly fullName: string };
  readonly issue: { readonly number: number; readonly title: string; readonly isPull: boolean };
  readonly passages: readonly Passage[];
  /** Unsubscribes the recipient from the conversation. */
  readonly unsubscribeUrl: string;
}

/** Message id of an email. Mail programs thread the emails of a conversation by it, also for users who subscribe later. */
export function letterId({ happening, issueId, reviewId, commentId, eventId }: IssueNews): string {
  if (happening === "created") return `issue-${issueId}`;
  if (reviewId !== null) return `issue-${issueId}.review-${reviewId}`;
  return happening === "commented" ? `issue-${issueId}.comment-${commentId}` : `issue-${issueId}.event-${eventId}`;
}

export function writeEmail(context: EmailContext, urls: Urls): EmailMessage {
  const { news, issue, repository, recipient, reason, unsubscribeUrl } = context;
  const { actor } = context;
  const isFirst = news.happening === "created";
  return {
    to: recipient.email,
    subject: `${isFirst ? "" : "Re: "}[${repository.fullName}] ${issue.title} (#${issue.number})`,
    senderName: actor === undefined ? "" : actor.fullName || actor.name,
    ...layOut({ title: issue.title, headline: headlineOf(context), passages: context.passages, footer: footerOf(context, urls) }),
    ...(!isFirst && { follows: `issue-${news.issueId}` }),
    headers: {
      ...headersOf({ repository, reason, senderName: actor?.name ?? "", recipientName: recipient.name, unsubscribeUrl }, urls),
      "X-Gitea-Issue-ID": String(issue.number),
      "X-Gitea-Issue-Link": pageOf(context, urls),
    },
  };
}

const kindOf = ({ texts, issue }: EmailContext): string => (issue.isPull ? texts.pull : texts.issue);

const pageOf = ({ repository, issue }: EmailContext, urls: Urls): string =>
  urls.web(repository.ownerName, repository.name, issue.isPull ? "pulls" : "issues", issue.number);

function headlineOf(context: EmailContext): string {
  const { texts, actor, news, issue, repository } = context;
  const subject = `${kindOf(context)} #${issue.number}`;
  return texts.happened[news.happening]({ actor: actor?.name ?? texts.theServer, subject, repository: repository.fullName });
}

function footerOf(context: EmailContext, urls: Urls) {
  const { texts, news, reason, unsubscribeUrl } = context;
  const page = pageOf(context, urls);
  return [
    { label: texts.viewAndReply, address: news.commentId === null ? page : `${page}#issuecomment-${news.commentId}` },
    { label: `${texts.because[reason]} ${texts.noReplies}` },
    { label: texts.unsubscribeFrom(kindOf(context)), address: unsubscribeUrl },
    { label: texts.settings, address: urls.web("user", "settings", "notifications") },
  ];
}
