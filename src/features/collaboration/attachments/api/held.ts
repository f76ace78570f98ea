import type { IncomingMessage } from "node:http";
import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { readId } from "../../../../core/ids.ts";
import type { Urls } from "../../../../core/urls.ts";
import { type RepositoryAccess, repository } from "../../../../http/access.ts";
import { empty, json, list } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { receiveUpload } from "../../../../http/upload.ts";
import { Attachment, EditAttachmentOptions } from "../../../../wire/attachment.ts";
import { presentAsset } from "../../../repositories/releases/present.ts";
import { requireRoom } from "../../../repositories/repos/service/sizes.ts";
import { presentAttachment } from "../../issues/present.ts";
import type { Holder, KeptAttachment } from "../model.ts";
import { type AttachmentDeps, getHeld, hangUp, limitsOf, listHeld, remove, rename, takeIn } from "../service/change.ts";
import { findReleaseHolder, readCommentHolder, readIssueHolder, writeCommentHolder, writeIssueHolder } from "../service/holders.ts";
import { waitingHolder } from "../service/uploads.ts";

export interface AttachmentApiDeps extends AttachmentDeps {
  readonly urls: Urls;
}

type ReadAccess = RepositoryAccess & { readonly signedIn: false };
type WriteAccess = RepositoryAccess & { readonly signedIn: true };
type Params = Readonly<Record<string, string>>;
type Refusals = Readonly<Record<number, string>>;

/** The attachment routes of one kind of parent. */
interface HolderRoutes<H extends Holder> {
  readonly path: string;
  readonly tag: string;
  readonly scope: "issue" | "repository";
  readonly uploadsAlone?: boolean;
  /** The parent in summaries: `an issue`. */
  readonly thing: string;
  /** Operation ids of the contract. */
  readonly ids: { readonly list: string; readonly create: string; readonly get: string; readonly edit: string; readonly remove: string };
  readonly reads: ReadAccess;
  readonly writes: WriteAccess;
  readonly refusals: { readonly read: Refusals; readonly create: Refusals; readonly edit: Refusals; readonly remove: Refusals };
  readHolder(repository: RepositorySubject, params: Params): Promise<H>;
  /** Presents a file in the list; defaults to the single form. */
  presentListed?(file: KeptAttachment, repository: RepositorySubject, holder: H): Attachment;
  /** Authorizes here if the route's access does not. */
  writeHolder(actor: UserActor, repository: RepositorySubject, params: Params): Promise<Holder>;
}

const editor = repository.signedIn({ archived: "refused" });
const archived = { 423: "repoArchivedError" } as const;

/** Files of issues, pull requests, comments and releases. */
export const attachmentRoutes = (deps: AttachmentApiDeps): Route[] => [
  uploadRoute(deps),
  // Without the files of its comments.
  ...heldRoutes(deps, {
    path: "/repos/{owner}/{repo}/issues/{index}/assets",
    tag: "issue",
    scope: "issue",
    thing: "an issue",
    ids: {
      list: "issueListIssueAttachments",
      create: "issueCreateIssueAttachment",
      get: "issueGetIssueAttachment",
      edit: "issueEditIssueAttachment",
      remove: "issueDeleteIssueAttachment",
    },
    reads: repository.visible,
    writes: editor,
    refusals: {
      read: { 404: "notFound" },
      create: { 400: "error", 404: "notFound", 413: "error", 422: "validationError", ...archived },
      edit: { 404: "notFound", 422: "validationError", ...archived },
      remove: { 404: "notFound", ...archived },
    },
    readHolder: (repository, { index = "" }) => readIssueHolder(deps, repository, index),
    writeHolder: (actor, repository, { index = "" }) => writeIssueHolder(deps, actor, repository, index),
  }),
  ...heldRoutes(deps, {
    path: "/repos/{owner}/{repo}/issues/comments/{id}/assets",
    tag: "issue",
    scope: "issue",
    thing: "a comment",
    ids: {
      list: "issueListIssueCommentAttachments",
      create: "issueCreateIssueCommentAttachment",
      get: "issueGetIssueCommentAttachment",
      edit: "issueEditIssueCommentAttachment",
      remove: "issueDeleteIssueCommentAttachment",
    },
    reads: repository.visible,
    writes: editor,
    refusals: {
      read: { 404: "notFoundOrNull" },
      create: { 400: "error", 403: "forbidden", 404: "notFoundOrNull", 413: "error", 422: "validationError", ...archived },
      edit: { 404: "notFoundOrNull", 422: "validationError", ...archived },
      remove: { 404: "notFoundOrNull", ...archived },
    },
    readHolder: (repository, { id = "" }) => readCommentHolder(deps, repository, id),
    writeHolder: (actor, repository, { id = "" }) => writeCommentHolder(deps, actor, repository, id),
  }),
  ...heldRoutes(deps, {
    path: "/repos/{owner}/{repo}/releases/{id}/assets",
    tag: "repository",
    scope: "repository",
    thing: "a release",
    uploadsAlone: true,
    ids: {
      list: "repoListReleaseAttachments",
      create: "repoCreateReleaseAttachment",
      get: "repoGetReleaseAttachment",
      edit: "repoEditReleaseAttachment",
      remove: "repoDeleteReleaseAttachment",
    },
    reads: repository.reader("repo.releases"),
    // @compat files of an archived repository can be changed too (scenarios/archived.test.ts)
    writes: repository.writer("repo.releases"),
    refusals: {
      read: { 404: "notFound" },
      create: { 400: "error", 404: "notFound", 413: "error" },
      edit: { 404: "notFound", 422: "validationError" },
      remove: { 404: "notFound" },
    },
    readHolder: (repository, { id = "" }) => findReleaseHolder(deps, repository, id),
    presentListed: (file, { fullName }, { tagName }) => presentAsset(file, { fullName, tagName }, deps.urls),
    writeHolder: (_actor, repository, { id = "" }) => findReleaseHolder(deps, repository, id),
  }),
];

const field = "attachment";

/** Uploads for an issue or comment that does not exist yet and therefore has no address. */
const uploadRoute = (deps: AttachmentApiDeps): Route =>
  defineRoute({
    tag: "issue",
    scope: "issue",
    id: "issueUploadAttachment",
    method: "POST",
    path: "/repos/{owner}/{repo}/issues/assets",
    summary: "Upload a file; it is attached to the caller's first text in this repository that references its address",
    access: editor,
    query: { name: query.text("File name that replaces the uploaded one") },
    streamsBody: true,
    uploadField: field,
    answers: json(201, Attachment),
    refusals: { 400: "error", 403: "forbidden", 404: "notFound", 413: "error", 422: "validationError", ...archived },
    handle: async (request) => presentAttachment(await upload(deps, request, await waitingHolder(deps, request.actor, request.repository)), deps.urls),
  });

function heldRoutes<H extends Holder>(deps: AttachmentApiDeps, holderRoutes: HolderRoutes<H>): Route[] {
  const { urls } = deps;
  const { path, tag, scope, thing, ids, refusals } = holderRoutes;
  const one = `${path}/{attachment_id}`;
  const fileOf = (params: Params): number => readId(params.attachment_id ?? "");
  return [
    defineRoute({
      tag,
      scope,
      id: ids.list,
      method: "GET",
      path,
      summary: `List the attachments of ${thing}`,
      access: holderRoutes.reads,
      answers: list(Attachment, "none"),
      refusals: refusals.read,
      handle: async ({ repository, params }) => {
        const holder = await holderRoutes.readHolder(repository, params);
        const held = await listHeld(deps, holder);
        return { total: held.length, items: held.map((file) => holderRoutes.presentListed?.(file, repository, holder) ?? presentAttachment(file, urls)) };
      },
    }),
    defineRoute({
      tag,
      scope,
      id: ids.create,
      method: "POST",
      path,
      summary: `Add an attachment to ${thing}`,
      access: holderRoutes.writes,
      query: { name: query.text("File name that replaces the uploaded one") },
      streamsBody: true,
      uploadField: field,
      uploadsAlone: holderRoutes.uploadsAlone === true,
      answers: json(201, Attachment),
      refusals: refusals.create,
      handle: async (request) => {
        const holder = await holderRoutes.writeHolder(request.actor, request.repository, request.params);
        return presentAttachment(await upload(deps, request, holder), urls);
      },
    }),
    defineRoute({
      tag,
      scope,
      id: ids.get,
      method: "GET",
      path: one,
      summary: `Get an attachment of ${thing}`,
      access: holderRoutes.reads,
      answers: json(200, Attachment),
      refusals: refusals.read,
      handle: async ({ repository, params }) => presentAttachment(await getHeld(deps, await holderRoutes.readHolder(repository, params), fileOf(params)), urls),
    }),
    defineRoute({
      tag,
      scope,
      id: ids.edit,
      method: "PATCH",
      path: one,
      summary: `Rename a file of ${thing}`,
      access: holderRoutes.writes,
      body: EditAttachmentOptions,
      answers: json(201, Attachment),
      refusals: refusals.edit,
      handle: async ({ actor, repository, params, body }) => {
        const holder = await holderRoutes.writeHolder(actor, repository, params);
        return presentAttachment(await rename(deps, actor, holder, fileOf(params), body.name), urls);
      },
    }),
    defineRoute({
      tag,
      scope,
      id: ids.remove,
      method: "DELETE",
      path: one,
      summary: `Delete an attachment of ${thing}`,
      access: holderRoutes.writes,
      answers: empty(),
      refusals: refusals.remove,
      handle: async ({ actor, repository, params }) => remove(deps, actor, await holderRoutes.writeHolder(actor, repository, params), fileOf(params)),
    }),
  ];
}

interface UploadRequest {
  readonly actor: UserActor;
  readonly repository: RepositorySubject;
  readonly query: { readonly name: string | undefined };
  readonly stream: IncomingMessage | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The route authorizes before it reads the file, and the file is complete before a row references it. */
async function upload(deps: AttachmentApiDeps, request: UploadRequest, holder: Holder): Promise<KeptAttachment> {
  const limits = limitsOf(deps, holder);
  const room = await requireRoom(deps, request.repository.ownerId, Number(request.headers["content-length"] ?? 0));
  const maxBytes = Math.min(limits.maxBytes, room);
  const taken = await receiveUpload(request, { field, maxBytes }, (file) =>
    takeIn(deps, { ...limits, maxBytes }, request.query.name || file.name, file.content),
  );
  return hangUp(deps, request.actor, holder, taken);
}
