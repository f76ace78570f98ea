import type { Reader } from "../../../../db/db.ts";
import type { LanguageSizes } from "../languages.ts";
import { listLanguages } from "../store/languages.ts";

/** Bytes by language on the default branch, as of its last look; the largest first. */
export const getLanguages = (deps: { readonly db: Reader }, repoId: number): Promise<LanguageSizes> => listLanguages(deps.db, repoId);
