import { codeSearchPath, editPath, historyPath, type RepositoryName, type RevName, sourcePath, withQuery } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { type PathPage, RevMenu, type RevNames } from "../../../../ui/rev-menu.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { codeTexts, editTexts, searchTexts } from "../texts/texts.ts";

export interface PlaceProps {
  readonly repository: RepositoryName;
  readonly at: RevName;
  readonly path: string;
}

interface PathBarProps extends PlaceProps {
  /** The kind of page, kept when the reader selects another commit. */
  readonly page?: Exclude<PathPage, "commits">;
  readonly revs: RevNames;
  readonly children?: Html;
}

/** The selected revision and the path, with a link for each part. */
export function PathBar({ page = "src", revs, children, ...place }: PathBarProps): Html {
  const texts = useTexts(codeTexts);
  const { repository, at, path } = place;
  return (
    <div class="bar">
      <RevMenu {...place} page={page} revs={revs} />
      <h1 class="path">
        <Steps {...place} />
      </h1>
      <span class="end">
        <a class="button" href={historyPath(repository, at, path)}>
          <Icon name="history" />
          {texts.history}
        </a>
        {children}
      </span>
    </div>
  );
}

/** The actions for a directory. */
export function DirectoryActions({ repository, at, path, canEdit }: PlaceProps & { readonly canEdit: boolean }): Html {
  const editing = useTexts(editTexts);
  const search = useTexts(searchTexts);
  return (
    <>
      <a class="button" href={withQuery(codeSearchPath(repository), { ref: at.rev })}>
        <Icon name="search" />
        {search.title}
      </a>
      {canEdit && at.kind === "branch" && (
        <>
          <a class="button" href={editPath(repository, "new", at.rev, path)}>
            <Icon name="plus" />
            {editing.newFile}
          </a>
          <a class="button" href={editPath(repository, "upload", at.rev, path)}>
            <Icon name="upload" />
            {editing.upload}
          </a>
          {path !== "" && (
            <a class="button" href={editPath(repository, "delete", at.rev, path)}>
              <Icon name="trash" label={editing.deleteFolder} />
            </a>
          )}
        </>
      )}
    </>
  );
}

function Steps({ repository, at, path }: PlaceProps): Html {
  const names = path === "" ? [] : path.split("/");
  return (
    <>
      <a href={sourcePath(repository, at)}>{repository.name}</a>
      {names.map((name, index) => [
        " / ",
        index === names.length - 1 ? <strong>{name}</strong> : <a href={sourcePath(repository, at, names.slice(0, index + 1).join("/"))}>{name}</a>,
      ])}
    </>
  );
}
