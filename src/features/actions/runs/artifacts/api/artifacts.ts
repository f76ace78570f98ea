import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { malformed } from "../../../../../core/errors.ts";
import { readId } from "../../../../../core/ids.ts";
import { formatTime } from "../../../../../core/time.ts";
import { anyone, repository } from "../../../../../http/access.ts";
import { empty, envelope, json, raw, silent } from "../../../../../http/answers.ts";
import { query } from "../../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../../http/route.ts";
import { ActionArtifact, ActionArtifactsResponse } from "../../../../../wire/action-artifact.ts";
import { reader } from "../../api/access.ts";
import type { RunRow } from "../../model.ts";
import { findRunById } from "../../service/manage.ts";
import type { Artifact } from "../model.ts";
import { getArtifact, getArtifactByName, listArtifacts, openArtifact, removeArtifact, runsOfArtifacts } from "../service/artifacts.ts";
import type { UploadDeps } from "../service/uploads.ts";
import { signLink } from "../signed-links.ts";
import { artifactReply } from "./download.ts";
import { signedArtifact } from "./results.ts";

const common = { tag: "repository", scope: "repository" } as const;
const refusals = { 400: "error", 404: "notFound" } as const;
const base = "/repos/{owner}/{repo}/actions";
const byName = { name: query.text("Only artifacts with this name") };

/** Artifacts of a repository. */
export function artifactRoutes(deps: UploadDeps): Route[] {
  const present = async (place: RepositorySubject, artifacts: readonly Artifact[]): Promise<ActionArtifact[]> => {
    const runs = await runsOfArtifacts(deps, place, artifacts);
    return artifacts.map((artifact) => presentArtifact(artifact, runs.get(artifact.runId)));
    function presentArtifact(artifact: Artifact, run: RunRow | undefined): ActionArtifact {
      const url = deps.urls.api("repos", place.fullName, "actions", "artifacts", artifact.id);
      return {
        id: artifact.id,
        name: artifact.name,
        size_in_bytes: artifact.sizeBytes,
        url,
        archive_download_url: `${url}/zip`,
        expired: artifact.expiresMs <= deps.clock.now(),
        workflow_run: presentBriefRun(artifact, run),
        created_at: formatTime(artifact.createdMs),
        updated_at: formatTime(artifact.updatedMs),
        expires_at: formatTime(artifact.expiresMs),
      };
    }
  };
  return [
    defineRoute({
      ...common,
      id: "getArtifacts",
      method: "GET",
      path: `${base}/artifacts`,
      summary: "List the artifacts of a repository, newest first",
      access: reader,
      query: byName,
      answers: envelope(ActionArtifactsResponse, "total"),
      refusals,
      handle: async ({ repository: place, query: { name }, page }) => {
        const { items, total } = await listArtifacts(deps, { repoId: place.id, name: name || undefined }, page);
        return { body: { artifacts: await present(place, items), total_count: total }, total };
      },
    }),
    defineRoute({
      ...common,
      id: "getArtifactsOfRun",
      method: "GET",
      path: `${base}/runs/{run}/artifacts`,
      summary: "List the artifacts of a run; empty for an unknown run",
      access: reader,
      query: byName,
      answers: envelope(ActionArtifactsResponse, "total"),
      refusals,
      handle: async ({ repository: place, params, query: { name }, page }) => {
        if (!/^\d+$/.test(params.run)) throw malformed("the run must be a number");
        const { items, total } = await listArtifacts(deps, { repoId: place.id, runId: readId(params.run), name: name || undefined }, page);
        return { body: { artifacts: await present(place, items), total_count: total }, total };
      },
    }),
    defineRoute({
      ...common,
      id: "getArtifact",
      method: "GET",
      path: `${base}/artifacts/{artifact_id}`,
      summary: "Get an artifact",
      access: reader,
      answers: json(200, ActionArtifact),
      refusals,
      handle: async ({ repository: place, params }) => {
        const [presented] = await present(place, [await getArtifact(deps, place, readId(params.artifact_id))]);
        return presented as ActionArtifact;
      },
    }),
    defineRoute({
      ...common,
      id: "deleteArtifact",
      method: "DELETE",
      path: `${base}/artifacts/{artifact_id}`,
      summary: "Delete an artifact",
      access: repository.writer("repo.actions", { asks: "after-right" }),
      answers: empty(),
      refusals,
      handle: async ({ repository: place, params }) => removeArtifact(deps, await getArtifact(deps, place, readId(params.artifact_id))),
    }),
    defineRoute({
      ...common,
      id: "downloadArtifact",
      method: "GET",
      path: `${base}/artifacts/{artifact_id}/zip`,
      summary: "Get the address of the content of an artifact, which is valid for an hour",
      access: reader,
      answers: silent(302),
      refusals,
      handle: async ({ repository: place, params }) => {
        const artifact = await getArtifact(deps, place, readId(params.artifact_id));
        openArtifact(deps, artifact);
        const url = deps.urls.api("repos", place.fullName, "actions", "artifacts", artifact.id, "zip", "raw");
        return { status: 302, headers: { location: `${url}?sig=${signLink(deps.sealer, "artifact download", artifact.id, deps.clock.now())}` } };
      },
    }),
    defineRoute({
      ...common,
      scope: "none",
      id: "downloadArtifactRaw",
      isUnlisted: true,
      ignoresCredentials: true,
      method: "GET",
      path: `${base}/artifacts/{artifact_id}/zip/raw`,
      summary: "Download an artifact by a signed address",
      access: anyone,
      query: { sig: query.text("Signature of the address") },
      answers: raw(["application/zip"]),
      handle: async ({ query: { sig = "" }, headers }) => artifactReply(deps, await signedArtifact(deps, sig), headers.range),
    }),
    defineRoute({
      ...common,
      id: "artifactFile",
      isUnlisted: true,
      mount: "root",
      method: "GET",
      path: "/{owner}/{repo}/actions/runs/{run}/artifacts/{name}",
      summary: "Download an artifact",
      access: repository.reader("repo.actions"),
      answers: raw(["application/octet-stream"]),
      handle: async ({ repository: place, params, headers }) => {
        const run = await findRunById(deps, place, readId(params.run));
        return artifactReply(deps, await getArtifactByName(deps, run.id, params.name), headers.range);
      },
    }),
  ];
}

/** @compat the run of an artifact has few fields (runs/artifacts/artifacts.test.ts) */
const presentBriefRun = ({ repoId, runId }: Artifact, run: RunRow | undefined) => ({
  id: runId,
  url: "",
  html_url: "",
  display_title: "",
  path: "",
  event: "",
  run_attempt: 0,
  run_number: 0,
  repository_id: repoId,
  head_sha: run?.oid ?? "",
  status: "",
  started_at: "0001-01-01T00:00:00Z",
  completed_at: "0001-01-01T00:00:00Z",
});
