/** A file that a job left for users and for later jobs of its run. */
export interface Artifact {
  readonly id: number;
  readonly repoId: number;
  readonly runId: number;
  readonly attempt: number;
  readonly name: string;
  readonly mediaType: string;
  /** SHA-256, in hex. */
  readonly digest: string;
  readonly sizeBytes: number;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly expiresMs: number;
}

/** With the name of its content in the file store. */
export interface StoredArtifact extends Artifact {
  readonly file: string;
}

export interface Upload {
  readonly id: number;
  readonly repoId: number;
  readonly taskId: number;
  readonly name: string;
  readonly mediaType: string;
  readonly receivedBytes: number;
  readonly blockCount: number;
  /** Null: the content is not complete. */
  readonly content: { readonly digest: string; readonly sizeBytes: number } | null;
  readonly expiresMs: number;
}

export interface Block {
  readonly block: string;
  readonly file: string;
  readonly sizeBytes: number;
}

export const isZip = ({ mediaType }: Pick<Artifact, "mediaType">): boolean => mediaType === "" || mediaType === "application/zip";

/** An archive gets the extension that its name lacks; a single file has its own name. */
export const fileNameOf = (artifact: Pick<Artifact, "name" | "mediaType">): string => (isZip(artifact) ? `${artifact.name}.zip` : artifact.name);
