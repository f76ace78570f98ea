import type { FetchDeps } from "./fetch.ts";
import type { ReceiveDeps } from "./receive.ts";

/** Dependencies of the git endpoints. */
export type TransportDeps = FetchDeps & ReceiveDeps;
