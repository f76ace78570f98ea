import type { LfsPointer } from "../../commits/lfs-pointer.ts";
import { type ImageType, imageTypeOf } from "../image-type.ts";
import type { OpenLargeFile, ReadPart, ShownFile } from "../model.ts";
import { probeBytes } from "../text-detection.ts";

/** Larger images are offered for download instead of shown. */
export const maxImageBytes = 32 * 1024 * 1024;

/** The image type of a Git LFS file by its first bytes; undefined if it is not an image or too large to show. */
export async function largeImageType(path: string, { sizeBytes }: LfsPointer, read: ReadPart): Promise<ImageType | undefined> {
  if (sizeBytes === 0 || sizeBytes > maxImageBytes) return undefined;
  const chunks: Buffer[] = [];
  // A chunk is only valid until the next one is requested, so it is copied.
  for await (const chunk of read({ start: 0, end: Math.min(sizeBytes, probeBytes) - 1 })) chunks.push(Buffer.from(chunk));
  return imageTypeOf(path, Buffer.concat(chunks));
}

/** A Git LFS file as shown on a page. @throws ForgeError `unavailable` if its content cannot be read */
export async function showLarge(
  { openLarge }: { readonly openLarge: OpenLargeFile },
  { repoId, path, pointer }: { readonly repoId: number; readonly path: string; readonly pointer: LfsPointer },
): Promise<ShownFile> {
  const read = await openLarge(repoId, pointer);
  const isPicture = read !== undefined && (await largeImageType(path, pointer, read)) !== undefined;
  return { kind: isPicture ? "large image" : "large", sizeBytes: pointer.sizeBytes, isHere: read !== undefined };
}
