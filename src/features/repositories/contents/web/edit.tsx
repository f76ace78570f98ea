import { forbidden, invalid, isForgeError } from "../../../../core/errors.ts";
import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { seeOther, submit } from "../../../../http/form-submit.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { comparePath, editPath } from "../../../../ui/addresses.ts";
import { editorPath } from "../../../../ui/editor-bundle.ts";
import { renderRepositoryPage } from "../../../../ui/repository-page.tsx";
import { streamPage } from "../../../../ui/slow-part.tsx";
import type { TextsOf } from "../../../../ui/texts/texts.ts";
import { inPlace, text } from "../../../../wire/schema.ts";
import { repositoryHeader } from "../../repos/header.ts";
import { getRepository } from "../../repos/service/loaders.ts";
import type { CommitInput, FileChange } from "../file-change.ts";
import { type ChangeDeps, changeFiles } from "../service/change.ts";
import { type CommitPlaceDeps, findCommitPlace, proposeFiles } from "../service/commit-place.ts";
import { type Deletable, type EditableFile, findDeletable, readEditable } from "../service/editable.ts";
import { indentationOf, type ChangePreview as Preview, type PreviewDeps, previewChange } from "../service/preview.ts";
import { cleanPath } from "../service/tree-plan.ts";
import type { editTexts } from "../texts/texts.ts";
import { ChangePreview } from "../views/change-preview.tsx";
import type { CommitTyped } from "../views/commit-box.tsx";
import { EditView } from "../views/edit.tsx";
import { afterCommit, type CommittingRequest, commitFields, fieldOfBranch, freshCommit, proposingPage, readCommit, splitNew, textsOf } from "./commit-form.ts";

const page = proposingPage;
const FileForm = inPlace({ action: text(), path: text(), content: text(lengths.file), seen: text(), ...commitFields });
const DeletionForm = inPlace({ action: text(), seen: text(), ...commitFields });
/** Allowance for the other form fields; form encoding can triple the size of the file. */
const bodyLimitBytes = 3 * 1024 * 1024 + 256 * 1024;

export type EditPageDeps = ChangeDeps & CommitPlaceDeps & PreviewDeps;

/** The pages for creating, editing, moving and deleting files, each in its own commit. */
export function editingPages(deps: EditPageDeps): Route[] {
  return [
    defineRoute({
      ...page,
      id: "editFilePage",
      method: "GET",
      path: "/{owner}/{repo}/_edit/{filepath+}",
      summary: "The form for editing a file",
      handle: async (request) => {
        const { branch, path, oid, text } = await editable(deps, request);
        return formPage(deps, request, { kind: "edit", branch, formerPath: path, path, content: text, seen: oid, commit: freshCommit(deps, request.actor) });
      },
    }),
    defineRoute({
      ...page,
      id: "editFile",
      method: "POST",
      path: "/{owner}/{repo}/_edit/{filepath+}",
      summary: "Change or move a file",
      body: FileForm,
      bodyLimitBytes,
      handle: async (request) => {
        const { body } = request;
        const present = await editable(deps, request);
        const content = present.text === undefined ? undefined : body.content;
        const state: FormState = { kind: "edit", branch: present.branch, formerPath: present.path, path: body.path, content, seen: present.oid, commit: body };
        if (content === undefined) {
          const file = { operation: "rename", path: body.path, content: "", sha: body.seen, fromPath: present.path };
          return commitAndShow(deps, request, state, file);
        }
        if (body.action === "preview") return previewPage(deps, request, state, present.text ?? "");
        if (present.oid !== body.seen) return { ...(await formPage(deps, request, { ...state, changedTo: present.text ?? "" })), status: 422 };
        const typed = present.text !== undefined && present.hasCrLf ? content.replaceAll("\n", "\r\n") : content;
        const file = { operation: "update", path: body.path, content: base64(typed), sha: body.seen, fromPath: present.path };
        return commitAndShow(deps, request, { ...state, isUnchanged: typed === present.text && cleanPath(body.path) === present.path }, file);
      },
    }),
    defineRoute({
      ...page,
      id: "newFilePage",
      method: "GET",
      path: "/{owner}/{repo}/_new/{filepath+}",
      summary: "The form for creating a file",
      query: { content: query.text("The initial content") },
      handle: async (request) => {
        const { branch, path } = await splitNew(deps, request);
        const state = {
          kind: "new",
          branch,
          formerPath: path,
          path: path === "" ? "" : `${path}/`,
          seen: "",
          commit: freshCommit(deps, request.actor),
        } as const;
        return formPage(deps, request, { ...state, content: request.query.content ?? "" });
      },
    }),
    defineRoute({
      ...page,
      id: "newFile",
      method: "POST",
      path: "/{owner}/{repo}/_new/{filepath+}",
      summary: "Make a file",
      body: FileForm,
      bodyLimitBytes,
      handle: async (request) => {
        const { body } = request;
        const { branch, path } = await splitNew(deps, request);
        const content = body.content;
        const state: FormState = { kind: "new", branch, formerPath: path, path: body.path, content, seen: "", commit: body };
        if (body.action === "preview") return previewPage(deps, request, state, "");
        return commitAndShow(deps, request, state, { operation: "create", path: body.path, content: base64(content), sha: "", fromPath: "" });
      },
    }),
    defineRoute({
      ...page,
      id: "deleteFilePage",
      method: "GET",
      path: "/{owner}/{repo}/_delete/{filepath+}",
      summary: "The form for deleting a file",
      handle: async (request) => {
        const { oid, ...found } = await findDeletable(deps, request.repository, request.params.filepath);
        return formPage(deps, request, deletionOf(found, oid, freshCommit(deps, request.actor)));
      },
    }),
    defineRoute({
      ...page,
      id: "deleteFile",
      method: "POST",
      path: "/{owner}/{repo}/_delete/{filepath+}",
      summary: "Delete a file",
      body: DeletionForm,
      handle: async (request) => {
        const { body } = request;
        const found = await findDeletable(deps, request.repository, request.params.filepath);
        const file = { operation: "delete", path: found.path, content: "", sha: body.seen, fromPath: "" };
        return commitAndShow(deps, request, deletionOf(found, body.seen, body), file);
      },
    }),
  ];
}

interface FormState {
  readonly kind: "edit" | "new" | "delete";
  readonly branch: string;
  /** From the URL. */
  readonly formerPath: string;
  /** As submitted. */
  readonly path: string;
  readonly content: string | undefined;
  readonly seen: string;
  readonly isFolder?: boolean;
  readonly isUnchanged?: boolean;
  readonly commit: CommitTyped;
  readonly problem?: FormProblem;
  readonly preview?: Preview;
  readonly changedTo?: string;
}

const deletionOf = ({ branch, path, isFolder }: Omit<Deletable, "oid">, seen: string, commit: CommitTyped): FormState => ({
  kind: "delete",
  branch,
  formerPath: path,
  path,
  content: undefined,
  seen,
  isFolder,
  commit,
});

const base64 = (content: string): string => Buffer.from(content, "utf8").toString("base64");
/** A file that is not text, or too large for a form, can still be moved. */
async function editable(deps: EditPageDeps, { repository, params }: CommittingRequest): Promise<EditableFile | MovableFile> {
  try {
    return await readEditable(deps, repository, params.filepath);
  } catch (error) {
    if (!isForgeError(error, "invalid")) throw error;
    return { ...(await findDeletable(deps, repository, params.filepath)), text: undefined };
  }
}

interface MovableFile extends Deletable {
  readonly text: undefined;
}

const usualSummary = (texts: TextsOf<typeof editTexts>, { kind, path, formerPath }: FormState): string =>
  kind === "new" ? texts.add(path) : kind === "edit" ? texts.update(path) : texts.remove(formerPath);

async function formPage(deps: EditPageDeps, request: CommittingRequest, state: FormState): Promise<RawReply> {
  const { repository } = request;
  const texts = textsOf(request);
  const title = state.kind === "new" ? texts.newFile : state.kind === "edit" ? texts.editOf(state.formerPath) : texts.deleteOf(state.formerPath);
  const view = await getRepository(deps, request.actor, repository.id);
  const props = {
    ...state,
    repository,
    place: await findCommitPlace(deps, request.actor, repository, state.branch),
    editor: { path: await editorPath(), ...(await indentationOf(deps, repository, state.branch, state.path)) },
    action: editPath(repository, state.kind, state.branch, state.formerPath),
    usualSummary: usualSummary(texts, state),
    formToken: formTokenOf(requireSession(request.session)),
  };
  const { preview } = state;
  const page = renderRepositoryPage(
    { ...pageReader(request), repository: repositoryHeader(view), tab: "code", title, heading: title },
    <EditView {...props} hasPreview={preview !== undefined} />,
  );
  return preview === undefined ? page : streamPage(page, pageReader(request).languages, <ChangePreview {...preview} />);
}

/** Shows the form with the lines that the change of a text adds and removes, and with the rendered file. */
async function previewPage(deps: EditPageDeps, request: CommittingRequest, state: FormState, before: string): Promise<RawReply> {
  const { branch, path, content = "" } = state;
  return formPage(deps, request, { ...state, preview: await previewChange(deps, request.actor, request.repository, { branch, path, before, after: content }) });
}

/** Commits the form and redirects to the file or to a pull request form. The form keeps its values if the commit is rejected. */
const commitAndShow = (deps: EditPageDeps, request: CommittingRequest, state: FormState, file: FileChange): Promise<RawReply> =>
  submit(
    async () => {
      const { actor, repository } = request;
      if (state.isUnchanged) throw invalid("the file is not changed", { reason: "file_unchanged", field: "content" });
      if (state.kind !== "delete" && state.path.trim() === "") throw invalid("[Path]: Required", { reason: "required" });
      const commit = readCommit(state.commit, state.branch, usualSummary(textsOf(request), state));
      const place = await findCommitPlace(deps, actor, repository, state.branch);
      if (place.kind === "fork") return proposeFromFork(deps, request, commit, file);
      await changeFiles(deps, actor, repository, { commit, files: [file] });
      return afterCommit(deps, request, commit, state.kind === "delete" ? "" : cleanPath(file.path));
    },
    (problem) => formPage(deps, request, { ...state, problem }),
    { field: state.kind === "delete" ? "summary" : "path", fieldOf: fieldOfBranch, also: ["not_found", "forbidden"] },
  );

async function proposeFromFork(deps: EditPageDeps, { actor, repository }: CommittingRequest, commit: CommitInput, file: FileChange): Promise<RawReply> {
  if (commit.newBranch === "") throw forbidden("user should have a permission to write to the target branch", { reason: "push_not_allowed" });
  const fork = await proposeFiles(deps, actor, repository, { commit, files: [file] });
  return seeOther(comparePath(repository, `${commit.branch}...${fork.ownerName}:${commit.newBranch}`));
}
