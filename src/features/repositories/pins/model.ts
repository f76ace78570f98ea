/** An account whose profile shows pinned repositories. */
export interface PinningAccount {
  readonly id: number;
  readonly name: string;
  readonly kind: "user" | "organization";
}

/** Maximum number of pinned repositories of an account. */
export const maxPins = 6;

/** Moves by one place. */
export const pinSteps = ["up", "down"] as const;
/** The steps, and the places that a pin can be moved to. */
export const pinMoves = [...pinSteps, "1", "2", "3", "4", "5", "6"] as const;
export type PinMove = (typeof pinMoves)[number];
