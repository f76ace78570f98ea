import type { LabelView } from "./model.ts";

/** The scope of an exclusive label, such as `kind` for `kind/bug`; undefined for other labels. */
export function exclusiveScope(label: Pick<LabelView, "name" | "isExclusive">): string | undefined {
  const end = label.name.lastIndexOf("/");
  return label.isExclusive && end > 0 && end < label.name.length - 1 ? label.name.slice(0, end) : undefined;
}

export interface LabelChange {
  /** All labels after the change, in the order in which they were added. */
  readonly labels: readonly LabelView[];
  readonly added: readonly LabelView[];
  readonly removed: readonly LabelView[];
}

/** Adds labels. A label of an exclusive scope replaces the label of that scope; the last of several wins. */
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

export const replaceLabels = (present: readonly LabelView[], wanted: readonly LabelView[]): LabelChange => changeTo(present, addLabels([], wanted).labels);

function changeTo(present: readonly LabelView[], labels: readonly LabelView[]): LabelChange {
  const without = (all: readonly LabelView[], others: readonly LabelView[]) => all.filter(({ id }) => !others.some((other) => other.id === id));
  return { labels, added: without(labels, present), removed: without(present, labels) };
}
