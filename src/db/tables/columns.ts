/** 0 or 1. */
export type Flag = number;
/** Milliseconds since 1970, UTC. */
export type Millis = number;
