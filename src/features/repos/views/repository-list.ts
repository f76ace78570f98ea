import { h } from "preact";
import { repositoryPath } from "../../../ui/addresses.ts";
import { Topics } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { Badges } from "../../../ui/repository-page.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import type { RepositoryView } from "../view.ts";

export interface RepositoryListFacts {
  readonly repositories: readonly RepositoryView[];
  readonly now: number;
  /** Whether whose they are needs to be said. */
  readonly showsOwners: boolean;
}

/** Repositories below each other, with what one needs to know to choose one. */
export const RepositoryList = ({ repositories, now, showsOwners }: RepositoryListFacts): Html =>
  h(
    "ul",
    { class: "list" },
    repositories.map((repository) => h(Item, { repository, now, showsOwners })),
  );

function Item({ repository, now, showsOwners }: { readonly repository: RepositoryView; readonly now: number; readonly showsOwners: boolean }): Html {
  const { repository: texts } = useTexts();
  const { owner, name, description, language, topics } = repository;
  return h(
    "li",
    null,
    h(
      "h2",
      null,
      h(Icon, { name: repository.isPrivate ? "lock" : repository.isFork ? "repo-forked" : "repo" }),
      h("a", { href: repositoryPath({ ownerName: owner.name, name }) }, showsOwners && `${owner.name}/`, h("strong", null, name)),
      h(Badges, repository),
    ),
    description !== "" && h("p", { dir: "auto" }, description),
    topics.length > 0 && h(Topics, { topics }),
    h(
      "div",
      { class: "meta" },
      language !== "" && h("span", null, language),
      repository.starsCount > 0 && h("span", null, texts.stars(repository.starsCount)),
      repository.forksCount > 0 && h("span", null, texts.forks(repository.forksCount)),
      h("span", null, texts.updated, " ", h(Ago, { ms: repository.updatedMs, now })),
    ),
  );
}
