import { repositoryPath } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { Badges } from "../../../../ui/repository-page.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { RepositoryView } from "../../repos/model.ts";
import { pinTexts } from "../texts/texts.ts";

export interface PinnedProps {
  readonly account: { readonly name: string };
  readonly pins: readonly RepositoryView[];
  /** The address of the page that changes them; undefined if the reader cannot. */
  readonly settings: string | undefined;
}

/** The pinned repositories of a profile; empty if there are none and the reader cannot pin any. */
export function Pinned({ account, pins, settings }: PinnedProps): Html {
  const texts = useTexts(pinTexts);
  const { repository: words } = useTexts(sharedTexts);
  if (pins.length === 0 && settings === undefined) return null;
  return (
    <section class="pinned">
      <div class="bar">
        <h2>{texts.title}</h2>
        {settings !== undefined && (
          <a class="end" href={settings}>
            {texts.customize}
          </a>
        )}
      </div>
      {pins.length === 0 && <p class="soft">{texts.none}</p>}
      <ul class="cards">
        {pins.map((repository) => (
          <li>
            <h3>
              <Icon name={repository.isPrivate ? "lock" : repository.isFork ? "repo-forked" : "repo"} />
              <a href={repositoryPath({ ownerName: repository.owner.name, name: repository.name })}>
                {repository.owner.name !== account.name && `${repository.owner.name}/`}
                <strong>{repository.name}</strong>
              </a>
              <Badges {...repository} />
            </h3>
            {repository.description !== "" && <p dir="auto">{repository.description}</p>}
            <div class="meta">
              {repository.language !== "" && <span>{repository.language}</span>}
              {repository.starsCount > 0 && (
                <span title={`${words.stars}: ${repository.starsCount}`}>
                  <Icon name="star" label={words.stars} /> {repository.starsCount}
                </span>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
