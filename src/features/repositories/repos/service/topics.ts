import type { Actor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { invalid, notFound } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { PlainReason } from "../../../../core/reasons.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import type { TopicView } from "../model.ts";
import { updateRepository } from "../store/rows.ts";
import { addTopics, listTopicNames, removeTopics, searchTopics as searchRows } from "../store/topics.ts";
import { requireRepositoryAdmin } from "./require.ts";

/** Lower-case letters, digits, `-` and `.`, beginning with a letter or digit. */
const topicPattern = /^[a-z0-9][-.a-z0-9]{0,34}$/;
const maxTopics = 25;

const normalise = (name: string): string => name.trim().toLowerCase();

export async function listTopics(deps: { readonly db: Reader }, repository: RepositorySubject, page: Page): Promise<Paged<string>> {
  const names = await listTopicNames(deps.db, repository.id);
  return { items: names.slice(page.offset, page.offset + page.limit), total: names.length };
}

/**
 * Replaces the topics of a repository.
 * @throws ForgeError `invalid` for invalid topics and for too many
 */
export async function replaceTopics(deps: { readonly db: Db }, repository: RepositorySubject, wanted: readonly string[]): Promise<void> {
  requireRepositoryAdmin(repository);
  const names = [...new Set(wanted.map(normalise))].filter((name) => name !== "");
  const bad = names.filter((name) => !topicPattern.test(name));
  if (names.length - bad.length > maxTopics) throw tooMany();
  if (bad.length > 0) throw refusal(bad, "Topic names are invalid", "invalid_topics");
  await deps.db.tx(async (tx) => {
    const present = await listTopicNames(tx, repository.id);
    await removeTopics(
      tx,
      repository.id,
      present.filter((name) => !names.includes(name)),
    );
    await addTopics(
      tx,
      repository.id,
      names.filter((name) => !present.includes(name)),
    );
    await updateRepository(tx, repository.id, { updated_ms: tx.nowMs });
  });
}

/** Adds a topic to a repository; no effect if it has it already. */
export async function addTopic(deps: { readonly db: Db }, repository: RepositorySubject, wanted: string): Promise<void> {
  requireRepositoryAdmin(repository);
  const name = checkTopic(wanted);
  await deps.db.tx(async (tx) => {
    const present = await listTopicNames(tx, repository.id);
    if (present.includes(name)) return;
    if (present.length >= maxTopics) throw tooMany();
    await addTopics(tx, repository.id, [name]);
  });
}

/** @throws ForgeError `not_found` for a topic that the repository does not have */
export async function removeTopic(deps: { readonly db: Db }, repository: RepositorySubject, wanted: string): Promise<void> {
  requireRepositoryAdmin(repository);
  const name = checkTopic(wanted);
  const removed = await deps.db.tx((tx) => removeTopics(tx, repository.id, [name]));
  if (removed === 0) throw notFound();
}

/** Copies the topics of another repository to a new one, within the transaction that creates it. */
export const copyTopics = async (tx: Tx, fromRepoId: number, toRepoId: number): Promise<void> => addTopics(tx, toRepoId, await listTopicNames(tx, fromRepoId));

/** Adds imported topics to a new repository, within the transaction that creates it; invalid topics are skipped. */
export const importTopics = (tx: Tx, repoId: number, names: readonly string[]): Promise<void> =>
  addTopics(tx, repoId, [...new Set(names.map(normalise))].filter((name) => topicPattern.test(name)).slice(0, maxTopics));

export const searchTopics = (deps: { readonly db: Reader }, actor: Actor, text: string, page: Page): Promise<Paged<TopicView>> =>
  searchRows(deps.db, actor, normalise(text), page);

function checkTopic(wanted: string): string {
  const name = normalise(wanted);
  if (!topicPattern.test(name)) throw refusal(name, "Topic name is invalid", "invalid_topics");
  return name;
}

/** @compat these errors have fields of their own, and no url (repos/api/descriptions.test.ts) */
const refusal = (invalidTopics: readonly string[] | string | null, message: string, reason: PlainReason) =>
  invalid(message, { reason, fields: { invalidTopics, message } });
const tooMany = () => refusal(null, "Exceeding maximum number of topics per repo", "too_many_topics");
