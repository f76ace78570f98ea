import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Urls } from "../../../../core/urls.ts";
import { asActor } from "../../../repositories/repos/service/user-rights.ts";
import type { EmailMessage } from "../../../site/mail/email.ts";
import { literalPassage, type Passage, plainPassage } from "../../../site/mail/layout.ts";
import { emailTexts, mailTexts } from "../../../site/mail/texts/texts.ts";
import type { ReferenceResolver } from "../../../site/markup/references.ts";
import type { Markup } from "../../../site/markup/service.ts";
import { writeEmail } from "../emails.ts";
import { issueEmailTexts } from "../texts/texts.ts";
import { unsubscribeUrl } from "../unsubscribing.ts";
import { type EmailContentDeps, loadEmailContent, type Words } from "./email-content.ts";
import type { Writing } from "./fan-out.ts";
import { findCorrespondence } from "./recipient.ts";

export interface ComposeDeps extends EmailContentDeps {
  readonly sealer: Sealer;
  readonly urls: Urls;
  readonly markup: Markup;
  /** Decides which references in a text become links for a reader. */
  readonly resolverOf: (reader: UserActor) => ReferenceResolver;
}

/**
 * Composes an email at the time of sending: with the current content of the issue, for a recipient who can read it now.
 * @returns undefined if there is nothing left to send: deleted or hidden, or the recipient has no usable address
 */
export async function composeEmail(deps: ComposeDeps, { news, accountId, reason }: Writing): Promise<EmailMessage | undefined> {
  const correspondence = await findCorrespondence(deps, accountId, news.actorId);
  if (correspondence === undefined) return undefined;
  const { recipient, email, actor } = correspondence;
  const texts = { ...emailTexts(mailTexts, recipient.language), ...emailTexts(issueEmailTexts, recipient.language) };
  const reader = asActor(recipient);
  const content = await loadEmailContent(deps, reader, news, texts);
  if (content === undefined) return undefined;
  const { repository, issue } = content;
  const passages: Passage[] = [];
  for (const words of content.words) if (words.text !== "") passages.push(await render(deps, reader, repository, words));
  const to = { name: recipient.name, email };
  const wayOut = unsubscribeUrl(deps, { accountId, issueId: news.issueId });
  return writeEmail({ texts, news, reason, recipient: to, actor, repository, issue, passages, unsubscribeUrl: wayOut }, deps.urls);
}

async function render({ markup, urls, resolverOf }: ComposeDeps, reader: UserActor, repository: RepositorySubject, { as, text }: Words): Promise<Passage> {
  if (as === "plain") return plainPassage(text);
  if (as === "literal") return literalPassage(text);
  const place = { kind: "comment", origin: urls.origin, repository: { owner: repository.ownerName, name: repository.name }, ref: "", folder: "" } as const;
  return { text, html: await markup.renderMarkdown(text, place, resolverOf(reader)) };
}
