import { join } from "node:path";
import { newBatch } from "../../db/row-batch.ts";
import { listWorkflowFiles } from "../../features/actions/runs/service/files.ts";
import { branchPrefix } from "../../features/repositories/refs/model.ts";
import { addActionRuns, convertArtifacts, disabledWorkflows, listRuns } from "./action-runs.ts";
import type { Conversion } from "./context.ts";
import type { FileCopier } from "./files.ts";
import { bringStore, type GitTarget, hasBareRepository, planRefMoves } from "./git-content.ts";
import { addPullMirrorRow, addPushMirrorRows } from "./mirrors.ts";
import { keepProgress, type Progress } from "./progress.ts";
import { convertProtections, type TagRuleIds } from "./protections.ts";
import { planPulls } from "./pulls.ts";
import { addRepositoryRow, type RepositoryPlan, readRepository } from "./repositories.ts";
import { convertLfs, convertReleases } from "./repository-files.ts";
import { convertRelations, type Known } from "./repository-relations.ts";
import type { ConvertedRunners } from "./runners.ts";
import { flagOf, textOf } from "./source.ts";
import { addTracker, convertIssueFiles, convertTracker } from "./tracker.ts";
import { noWrites, openWrites, type Writes } from "./writes.ts";

export interface RepositoryTarget extends GitTarget {
  readonly dataDirectory: string;
  readonly progress: Progress;
}

export interface RepositoryInput {
  readonly known: Known;
  readonly copier: FileCopier;
  readonly tagRuleIds: TagRuleIds;
  readonly runners: ConvertedRunners;
}

/** Imports one repository: objects and files first, then one transaction. @param target undefined for a dry run */
export async function importRepository(
  conversion: Conversion,
  plan: RepositoryPlan,
  input: RepositoryInput,
  target: RepositoryTarget | undefined,
): Promise<void> {
  if (target === undefined) return bringRepository(conversion, plan, input, { writes: noWrites });
  using writes = openWrites(target.dataDirectory);
  await bringRepository(conversion, plan, input, { target, writes });
  await target.db.tx(async (tx) => {
    await writes.run(tx);
    await keepProgress(tx, { ...target.progress, phase: "repositories", repositoryId: plan.id });
  });
}

/** Makes the objects and files of a repository durable, and adds its rows. */
export async function bringRepository(
  conversion: Conversion,
  plan: RepositoryPlan,
  input: RepositoryInput,
  { target, writes }: { readonly target?: GitTarget; readonly writes: Writes },
): Promise<void> {
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
  const runs = { plan, known, ids: await listRuns(conversion, plan), runners: input.runners };
  const artifacts = await convertArtifacts(conversion, runs, copier);
  const row = await readRepository(conversion, plan);
  const named = textOf(row.avatar);
  const avatar = named === "" ? "" : await copier.picture(join(source.places.repositoryAvatars, named));
  if (named !== "" && avatar === "") report.without("pictures that are missing or that Hearth refuses", plan.shownAs);
  const [batch, mirrors] = [newBatch(), newBatch()];
  const isMirror = flagOf(row.is_mirror) === 1 && (await addPullMirrorRow(conversion, plan, mirrors));
  await addPushMirrorRows(conversion, plan, mirrors);
  await addRepositoryRow(conversion, plan, batch, {
    row,
    content: {
      codeStoreId: code.storeId,
      wikiStoreId: wiki?.storeId ?? null,
      defaultBranch: code.defaultBranch,
      branchesCount: code.branches.length,
    },
    avatar,
    isMirror,
    watchers: relations.watchers,
    stars: relations.stars,
    releases: releases.count,
    filesBytes: lfs.bytes + releases.bytes + issueFiles.bytes + artifacts.bytes,
  });
  const own = input.runners.ofRepositories.get(plan.id) ?? newBatch();
  for (const part of [mirrors, relations.batch, protections, lfs.batch, releases.batch, own, await disabledWorkflows(conversion, plan)]) batch.append(part);
  writes.add({ kind: "files", files: [...lfs.files, ...releases.files, ...issueFiles.files, ...artifacts.files] });
  writes.rows(batch);
  await addTracker(conversion, tracker, writes);
  writes.rows(issueFiles.batch);
  const store = target === undefined || code.branches.length === 0 ? undefined : target.git.store(code.storeId, code.format, 0);
  await addActionRuns(conversion, runs, writes, store);
  writes.rows(artifacts.batch);
  writes.add({ kind: "refs", moves: planRefMoves(code, pulls.updates) });
  if (wiki !== undefined) writes.add({ kind: "refs", moves: planRefMoves(wiki) });
  if (code.branches.length > 0) writes.add({ kind: "content", repoId: plan.id });
  const tip = code.refs.get(branchPrefix + code.defaultBranch);
  if (store !== undefined && tip !== undefined && (await listWorkflowFiles(store, tip)).length > 0) writes.add({ kind: "workflows", repoId: plan.id });
}
