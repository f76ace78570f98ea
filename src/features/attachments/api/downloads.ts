import { type Actor, isUser } from "../../../access/actor.ts";
import { anyone } from "../../../http/access.ts";
import { type RawReply, raw } from "../../../http/answers.ts";
import { type FileFacts, fileHeaders, fileReply, isFresh, readRange } from "../../../http/file-answer.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { type DownloadDeps, findDownload, noteDownload, openDownload, type ShownType } from "../service/download.ts";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The addresses of files that answers carry. A token needs the scope of repositories, as for every file outside the interface. */
export function downloadRoutes(deps: DownloadDeps): Route[] {
  return (["GET", "HEAD"] as const).map((method) =>
    defineRoute({
      id: `web${method === "GET" ? "Get" : "Head"}Attachment`,
      method,
      mount: "root",
      path: "/attachments/{uuid}",
      tag: "issue",
      summary: "A file that hangs on an issue or a comment",
      isUnlisted: true,
      access: anyone,
      scope: "repository",
      answers: raw(["application/octet-stream"]),
      handle: ({ actor, params, headers }) => answerDownload(deps, method, actor, params.uuid, headers),
    }),
  );
}

async function answerDownload(deps: DownloadDeps, method: "GET" | "HEAD", actor: Actor, uuid: string, headers: Headers): Promise<RawReply> {
  const attachment = await findDownload(deps, actor, uuid);
  const cacheControl = isUser(actor) ? "private, max-age=0, must-revalidate, no-transform" : "public, max-age=21600, no-transform";
  const facts = { name: attachment.name, etag: attachment.uuid, cacheControl };
  if (isFresh(headers["if-none-match"], attachment.uuid)) return { status: 304, headers: { etag: `"${attachment.uuid}"`, "cache-control": cacheControl } };
  const { type, sizeBytes, read } = await openDownload(deps, attachment);
  const shown: FileFacts = { ...facts, ...shownAs(type) };
  if (method === "HEAD") return { status: 200, headers: { ...fileHeaders(shown), "accept-ranges": "bytes", "content-length": sizeBytes } };
  const range = readRange(headers.range, sizeBytes);
  // Players and download managers ask for one part after another: that is one download.
  if (range === undefined || (range !== "unsatisfiable" && range.start === 0)) await noteDownload(deps, attachment);
  return fileReply(shown, { sizeBytes, body: read }, headers.range);
}

const shownAs = (type: ShownType): Pick<FileFacts, "contentType" | "disposition"> => {
  if (type === "other") return { contentType: "application/octet-stream", disposition: "attachment" };
  return { contentType: type === "text" ? "text/plain; charset=utf-8" : type, disposition: "inline" };
};
