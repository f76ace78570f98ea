/** `top` is the first place; the others are one place away. */
export const moves = ["top", "up", "down"] as const;
export type Move = (typeof moves)[number];

/** Moves an item of a list. Returns the list unchanged if the item is not in it or at its end. */
export function moveInList<T>(items: readonly T[], item: T, to: Move): readonly T[] {
  const at = items.indexOf(item);
  if (at < 0) return items;
  const others = items.toSpliced(at, 1);
  return others.toSpliced(to === "top" ? 0 : Math.max(0, at + (to === "up" ? -1 : 1)), 0, item);
}
