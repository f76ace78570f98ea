import type { UserActor } from "../../../access/actor.ts";
import { isForgeError } from "../../../core/errors.ts";
import type { Sealer } from "../../../core/sealer.ts";
import type { Urls } from "../../../core/urls.ts";
import type { Reader } from "../../../db/db.ts";
import { getComment } from "../../issues/service/comments.ts";
import { requireIssue } from "../../issues/service/find.ts";
import type { Letter } from "../../mail/letter.ts";
import type { ReferenceResolver } from "../../markup/references.ts";
import type { Markup } from "../../markup/service.ts";
import { findRepositoryById } from "../../repos/service/find.ts";
import { asActor } from "../../repos/service/user-rights.ts";
import { loadUsers } from "../../users/service/accounts.ts";
import { writeLetter } from "../letters.ts";
import { findMailbox } from "../store.ts";
import { writeCode } from "../unsubscribing.ts";
import type { Writing } from "./spread.ts";

export interface ComposeDeps {
  readonly db: Reader;
  readonly sealer: Sealer;
  readonly urls: Urls;
  readonly markup: Markup;
  /** Which references of a text become links for a reader. */
  readonly resolverOf: (reader: UserActor) => ReferenceResolver;
}

/**
 * Writes a letter at the moment in which it is sent: with what the issue says now, for a recipient who can read it now.
 * @returns undefined where there is nothing to send any more: what it would tell is gone or hidden, or nobody can be written to
 */
export async function composeLetter(deps: ComposeDeps, { news, accountId, reason }: Writing): Promise<Letter | undefined> {
  const mailbox = await findMailbox(deps.db, accountId);
  if (mailbox === undefined || !mailbox.isVerified || mailbox.choice === "disabled") return undefined;
  const users = await loadUsers(deps, news.actorId === null ? [accountId] : [accountId, news.actorId]);
  const recipient = users.get(accountId);
  if (recipient === undefined || !recipient.isActive || recipient.prohibitLogin) return undefined;
  const reader = asActor(recipient);
  const seen = await readIssue(deps, reader, news);
  if (seen === undefined) return undefined;
  const { repository, issue, text } = seen;
  const place = { kind: "comment", origin: deps.urls.origin, repository: { owner: repository.ownerName, name: repository.name }, ref: "", folder: "" } as const;
  const html = text === "" ? "" : await deps.markup.renderMarkdown(text, place, deps.resolverOf(reader));
  const unsubscribeUrl = `${deps.urls.web("user", "unsubscribe")}?code=${writeCode(deps.sealer, { accountId, issueId: news.issueId })}`;
  const actor = news.actorId === null ? undefined : users.get(news.actorId);
  const to = { name: recipient.name, email: mailbox.email };
  return writeLetter({ news, reason, recipient: to, actor, repository, issue, content: { text, html }, unsubscribeUrl }, deps.urls);
}

/** The issue as the recipient would find it, with the text that the letter is about; undefined where he would not. */
async function readIssue(deps: ComposeDeps, reader: UserActor, { happening, repoId, issueId, number, commentId }: Writing["news"]) {
  try {
    const repository = await findRepositoryById(deps, repoId, reader);
    const issue = await requireIssue(deps, repository, number);
    if (issue.id !== issueId) return undefined;
    if (commentId !== null) {
      const comment = await getComment(deps, repository, String(commentId));
      return comment && { repository, issue, text: comment.content };
    }
    const hasText = happening === "created" || happening === "mentioned" || happening === "assigned";
    return { repository, issue, text: hasText ? issue.content : "" };
  } catch (error) {
    if (isForgeError(error, "not_found")) return undefined;
    throw error;
  }
}
