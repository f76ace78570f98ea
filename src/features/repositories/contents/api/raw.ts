import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { type Actor, isUser } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Clock } from "../../../../core/clock.ts";
import { encodePath } from "../../../../core/urls.ts";
import { repository } from "../../../../http/access.ts";
import { file, type RawReply, raw } from "../../../../http/answers.ts";
import { type FileResponseInput, fileReply, isUnchanged, rangeFor, unchangedReply } from "../../../../http/file-answer.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { lastModifiedOf } from "../last-modified.ts";
import type { OpenLargeFile, RawFile } from "../model.ts";
import { largeImageType } from "../service/large.ts";
import { type NotebookReader, readNotebookPicture } from "../service/notebook.ts";
import { completePath, findBlobFile, findRawFile, findRawFileBelow, openRawFile, readPointerFile } from "../service/raw.ts";
import type { ViewpointDeps } from "../service/viewpoint.ts";

const reader = repository.reader("repo.code");
const produces = ["application/octet-stream"];
const ref = query.text("a branch, tag or commit; the default branch if omitted");

type Deps = ViewpointDeps & { readonly clock: Clock; readonly openLarge: OpenLargeFile; readonly readNotebook: NotebookReader };

/** Raw files. The `media` routes resolve Git LFS pointers to their content. */
export function rawRoutes(deps: Deps): Route[] {
  const common = {
    method: "GET",
    tag: "repository",
    access: reader,
    scope: "repository",
    query: { ref },
    answers: file(produces),
    refusals: { 304: "notModified", 404: "notFound", 416: "unsatisfiableRange" },
  } as const;
  return [
    defineRoute({
      ...common,
      id: "repoGetRawFile",
      path: "/repos/{owner}/{repo}/raw/{filepath+}",
      summary: "Get the raw content of a file",
      handle: async (request) => {
        const file = await findRawFile(deps, request.repository, { path: request.params.filepath, rev: request.query.ref ?? "" });
        return answerFile(deps, file, request, "text");
      },
    }),
    defineRoute({
      ...common,
      id: "repoGetRawFileOrLFS",
      path: "/repos/{owner}/{repo}/media/{filepath+}",
      summary: "Get the raw content of a file, or the object of an LFS pointer",
      handle: async (request) => {
        const file = await findRawFile(deps, request.repository, { path: request.params.filepath, rev: request.query.ref ?? "" });
        return answerLargeFile(deps, file, request, "text");
      },
    }),
    defineRoute({
      method: "GET",
      mount: "root",
      id: "webGetNotebookPicture",
      path: "/{owner}/{repo}/notebook/{filepath+}",
      tag: "repository",
      summary: "Get an image of a notebook by its index",
      isUnlisted: true,
      access: reader,
      scope: "repository",
      query: { picture: query.integer("Its place, from 0") },
      answers: raw(produces),
      handle: async ({ actor, repository, params, query, headers }) => {
        const { data, type, index } = await readNotebookPicture(deps, repository, params.filepath, query.picture ?? 0);
        const response = { contentType: type, disposition: "inline", name: `picture-${index}`, cacheControl: cacheControl(actor) } as const;
        const etag = createHash("sha256").update(data).digest("hex");
        return fileReply({ ...response, etag }, { sizeBytes: data.length, body: data }, headers.range);
      },
    }),
    ...(["GET", "HEAD"] as const).flatMap((method) => [pageRoute(deps, method, "raw"), pageRoute(deps, method, "media")]),
  ];
}

/** The web URLs that API responses link to. */
function pageRoute(deps: Deps, method: "GET" | "HEAD", prefix: "raw" | "media"): Route {
  return defineRoute({
    id: `web${method === "GET" ? "Get" : "Head"}${prefix === "raw" ? "Raw" : "Media"}`,
    method,
    mount: "root",
    path: `/{owner}/{repo}/${prefix}/{filepath+}`,
    tag: "repository",
    summary: "Get the raw content of a file by the type and name of a ref",
    isUnlisted: true,
    access: reader,
    scope: "repository",
    answers: raw(produces),
    handle: async (request) => {
      const { params, repository } = request;
      const answer = async (file: RawFile): Promise<RawReply> => {
        const reply = await (prefix === "media" ? answerLargeFile : answerFile)(deps, file, request, "pictures");
        return method === "HEAD" ? withoutBody(reply) : reply;
      };
      const [, blobOid] = /^blob\/([0-9a-f]{40}|[0-9a-f]{64})$/.exec(params.filepath) ?? [];
      if (blobOid !== undefined) return answer(await findBlobFile(deps, repository, blobOid));
      const [, kind, below] = /^(branch|tag|commit)\/(.+)$/s.exec(params.filepath) ?? [];
      if (kind === undefined || below === undefined) {
        const complete = await completePath(deps, repository, params.filepath);
        return { status: 303, headers: { location: `/${encodePath(`${repository.fullName}/${prefix}/${complete}`)}` } };
      }
      return answer(await findRawFileBelow(deps, repository, kind as "branch" | "tag" | "commit", below));
    },
  });
}

interface FileRequest {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly signal: AbortSignal;
}

/** Sends the content that a Git LFS pointer refers to, or the pointer itself if the repository does not have the content. */
async function answerLargeFile(deps: Deps, file: RawFile, request: FileRequest, shows: "pictures" | "text"): Promise<RawReply> {
  const { actor, repository, headers } = request;
  const pointer = await readPointerFile(deps, repository, file.oid);
  const large = pointer && (await deps.openLarge(repository.id, pointer));
  if (pointer === undefined) return answerFile(deps, file, request, shows);
  // The content can arrive after the pointer, without any ref moving, so Last-Modified would be wrong.
  if (large === undefined) return answerFile(deps, file, request, shows, { isDated: false });
  const response = { disposition: "inline", name: file.name, etag: pointer.oid, cacheControl: cacheControl(actor) } as const;
  if (isUnchanged(headers, response)) return unchangedReply(response);
  const picture = shows === "pictures" ? await largeImageType(file.name, pointer, large) : undefined;
  const reply = fileReply(
    { ...response, contentType: picture ?? "application/octet-stream" },
    { sizeBytes: pointer.sizeBytes, body: large },
    rangeFor(headers, response),
  );
  return { ...reply, headers: { ...reply.headers, "x-gitea-object-type": "file" } };
}

/**
 * @param shows which content types are sent: images for browsers; @compat text and everything else for API clients
 * (scenarios/pages-code.test.ts)
 */
async function answerFile(
  deps: Deps,
  file: RawFile,
  { actor, repository, headers, signal }: FileRequest,
  shows: "pictures" | "text",
  { isDated = true } = {},
): Promise<RawReply> {
  const lastModifiedMs = isDated ? lastModifiedOf(repository, deps.clock.now()) : undefined;
  const response = { disposition: "inline", name: file.name, etag: file.oid, lastModifiedMs, cacheControl: cacheControl(actor) } as const;
  const objectType = { "x-gitea-object-type": file.isLink ? "symlink" : "file" };
  if (isUnchanged(headers, response)) return unchangedReply(response);
  const content = await openRawFile(deps, repository, file, signal);
  const picture = shows === "pictures" && !file.isLink ? content.imageType : undefined;
  const contentType: FileResponseInput["contentType"] = picture ?? (content.isText ? "text/plain; charset=utf-8" : "application/octet-stream");
  const reply = fileReply({ ...response, contentType }, content, rangeFor(headers, response));
  return { ...reply, headers: { ...reply.headers, ...objectType } };
}

/** Only responses that need no sign-in can be stored by shared caches. */
const cacheControl = (actor: Actor): string => (isUser(actor) ? "private, max-age=0, must-revalidate, no-transform" : "public, max-age=21600, no-transform");

function withoutBody({ status, headers, body }: RawReply): RawReply {
  if (body instanceof Readable) body.destroy();
  return { status, ...(headers && { headers }) };
}
