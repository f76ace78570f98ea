import type { DeployKeyActor, UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Config } from "../../../../config/config.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import { type ContainedPull, settleContained } from "../../../collaboration/pulls/service/merge/contained.ts";
import { branchesToMaintain } from "../../../collaboration/pulls/service/pushes.ts";
import type { MoveInputs } from "../../../repositories/protections/check-move.ts";
import { moverOf } from "../../../repositories/protections/service/guard.ts";
import { shortName } from "../../../repositories/refs/model.ts";
import type { RefUpdate } from "../../../repositories/refs/moves.ts";
import type { MoveMode, MoveResult } from "../../../repositories/refs/service/move.ts";
import { getStore } from "../../../repositories/refs/service/stores.ts";
import { editInTransaction, type RepositoryEdit } from "../../../repositories/repos/service/edit.ts";
import { moveRepositoryRefs } from "../../../repositories/repos/service/move-refs.ts";
import { ensureWikiStore, moveWikiRefs } from "../../../repositories/wiki/service/refs.ts";
import { type GitTarget, storeIdOf, unitOf } from "../git-target.ts";
import type { PushedPart } from "./push-policy.ts";

/** Loads the data for checking the commands of a push. */
export async function readPushedPart(deps: { readonly db: Reader }, actor: UserActor | DeployKeyActor, target: GitTarget): Promise<PushedPart> {
  const { repository, part } = target;
  const mayWrite = atLeast(repository.right.unit(unitOf(target)), "write");
  if (part === "code") {
    const isUser = actor.kind === "user";
    const maintained = isUser && !mayWrite ? await branchesToMaintain(deps, actor, repository) : new Set<string>();
    return { mayWrite, defaultBranch: repository.defaultBranch, maintained, takesProposals: isUser && !repository.isEmpty };
  }
  const store = repository.wikiStoreId === null ? undefined : await getStore(deps.db, repository.wikiStoreId);
  return { mayWrite, defaultBranch: store === undefined ? "" : shortName(store.headRef) };
}

/** The store that receives the objects of a push. A wiki without pages gets its store now. */
export const openPushedStore = async (deps: { readonly db: Db; readonly config: Pick<Config, "repositories"> }, target: GitTarget): Promise<number> =>
  storeIdOf(target) ?? ensureWikiStore(deps, target.repository, deps.config.repositories.default_branch);

export interface PushedMoves {
  readonly actor: UserActor | DeployKeyActor;
  readonly target: GitTarget;
  readonly storeId: number;
  readonly mode: MoveMode;
  readonly updates: readonly RefUpdate[];
  /** The inputs for the branch rules. */
  readonly inputs: ReadonlyMap<string, MoveInputs>;
  readonly sizeBytes: number;
  readonly options: readonly string[];
  /** Pull requests that the push merges. */
  readonly contained: readonly ContainedPull[];
}

/** Moves the refs of a push, with all consequences, in the caller's transaction. @throws ForgeError as `moveRepositoryRefs` */
export async function movePushedRefs(tx: Tx, push: PushedMoves): Promise<MoveResult> {
  return push.target.part === "wiki" ? movePushedWikiRefs(tx, push) : movePushedCodeRefs(tx, push);
}

async function movePushedCodeRefs(
  tx: Tx,
  { actor, target: { repository }, mode, updates, inputs, sizeBytes, options, contained }: PushedMoves,
): Promise<MoveResult> {
  const result = await moveRepositoryRefs(tx, {
    repoId: repository.id,
    mover: moverOf(actor, repository),
    inputs,
    via: "push",
    mode,
    updates,
    receipt: { sizeBytes },
    pushOptions: options,
  });
  const edit = editOf(repository, options);
  if (edit !== undefined && actor.kind === "user" && result.moved.length > 0) await editInTransaction(tx, actor, repository.id, edit);
  if (actor.kind === "user") await settleContained(tx, actor, repository, contained, result.moved);
  return result;
}

/** Branch rules do not apply to wikis. */
async function movePushedWikiRefs(tx: Tx, { actor, target: { repository }, storeId, mode, updates, sizeBytes }: PushedMoves): Promise<MoveResult> {
  const result = await moveWikiRefs(tx, { repoId: repository.id, storeId, mode, updates, receipt: { sizeBytes } });
  const total = result.moved.length;
  const actorId = actor.kind === "user" ? actor.id : null;
  if (total > 0) await recordEvent(tx, "wiki.pushed", { repoId: repository.id, storeId, total }, { repoId: repository.id, actorId });
  return result;
}

/** The repository edit requested by push options, from users with the right to edit it. Options of others and unknown ones are ignored. */
function editOf(repository: RepositorySubject, options: readonly string[]): RepositoryEdit | undefined {
  if (!atLeast(repository.right.mode, "admin")) return undefined;
  const flag = (name: string): boolean | undefined => {
    const value = options.findLast((option) => option === `repo.${name}` || option.startsWith(`repo.${name}=`))?.slice(`repo.${name}=`.length);
    return value === undefined ? undefined : value === "" || value === "true" ? true : value === "false" ? false : undefined;
  };
  const edit = { isPrivate: flag("private"), isTemplate: flag("template") };
  return edit.isPrivate === undefined && edit.isTemplate === undefined ? undefined : edit;
}
