import type { Urls } from "../../../../core/urls.ts";
import { repository } from "../../../../http/access.ts";
import { empty, json, list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { AnnotatedTag, CreateTagOption, Tag } from "../../../../wire/tag.ts";
import { presentAnnotatedTag, presentTag } from "../present.ts";
import type { BranchDeps } from "../service/deps.ts";
import { createTag, deleteTag, getAnnotatedTag, getTag, listTags, type TaggingDeps, type TagUses } from "../service/tags.ts";

const reader = repository.reader("repo.code");
const writer = repository.writer("repo.code", { archived: "refused" });

export function tagRoutes(deps: BranchDeps & TaggingDeps & { readonly urls: Urls; readonly tagUses: TagUses }): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "repoListTags",
      method: "GET",
      path: "/repos/{owner}/{repo}/tags",
      tag: "repository",
      summary: "List the tags of a repository, newest first",
      access: reader,
      scope: "repository",
      answers: list(Tag, "total"),
      refusals: { 404: "notFound" },
      handle: async ({ repository, page }) => {
        const { items, total } = await listTags(deps, repository, page);
        return { items: items.map((tag) => presentTag(tag, repository, urls)), total };
      },
    }),
    defineRoute({
      id: "repoGetTag",
      method: "GET",
      path: "/repos/{owner}/{repo}/tags/{tag+}",
      tag: "repository",
      summary: "Get a tag",
      access: reader,
      scope: "repository",
      answers: json(200, Tag),
      refusals: { 404: "notFound" },
      handle: async ({ repository, params }) => presentTag(await getTag(deps, repository, params.tag), repository, urls),
    }),
    defineRoute({
      id: "repoCreateTag",
      method: "POST",
      path: "/repos/{owner}/{repo}/tags",
      tag: "repository",
      summary: "Create a tag, annotated if it has a message",
      access: writer,
      scope: "repository",
      body: CreateTagOption,
      answers: json(201, Tag),
      refusals: { 404: "notFound", 405: "error", 409: "conflict", 422: "validationError", 423: "repoArchivedError" },
      handle: async ({ actor, repository, body }) => {
        const input = { name: body.tag_name, target: body.target, message: body.message };
        return presentTag(await createTag(deps, actor, repository, input), repository, urls);
      },
    }),
    defineRoute({
      id: "repoDeleteTag",
      method: "DELETE",
      path: "/repos/{owner}/{repo}/tags/{tag+}",
      tag: "repository",
      summary: "Delete a tag",
      access: writer,
      scope: "repository",
      answers: empty(),
      refusals: { 404: "notFound", 405: "error", 409: "conflict", 422: "validationError", 423: "repoArchivedError" },
      handle: ({ actor, repository, params }) => deleteTag(deps, actor, repository, params.tag),
    }),
    defineRoute({
      id: "GetAnnotatedTag",
      method: "GET",
      path: "/repos/{owner}/{repo}/git/tags/{sha}",
      tag: "repository",
      summary: "Get an annotated tag by object id",
      access: reader,
      scope: "repository",
      answers: json(200, AnnotatedTag),
      refusals: { 400: "error", 404: "notFound" },
      handle: async ({ actor, repository, params }) => presentAnnotatedTag(await getAnnotatedTag(deps, actor, repository, params.sha), repository, urls),
    }),
  ];
}
