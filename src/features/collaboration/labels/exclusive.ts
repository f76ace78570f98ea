import type { LabelView } from "./model.ts";

/** `kind` of an exclusive label `kind/bug`; undefined where nothing excludes anything. */
export function exclusiveScope(label: Pick<LabelView, "name" | "isExclusive">): string | undefined {
  const end = label.name.lastIndexOf("/");
  return label.isExclusive && end > 0 && end < label.name.length - 1 ? label.name.slice(0, end) : undefined;
}

export interface LabelChange {
  /** What there is afterwards, in the order in which it was put there. */
  readonly labels: readonly LabelView[];
  readonly added: readonly LabelView[];
  readonly removed: readonly LabelView[];
}

/** Puts labels to those that are there: one of an exclusive scope takes the place of what that scope has, and of several the last stays. */
export function addLabels(present: readonly LabelView[], wanted: readonly LabelView[]): LabelChange {
  let labels = present;
  for (const label of wanted) {
    const scope = exclusiveScope(label);
    const isIn = labels.some(({ id }) => id === label.id);
    const rest = scope === undefined ? labels : labels.filter((other) => other.id === label.id || exclusiveScope(other) !== scope);
    labels = isIn ? rest : [...rest, label];
  }
  return changeTo(present, labels);
}

/** Puts labels in the place of those that are there. */
export const replaceLabels = (present: readonly LabelView[], wanted: readonly LabelView[]): LabelChange => changeTo(present, addLabels([], wanted).labels);

function changeTo(present: readonly LabelView[], labels: readonly LabelView[]): LabelChange {
  const without = (all: readonly LabelView[], others: readonly LabelView[]) => all.filter(({ id }) => !others.some((other) => other.id === id));
  return { labels, added: without(labels, present), removed: without(present, labels) };
}
