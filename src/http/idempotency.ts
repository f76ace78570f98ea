import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { UserActor } from "../access/actor.ts";
import { scopeNames } from "../access/scopes.ts";
import type { Clock } from "../core/clock.ts";
import { conflict, invalid } from "../core/errors.ts";
import type { Sealer } from "../core/sealer.ts";
import type { Db } from "../db/db.ts";
import type { PreparedReply } from "./answers.ts";
import type { ErrorReply } from "./errors.ts";
import { claimKey, forgetExpired, forgetKey, type KeptAnswer, saveAnswer } from "./idempotency-store.ts";

export interface KeyedRequest {
  readonly actor: UserActor;
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
  /** How long a repeated request waits for the first response, in milliseconds. Default: 0. */
  readonly patienceMs?: number;
}

export interface Idempotency {
  /**
   * Runs a POST at most once per caller and key: a repeat with the same body within 24 h gets the first response again.
   * Refusals are not stored: nothing was changed, so the repeat may try again.
   * @throws ForgeError `invalid` for a key used with another request, `conflict` while the first one is in progress or its outcome is
   * unknown
   */
  run(request: KeyedRequest, handle: () => Promise<PreparedReply | ErrorReply>): Promise<PreparedReply | ErrorReply>;
}

/** Retention of first responses. */
export const keptMs = 24 * 3_600_000;
const maxKeyLength = 255;
/** Polling interval of a repeat that waits for the first response. */
const lookMs = 50;
/** Larger than any POST response of the API. Larger responses are not stored. */
const maxAnswerBytes = 1_048_576;

/** Stored responses are encrypted: some contain a secret that is shown only once, such as a token or an application's secret. */
const purpose = (accountId: number): string => `first answers of account ${accountId}`;

export function createIdempotency(deps: { readonly db: Db; readonly clock: Clock; readonly sealer: Sealer }): Idempotency {
  const { db, clock, sealer } = deps;
  return {
    async run({ actor, key, method, path, body, patienceMs = 0 }, handle) {
      if (key.length === 0 || key.length > maxKeyLength) throw invalid(`Idempotency-Key must have 1 to ${maxKeyLength} characters`);
      // The response is repeated only for the same credential: another credential of the same user may have fewer permissions.
      const { kind, tokenId = 0, scopes } = actor.credential;
      const digest = createHash("sha256")
        .update(`${method} ${path}\n${kind} ${tokenId} ${scopeNames(scopes).join(" ")}\n`)
        .update(body)
        .digest("hex");
      // Signed rather than hashed: a body can contain a password, which a plain digest would let an attacker with a copy of the database guess.
      const requestHash = sealer.sign(purpose(actor.id), digest);
      const now = clock.now();
      const claim = (): Promise<KeptAnswer | undefined> =>
        db.tx(async (tx) => {
          await forgetExpired(tx, now - keptMs);
          return claimKey(tx, { accountId: actor.id, key, requestHash, now });
        });
      let kept = await claim();
      for (let waitedMs = 0; kept?.status === 0 && waitedMs < patienceMs; waitedMs += lookMs) {
        await setTimeout(lookMs);
        kept = await claim();
      }
      if (kept !== undefined) {
        if (kept.requestHash !== requestHash) throw invalid("Idempotency-Key was used with another request: use a new key");
        if (kept.status === 0) {
          throw conflict(
            "the first request with this Idempotency-Key is in progress, or the server stopped during it: check whether it took effect, then use a new key",
          );
        }
        const text = sealer.open(purpose(actor.id), kept.body);
        if (text === undefined)
          throw conflict("the first response to this Idempotency-Key can no longer be read: check whether it took effect, then use a new key");
        return { status: kept.status, headers: { ...JSON.parse(kept.headers), "idempotent-replayed": "true" }, body: text === "" ? undefined : text };
      }
      let reply: PreparedReply | ErrorReply;
      try {
        reply = await handle();
      } catch (error) {
        await db.tx((tx) => forgetKey(tx, actor.id, key));
        throw error;
      }
      const text = reply.body ?? "";
      if (reply.status < 400 && typeof text === "string" && text.length <= maxAnswerBytes) {
        const body = sealer.seal(purpose(actor.id), text);
        await db.tx((tx) => saveAnswer(tx, { accountId: actor.id, key, status: reply.status, headers: JSON.stringify(reply.headers), body }));
      } else await db.tx((tx) => forgetKey(tx, actor.id, key));
      return reply;
    },
  };
}
