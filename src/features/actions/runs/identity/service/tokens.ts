import { randomUUID } from "node:crypto";
import { malformed, notFound } from "../../../../../core/errors.ts";
import type { Urls } from "../../../../../core/urls.ts";
import { loadUsers } from "../../../../accounts/users/service/accounts.ts";
import { findPlaceById } from "../../../../repositories/repos/service/find.ts";
import type { RunRow, TaskRow } from "../../model.ts";
import { githubContext } from "../../service/github-context.ts";
import { findRun } from "../../store/runs.ts";
import { type KeyDeps, signIdentity } from "./keys.ts";

export interface IdentityDeps extends KeyDeps {
  readonly urls: Urls;
}

const validSeconds = 600;
const maxAudienceLength = 1_000;

/** Another issuer than that of sign-ins: a token of a job is never one of a user. */
export const issuerOf = ({ origin }: Urls): string => `${origin}/api/actions/oidc`;

/** The subject of a token, in the form that conditions of other services match. */
const subjectOf = (fullName: string, { trigger, ref }: Pick<RunRow, "trigger" | "ref">): string =>
  `repo:${fullName}:${trigger === "pull_request" ? "pull_request" : `ref:${ref}`}`;

/** The claims that GitHub documents and that this server knows. */
export const identityClaims = [
  "actor",
  "actor_id",
  "base_ref",
  "event_name",
  "head_ref",
  "ref",
  "ref_type",
  "repository",
  "repository_id",
  "repository_owner",
  "repository_owner_id",
  "run_attempt",
  "run_id",
  "run_number",
  "sha",
  "workflow",
  "workflow_ref",
  "workflow_sha",
] as const;

/** A signed statement about a running job, for one audience. @throws ForgeError `malformed`, `not_found`, `unavailable` */
export async function identityToken(deps: IdentityDeps, task: TaskRow, audience: string | undefined): Promise<string> {
  if (audience !== undefined && audience.length > maxAudienceLength) throw malformed(`the audience has at most ${maxAudienceLength} characters`);
  const run = await findRun(deps.db, task.repoId, task.runId);
  const place = await findPlaceById(deps, task.repoId);
  if (run === undefined || place === undefined) throw notFound();
  const actor = run.actorId === null ? undefined : (await loadUsers(deps, [run.actorId])).get(run.actorId);
  const context = githubContext(deps, place, run, { actorName: actor?.name ?? "", payload: "{}" });
  const nowSeconds = Math.floor(deps.clock.now() / 1000);
  return signIdentity(deps, {
    ...Object.fromEntries(identityClaims.map((claim) => [claim, context[claim]])),
    repository_visibility: place.isPrivate ? "private" : "public",
    runner_environment: "self-hosted",
    job_workflow_ref: context.workflow_ref,
    job_workflow_sha: context.workflow_sha,
    iss: issuerOf(deps.urls),
    aud: audience || deps.urls.web(place.ownerName),
    sub: subjectOf(place.fullName, run),
    jti: randomUUID(),
    iat: nowSeconds,
    nbf: nowSeconds,
    exp: nowSeconds + validSeconds,
  });
}
