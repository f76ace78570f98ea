import type { Tracker, TrackerParts } from "../tracker.ts";
import type { ForeignServer } from "./foreign-server.ts";

/** Where what stands beside the code is read. */
export interface TrackerSource {
  readonly server: ForeignServer;
  /** How the refs begin that hold heads of pull requests. */
  readonly headPrefix: string;
  /** Within bounds; what cannot be read as what it should be is left out or cut. @throws OutgoingError, RemoteError */
  read(parts: TrackerParts): Promise<Tracker>;
}
