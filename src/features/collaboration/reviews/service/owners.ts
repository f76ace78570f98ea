import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { changedPaths } from "../../../../git/history/changed-paths.ts";
import { findEntry, readBlob, readCommit } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { findUsersByNames } from "../../../accounts/users/service/by-names.ts";
import { findTeamsOfRepository } from "../../../organizations/teams/service/load.ts";
import { codeStore } from "../../../repositories/branches/service/deps.ts";
import { loadApprovers } from "../../../repositories/protections/service/approvers.ts";
import { rightsOfUsers } from "../../../repositories/repos/service/user-rights.ts";
import { isDraftTitle } from "../../issues/draft.ts";
import type { FoundPull } from "../../pulls/model.ts";
import { findPull } from "../../pulls/service/find.ts";
import { storeWithHead } from "../../pulls/service/heads.ts";
import { maxOwnerFileBytes, type Owners, ownerFiles, ownersOf, parseOwners } from "../code-owners.ts";
import { listReviewsOf } from "../store/reviews.ts";
import { findOpenPull, type ReviewDeps } from "./find.ts";
import { endsOf } from "./pull-ends.ts";
import { insertRequests } from "./requests.ts";

/**
 * Requests reviews from the owners of changed files, by the CODEOWNERS file of the base branch. Drafts request none. Skips users who
 * have reviewed or are requested already, so it is idempotent, and unknown names or users who cannot review.
 */
export async function requestOwners(deps: ReviewDeps, repoId: number, number: number): Promise<void> {
  const found = await findOpenPull(deps, repoId, number);
  if (found === undefined || isDraftTitle(found.pull.issue.title)) return;
  const { repository, pull } = found;
  const owners = await readOwners(await storeWithHead(deps, repository, pull), pull);
  if (owners.users.length + owners.teams.length === 0) return;
  await deps.db.tx(async (tx) => {
    const now = await findPull({ db: tx }, repository, number);
    if (now.isClosed) return;
    const byName = await findUsersByNames({ db: tx }, owners.users);
    const named = owners.users.flatMap((name) => byName(name) ?? []).filter(({ id }) => id !== now.issue.posterId);
    const rights = await rightsOfUsers({ db: tx }, repoId, named);
    const readers = named.filter(
      ({ id, isActive, prohibitLogin }) => isActive && !prohibitLogin && atLeast(rights.get(id)?.unit("repo.pulls") ?? "none", "read"),
    );
    const reviews = await listReviewsOf(
      tx,
      now.issueId,
      readers.map(({ id }) => id),
    );
    const users = readers.filter(({ id }) => !reviews.some(({ reviewerId, kind }) => reviewerId === id && kind !== "pending"));
    const teamByName = owners.teams.length === 0 ? () => undefined : await findTeamsOfRepository({ db: tx }, repository);
    const ofOwner = owners.teams.filter(({ organization }) => organization.toLowerCase() === repository.ownerName.toLowerCase());
    const teams = ofOwner.flatMap(({ team }) => teamByName(team) ?? []);
    await insertRequests(tx, now.issue.posterId, repository, now, { users, teams, approvers: await loadApprovers(tx, repoId, now.baseBranch), reviews });
  });
}

const noOwners: Owners = { users: [], teams: [] };

async function readOwners(store: GitStore, pull: FoundPull): Promise<Owners> {
  if (pull.baseTipOid === null) return noOwners;
  const text = await readOwnerFile(store, pull.baseTipOid);
  if (text === undefined) return noOwners;
  const rules = await parseOwners(text);
  if (rules.length === 0) return noOwners;
  const { headOid, mergeBaseOid } = await endsOf(store, pull);
  return ownersOf(rules, await changedPaths(store, mergeBaseOid, headOid));
}

/** The owners of a file, by the CODEOWNERS file of a commit. No statement. */
export async function ownersOfFile(
  deps: Pick<ReviewDeps, "git">,
  repository: Pick<RepositorySubject, "codeStoreId" | "objectFormat">,
  commitOid: Oid,
  path: string,
): Promise<Owners> {
  const text = await readOwnerFile(codeStore(deps, repository), commitOid);
  return text === undefined ? noOwners : ownersOf(await parseOwners(text), [path]);
}

async function readOwnerFile(store: GitStore, commitOid: Oid): Promise<string | undefined> {
  const commit = await readCommit(store, commitOid);
  for (const path of commit === undefined ? [] : ownerFiles) {
    const entry = await findEntry(store, commit?.treeOid ?? "", path);
    if (entry === undefined || entry.mode === "040000" || entry.mode === "160000") continue;
    return (await readBlob(store, entry.oid, maxOwnerFileBytes))?.data?.toString("utf8");
  }
  return undefined;
}
