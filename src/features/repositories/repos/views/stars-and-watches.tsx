import { type RepositoryName, repositoryPath } from "../../../../ui/addresses.ts";
import { Empty } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { starAndWatchTexts } from "../texts/texts.ts";

/** The lists by their path segments. */
const lists = { star: "stars", watch: "watchers", forks: "forks" } as const;

/** Tabs for switching between the lists. */
export function MarkTabs({ repository, of }: { readonly repository: RepositoryName; readonly of: keyof typeof lists }): Html {
  const texts = useTexts(starAndWatchTexts);
  return (
    <nav class="switch" aria-label={texts.lists}>
      {Object.entries(lists).map(([name, below]) => (
        <a href={`${repositoryPath(repository)}/${below}`} {...(name === of && { "aria-current": "page" })}>
          {texts.titles[name as keyof typeof lists]}
        </a>
      ))}
    </nav>
  );
}

const icons = { star: "star", watch: "eye", forks: "repo-forked" } as const;

/** The empty list, with an explanation. */
export function NoMarks({ repository, of }: { readonly repository: RepositoryName; readonly of: keyof typeof icons }): Html {
  const texts = useTexts(starAndWatchTexts);
  return (
    <Empty icon={icons[of]} title={texts.none[of]}>
      <p>{texts.hints[of]}</p>
      <p>
        <a href={repositoryPath(repository)}>{texts.whereToBegin}</a>
      </p>
    </Empty>
  );
}
