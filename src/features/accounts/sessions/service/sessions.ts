import { randomBytes } from "node:crypto";
import type { UserActor } from "../../../../access/actor.ts";
import { allScopes } from "../../../../access/scopes.ts";
import type { Config } from "../../../../config/config.ts";
import type { Clock } from "../../../../core/clock.ts";
import { notFound, unauthenticated } from "../../../../core/errors.ts";
import type { Log } from "../../../../core/log.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import { hashToken } from "../../../../core/secrets.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import { maySignIn, toActor } from "../../users/actor-account.ts";
import { noteSignIn } from "../../users/service/sign-in-accounts.ts";
import type { SessionDetails, SessionStage, SessionView, StartedSession } from "../model.ts";
import {
  deleteBeyond,
  deleteBySecret,
  deleteEnded,
  deleteOthers,
  deleteSession,
  findSession,
  insertSession,
  pageSessions,
  type SessionRow,
  touchSession,
} from "../store.ts";

export interface SessionDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: Pick<Config, "sessions">;
}

const dayMs = 86_400_000;
/** Time limit for completing a sign-in. */
const unfinishedMs = 15 * 60_000;
/** Accuracy of `seen_ms`, so that a session in use does not write on each request. */
const touchEveryMs = 5 * 60_000;
/** Maximum number of sessions per account; the oldest is deleted. */
const maxSessions = 100;
const maxUserAgentLength = 255;

const idleMs = ({ config }: SessionDeps): number => config.sessions.idle_days * dayMs;

/**
 * Starts a session. The caller has authenticated the user. Each sign-in creates a session with a new secret and ends the browser's
 * previous one.
 * @param options the remaining step, the browser's previous secret, and the `credential_version` at the time of authentication
 * @throws ForgeError `unauthenticated` when the account has been deleted or its credentials have changed since
 */
export async function startSession(
  deps: SessionDeps,
  accountId: number,
  details: SessionDetails,
  options: { readonly stage?: SessionStage; readonly formerSecret?: string | undefined; readonly credentialVersion?: number | undefined } = {},
): Promise<StartedSession> {
  const { stage = "open", formerSecret, credentialVersion } = options;
  const secret = randomBytes(32).toString("base64url");
  const now = deps.clock.now();
  const livesMs = stage === "open" ? deps.config.sessions.max_days * dayMs : unfinishedMs;
  await deps.db.tx(async (tx) => {
    if (formerSecret !== undefined) await deleteBySecret(tx, hashToken(formerSecret));
    const id = await insertSession(tx, {
      secretHash: hashToken(secret),
      accountId,
      credentialVersion,
      stage,
      address: details.address,
      userAgent: details.userAgent.slice(0, maxUserAgentLength).toWellFormed().replaceAll("\0", ""),
      createdMs: now,
      expiresMs: now + livesMs,
    });
    if (id === undefined) throw unauthenticated("The credentials of this account have just changed. Sign in with the new ones.");
    await deleteBeyond(tx, accountId, maxSessions);
    const session = stage === "open" ? await findSession(tx, hashToken(secret)) : undefined;
    if (session === undefined) return;
    await noteSignIn(tx, accountId, now);
    const by = { ...actorOf(session), address: details.address };
    await recordEvent(tx, "session.started", { accountId, name: by.name, sessionIds: [id] }, { by });
  });
  return { secret, stage, maxAgeSeconds: Math.floor(livesMs / 1_000) };
}

/** Ends the session of a browser that signs out. */
export async function endSession(deps: { readonly db: Db }, secret: string, address: string): Promise<void> {
  const secretHash = hashToken(secret);
  await deps.db.tx(async (tx) => {
    const session = await findSession(tx, secretHash);
    await deleteBySecret(tx, secretHash);
    if (session?.stage === "open") await recordEnd(tx, { ...actorOf(session), address }, [session.id]);
  });
}

const recordEnd = (tx: Tx, by: UserActor, sessionIds: readonly number[]): Promise<void> =>
  recordEvent(tx, "session.ended", { accountId: by.id, name: by.name, sessionIds }, { by });

/**
 * The session of a secret, at any stage; undefined if it does not exist or has ended: too old, unused for too long, or because the
 * password changed or the account may not sign in. An ended session never becomes valid again, even if the clock is set back.
 */
export async function findLiveSession(deps: SessionDeps, secret: string): Promise<SessionRow | undefined> {
  const secretHash = hashToken(secret);
  const session = await findSession(deps.db, secretHash);
  if (session === undefined) return undefined;
  const now = deps.clock.now();
  const isOver = !session.isCurrent || !maySignIn(session.account) || session.expiresMs <= now || session.seenMs + idleMs(deps) <= now;
  if (!isOver) return session;
  await deps.db.tx((tx) => deleteBySecret(tx, secretHash));
  return undefined;
}

/** Authenticates sessions. Implements the session part of the HTTP kit's `Identities`. */
export function createSessionIdentities(deps: SessionDeps & { readonly log: Log }) {
  const touching = new Map<number, Promise<void>>();

  function touch({ id, seenMs }: SessionRow): void {
    const now = deps.clock.now();
    if (now - seenMs < touchEveryMs || touching.has(id)) return;
    const touched = deps.db
      .tx((tx) => touchSession(tx, id, now))
      .catch((error: unknown) => deps.log.warn({ err: error, sessionId: id }, "recording the last use of a session failed"))
      .finally(() => touching.delete(id));
    touching.set(id, touched);
  }

  return {
    /** One statement. */
    async bySession(secret: string): Promise<UserActor | undefined> {
      const session = await findLiveSession(deps, secret);
      if (session?.stage !== "open" || session.account.mustChangePassword) return undefined;
      touch(session);
      return actorOf(session);
    },

    /** Resolves when the uses of sessions so far are recorded. */
    async settled(): Promise<void> {
      await Promise.all(touching.values());
    },
  };
}

export function actorOf({ id, createdMs, account }: SessionRow): UserActor {
  const credential = { kind: "session", scopes: allScopes, isBasic: false, session: { id, startedMs: createdMs } } as const;
  return { ...toActor(account, credential), display: account.display };
}

/** The caller's sessions. */
export function listSessions(deps: Omit<SessionDeps, "db"> & { readonly db: Reader }, actor: UserActor, page: Page): Promise<Paged<SessionView>> {
  const now = deps.clock.now();
  return pageSessions(deps.db, actor.id, { now, seenAfter: now - deps.config.sessions.idle_days * dayMs }, page);
}

/** Ends one of the caller's sessions. @throws ForgeError `not_found` for a session of another user */
export async function revokeSession(deps: { readonly db: Db }, actor: UserActor, id: number): Promise<void> {
  await deps.db.tx(async (tx) => {
    if ((await deleteSession(tx, actor.id, id)) === 0) throw notFound();
    await recordEnd(tx, actor, [id]);
  });
}

/** Ends all of the caller's sessions except the requesting one, if any. */
export async function revokeOtherSessions(deps: { readonly db: Db }, actor: UserActor): Promise<void> {
  await deps.db.tx(async (tx) => {
    const ended = await deleteOthers(tx, actor.id, actor.credential.session?.id ?? 0);
    if (ended.length > 0) await recordEnd(tx, actor, ended);
  });
}

/** Deletes ended sessions. @returns their number */
export function pruneSessions(deps: SessionDeps): Promise<number> {
  const now = deps.clock.now();
  return deps.db.tx((tx) => deleteEnded(tx, now, now - idleMs(deps)));
}
