import { parseSmallJson } from "../../../../../core/bounded-json.ts";
import { releasing } from "../../../../../core/detach-buffer.ts";
import { isForgeError, malformed } from "../../../../../core/errors.ts";
import { formatTime } from "../../../../../core/time.ts";
import { anyone } from "../../../../../http/access.ts";
import { type RawReply, raw } from "../../../../../http/answers.ts";
import { query } from "../../../../../http/query.ts";
import { readBody } from "../../../../../http/read-body.ts";
import { defineRoute, type Route } from "../../../../../http/route.ts";
import { received } from "../../../../git/transport/streams.ts";
import { headerOf, type RunnerRequest } from "../../api/runner-request.ts";
import type { TaskRow } from "../../model.ts";
import { beginArtifact, finishArtifact, getArtifact, getArtifactByName, listArtifacts, removeArtifact } from "../service/artifacts.ts";
import { taskOfRuntimeToken } from "../service/runtime-token.ts";
import { completeUpload, stageBlock, storeContent, type UploadDeps } from "../service/uploads.ts";
import { openLink, signLink } from "../signed-links.ts";
import { artifactReply } from "./download.ts";

export const artifactService = "/twirp/github.actions.results.api.v1.ArtifactService";
const service = artifactService;
export const maxMessageBytes = 64 * 1024;
/** Of the list of 50,000 blocks. */
const maxListBytes = 8 * 1024 * 1024;
const maxListed = 1_000;

export const twirpCall = {
  method: "POST",
  mount: "root",
  tag: "miscellaneous",
  isUnlisted: true,
  access: anyone,
  scope: "none",
  ignoresCredentials: true,
  streamsBody: true,
  answers: raw(["application/json"]),
} as const;

export type Fields = Readonly<Record<string, unknown>>;

/** Codes and statuses of Twirp. */
const codes: Readonly<Record<string, readonly [code: string, status: number]>> = {
  invalid: ["invalid_argument", 400],
  malformed: ["invalid_argument", 400],
  unauthenticated: ["unauthenticated", 401],
  forbidden: ["permission_denied", 403],
  not_found: ["not_found", 404],
  conflict: ["already_exists", 409],
  too_large: ["resource_exhausted", 413],
  throttled: ["resource_exhausted", 429],
  unsupported_media: ["invalid_argument", 415],
  unavailable: ["unavailable", 503],
};

export const jsonReply = (status: number, body: object | string): RawReply => ({
  status,
  headers: { "content-type": "application/json;charset=utf-8" },
  body: JSON.stringify(body),
});

/** Refuses in the form that the client of a protocol reads. */
export async function refusing(work: () => Promise<RawReply>): Promise<RawReply> {
  try {
    return await work();
  } catch (error) {
    if (!isForgeError(error)) throw error;
    const [code, status] = codes[error.code] ?? ["internal", 500];
    return jsonReply(status, { code, msg: error.message });
  }
}

/** A field in either spelling of JSON messages of protobuf. */
export function fieldOf(fields: Fields, name: string): unknown {
  return fields[name] ?? fields[name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())];
}

export function textOf(fields: Fields, name: string): string {
  const value = fieldOf(fields, name) ?? "";
  if (typeof value !== "string" || value.length > 1_000) throw malformed(`${name} must be a short text`);
  return value;
}

/** A 64-bit number is a text in JSON. */
export function numberOf(fields: Fields, name: string): number | undefined {
  const value = fieldOf(fields, name);
  if (value === undefined || value === null) return undefined;
  if (!/^\d{1,15}$/.test(String(value))) throw malformed(`${name} must be a number`);
  return Number(value);
}

function timeOf(fields: Fields, name: string): number | undefined {
  const text = textOf(fields, name);
  if (text === "") return undefined;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw malformed(`${name} must be a time`);
  return ms;
}

function digestOf(fields: Fields): string | undefined {
  const text = textOf(fields, "hash");
  if (text === "") return undefined;
  const [, digest] = /^sha256:([0-9a-f]{64})$/.exec(text) ?? [];
  if (digest === undefined) throw malformed("hash must be sha256: and 64 hex digits");
  return digest;
}

/** The artifact service of the official toolkit, and the addresses to which it sends files as to an Azure blob. */
export function resultsRoutes(deps: UploadDeps): Route[] {
  const linkTo = (method: string, purpose: Parameters<typeof signLink>[1], id: number): string =>
    `${deps.urls.origin}${service}/${method}?sig=${signLink(deps.sealer, purpose, id, deps.clock.now())}`;

  const answer = (request: RunnerRequest, work: (task: TaskRow, fields: Fields) => Promise<object>): Promise<RawReply> =>
    refusing(async () => {
      const task = await taskOfRuntimeToken(deps, headerOf(request.headers, "authorization"));
      const bytes = request.stream === undefined ? Buffer.alloc(0) : await readBody(request.stream, maxMessageBytes);
      const fields = parseFields(bytes);
      if (numberOf(fields, "workflow_run_backend_id") !== task.runId) throw malformed("run-id does not match");
      return jsonReply(200, await work(task, fields));
    });

  return [
    defineRoute({
      ...twirpCall,
      id: "resultsCreateArtifact",
      path: `${service}/CreateArtifact`,
      summary: "Begin the upload of an artifact",
      handle: (request) =>
        answer(request, async (task, fields) => {
          const given = { name: textOf(fields, "name"), mediaType: textOf(fields, "mime_type"), expiresMs: timeOf(fields, "expires_at") };
          return { ok: true, signedUploadUrl: linkTo("UploadArtifact", "artifact upload", await beginArtifact(deps, task, given)) };
        }),
    }),
    defineRoute({
      ...twirpCall,
      id: "resultsFinalizeArtifact",
      path: `${service}/FinalizeArtifact`,
      summary: "Declare the upload of an artifact complete",
      handle: (request) =>
        answer(request, async (task, fields) => {
          const given = { name: textOf(fields, "name"), sizeBytes: numberOf(fields, "size"), digest: digestOf(fields) };
          return { ok: true, artifactId: String(await finishArtifact(deps, task, given)) };
        }),
    }),
    defineRoute({
      ...twirpCall,
      id: "resultsListArtifacts",
      path: `${service}/ListArtifacts`,
      summary: "List the artifacts of the run of a job",
      handle: (request) =>
        answer(request, async (task, fields) => {
          const filter = { repoId: task.repoId, runId: task.runId, name: textOf(fields, "name_filter") || undefined, id: numberOf(fields, "id_filter") };
          const { items } = await listArtifacts(deps, filter, { page: 1, limit: maxListed, offset: 0 });
          return {
            artifacts: items.map((artifact) => ({
              workflowRunBackendId: String(artifact.runId),
              workflowJobRunBackendId: String(task.jobId),
              databaseId: String(artifact.id),
              name: artifact.name,
              size: String(artifact.sizeBytes),
              createdAt: formatTime(artifact.createdMs),
              digest: `sha256:${artifact.digest}`,
            })),
          };
        }),
    }),
    defineRoute({
      ...twirpCall,
      id: "resultsGetSignedArtifactUrl",
      path: `${service}/GetSignedArtifactURL`,
      summary: "Get the address of the content of an artifact",
      handle: (request) =>
        answer(request, async (task, fields) => {
          const { id } = await getArtifactByName(deps, task.runId, textOf(fields, "name"));
          return { signedUrl: linkTo("DownloadArtifact", "artifact download", id) };
        }),
    }),
    defineRoute({
      ...twirpCall,
      id: "resultsDeleteArtifact",
      path: `${service}/DeleteArtifact`,
      summary: "Delete an artifact of the run of a job",
      handle: (request) =>
        answer(request, async (task, fields) => {
          const artifact = await getArtifactByName(deps, task.runId, textOf(fields, "name"));
          await removeArtifact(deps, artifact);
          return { ok: true, artifactId: String(artifact.id) };
        }),
    }),
    defineRoute({
      ...twirpCall,
      method: "PUT",
      id: "resultsUploadArtifact",
      path: `${service}/UploadArtifact`,
      summary: "Send an artifact, as a whole, or in blocks followed by their list",
      query: {
        sig: query.text("Signature of the address"),
        comp: query.text("block, appendBlock, blocklist; otherwise the body is the content"),
        blockid: query.text("Name of the block"),
      },
      handle: ({ query: { sig = "", comp = "", blockid }, headers, stream }) =>
        refusing(async () => {
          const uploadId = openLink(deps.sealer, "artifact upload", sig, deps.clock.now());
          if (stream === undefined) throw malformed("the request has no body");
          switch (comp.toLowerCase()) {
            case "block":
              await stageBlock(deps, uploadId, blockid || undefined, releasing(received(stream, headers["content-encoding"])));
              break;
            case "appendblock":
              await stageBlock(deps, uploadId, undefined, releasing(received(stream, headers["content-encoding"])));
              break;
            case "blocklist":
              await completeUpload(deps, uploadId, blockNames(await readBody(stream, maxListBytes)));
              break;
            case "":
              await storeContent(deps, uploadId, releasing(received(stream, headers["content-encoding"])));
              break;
            default:
              throw malformed("comp must be block, appendBlock or blocklist");
          }
          const reply = jsonReply(201, "created");
          return { ...reply, headers: { ...reply.headers, "x-ms-request-server-encrypted": "false" } };
        }),
    }),
    defineRoute({
      ...twirpCall,
      method: "GET",
      streamsBody: false,
      id: "resultsDownloadArtifact",
      path: `${service}/DownloadArtifact`,
      summary: "Download an artifact by a signed address",
      answers: raw(["application/octet-stream"]),
      query: { sig: query.text("Signature of the address") },
      handle: ({ query: { sig = "" }, headers }) => refusing(async () => artifactReply(deps, await signedArtifact(deps, sig), headers.range)),
    }),
  ];
}

/** The artifact of a signed address. @throws ForgeError `unauthenticated`, `not_found` */
export async function signedArtifact(deps: UploadDeps, signature: string) {
  const id = openLink(deps.sealer, "artifact download", signature, deps.clock.now());
  return getArtifact(deps, undefined, id);
}

export function parseFields(bytes: Buffer): Fields {
  try {
    const value = parseSmallJson(bytes);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  } catch (error) {
    throw malformed("the message is not JSON", { cause: error });
  }
  throw malformed("the message is not an object");
}

/** The names in a list of blocks (Azure: Put Block List). */
const blockNames = (bytes: Buffer): readonly string[] =>
  [...bytes.toString("latin1").matchAll(/<(?:Latest|Uncommitted|Committed)>([^<]{1,128})</g)].map(([, name = ""]) => name);
