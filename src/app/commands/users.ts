import { operator } from "../../access/actor.ts";
import { parseScopes } from "../../access/scopes.ts";
import { ForgeError, invalid } from "../../core/errors.ts";
import { isValidEmail } from "../../core/names.ts";
import { randomPassword, randomToken } from "../../core/secrets.ts";
import type { Db } from "../../db/db.ts";
import { hashPassword, minPasswordLength } from "../../features/users/passwords.ts";
import { checkAccountName, findUserByName, insertUser, nameInUse, setPassword } from "../../features/users/service/accounts.ts";
import { searchUsers } from "../../features/users/service/search.ts";
import { insertTokenFor } from "../../features/users/service/tokens.ts";
import type { UserView } from "../../features/users/view.ts";
import { type Command, defineCommand } from "./command.ts";

const password = { value: "TEXT", help: "the password, instead of one that is made up and shown once" } as const;

export const userCommands: readonly Command[] = [
  defineCommand({
    words: "user create",
    operands: ["NAME", "EMAIL"],
    summary: "make a user",
    flags: { admin: { help: "an administrator" }, password, "must-change-password": { help: "the user must choose another password first" } },
    async run({ db, clock }, [name = "", email = ""], flags) {
      checkAccountName(name);
      if (!isValidEmail(email)) throw invalid(`${email} is no e-mail address`);
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
      return `made ${name}${shown}\n`;
    },
  }),

  defineCommand({
    words: "user list",
    operands: [],
    summary: "list the users: number, name, address, what they are",
    flags: {},
    async run({ db }) {
      const { items } = await searchUsers({ db }, operator, { text: "", sort: "oldest" }, { page: 1, limit: 100_000, offset: 0 });
      return items.map(lineOf).join("");
    },
  }),

  defineCommand({
    words: "user reset-password",
    operands: ["NAME"],
    summary: "give a user another password",
    flags: { password },
    async run({ db }, [name = ""], flags) {
      const user = await namedUser(db, name);
      const { password, shown } = choosePassword(flags.password);
      const passwordHash = await hashPassword(password);
      await db.tx((tx) => setPassword(tx, operator, user, passwordHash));
      return `${user.name} has a new password${shown}\n`;
    },
  }),

  defineCommand({
    words: "user token",
    operands: ["NAME"],
    summary: "make an access token, which is shown once",
    flags: { scopes: { value: "LIST", help: "what it may do, separated by commas; all without it" }, name: { value: "TEXT", help: "the name of the token" } },
    async run({ db, clock }, [name = ""], flags) {
      const user = await namedUser(db, name);
      const scopes = parseScopes((flags.scopes ?? "all").split(","));
      if ("unknown" in scopes) throw invalid(`there is no scope ${scopes.unknown}`);
      const text = randomToken();
      const now = clock.now();
      const title = flags.name ?? `command line ${new Date(now).toISOString()}`;
      await db.tx((tx) => insertTokenFor(tx, operator, { accountId: user.id, name: title, text, scopes, now }));
      return `${text}\n`;
    },
  }),
];

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
  if (given.length < minPasswordLength) throw invalid(`a password has at least ${minPasswordLength} characters`);
  return { password: given, shown: "" };
}

/** @throws ForgeError `not_found` */
export async function namedUser(db: Db, name: string): Promise<UserView> {
  const user = await findUserByName({ db }, name);
  if (user === undefined) throw new ForgeError("not_found", `there is no user ${name}`);
  return user;
}
