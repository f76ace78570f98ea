import type { UserActor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { conflict, refused } from "../../../../../core/errors.ts";
import type { Reader } from "../../../../../db/db.ts";
import { isAncestor } from "../../../../../git/history/log.ts";
import { formatOfOid } from "../../../../../git/objects/hash.ts";
import { readCommit } from "../../../../../git/objects/objects.ts";
import { isOid } from "../../../../../git/run/commands.ts";
import { branchRights } from "../../../../repositories/protections/service/guard.ts";
import { findRepositoryById } from "../../../../repositories/repos/service/find.ts";
import { getSettings } from "../../../../repositories/repos/service/settings.ts";
import type { FoundPull } from "../../model.ts";
import { findMergeBase } from "../checks.ts";
import type { PullDeps } from "../deps.ts";
import { findPull } from "../find.ts";
import { storeWithHead } from "../heads.ts";
import { evaluatePreconditions } from "./preconditions.ts";
import { requireAll } from "./requirements.ts";
import { settleMerged } from "./settle.ts";

/**
 * Records a manual merge: a commit of the base that contains the pull request.
 * @throws ForgeError as `mergePull`; `conflict` for a commit that is not in the base
 */
export async function mergeManually(deps: PullDeps, actor: UserActor, repository: RepositorySubject, number: string, commitOid: string): Promise<void> {
  const pull = await findPull(deps, repository, number);
  await requirePreconditions(deps.db, actor, repository, pull);
  if (!(await getSettings(deps, repository.id)).allowManualMerge)
    throw refused("manually-merged is not allowed an allowed merge style for this repository", { reason: "merge_style_not_allowed" });
  const baseOid = pull.baseTipOid;
  if (baseOid === null) throw refused(`the base branch ${pull.baseBranch} has been deleted`, { reason: "base_deleted" });
  const store = await storeWithHead(deps, repository, pull);
  const wrong = conflict("Wrong commit ID");
  const oid = commitOid.toLowerCase();
  const commit = isOid(oid) && formatOfOid(oid) === store.format ? await readCommit(store, oid) : undefined;
  if (commit === undefined || !(await isAncestor(store, oid, baseOid))) throw wrong;
  // The merge base is computed with the former base, because the present one contains the whole head.
  const [formerOid] = commit.parentOids;
  const mergeBaseOid = formerOid === undefined ? null : ((await findMergeBase(store, formerOid, pull.headOid)) ?? null);
  await deps.db.tx(async (tx) => {
    const current = await findRepositoryById({ db: tx }, repository.id, actor);
    const present = await findPull({ db: tx }, current, pull.number);
    await requirePreconditions(tx, actor, current, present);
    const outcome = {
      style: "manually-merged",
      baseOid: formerOid ?? baseOid,
      mergeBaseOid,
      commitOid: oid,
      isByPush: false,
      deletedBranch: undefined,
    } as const;
    await settleMerged(tx, actor, current, present, outcome);
  });
}

async function requirePreconditions(db: Reader, actor: UserActor, repository: RepositorySubject, pull: FoundPull): Promise<void> {
  const right = (await branchRights(db, actor, repository)).on(pull.baseBranch);
  requireAll(evaluatePreconditions({ candidate: { actor, repository, pull }, right }));
}
