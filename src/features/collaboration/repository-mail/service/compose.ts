import { operator, type UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import { isForgeError } from "../../../../core/errors.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Reader } from "../../../../db/db.ts";
import { readCommit } from "../../../../git/objects/objects.ts";
import type { GitStores } from "../../../../git/stores.ts";
import { codeStore } from "../../../repositories/branches/service/deps.ts";
import { requireRelease } from "../../../repositories/releases/service/find.ts";
import { findRepositoryById } from "../../../repositories/repos/service/find.ts";
import { asActor } from "../../../repositories/repos/service/user-rights.ts";
import type { EmailMessage } from "../../../site/mail/email.ts";
import { emailTexts, mailTexts } from "../../../site/mail/texts/texts.ts";
import type { ReferenceResolver } from "../../../site/markup/references.ts";
import type { Markup } from "../../../site/markup/service.ts";
import { type Correspondence, findCorrespondence } from "../../issue-mail/service/recipient.ts";
import { unsubscribeUrl } from "../../issue-mail/unsubscribing.ts";
import { type EmailContext, type EmailWords, hookWords, mentionWords, offerWords, releaseWords, writeEmail } from "../emails.ts";
import type { HookNews, MentionNews, OfferNews, PublishedNews } from "../model.ts";
import { repositoryEmailTexts } from "../texts/texts.ts";
import type { Writing } from "./fan-out.ts";
import { findOffer, listHookOwners } from "./recipients.ts";

export interface ComposeDeps {
  readonly db: Reader;
  readonly git: GitStores;
  readonly sealer: Sealer;
  readonly urls: Urls;
  readonly markup: Markup;
  /** Decides which references in a text become links for a reader. */
  readonly resolverOf: (reader: UserActor) => ReferenceResolver;
}

/**
 * Composes an email at the time of sending, if it still concerns the recipient.
 * @returns undefined if there is nothing left to send
 */
export async function composeEmail(deps: ComposeDeps, { news, accountId }: Writing): Promise<EmailMessage | undefined> {
  const found = await findCorrespondence(deps, accountId, news.actorId);
  if (found === undefined) return undefined;
  const { recipient, email, actor } = found;
  const texts = { ...emailTexts(mailTexts, recipient.language), ...emailTexts(repositoryEmailTexts, recipient.language) };
  const words = await findWords(deps, news, { recipient, actor, texts }).catch((error: unknown) => {
    if (isForgeError(error, "not_found")) return undefined;
    throw error;
  });
  const wayOut = unsubscribeUrl(deps, { accountId, issueId: null });
  return words && writeEmail({ texts, words, recipient: { name: recipient.name, email }, actor, unsubscribeUrl: wayOut }, deps.urls);
}

/** Author and recipient, with the texts in the language of the recipient. */
type Addressed = Pick<Correspondence, "recipient" | "actor"> & { readonly texts: EmailContext["texts"] };

function findWords(deps: ComposeDeps, news: Writing["news"], correspondence: Addressed): Promise<EmailWords | undefined> {
  switch (news.kind) {
    case "mention":
      return wordsOfMention(deps, news, correspondence);
    case "offer":
      return wordsOfOffer(deps, news, correspondence);
    case "release":
      return wordsOfRelease(deps, news, correspondence);
    case "hook":
      return wordsOfHook(deps, news, correspondence);
  }
}

async function wordsOfMention(deps: ComposeDeps, { repoId, oid }: MentionNews, correspondence: Addressed): Promise<EmailWords | undefined> {
  const reader: UserActor = asActor(correspondence.recipient);
  const repository = await findRepositoryById(deps, repoId, reader);
  if (!atLeast(repository.right.unit("repo.code"), "read")) return undefined;
  const commit = await readCommit(codeStore(deps, repository), oid);
  return commit && mentionWords(correspondence, deps.urls, repository, commit);
}

/** A transfer shows the repository's name to its new owner, even without read access. */
async function wordsOfOffer(deps: ComposeDeps, news: OfferNews, correspondence: Addressed): Promise<EmailWords | undefined> {
  const offer = await findOffer(deps.db, news);
  if (offer === undefined || !offer.recipientIds.includes(correspondence.recipient.id)) return undefined;
  return offerWords(correspondence, deps.urls, await findRepositoryById(deps, news.repoId, operator), offer.recipientName);
}

/** Undefined for a release that has become a draft. */
async function wordsOfRelease(deps: ComposeDeps, { repoId, releaseId }: PublishedNews, correspondence: Addressed): Promise<EmailWords | undefined> {
  const reader: UserActor = asActor(correspondence.recipient);
  const repository = await findRepositoryById(deps, repoId, reader);
  const release = await requireRelease(deps, repository, releaseId);
  if (release.isDraft) return undefined;
  const { ownerName, name } = repository;
  const place = { kind: "comment", origin: deps.urls.origin, repository: { owner: ownerName, name }, ref: "", folder: "" } as const;
  const html = await deps.markup.renderMarkdown(release.note, place, deps.resolverOf(reader));
  return releaseWords(correspondence, deps.urls, repository, { ...release, note: { text: release.note, html } });
}

async function wordsOfHook(deps: ComposeDeps, news: HookNews, correspondence: Addressed): Promise<EmailWords | undefined> {
  const owners = await listHookOwners(deps.db, news);
  return owners.includes(correspondence.recipient.id) ? hookWords(correspondence, deps.urls, news) : undefined;
}
