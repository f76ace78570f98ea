import type { Db } from "../../../db/db.ts";
import { inTransaction } from "../../../events/in-transaction.ts";
import { followTags } from "./service/follow-tags.ts";

/** From here on no release that everybody sees is without its tag. */
export const registerReleaseHandlers = (db: Db): void => void inTransaction(db, ["refs.changed"], followTags);
