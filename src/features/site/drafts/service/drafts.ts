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

/** What one account keeps at most; the oldest goes. */
const maxDrafts = 50;
const maxFieldsBytes = 131_072;
const maxFormLength = 500;
/** More than any page has. */
const maxForms = 30;
export const keptDraftsMs = 30 * 86_400_000;

const isForm = (form: string): boolean => form.startsWith("/") && form.length <= maxFormLength && !form.includes("\0");

/**
 * Keeps what somebody has typed into a form, in place of what was kept for it. Two statements.
 * @throws ForgeError `invalid` for more than is kept
 */
export async function saveDraft({ db, clock }: DraftDeps, actor: UserActor, form: string, fields: DraftView["fields"]): Promise<DraftView> {
  if (!isForm(form)) throw invalid(`form: a path of at most ${maxFormLength} characters`);
  const written = JSON.stringify(fields);
  if (Buffer.byteLength(written) > maxFieldsBytes) throw invalid(`fields: a draft has at most ${maxFieldsBytes} bytes`);
  const updatedMs = clock.now();
  await db.tx(async (tx) => {
    await writeDraft(tx, { accountId: actor.id, form, fields: written, updatedMs });
    await deleteBeyond(tx, actor.id, maxDrafts);
  });
  return { form, fields, updatedMs };
}

/** The caller's drafts for these forms. One statement. */
export function findDrafts({ db }: { readonly db: Reader }, actor: UserActor, forms: readonly string[]): Promise<DraftView[]> {
  return loadDrafts(db, actor.id, forms.filter(isForm).slice(0, maxForms));
}

/** What was sent, or thrown away, is no draft any more. One statement. */
export async function dropDraft({ db }: { readonly db: Db }, account: { readonly id: number }, form: string): Promise<void> {
  await db.tx((tx) => deleteDraft(tx, account.id, form));
}

/** Nobody comes back to what he left so long ago. */
export async function pruneDrafts({ db, clock }: DraftDeps): Promise<void> {
  await db.tx((tx) => deleteBefore(tx, clock.now() - keptDraftsMs));
}
