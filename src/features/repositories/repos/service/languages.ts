import type { Reader } from "../../../../db/db.ts";
import type { LanguageSizes } from "../languages.ts";
import { listLanguages } from "../store/languages.ts";

/** Bytes per language on the default branch as of its last analysis; largest first. */
export const getLanguages = (deps: { readonly db: Reader }, repoId: number): Promise<LanguageSizes> => listLanguages(deps.db, repoId);
