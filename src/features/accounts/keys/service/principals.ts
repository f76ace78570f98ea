import type { UserActor } from "../../../../access/actor.ts";
import type { Config } from "../../../../config/config.ts";
import type { Clock } from "../../../../core/clock.ts";
import { invalid, notFound } from "../../../../core/errors.ts";
import { checkLength, lengths } from "../../../../core/lengths.ts";
import type { Log } from "../../../../core/log.ts";
import { foldEmail, foldName } from "../../../../core/names.ts";
import { createPeerCheck } from "../../../../core/peer-check.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { isUniqueViolation } from "../../../../db/errors.ts";
import { recordEvent } from "../../../../events/events.ts";
import { listEmails } from "../../users/service/emails.ts";
import type { PublicKeyView } from "../model.ts";
import { FormatProblem } from "../openpgp/bytes.ts";
import { KeyProblem, parsePublicKey } from "../public-key.ts";
import { readSshCertificate, type SshCertificate } from "../ssh-certificate.ts";
import { deletePrincipal, findPrincipals, insertPrincipal, type PrincipalRow } from "../store/principals.ts";
import { listPrincipals } from "../store/public-keys.ts";

type SshConfig = Pick<Config, "ssh">;

/** Whether the server trusts an authority, so that certificates sign in. */
export const acceptsCertificates = ({ ssh }: SshConfig): boolean => ssh.trusted_user_ca_keys.length > 0;

/** A user's principals, oldest first. One statement. */
export const listOwnPrincipals = (deps: { readonly db: Reader }, { id }: Pick<UserActor, "id">): Promise<readonly PublicKeyView[]> =>
  listPrincipals(deps.db, id);

/**
 * Adds a principal to the caller's account: their certificates with it sign in as them.
 * @throws ForgeError `invalid` for a name that the settings do not allow them, and for one in use; `not_found` without trusted authorities
 */
export async function addPrincipal(deps: { readonly db: Db; readonly config: SshConfig }, actor: UserActor, name: string): Promise<void> {
  if (!acceptsCertificates(deps.config)) throw notFound();
  if (name === "") throw invalid("A principal is required", { reason: "required", field: "principal" });
  checkLength("Principal", name, lengths.line);
  if (/[\x00-\x1f\x7f]/.test(name)) throw invalid("A principal is one line of text", { reason: "invalid_principal", field: "principal" });
  try {
    await deps.db.tx(async (tx) => {
      if (!(await isAllowed(tx, deps.config, actor, name))) {
        throw invalid("The settings of this server do not allow you this principal", { reason: "principal_not_allowed", field: "principal" });
      }
      const [known] = await findPrincipals(tx, [name]);
      if (known !== undefined && !(await isAllowed(tx, deps.config, ownerOf(known), name))) await remove(tx, actor, known);
      const keyId = await insertPrincipal(tx, actor.id, name);
      await recordEvent(tx, "ssh_principal.created", { accountId: actor.id, keyId, fingerprint: name }, { by: actor });
    });
  } catch (error) {
    if (uniqueColumns.some((columns) => isUniqueViolation(error, columns)))
      throw invalid("This principal is already in use", { reason: "principal_in_use", field: "principal" });
    throw error;
  }
}

/** @throws ForgeError `not_found` for a principal of another account */
export async function removePrincipal(deps: { readonly db: Db }, actor: UserActor, id: number): Promise<void> {
  await deps.db.tx(async (tx) => {
    const own = (await listPrincipals(tx, actor.id)).find((principal) => principal.id === id);
    if (own === undefined) throw notFound();
    await remove(tx, actor, { id, name: own.content, accountId: actor.id });
  });
}

/** A principal that the account has already breaks both. */
const uniqueColumns = ["public_keys.fingerprint", "public_keys.account_id,title"];

async function remove(tx: Tx, actor: UserActor, { id, name, accountId }: Pick<PrincipalRow, "id" | "name" | "accountId">): Promise<void> {
  await deletePrincipal(tx, id);
  await recordEvent(tx, "ssh_principal.deleted", { accountId, keyId: id, fingerprint: name }, { by: actor });
}

type Owner = Pick<UserActor, "id" | "name">;

const ownerOf = ({ accountId, accountName }: PrincipalRow): Owner => ({ id: accountId, name: accountName });

/** Names and addresses change owners, so this is checked when a principal is added and whenever it signs in. At most one statement. */
async function isAllowed(db: Reader, { ssh }: SshConfig, owner: Owner, principal: string): Promise<boolean> {
  const allowed = ssh.certificate_principals;
  if (allowed.includes("anything")) return true;
  if (allowed.includes("username") && foldName(principal) === foldName(owner.name)) return true;
  if (!allowed.includes("email")) return false;
  return (await listEmails({ db }, owner)).some(({ email, isVerified }) => isVerified && foldEmail(email) === foldEmail(principal));
}

export interface CertificateDeps {
  readonly db: Reader;
  readonly config: SshConfig;
  readonly clock: Clock;
  readonly log: Log;
}

/** An accepted certificate, which has yet to be proved by a signature of its key. */
export interface AcceptedCertificate {
  /** The id of its principal. */
  readonly id: number;
  /** The certified key in SSH's encoding. */
  readonly blob: Buffer;
  readonly validUntilMs: number;
}

/** The same limit as OpenSSH's. */
const maxPrincipals = 256;
const loggedLength = 100;

/**
 * Checks a certificate, and finds the account of the first of its principals that has one.
 * @param blob the bytes that the client sent
 */
export async function acceptCertificate(deps: CertificateDeps, blob: Buffer, address: string): Promise<AcceptedCertificate | undefined> {
  if (!acceptsCertificates(deps.config)) return undefined;
  const certificate = read(blob);
  const refuse = (fault: string): undefined => {
    deps.log.info({ address, certificate: certificate?.id.slice(0, loggedLength), fault }, "an SSH certificate was refused");
  };
  if (certificate === undefined) return refuse("it cannot be read");
  const fault = faultOf(deps, certificate, address);
  if (fault !== undefined) return refuse(fault);
  const found = new Map((await findPrincipals(deps.db, certificate.principals)).map((row) => [row.name, row]));
  for (const name of certificate.principals) {
    const row = found.get(name);
    if (row === undefined || !(await isAllowed(deps.db, deps.config, ownerOf(row), name))) continue;
    return { id: row.id, blob: certificate.key, validUntilMs: certificate.validUntilMs };
  }
  return refuse("no account has one of its principals");
}

function read(blob: Buffer): SshCertificate | undefined {
  try {
    return readSshCertificate(blob);
  } catch (error) {
    if (error instanceof FormatProblem) return undefined;
    throw error;
  }
}

/** Why a certificate does not sign in; undefined if it may. */
function faultOf({ config, clock }: CertificateDeps, certificate: SshCertificate, address: string): string | undefined {
  const authority = certificate.authority.toString("base64");
  if (!config.ssh.trusted_user_ca_keys.some((line) => line.split(/\s+/)[1] === authority)) return "its authority is not trusted";
  if (!certificate.isAuthentic) return "its signature is wrong";
  if (!isUsableKey(certificate.key)) return "its key is too weak, or invalid";
  if (!certificate.isForUser) return "it is for a host";
  const now = clock.now();
  if (now < certificate.validFromMs) return "it is not valid yet";
  if (now >= certificate.validUntilMs) return "it has expired";
  if (certificate.principals.length > maxPrincipals) return "it has too many principals";
  for (const [name, value] of certificate.criticalOptions) {
    if (name !== "source-address") return `its option ${name} is not supported`;
    if (!isIn(value, address)) return "it is not for this address";
  }
  return undefined;
}

/** The rules for keys that users add apply to certified keys, too. */
function isUsableKey(key: Buffer): boolean {
  const algorithm = key.toString("latin1", 4, 4 + key.readUInt32BE());
  try {
    parsePublicKey(`${algorithm} ${key.toString("base64")}`);
    return true;
  } catch (error) {
    if (error instanceof KeyProblem) return false;
    throw error;
  }
}

/** @param networks separated by commas */
function isIn(networks: string, address: string): boolean {
  try {
    return createPeerCheck(networks.split(","))(address);
  } catch {
    return false;
  }
}
