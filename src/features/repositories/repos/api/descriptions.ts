import type { Db } from "../../../../db/db.ts";
import { anyone, repository } from "../../../../http/access.ts";
import { empty, envelope, json } from "../../../../http/answers.ts";
import { query, required } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { int, list, mapOf, text } from "../../../../wire/schema.ts";
import { RepoTopicOptions, TopicName, TopicSearchResults } from "../../../../wire/topic.ts";
import { presentTopic } from "../present.ts";
import { getLanguages } from "../service/languages.ts";
import { getRepository } from "../service/loaders.ts";
import { addTopic, listTopics, removeTopic, replaceTopics, searchTopics } from "../service/topics.ts";

export interface DescriptionApiDeps {
  readonly db: Db;
}

/** Routes for topics, languages and licenses. */
export function descriptionRoutes(deps: DescriptionApiDeps): Route[] {
  return [
    ...topicRoutes(deps),
    defineRoute({
      id: "repoGetLanguages",
      method: "GET",
      path: "/repos/{owner}/{repo}/languages",
      tag: "repository",
      summary: "List the languages of a repository in bytes of code",
      access: repository.reader("repo.code"),
      scope: "repository",
      answers: json(200, mapOf(int())),
      refusals: { 404: "notFound" },
      handle: async ({ repository }) => Object.fromEntries((await getLanguages(deps, repository.id)).map(({ language, bytes }) => [language, bytes])),
    }),
    defineRoute({
      id: "repoGetLicenses",
      method: "GET",
      path: "/repos/{owner}/{repo}/licenses",
      tag: "repository",
      summary: "List the SPDX ids of the licenses found on the default branch",
      access: repository.reader("repo.code"),
      scope: "repository",
      answers: json(200, list(text())),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository }) => (await getRepository(deps, actor, repository.id)).licenses,
    }),
  ];
}

function topicRoutes(deps: DescriptionApiDeps): Route[] {
  return [
    defineRoute({
      id: "topicSearch",
      method: "GET",
      path: "/topics/search",
      tag: "repository",
      summary: "Search topics",
      access: anyone,
      scope: "repository",
      query: { q: required(query.text("Part of a name")) },
      answers: envelope(TopicSearchResults, "total"),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: async ({ actor, query, page }) => {
        const found = await searchTopics(deps, actor, query.q ?? "", page);
        return { total: found.total, body: { topics: found.items.map(presentTopic) } };
      },
    }),
    defineRoute({
      id: "repoListTopics",
      method: "GET",
      path: "/repos/{owner}/{repo}/topics",
      tag: "repository",
      summary: "List the topics of a repository",
      access: repository.visible,
      scope: "repository",
      answers: envelope(TopicName, "total"),
      refusals: { 404: "notFound" },
      handle: async ({ repository, page }) => {
        const topics = await listTopics(deps, repository, page);
        return { total: topics.total, body: { topics: topics.items } };
      },
    }),
    defineRoute({
      id: "repoUpdateTopics",
      method: "PUT",
      path: "/repos/{owner}/{repo}/topics",
      tag: "repository",
      summary: "Replace the topics of a repository",
      access: repository.admin(),
      scope: "repository",
      body: RepoTopicOptions,
      answers: empty(),
      refusals: { 404: "notFound", 422: "invalidTopicsError" },
      handle: ({ repository, body }) => replaceTopics(deps, repository, body.topics ?? []),
    }),
    defineRoute({
      id: "repoAddTopic",
      method: "PUT",
      path: "/repos/{owner}/{repo}/topics/{topic}",
      tag: "repository",
      summary: "Add a topic to a repository",
      access: repository.admin({ asks: "after-right" }),
      scope: "repository",
      answers: empty(),
      refusals: { 404: "notFound", 422: "invalidTopicError" },
      handle: ({ repository, params }) => addTopic(deps, repository, params.topic),
    }),
    defineRoute({
      id: "repoDeleteTopic",
      method: "DELETE",
      path: "/repos/{owner}/{repo}/topics/{topic}",
      tag: "repository",
      summary: "Remove a topic from a repository",
      access: repository.admin({ asks: "after-right" }),
      scope: "repository",
      answers: empty(),
      refusals: { 404: "notFound", 422: "invalidTopicError" },
      handle: ({ repository, params }) => removeTopic(deps, repository, params.topic),
    }),
  ];
}
