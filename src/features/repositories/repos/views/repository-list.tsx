import { repositoryPath } from "../../../../ui/addresses.ts";
import { Topics } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { Badges } from "../../../../ui/repository-page.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import type { RepositoryView } from "../model.ts";
import { exploreTexts } from "../texts/texts.ts";

export interface RepositoryListProps {
  readonly repositories: readonly RepositoryView[];
  readonly now: number;
  /** Whether to show the owners. */
  readonly showsOwners: boolean;
  /** The menu of a repository, beside its name. */
  readonly menuOf?: ((repository: RepositoryView) => Html) | undefined;
}

/** A list of repositories with their main details. */
export const RepositoryList = ({ repositories, ...props }: RepositoryListProps): Html => (
  <ul class="list">
    {repositories.map((repository) => (
      <Item {...props} repository={repository} />
    ))}
  </ul>
);

function Item({ repository, now, showsOwners, menuOf }: Omit<RepositoryListProps, "repositories"> & { readonly repository: RepositoryView }): Html {
  const texts = useTexts(sharedTexts).repository;
  const explore = useTexts(exploreTexts);
  const { owner, name, description, language, topics } = repository;
  const counts = [
    ["star", texts.stars, repository.starsCount],
    ["repo-forked", texts.forks, repository.forksCount],
  ] as const;
  return (
    <li>
      {menuOf !== undefined && <div class="corner">{menuOf(repository)}</div>}
      <h2>
        <Icon name={repository.isPrivate ? "lock" : repository.isFork ? "repo-forked" : "repo"} />
        <a href={repositoryPath({ ownerName: owner.name, name })}>
          {showsOwners && `${owner.name}/`}
          <strong>{name}</strong>
        </a>
        <Badges {...repository} />
      </h2>
      {description !== "" && <p dir="auto">{description}</p>}
      {topics.length > 0 && <Topics topics={topics} />}
      <div class="meta">
        {language !== "" && <span>{language}</span>}
        {counts.map(
          ([icon, name, count]) =>
            count > 0 && (
              <span title={`${name}: ${count}`}>
                <Icon name={icon} label={name} /> {count}
              </span>
            ),
        )}
        <span>
          {explore.updated} <Ago ms={repository.updatedMs} now={now} />
        </span>
      </div>
    </li>
  );
}
