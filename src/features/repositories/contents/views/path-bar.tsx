import {
  branchesPath,
  codeSearchPath,
  editPath,
  historyPath,
  type RepositoryName,
  type RevName,
  sourcePath,
  tagsPath,
  withQuery,
} from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { type PathPage, RevMenu, type RevNames } from "../../../../ui/rev-menu.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
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

/** The selected revision, the path with a link for each part, and what to do here. */
export function PathBar({ page = "src", revs, children, ...place }: PathBarProps): Html {
  return (
    <div class="bar">
      <RevMenu {...place} page={page} revs={revs} />
      {place.path === "" && <RefLinks repository={place.repository} />}
      <h1 class={place.path === "" ? "path hidden" : "path"}>
        <Steps {...place} />
      </h1>
      <span class="end">{children}</span>
    </div>
  );
}

/** The lists of branches, tags and commits. */
function RefLinks({ repository }: Pick<PlaceProps, "repository">): Html {
  const texts = useTexts(sharedTexts).repository;
  const links = [
    [branchesPath(repository), "git-branch", texts.branches],
    [tagsPath(repository), "tag", texts.tags],
  ] as const;
  return (
    <span class="refs">
      {links.map(([href, icon, text]) => (
        <a href={href}>
          <Icon name={icon} />
          {text}
        </a>
      ))}
    </span>
  );
}

/** The history of a file or folder. */
export const HistoryLink = ({ repository, at, path }: PlaceProps): Html => (
  <a class="button" href={historyPath(repository, at, path)}>
    <Icon name="history" />
    {useTexts(codeTexts).history}
  </a>
);

/** The actions for a directory. */
export function DirectoryActions({ repository, at, path, canEdit }: PlaceProps & { readonly canEdit: boolean }): Html {
  const texts = useTexts(codeTexts);
  const editing = useTexts(editTexts);
  const search = useTexts(searchTexts);
  const edits = [
    ["new", "file", editing.newFile],
    ["upload", "upload", editing.upload],
    ...(path === "" ? [] : ([["delete", "trash", editing.deleteFolder]] as const)),
  ] as const;
  return (
    <>
      <a class="button" href={withQuery(codeSearchPath(repository), { ref: at.rev })}>
        <Icon name="search" />
        {search.title}
      </a>
      {canEdit && at.kind === "branch" && (
        <details class="menu">
          <summary class="button">
            {texts.addFile}
            <Icon name="chevron-down" />
          </summary>
          <div class="sheet">
            {edits.map(([does, icon, text]) => (
              <a href={editPath(repository, does, at.rev, path)}>
                <Icon name={icon} />
                {text}
              </a>
            ))}
          </div>
        </details>
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
