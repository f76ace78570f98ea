import { join } from "node:path";
import { limitOf, type UserActor } from "../../../../access/actor.ts";
import { callerOf } from "../../../../access/caller.ts";
import { allowsScope } from "../../../../access/scopes.ts";
import type { Clock } from "../../../../core/clock.ts";
import { forbidden, malformed, throttled } from "../../../../core/errors.ts";
import { inPlace, type Lane } from "../../../../core/lanes.ts";
import { hashToken, randomToken } from "../../../../core/secrets.ts";
import type { Db } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import { deleteExpiredLinks, putLink, takeLink } from "../store/links.ts";
import { tarOf } from "../tar.ts";
import { type OwnFilesDeps, ownFiles } from "./files.ts";

export interface DownloadDeps extends OwnFilesDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** The lane of packs and archives. */
  readonly bulkLane: Lane;
  readonly config: { readonly dataDirectory: string };
}

/** The operations and the page share the downloads that are under way. */
export interface DataDeps extends Pick<DownloadDeps, "db" | "clock"> {
  readonly openDataDownload: OpenDownload;
}

const linkLifeMs = 15 * 60_000;
const retryAfter = 60;

/** A link for one download. */
export interface DataLink {
  readonly code: string;
  readonly expiresMs: number;
}

/** Creates a link for the data of the caller, and invalidates their previous one. @throws ForgeError `forbidden` */
export async function makeDataLink({ db, clock }: Pick<DownloadDeps, "db" | "clock">, actor: UserActor): Promise<DataLink> {
  requireWholeAccount(actor);
  const code = randomToken();
  const expiresMs = clock.now() + linkLifeMs;
  await db.tx((tx) => putLink(tx, { accountId: actor.id, hash: hashToken(code), expiresMs }));
  return { code, expiresMs };
}

const neededScopes = ["user", "repository", "issue", "organization"] as const;

/** The data has everything that the account can read. */
function requireWholeAccount({ credential, ...actor }: UserActor): void {
  const isLimited = limitOf({ credential, ...actor }) !== undefined || credential.job !== undefined || credential.scopes.publicOnly;
  if (isLimited || !neededScopes.every((scope) => allowsScope(credential.scopes, scope, "read"))) {
    throw forbidden(
      `the download contains all data of the account: use a token with ${neededScopes.map((scope) => `read:${scope}`).join(", ")}, without limits`,
      {
        reason: "limited_token",
      },
    );
  }
}

export interface DataDownload {
  readonly code: string;
  readonly remoteAddress: string;
  readonly signal: AbortSignal;
}

/** Starts a download. @throws ForgeError `forbidden`, `throttled`, `unavailable`, or `malformed` for a link that is not valid */
export type OpenDownload = (actor: UserActor, download: DataDownload) => Promise<AsyncIterable<Uint8Array>>;

/** Streams the data of accounts, one download of an account at a time. */
export function createDataDownloads(deps: DownloadDeps): OpenDownload {
  const running = new Set<number>();
  const folder = join(deps.config.dataDirectory, "cache", "own-data");
  return async (actor, { code, remoteAddress, signal }) => {
    if (running.has(actor.id)) throw throttled("your data is being downloaded already: wait for its end", { retryAfter, reason: "too_many_requests" });
    running.add(actor.id);
    const end = (): void => void running.delete(actor.id);
    try {
      // The link stays valid if the request is refused because of load.
      const place = await deps.bulkLane.enter(callerOf(actor, remoteAddress), signal);
      signal.addEventListener("abort", () => {
        place.leave();
        end();
      });
      try {
        await useLink(deps, actor, code);
      } catch (error) {
        place.leave();
        throw error;
      }
      const nowMs = deps.clock.now();
      return untilEnd(inPlace(place, tarOf(ownFiles(deps, actor, nowMs), folder, nowMs)), end);
    } catch (error) {
      end();
      throw error;
    }
  };
}

/** The audit entry is written before the first byte is sent. */
const useLink = ({ db, clock }: Pick<DownloadDeps, "db" | "clock">, actor: UserActor, code: string): Promise<void> =>
  db.tx(async (tx) => {
    if (!(await takeLink(tx, { accountId: actor.id, hash: hashToken(code), nowMs: clock.now() }))) {
      throw malformed("this link is no longer valid: it was used, replaced by a newer one, has expired, or belongs to another account. Create a new one", {
        reason: "download_expired",
      });
    }
    requireWholeAccount(actor);
    await recordEvent(tx, "account.data_downloaded", { accountId: actor.id, name: actor.name, kind: "user" }, { by: actor });
  });

async function* untilEnd(chunks: AsyncIterable<Buffer>, end: () => void): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } finally {
    end();
  }
}

export const pruneDataLinks = ({ db, clock }: { readonly db: Db; readonly clock: Clock }): Promise<void> => db.tx((tx) => deleteExpiredLinks(tx, clock.now()));
