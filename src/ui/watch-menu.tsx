import { levelOf, type Watching, watchKinds } from "../core/watching.ts";
import { type RepositoryName, repositoryPath } from "./addresses.ts";
import type { Html } from "./html.ts";
import { Icon } from "./icons.tsx";
import { FormToken } from "./page.tsx";
import { sharedTexts } from "./texts/shared.ts";
import { useTexts } from "./texts/texts.ts";

export interface WatchMenuProps {
  readonly repository: RepositoryName & { readonly watching: Watching };
  readonly formToken: string;
}

/** Shows which activity of a repository the reader is notified of, with a form for each other level. */
export function WatchMenu({ repository, formToken }: WatchMenuProps): Html {
  const texts = useTexts(sharedTexts).repository.watching;
  const { watching } = repository;
  const level = levelOf(watching);
  const action = `${repositoryPath(repository)}/watch`;
  return (
    <details class="menu watch">
      <summary class="button">
        <Icon name={level === "ignored" ? "bell-slash" : "eye"} />
        <span class="text">{texts.states[level]}</span>
        <Icon name="chevron-down" />
      </summary>
      <div class="sheet">
        <form method="post" action={action}>
          <FormToken value={formToken} />
          {(["participating", "all", "ignored"] as const).map((one) => (
            <button type="submit" name="level" value={one} aria-pressed={level === one ? "true" : "false"}>
              <span>
                {texts.levels[one]}
                <span class="soft">{texts.hints[one]}</span>
              </span>
            </button>
          ))}
        </form>
        <hr />
        <form class="kinds" method="post" action={action}>
          <FormToken value={formToken} />
          <fieldset class="choices">
            <legend>{texts.levels.custom}</legend>
            <span class="soft">{texts.hints.custom}</span>
            {watchKinds.map((kind) => (
              <label class="tick">
                <input type="checkbox" name="kinds" value={kind} checked={typeof watching !== "string" && watching.includes(kind)} />
                <span>{texts.kinds[kind]}</span>
              </label>
            ))}
          </fieldset>
          <div>
            <button type="submit" name="level" value="custom">
              {texts.apply}
            </button>
          </div>
        </form>
      </div>
    </details>
  );
}
