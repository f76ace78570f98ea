import type { IncomingMessage } from "node:http";
import type { UserActor } from "../../../access/actor.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import { readId } from "../../../core/ids.ts";
import type { Urls } from "../../../core/urls.ts";
import { repository } from "../../../http/access.ts";
import { empty, json, list } from "../../../http/answers.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { receiveUpload } from "../../../http/upload.ts";
import { Attachment, EditAttachmentOptions } from "../../../wire/attachment.ts";
import { presentAttachment } from "../../issues/present.ts";
import { type AttachmentDeps, getHeld, hangUp, listHeld, remove, rename, takeIn } from "../service/change.ts";
import { readCommentHolder, readIssueHolder, writeCommentHolder, writeIssueHolder } from "../service/holders.ts";
import type { Holder, KeptAttachment } from "../view.ts";

export interface AttachmentApiDeps extends AttachmentDeps {
  readonly urls: Urls;
}

const field = "attachment";
const refusals = { 404: "error" } as const;
const name = { name: query.text("Another name than the one that the file comes with") };

/** Files that hang on issues and pull requests, not on their comments. */
export function issueAttachmentRoutes(deps: AttachmentApiDeps): Route[] {
  const { urls } = deps;
  const path = "/repos/{owner}/{repo}/issues/{index}/assets";
  const one = `${path}/{attachment_id}` as const;
  const common = { tag: "issue", scope: "issue" } as const;
  const editor = repository.signedIn({ archived: "refused" });
  return [
    defineRoute({
      ...common,
      id: "issueListIssueAttachments",
      method: "GET",
      path,
      summary: "The files of an issue",
      access: repository.visible,
      answers: list(Attachment, "none"),
      refusals,
      handle: async ({ repository, params }) => shown(await listHeld(deps, await readIssueHolder(deps, repository, params.index)), urls),
    }),
    defineRoute({
      ...common,
      id: "issueCreateIssueAttachment",
      method: "POST",
      path,
      summary: "Hang a file on an issue",
      access: editor,
      query: name,
      streamsBody: true,
      uploadField: field,
      answers: json(201, Attachment),
      refusals: { 400: "error", 404: "error", 413: "error", 422: "validationError", 423: "repoArchivedError" },
      handle: (request) => upload(deps, request, (actor, repository) => writeIssueHolder(deps, actor, repository, request.params.index)),
    }),
    defineRoute({
      ...common,
      id: "issueGetIssueAttachment",
      method: "GET",
      path: one,
      summary: "One file of an issue",
      access: repository.visible,
      answers: json(200, Attachment),
      refusals,
      handle: async ({ repository, params }) =>
        presentAttachment(await getHeld(deps, await readIssueHolder(deps, repository, params.index), readId(params.attachment_id)), urls),
    }),
    defineRoute({
      ...common,
      id: "issueEditIssueAttachment",
      method: "PATCH",
      path: one,
      summary: "Give a file of an issue another name",
      access: editor,
      body: EditAttachmentOptions,
      answers: json(201, Attachment),
      refusals: { 404: "error", 422: "validationError", 423: "repoArchivedError" },
      handle: async ({ actor, repository, params, body }) => {
        const holder = await writeIssueHolder(deps, actor, repository, params.index);
        return presentAttachment(await rename(deps, actor, holder, readId(params.attachment_id), body.name), urls);
      },
    }),
    defineRoute({
      ...common,
      id: "issueDeleteIssueAttachment",
      method: "DELETE",
      path: one,
      summary: "Delete a file of an issue",
      access: editor,
      answers: empty(),
      refusals: { 404: "error", 423: "repoArchivedError" },
      handle: async ({ actor, repository, params }) =>
        remove(deps, actor, await writeIssueHolder(deps, actor, repository, params.index), readId(params.attachment_id)),
    }),
  ];
}

/** Files that hang on comments. */
export function commentAttachmentRoutes(deps: AttachmentApiDeps): Route[] {
  const { urls } = deps;
  const path = "/repos/{owner}/{repo}/issues/comments/{id}/assets";
  const one = `${path}/{attachment_id}` as const;
  const common = { tag: "issue", scope: "issue" } as const;
  const editor = repository.signedIn({ archived: "refused" });
  return [
    defineRoute({
      ...common,
      id: "issueListIssueCommentAttachments",
      method: "GET",
      path,
      summary: "The files of a comment",
      access: repository.visible,
      answers: list(Attachment, "none"),
      refusals,
      handle: async ({ repository, params }) => shown(await listHeld(deps, await readCommentHolder(deps, repository, params.id)), urls),
    }),
    defineRoute({
      ...common,
      id: "issueCreateIssueCommentAttachment",
      method: "POST",
      path,
      summary: "Hang a file on a comment",
      access: editor,
      query: name,
      streamsBody: true,
      uploadField: field,
      answers: json(201, Attachment),
      refusals: { 400: "error", 403: "forbidden", 404: "error", 413: "error", 422: "validationError", 423: "repoArchivedError" },
      handle: (request) => upload(deps, request, (actor, repository) => writeCommentHolder(deps, actor, repository, request.params.id)),
    }),
    defineRoute({
      ...common,
      id: "issueGetIssueCommentAttachment",
      method: "GET",
      path: one,
      summary: "One file of a comment",
      access: repository.visible,
      answers: json(200, Attachment),
      refusals,
      handle: async ({ repository, params }) =>
        presentAttachment(await getHeld(deps, await readCommentHolder(deps, repository, params.id), readId(params.attachment_id)), urls),
    }),
    defineRoute({
      ...common,
      id: "issueEditIssueCommentAttachment",
      method: "PATCH",
      path: one,
      summary: "Give a file of a comment another name",
      access: editor,
      body: EditAttachmentOptions,
      answers: json(201, Attachment),
      refusals: { 404: "error", 422: "validationError", 423: "repoArchivedError" },
      handle: async ({ actor, repository, params, body }) => {
        const holder = await writeCommentHolder(deps, actor, repository, params.id);
        return presentAttachment(await rename(deps, actor, holder, readId(params.attachment_id), body.name), urls);
      },
    }),
    defineRoute({
      ...common,
      id: "issueDeleteIssueCommentAttachment",
      method: "DELETE",
      path: one,
      summary: "Delete a file of a comment",
      access: editor,
      answers: empty(),
      refusals: { 404: "error", 423: "repoArchivedError" },
      handle: async ({ actor, repository, params }) =>
        remove(deps, actor, await writeCommentHolder(deps, actor, repository, params.id), readId(params.attachment_id)),
    }),
  ];
}

const shown = (held: readonly KeptAttachment[], urls: Urls) => ({ total: held.length, items: held.map((one) => presentAttachment(one, urls)) });

interface UploadRequest {
  readonly actor: UserActor;
  readonly repository: RepositorySubject;
  readonly query: { readonly name: string | undefined };
  readonly stream: IncomingMessage | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The right is judged before the file is read, and the file is whole before anything names it. */
async function upload(
  deps: AttachmentApiDeps,
  request: UploadRequest,
  findHolder: (actor: UserActor, repository: RepositorySubject) => Promise<Holder>,
): Promise<Attachment> {
  const { actor, repository, query } = request;
  const holder = await findHolder(actor, repository);
  const options = { field, maxBytes: deps.config.attachments.max_bytes };
  const taken = await receiveUpload(request, options, (file) => takeIn(deps, query.name || file.name, file.content));
  return presentAttachment(await hangUp(deps, actor, holder, taken), deps.urls);
}
