import { h } from "preact";
import type { Page } from "../../../core/paging.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import { ExploreTabs } from "../../../ui/explore-tabs.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { type ListedPerson, PeopleList } from "../../users/views/people-list.ts";

export interface ExplorePeopleFacts {
  readonly kind: "users" | "organizations";
  readonly people: readonly ListedPerson[];
  readonly total: number;
  readonly text: string;
  readonly page: Page;
}

/** People, or organizations, to choose from. */
export function ExplorePeopleView({ kind, people, total, text, page }: ExplorePeopleFacts): Html {
  const { people: texts } = useTexts();
  const path = `/explore/${kind}`;
  const isUsers = kind === "users";
  return [
    h(ExploreTabs, { tab: kind }),
    isUsers &&
      h(
        "form",
        { class: "find", action: path, role: "search" },
        h("input", { type: "search", name: "q", value: text, "aria-label": texts.findUsers, placeholder: texts.findUsers }),
        h("button", { type: "submit" }, texts.findButton),
      ),
    total === 0
      ? h(Empty, { icon: isUsers ? "person" : "organization", title: isUsers ? texts.noUsers : texts.noOrganizations })
      : [h("p", { class: "soft" }, isUsers ? texts.countUsers(total) : texts.countOrganizations(total)), h(PeopleList, { people })],
    h(Pager, { path, query: { q: text }, page, total }),
  ];
}
