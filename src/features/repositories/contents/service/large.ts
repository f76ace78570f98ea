import type { LfsPointer } from "../../commits/lfs-pointer.ts";
import { type ImageType, imageTypeOf } from "../image-type.ts";
import type { OpenLargeFile, ReadPart, ShownFile } from "../model.ts";
import { probeBytes } from "../text-detection.ts";

/** Larger pictures are downloaded, not shown. */
export const maxImageBytes = 32 * 1024 * 1024;

/** The type of a picture that git lfs keeps, by its first bytes; undefined for what is none, and for one that no page shows. */
export async function largeImageType(path: string, { sizeBytes }: LfsPointer, read: ReadPart): Promise<ImageType | undefined> {
  if (sizeBytes === 0 || sizeBytes > maxImageBytes) return undefined;
  const chunks: Buffer[] = [];
  // Each is good until the next one is asked for.
  for await (const chunk of read({ start: 0, end: Math.min(sizeBytes, probeBytes) - 1 })) chunks.push(Buffer.from(chunk));
  return imageTypeOf(path, Buffer.concat(chunks));
}

/** A file that git lfs keeps, as a page shows it. @throws ForgeError `unavailable` when its content cannot be read */
export async function showLarge(
  { openLarge }: { readonly openLarge: OpenLargeFile },
  { repoId, path, pointer }: { readonly repoId: number; readonly path: string; readonly pointer: LfsPointer },
): Promise<ShownFile> {
  const read = await openLarge(repoId, pointer);
  const isPicture = read !== undefined && (await largeImageType(path, pointer, read)) !== undefined;
  return { kind: isPicture ? "large image" : "large", sizeBytes: pointer.sizeBytes, isHere: read !== undefined };
}
