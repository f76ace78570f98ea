import type { Tracker, TrackerParts } from "../tracker.ts";
import type { ForeignServer } from "./foreign-server.ts";

/** Reads issues, pull requests and other tracker data of the source. */
export interface TrackerSource {
  readonly server: ForeignServer;
  /** The OpenID Connect issuer if the source can be a provider; its account ids are the subjects then. */
  readonly issuer: string | undefined;
  /** Prefix of the refs with pull request heads. */
  readonly headPrefix: string;
  /** Reads within limits; invalid values are omitted or truncated. @throws OutgoingError, RemoteError */
  read(parts: TrackerParts): Promise<Tracker>;
}
