import { mediaPath, type RepositoryName } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { sizeText } from "../../../../ui/texts/size.ts";
import { useLanguage, useTexts } from "../../../../ui/texts/texts.ts";

import { isNamedImage } from "../../contents/image-type.ts";
import type { FilesPiece, ShownChange } from "../file-piece.ts";
import type { LargeChange } from "../large-change.ts";

export interface PicturesProps {
  readonly repository: RepositoryName;
  readonly between: Pick<FilesPiece, "fromOid" | "toOid">;
  readonly change: ShownChange;
}

/** Whether the changed files are images, by name, in git or Git LFS. SVG files in git are compared as text. */
export const hasPictures = ({ file, diff, large, isLong }: ShownChange): boolean =>
  !isLong && (diff?.isBinary || file.binary || large !== undefined) && isNamedImage(file.path);

/** An image before and after its change. */
export function Pictures({ repository, between: { fromOid, toOid }, change: { file } }: PicturesProps): Html {
  const texts = useTexts(sharedTexts).diff;
  const sides = [
    file.status === "added" || fromOid === undefined ? undefined : ([texts.before, fromOid, file.oldPath ?? file.path] as const),
    file.status === "removed" ? undefined : ([texts.after, toOid, file.path] as const),
  ];
  return (
    <div class="pictures">
      {sides.map(
        (side) =>
          side !== undefined && (
            <figure>
              <img src={mediaPath(repository, { kind: "commit", rev: side[1] }, side[2])} alt={`${side[0]}: ${side[2].split("/").at(-1)}`} loading="lazy" />
              <figcaption class="soft">{side[0]}</figcaption>
            </figure>
          ),
      )}
    </div>
  );
}

/** The sizes of a Git LFS file before and after its change. */
export function LargeSizes({ large: { before, after } }: { readonly large: LargeChange }): Html {
  const language = useLanguage();
  const sizes = [before, after].flatMap((pointer) => (pointer === undefined ? [] : sizeText(pointer.sizeBytes, language)));
  return <span class="badge">{`Git LFS: ${sizes.join(" → ")}`}</span>;
}
