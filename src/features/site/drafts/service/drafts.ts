import type { UserActor } from "../../../../access/actor.ts";
import type { Clock } from "../../../../core/clock.ts";
import { invalid } from "../../../../core/errors.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import type { DraftView } from "../model.ts";
import { deleteBefore, deleteBeyond, deleteDraft, loadDrafts, writeDraft } from "../store.ts";

export interface DraftDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** Maximum number of drafts per account; the oldest is deleted. */
const maxDrafts = 50;
const maxFieldsBytes = 131_072;
const maxFormLength = 500;
/** More than any page has. */
const maxForms = 30;
export const keptDraftsMs = 30 * 86_400_000;

const isForm = (form: string): boolean => form.startsWith("/") && form.length <= maxFormLength && !form.includes("\0");

/** Saves a user's input for a form, replacing the previous draft. Two statements. @throws ForgeError `invalid` above the limits */
export async function saveDraft({ db, clock }: DraftDeps, actor: UserActor, form: string, fields: DraftView["fields"]): Promise<DraftView> {
  if (!isForm(form)) throw invalid(`form: a path of at most ${maxFormLength} characters`);
  const written = JSON.stringify(fields);
  if (Buffer.byteLength(written) > maxFieldsBytes) throw invalid(`fields: a draft can have at most ${maxFieldsBytes} bytes`);
  const updatedMs = clock.now();
  await db.tx(async (tx) => {
    await writeDraft(tx, { accountId: actor.id, form, fields: written, updatedMs });
    await deleteBeyond(tx, actor.id, maxDrafts);
  });
  return { form, fields, updatedMs };
}

/** The caller's drafts for some forms. One statement. */
export function findDrafts({ db }: { readonly db: Reader }, actor: UserActor, forms: readonly string[]): Promise<DraftView[]> {
  return loadDrafts(db, actor.id, forms.filter(isForm).slice(0, maxForms));
}

/** Deletes the draft of a form that was sent or discarded. One statement. */
export async function dropDraft({ db }: { readonly db: Db }, account: { readonly id: number }, form: string): Promise<void> {
  await db.tx((tx) => deleteDraft(tx, account.id, form));
}

/** Deletes old drafts. */
export async function pruneDrafts({ db, clock }: DraftDeps): Promise<void> {
  await db.tx((tx) => deleteBefore(tx, clock.now() - keptDraftsMs));
}
