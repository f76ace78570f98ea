import type { Page } from "../../../../core/paging.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import { ExploreTabs } from "../../../../ui/explore-tabs.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { type ListedPerson, PeopleList } from "../../../accounts/users/views/people-list.tsx";
import { profileTexts } from "../texts/texts.ts";

/** Sort orders of the list, the default first. */
export const exploreSorts = ["alphabetically", "newest", "recentupdate"] as const;
export type ExploreSort = (typeof exploreSorts)[number];

export interface ExplorePeopleProps {
  readonly kind: "users" | "organizations";
  readonly people: readonly ListedPerson[];
  readonly total: number;
  readonly text: string;
  readonly sort: ExploreSort;
  readonly page: Page;
}

/** A searchable list of users or organizations. */
export function ExplorePeopleView({ kind, people, total, text, sort, page }: ExplorePeopleProps): Html {
  const texts = useTexts(profileTexts).explore;
  const path = `/explore/${kind}`;
  return (
    <>
      <ExploreTabs tab={kind} />
      <form class="find" action={path}>
        <input type="search" name="q" value={text} aria-label={texts.find[kind]} placeholder={texts.find[kind]} />
        <select name="sort" aria-label={texts.sort}>
          {exploreSorts.map((one) => (
            <option value={one} {...(one === sort && { selected: true })}>
              {texts.sorts[one]}
            </option>
          ))}
        </select>
        <button type="submit">{texts.findButton}</button>
      </form>
      {people.length === 0 ? (
        <Nothing kind={kind} path={path} text={text} />
      ) : (
        <>
          <p class="soft">{texts.count[kind](total)}</p>
          <PeopleList people={people} />
        </>
      )}
      <Pager path={path} query={{ q: text, sort: sort === exploreSorts[0] ? undefined : sort }} page={page} total={total} />
    </>
  );
}

function Nothing({ kind, path, text }: { readonly kind: ExplorePeopleProps["kind"]; readonly path: string; readonly text: string }): Html {
  const texts = useTexts(profileTexts).explore;
  if (text !== "")
    return (
      <Empty icon="search" title={texts.nothingFound}>
        <p>{texts.tryAnother}</p>
        <p>
          <a href={path}>{texts.all[kind]}</a>
        </p>
      </Empty>
    );
  return <Empty icon={kind === "users" ? "person" : "organization"} title={texts.none[kind]} />;
}
