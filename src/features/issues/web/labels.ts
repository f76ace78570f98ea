import { h } from "preact";
import type { Static } from "typebox";
import { type Actor, isUser } from "../../../access/actor.ts";
import { writesAny } from "../../../access/repository.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import { notFound } from "../../../core/errors.ts";
import { readId } from "../../../core/ids.ts";
import type { Page } from "../../../core/paging.ts";
import type { Db } from "../../../db/db.ts";
import { repository } from "../../../http/access.ts";
import type { RawReply } from "../../../http/answers.ts";
import { savedAt, submit } from "../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../http/page-reader.ts";
import { type Refused, settingsPage } from "../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { type RepositoryName, repositoryPath } from "../../../ui/addresses.ts";
import { renderRepositoryPage } from "../../../ui/repository-page.ts";
import { textsFor } from "../../../ui/texts/texts.ts";
import { bool, inPlace, text } from "../../../wire/schema.ts";
import { createLabel, editLabel, listLabels, removeLabel } from "../../labels/service/labels.ts";
import { repositoryHeader } from "../../repos/header.ts";
import { getRepository } from "../../repos/service/views.ts";
import { LabelsView, type LabelValues } from "../views/labels.ts";

interface LabelDeps {
  readonly db: Db;
}

const LabelFields = inPlace({ name: text(), color: text(), description: text(), exclusive: bool(), is_archived: bool() });
const NoFields = inPlace({});

const planned = ["repo.issues", "repo.pulls"] as const;
const page = { ...settingsPage, tag: "issue", scope: "issue", access: repository.visible } as const;
const change = { ...page, method: "POST", access: repository.writerOfAny(planned) } as const;
const path = "/{owner}/{repo}/labels";

/** The labels of a repository: everybody sees them, those who write issues or pull requests change them. */
export const labelPages = (deps: LabelDeps): Route[] => [
  defineRoute({ ...page, id: "labelsPage", method: "GET", path, summary: "The labels of a repository", handle: (request) => show(deps, request) }),
  defineRoute({
    ...change,
    id: "addLabelByForm",
    path,
    summary: "Add a label",
    body: LabelFields,
    handle: (request) => {
      const { actor, repository, body } = request;
      const add = async (): Promise<RawReply> => {
        await createLabel(deps, actor, { repoId: repository.id }, inputOf(body));
        return back(repository);
      };
      return submit(add, (problem) => show(deps, request, undefined, { values: body, problem }), { field: "name" });
    },
  }),
  defineRoute({
    ...change,
    id: "labelPage",
    method: "GET",
    path: `${path}/{id}`,
    summary: "The labels of a repository, and the form of one",
    handle: (request) => show(deps, request, readId(request.params.id)),
  }),
  defineRoute({
    ...change,
    id: "changeLabelByForm",
    path: `${path}/{id}`,
    summary: "Change a label",
    body: LabelFields,
    handle: (request) => {
      const { actor, repository, params, body } = request;
      const id = readId(params.id);
      const save = async (): Promise<RawReply> => {
        await editLabel(deps, actor, { repoId: repository.id }, id, inputOf(body));
        return back(repository);
      };
      return submit(save, (problem) => show(deps, request, id, { values: body, problem }), { field: "name" });
    },
  }),
  defineRoute({
    ...change,
    id: "deleteLabelByForm",
    path: `${path}/{id}/delete`,
    summary: "Delete a label, from all issues that bear it",
    body: NoFields,
    handle: async ({ actor, repository, params }) => {
      await removeLabel(deps, actor, { repoId: repository.id }, readId(params.id));
      return back(repository);
    },
  }),
];

const back = (repository: RepositoryName): RawReply => savedAt(`${repositoryPath(repository)}/labels`);

const inputOf = ({ name, color, description, exclusive, is_archived }: Static<typeof LabelFields>) => ({
  name: name.trim(),
  color,
  description: description.trim(),
  isExclusive: exclusive,
  isArchived: is_archived,
});

interface LabelRequest extends PageRequest {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
  readonly page: Page;
}

const newLabel: LabelValues = { name: "", color: "#0e7490", description: "", exclusive: false, is_archived: false };

/** @param editedId of the label whose form is shown; undefined for that of a new one */
async function show(deps: LabelDeps, request: LabelRequest, editedId?: number, refused?: Refused<LabelValues>): Promise<RawReply> {
  const { actor, repository, page } = request;
  const { items, total } = await listLabels(deps, { repoId: repository.id }, page);
  const edited = editedId === undefined ? undefined : items.find(({ id }) => id === editedId);
  if (editedId !== undefined && edited === undefined) throw notFound();
  const view = await getRepository(deps, actor, repository.id);
  const reader = pageReader(request);
  const { labels: title, newLabel: add, editLabel: edit } = textsFor(reader.languages).planning;
  const values = edited && { ...edited, color: `#${edited.color}`, exclusive: edited.isExclusive, is_archived: edited.isArchived };
  const canChange = isUser(actor) && reader.viewer !== undefined && writesAny(repository.right, planned);
  const form = { editedId, title: edited === undefined ? add : edit(edited.name), values: values ?? newLabel, ...refused };
  const facts = { repository, labels: items, total, page, form: canChange ? form : undefined, formToken: reader.viewer?.formToken ?? "" };
  return renderRepositoryPage({ ...reader, repository: repositoryHeader(view), tab: "issues", title, heading: title }, h(LabelsView, facts));
}
