import type { LabelView } from "../../../labels/model.ts";
import type { TimelineView } from "../../model.ts";

type Joinable = Pick<TimelineView, "kind" | "poster" | "content" | "label" | "createdMs">;

/** Changes within this time count as simultaneous. */
const atOnceMs = 60_000;

/** Groups the labels that a user adds or removes at the same time in the first of their timeline entries. */
export function joinLabels<Shown extends { readonly entry: Joinable }>(
  entries: readonly Shown[],
): readonly (Shown & { readonly labels: readonly LabelView[] })[] {
  const joined: (Shown & { readonly labels: LabelView[] })[] = [];
  for (const shown of entries) {
    const last = joined.at(-1);
    const { label } = shown.entry;
    if (last !== undefined && label !== undefined && isOneAct(last.entry, shown.entry)) last.labels.push(label);
    else joined.push({ ...shown, labels: label === undefined ? [] : [label] });
  }
  return joined;
}

const isOneAct = (one: Joinable, next: Joinable): boolean =>
  one.kind === "label" &&
  next.kind === "label" &&
  one.label !== undefined &&
  one.poster?.id === next.poster?.id &&
  one.content === next.content &&
  next.createdMs - one.createdMs < atOnceMs;
