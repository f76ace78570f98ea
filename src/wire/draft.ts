import type { Static } from "typebox";
import { counts, lengths } from "../core/lengths.ts";
import { inPlace, mapOf, text, time } from "./schema.ts";

/** Beyond the contract: unsent input of a form. */
export const Draft = inPlace({ form: text(), fields: mapOf(text()), updated_at: time() });
export type Draft = Static<typeof Draft>;

export const SaveDraft = inPlace({ form: text(lengths.line), fields: mapOf(text(lengths.content), counts.names) });
