import type { Static } from "typebox";
import { readId } from "../../../../../core/ids.ts";
import { lengths } from "../../../../../core/lengths.ts";
import type { Db } from "../../../../../db/db.ts";
import type { Access, SubjectsOf } from "../../../../../http/access.ts";
import type { RawReply } from "../../../../../http/answers.ts";
import { savedAt, submit } from "../../../../../http/form-submit.ts";
import { pageReader } from "../../../../../http/page-reader.ts";
import { type Refused, settingsPage } from "../../../../../http/page-route.ts";
import { query } from "../../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../../http/route.ts";
import { textsFor } from "../../../../../ui/texts/texts.ts";
import { bool, inPlace, text } from "../../../../../wire/schema.ts";
import { type LabelPageOrder, labelOrders, labelPageOrders } from "../../../labels/model.ts";
import { createLabel, editLabel, getLabel, listLabels, removeLabel } from "../../../labels/service/labels.ts";
import { labelTexts } from "../../../labels/texts/texts.ts";
import { LabelsView, type LabelValues } from "../views/labels.tsx";
import { type LabelOwnerPages, type LabelPages, type LabelRequest, organizationLabelPages, repositoryLabelPages } from "./label-owners.ts";

interface LabelDeps {
  readonly db: Db;
}

const LabelFields = inPlace({ name: text(), color: text(), description: text(lengths.labelDescription), exclusive: bool(), is_archived: bool() });
const NoFields = inPlace({});

/** Label pages of repositories, changed by users who can write issues or pull requests, and of organizations, changed by owners. */
export const labelPages = (deps: LabelDeps): Route[] => [...pagesOf(deps, repositoryLabelPages), ...pagesOf(deps, organizationLabelPages)];

function pagesOf<R extends Access, W extends Access>(
  deps: LabelDeps,
  { suffix, path, of, tag, scope, readers, writers, subjects, writer }: LabelPages<R, W>,
): Route[] {
  const page = { ...settingsPage, tag, scope } as const;
  const locationOf = (request: SubjectsOf<R> | SubjectsOf<W>): LabelOwnerPages => subjects(request);
  return [
    defineRoute({
      ...page,
      access: readers,
      id: `labelsPage${suffix}`,
      method: "GET",
      path,
      summary: `The labels of ${of}`,
      query: { sort: query.text("Order of the labels", labelPageOrders) },
      handle: (request) => show(deps, request, locationOf(request), { order: labelPageOrders.find((one) => one === request.query.sort) }),
    }),
    defineRoute({
      ...page,
      access: writers,
      id: `addLabelByForm${suffix}`,
      method: "POST",
      path,
      summary: `Add a label to ${of}`,
      body: LabelFields,
      handle: (request) => {
        const place = locationOf(request);
        const { body } = request;
        const add = async (): Promise<RawReply> => {
          await createLabel(deps, writer(request), place.owner, inputOf(body), { isUnique: true });
          return savedAt(place.path);
        };
        return submit(add, (problem) => show(deps, request, place, { refused: { values: body, problem } }), { field: "name" });
      },
    }),
    defineRoute({
      ...page,
      access: writers,
      id: `labelPage${suffix}`,
      method: "GET",
      path: `${path}/{id}`,
      summary: `The labels of ${of}, with the form for one`,
      handle: (request) => show(deps, request, locationOf(request), { editedId: idOf(request.params) }),
    }),
    defineRoute({
      ...page,
      access: writers,
      id: `changeLabelByForm${suffix}`,
      method: "POST",
      path: `${path}/{id}`,
      summary: `Change a label of ${of}`,
      body: LabelFields,
      handle: (request) => {
        const place = locationOf(request);
        const { body } = request;
        const id = idOf(request.params);
        const save = async (): Promise<RawReply> => {
          await editLabel(deps, writer(request), place.owner, id, inputOf(body), { isUnique: true });
          return savedAt(place.path);
        };
        return submit(save, (problem) => show(deps, request, place, { editedId: id, refused: { values: body, problem } }), { field: "name" });
      },
    }),
    defineRoute({
      ...page,
      access: writers,
      id: `deleteLabelByForm${suffix}`,
      method: "POST",
      path: `${path}/{id}/delete`,
      summary: `Delete a label of ${of} and remove it from all issues`,
      body: NoFields,
      handle: async (request) => {
        const place = locationOf(request);
        await removeLabel(deps, writer(request), place.owner, idOf(request.params));
        return savedAt(place.path, "deleted");
      },
    }),
  ];
}

/** The id in a path; the paths differ only in their prefix. */
const idOf = (params: object): number => readId((params as { readonly id?: string }).id ?? "");

const inputOf = ({ name, color, description, exclusive, is_archived }: Static<typeof LabelFields>) => ({
  name: name.trim(),
  color,
  description: description.trim(),
  isExclusive: exclusive,
  isArchived: is_archived,
});

const newLabel: LabelValues = { name: "", color: "#0e7490", description: "", exclusive: false, is_archived: false };

interface Shown {
  readonly order?: LabelPageOrder | undefined;
  /** The label in the form; undefined for a new one. */
  readonly editedId?: number;
  readonly refused?: Refused<LabelValues>;
}

async function show(
  deps: LabelDeps,
  request: LabelRequest,
  { owner, path, canChange, issuesWith, countIssues, listByUse, frame }: LabelOwnerPages,
  { order: wanted = "name", editedId, refused }: Shown = {},
): Promise<RawReply> {
  const { page } = request;
  const orders = listByUse === undefined ? labelOrders : labelPageOrders;
  const order = listByUse === undefined && wanted === "issues" ? "name" : wanted;
  const { items, total } = await (order === "issues" && listByUse !== undefined
    ? listByUse(deps, page)
    : listLabels(deps, owner, page, order === "issues" ? "name" : order));
  const edited = editedId === undefined ? undefined : (items.find(({ id }) => id === editedId) ?? (await getLabel(deps, owner, editedId)));
  const reader = pageReader(request);
  const { newLabel: add, editLabel: edit } = textsFor(labelTexts, reader.languages);
  const values = edited && { ...edited, color: `#${edited.color}`, exclusive: edited.isExclusive, is_archived: edited.isArchived };
  const form = { editedId, title: edited === undefined ? add : edit(edited.name), values: values ?? newLabel, ...refused };
  const shown = canChange && reader.viewer !== undefined ? form : undefined;
  const counts = await countIssues(
    deps,
    items.map(({ id }) => id),
  );
  const props = { path, order, orders, issuesWith, counts, labels: items, total, page, form: shown, formToken: reader.viewer?.formToken ?? "" };
  return frame(deps, request, <LabelsView {...props} />);
}
