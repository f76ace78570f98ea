import type { Reader, Tx } from "../../../../db/db.ts";
import type { LanguageSizes } from "../languages.ts";
import * as store from "../store/languages.ts";

/** Bytes per language on the default branch as of its last analysis; largest first. */
export const getLanguages = (deps: { readonly db: Reader }, repoId: number): Promise<LanguageSizes> => store.listLanguages(deps.db, repoId);

/** Copies the languages of a repository to a new fork of it. */
export const copyLanguages = (tx: Tx, id: number, parentId: number): Promise<void> => store.copyLanguages(tx, id, parentId);
