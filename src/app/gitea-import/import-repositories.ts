import { join } from "node:path";
import type { Tx } from "../../db/db.ts";
import { newBatch, writeBatch } from "../../db/row-batch.ts";
import { enqueueDescribeContent } from "../../features/repositories/repos/service/content-job.ts";
import type { Conversion } from "./context.ts";
import { type FileCopier, keepFiles } from "./files.ts";
import { bringStore, type GitTarget, hasBareRepository, moveBroughtRefs } from "./git-content.ts";
import { keepProgress, type Progress } from "./progress.ts";
import { convertProtections, type TagRuleIds } from "./protections.ts";
import { planPulls } from "./pulls.ts";
import { addRepositoryRow, type RepositoryPlan } from "./repositories.ts";
import { convertLfs, convertReleases } from "./repository-files.ts";
import { convertRelations, type Known } from "./repository-relations.ts";
import { textOf } from "./source.ts";
import { convertIssueFiles, convertTracker, writeTracker } from "./tracker.ts";

export interface RepositoryTarget extends GitTarget {
  readonly progress: Progress;
}

export interface RepositoryInput {
  readonly known: Known;
  readonly copier: FileCopier;
  readonly tagRuleIds: TagRuleIds;
}

/** Imports one repository: objects and files first, then one transaction. @param target undefined for a dry run */
export async function importRepository(
  conversion: Conversion,
  plan: RepositoryPlan,
  input: RepositoryInput,
  target: RepositoryTarget | undefined,
): Promise<void> {
  const write = await bringRepository(conversion, plan, input, target);
  if (target === undefined) {
    await write(undefined);
    return;
  }
  await target.db.tx(async (tx) => {
    await write(tx);
    await keepProgress(tx, { ...target.progress, phase: "repositories", repositoryId: plan.id });
  });
}

/**
 * Makes the objects and files of a repository durable.
 * @returns a function that writes its rows
 */
export async function bringRepository(
  conversion: Conversion,
  plan: RepositoryPlan,
  input: RepositoryInput,
  target: GitTarget | undefined,
): Promise<(tx: Tx | undefined) => Promise<void>> {
  const { source, report } = conversion;
  const { known, copier } = input;
  const { format } = plan;
  const place = { repoId: plan.id, format };
  const code = await bringStore(
    target,
    { ...place, kind: "code", path: plan.codePath, shownAs: plan.shownAs, defaultBranch: plan.defaultBranch, withPulls: true },
    report,
  );
  const wiki = hasBareRepository(plan.wikiPath)
    ? await bringStore(
        target,
        { ...place, kind: "wiki", path: plan.wikiPath, shownAs: `${plan.shownAs}.wiki`, defaultBranch: plan.wikiBranch, withPulls: false },
        report,
      )
    : undefined;
  if (wiki !== undefined) report.count("wikis", 1);
  const relations = await convertRelations(conversion, plan, known);
  const protections = await convertProtections(conversion, plan, known, input.tagRuleIds);
  const lfs = await convertLfs(conversion, plan, known, copier);
  const releases = await convertReleases(conversion, plan, known, { copier, tags: code.tags });
  const pulls = await planPulls(conversion, plan, code, target);
  const tracker = await convertTracker(conversion, { plan, known, pulls });
  const issueFiles = await convertIssueFiles(conversion, tracker, copier);
  const named = textOf(plan.row.avatar);
  const avatar = named === "" ? "" : await copier.picture(join(source.places.repositoryAvatars, named));
  if (named !== "" && avatar === "") report.without("pictures that are missing or that Hearth refuses", plan.shownAs);
  const batch = newBatch();
  await addRepositoryRow(conversion, plan, batch, {
    content: {
      codeStoreId: code.storeId,
      wikiStoreId: wiki?.storeId ?? null,
      defaultBranch: code.defaultBranch,
      branchesCount: code.branches.length,
    },
    avatar,
    watchers: relations.watchers,
    stars: relations.stars,
    releases: releases.count,
    filesBytes: lfs.bytes + releases.bytes + issueFiles.bytes,
  });
  for (const part of [relations.batch, protections, lfs.batch, releases.batch]) batch.append(part);
  return async (tx) => {
    if (tx === undefined) {
      await writeTracker(conversion, tracker, undefined);
      return;
    }
    await keepFiles(tx, [...lfs.files, ...releases.files, ...issueFiles.files]);
    await writeBatch(tx, batch);
    await writeTracker(conversion, tracker, tx);
    await writeBatch(tx, issueFiles.batch);
    await moveBroughtRefs(tx, code, pulls.updates);
    if (wiki !== undefined) await moveBroughtRefs(tx, wiki);
    if (code.branches.length > 0) await enqueueDescribeContent(tx, plan.id);
  };
}
