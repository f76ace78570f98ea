import type { Page } from "../../../../core/paging.ts";
import { accountPath, withQuery } from "../../../../ui/addresses.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { type OrganizationHeader, OrganizationTabs } from "../../../../ui/organization-page.tsx";
import { FormToken } from "../../../../ui/page.tsx";
import { Rendered } from "../../../../ui/rendered.tsx";
import { accountPaths } from "../../../../ui/settings.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Day } from "../../../../ui/time.tsx";
import type { UserView } from "../../../accounts/users/model.ts";
import { accountTexts } from "../../../accounts/users/texts/texts.ts";
import { type ListedPerson, PeopleList } from "../../../accounts/users/views/people-list.tsx";
import { Pinned } from "../../../repositories/pins/views/pinned.tsx";
import type { RepositoryView } from "../../../repositories/repos/model.ts";
import { RepositoryList } from "../../../repositories/repos/views/repository-list.tsx";
import type { StarList } from "../../../repositories/star-lists/model.ts";
import { starListTexts } from "../../../repositories/star-lists/texts/texts.ts";
import { StarListLinks, StarListMenu } from "../../../repositories/star-lists/views/lists.tsx";
import type { ActivityView } from "../../activities/model.ts";
import { ActivityList } from "../../activities/views/activity-list.tsx";
import type { Calendar } from "../calendar.ts";
import { profileTexts } from "../texts/texts.ts";
import { CalendarView } from "./calendar.tsx";

export const profileTabs = {
  user: ["repositories", "activity", "stars", "followers", "following"],
  organization: ["repositories", "activity"],
} as const;
export type ProfileTab = (typeof profileTabs)["user" | "organization"][number];

/** The list in a tab. */
export type Listed =
  | { readonly tab: "repositories" | "stars"; readonly items: readonly RepositoryView[]; readonly total: number }
  | { readonly tab: "followers" | "following"; readonly items: readonly ListedPerson[]; readonly total: number }
  | { readonly tab: "activity"; readonly items: readonly ActivityView[]; readonly total: number };

/** The reader's role in the organization. */
export interface ProfileHeader extends OrganizationHeader {
  /** The reader may create repositories in it. */
  readonly canCreate: boolean;
}

export interface ProfileProps {
  readonly account: UserView;
  readonly avatarPath: string;
  readonly listed: Listed;
  /** On the list of stars: the lists of the account. */
  readonly stars:
    | {
        readonly lists: readonly StarList[];
        readonly current: StarList | undefined;
        /** For readers of their own stars: ids of the lists that contain each repository. */
        readonly within: ReadonlyMap<number, ReadonlySet<number>> | undefined;
        readonly formToken: string | undefined;
      }
    | undefined;
  /** The search text for repositories. */
  readonly text: string;
  /** The rendered and sanitized profile README. */
  readonly readme: string | undefined;
  /** Undefined on parts of the profile without them. */
  readonly pins: readonly RepositoryView[] | undefined;
  /** The address of the page that changes the pins; undefined if the reader cannot. */
  readonly pinSettings: string | undefined;
  readonly calendar: Calendar | undefined;
  readonly organizations: readonly { readonly name: string; readonly avatarPath: string }[];
  /** Undefined for users. */
  readonly organization: ProfileHeader | undefined;
  /** The reader's own profile. */
  readonly isOwn: boolean;
  /** Undefined if the reader cannot follow this account. */
  readonly following: { readonly isFollowed: boolean; readonly formToken: string } | undefined;
  readonly page: Page;
  readonly now: number;
}

/** The profile of a user or an organization. */
export function ProfileView(props: ProfileProps): Html {
  const { account, avatarPath, listed, text, readme, pins, pinSettings, calendar, organization } = props;
  return (
    <>
      <div class="person">
        <img class={account.kind === "organization" ? "avatar square" : "avatar"} src={avatarPath} width={80} height={80} alt="" />
        <div>
          <h1>{account.fullName || account.name}</h1>
          {account.fullName !== "" && <p class="soft">{account.name}</p>}
        </div>
        <Follow {...props} />
      </div>
      <Tabs account={account} tab={listed.tab} organization={organization} />
      <div class="columns profile">
        <About {...props} />
        <div>
          {readme !== undefined && (
            <section class="box">
              <div class="within">
                <Rendered html={readme} />
              </div>
            </section>
          )}
          {pins !== undefined && <Pinned account={account} pins={pins} settings={pinSettings} />}
          {calendar !== undefined && <CalendarView calendar={calendar} />}
          {listed.tab === "repositories" && (listed.total > 0 || text !== "") && <Find {...props} />}
          {props.stars !== undefined && <StarListLinks {...props.stars} account={account} isOwn={props.isOwn} />}
          <List {...props} />
        </div>
      </div>
    </>
  );
}

function Follow({ account, following, isOwn }: ProfileProps): Html {
  const texts = useTexts(profileTexts);
  if (isOwn)
    return (
      <a class="button end" href={accountPaths.profile}>
        <Icon name="gear" />
        {texts.edit}
      </a>
    );
  if (following === undefined) return null;
  const action = `${accountPath(account.name)}/-/${following.isFollowed ? "unfollow" : "follow"}`;
  return (
    <form class="end" method="post" action={action}>
      <FormToken value={following.formToken} />
      <button type="submit">{following.isFollowed ? texts.unfollow : texts.follow}</button>
    </form>
  );
}

const tabPath = (account: UserView, tab: ProfileTab): string => withQuery(accountPath(account.name), { tab: tab === "repositories" ? undefined : tab });

function Tabs({ account, tab, organization }: Pick<ProfileProps, "account" | "organization"> & { readonly tab: ProfileTab }): Html {
  const texts = useTexts(profileTexts);
  if (organization !== undefined) return <OrganizationTabs organization={organization} tab={tab === "activity" ? "activity" : "repositories"} />;
  return (
    <nav class="tabs" aria-label={texts.parts(account.name)}>
      {profileTabs[account.kind].map((one) => (
        <a href={tabPath(account, one)} {...(one === tab && { "aria-current": "page" })}>
          {texts.tabs[one]}
        </a>
      ))}
    </nav>
  );
}

function Find({ account, text, organization }: ProfileProps): Html {
  const texts = useTexts(profileTexts);
  return (
    <form class="find" action={accountPath(account.name)} role="search">
      <input type="search" name="q" value={text} aria-label={texts.find} placeholder={texts.find} />
      <button type="submit">{texts.findButton}</button>
      {organization?.canCreate && (
        <a class="button primary" href={withQuery("/repo/create", { owner: account.name })}>
          <Icon name="plus" />
          {texts.newRepository}
        </a>
      )}
    </form>
  );
}

function List({ account, listed, stars, isOwn, organization, text, page, now }: ProfileProps): Html {
  const texts = useTexts(profileTexts);
  const { errors } = useTexts(sharedTexts);
  const words = useTexts(starListTexts);
  const { tab, total } = listed;
  if (total === 0) {
    if (stars?.current !== undefined) return <Empty icon="star" title={words.empty} />;
    const icon = tab === "repositories" ? "repo" : tab === "stars" ? "star" : "people";
    if (text !== "")
      return (
        <Empty icon={icon} title={texts.found}>
          <p>
            <a href={accountPath(account.name)}>{texts.all}</a>
          </p>
        </Empty>
      );
    const owner = isOwn ? {} : organization?.canCreate ? { owner: account.name } : undefined;
    const next =
      owner !== undefined && tab === "repositories" ? (
        <a class="button primary" href={withQuery("/repo/create", owner)}>
          <Icon name="plus" />
          {texts.newRepository}
        </a>
      ) : (
        <a href="/explore/repos">{errors.toExplore}</a>
      );
    const others = owner !== undefined && tab === "repositories" ? texts.createIn(account.name, organization?.isOwner === true) : texts.none[tab](account.name);
    return (
      <Empty icon={icon} title={isOwn ? texts.noneOwn[tab] : others}>
        <p>{next}</p>
      </Empty>
    );
  }
  return (
    <>
      <Items listed={listed} stars={stars} now={now} />
      <Pager
        path={accountPath(account.name)}
        query={{ tab: tab === "repositories" ? undefined : tab, q: text, list: stars?.current && String(stars.current.id) }}
        page={page}
        total={total}
      />
    </>
  );
}

function Items({ listed, stars, now }: Pick<ProfileProps, "listed" | "stars" | "now">): Html {
  switch (listed.tab) {
    case "repositories":
      return <RepositoryList repositories={listed.items} now={now} showsOwners={false} />;
    case "stars":
      return <RepositoryList repositories={listed.items} now={now} showsOwners menuOf={menuOf(stars)} />;
    case "activity":
      return <ActivityList activities={listed.items} now={now} />;
    default:
      return <PeopleList people={listed.items} />;
  }
}

/** A menu with the lists of a repository, for readers of their own stars. */
function menuOf(stars: ProfileProps["stars"]): ((repository: RepositoryView) => Html) | undefined {
  if (stars?.within === undefined || stars.formToken === undefined || stars.lists.length === 0) return undefined;
  const { lists, within, current, formToken } = stars;
  return (repository) => <StarListMenu {...{ repository, lists, current, formToken }} within={within.get(repository.id)} />;
}

function About({ account, organizations }: ProfileProps): Html {
  const texts = useTexts(profileTexts);
  const { joined, created } = useTexts(accountTexts);
  return (
    <aside>
      {account.description !== "" && <p dir="auto">{account.description}</p>}
      <ul class="facts">
        {account.location !== "" && (
          <li>
            <Icon name="location" />
            {account.location}
          </li>
        )}
        {account.website !== "" && (
          <li>
            <Icon name="link" />
            <a href={account.website} rel="nofollow noopener">
              {account.website}
            </a>
          </li>
        )}
        {account.kind === "user" && (
          <li>
            <Icon name="people" />
            {texts.followers(account.followersCount)}
            {" · "}
            {texts.following(account.followingCount)}
          </li>
        )}
        <li>
          <Icon name="clock" />
          {account.kind === "user" ? joined : created} <Day ms={account.createdMs} />
        </li>
        <li>
          <Icon name="rss" />
          <a href={`${accountPath(account.name)}.atom`}>{texts.feed}</a>
        </li>
      </ul>
      {organizations.length > 0 && (
        <>
          <h2>{texts.memberOf}</h2>
          <ul class="plain-list">
            {organizations.map(({ name, avatarPath }) => (
              <li>
                <img class="avatar square" src={avatarPath} width={20} height={20} alt="" /> <a href={accountPath(name)}>{name}</a>
              </li>
            ))}
          </ul>
        </>
      )}
    </aside>
  );
}
