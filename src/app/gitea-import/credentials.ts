import { parseScopes, scopeNames } from "../../access/scopes.ts";
import { foldEmail } from "../../core/names.ts";
import { type Batch, newBatch } from "../../db/row-batch.ts";
import { FormatProblem } from "../../features/accounts/keys/openpgp/bytes.ts";
import { type Certificate, type CertifiedKey, readCertificate } from "../../features/accounts/keys/openpgp/certificate.ts";
import { KeyProblem, parsePublicKey, titleOfPrincipal } from "../../features/accounts/keys/public-key.ts";
import { formatImportedCode, sealTotpSecret } from "../../features/accounts/users/service/two-factor.ts";
import type { ImportedAccounts } from "./accounts.ts";
import { addApplications } from "./applications.ts";
import type { Conversion } from "./context.ts";
import { openTotpSecret } from "./secrets.ts";
import { type ForeignRow, flagOf, millisOf, numberOf, textOf } from "./source.ts";

type Users = ImportedAccounts;

const nameOf = ({ names }: Users, id: number): string => names.get(id) ?? `user ${id}`;
const isUser = ({ kinds }: Users, id: number): boolean => kinds.get(id) === "user";

/** Access tokens, second factors, SSH keys and OpenPGP keys. */
export async function convertCredentials(conversion: Conversion, users: Users): Promise<Batch> {
  const batch = newBatch();
  await addTokens(conversion, users, batch);
  await addSecondFactors(conversion, users, batch);
  await addPublicKeys(conversion, users, batch);
  await addGpgKeys(conversion, users, batch);
  await addApplications(conversion, users, batch);
  await listOthers(conversion, users);
  return batch;
}

async function addTokens({ source, report }: Conversion, users: Users, batch: Batch): Promise<void> {
  const names = new Set<string>();
  for (const row of await source.database.all("select * from access_token order by id")) {
    const [id, accountId, name] = [numberOf(row.id), numberOf(row.uid), textOf(row.name)];
    const scopes = parseScopes(textOf(row.scope).split(","));
    if (!isUser(users, accountId) || "unknown" in scopes || textOf(row.token_hash) === "") {
      report.without("access tokens without a user or with unknown scopes", `${name} of ${nameOf(users, accountId)}`);
      continue;
    }
    const isTaken = names.has(`${accountId}\0${name}`);
    const ownName = isTaken ? `${name} (${id})` : name;
    names.add(`${accountId}\0${name}`);
    if (isTaken) report.renamed("access token", `${name} of ${nameOf(users, accountId)}`, ownName);
    const [created, updated] = [millisOf(row.created_unix), millisOf(row.updated_unix)];
    batch.add("access_tokens", {
      id,
      account_id: accountId,
      name: ownName,
      token_hash: textOf(row.token_hash),
      token_salt: textOf(row.token_salt),
      last_eight: textOf(row.token_last_eight),
      scopes: scopeNames(scopes).join(","),
      created_ms: created,
      last_used_ms: updated > created ? updated : 0,
      expires_ms: null,
    });
  }
  report.count("access tokens", batch.size("access_tokens"));
}

async function addSecondFactors({ source, report, sealer }: Conversion, users: Users, batch: Batch): Promise<void> {
  for (const row of await source.database.all("select * from two_factor order by id")) {
    const accountId = numberOf(row.uid);
    const name = nameOf(users, accountId);
    const secret = openTotpSecret(source.places.secretKey, textOf(row.secret));
    if (!isUser(users, accountId) || secret === undefined) {
      report.without("second factors that SECRET_KEY does not open: these users sign in with the password alone", name);
      continue;
    }
    batch.add("second_factors", {
      account_id: accountId,
      sealed_secret: sealTotpSecret(sealer, accountId, secret),
      created_ms: millisOf(row.created_unix),
      confirmed_ms: millisOf(row.created_unix),
    });
    const [salt, hash] = [textOf(row.scratch_salt), textOf(row.scratch_hash)];
    if (/^[0-9a-f]{100}$/.test(hash) && /^[^$]+$/.test(salt)) batch.add("recovery_codes", { account_id: accountId, code_hash: formatImportedCode(salt, hash) });
    else report.without("scratch codes of second factors that cannot be verified: create recovery codes", name);
  }
  report.count("second factors", batch.size("second_factors"));
}

const keyTypes = { user: 1, deploy: 2, principal: 3 } as const;

async function addPublicKeys({ source, report }: Conversion, users: Users, batch: Batch): Promise<void> {
  const titles = new Set<string>();
  const fingerprints = new Set<string>();
  for (const row of await source.database.all("select * from public_key order by id")) {
    const [id, ownerId, type] = [numberOf(row.id), numberOf(row.owner_id), numberOf(row.type)];
    const isPrincipal = type === keyTypes.principal;
    const isOwned = type === keyTypes.user || isPrincipal;
    const title = isPrincipal ? titleOfPrincipal(textOf(row.content)) : textOf(row.name);
    const shownAs = isOwned ? `${title} of ${nameOf(users, ownerId)}` : title;
    const key = isPrincipal ? readPrincipal(textOf(row.content)) : readSshKey(textOf(row.content));
    if (key === undefined || fingerprints.has(key.fingerprint) || (isOwned ? !isUser(users, ownerId) : type !== keyTypes.deploy)) {
      report.without("SSH keys that Hearth refuses", shownAs);
      continue;
    }
    fingerprints.add(key.fingerprint);
    const isTaken = isOwned && titles.has(`${ownerId}\0${title}`);
    titles.add(`${ownerId}\0${title}`);
    batch.add("public_keys", {
      id,
      account_id: isOwned ? ownerId : null,
      title: isOwned ? (isTaken ? `${title} (${id})` : title) : "",
      content: key.content,
      fingerprint: key.fingerprint,
      is_principal: isPrincipal ? 1 : 0,
      created_ms: millisOf(row.created_unix),
      last_used_ms: 0,
    });
  }
  report.count("SSH keys", batch.size("public_keys"));
}

const readPrincipal = (content: string): ReturnType<typeof parsePublicKey> => ({ content, fingerprint: titleOfPrincipal(content) });

function readSshKey(content: string): ReturnType<typeof parsePublicKey> | undefined {
  try {
    return parsePublicKey(content);
  } catch (error) {
    if (error instanceof KeyProblem) return undefined;
    throw error;
  }
}

async function addGpgKeys({ source, report }: Conversion, users: Users, batch: Batch): Promise<void> {
  const rows = await source.database.all("select * from gpg_key order by id");
  const imports = await source.database.all("select * from gpg_key_import");
  const contents = new Map(imports.map((row) => [textOf(row.key_id), textOf(row.content)]));
  const primaries = rows.filter((row) => textOf(row.primary_key_id) === "");
  for (const row of primaries) {
    const keyId = textOf(row.key_id);
    const certificate = readGpgKey(contents.get(keyId) ?? "");
    if (certificate === undefined || !isUser(users, numberOf(row.owner_id))) {
      report.without("OpenPGP keys that Hearth refuses", `${keyId} of ${nameOf(users, numberOf(row.owner_id))}`);
      continue;
    }
    addCertificate(batch, certificate, { row, rows });
  }
  report.count("OpenPGP keys", primaries.length);
}

function readGpgKey(armored: string): Certificate | undefined {
  try {
    return readCertificate(armored);
  } catch (error) {
    if (error instanceof FormatProblem) return undefined;
    throw error;
  }
}

function addCertificate(
  batch: Batch,
  { primary, subkeys, emails, bytes }: Certificate,
  from: { readonly row: ForeignRow; readonly rows: readonly ForeignRow[] },
): void {
  const { row, rows } = from;
  const [id, accountId] = [numberOf(row.id), numberOf(row.owner_id)];
  const created = millisOf(row.added_unix);
  const columns = ({ packet, revocation, expiresMs, ...key }: CertifiedKey) => ({
    account_id: accountId,
    fingerprint: packet.fingerprint,
    key_id: packet.keyId,
    packet: packet.body.toString("base64"),
    can_sign: key.canSign ? 1 : 0,
    can_certify: key.canCertify ? 1 : 0,
    can_encrypt_comms: key.canEncryptComms ? 1 : 0,
    can_encrypt_storage: key.canEncryptStorage ? 1 : 0,
    is_verified: flagOf(row.verified),
    key_created_ms: packet.createdMs,
    expires_ms: expiresMs,
    revoked_ms: revocation?.atMs ?? null,
    is_revocation_soft: revocation?.isSoft ? 1 : 0,
    created_ms: created,
  });
  const folded = [...new Set(emails.map(foldEmail))];
  batch.add("gpg_keys", { ...columns(primary), id, primary_id: null, content: bytes.toString("base64"), emails: JSON.stringify(folded) });
  for (const subkey of subkeys) {
    const known = rows.find((one) => textOf(one.key_id) === subkey.packet.keyId && textOf(one.primary_key_id) === primary.packet.keyId);
    // Subkeys that Gitea did not store cannot be found by an id.
    if (known !== undefined) batch.add("gpg_keys", { ...columns(subkey), id: numberOf(known.id), primary_id: id, content: "", emails: "[]" });
  }
}

/** Data that Hearth does not have, or that cannot be moved. */
async function listOthers({ source, report }: Conversion, users: Users): Promise<void> {
  const { database } = source;
  for (const row of await database.all("select distinct user_id from webauthn_credential order by user_id"))
    report.without("security keys: these users sign in without them", nameOf(users, numberOf(row.user_id)));
  const tables = [
    ["user_open_id", "OpenID 2.0 addresses"],
    ["package", "packages"],
    ["project", "projects"],
    ["badge", "badges"],
    ["repo_transfer", "pending transfers of repositories"],
    ["team_invite", "invitations to teams"],
    ["hook_task", "past deliveries of webhooks"],
    ["renamed_branch", "redirects from former names of branches"],
    ["review_state", "marks of viewed files"],
  ] as const satisfies readonly (readonly [string, string, string?])[];
  for (const [table, subject, condition = ""] of tables) {
    const [row] = await database.all(`select count(*) as n from "${table}"${condition}`);
    report.without(subject, numberOf(row?.n));
  }
}
