import { createHash } from "node:crypto";
import type { Actor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { messageTitle, shownMessage } from "../../../../core/commit-message.ts";
import { notFound } from "../../../../core/errors.ts";
import type { Page } from "../../../../core/paging.ts";
import type { Urls } from "../../../../core/urls.ts";
import { account, repository } from "../../../../http/access.ts";
import { type RawReply, raw } from "../../../../http/answers.ts";
import { isFresh } from "../../../../http/file-answer.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { accountPath, commitPath, historyPath, releasePath, releasesPath, repositoryPath, sourcePath } from "../../../../ui/addresses.ts";
import { fillText } from "../../../../ui/texts/fill.ts";
import { languageFor, type TextsOf, textsFor } from "../../../../ui/texts/texts.ts";
import { listTags } from "../../../repositories/branches/service/tags.ts";
import { browseCommits } from "../../../repositories/commits/service/history.ts";
import type { CommitDeps } from "../../../repositories/commits/service/loaders.ts";
import { splitViewedPath } from "../../../repositories/contents/service/viewpoint.ts";
import { listReleases } from "../../../repositories/releases/service/find.ts";
import type { ActivityView } from "../../../site/activities/model.ts";
import { type FeedDeps as ActivityFeedDeps, listRepositoryFeed, listUserFeed } from "../../../site/activities/service/feeds.ts";
import { activityTexts } from "../../../site/activities/texts/texts.ts";
import { describeActivity } from "../../../site/activities/views/activity-sentence.ts";
import { plainText } from "../../../site/markup/escape.ts";
import { type RepositoryTextDeps, renderTexts } from "../../../site/markup/repository-texts.ts";
import { feedTexts } from "../texts/texts.ts";
import { type FeedEntry, type FeedFormat, feedTypes, renderFeed } from "../xml.ts";

export type FeedPageDeps = ActivityFeedDeps & CommitDeps & RepositoryTextDeps;

const common = {
  method: "GET",
  mount: "root",
  tag: "miscellaneous",
  isUnlisted: true,
  answers: raw(["application/rss+xml", "application/atom+xml"]),
} as const;

/** Messages are cut off after this many characters. */
const maxTextLength = 10_000;

/** A feed contains the newest entries. */
const newest: Page = { page: 1, limit: 30, offset: 0 };

/** RSS and Atom feeds of users, organizations, repositories, releases, tags, branches and files. */
export const feedRoutes = (deps: FeedPageDeps): Route[] => (["rss", "atom"] as const).flatMap((format) => feedsAs(deps, format));

const feedsAs = (deps: FeedPageDeps, format: FeedFormat): Route[] => [
  defineRoute({
    ...common,
    id: `accountFeed_${format}`,
    path: `/{username}.${format}`,
    summary: "The activity of a user, or in the repositories of an organization",
    access: account.visible,
    scope: "user",
    handle: async (request) => {
      const { actor, account } = request;
      const { items } = await listUserFeed(deps, actor, account, { dayMs: undefined, page: newest, isOwnOnly: true });
      const entries = items.map((activity) => activityEntry(activity, deps.urls, languagesOf(request)));
      return answer(deps, request, { format, title: textsOf(request).ofPerson(account.name), path: accountPath(account.name), entries });
    },
  }),
  defineRoute({
    ...common,
    id: `repositoryFeed_${format}`,
    path: `/{owner}/{repo}.${format}`,
    summary: "The activity in a repository",
    access: repository.visible,
    scope: "repository",
    handle: async (request) => {
      const { actor, repository } = request;
      const { items } = await listRepositoryFeed(deps, actor, repository, { dayMs: undefined, page: newest });
      const entries = items.map((activity) => activityEntry(activity, deps.urls, languagesOf(request)));
      return answer(deps, request, { format, title: textsOf(request).ofRepository(repository.fullName), path: repositoryPath(repository), entries });
    },
  }),
  defineRoute({
    ...common,
    id: `releaseFeed_${format}`,
    path: `/{owner}/{repo}/releases.${format}`,
    summary: "The releases of a repository",
    access: repository.reader("repo.releases"),
    scope: "repository",
    handle: async (request) => {
      const title = textsOf(request).releases(request.repository.fullName);
      const entries = await releaseEntries(deps, request.actor, request.repository);
      return answer(deps, request, { format, title, path: releasesPath(request.repository), entries });
    },
  }),
  defineRoute({
    ...common,
    id: `tagFeed_${format}`,
    path: `/{owner}/{repo}/tags.${format}`,
    summary: "The tags of a repository",
    access: repository.reader("repo.code"),
    scope: "repository",
    handle: async (request) => {
      const title = textsOf(request).tags(request.repository.fullName);
      const entries = await tagEntries(deps, request.repository);
      return answer(deps, request, { format, title, path: `${repositoryPath(request.repository)}/tags`, entries });
    },
  }),
  defineRoute({
    ...common,
    id: `commitFeed_${format}`,
    path: `/{owner}/{repo}/${format}/branch/{filepath+}`,
    summary: "The commits of a branch, or of one file or directory if a path is given",
    access: repository.reader("repo.code"),
    scope: "repository",
    handle: async (request) => {
      const { actor, repository, params, signal } = request;
      const viewed = await splitViewedPath(deps, repository, params.filepath, ["branch"]);
      if (viewed === undefined) throw notFound();
      const { at, path } = viewed;
      const filter = { rev: at.commit.oid, path: path || undefined, notRev: undefined, sinceMs: undefined, untilMs: undefined };
      const viewing = { actor, repository, detail: { stats: false, files: false, verification: false }, signal };
      const { items } = await browseCommits(deps, viewing, filter, newest);
      const texts = textsOf(request);
      const entries = items.map(
        ({ commit }): FeedEntry => ({
          id: deps.urls.web(repository.fullName, "commit", commit.oid),
          title: messageTitle(commit.message),
          url: deps.urls.origin + commitPath(repository, commit.oid),
          author: commit.author.name,
          updatedMs: commit.committer.seconds * 1000,
          html: plainText(shownMessage(commit.message, maxTextLength)),
        }),
      );
      const title = path === "" ? texts.commits(repository.fullName, at.rev) : texts.commitsOf(repository.fullName, at.rev, path);
      return answer(deps, request, { format, title, path: historyPath(repository, at, path), entries });
    },
  }),
];

interface FeedRequest {
  readonly actor: Actor;
  readonly session: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly url: string;
}

const languagesOf = (request: FeedRequest): readonly string[] => pageReader(request).languages;
const textsOf = (request: FeedRequest): TextsOf<typeof feedTexts> => textsFor(feedTexts, languagesOf(request));

interface Answered {
  readonly format: FeedFormat;
  readonly title: string;
  /** Path of the page with the same content. */
  readonly path: string;
  readonly entries: readonly FeedEntry[];
}

function answer({ urls }: { readonly urls: Urls }, request: FeedRequest, { format, title, path, entries }: Answered): RawReply {
  // Without the query, which may contain a token.
  const selfUrl = urls.origin + (request.url.split("?", 1)[0] ?? "");
  const body = renderFeed(format, { title, pageUrl: urls.origin + path, selfUrl, language: languageFor(languagesOf(request)), entries });
  const etag = createHash("sha256").update(body).digest("hex").slice(0, 32);
  const headers = {
    "content-type": feedTypes[format],
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-cache",
    vary: "Accept-Language",
    etag: `"${etag}"`,
  };
  return isFresh(request.headers["if-none-match"], etag) ? { status: 304, headers } : { status: 200, headers, body };
}

function activityEntry(activity: ActivityView, { origin }: Urls, languages: readonly string[]): FeedEntry {
  const texts = textsFor(activityTexts, languages);
  const { text, object, repository, former, quotes, path } = describeActivity(activity, texts);
  const title = `${activity.actor.name} ${fillText(text, { object: object?.text ?? "", repository: repository.text, former })}`;
  return {
    id: `${origin}/activities/${activity.id}`,
    title,
    url: origin + path,
    author: activity.actor.fullName || activity.actor.name,
    updatedMs: activity.createdMs,
    html: quotes.length === 0 ? "" : plainText(quotes.join("\n")),
  };
}

/** Longer notes are shown as the beginning of their source. */
const maxEntryLength = 100_000;

async function releaseEntries(deps: FeedPageDeps, actor: Actor, repository: RepositorySubject): Promise<FeedEntry[]> {
  const { items } = await listReleases(deps, repository, { isDraft: false, isPrerelease: undefined }, newest);
  const notes = await renderTexts(
    deps,
    actor,
    repository,
    items.map(({ note }) => note),
  );
  return items.map(({ id, title, tagName, author, publishedMs, note }, at) => ({
    id: deps.urls.web(repository.fullName, "releases", id),
    title: title || tagName,
    url: deps.urls.origin + releasePath(repository, tagName),
    author: author?.name ?? repository.ownerName,
    updatedMs: publishedMs,
    html: (notes[at] ?? "").length > maxEntryLength ? plainText(shownMessage(note, maxTextLength)) : (notes[at] ?? ""),
  }));
}

async function tagEntries(deps: FeedPageDeps, repository: RepositorySubject): Promise<FeedEntry[]> {
  const { items } = await listTags(deps, repository, newest);
  return items.map(({ name, oid, message, tagger }) => ({
    id: `${deps.urls.web(repository.fullName, "tags", name)}#${oid}`,
    title: name,
    url: deps.urls.origin + sourcePath(repository, { kind: "tag", rev: name }),
    author: tagger?.name ?? repository.ownerName,
    updatedMs: (tagger?.seconds ?? 0) * 1000,
    html: message === "" ? "" : plainText(shownMessage(message, maxTextLength)),
  }));
}
