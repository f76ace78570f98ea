import { isForgeError, malformed } from "../../../../core/errors.ts";
import { type RawReply, raw } from "../../../../http/answers.ts";
import { fileReply } from "../../../../http/file-answer.ts";
import { query } from "../../../../http/query.ts";
import { readBody } from "../../../../http/read-body.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { headerOf, type RunnerRequest } from "../api/runner-request.ts";
import {
  artifactService,
  type Fields,
  fieldOf,
  jsonReply,
  maxMessageBytes,
  numberOf,
  parseFields,
  refusing,
  textOf,
  twirpCall,
} from "../artifacts/api/results.ts";
import { taskOfRuntimeToken } from "../artifacts/service/runtime-token.ts";
import type { UploadDeps } from "../artifacts/service/uploads.ts";
import { openLink, signLink } from "../artifacts/signed-links.ts";
import type { TaskRow } from "../model.ts";
import { beginCache, finishCache, getCache, openCache, restoreCache } from "./service.ts";

const service = "/twirp/github.actions.results.api.v1.CacheService";

/** The cache service of the official toolkit. Uploads use the addresses of artifacts. */
export function cacheRoutes(deps: UploadDeps): Route[] {
  const answer = (request: RunnerRequest, work: (task: TaskRow, fields: Fields) => Promise<object>): Promise<RawReply> =>
    refusing(async () => {
      const task = await taskOfRuntimeToken(deps, headerOf(request.headers, "authorization"));
      const bytes = request.stream === undefined ? Buffer.alloc(0) : await readBody(request.stream, maxMessageBytes);
      return jsonReply(200, await work(task, parseFields(bytes)));
    });
  const nameIn = (fields: Fields) => ({ key: textOf(fields, "key"), version: textOf(fields, "version") });

  return [
    defineRoute({
      ...twirpCall,
      id: "resultsCreateCacheEntry",
      path: `${service}/CreateCacheEntry`,
      summary: "Begin the upload of a cache",
      handle: (request) =>
        answer(request, async (task, fields) => {
          try {
            const id = await beginCache(deps, task, nameIn(fields));
            const signature = signLink(deps.sealer, "artifact upload", id, deps.clock.now());
            return { ok: true, signedUploadUrl: `${deps.urls.origin}${artifactService}/UploadArtifact?sig=${signature}` };
          } catch (error) {
            // The toolkit goes on without saving.
            if (isForgeError(error, "conflict")) return { ok: false, message: error.message };
            throw error;
          }
        }),
    }),
    defineRoute({
      ...twirpCall,
      id: "resultsFinalizeCacheEntryUpload",
      path: `${service}/FinalizeCacheEntryUpload`,
      summary: "Declare the upload of a cache complete",
      handle: (request) =>
        answer(request, async (task, fields) => ({
          ok: true,
          entryId: String(await finishCache(deps, task, nameIn(fields), numberOf(fields, "size_bytes"))),
        })),
    }),
    defineRoute({
      ...twirpCall,
      id: "resultsGetCacheEntryDownloadUrl",
      path: `${service}/GetCacheEntryDownloadURL`,
      summary: "Find a cache, and get the address of its content",
      handle: (request) =>
        answer(request, async (task, fields) => {
          const found = await restoreCache(deps, task, nameIn(fields), keysIn(fields));
          if (found === undefined) return { ok: false };
          const signature = signLink(deps.sealer, "cache download", found.id, deps.clock.now());
          return { ok: true, signedDownloadUrl: `${deps.urls.origin}${service}/DownloadCache?sig=${signature}`, matchedKey: found.key };
        }),
    }),
    defineRoute({
      ...twirpCall,
      method: "GET",
      streamsBody: false,
      id: "resultsDownloadCache",
      path: `${service}/DownloadCache`,
      summary: "Download a cache by a signed address",
      answers: raw(["application/octet-stream"]),
      query: { sig: query.text("Signature of the address") },
      handle: ({ query: { sig = "" }, headers }) =>
        refusing(async () => {
          const cache = await getCache(deps, openLink(deps.sealer, "cache download", sig, deps.clock.now()));
          const response = {
            contentType: "application/octet-stream",
            disposition: "attachment",
            name: "cache",
            etag: cache.digest,
            cacheControl: "private, no-cache",
          } as const;
          return fileReply(response, { sizeBytes: cache.sizeBytes, body: openCache(deps, cache) }, headers.range);
        }),
    }),
  ];
}

function keysIn(fields: Fields): readonly string[] {
  const given = fieldOf(fields, "restore_keys") ?? [];
  if (!Array.isArray(given) || given.some((key) => typeof key !== "string" || key.length > 512)) throw malformed("restore_keys must be a list of short texts");
  return given as readonly string[];
}
