import { type Actor, isSelf, isUser } from "../../../access/actor.ts";
import type { AccountSubject } from "../../../access/subjects.ts";
import type { Clock } from "../../../core/clock.ts";
import { notFound } from "../../../core/errors.ts";
import type { Page } from "../../../core/paging.ts";
import { avatarPath, type Urls } from "../../../core/urls.ts";
import type { Db } from "../../../db/db.ts";
import { account, anyone } from "../../../http/access.ts";
import { type RawReply, raw } from "../../../http/answers.ts";
import { seeOther } from "../../../http/form-submit.ts";
import { pageReader } from "../../../http/page-reader.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { wantedFeed } from "../../../http/wanted-feed.ts";
import { accountPath, organizationPath } from "../../../ui/addresses.ts";
import { renderPage, renderPart } from "../../../ui/page.tsx";
import { accountPaths } from "../../../ui/settings.tsx";
import { textsFor } from "../../../ui/texts/texts.ts";
import { inPlace } from "../../../wire/schema.ts";
import type { UserView } from "../../accounts/users/model.ts";
import { avatarUrl } from "../../accounts/users/present.ts";
import { getUser } from "../../accounts/users/service/accounts.ts";
import { follow, isFollowing, listFollows, unfollow } from "../../accounts/users/service/follows.ts";
import { searchUsers } from "../../accounts/users/service/search.ts";
import type { ListedPerson } from "../../accounts/users/views/people-list.tsx";
import { findOrganization } from "../../organizations/orgs/service/find.ts";
import { listOrganizations, listOrganizationsOf } from "../../organizations/orgs/service/lists.ts";
import { getRights } from "../../organizations/teams/service/teams.ts";
import type { ReadDeps } from "../../repositories/contents/service/read.ts";
import type { ShowDeps } from "../../repositories/contents/service/show.ts";
import { listPins } from "../../repositories/pins/service.ts";
import { searchRepositories } from "../../repositories/repos/service/search.ts";
import { listMarkedRepositories } from "../../repositories/repos/service/stars-and-watches.ts";
import { exploreTexts } from "../../repositories/repos/texts/texts.ts";
import type { StarList } from "../../repositories/star-lists/model.ts";
import { getStarList, listRepositoriesOfList, listStarLists, ownListsOf } from "../../repositories/star-lists/service.ts";
import { type FeedDeps, listUserFeed, loadHeatmap } from "../activities/service/feeds.ts";
import { toCalendar } from "./calendar.ts";
import { loadProfileReadme } from "./service/readme.ts";
import { CalendarView } from "./views/calendar.tsx";
import { ExplorePeopleView, exploreSorts } from "./views/explore.tsx";
import { type Listed, type ProfileHeader, ProfileView, profileTabs } from "./views/profile.tsx";

export type ProfilePageDeps = FeedDeps & ReadDeps & ShowDeps & { readonly db: Db; readonly clock: Clock; readonly urls: Urls };

const page = { mount: "root", isUnlisted: true, isPage: true, answers: raw(["text/html"]) } as const;

/** Browsers show a calendar that they have loaded for this time. */
const keptSeconds = 900;

/** The query parameters of the search. */
const searchQuery = { q: query.text("Words of the name"), sort: query.text("Sort order of the list") };

/** Profiles of users and organizations: search, view and follow. */
export const profilePages = (deps: ProfilePageDeps): Route[] => [
  defineRoute({
    ...page,
    id: "profilePage",
    method: "GET",
    path: "/{username}",
    tag: "user",
    summary: "A user or an organization with their repositories, activity and follows",
    access: account.visible,
    scope: ["user", "repository"],
    query: { tab: query.text("Which part"), q: query.text("Words of the name or the description of repositories"), list: query.text("Id of a star list") },
    handle: async (request) => {
      const { actor, account, query, page } = request;
      const wanted = wantedFeed(request.headers);
      if (wanted !== undefined) return seeOther(`${accountPath(account.name)}.${wanted}`);
      const view = await getUser(deps, account.id);
      const tab = profileTabs[account.kind].find((one) => one === query.tab) ?? "repositories";
      const text = tab === "repositories" ? (query.q ?? "") : "";
      const starLists = tab === "stars" ? await loadStarLists(deps, actor, account, query.list) : undefined;
      const listed = await listTab(deps, actor, account, { tab, text, list: starLists?.current, page });
      const isFront = tab === "repositories" && text === "" && page.page === 1;
      const isPerson = account.kind === "user";
      const reader = pageReader(request);
      const follows = isUser(actor) && !isSelf(actor, account.id) && reader.viewer !== undefined;
      const isOwn = isUser(actor) && isSelf(actor, account.id);
      const organization = isPerson ? undefined : await organizationHeaderOf(deps, actor, account);
      const canPin = reader.viewer !== undefined && (isOwn || organization?.isOwner === true);
      const props = {
        account: view,
        avatarPath: avatarPath(view),
        listed,
        stars: starLists && { ...starLists, within: await withinOwn(deps, actor, account, listed), formToken: reader.viewer?.formToken },
        text,
        readme: isFront ? await loadProfileReadme(deps, actor, account.name) : undefined,
        calendar: isFront && isPerson ? toCalendar(await loadHeatmap(deps, actor, account), deps.clock.now()) : undefined,
        organizations: isPerson ? await organizationsOf(deps, actor, account) : [],
        pins: isFront ? await listPins(deps, actor, account) : undefined,
        pinSettings: !canPin ? undefined : isOwn ? accountPaths.pins : organizationPath(account.name, "/settings/pins"),
        organization,
        isOwn,
        following: follows ? { isFollowed: await isFollowing(deps, actor.id, account), formToken: reader.viewer.formToken } : undefined,
        page,
        now: deps.clock.now(),
      };
      const path = accountPath(account.name);
      const card = { kind: "profile", description: view.description, url: deps.urls.origin + path, imageUrl: avatarUrl(view, deps.urls) } as const;
      const feed = { rss: `${path}.rss`, atom: `${path}.atom` };
      return renderPage({ ...reader, title: view.fullName || view.name, heading: null, card, feed }, <ProfileView {...props} />);
    },
  }),
  followRoute(deps, "follow"),
  followRoute(deps, "unfollow"),
  defineRoute({
    ...page,
    isPage: false,
    id: "contributionsPart",
    method: "GET",
    path: "/{username}/-/contributions",
    tag: "user",
    summary: "The contribution calendar of a user, which the dashboard loads",
    access: account.visible,
    scope: ["user", "repository"],
    query: { language: query.text("Language of the texts; by default that of the caller") },
    handle: async (request) => {
      const { actor, account, query } = request;
      if (account.kind !== "user") throw notFound();
      const calendar = toCalendar(await loadHeatmap(deps, actor, account), deps.clock.now());
      const { languages } = pageReader(request);
      return renderPart(query.language === undefined ? languages : [query.language, ...languages], keptSeconds, <CalendarView calendar={calendar} />);
    },
  }),
  defineRoute({
    ...page,
    id: "exploreUsersPage",
    method: "GET",
    path: "/explore/users",
    tag: "user",
    summary: "Search users",
    access: anyone,
    scope: "user",
    query: searchQuery,
    handle: async (request) => {
      const search = readInput(request.query);
      const { items, total } = await searchUsers(deps, request.actor, search, request.page);
      return explore(request, { kind: "users", people: items.map((user) => listedUser(user)), total, ...search, page: request.page });
    },
  }),
  defineRoute({
    ...page,
    id: "exploreOrganizationsPage",
    method: "GET",
    path: "/explore/organizations",
    tag: "organization",
    summary: "Search organizations",
    access: anyone,
    scope: "organization",
    query: searchQuery,
    handle: async (request) => {
      const search = readInput(request.query);
      const { items, total } = await listOrganizations(deps, request.actor, request.page, search);
      const people = items.map((one) => ({ ...one, avatarPath: avatarPath(one) }));
      return explore(request, { kind: "organizations", people, total, ...search, page: request.page });
    },
  }),
];

const readInput = ({ q = "", sort }: { readonly q?: string | undefined; readonly sort?: string | undefined }) => ({
  text: q,
  sort: exploreSorts.find((one) => one === sort) ?? exploreSorts[0],
});

const explore = (request: Parameters<typeof pageReader>[0], props: Parameters<typeof ExplorePeopleView>[0]): RawReply => {
  const reader = pageReader(request);
  return renderPage({ ...reader, title: textsFor(exploreTexts, reader.languages).title }, <ExplorePeopleView {...props} />);
};

const followRoute = (deps: ProfilePageDeps, action: "follow" | "unfollow"): Route =>
  defineRoute({
    ...page,
    id: `${action}Account`,
    method: "POST",
    path: `/{username}/-/${action}`,
    tag: "user",
    summary: action === "follow" ? "Follow somebody" : "Unfollow a user",
    access: account.signedIn,
    scope: "user",
    body: inPlace({}),
    handle: async ({ actor, account }) => {
      await (action === "follow" ? follow : unfollow)(deps, actor, account);
      return seeOther(accountPath(account.name));
    },
  });

const listedUser = (user: UserView): ListedPerson => ({ ...user, avatarPath: avatarPath(user) });

/** The reader's role in an organization. At most two statements. */
async function organizationHeaderOf(deps: ProfilePageDeps, actor: Actor, { name }: AccountSubject): Promise<ProfileHeader | undefined> {
  const found = await findOrganization(deps, name, actor);
  if (!("subject" in found)) return undefined;
  const { subject } = found;
  const isMember = isUser(actor) && (subject.isMember || subject.isOwner);
  const canCreate = subject.isOwner || (isMember && (await getRights(deps, actor, subject, actor.name)).canCreateRepository);
  return { name, isMember, isOwner: subject.isOwner, canCreate };
}

/** The lists that the reader sees, and the one of the page. */
async function loadStarLists(deps: ProfilePageDeps, actor: Actor, account: AccountSubject, id: string | undefined) {
  const current = id === undefined ? undefined : await getStarList(deps, actor, account.id, id);
  return { lists: await listStarLists(deps, actor, account.id), current };
}

/** For readers of their own stars: the lists that contain the repositories of the page. */
async function withinOwn(deps: ProfilePageDeps, actor: Actor, account: AccountSubject, listed: Listed) {
  if (listed.tab !== "stars" || !isUser(actor) || !isSelf(actor, account.id)) return undefined;
  return ownListsOf(
    deps,
    actor,
    listed.items.map(({ id }) => id),
  );
}

async function organizationsOf(deps: ProfilePageDeps, actor: Actor, account: AccountSubject) {
  const { items } = await listOrganizationsOf(deps, actor, account.id, { page: 1, limit: 20, offset: 0 });
  return items.map((one) => ({ name: one.name, avatarPath: avatarPath(one) }));
}

interface Wanted {
  readonly tab: Listed["tab"];
  readonly text: string;
  /** Only the stars of this list. */
  readonly list: StarList | undefined;
  readonly page: Page;
}

async function listTab(deps: ProfilePageDeps, actor: Actor, account: AccountSubject, { tab, text, list, page }: Wanted): Promise<Listed> {
  switch (tab) {
    case "repositories":
      return { tab, ...(await searchRepositories(deps, actor, { ...ownedRepositories, text, accountId: account.id }, page)) };
    case "stars":
      if (list !== undefined) return { tab, ...(await listRepositoriesOfList(deps, actor, { listId: list.id, accountId: account.id }, page)) };
      return { tab, ...(await listMarkedRepositories(deps, actor, account.id, "star", page)) };
    case "activity":
      return { tab, ...(await listUserFeed(deps, actor, account, { dayMs: undefined, page, isOwnOnly: true })) };
    case "followers":
    case "following": {
      const { items, total } = await listFollows(deps, actor, account.id, tab, page);
      return { tab, items: items.map((user) => listedUser(user)), total };
    }
  }
}

const ownedRepositories = {
  searchesTopics: false,
  searchesDescriptions: true,
  isOwnedOnly: true,
  includesPrivate: true,
  mode: "",
  sort: "updated",
  order: "desc",
};
