import type { Tx } from "../../../../db/db.ts";
import { insertAccountTexts } from "../store/account-texts.ts";

/** Fills the index of the names of accounts, which must be empty. */
export const buildAccountIndex = (tx: Tx): Promise<void> => insertAccountTexts(tx);
