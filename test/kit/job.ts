import { createHash } from "node:crypto";
import type { Task } from "../../src/wire/actions-protocol/runner.ts";

export const artifactService = "/twirp/github.actions.results.api.v1.ArtifactService";

const cacheService = "/twirp/github.actions.results.api.v1.CacheService";

/** @throws Error unless the file is stored */
async function stored(answer: Promise<number>): Promise<void> {
  const status = await answer;
  if (status !== 201) throw new Error(`an upload is answered with ${status}`);
}

/** Calls the services for jobs as the official toolkit does. */
export function jobOf(url: string, task: Task) {
  const token = (task.context as { readonly gitea_runtime_token: string }).gitea_runtime_token;
  const { scp } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { readonly scp: string };
  const [, runId = "", jobId = ""] = scp.split(":");
  const call = async (method: string, fields: object, { bearer = token, run = runId, service = artifactService } = {}) => {
    const response = await fetch(`${url}${service}/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${bearer}` },
      body: JSON.stringify({ workflow_run_backend_id: run, workflow_job_run_backend_id: jobId, ...fields }),
    });
    return { status: response.status, ...((await response.json()) as Record<string, unknown>) } as Record<string, never> & { readonly status: number };
  };
  const put = async (address: string, body: string): Promise<number> =>
    (await fetch(address, { method: "PUT", body, headers: { "content-type": "application/octet-stream" } })).status;
  /** Uploads a file in blocks, in another order than that of the list. */
  const upload = async (name: string, blocks: readonly string[], fields: object = {}) => {
    const begun = await call("CreateArtifact", { name, version: 4, ...fields });
    if (begun.status !== 200) return begun;
    const idOf = (at: number): string => Buffer.from(`block+${at}`).toString("base64");
    for (const [at, block] of [...blocks.entries()].reverse())
      await stored(put(`${begun.signedUploadUrl}&comp=block&blockid=${encodeURIComponent(idOf(at))}`, block));
    const list = `<?xml version="1.0"?><BlockList>${blocks.map((_block, at) => `<Latest>${idOf(at)}</Latest>`).join("")}</BlockList>`;
    await stored(put(`${begun.signedUploadUrl}&comp=blocklist`, list));
    const whole = blocks.join("");
    return call("FinalizeArtifact", { name, size: String(whole.length), hash: `sha256:${createHash("sha256").update(whole).digest("hex")}` });
  };
  /** Saves a cache. @returns its id */
  const saveCache = async (key: string, content: string): Promise<number> => {
    const name = { key, version: "v1" };
    const begun = await call("CreateCacheEntry", name, { service: cacheService });
    await stored(put(String(begun.signedUploadUrl), content));
    return Number((await call("FinalizeCacheEntryUpload", name, { service: cacheService })).entryId);
  };
  return { call, put, upload, saveCache, runId };
}
