import type { UserActor } from "../../../../access/actor.ts";
import { conflict, invalid, notFound } from "../../../../core/errors.ts";
import { checkLength, lengths } from "../../../../core/lengths.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { LabelEvent } from "../../../../events/planning-events.ts";
import { readColor } from "../color.ts";
import type { LabelEdit, LabelOrder, LabelOwner, LabelView, NewLabelInput } from "../model.ts";
import { copyRepositoryLabels, deleteLabel, findLabel, hasLabelNamed, insertLabels, pageLabels, updateLabel } from "../store.ts";

/** Lists an owner's labels by name. Repository lists leave out organization labels. */
export const listLabels = (deps: { readonly db: Reader }, owner: LabelOwner, page: Page, order?: LabelOrder): Promise<Paged<LabelView>> =>
  pageLabels(deps.db, owner, page, order);

/** @throws ForgeError `not_found`, also for a label of another owner */
export async function getLabel(deps: { readonly db: Reader }, owner: LabelOwner, id: number): Promise<LabelView> {
  const label = await findLabel(deps.db, owner, id);
  if (label === undefined) throw notFound();
  return label;
}

interface NameRule {
  /** Rejects the name of another label, so that pages make no labels that look the same. The API allows it. */
  readonly isUnique?: boolean;
}

/**
 * Creates a label. The caller authorizes, because the required right depends on the owner. @throws ForgeError `invalid`, and `conflict` if
 * another label has the name
 */
export async function createLabel(
  deps: { readonly db: Db },
  actor: UserActor,
  owner: LabelOwner,
  input: NewLabelInput,
  { isUnique = false }: NameRule = {},
): Promise<LabelView> {
  const label = { ...input, color: readColor(input.color) };
  checkTexts(label);
  return deps.db.tx(async (tx) => {
    if (isUnique) await requireFreeName(tx, owner, label.name);
    const [id = 0] = await insertLabels(tx, owner, [label]);
    const made: LabelView = { ...label, id, repoId: null, orgId: null, ...owner };
    await recordEvent(tx, "label.created", eventOf(made), { repoId: made.repoId ?? undefined, actorId: actor.id });
    return made;
  });
}

async function requireFreeName(tx: Tx, owner: LabelOwner, name: string, id = 0): Promise<void> {
  if (await hasLabelNamed(tx, owner, name, id)) throw conflict(`a label with this name exists [name: ${name}]`, { reason: "name_taken", field: "name" });
}

/** @throws ForgeError `not_found`, `invalid`, and `conflict` if another label has the name */
export async function editLabel(
  deps: { readonly db: Db },
  actor: UserActor,
  owner: LabelOwner,
  id: number,
  edit: LabelEdit,
  { isUnique = false }: NameRule = {},
): Promise<LabelView> {
  return deps.db.tx(async (tx) => {
    const present = await getLabel({ db: tx }, owner, id);
    const label = merged(present, edit);
    checkTexts(label);
    if (isUnique) await requireFreeName(tx, owner, label.name, id);
    await updateLabel(tx, id, {
      name: label.name,
      color: label.color,
      description: label.description,
      is_exclusive: label.isExclusive ? 1 : 0,
      is_archived: label.isArchived ? 1 : 0,
    });
    const former = { formerName: present.name, formerColor: present.color };
    await recordEvent(tx, "label.updated", { ...eventOf(label), ...former }, { repoId: label.repoId ?? undefined, actorId: actor.id });
    return label;
  });
}

const merged = (present: LabelView, edit: LabelEdit): LabelView => ({
  ...present,
  name: edit.name ?? present.name,
  color: edit.color === null ? present.color : readColor(edit.color),
  description: edit.description ?? present.description,
  isExclusive: edit.isExclusive ?? present.isExclusive,
  isArchived: edit.isArchived ?? present.isArchived,
});

/** Deletes a label and removes it from all issues. Does nothing if the owner has no such label. */
export async function removeLabel(deps: { readonly db: Db }, actor: UserActor, owner: LabelOwner, id: number): Promise<void> {
  await deps.db.tx(async (tx) => {
    const label = await findLabel(tx, owner, id);
    if (label === undefined) return;
    await deleteLabel(tx, id);
    await recordEvent(tx, "label.deleted", eventOf(label), { repoId: label.repoId ?? undefined, actorId: actor.id });
  });
}

/** Adds the initial labels of a new repository in the transaction that creates it. The `repo.created` event covers them. */
export async function addInitialLabels(tx: Tx, repoId: number, labels: readonly Omit<NewLabelInput, "isArchived">[]): Promise<void> {
  await insertLabels(
    tx,
    { repoId },
    labels.map((label) => ({ ...label, isArchived: false })),
  );
}

/** Copies the labels of another repository to a new one, like {@link addInitialLabels}. */
export const copyLabels = (tx: Tx, fromRepoId: number, toRepoId: number): Promise<void> => copyRepositoryLabels(tx, fromRepoId, toRepoId);

const eventOf = ({ id, repoId, orgId, name, color }: LabelView): LabelEvent => ({ labelId: id, repoId, orgId, name, color });

function checkTexts({ name, description }: Pick<LabelView, "name" | "description">): void {
  if (name === "") throw invalid("[Name]: Required", { reason: "required" });
  checkLength("Name", name, lengths.line);
  checkLength("Description", description, lengths.labelDescription);
}
