import { h } from "preact";
import type { UserActor } from "../../../access/actor.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import { invalid, isForgeError } from "../../../core/errors.ts";
import type { FormProblem } from "../../../core/form-problem.ts";
import { repository } from "../../../http/access.ts";
import { type RawReply, raw } from "../../../http/answers.ts";
import { seeOther, submit } from "../../../http/form-submit.ts";
import { pageReader } from "../../../http/page-reader.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../http/session-cookie.ts";
import { comparePath, editPath, sourcePath } from "../../../ui/addresses.ts";
import { renderRepositoryPage } from "../../../ui/repository-page.ts";
import { type Texts, textsFor } from "../../../ui/texts/texts.ts";
import { inPlace, text } from "../../../wire/schema.ts";
import { repositoryHeader } from "../../repos/header.ts";
import { getRepository } from "../../repos/service/views.ts";
import type { FileChange } from "../file-change.ts";
import { type ChangeDeps, changeFiles } from "../service/change.ts";
import { findDeletable, readEditable, splitBranchPath } from "../service/editable.ts";
import { createTurns } from "../turns.ts";
import { type CommitTyped, EditView } from "../views/edit.ts";

export type EditingPageDeps = Omit<ChangeDeps, "turns">;

const page = {
  mount: "root",
  tag: "repository",
  isUnlisted: true,
  isPage: true,
  access: repository.editor,
  scope: "repository",
  answers: raw(["text/html"]),
} as const;
const commitFields = { seen: text(), summary: text(), details: text(), target: text(), new_branch: text() };
const FileForm = inPlace({ path: text(), content: text(), ...commitFields });
const DeletionForm = inPlace(commitFields);
/** Room for what a form holds besides the file; a form triples what it encodes. */
const bodyLimitBytes = 3 * 1024 * 1024 + 256 * 1024;

/** Files that are made, changed, moved and deleted in a browser, each in a commit of its own. */
export function editingPages(context: EditingPageDeps): Route[] {
  const deps: ChangeDeps = { ...context, turns: createTurns() };
  return [
    defineRoute({
      ...page,
      id: "editFilePage",
      method: "GET",
      path: "/{owner}/{repo}/_edit/{filepath+}",
      summary: "The form in which a file is changed",
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
        const content = body.content.replaceAll("\r\n", "\n");
        const state: FormState = { kind: "edit", branch: present.branch, formerPath: present.path, path: body.path, content, seen: present.oid, commit: body };
        if (present.oid !== body.seen) return { ...(await formPage(deps, request, { ...state, changedTo: present.text })), status: 422 };
        const typed = present.hasCrLf ? content.replaceAll("\n", "\r\n") : content;
        const file = { operation: "update", path: body.path, content: base64(typed), sha: body.seen, fromPath: present.path };
        return commitAndShow(deps, request, state, file);
      },
    }),
    defineRoute({
      ...page,
      id: "newFilePage",
      method: "GET",
      path: "/{owner}/{repo}/_new/{filepath+}",
      summary: "The form in which a file is made",
      query: { content: query.text("What it begins with") },
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
        const content = body.content.replaceAll("\r\n", "\n");
        const state: FormState = { kind: "new", branch, formerPath: path, path: body.path, content, seen: "", commit: body };
        return commitAndShow(deps, request, state, { operation: "create", path: body.path, content: base64(content), sha: "", fromPath: "" });
      },
    }),
    defineRoute({
      ...page,
      id: "deleteFilePage",
      method: "GET",
      path: "/{owner}/{repo}/_delete/{filepath+}",
      summary: "The form in which a file is deleted",
      handle: async (request) => {
        const { branch, path, oid } = await findDeletable(deps, request.repository, request.params.filepath);
        const state = { kind: "delete", branch, formerPath: path, path, content: undefined, seen: oid, commit: freshCommit(deps, request.actor) } as const;
        return formPage(deps, request, state);
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
        const { branch, path } = await findDeletable(deps, request.repository, request.params.filepath);
        const state: FormState = { kind: "delete", branch, formerPath: path, path, content: undefined, seen: body.seen, commit: body };
        return commitAndShow(deps, request, state, { operation: "delete", path, content: "", sha: body.seen, fromPath: "" });
      },
    }),
  ];
}

interface EditRequest {
  readonly actor: UserActor;
  readonly repository: RepositorySubject;
  readonly session: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly url: string;
  readonly params: { readonly filepath: string };
}

interface FormState {
  readonly kind: "edit" | "new" | "delete";
  readonly branch: string;
  /** As the address has it. */
  readonly formerPath: string;
  /** As it was typed. */
  readonly path: string;
  readonly content: string | undefined;
  readonly seen: string;
  readonly commit: CommitTyped;
  readonly problem?: FormProblem;
  readonly changedTo?: string;
}

const base64 = (content: string): string => Buffer.from(content, "utf8").toString("base64");
const textsOf = (request: EditRequest): Texts => textsFor(pageReader(request).languages);

/** The default branch of a repository that has none yet is there to be made. */
async function splitNew(deps: ChangeDeps, { repository, params }: EditRequest): Promise<{ readonly branch: string; readonly path: string }> {
  return repository.isEmpty ? { branch: repository.defaultBranch, path: "" } : splitBranchPath(deps, repository, params.filepath);
}

async function editable(deps: ChangeDeps, request: EditRequest) {
  try {
    return await readEditable(deps, request.repository, request.params.filepath);
  } catch (error) {
    throw isForgeError(error, "invalid") ? invalid(textsOf(request).editing.noText) : error;
  }
}

/** A name for a new branch that nobody has yet. */
const freshCommit = ({ clock }: ChangeDeps, { name }: UserActor): CommitTyped => ({
  summary: "",
  details: "",
  target: "direct",
  new_branch: `${name}-patch-${Math.floor(clock.now() / 1000).toString(36)}`,
});

const usualSummary = ({ editing }: Texts, { kind, path, formerPath }: FormState): string =>
  kind === "new" ? editing.add(path) : kind === "edit" ? editing.update(path) : editing.remove(formerPath);

async function formPage(deps: ChangeDeps, request: EditRequest, state: FormState): Promise<RawReply> {
  const { repository } = request;
  const texts = textsOf(request);
  const title =
    state.kind === "new" ? texts.editing.newFile : state.kind === "edit" ? texts.editing.editOf(state.formerPath) : texts.editing.deleteOf(state.formerPath);
  const view = await getRepository(deps, request.actor, repository.id);
  const facts = {
    ...state,
    action: editPath(repository, state.kind, state.branch, state.formerPath),
    usualSummary: usualSummary(texts, state),
    formToken: formTokenOf(requireSession(request.session)),
  };
  return renderRepositoryPage({ ...pageReader(request), repository: repositoryHeader(view), tab: "code", title, heading: title }, h(EditView, facts));
}

/** Commits what a form asks for, and leads to what is there then: the file, or the proposal of a new branch. What was typed survives a refusal. */
const commitAndShow = (deps: ChangeDeps, request: EditRequest, state: FormState, file: FileChange): Promise<RawReply> =>
  submit(
    async () => {
      const { actor, repository } = request;
      const { summary, details, target, new_branch: newBranch } = state.commit;
      const isNew = target === "branch";
      if (isNew && newBranch.trim() === "") throw invalid("[NewBranch]: Required");
      const title = summary.trim() === "" ? usualSummary(textsOf(request), state) : summary.trim();
      const message = details.trim() === "" ? title : `${title}\n\n${details.replaceAll("\r\n", "\n").trim()}`;
      const commit = {
        branch: state.branch,
        newBranch: isNew ? newBranch.trim() : "",
        isForced: false,
        message,
        author: nobody,
        committer: nobody,
        isSignedOff: false,
      };
      const { at } = await changeFiles(deps, actor, repository, { commit, files: [file] });
      if (isNew) return seeOther(comparePath(repository, `${state.branch}...${commit.newBranch}`));
      return seeOther(
        sourcePath(repository, { kind: "branch", rev: at.rev }, state.kind === "delete" ? "" : file.path.replace(/\/{2,}/g, "/").replace(/^\/|\/$/g, "")),
      );
    },
    (problem) => formPage(deps, request, { ...state, problem }),
    { field: state.kind === "delete" ? "summary" : "path", also: ["not_found", "forbidden"] },
  );

/** The commit is whose session it is. */
const nobody = { name: "", email: "", time: undefined } as const;
