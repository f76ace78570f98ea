import type { RawReply } from "../../../../../http/answers.ts";
import { fileReply } from "../../../../../http/file-answer.ts";
import { fileNameOf, isZip, type StoredArtifact } from "../model.ts";
import { openArtifact } from "../service/artifacts.ts";
import type { UploadDeps } from "../service/uploads.ts";

/** The content of an artifact as a download. @throws ForgeError `not_found` after its expiry */
export function artifactReply(deps: Pick<UploadDeps, "files" | "clock">, artifact: StoredArtifact, range: string | string[] | undefined): RawReply {
  const name = fileNameOf(artifact);
  const response = {
    contentType: "application/octet-stream",
    disposition: "attachment",
    name,
    etag: artifact.digest,
    cacheControl: "private, no-cache",
  } as const;
  const reply = fileReply(response, { sizeBytes: artifact.sizeBytes, body: openArtifact(deps, artifact) }, range);
  // The toolkit unpacks files of this type.
  return { ...reply, headers: { ...reply.headers, ...(isZip(artifact) && { "content-type": "application/zip" }) } };
}
