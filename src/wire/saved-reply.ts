import type { Static } from "typebox";
import { inPlace, int, text } from "./schema.ts";

/** Beyond the contract: a text that a user inserts into comments. */
export const SavedReply = inPlace({ id: int(), title: text(), content: text() });
export type SavedReply = Static<typeof SavedReply>;
