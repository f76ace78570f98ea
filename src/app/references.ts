import type { Actor } from "../access/actor.ts";
import { atLeast } from "../access/repository.ts";
import { isForgeError } from "../core/errors.ts";
import { findVisibleNames } from "../features/accounts/users/service/mentions.ts";
import { findRepository } from "../features/repositories/repos/service/find.ts";
import type { Reference, ReferenceResolver } from "../features/site/markup/references.ts";
import { resolvePrefix } from "../git/objects/objects.ts";
import type { Context } from "./context.ts";

/** Maximum number of repositories, and of commits in each, to look up for the references of a text. The rest stay plain text. */
const maxRepositories = 4;
const maxCommits = 100;

type CommitReference = Extract<Reference, { kind: "commit" }>;

/**
 * Decides which references of a text become links for a reader: visible accounts, and commits of repositories with readable code. An issue
 * reference is always a link, because its URL reveals nothing beyond the text.
 */
export const resolverOf =
  (context: Pick<Context, "db" | "git">, actor: Actor): ReferenceResolver =>
  async (references) => {
    const names = references.flatMap((reference) => (reference.kind === "account" ? [reference.name] : []));
    const isVisible = names.length === 0 ? () => false : await findVisibleNames(context, actor, names);
    const isCommit = await findCommits(
      context,
      actor,
      references.filter((reference) => reference.kind === "commit"),
    );
    return references.map((reference) => reference.kind === "issue" || (reference.kind === "account" ? isVisible(reference.name) : isCommit(reference)));
  };

const placeOf = ({ owner, repository }: CommitReference): string => `${owner}/${repository}`;
const keyOf = (reference: CommitReference): string => `${placeOf(reference)}@${reference.oid}`;

async function findCommits(
  context: Pick<Context, "db" | "git">,
  actor: Actor,
  references: readonly CommitReference[],
): Promise<(reference: CommitReference) => boolean> {
  const found = new Set<string>();
  const places = [...Map.groupBy(references, placeOf).values()].slice(0, maxRepositories);
  for (const group of places) {
    const distinct = [...new Map(group.map((reference) => [reference.oid, reference])).values()].slice(0, maxCommits);
    for (const reference of await existing(context, actor, distinct)) found.add(keyOf(reference));
  }
  return (reference) => found.has(keyOf(reference));
}

/** @param references to commits of one repository */
async function existing(context: Pick<Context, "db" | "git">, actor: Actor, references: readonly CommitReference[]): Promise<CommitReference[]> {
  const [first] = references;
  if (first === undefined) return [];
  const repository = await findRepository(context, first.owner, first.repository, actor).catch((error: unknown) => {
    if (isForgeError(error, "not_found")) return undefined;
    throw error;
  });
  if (repository === undefined || !("subject" in repository) || !atLeast(repository.subject.right.unit("repo.code"), "read")) return [];
  const store = context.git.store(repository.subject.codeStoreId, repository.subject.objectFormat, repository.subject.packsVersion);
  const resolved = await Promise.all(references.map(({ oid }) => resolvePrefix(store, oid, "commit")));
  return references.filter((_reference, at) => resolved[at] !== undefined);
}
