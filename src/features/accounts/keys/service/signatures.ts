import { LRUCache } from "lru-cache";
import type { Actor } from "../../../../access/actor.ts";
import type { Clock } from "../../../../core/clock.ts";
import { foldEmail } from "../../../../core/names.ts";
import type { Reader } from "../../../../db/db.ts";
import type { Oid } from "../../../../git/types.ts";
import { isVisibleTo } from "../../users/service/accounts.ts";
import type { People } from "../../users/service/people.ts";
import type { SignatureFlaw, SignatureVerdict } from "../model.ts";
import { readKeyPacket } from "../openpgp/key-packet.ts";
import { isSignedBy } from "../openpgp/signature-packet.ts";
import { type ParsedSignature, readSignature } from "../signature.ts";
import { findKeyOwners, findSigningKeys, type SigningKey } from "../store/signers.ts";
import type { ServerSigner } from "./server-signer.ts";

/** A commit or tag as far as its signature goes. */
export interface SignedObject {
  readonly oid: Oid;
  /** Empty for what is not signed. */
  readonly signature: string;
  readonly signedPayload: string;
  readonly signedBytes: Buffer | undefined;
}

/** A commit or tag with the address of whoever says that he made it. */
export interface Claim {
  readonly object: SignedObject;
  readonly email: string;
}

export interface SignatureVerifier {
  /**
   * What is known of the signatures of commits and tags, by their ids; those without one are left out. No statement where there is none,
   * else two for any number. What arithmetic says of an object and a key never changes and is remembered; the rest is asked each time.
   * @param people among whom the addresses of the claims have been looked up
   */
  judge(actor: Actor, claims: readonly Claim[], people: People): Promise<ReadonlyMap<Oid, SignatureVerdict>>;
}

/** Signatures whose parts and results are remembered: pages of long histories, about a kilobyte each. */
const maxRemembered = 5_000;

interface Remembered {
  readonly signature: ParsedSignature;
  /** Whether keys made it, by their fingerprints. */
  readonly results: Map<string, boolean>;
}

export interface VerifierDeps {
  readonly db: Reader;
  readonly clock: Clock;
  /** The server's own key: it signs for whoever asked for the commit, under his own name alone. */
  readonly commitSigner: Pick<ServerSigner, "fingerprint"> | undefined;
}

export function createSignatureVerifier(deps: VerifierDeps): SignatureVerifier {
  const remembered = new LRUCache<Oid, Remembered>({ max: maxRemembered });

  const recall = ({ oid, signature }: SignedObject): Remembered => {
    const known = remembered.get(oid);
    if (known !== undefined) return known;
    const fresh = { signature: readSignature(signature), results: new Map<string, boolean>() };
    remembered.set(oid, fresh);
    return fresh;
  };

  const isMadeBy = (object: SignedObject, { results }: Remembered, fingerprint: string, check: (data: Buffer) => boolean): boolean => {
    const known = results.get(fingerprint);
    if (known !== undefined) return known;
    const result = check(object.signedBytes ?? Buffer.from(object.signedPayload));
    results.set(fingerprint, result);
    return result;
  };

  return {
    async judge(actor, claims, people) {
      const signed = claims.filter(({ object }) => object.signature !== "").map((claim) => ({ ...claim, known: recall(claim.object) }));
      const keyIds = signed.flatMap(({ known: { signature } }) => (signature.kind === "openpgp" ? [signature.packet.issuerKeyId] : []));
      const fingerprints = signed.flatMap(({ known: { signature } }) => (signature.kind === "ssh" ? [signature.made.fingerprint] : []));
      const [keys, owners] = await Promise.all([
        keyIds.length === 0 ? [] : findSigningKeys(deps.db, keyIds),
        fingerprints.length === 0 ? new Map<string, number>() : findKeyOwners(deps.db, fingerprints),
      ]);
      const keysById = Map.groupBy(keys, ({ keyId }) => keyId);

      /** The signature is the key's; it counts when the key is the user's whose address the object bears. */
      const attribute = (email: string, key: string, accountId: number, speaksFor: (email: string) => boolean): SignatureVerdict => {
        const user = people.byEmail(email);
        if (user === undefined) return flawed("unknown_signer");
        if (user.id !== accountId || !isVisibleTo(user, actor) || !speaksFor(foldEmail(email))) return flawed("unknown_key");
        return { isVerified: true, key, signer: { fullName: user.fullName, name: user.name, email } };
      };

      const verifyOpenPgp = ({ object, email, known }: (typeof signed)[number], { packet }: ParsedSignature & { kind: "openpgp" }): SignatureVerdict => {
        const candidates = (keysById.get(packet.issuerKeyId) ?? []).filter(({ fingerprint }) => ["", fingerprint].includes(packet.issuerFingerprint));
        if (candidates.length === 0) return flawed("unknown_key");
        const isMaker = ({ fingerprint, packet: body }: SigningKey): boolean =>
          isMadeBy(object, known, fingerprint, (data) => isSignedBy(packet, readKeyPacket(body), data));
        const maker = candidates.find(isMaker);
        const hasRunOut = packet.expiresMs !== null && packet.expiresMs <= deps.clock.now();
        if (maker === undefined || hasRunOut || !isGood(maker, packet.createdMs)) return flawed("wrong");
        return attribute(email, maker.keyId, maker.accountId, (folded) => maker.isVerified || maker.emails.includes(folded));
      };

      const verifySsh = ({ object, email, known }: (typeof signed)[number], { made }: ParsedSignature & { kind: "ssh" }): SignatureVerdict => {
        const isServers = made.fingerprint === deps.commitSigner?.fingerprint;
        const accountId = isServers ? people.byEmail(email)?.id : owners.get(made.fingerprint);
        if (accountId === undefined) return flawed(isServers ? "unknown_signer" : "unknown_key");
        if (!isMadeBy(object, known, made.fingerprint, made.isOver)) return flawed("wrong");
        return attribute(email, made.fingerprint, accountId, () => true);
      };

      return new Map(
        signed.map((claim) => {
          const { signature } = claim.known;
          const verdict =
            signature.kind === "none" ? flawed("unreadable") : signature.kind === "ssh" ? verifySsh(claim, signature) : verifyOpenPgp(claim, signature);
          return [claim.object.oid, verdict];
        }),
      );
    },
  };
}

const flawed = (flaw: SignatureFlaw): SignatureVerdict => ({ isVerified: false, flaw });

/** Whether what a key says that it signed at a moment counts: not before it was made, nor after its end. */
const isGood = ({ madeMs, expiresMs, goodUntilMs }: SigningKey, atMs: number): boolean =>
  atMs >= madeMs && (expiresMs === null || atMs < expiresMs) && (goodUntilMs === null || atMs < goodUntilMs);
