import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { RunRow } from "../model.ts";

/** The fields of a run that expressions see, before or after it is stored. */
export type EvaluatedRun = Pick<
  RunRow,
  "trigger" | "ref" | "oid" | "baseRef" | "headRef" | "actorId" | "workflowName" | "workflowPath" | "workflowFile" | "workflowOid"
> &
  Partial<Pick<RunRow, "id" | "number" | "attempt">>;

const prefixes = ["refs/heads/", "refs/tags/", "refs/"];

export const shortRef = (ref: string): string => ref.slice((prefixes.find((prefix) => ref.startsWith(prefix)) ?? "").length);

/** The `github` context: the names that GitHub documents. */
export function githubContext(
  { urls }: { readonly urls: Urls },
  repository: Pick<RepositorySubject, "id" | "ownerId" | "ownerName" | "fullName">,
  run: EvaluatedRun,
  { actorName, payload }: { readonly actorName: string; readonly payload: string },
): Readonly<Record<string, unknown>> {
  return {
    // @compat These are empty, because the runner knows them (runs/runs.test.ts).
    action: "",
    action_path: "",
    action_ref: "",
    action_repository: "",
    action_status: "",
    env: "",
    path: "",
    retention_days: "",
    actor: actorName,
    actor_id: String(run.actorId ?? ""),
    triggering_actor: actorName,
    api_url: `${urls.origin}/api/v1`,
    base_ref: run.baseRef,
    event: JSON.parse(payload) as unknown,
    event_name: run.trigger,
    event_path: "",
    graphql_url: "",
    head_ref: run.headRef,
    ref: run.ref,
    ref_name: shortRef(run.ref),
    ref_type: run.ref.startsWith("refs/tags/") ? "tag" : "branch",
    ref_protected: false,
    repository: repository.fullName,
    repository_id: String(repository.id),
    repository_owner: repository.ownerName,
    repository_owner_id: String(repository.ownerId),
    repositoryUrl: `${urls.origin}/${repository.fullName}.git`,
    run_attempt: String(run.attempt ?? 1),
    run_id: String(run.id ?? ""),
    run_number: String(run.number ?? ""),
    secret_source: "Actions",
    server_url: urls.origin,
    sha: run.oid,
    workflow: run.workflowName,
    // The path of a file of another repository contains its repository and branch.
    workflow_ref: run.workflowOid === null ? `${repository.fullName}/${run.workflowPath}@${run.ref}` : run.workflowPath,
    workflow_sha: run.workflowOid ?? run.oid,
    workspace: "",
  };
}
