import type { Clock } from "../../../../core/clock.ts";
import { forbidden, isForgeError } from "../../../../core/errors.ts";
import { isValidEmail } from "../../../../core/names.ts";
import type { Reason } from "../../../../core/reasons.ts";
import type { Db, Tx } from "../../../../db/db.ts";
import { isUniqueViolation } from "../../../../db/errors.ts";
import { checkAccountName, insertUser } from "../../users/service/accounts.ts";
import { dropClaim } from "../../users/service/sourced-accounts.ts";
import { accountName } from "../account-name.ts";
import type { ExternalPerson, SourceView } from "../model.ts";

export interface RegisterDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/**
 * Creates the account of a user from a source. Never takes over an existing account: a name or address in use is rejected.
 * @param loginName the user's name at the source
 * @param also writes that belong to the new account, in the same transaction
 * @throws ForgeError `forbidden` with a reason for the user
 */
export async function registerPerson(
  deps: RegisterDeps,
  source: Pick<SourceView, "id" | "name">,
  person: ExternalPerson,
  loginName: string,
  also: (tx: Tx, account: { readonly id: number; readonly name: string }) => Promise<void> = async () => undefined,
): Promise<number> {
  const name = accountName(person.name);
  try {
    checkAccountName(name);
  } catch (error) {
    if (!isForgeError(error)) throw error;
    const given = JSON.stringify(person.name.slice(0, 100));
    throw refusal(source, `${given} does not yield a valid account name`, { code: "source_name_invalid", source: source.name, name: given });
  }
  if (!isValidEmail(person.email))
    throw refusal(source, "it gives no verified e-mail address, which an account needs", { code: "source_email_missing", source: source.name });
  const user = {
    name,
    email: person.email,
    fullName: person.fullName.slice(0, 100),
    passwordHash: "",
    isAdmin: person.isAdmin === true,
    isRestricted: person.isRestricted === true,
    mustChangePassword: false,
    visibility: "public" as const,
    sourceId: source.id,
    loginName,
    createdMs: deps.clock.now(),
  };
  try {
    return await deps.db.tx(async (tx) => {
      await dropClaim(tx, person.email);
      const id = await insertUser(tx, user, null);
      await also(tx, { id, name });
      return id;
    });
  } catch (error) {
    if (isUniqueViolation(error, "accounts.name_folded"))
      throw refusal(source, `the name ${name} is already taken`, { code: "source_name_taken", source: source.name, name });
    if (isUniqueViolation(error, "account_emails.folded"))
      throw refusal(source, `the address ${person.email} is already taken`, { code: "source_email_taken", source: source.name, email: person.email });
    throw error;
  }
}

const refusal = (source: Pick<SourceView, "name">, message: string, reason: Reason) =>
  forbidden(`${source.name} knows you, but the account cannot be created: ${message}. Ask an administrator of this server.`, { body: "message", reason });
