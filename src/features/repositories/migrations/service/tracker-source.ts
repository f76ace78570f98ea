import type { Tracker, TrackerParts } from "../tracker.ts";
import type { ForeignServer } from "./foreign-server.ts";

/** Where what stands beside the code is read. */
export interface TrackerSource {
  readonly server: ForeignServer;
  /** What it calls itself as a provider of OpenID Connect, where it may be one: the numbers of its accounts are the subjects then. */
  readonly issuer: string | undefined;
  /** How the refs begin that hold heads of pull requests. */
  readonly headPrefix: string;
  /** Within bounds; what cannot be read as what it should be is left out or cut. @throws OutgoingError, RemoteError */
  read(parts: TrackerParts): Promise<Tracker>;
}
