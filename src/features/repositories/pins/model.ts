/** An account whose profile shows pinned repositories. */
export interface PinningAccount {
  readonly id: number;
  readonly name: string;
  readonly kind: "user" | "organization";
}

/** Maximum number of pinned repositories of an account. */
export const maxPins = 6;

export const pinMoves = ["up", "down"] as const;
export type PinMove = (typeof pinMoves)[number];
