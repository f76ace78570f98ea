/** `top` is the first place; the others are one place away. */
export const moves = ["top", "up", "down"] as const;
export type Move = (typeof moves)[number];

/**
 * Moves an item of a list. Returns the list unchanged if the item is not in it or at its end.
 * @param to a move, or a place from 1
 */
export function moveInList<T>(items: readonly T[], item: T, to: Move | number): readonly T[] {
  const at = items.indexOf(item);
  if (at < 0) return items;
  const others = items.toSpliced(at, 1);
  if (typeof to === "number") return others.toSpliced(Math.max(0, to - 1), 0, item);
  return others.toSpliced(to === "top" ? 0 : Math.max(0, at + (to === "up" ? -1 : 1)), 0, item);
}
