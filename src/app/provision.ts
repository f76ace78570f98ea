import { allScopes } from "../access/scopes.ts";
import { type Config, ConfigError } from "../config/config.ts";
import type { Clock } from "../core/clock.ts";
import { isValidEmail } from "../core/names.ts";
import { randomPassword } from "../core/secrets.ts";
import type { Db } from "../db/db.ts";
import { minPasswordLength } from "../features/accounts/users/passwords.ts";
import { checkAccountName, hasAnyUser, insertUser } from "../features/accounts/users/service/accounts.ts";
import { insertTokenFor } from "../features/accounts/users/service/tokens.ts";

/** The message about the first administrator; includes the password only if it was generated. */
export interface Provisioned {
  readonly name: string;
  readonly generatedPassword: string | undefined;
}

export interface ProvisionDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: Config;
  hashPassword(password: string): Promise<string>;
}

/**
 * Creates the first administrator of a server without users, in one transaction. A server with users is not changed.
 * @throws ConfigError for an invalid configured name, address or password
 */
export async function provisionAdministrator(deps: ProvisionDeps): Promise<Provisioned | undefined> {
  const { db, clock } = deps;
  if (await hasAnyUser(db)) return undefined;
  const { username, email, password, token } = deps.config.admin;
  const name = username === "" ? "root" : username;
  const address = email === "" ? `${name}@localhost` : email;
  try {
    checkAccountName(name);
  } catch (error) {
    throw new ConfigError(`HEARTH_ADMIN_USERNAME: ${(error as Error).message}`, { cause: error });
  }
  if (!isValidEmail(address)) throw new ConfigError(`HEARTH_ADMIN_EMAIL: ${address} is not an email address`);
  if (password !== "" && password.length < minPasswordLength) throw new ConfigError(`HEARTH_ADMIN_PASSWORD needs at least ${minPasswordLength} characters`);
  const secret = password === "" ? randomPassword() : password;
  const passwordHash = await deps.hashPassword(secret);
  const isMade = await db.tx(async (tx) => {
    if (await hasAnyUser(tx)) return false;
    const now = clock.now();
    const id = await insertUser(
      tx,
      {
        name,
        email: address,
        fullName: "",
        passwordHash,
        isAdmin: true,
        isRestricted: false,
        mustChangePassword: false,
        visibility: "public",
        loginName: "",
        createdMs: now,
      },
      null,
    );
    if (token !== "") await insertTokenFor(tx, null, { accountId: id, name: "provisioned", text: token, scopes: allScopes, now });
    return true;
  });
  return isMade ? { name, generatedPassword: password === "" ? secret : undefined } : undefined;
}
