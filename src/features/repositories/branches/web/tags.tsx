import { atLeast } from "../../../../access/repository.ts";
import type { Clock } from "../../../../core/clock.ts";
import { invalid } from "../../../../core/errors.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { savedAt, submit } from "../../../../http/form-submit.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { readingPage } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { tagsPath } from "../../../../ui/addresses.ts";
import { renderRepositoryPage } from "../../../../ui/repository-page.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { textsFor } from "../../../../ui/texts/texts.ts";

import { inPlace, text } from "../../../../wire/schema.ts";
import { repositoryHeader } from "../../repos/header.ts";
import { getRepository } from "../../repos/service/loaders.ts";
import type { BranchDeps } from "../service/deps.ts";
import { createTag, deleteTag, listTags, type TaggingDeps, type TagUses } from "../service/tags.ts";
import { type TagForms, TagsView } from "../views/tags.tsx";
import { changesRefs, changing, type RefsRequest, refusals } from "./changing.ts";

export interface TagPageDeps extends BranchDeps, TaggingDeps {
  readonly clock: Clock;
  readonly tagUses: TagUses;
}

const page = readingPage("repo.code");

/** The web pages of tags. */
export const tagPages = (deps: TagPageDeps): Route[] => [
  defineRoute({
    ...page,
    id: "tagsPage",
    path: "/{owner}/{repo}/tags",
    summary: "Tags, newest first",
    handle: (request) => show(deps, request, {}),
  }),
  defineRoute({
    ...changing,
    id: "createTagOnPage",
    path: "/{owner}/{repo}/tags/create",
    summary: "Make a tag",
    body: inPlace({ name: text(), target: text(), message: text() }),
    handle: (request) => {
      const { actor, repository, body } = request;
      const typed = { name: body.name.trim(), target: body.target.trim(), message: body.message.trim() };
      return submit(
        async () => {
          if (typed.name === "") throw invalid("[Name]: Required", { reason: "required" });
          await createTag(deps, actor, repository, typed);
          return savedAt(tagsPath(repository));
        },
        (problem) => show(deps, request, { created: { ...typed, problem: { ...problem, field: problem.field === "tag_name" ? "name" : problem.field } } }),
        { field: "name", also: refusals },
      );
    },
  }),
  defineRoute({
    ...changing,
    id: "deleteTagOnPage",
    path: "/{owner}/{repo}/tags/delete",
    summary: "Delete a tag",
    body: inPlace({ name: text() }),
    handle: (request) => {
      const { actor, repository, body } = request;
      return submit(
        async () => {
          await deleteTag(deps, actor, repository, body.name);
          return savedAt(tagsPath(repository), "deleted");
        },
        (refused) => show(deps, request, { refused }),
        { also: refusals },
      );
    },
  }),
];

async function show(deps: TagPageDeps, request: RefsRequest, { created, refused }: Partial<TagForms>): Promise<RawReply> {
  const { actor, repository, page } = request;
  const reader = pageReader(request);
  const { items, total } = await listTags(deps, repository, page);
  const forms: TagForms | undefined =
    reader.viewer === undefined || !changesRefs(actor, repository)
      ? undefined
      : {
          formToken: reader.viewer.formToken,
          created: created ?? { name: "", target: "", message: "", problem: undefined },
          refused,
          canRelease: atLeast(repository.right.unit("repo.releases"), "write"),
        };
  const view = await getRepository(deps, actor, repository.id);
  const title = textsFor(sharedTexts, reader.languages).repository.tags;
  const props = { repository, tags: items, total, page, now: deps.clock.now(), forms };
  return renderRepositoryPage({ ...reader, repository: repositoryHeader(view), tab: "code", title, heading: title }, <TagsView {...props} />);
}
