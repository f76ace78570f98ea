import { type Actor, isUser, type UserActor } from "../../../access/actor.ts";
import { invalid, notFound } from "../../../core/errors.ts";
import { readId } from "../../../core/ids.ts";
import { checkLength, lengths } from "../../../core/lengths.ts";
import type { Db, Reader } from "../../../db/db.ts";
import type { ReplyInput, ReplyTitle, SavedReply } from "./model.ts";
import { deleteReply, findReply, insertReply, listTitles, updateReply } from "./store.ts";

/** Maximum number of replies per account. */
const maxReplies = 100;

/** The caller's replies by title; none for visitors. At most one statement. */
export const listReplies = async (deps: { readonly db: Reader }, actor: Actor): Promise<readonly ReplyTitle[]> =>
  isUser(actor) ? listTitles(deps.db, actor.id) : [];

/** @throws ForgeError `not_found`, also for a reply of another user */
export async function getReply(deps: { readonly db: Reader }, actor: UserActor, id: string): Promise<SavedReply> {
  const reply = await findReply(deps.db, actor.id, readId(id));
  if (reply === undefined) throw notFound();
  return reply;
}

/** The text of a reply, to begin a comment with; undefined if the caller has no such reply. At most one statement. */
export const replyText = async (deps: { readonly db: Reader }, actor: Actor, id: string): Promise<string | undefined> =>
  isUser(actor) ? (await findReply(deps.db, actor.id, readId(id)))?.content : undefined;

/** @throws ForgeError `invalid` */
export async function createReply(deps: { readonly db: Db }, actor: UserActor, input: ReplyInput): Promise<void> {
  const checked = check(input);
  await deps.db.tx(async (tx) => {
    if ((await listTitles(tx, actor.id)).length >= maxReplies)
      throw invalid(`an account can have at most ${maxReplies} saved replies`, { reason: { code: "too_many_items", max: maxReplies } });
    await insertReply(tx, actor.id, checked);
  });
}

/** @throws ForgeError `not_found`, `invalid` */
export async function editReply(deps: { readonly db: Db }, actor: UserActor, id: string, input: ReplyInput): Promise<void> {
  const checked = check(input);
  await deps.db.tx(async (tx) => {
    if (!(await updateReply(tx, actor.id, { id: readId(id), ...checked }))) throw notFound();
  });
}

/** Idempotent. */
export async function removeReply(deps: { readonly db: Db }, actor: UserActor, id: string): Promise<void> {
  await deps.db.tx((tx) => deleteReply(tx, actor.id, readId(id)));
}

/** @throws ForgeError `invalid` */
function check({ title, content }: ReplyInput): ReplyInput {
  const trimmed = { title: title.trim(), content: content.trim() };
  if (trimmed.title === "") throw invalid("[Title]: Required", { reason: "required" });
  if (trimmed.content === "") throw invalid("[Content]: Required", { reason: "required" });
  checkLength("Title", trimmed.title, lengths.line);
  checkLength("Content", trimmed.content, lengths.comment);
  return trimmed;
}
