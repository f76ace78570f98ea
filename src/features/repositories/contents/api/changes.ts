import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { parseTime, zeroTime } from "../../../../core/time.ts";
import type { Urls } from "../../../../core/urls.ts";
import { repository } from "../../../../http/access.ts";
import { json, variant } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { FileDeleteResponse, FileResponse, FilesResponse } from "../../../../wire/contents.ts";
import { ApplyDiffPatchFileOptions, ChangeFilesOptions, CreateFileOptions, DeleteFileOptions, UpdateFileOptions } from "../../../../wire/contents-options.ts";
import type { CommitInput, FileChange, NamedPerson } from "../file-change.ts";
import { presentChange, presentChanges } from "../present.ts";
import { type ChangeDeps, changeFiles } from "../service/change.ts";
import { changeByPatch } from "../service/patch.ts";

export type ChangesApiDeps = ChangeDeps & { readonly urls: Urls };

const common = { tag: "repository", access: repository.editor, scope: "repository" } as const;
const refusals = { 403: "forbidden", 404: "notFound", 422: "error", 423: "repoArchivedError" };

/** Allowance for the parts of a request body other than file contents. */
const bodyMargin = 256 * 1024;

/** Routes that change files, one at a time or several in one commit. */
export function changeRoutes(deps: ChangesApiDeps): Route[] {
  const { urls } = deps;
  const bodyLimitBytes = Math.ceil((deps.config.repositories.max_file_bytes * 4) / 3) + bodyMargin;
  const change = (at: { readonly actor: UserActor; readonly repository: RepositorySubject }, body: CommitFields, files: readonly FileChange[]) =>
    changeFiles(deps, at.actor, at.repository, { commit: readCommitInput(body), files });
  return [
    defineRoute({
      ...common,
      id: "repoCreateFile",
      method: "POST",
      path: "/repos/{owner}/{repo}/contents/{filepath+}",
      summary: "Create a file in a new commit",
      body: CreateFileOptions,
      bodyLimitBytes,
      answers: json(201, FileResponse),
      refusals,
      handle: async (request) => {
        const file = { operation: "create", path: request.params.filepath, content: request.body.content, sha: "", fromPath: "" };
        return presentChange(await change(request, request.body, [file]), request.repository, urls);
      },
    }),
    defineRoute({
      ...common,
      id: "repoUpdateFile",
      method: "PUT",
      path: "/repos/{owner}/{repo}/contents/{filepath+}",
      summary: "Update or move a file, or create it if no sha is given",
      body: UpdateFileOptions,
      bodyLimitBytes,
      answers: variant([200, 201], FileResponse),
      refusals,
      handle: async (request) => {
        const { sha, content, from_path: fromPath } = request.body;
        const isNew = sha === "" && fromPath === "";
        const operation = isNew ? "create" : sha === "" ? "rename" : "update";
        const file = { operation, path: request.params.filepath, content, sha, fromPath };
        return { status: isNew ? 201 : 200, body: presentChange(await change(request, request.body, [file]), request.repository, urls) };
      },
    }),
    defineRoute({
      ...common,
      id: "repoDeleteFile",
      method: "DELETE",
      path: "/repos/{owner}/{repo}/contents/{filepath+}",
      summary: "Delete a file",
      body: DeleteFileOptions,
      readsQueryAsBody: true,
      answers: json(200, FileDeleteResponse),
      refusals: { 400: "error", ...refusals },
      handle: async (request) => {
        const file = { operation: "delete", path: request.params.filepath, content: "", sha: request.body.sha, fromPath: "" };
        return presentChange(await change(request, request.body, [file]), request.repository, urls);
      },
    }),
    defineRoute({
      ...common,
      id: "repoChangeFiles",
      method: "POST",
      path: "/repos/{owner}/{repo}/contents",
      summary: "Create, update, move and delete several files in one commit",
      body: ChangeFilesOptions,
      bodyLimitBytes,
      answers: json(201, FilesResponse),
      refusals,
      handle: async (request) => {
        const files = (request.body.files ?? []).map(({ operation, path, content, sha, from_path }) => ({
          operation,
          path,
          content,
          sha,
          fromPath: from_path,
        }));
        return presentChanges(await change(request, request.body, files), request.repository, urls);
      },
    }),
    defineRoute({
      ...common,
      id: "repoApplyDiffPatch",
      method: "POST",
      path: "/repos/{owner}/{repo}/diffpatch",
      summary: "Apply a patch in a new commit",
      body: ApplyDiffPatchFileOptions,
      bodyLimitBytes,
      answers: json(201, FileResponse),
      refusals: { 404: "notFound", 423: "repoArchivedError" },
      handle: async ({ actor, repository, body, signal }) =>
        presentChange(await changeByPatch(deps, actor, repository, { commit: readCommitInput(body), patch: body.content, signal }), repository, urls),
    }),
  ];
}

type CommitFields = Pick<CreateFileOptions, "message" | "branch" | "new_branch" | "force_push" | "author" | "committer" | "dates" | "signoff">;

const readCommitInput = (body: CommitFields): CommitInput => ({
  branch: body.branch,
  newBranch: body.new_branch,
  isForced: body.force_push,
  message: body.message,
  author: { ...body.author, time: readGitTime(body.dates.author) },
  committer: { ...body.committer, time: readGitTime(body.dates.committer) },
  isSignedOff: body.signoff,
});

/** Parses a time and keeps its offset. @compat some clients send the zero time for no time (contents/change.test.ts) */
function readGitTime(text: string): NamedPerson["time"] {
  const ms = text === "" || text === zeroTime ? undefined : parseTime(text);
  if (ms === undefined) return undefined;
  const [, sign = "+", hours = "0", minutes = "0"] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
  const offset = Number(hours) * 60 + Number(minutes);
  return { seconds: Math.floor(ms / 1000), offsetMinutes: sign === "-" ? -offset : offset };
}
