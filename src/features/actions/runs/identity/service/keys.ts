import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import type { Clock } from "../../../../../core/clock.ts";
import { unavailable } from "../../../../../core/errors.ts";
import type { Sealer } from "../../../../../core/sealer.ts";
import type { Db } from "../../../../../db/db.ts";
import { loadOrCreateServerValue, writeServerValue } from "../../../../../db/server-values.ts";
import { type Claims, type JwtKey, publicJwk, readJwtKey, signJwt } from "../../../../accounts/oauth2/jwt.ts";

export interface KeyDeps {
  readonly db: Db;
  readonly sealer: Sealer;
  readonly clock: Clock;
}

const name = "actions.identity_keys";
const dayMs = 86_400_000;
/** The age at which the newest key gets a successor. */
const rotateMs = 90 * dayMs;
/** A new key is published for this long before it signs, because other services keep the list of keys. */
const announcedMs = 2 * dayMs;

interface StoredKey {
  readonly pem: string;
  readonly createdMs: number;
}

const makePair = promisify(generateKeyPair);

async function makeKey(createdMs: number): Promise<StoredKey> {
  const { privateKey } = await makePair("rsa", { modulusLength: 2_048 });
  return { pem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(), createdMs };
}

const seal = (sealer: Sealer, keys: readonly StoredKey[]): string => sealer.seal(name, JSON.stringify(keys));

/** Oldest first. The first one is created on first use. One statement. */
async function loadKeys({ db, sealer, clock }: KeyDeps): Promise<readonly StoredKey[]> {
  const sealed = await loadOrCreateServerValue(db, name, async () => seal(sealer, [await makeKey(clock.now())]));
  const opened = sealer.open(name, sealed);
  if (opened === undefined)
    throw unavailable(
      `the keys that sign identity tokens of jobs were sealed with another secret key: restore that one, or remove ${name} from server_values for new ones`,
    );
  return JSON.parse(opened) as readonly StoredKey[];
}

/** The newest key that has been published long enough, otherwise the oldest one. */
const signingKey = (keys: readonly StoredKey[], nowMs: number): StoredKey | undefined =>
  keys.findLast(({ createdMs }) => createdMs <= nowMs - announcedMs) ?? keys[0];

/** Signs with the present key. @throws ForgeError `unavailable` */
export async function signIdentity(deps: KeyDeps, claims: Claims): Promise<string> {
  const key = signingKey(await loadKeys(deps), deps.clock.now());
  if (key === undefined) throw unavailable("there is no key that signs identity tokens");
  return signJwt(await readJwtKey(key.pem), claims);
}

/** All keys that have signed valid tokens, or will sign (RFC 7517). @throws ForgeError `unavailable` */
export async function identityJwks(deps: KeyDeps): Promise<{ readonly keys: readonly Claims[] }> {
  const keys: JwtKey[] = [];
  for (const { pem } of await loadKeys(deps)) keys.push(await readJwtKey(pem));
  return { keys: keys.map(publicJwk) };
}

/** Adds a key when the newest one is old, and removes those whose successor signs. Their tokens have expired by then. */
export async function rotateIdentityKeys(deps: KeyDeps): Promise<void> {
  const nowMs = deps.clock.now();
  const keys = await loadKeys(deps);
  const signing = signingKey(keys, nowMs);
  const kept = keys.filter((key) => key.createdMs >= (signing?.createdMs ?? 0));
  const isOld = kept.every(({ createdMs }) => createdMs <= nowMs - rotateMs);
  if (!isOld && kept.length === keys.length) return;
  const next = isOld ? [...kept, await makeKey(nowMs)] : kept;
  await deps.db.tx((tx) => writeServerValue(tx, name, seal(deps.sealer, next)));
}
