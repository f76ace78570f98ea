import { LRUCache } from "lru-cache";
import type { Actor } from "../../../../access/actor.ts";
import type { Clock } from "../../../../core/clock.ts";
import { foldEmail } from "../../../../core/names.ts";
import { mapInTurns } from "../../../../core/turns.ts";
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

/** The parts of a commit or tag that its signature verification needs. */
export interface SignedObject {
  readonly oid: Oid;
  /** Empty for unsigned objects. */
  readonly signature: string;
  readonly signedPayload: string;
  readonly signedBytes: Buffer | undefined;
}

/** A commit or tag with the address of its claimed author. */
export interface Claim {
  readonly object: SignedObject;
  readonly email: string;
}

export interface SignatureVerifier {
  /**
   * Verifies the signatures of commits and tags. Returns verdicts by id; unsigned objects are omitted. No statement if none is signed,
   * otherwise two for any number. The cryptographic result for an object and a key never changes and is cached; the rest is evaluated
   * each time.
   * @param people the result of looking up the claims' addresses
   */
  verify(actor: Actor, claims: readonly Claim[], people: People): Promise<ReadonlyMap<Oid, SignatureVerdict>>;
}

/** Number of signatures whose parts and results are cached, enough for pages of long histories; about a kilobyte each. */
const maxRemembered = 5_000;

/** Verifying a signature takes up to 4 ms, with the largest keys. */
const verificationWeight = 2_500;

interface Remembered {
  readonly signature: ParsedSignature;
  /** Whether a key made the signature, by fingerprint. */
  readonly results: Map<string, boolean>;
}

export interface VerifierDeps {
  readonly db: Reader;
  readonly clock: Clock;
  /** The server's own key. It signs only objects under the name of the user who requested them. */
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
    async verify(actor, claims, people) {
      const signed = claims
        .filter(({ object }) => object.signature !== "")
        .map((claim) => {
          const known = recall(claim.object);
          return { ...claim, known, isNew: known.results.size === 0 };
        });
      const keyIds = signed.flatMap(({ known: { signature } }) => (signature.kind === "openpgp" ? [signature.packet.issuerKeyId] : []));
      const fingerprints = signed.flatMap(({ known: { signature } }) => (signature.kind === "ssh" ? [signature.made.fingerprint] : []));
      const [keys, owners] = await Promise.all([
        keyIds.length === 0 ? [] : findSigningKeys(deps.db, keyIds),
        fingerprints.length === 0 ? new Map<string, number>() : findKeyOwners(deps.db, fingerprints),
      ]);
      const keysById = Map.groupBy(keys, ({ keyId }) => keyId);

      /** The key made the signature. It counts if the address on the object belongs to the key's owner. */
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

      const verdictOf = (claim: (typeof signed)[number]): readonly [Oid, SignatureVerdict] => {
        const { signature } = claim.known;
        const verdict =
          signature.kind === "none" ? flawed("unreadable") : signature.kind === "ssh" ? verifySsh(claim, signature) : verifyOpenPgp(claim, signature);
        return [claim.object.oid, verdict];
      };
      return new Map(await mapInTurns(signed, verdictOf, ({ isNew }) => (isNew ? verificationWeight : 0)));
    },
  };
}

const flawed = (flaw: SignatureFlaw): SignatureVerdict => ({ isVerified: false, flaw });

/** Whether a signature at a given time counts: not before the key's creation, and not after its expiry. */
const isGood = ({ keyCreatedMs, expiresMs, goodUntilMs }: SigningKey, atMs: number): boolean =>
  atMs >= keyCreatedMs && (expiresMs === null || atMs < expiresMs) && (goodUntilMs === null || atMs < goodUntilMs);
