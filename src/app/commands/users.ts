import { operator } from "../../access/actor.ts";
import { parseScopes } from "../../access/scopes.ts";
import { ConfigError } from "../../config/config.ts";
import { ForgeError, invalid, isForgeError } from "../../core/errors.ts";
import { isValidEmail } from "../../core/names.ts";
import { randomPassword, randomToken } from "../../core/secrets.ts";
import type { Db } from "../../db/db.ts";
import type { UserChanges, UserView } from "../../features/accounts/users/model.ts";
import { hashPassword, minPasswordLength } from "../../features/accounts/users/passwords.ts";
import { checkAccountName, editUser, findUserByName, insertUser, nameInUse, renameUser, setPassword } from "../../features/accounts/users/service/accounts.ts";
import { markVerified } from "../../features/accounts/users/service/emails.ts";
import { searchUsers } from "../../features/accounts/users/service/search.ts";
import { insertTokenFor } from "../../features/accounts/users/service/tokens.ts";
import { removeTwoFactor } from "../../features/accounts/users/service/two-factor.ts";
import { deleteUser, purgeUser } from "../../features/site/admin/service/delete-user.ts";
import { type Command, defineCommand } from "./command.ts";

const password = { value: "TEXT", help: "password; by default one is generated and shown once" } as const;

export const userCommands: readonly Command[] = [
  defineCommand({
    words: "user create",
    operands: ["NAME", "EMAIL"],
    summary: "make a user",
    flags: { admin: { help: "an administrator" }, password, "must-change-password": { help: "require a password change at the first sign-in" } },
    async run({ db, clock }, [name = "", email = ""], flags) {
      checkAccountName(name);
      if (!isValidEmail(email)) throw invalid(`${email} is not an email address`);
      const { password, shown } = choosePassword(flags.password);
      const user = {
        name,
        email,
        fullName: "",
        passwordHash: await hashPassword(password),
        isAdmin: flags.admin === true,
        isRestricted: false,
        mustChangePassword: flags["must-change-password"] === true,
        visibility: "public" as const,
        loginName: "",
        createdMs: clock.now(),
      };
      try {
        await db.tx((tx) => insertUser(tx, user, operator));
      } catch (error) {
        throw nameInUse(error, name, email);
      }
      return `created user ${name}${shown}\n`;
    },
  }),

  defineCommand({
    words: "user list",
    operands: [],
    summary: "list users: id, name, email address, flags",
    flags: {},
    async run({ db }) {
      const { items } = await searchUsers({ db }, operator, { text: "", sort: "oldest" }, { page: 1, limit: 100_000, offset: 0 });
      return items.map(lineOf).join("");
    },
  }),

  defineCommand({
    words: "user reset-password",
    operands: ["NAME"],
    summary: "set a user's password",
    flags: { password },
    async run({ db }, [name = ""], flags) {
      const user = await namedUser(db, name);
      const { password, shown } = choosePassword(flags.password);
      const passwordHash = await hashPassword(password);
      await db.tx((tx) => setPassword(tx, operator, user, passwordHash));
      return `set a new password for ${user.name}${shown}\n`;
    },
  }),

  defineCommand({
    words: "user set-admin",
    operands: ["NAME", "yes|no"],
    summary: "grant or revoke site administration",
    flags: {},
    async run({ db, clock }, [name = "", word = ""]) {
      const user = await namedUser(db, name);
      const isAdmin = readYesNo(word);
      await editUser({ db, clock }, operator, user, { ...unchanged(user), isAdmin });
      return `${user.name} is ${isAdmin ? "" : "not "}an administrator\n`;
    },
  }),

  defineCommand({
    words: "user set-login",
    operands: ["NAME", "yes|no"],
    summary: "allow or block signing in; blocking revokes all credentials",
    flags: {},
    async run({ db, clock }, [name = "", word = ""]) {
      const user = await namedUser(db, name);
      const isAllowed = readYesNo(word);
      await editUser({ db, clock }, operator, user, { ...unchanged(user), prohibitLogin: !isAllowed });
      return `${user.name} can${isAllowed ? "" : "not"} sign in\n`;
    },
  }),

  defineCommand({
    words: "user verify-email",
    operands: ["NAME", "EMAIL"],
    summary: "mark an email address of a user as verified",
    flags: {},
    async run({ db }, [name = "", email = ""]) {
      const user = await namedUser(db, name);
      await db.tx((tx) => markVerified(tx, operator, user, email));
      return `${email} is a verified address of ${user.name}\n`;
    },
  }),

  defineCommand({
    words: "user rename",
    operands: ["NAME", "NEW-NAME"],
    summary: "rename a user; the old name redirects to the new one",
    flags: {},
    async run({ db, clock }, [name = "", other = ""]) {
      const user = await namedUser(db, name);
      await renameUser({ db, clock }, operator, user, other);
      return `renamed ${user.name} to ${other}\n`;
    },
  }),

  defineCommand({
    words: "user delete",
    operands: ["NAME"],
    summary: "delete a user",
    flags: { purge: { help: "also delete everything the user owns, and organizations without another owner" } },
    async run({ db }, [name = ""], flags) {
      const user = await namedUser(db, name);
      await (flags.purge === true ? purgeUser : deleteUser)({ db }, operator, user);
      return `deleted user ${user.name}\n`;
    },
  }),

  defineCommand({
    words: "user remove-two-factor",
    operands: ["NAME"],
    summary: "turn off two-factor authentication for a user who has lost app and recovery codes",
    flags: {},
    async run({ db }, [name = ""]) {
      const user = await namedUser(db, name);
      await db
        .tx((tx) => removeTwoFactor(tx, user, operator))
        .catch((error: unknown) => {
          throw isForgeError(error, "not_found") ? new ForgeError("not_found", `${user.name} does not use two-factor authentication`) : error;
        });
      return `turned off two-factor authentication for ${user.name}\n`;
    },
  }),

  defineCommand({
    words: "user token",
    operands: ["NAME"],
    summary: "create an access token, which is shown once",
    flags: { scopes: { value: "LIST", help: "scopes, separated by commas; default: all" }, name: { value: "TEXT", help: "name of the token" } },
    async run({ db, clock }, [name = ""], flags) {
      const user = await namedUser(db, name);
      const scopes = parseScopes((flags.scopes ?? "all").split(","));
      if ("unknown" in scopes) throw invalid(`scope ${scopes.unknown} does not exist`);
      const text = randomToken();
      const now = clock.now();
      const title = flags.name ?? `command line ${new Date(now).toISOString()}`;
      await db.tx((tx) => insertTokenFor(tx, operator, { accountId: user.id, name: title, text, scopes, now }));
      return `${text}\n`;
    },
  }),
];

/** An edit that changes nothing. */
const unchanged = (user: UserView): UserChanges => ({
  loginName: user.loginName,
  sourceId: user.sourceId,
  email: null,
  fullName: null,
  password: null,
  website: null,
  location: null,
  description: null,
  visibility: null,
  isActive: null,
  isAdmin: null,
  isRestricted: null,
  prohibitLogin: null,
  mustChangePassword: null,
  allowCreateOrganization: null,
  maxRepoCreation: null,
});

function readYesNo(word: string): boolean {
  if (word !== "yes" && word !== "no") throw new ConfigError(`write yes or no, not ${word}`);
  return word === "yes";
}

const lineOf = (user: UserView): string => {
  const words = [String(user.id), user.name, user.email, user.isAdmin ? "administrator" : "user"];
  if (user.prohibitLogin || !user.isActive) words.push("may not sign in");
  return `${words.join("\t")}\n`;
};

function choosePassword(given: string | undefined): { readonly password: string; readonly shown: string } {
  if (given === undefined) {
    const password = randomPassword();
    return { password, shown: `; the password is ${password} (shown this once)` };
  }
  if (given.length < minPasswordLength) throw invalid(`a password needs at least ${minPasswordLength} characters`);
  return { password: given, shown: "" };
}

/** @throws ForgeError `not_found` */
export async function namedUser(db: Db, name: string): Promise<UserView> {
  const user = await findUserByName({ db }, name);
  if (user === undefined) throw new ForgeError("not_found", `user ${name} does not exist`);
  return user;
}
