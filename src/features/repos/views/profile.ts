import { h } from "preact";
import type { Page } from "../../../core/paging.ts";
import { accountPath } from "../../../ui/addresses.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Day } from "../../../ui/time.ts";
import type { UserView } from "../../users/view.ts";
import type { RepositoryView } from "../view.ts";
import { RepositoryList } from "./repository-list.ts";

export interface ProfileFacts {
  readonly account: UserView;
  readonly avatarUrl: string;
  readonly repositories: readonly RepositoryView[];
  readonly total: number;
  readonly page: Page;
  readonly now: number;
}

/** Somebody, or an organization, and what is theirs. */
export function ProfileView({ account, avatarUrl, repositories, total, page, now }: ProfileFacts): Html {
  const { profile: texts } = useTexts();
  return [
    h(
      "div",
      { class: "person" },
      h("img", { class: "avatar", src: avatarUrl, width: 80, height: 80, alt: "" }),
      h("div", null, h("h1", null, account.fullName || account.name), h("p", { class: "soft" }, account.name)),
    ),
    h(
      "div",
      { class: "columns" },
      h(
        "section",
        null,
        h("h2", null, texts.repositories),
        total === 0 ? h(Empty, { icon: "repo", title: texts.none(account.name) }) : h(RepositoryList, { repositories, now, showsOwners: false }),
        h(Pager, { path: accountPath(account.name), page, total }),
      ),
      h(About, { account }),
    ),
  ];
}

function About({ account }: { readonly account: UserView }): Html {
  const { profile: texts } = useTexts();
  return h(
    "aside",
    null,
    account.description !== "" && h("p", null, account.description),
    h(
      "ul",
      { class: "facts" },
      account.location !== "" && h("li", null, h(Icon, { name: "location" }), account.location),
      account.website !== "" && h("li", null, h(Icon, { name: "link" }), h("a", { href: account.website, rel: "nofollow noopener" }, account.website)),
      account.kind === "user" &&
        h("li", null, h(Icon, { name: "people" }), texts.followers(account.followersCount), " · ", texts.following(account.followingCount)),
      h("li", null, h(Icon, { name: "clock" }), texts.joined, " ", h(Day, { ms: account.createdMs })),
    ),
  );
}
