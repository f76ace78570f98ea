import type { Tx } from "../../../../db/db.ts";
import { updateOrganization } from "../store/accounts.ts";

/** Changes columns of an organization's account. */
export const updateOrganizationAccount: (tx: Tx, id: number, changes: Parameters<typeof updateOrganization>[2]) => Promise<void> = updateOrganization;
