import { type RepositoryName, wikiPath } from "../../../../ui/addresses.ts";
import { Empty } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { type FoundPages, minSearchLength } from "../model.ts";
import { wikiTexts } from "../texts/texts.ts";

/** Finds pages by their titles and texts. */
export function WikiSearch({ repository, typed }: { readonly repository: RepositoryName; readonly typed: string }): Html {
  const texts = useTexts(wikiTexts);
  return (
    <form class="find" action={wikiPath(repository)} role="search">
      <input type="hidden" name="action" value="_search" />
      <input type="search" name="q" value={typed} required aria-label={texts.search} placeholder={texts.search} autocomplete="off" />
      <button type="submit">
        <Icon name="search" label={texts.find} />
      </button>
    </form>
  );
}

export interface WikiFoundProps {
  readonly repository: RepositoryName;
  readonly typed: string;
  /** Undefined: the text is too short. */
  readonly found: FoundPages | undefined;
}

/** The pages with a text. */
export function WikiFound({ repository, typed, found }: WikiFoundProps): Html {
  const texts = useTexts(wikiTexts);
  return (
    <>
      <WikiSearch repository={repository} typed={typed} />
      {found === undefined && <p class="notice">{texts.tooShort(minSearchLength)}</p>}
      {found?.pages.length === 0 && <Empty icon="search" title={texts.nothingFound} />}
      {found !== undefined && found.pages.length > 0 && (
        <ul class="list">
          {found.pages.map(({ page, lines }) => (
            <li>
              <a class="row-title" href={wikiPath(repository, page.slug)} dir="auto">
                {page.title}
              </a>
              {lines.map((line) => (
                <div class="meta" dir="auto">
                  {line}
                </div>
              ))}
            </li>
          ))}
        </ul>
      )}
      {found !== undefined && found.end !== "all" && <p class="soft">{texts.notAll}</p>}
    </>
  );
}
