import { findFilePath, type RepositoryName, type RevName, sourcePath } from "../../../../ui/addresses.ts";
import { Empty } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { FoundPaths } from "../service/find-file.ts";
import { codeTexts } from "../texts/texts.ts";

export interface FindFileProps {
  readonly repository: RepositoryName;
  readonly at: RevName;
  readonly typed: string;
  readonly found: FoundPaths;
}

/** A field for a part of the path, and the files that match. */
export function FindFileView({ repository, at, typed, found }: FindFileProps): Html {
  const texts = useTexts(codeTexts);
  const { paths, isCut, isIncomplete } = found;
  return (
    <>
      <form class="find" action={findFilePath(repository, at)} role="search">
        <input type="search" name="q" value={typed} aria-label={texts.filePath} placeholder={texts.filePath} autocomplete="off" />
        <button type="submit">{texts.findFileButton}</button>
      </form>
      {isIncomplete && <p class="notice">{texts.manyFiles}</p>}
      {paths.length === 0 && (
        <Empty icon="file" title={texts.noSuchFile}>
          <p>{texts.noSuchFileHint}</p>
        </Empty>
      )}
      {paths.length > 0 && (
        <ul class="box found-files">
          {paths.map((path) => (
            <li>
              <Icon name="file" />
              <a href={sourcePath(repository, at, path)}>{path}</a>
            </li>
          ))}
        </ul>
      )}
      {isCut && <p class="soft">{texts.filesCut(paths.length)}</p>}
    </>
  );
}
