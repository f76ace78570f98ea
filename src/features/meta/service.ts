import type { Db } from "../../db/db.ts";
import { countPublicUsers } from "./store.ts";

/** How many people everybody may know of. */
export const countUsers = (deps: { readonly db: Db }): Promise<number> => countPublicUsers(deps.db);
