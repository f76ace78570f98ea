import { h } from "preact";
import type { Page } from "../../../core/paging.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import { ExploreTabs } from "../../../ui/explore-tabs.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { type ListedPerson, PeopleList } from "../../users/views/people-list.ts";

/** What the list can be sorted by, the usual order first. */
export const exploreSorts = ["alphabetically", "newest", "recentupdate"] as const;
export type ExploreSort = (typeof exploreSorts)[number];

export interface ExplorePeopleFacts {
  readonly kind: "users" | "organizations";
  readonly people: readonly ListedPerson[];
  readonly total: number;
  readonly text: string;
  readonly sort: ExploreSort;
  readonly page: Page;
}

/** People, or organizations, to choose from. */
export function ExplorePeopleView({ kind, people, total, text, sort, page }: ExplorePeopleFacts): Html {
  const texts = useTexts().people.explore;
  const path = `/explore/${kind}`;
  return [
    h(ExploreTabs, { tab: kind }),
    h(
      "form",
      { class: "find", action: path },
      h("input", { type: "search", name: "q", value: text, "aria-label": texts.find[kind], placeholder: texts.find[kind] }),
      h(
        "select",
        { name: "sort", "aria-label": texts.sort },
        exploreSorts.map((one) => h("option", { value: one, ...(one === sort && { selected: true }) }, texts.sorts[one])),
      ),
      h("button", { type: "submit" }, texts.findButton),
    ),
    people.length === 0 ? h(Nothing, { kind, path, text }) : [h("p", { class: "soft" }, texts.count[kind](total)), h(PeopleList, { people })],
    h(Pager, { path, query: { q: text, sort: sort === exploreSorts[0] ? undefined : sort }, page, total }),
  ];
}

function Nothing({ kind, path, text }: { readonly kind: ExplorePeopleFacts["kind"]; readonly path: string; readonly text: string }): Html {
  const texts = useTexts().people.explore;
  if (text !== "")
    return h(Empty, { icon: "search", title: texts.nothingFound }, h("p", null, texts.tryAnother), h("p", null, h("a", { href: path }, texts.all[kind])));
  return h(Empty, { icon: kind === "users" ? "person" : "organization", title: texts.none[kind] });
}
