import { h } from "preact";
import type { Page } from "../../../core/paging.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import { ExploreTabs } from "../../../ui/explore-tabs.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { RepositoryView } from "../view.ts";
import { RepositoryList } from "./repository-list.ts";

/** What the list can be sorted by, the usual order first. */
export const exploreSorts = ["updated", "created", "alpha", "stars", "forks"] as const;
export type ExploreSort = (typeof exploreSorts)[number];

export interface ExploreFacts {
  readonly repositories: readonly RepositoryView[];
  readonly total: number;
  readonly text: string;
  readonly sort: ExploreSort;
  readonly page: Page;
  readonly now: number;
}

export function ExploreView({ repositories, total, text, sort, page, now }: ExploreFacts): Html {
  const { explore: texts } = useTexts();
  return [
    h(ExploreTabs, { tab: "repos" }),
    h(FindForm, { text, sort }),
    total === 0
      ? text === ""
        ? h(Empty, { icon: "repo", title: texts.none }, h("p", null, h("a", { class: "button", href: "/repo/create" }, texts.howToStart)))
        : h(Empty, { icon: "search", title: texts.nothingFound }, h("p", null, texts.tryAnother), h("p", null, h("a", { href: "/explore/repos" }, texts.all)))
      : [h("p", { class: "soft" }, texts.count(total)), h(RepositoryList, { repositories, now, showsOwners: true })],
    h(Pager, { path: "/explore/repos", query: { q: text, sort: sort === exploreSorts[0] ? undefined : sort }, page, total }),
  ];
}

function FindForm({ text, sort }: { readonly text: string; readonly sort: ExploreSort }): Html {
  const { explore: texts } = useTexts();
  return h(
    "form",
    { class: "find", action: "/explore/repos" },
    h("input", { type: "search", name: "q", value: text, "aria-label": texts.find, placeholder: texts.find }),
    h(
      "select",
      { name: "sort", "aria-label": texts.sort },
      exploreSorts.map((one) => h("option", { value: one, ...(one === sort && { selected: true }) }, texts.sorts[one])),
    ),
    h("button", { type: "submit" }, texts.findButton),
  );
}
