import type { Urls } from "../../../core/urls.ts";
import type { Commit } from "../../../git/types.ts";
import type { EmailMessage } from "../../site/mail/email.ts";
import { headersOf } from "../../site/mail/headers.ts";
import { type Layout, layOut, literalPassage, type Passage, plainPassage } from "../../site/mail/layout.ts";
import type { MailTexts } from "../../site/mail/texts/texts.ts";
import type { Reason } from "../../site/mail/texts/vocabulary.ts";
import type { HookNews, RepositoryNews } from "./model.ts";
import type { RepositoryEmailTexts } from "./texts/texts.ts";

interface Place {
  readonly ownerName: string;
  readonly name: string;
  readonly fullName: string;
}

export interface PublishedRelease {
  readonly tagName: string;
  readonly title: string;
  readonly note: Passage;
}

/** Contents of an email. */
export interface EmailWords {
  readonly reason: Reason;
  /** Undefined: not about a repository. */
  readonly repository: Place | undefined;
  readonly subject: string;
  readonly headline: string;
  readonly passages: readonly Passage[];
  /** Page with details; undefined: none. */
  readonly page: string | undefined;
}

/** Author and recipient of an email. */
export interface Correspondents {
  readonly texts: MailTexts & RepositoryEmailTexts;
  readonly recipient: { readonly id: number };
  /** Undefined: the server itself, or a deleted account. */
  readonly actor: { readonly name: string; readonly fullName: string } | undefined;
}

/** Message id: mail programs thread the emails about the same subject by it. */
export function letterId(news: RepositoryNews): string {
  if (news.kind === "release") return `release-${news.releaseId}`;
  if (news.kind === "mention") return `commit-${news.repoId}-${news.oid}`;
  return news.kind === "offer" ? `transfer-${news.repoId}.event-${news.eventId}` : `hook-${news.hookId}.event-${news.eventId}`;
}

const shortOid = 10;

const nameOf = ({ actor, texts }: Correspondents): string => actor?.name ?? texts.theServer;

export function mentionWords(who: Correspondents, urls: Urls, repository: Place, { oid, message }: Commit): EmailWords {
  const { ownerName, name, fullName } = repository;
  const short = oid.slice(0, shortOid);
  const { subject, mentioned } = who.texts.commit;
  return {
    reason: "mention",
    repository,
    subject: subject(fullName, short),
    headline: mentioned(nameOf(who), short, fullName),
    passages: [literalPassage(message)],
    page: urls.web(ownerName, name, "commit", oid),
  };
}

export function offerWords(who: Correspondents, urls: Urls, repository: Place, recipientName: string): EmailWords {
  const { ownerName, name, fullName } = repository;
  const { subject, offered, answer } = who.texts.offer;
  const at = (verb: string): string => urls.api("repos", ownerName, name, "transfer", verb);
  return {
    reason: "recipient",
    repository,
    subject: subject(fullName, recipientName),
    headline: offered(nameOf(who), fullName, recipientName),
    passages: [plainPassage(answer(at("accept"), at("reject")))],
    page: urls.web(ownerName, name),
  };
}

export function releaseWords(who: Correspondents, urls: Urls, repository: Place, release: PublishedRelease): EmailWords {
  const { ownerName, name, fullName } = repository;
  const { tagName, title } = release;
  const { subject, published } = who.texts.release;
  return {
    reason: "watch",
    repository,
    subject: subject(fullName, title || tagName),
    headline: published(nameOf(who), title === "" || title === tagName ? tagName : `${title} (${tagName})`, fullName),
    passages: [release.note],
    page: urls.web(ownerName, name, "releases", "tag", tagName),
  };
}

export function hookWords({ texts, recipient }: Correspondents, urls: Urls, news: HookNews): EmailWords {
  const { ownerName, ownerId, host, isOfRepository, isSwitchedOff } = news;
  const { subject, failed, switchedOff, look } = texts.hook;
  const [owner = "", name = ""] = ownerName.split("/");
  const places = isOfRepository ? ["repos", owner, name] : ownerId === recipient.id ? ["user"] : ["orgs", owner];
  return {
    reason: "owner",
    repository: isOfRepository ? { ownerName: owner, name, fullName: ownerName } : undefined,
    subject: subject(ownerName, host),
    headline: (isSwitchedOff ? switchedOff : failed)(ownerName, host),
    passages: [plainPassage(look(urls.api(...places, "hooks", news.hookId, "deliveries")))],
    page: undefined,
  };
}

export interface EmailContext {
  readonly texts: MailTexts & RepositoryEmailTexts;
  readonly words: EmailWords;
  readonly recipient: { readonly name: string; readonly email: string };
  readonly actor: Correspondents["actor"];
  /** Unsubscribes the recipient from all such emails. */
  readonly unsubscribeUrl: string;
}

export function writeEmail({ texts, words, recipient, actor, unsubscribeUrl }: EmailContext, urls: Urls): EmailMessage {
  const { reason, repository, subject, headline, passages, page } = words;
  const footer: Layout["footer"] = [
    ...(page === undefined ? [] : [{ label: texts.view, address: page }]),
    { label: `${texts.because[reason]} ${texts.noReplies}` },
    { label: texts.unsubscribe, address: unsubscribeUrl },
    { label: texts.settings, address: urls.web("user", "settings", "notifications") },
  ];
  return {
    to: recipient.email,
    subject,
    senderName: actor === undefined ? "" : actor.fullName || actor.name,
    ...layOut({ title: subject, headline, passages, footer }),
    headers: headersOf({ repository, reason, senderName: actor?.name ?? "", recipientName: recipient.name, unsubscribeUrl }, urls),
  };
}
