import { type Actor, isUser } from "../../../../access/actor.ts";
import { anyone, repository } from "../../../../http/access.ts";
import { type RawReply, raw } from "../../../../http/answers.ts";
import { type FileResponseInput, fileHeaders, fileReply, isUnchanged, rangeFor, readRange, unchangedReply } from "../../../../http/file-answer.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import type { KeptAttachment } from "../model.ts";
import { type DownloadDeps, findDownload, findDownloadOf, findReleaseDownload, noteDownload, openDownload, type ShownType } from "../service/download.ts";

/** The download URLs in responses. A token needs the repository scope, as for every file outside the API. */
export function downloadRoutes(deps: DownloadDeps): Route[] {
  const common = { mount: "root", tag: "repository", isUnlisted: true, scope: "repository", answers: raw(["application/octet-stream"]) } as const;
  return (["GET", "HEAD"] as const).flatMap((method) => [
    defineRoute({
      ...common,
      id: `web${method === "GET" ? "Get" : "Head"}Attachment`,
      method,
      path: "/attachments/{uuid}",
      summary: "Download a file of an issue, a comment or a release",
      access: anyone,
      handle: async (request) => answerDownload(deps, await findDownload(deps, request.actor, request.params.uuid), { ...request, method }),
    }),
    ...(["", "/releases"] as const).map((below) =>
      defineRoute({
        ...common,
        id: `web${method === "GET" ? "Get" : "Head"}${below === "" ? "" : "Release"}AttachmentOfRepository`,
        method,
        path: `/{owner}/{repo}${below}/attachments/{uuid}`,
        summary: "Download a file below the repository's address",
        access: repository.visible,
        handle: async (request) =>
          answerDownload(deps, await findDownloadOf(deps, request.actor, request.repository, request.params.uuid), { ...request, method }),
      }),
    ),
    defineRoute({
      ...common,
      id: `web${method === "GET" ? "Get" : "Head"}ReleaseAttachment`,
      method,
      path: "/{owner}/{repo}/releases/download/{filepath+}",
      summary: "Download a file of a release, by the release's tag and the file's name",
      access: repository.reader("repo.releases"),
      handle: async (request) => {
        const found = await findReleaseDownload(deps, request.repository, request.params.filepath);
        return answerDownload(deps, found, { ...request, method }, { isByName: true });
      },
    }),
  ]);
}

interface DownloadRequest {
  readonly method: "GET" | "HEAD";
  readonly actor: Actor;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A name can be reused for another file and the latest release can change; an id always identifies the same file. */
async function answerDownload(
  deps: DownloadDeps,
  attachment: KeptAttachment,
  { method, actor, headers }: DownloadRequest,
  { isByName = false } = {},
): Promise<RawReply> {
  const cacheControl = isUser(actor) ? "private, max-age=0, must-revalidate, no-transform" : "public, max-age=21600, no-transform";
  const response = { name: attachment.name, etag: attachment.uuid, lastModifiedMs: attachment.createdMs, isReplaceable: isByName, cacheControl };
  if (isUnchanged(headers, response)) return unchangedReply(response);
  const { type, sizeBytes, read } = await openDownload(deps, attachment);
  const shown: FileResponseInput = { ...response, ...shownAs(type) };
  if (method === "HEAD") return { status: 200, headers: { ...fileHeaders(shown), "accept-ranges": "bytes", "content-length": sizeBytes } };
  const wanted = rangeFor(headers, response);
  const range = readRange(wanted, sizeBytes);
  // Media players and download managers request one range after another: these count as one download.
  if (range === undefined || (range !== "unsatisfiable" && range.start === 0)) await noteDownload(deps, attachment);
  return fileReply(shown, { sizeBytes, body: read }, wanted);
}

const shownAs = (type: ShownType): Pick<FileResponseInput, "contentType" | "disposition"> => {
  if (type === "other") return { contentType: "application/octet-stream", disposition: "attachment" };
  return { contentType: type === "text" ? "text/plain; charset=utf-8" : type, disposition: "inline" };
};
