import { h } from "preact";
import type { Page } from "../../../core/paging.ts";
import { accountPath, withQuery } from "../../../ui/addresses.ts";
import { Empty, Pager, Rendered } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { type OrganizationHeader, OrganizationTabs } from "../../../ui/organization-page.ts";
import { FormToken } from "../../../ui/page.ts";
import { accountPaths } from "../../../ui/settings.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Day } from "../../../ui/time.ts";
import type { ActivityView } from "../../activities/view.ts";
import { ActivityList } from "../../activities/views/activity-list.ts";
import type { RepositoryView } from "../../repos/view.ts";
import { RepositoryList } from "../../repos/views/repository-list.ts";
import type { UserView } from "../../users/view.ts";
import { type ListedPerson, PeopleList } from "../../users/views/people-list.ts";
import type { Calendar } from "../calendar.ts";
import { CalendarView } from "./calendar.ts";

export const profileTabs = {
  user: ["repositories", "activity", "stars", "followers", "following"],
  organization: ["repositories", "activity"],
} as const;
export type ProfileTab = (typeof profileTabs)["user" | "organization"][number];

/** What a tab lists. */
export type Listed =
  | { readonly tab: "repositories" | "stars"; readonly items: readonly RepositoryView[]; readonly total: number }
  | { readonly tab: "followers" | "following"; readonly items: readonly ListedPerson[]; readonly total: number }
  | { readonly tab: "activity"; readonly items: readonly ActivityView[]; readonly total: number };

/** What the reader is in the organization that he looks at. */
export interface ProfilePlace extends OrganizationHeader {
  /** He makes repositories in it. */
  readonly canCreate: boolean;
}

export interface ProfileFacts {
  readonly account: UserView;
  readonly avatarUrl: string;
  readonly listed: Listed;
  /** What is looked for among the repositories. */
  readonly text: string;
  /** What they say of themselves, rendered and cleaned. */
  readonly readme: string | undefined;
  readonly calendar: Calendar | undefined;
  readonly organizations: readonly { readonly name: string; readonly avatarUrl: string }[];
  /** Undefined for people. */
  readonly place: ProfilePlace | undefined;
  /** The reader looks at himself. */
  readonly isOwn: boolean;
  /** Undefined where nobody could follow from here. */
  readonly following: { readonly isFollowed: boolean; readonly formToken: string } | undefined;
  readonly page: Page;
  readonly now: number;
}

/** Somebody, or an organization, and what is theirs. */
export function ProfileView(facts: ProfileFacts): Html {
  const { account, avatarUrl, listed, text, readme, calendar, place } = facts;
  return [
    h(
      "div",
      { class: "person" },
      h("img", { class: "avatar", src: avatarUrl, width: 80, height: 80, alt: "" }),
      h("div", null, h("h1", null, account.fullName || account.name), account.fullName !== "" && h("p", { class: "soft" }, account.name)),
      h(Follow, facts),
    ),
    h(Tabs, { account, tab: listed.tab, place }),
    h(
      "div",
      { class: "columns profile" },
      h(About, facts),
      h(
        "div",
        null,
        readme !== undefined && h("section", { class: "box" }, h("div", { class: "within" }, h(Rendered, { html: readme }))),
        calendar !== undefined && h(CalendarView, { calendar }),
        listed.tab === "repositories" && (listed.total > 0 || text !== "") && h(Find, facts),
        h(List, facts),
      ),
    ),
  ];
}

function Follow({ account, following, isOwn }: ProfileFacts): Html {
  const { people: texts } = useTexts();
  if (isOwn) return h("a", { class: "button end", href: accountPaths.profile }, h(Icon, { name: "gear" }), texts.edit);
  if (following === undefined) return null;
  const action = `${accountPath(account.name)}/-/${following.isFollowed ? "unfollow" : "follow"}`;
  return h(
    "form",
    { class: "end", method: "post", action },
    h(FormToken, { value: following.formToken }),
    h("button", { type: "submit" }, following.isFollowed ? texts.unfollow : texts.follow),
  );
}

const tabPath = (account: UserView, tab: ProfileTab): string => withQuery(accountPath(account.name), { tab: tab === "repositories" ? undefined : tab });

function Tabs({ account, tab, place }: Pick<ProfileFacts, "account" | "place"> & { readonly tab: ProfileTab }): Html {
  const { people: texts } = useTexts();
  if (place !== undefined) return h(OrganizationTabs, { organization: place, tab: tab === "activity" ? "activity" : "repositories" });
  return h(
    "nav",
    { class: "tabs", "aria-label": texts.parts(account.name) },
    profileTabs[account.kind].map((one) => h("a", { href: tabPath(account, one), ...(one === tab && { "aria-current": "page" }) }, texts.tabs[one])),
  );
}

function Find({ account, text, place }: ProfileFacts): Html {
  const { people: texts, organizations } = useTexts();
  return h(
    "form",
    { class: "find", action: accountPath(account.name), role: "search" },
    h("input", { type: "search", name: "q", value: text, "aria-label": texts.find, placeholder: texts.find }),
    h("button", { type: "submit" }, texts.findButton),
    place?.canCreate &&
      h("a", { class: "button", href: withQuery("/repo/create", { owner: account.name }) }, h(Icon, { name: "plus" }), organizations.newRepository),
  );
}

function List({ account, listed, isOwn, place, text, page, now }: ProfileFacts): Html {
  const { people: texts, organizations, errors } = useTexts();
  const { tab, total } = listed;
  if (total === 0) {
    const icon = tab === "repositories" ? "repo" : tab === "stars" ? "star" : "people";
    if (text !== "") return h(Empty, { icon, title: texts.found }, h("p", null, h("a", { href: accountPath(account.name) }, texts.all)));
    const owner = isOwn ? {} : place?.canCreate ? { owner: account.name } : undefined;
    const next =
      owner !== undefined && tab === "repositories"
        ? h("a", { class: "button", href: withQuery("/repo/create", owner) }, h(Icon, { name: "plus" }), organizations.newRepository)
        : h("a", { href: "/explore/repos" }, errors.toExplore);
    return h(Empty, { icon, title: texts.none[tab](account.name) }, h("p", null, next));
  }
  return [
    h(Items, { listed, now }),
    h(Pager, { path: accountPath(account.name), query: { tab: tab === "repositories" ? undefined : tab, q: text }, page, total }),
  ];
}

function Items({ listed, now }: { readonly listed: Listed; readonly now: number }): Html {
  switch (listed.tab) {
    case "repositories":
      return h(RepositoryList, { repositories: listed.items, now, showsOwners: false });
    case "stars":
      return h(RepositoryList, { repositories: listed.items, now, showsOwners: true });
    case "activity":
      return h(ActivityList, { activities: listed.items, now });
    default:
      return h(PeopleList, { people: listed.items });
  }
}

function About({ account, organizations }: ProfileFacts): Html {
  const { people: texts } = useTexts();
  return h(
    "aside",
    null,
    account.description !== "" && h("p", { dir: "auto" }, account.description),
    h(
      "ul",
      { class: "facts" },
      account.location !== "" && h("li", null, h(Icon, { name: "location" }), account.location),
      account.website !== "" && h("li", null, h(Icon, { name: "link" }), h("a", { href: account.website, rel: "nofollow noopener" }, account.website)),
      account.kind === "user" &&
        h("li", null, h(Icon, { name: "people" }), texts.followers(account.followersCount), " · ", texts.following(account.followingCount)),
      h("li", null, h(Icon, { name: "clock" }), texts.joined, " ", h(Day, { ms: account.createdMs })),
      h("li", null, h(Icon, { name: "rss" }), h("a", { href: `${accountPath(account.name)}.atom` }, texts.feed)),
    ),
    organizations.length > 0 && [
      h("h2", null, texts.memberOf),
      h(
        "ul",
        { class: "plain-list" },
        organizations.map(({ name, avatarUrl }) =>
          h("li", null, h("img", { class: "avatar", src: avatarUrl, width: 20, height: 20, alt: "" }), " ", h("a", { href: accountPath(name) }, name)),
        ),
      ),
    ],
  );
}
