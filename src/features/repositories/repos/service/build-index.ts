import type { Tx } from "../../../../db/db.ts";
import { insertRepositoryTexts } from "../store/repository-texts.ts";

/** Fills the search index of repositories, which must be empty. */
export const buildRepositoryIndex = (tx: Tx): Promise<void> => insertRepositoryTexts(tx);
