import type { FormProblem } from "../../../../core/form-problem.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { submit } from "../../../../http/form-submit.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { editPath } from "../../../../ui/addresses.ts";
import { renderRepositoryPage } from "../../../../ui/repository-page.tsx";
import type { TextsOf } from "../../../../ui/texts/texts.ts";
import { inPlace, text } from "../../../../wire/schema.ts";
import { repositoryHeader } from "../../repos/header.ts";
import { getRepository } from "../../repos/service/loaders.ts";
import { type CommitPlaceDeps, findCommitPlace } from "../service/commit-place.ts";
import { cleanPath } from "../service/tree-plan.ts";
import { commitStaged, openStaged, type Staged, type StagedFile, sealStaged, stageFiles, type UploadDeps } from "../service/upload.ts";
import type { editTexts } from "../texts/texts.ts";
import type { CommitTyped } from "../views/commit-box.tsx";
import { UploadView } from "../views/upload.tsx";
import { afterCommit, type CommittingRequest, commitFields, committingPage, fieldOfBranch, freshCommit, readCommit, splitNew, textsOf } from "./commit-form.ts";

/** Limit on all files of one form together, because the form is read into memory. */
const maxUploadBytes = 32 * 1024 * 1024;
const maxFiles = 50;
/** Allowance for the other form fields. */
const formBytes = 256 * 1024;

const path = "/{owner}/{repo}/_upload/{filepath+}";

/** The pages for uploading files in one commit. */
export function uploadPages(deps: UploadPageDeps): Route[] {
  return [
    defineRoute({
      ...committingPage,
      id: "uploadFilesPage",
      method: "GET",
      path,
      summary: "The form for uploading files to a folder",
      handle: async (request) => {
        const { branch, path } = await splitNew(deps, request);
        const staged = { files: [], storedBytes: 0 };
        return formPage(deps, request, { branch, formerPath: path, folder: path, staged, commit: freshCommit(deps, request.actor) });
      },
    }),
    defineRoute({
      ...committingPage,
      id: "uploadFiles",
      method: "POST",
      path,
      summary: "Commit uploaded files",
      body: inPlace({ folder: text(), kept: text(), ...commitFields }),
      bodyLimitBytes: maxUploadBytes + formBytes,
      formFiles: maxFiles,
      handle: async (request) => {
        const { actor, repository, body, files } = request;
        const { branch, path } = await splitNew(deps, request);
        let staged = openStaged(deps, actor, repository, body.kept);
        return submit(
          async () => {
            if (files.length > 0) staged = await stageFiles(deps, repository, staged, files);
            const commit = readCommit(body, branch, usualSummary(textsOf(request), body.folder, staged.files));
            await commitStaged(deps, actor, repository, { commit, folder: body.folder, staged });
            return afterCommit(deps, request, commit, cleanPath(body.folder));
          },
          (problem) => formPage(deps, request, { branch, formerPath: path, folder: body.folder, staged, commit: body, problem }),
          { field: "folder", fieldOf: fieldOfBranch, also: ["not_found", "forbidden", "too_large"] },
        );
      },
    }),
  ];
}

/** A single file has the same default summary as a file created in the editor. */
function usualSummary(texts: TextsOf<typeof editTexts>, folder: string, files: readonly StagedFile[]): string {
  const [only] = files;
  return files.length === 1 && only !== undefined ? texts.add(cleanPath(`${folder}/${only.name}`)) : texts.addFiles(files.length);
}

interface UploadState {
  readonly branch: string;
  /** The folder from the URL. */
  readonly formerPath: string;
  /** As submitted. */
  readonly folder: string;
  readonly staged: Staged;
  readonly commit: CommitTyped;
  readonly problem?: FormProblem;
}

type UploadPageDeps = UploadDeps & CommitPlaceDeps;

async function formPage(deps: UploadPageDeps, request: CommittingRequest, state: UploadState): Promise<RawReply> {
  const { actor, repository } = request;
  const { branch, formerPath, staged, ...typed } = state;
  const texts = textsOf(request);
  const title = formerPath === "" ? texts.upload : texts.uploadTo(formerPath);
  const props = {
    ...typed,
    branch,
    repository,
    place: await findCommitPlace(deps, actor, repository, branch),
    action: editPath(repository, "upload", branch, formerPath),
    kept: staged.files,
    keptSeal: sealStaged(deps, actor, repository, staged),
    maxBytes: maxUploadBytes,
    usualSummary: staged.files.length === 0 ? "" : usualSummary(texts, state.folder, staged.files),
    formToken: formTokenOf(requireSession(request.session)),
  };
  const view = await getRepository(deps, actor, repository.id);
  return renderRepositoryPage({ ...pageReader(request), repository: repositoryHeader(view), tab: "code", title, heading: title }, <UploadView {...props} />);
}
