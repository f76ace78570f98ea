import type { FetchDeps } from "./fetch.ts";
import type { ReceiveDeps } from "./receive.ts";

/** What the doors of git need. */
export type TransportDeps = FetchDeps & ReceiveDeps;
