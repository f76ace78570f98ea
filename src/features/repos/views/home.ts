import { h } from "preact";
import type { Page } from "../../../core/paging.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { RepositoryView } from "../view.ts";
import { RepositoryList } from "./repository-list.ts";

export interface HomeFacts {
  readonly repositories: readonly RepositoryView[];
  readonly total: number;
  readonly page: Page;
  readonly now: number;
}

/** The front page of somebody who has signed in: what is his. */
export function HomeView({ repositories, total, page, now }: HomeFacts): Html {
  const { home: texts, explore } = useTexts();
  if (total === 0) {
    return h(
      Empty,
      { icon: "repo", title: texts.none },
      h("p", null, texts.howToStart),
      h("p", null, h("a", { class: "button", href: "/explore/repos" }, explore.all)),
    );
  }
  return [h(RepositoryList, { repositories, now, showsOwners: true }), h(Pager, { path: "/", page, total })];
}
