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

/** What the list can be narrowed to. */
export const exploreKinds = ["source", "fork", "mirror", "template", "archived"] as const;
export type ExploreKind = (typeof exploreKinds)[number];

export interface ExploreFacts {
  readonly repositories: readonly RepositoryView[];
  readonly total: number;
  readonly text: string;
  /** The text is a topic. */
  readonly isTopic: boolean;
  readonly sort: ExploreSort;
  /** Undefined: all of them. */
  readonly kind: ExploreKind | undefined;
  readonly page: Page;
  readonly now: number;
}

export function ExploreView({ repositories, total, text, isTopic, sort, kind, page, now }: ExploreFacts): Html {
  const { explore: texts } = useTexts();
  return [
    h(ExploreTabs, { tab: "repos" }),
    h(FindForm, { text, sort, kind }),
    total === 0
      ? text === "" && kind === undefined
        ? h(Empty, { icon: "repo", title: texts.none }, h("p", null, h("a", { class: "button", href: "/repo/create" }, texts.howToStart)))
        : h(Empty, { icon: "search", title: texts.nothingFound }, h("p", null, texts.tryAnother), h("p", null, h("a", { href: "/explore/repos" }, texts.all)))
      : [h("p", { class: "soft" }, isTopic ? texts.withTopic(total, text) : texts.count(total)), h(RepositoryList, { repositories, now, showsOwners: true })],
    h(Pager, {
      path: "/explore/repos",
      query: { q: text, topic: isTopic ? "1" : undefined, kind, sort: sort === exploreSorts[0] ? undefined : sort },
      page,
      total,
    }),
  ];
}

function FindForm({ text, sort, kind }: Pick<ExploreFacts, "text" | "sort" | "kind">): Html {
  const { explore: texts } = useTexts();
  return h(
    "form",
    { class: "find", action: "/explore/repos" },
    h("input", { type: "search", name: "q", value: text, "aria-label": texts.find, placeholder: texts.find }),
    h(
      "select",
      { name: "kind", "aria-label": texts.kind },
      h("option", { value: "" }, texts.everyKind),
      exploreKinds.map((one) => h("option", { value: one, ...(one === kind && { selected: true }) }, texts.kinds[one])),
    ),
    h(
      "select",
      { name: "sort", "aria-label": texts.sort },
      exploreSorts.map((one) => h("option", { value: one, ...(one === sort && { selected: true }) }, texts.sorts[one])),
    ),
    h("button", { type: "submit" }, texts.findButton),
  );
}
