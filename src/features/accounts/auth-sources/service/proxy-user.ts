import type { Config } from "../../../../config/config.ts";
import { forbidden, isForgeError } from "../../../../core/errors.ts";
import { checkAccountName } from "../../users/service/accounts.ts";
import { findSignInAccount, findSignInAccountByName, type SignInAccount } from "../../users/service/sign-in-accounts.ts";
import { type RegisterDeps, registerPerson } from "./register.ts";

export interface ProxyUserDeps extends RegisterDeps {
  readonly config: Pick<Config, "proxy_sign_in">;
}

/** The proxy as a source of users. Their accounts are local. */
const proxy = { id: 0, name: "The proxy" };

/**
 * The account of a user whom a trusted proxy has signed in, by name. Created now if that is allowed.
 * @throws ForgeError `forbidden` with a reason for the user
 */
export async function accountOfProxyUser(
  deps: ProxyUserDeps,
  person: { readonly name: string; readonly email: string; readonly fullName: string },
): Promise<SignInAccount> {
  const account = (await findSignInAccountByName(deps, person.name)) ?? (await register(deps, person));
  if (!account.maySignIn)
    throw forbidden("This account is prohibited from signing in, please contact your site administrator.", { reason: "sign_in_prohibited" });
  return account;
}

async function register(deps: ProxyUserDeps, person: { readonly name: string; readonly email: string; readonly fullName: string }): Promise<SignInAccount> {
  const name = JSON.stringify(person.name);
  if (!deps.config.proxy_sign_in.auto_register)
    throw forbidden(`The proxy has signed you in as ${name}, but there is no such account here. Ask an administrator for one.`, {
      reason: { code: "proxy_account_missing", name },
    });
  try {
    // The account is found again by exactly this name, so the name is not altered.
    checkAccountName(person.name);
  } catch (error) {
    if (!isForgeError(error)) throw error;
    throw forbidden(`The proxy has signed you in as ${name}, which is not a valid account name. Ask an administrator of this server.`, {
      reason: { code: "proxy_name_invalid", name },
    });
  }
  try {
    const attributes = { ...person, isAdmin: undefined, isRestricted: undefined };
    return await findSignInAccount(deps, await registerPerson(deps, proxy, attributes, ""));
  } catch (error) {
    // Of two concurrent first requests, one creates the account.
    const made = await findSignInAccountByName(deps, person.name);
    if (made === undefined) throw error;
    return made;
  }
}
