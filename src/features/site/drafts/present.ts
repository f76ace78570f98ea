import { formatTime } from "../../../core/time.ts";
import type { Draft } from "../../../wire/draft.ts";
import type { DraftView } from "./model.ts";

export const presentDraft = ({ form, fields, updatedMs }: DraftView): Draft => ({ form, fields, updated_at: formatTime(updatedMs) });
