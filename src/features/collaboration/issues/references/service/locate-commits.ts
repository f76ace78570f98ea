import type { Db } from "../../../../../db/db.ts";
import { readCommit } from "../../../../../git/objects/objects.ts";
import { isOid } from "../../../../../git/run/commands.ts";
import type { GitStores } from "../../../../../git/stores.ts";
import { defineJob } from "../../../../../jobs/job.ts";
import type { JobRun } from "../../../../../jobs/queue.ts";
import { codeStore } from "../../../../repositories/branches/service/deps.ts";
import { findPlaceById, findPlaceNamed } from "../../../../repositories/repos/service/find.ts";
import { parseCommentPayload } from "../../conversation/comment-payload.ts";
import { listUnlocatedCommits, type UnlocatedCommit, updateReferencePayload } from "../store.ts";
import { commitLink } from "./commit-references.ts";

/** Records the repository of commits in timeline entries from before it was recorded. Enqueued by a migration. */
export const locateCommitsJob = defineJob<Record<string, never>>("issues.locate_commits");

export interface LocateCommitsDeps {
  readonly db: Db;
  readonly git: GitStores;
}

const batch = 200;

/**
 * The repository of an entry is one that has or had the path in its link, or the issue's own. It must contain the commit: another repository
 * may have the path now. Other entries stay without a repository.
 */
export async function locateCommits(deps: LocateCommitsDeps, { tx, signal }: JobRun<Record<string, never>>): Promise<void> {
  for (let afterId = 0; ; ) {
    const entries = await listUnlocatedCommits(deps.db, afterId, batch);
    for (const entry of entries) {
      signal.throwIfAborted();
      const commitRepoId = await locate(deps, entry);
      if (commitRepoId !== undefined) await tx((handle) => updateReferencePayload(handle, [entry.id], { ...parseCommentPayload(entry.payload), commitRepoId }));
    }
    if (entries.length < batch) return;
    afterId = entries.at(-1)?.id ?? afterId;
  }
}

async function locate(deps: LocateCommitsDeps, { repoId, content, payload }: UnlocatedCommit): Promise<number | undefined> {
  const { commitOid = "" } = parseCommentPayload(payload);
  const [, owner = "", name = ""] = /^<a href="\/([^/"]+)\/([^/"]+)\/commit\//.exec(content) ?? [];
  if (!isOid(commitOid) || name === "") return undefined;
  for (const find of [() => findPlaceNamed(deps, owner, name), () => findPlaceById(deps, repoId)]) {
    const place = await find();
    const commit = place === undefined ? undefined : await readCommit(codeStore(deps, place), commitOid);
    if (place !== undefined && commit !== undefined && commitLink(owner, name, commit) === content) return place.id;
  }
  return undefined;
}
