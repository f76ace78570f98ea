import { blamePath, branchesPath, historyPath, type RepositoryName, type RevName, repositoryPath, sourcePath, tagsPath } from "./addresses.ts";
import type { Html } from "./html.ts";
import { Icon, type IconName } from "./icons.tsx";
import { sharedTexts } from "./texts/shared.ts";
import { useTexts } from "./texts/texts.ts";

/** Pages that show a path at a commit, by the part of their address. */
export const pathPages = { src: sourcePath, blame: blamePath, commits: historyPath } as const;
export type PathPage = keyof typeof pathPages;

/** Branches and tags to switch to. */
export interface RevNames {
  readonly branches: readonly string[];
  readonly tags: readonly string[];
}

export interface RevMenuProps {
  readonly repository: RepositoryName;
  readonly at: RevName;
  readonly path: string;
  readonly page: PathPage;
  readonly revs: RevNames;
}

const icons: Readonly<Record<RevName["kind"], IconName>> = { branch: "git-branch", tag: "tag", commit: "git-commit" };

/** Shows the current branch, tag or commit, with links to the same path at others. */
export function RevMenu({ revs, ...place }: RevMenuProps): Html {
  const { revMenu: texts, repository: parts } = useTexts(sharedTexts);
  const { repository, at } = place;
  const label = { branch: texts.onBranch, tag: texts.onTag, commit: texts.atCommit }[at.kind];
  return (
    <details class="menu revs">
      <summary class="button" title={texts.switchTo}>
        <Icon name={icons[at.kind]} label={label} />
        <span>{at.kind === "commit" ? at.rev.slice(0, 10) : at.rev}</span>
        <Icon name="chevron-down" />
      </summary>
      <div class="sheet">
        <Jump {...place} />
        <Names {...place} kind="branch" names={revs.branches} title={parts.branches} />
        <a class="soft" href={branchesPath(repository)}>
          {texts.allBranches}
        </a>
        {revs.tags.length > 0 && (
          <>
            <Names {...place} kind="tag" names={revs.tags} title={parts.tags} />
            <a class="soft" href={tagsPath(repository)}>
              {texts.allTags}
            </a>
          </>
        )}
      </div>
    </details>
  );
}

type PlaceProps = Omit<RevMenuProps, "revs">;

/** A form for branches and tags that are not in the list. */
function Jump({ repository, path, page }: PlaceProps): Html {
  const texts = useTexts(sharedTexts).revMenu;
  return (
    <form class="find" action={`${repositoryPath(repository)}/src`}>
      {page !== "src" && <input type="hidden" name="page" value={page} />}
      {path !== "" && <input type="hidden" name="path" value={path} />}
      <input name="rev" required aria-label={texts.revName} placeholder={texts.revName} autocomplete="off" data-narrow="" />
      <button type="submit">{texts.goThere}</button>
    </form>
  );
}

interface NamesProps extends PlaceProps {
  readonly kind: "branch" | "tag";
  readonly names: readonly string[];
  readonly title: string;
}

const Names = ({ repository, at, path, page, kind, names, title }: NamesProps): Html => (
  <>
    <strong>{title}</strong>
    {names.map((rev) => (
      <a href={pathPages[page](repository, { kind, rev }, path)} data-value={rev} {...(kind === at.kind && rev === at.rev && { "aria-current": "true" })}>
        <bdi>{rev}</bdi>
      </a>
    ))}
  </>
);
