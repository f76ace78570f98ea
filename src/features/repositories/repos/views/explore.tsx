import type { Page } from "../../../../core/paging.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import { ExploreTabs } from "../../../../ui/explore-tabs.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { RepositoryView } from "../model.ts";
import { exploreTexts } from "../texts/texts.ts";
import { RepositoryList } from "./repository-list.tsx";

/** The sort orders, default first. */
export const exploreSorts = ["updated", "created", "alpha", "stars", "forks"] as const;
export type ExploreSort = (typeof exploreSorts)[number];

/** The filters by kind. */
export const exploreKinds = ["source", "fork", "mirror", "template", "archived"] as const;
export type ExploreKind = (typeof exploreKinds)[number];

export interface ExploreProps {
  readonly repositories: readonly RepositoryView[];
  readonly total: number;
  readonly text: string;
  /** The search string is a topic. */
  readonly isTopic: boolean;
  readonly sort: ExploreSort;
  /** Undefined for all kinds. */
  readonly kind: ExploreKind | undefined;
  readonly page: Page;
  readonly now: number;
  readonly canCreate: boolean;
}

export function ExploreView({ repositories, total, text, isTopic, sort, kind, page, now, canCreate }: ExploreProps): Html {
  const texts = useTexts(exploreTexts);
  return (
    <>
      <ExploreTabs tab="repos" />
      <FindForm text={text} sort={sort} kind={kind} />
      {total === 0 ? (
        text === "" && kind === undefined ? (
          <Empty icon="repo" title={texts.none}>
            {canCreate && (
              <p>
                <a class="button" href="/repo/create">
                  {texts.howToStart}
                </a>
              </p>
            )}
          </Empty>
        ) : (
          <Empty icon="search" title={texts.nothingFound}>
            <p>{texts.tryAnother}</p>
            <p>
              <a href="/explore/repos">{texts.all}</a>
            </p>
          </Empty>
        )
      ) : (
        <>
          <p class="soft">{isTopic ? texts.withTopic(total, text) : texts.count(total)}</p>
          <RepositoryList repositories={repositories} now={now} showsOwners />
        </>
      )}
      <Pager
        path="/explore/repos"
        query={{ q: text, topic: isTopic ? "1" : undefined, kind, sort: sort === exploreSorts[0] ? undefined : sort }}
        page={page}
        total={total}
      />
    </>
  );
}

function FindForm({ text, sort, kind }: Pick<ExploreProps, "text" | "sort" | "kind">): Html {
  const texts = useTexts(exploreTexts);
  return (
    <form class="find" action="/explore/repos">
      <input type="search" name="q" value={text} aria-label={texts.find} placeholder={texts.find} />
      <select name="kind" aria-label={texts.kind}>
        <option value="">{texts.everyKind}</option>
        {exploreKinds.map((one) => (
          <option value={one} {...(one === kind && { selected: true })}>
            {texts.kinds[one]}
          </option>
        ))}
      </select>
      <select name="sort" aria-label={texts.sort}>
        {exploreSorts.map((one) => (
          <option value={one} {...(one === sort && { selected: true })}>
            {texts.sorts[one]}
          </option>
        ))}
      </select>
      <button type="submit">{texts.findButton}</button>
    </form>
  );
}
