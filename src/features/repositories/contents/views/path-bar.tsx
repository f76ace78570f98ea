import {
  branchesPath,
  codeSearchPath,
  editPath,
  findFilePath,
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
import { countText } from "../../../../ui/texts/numbers.ts";
import { useLanguage, useTexts } from "../../../../ui/texts/texts.ts";
import type { RefCount } from "../../refs/service/menus.ts";
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
  /** The numbers of branches and tags, at the root of the repository. */
  readonly refs?: RefCounts | undefined;
  readonly children?: Html;
}

export interface RefCounts {
  readonly branches: RefCount;
  readonly tags: RefCount;
}

/** The selected revision, the path with a link for each part, and what to do here. */
export function PathBar({ page = "src", revs, refs, children, ...place }: PathBarProps): Html {
  return (
    <div class="bar toolbar">
      <RevMenu {...place} page={page} revs={revs} />
      {refs !== undefined && <RefLinks repository={place.repository} refs={refs} />}
      <h1 class={place.path === "" ? "path hidden" : "path"}>
        <Steps {...place} />
      </h1>
      <span class="end">{children}</span>
    </div>
  );
}

/** The lists of branches and tags, with their numbers. */
function RefLinks({ repository, refs }: Pick<PlaceProps, "repository"> & { readonly refs: RefCounts }): Html {
  const texts = useTexts(codeTexts);
  const language = useLanguage();
  const shown = ({ count, isLimit }: RefCount): string => `${countText(count, language)}${isLimit ? "+" : ""}`;
  const links = [
    [branchesPath(repository), "git-branch", texts.branchesCount(shown(refs.branches), refs.branches.count)],
    [tagsPath(repository), "tag", texts.tagsCount(shown(refs.tags), refs.tags.count)],
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

export function DirectoryActions({
  repository,
  at,
  path,
  canEdit,
  canUpload,
}: PlaceProps & { readonly canEdit: boolean /** Requires write access. */; readonly canUpload: boolean }): Html {
  const texts = useTexts(codeTexts);
  const editing = useTexts(editTexts);
  const search = useTexts(searchTexts);
  const edits = [
    ["new", "file", editing.newFile],
    ...(canUpload ? ([["upload", "upload", editing.upload]] as const) : []),
    ...(path === "" ? [] : ([["delete", "trash", editing.deleteFolder]] as const)),
  ] as const;
  return (
    <>
      {path === "" && <FindFileLink repository={repository} at={at} />}
      <a class="button" href={withQuery(codeSearchPath(repository), { ref: at.rev })} title={search.title}>
        <Icon name="code-square" label={search.title} />
      </a>
      {canEdit && at.kind === "branch" && (
        <details class="menu">
          <summary class="button">
            <Icon name="plus" />
            <span class="text">{texts.addFile}</span>
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

/** Looks like a search field. Scripts open the finder in place of the page. */
export const FindFileLink = ({ repository, at }: Pick<PlaceProps, "repository" | "at">): Html => (
  <a class="button field-like" href={findFilePath(repository, at)} data-find-file={at.rev} data-source={sourcePath(repository, at)}>
    <Icon name="search" />
    <span>{useTexts(codeTexts).goToFile}</span>
    <kbd>t</kbd>
  </a>
);

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
