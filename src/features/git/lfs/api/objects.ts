import type { IncomingMessage } from "node:http";
import { releasing } from "../../../../core/detach-buffer.ts";
import { encodeSegment } from "../../../../core/urls.ts";
import { fileReply, isFresh } from "../../../../http/file-answer.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { received } from "../../transport/streams.ts";
import { presentBatchObject } from "../present.ts";
import { readBatch, readPointer } from "../protocol.ts";
import type { LfsDeps } from "../service/deps.ts";
import { locateForLfs } from "../service/locate.ts";
import { getObject, isTooLarge, openObject, presentObjects, storeObject } from "../service/objects.ts";
import { answer, callerOf, common, readFields, reply, wrongType } from "./answers.ts";

/** LFS objects of repositories (git-lfs, docs/api/batch.md and basic-transfers.md). */
export function lfsObjectRoutes(deps: LfsDeps): readonly Route[] {
  const limit = deps.config.limits.json_bytes;
  const done = () => reply(200, { Message: "OK" });
  return [
    defineRoute({
      ...common,
      id: "lfsBatch",
      method: "POST",
      path: "/{owner}/{repo}/info/lfs/objects/batch",
      summary: "Get the download and upload addresses of LFS objects",
      streamsBody: true,
      handle: (request) =>
        answer(deps, "Message", async () => {
          const fields = await readFields(request, limit);
          if (fields === undefined) return wrongType();
          const batch = readBatch(fields);
          const caller = callerOf(request);
          const { repository } = await locateForLfs(deps, caller, request.params, batch.operation);
          const oids = batch.objects.filter(({ isValid }) => isValid).map(({ oid }) => oid);
          const stored = await presentObjects(deps, repository, oids);
          const base = `${deps.urls.origin}/${encodeSegment(repository.ownerName)}/${encodeSegment(repository.name)}.git/info/lfs`;
          const location = { base, authorization: caller.authorization };
          const objects = batch.objects.map((object) =>
            presentBatchObject(location, batch.operation, { ...object, stored: stored.get(object.oid), isTooLarge: isTooLarge(deps, object) }),
          );
          return reply(200, { objects });
        }),
    }),
    defineRoute({
      ...common,
      id: "lfsDownload",
      method: "GET",
      path: "/{owner}/{repo}/info/lfs/objects/{oid}",
      summary: "Download an LFS object",
      handle: (request) =>
        answer(deps, "Message", async () => {
          const { params, headers } = request;
          const { repository } = await locateForLfs(deps, callerOf(request), params, "download");
          const { oid } = readPointer({ oid: params.oid, size: 0 });
          const object = await getObject(deps, repository, oid);
          const cacheControl = "private, max-age=0, must-revalidate, no-transform";
          if (isFresh(headers["if-none-match"], oid)) return { status: 304, headers: { etag: `"${oid}"`, "cache-control": cacheControl } };
          const response = { contentType: "application/octet-stream", disposition: "attachment", name: oid, etag: oid, cacheControl } as const;
          return fileReply(response, { sizeBytes: object.sizeBytes, body: await openObject(deps, object) }, headers.range);
        }),
    }),
    defineRoute({
      ...common,
      id: "lfsUpload",
      method: "PUT",
      path: "/{owner}/{repo}/info/lfs/objects/{oid}/{size}",
      summary: "Upload an LFS object",
      streamsBody: true,
      handle: (request) =>
        answer(deps, "Message", async () => {
          const { params, stream, headers } = request;
          const { actor, repository } = await locateForLfs(deps, callerOf(request), params, "upload");
          const pointer = readPointer({ oid: params.oid, size: /^\d{1,15}$/.test(params.size) ? Number(params.size) : undefined });
          const content = releasing(received(stream as IncomingMessage, headers["content-encoding"]));
          await storeObject(deps, actor, repository, pointer, content);
          return done();
        }),
    }),
    defineRoute({
      ...common,
      id: "lfsVerify",
      method: "POST",
      path: "/{owner}/{repo}/info/lfs/verify",
      summary: "Verify that an LFS object was uploaded",
      streamsBody: true,
      handle: (request) =>
        answer(deps, "Message", async () => {
          const fields = await readFields(request, limit);
          if (fields === undefined) return wrongType();
          const { repository } = await locateForLfs(deps, callerOf(request), request.params, "upload");
          const pointer = readPointer(fields);
          const object = await getObject(deps, repository, pointer.oid);
          return object.sizeBytes === pointer.sizeBytes ? done() : reply(422, { Message: `the object has ${object.sizeBytes} bytes` });
        }),
    }),
  ];
}
