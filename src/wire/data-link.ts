import type { Static } from "typebox";
import { inPlace, text, time } from "./schema.ts";

/** Beyond the contract: a link for one download of the caller's data. */
export const DataLink = inPlace({ url: text(), expires_at: time() });
export type DataLink = Static<typeof DataLink>;
