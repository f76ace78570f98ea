import { plannedUnits } from "../../../../access/repository.ts";
import { readId } from "../../../../core/ids.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import { repository } from "../../../../http/access.ts";
import { empty, json, list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { CreateLabelOption, EditLabelOption, Label } from "../../../../wire/label.ts";
import { presentLabel } from "../present.ts";
import { createLabel, editLabel, getLabel, listLabels, removeLabel } from "../service/labels.ts";
import { readLabelEdit, readNewLabel } from "./read-options.ts";

export interface LabelApiDeps {
  readonly db: Db;
  readonly urls: Urls;
}

/** Labels of a repository. @compat labels of an archived repository can be changed too (scenarios/archived.test.ts) */
export function repositoryLabelRoutes(deps: LabelApiDeps): Route[] {
  const { urls } = deps;
  const ofRepository = ({ id }: { readonly id: number }) => ({ repoId: id });
  return [
    defineRoute({
      id: "issueListLabels",
      method: "GET",
      path: "/repos/{owner}/{repo}/labels",
      tag: "issue",
      summary: "List the labels of a repository, sorted by name",
      access: repository.visible,
      scope: "issue",
      answers: list(Label, "total"),
      refusals: { 404: "notFound" },
      handle: async ({ repository, page }) => {
        const { items, total } = await listLabels(deps, ofRepository(repository), page);
        return { total, items: items.map((label) => presentLabel(label, repository, urls)) };
      },
    }),
    defineRoute({
      id: "issueCreateLabel",
      method: "POST",
      path: "/repos/{owner}/{repo}/labels",
      tag: "issue",
      summary: "Create a label in a repository",
      access: repository.writerOfAny(plannedUnits),
      scope: "issue",
      body: CreateLabelOption,
      answers: json(201, Label),
      refusals: { 404: "notFound", 422: "validationError" },
      handle: async ({ actor, repository, body }) =>
        presentLabel(await createLabel(deps, actor, ofRepository(repository), readNewLabel(body)), repository, urls),
    }),
    defineRoute({
      id: "issueGetLabel",
      method: "GET",
      path: "/repos/{owner}/{repo}/labels/{id}",
      tag: "issue",
      summary: "Get a label of a repository",
      access: repository.visible,
      scope: "issue",
      answers: json(200, Label),
      refusals: { 404: "notFound" },
      handle: async ({ repository, params }) => presentLabel(await getLabel(deps, ofRepository(repository), readId(params.id)), repository, urls),
    }),
    defineRoute({
      id: "issueEditLabel",
      method: "PATCH",
      path: "/repos/{owner}/{repo}/labels/{id}",
      tag: "issue",
      summary: "Update a label of a repository; omitted fields stay unchanged",
      access: repository.writerOfAny(plannedUnits),
      scope: "issue",
      body: EditLabelOption,
      answers: json(200, Label),
      refusals: { 404: "notFound", 422: "validationError" },
      handle: async ({ actor, repository, params, body }) =>
        presentLabel(await editLabel(deps, actor, ofRepository(repository), readId(params.id), readLabelEdit(body)), repository, urls),
    }),
    defineRoute({
      id: "issueDeleteLabel",
      method: "DELETE",
      path: "/repos/{owner}/{repo}/labels/{id}",
      tag: "issue",
      summary: "Delete a label of a repository and remove it from all its issues",
      access: repository.writerOfAny(plannedUnits),
      scope: "issue",
      answers: empty(),
      refusals: { 404: "notFound" },
      handle: ({ actor, repository, params }) => removeLabel(deps, actor, ofRepository(repository), readId(params.id)),
    }),
  ];
}
