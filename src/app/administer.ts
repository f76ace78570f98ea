import { join } from "node:path";
import { operator } from "../access/actor.ts";
import { parseScopes } from "../access/scopes.ts";
import { type Config, ConfigError } from "../config/config.ts";
import { systemClock } from "../core/clock.ts";
import { ForgeError, invalid } from "../core/errors.ts";
import { isValidEmail } from "../core/names.ts";
import { randomPassword, randomToken } from "../core/secrets.ts";
import type { Db } from "../db/db.ts";
import { openDatabase } from "../db/open.ts";
import { hashPassword, minPasswordLength } from "../features/users/passwords.ts";
import { checkAccountName, findUserByName, insertUser, nameInUse, setPassword } from "../features/users/service/accounts.ts";
import { searchUsers } from "../features/users/service/search.ts";
import { insertTokenFor } from "../features/users/service/tokens.ts";
import { createLog } from "./log.ts";

export interface AdminCommand {
  /** What stands behind `admin`. */
  readonly words: readonly string[];
  readonly flags: {
    readonly admin?: boolean;
    readonly password?: string;
    readonly "must-change-password"?: boolean;
    readonly scopes?: string;
    readonly name?: string;
  };
}

/**
 * `hearth admin ...`: works on the database beside a server that may be running.
 * @returns the exit code
 * @throws ConfigError or ForgeError with one line for the operator
 */
export async function administer(config: Config, command: AdminCommand, print: (text: string) => number): Promise<number> {
  const [noun, verb, ...names] = command.words;
  const action = noun === "user" ? userActions[verb ?? ""] : undefined;
  if (action === undefined) throw new ConfigError("say what to do: admin user create | list | reset-password | token");
  const db = await openDatabase({
    url: config.database.url === "" ? join(config.dataDirectory, "hearth.db") : config.database.url,
    log: createLog("warn"),
    role: "tool",
  });
  try {
    return print(await action(db, names, command.flags));
  } finally {
    await db.close();
  }
}

type Action = (db: Db, names: readonly string[], flags: AdminCommand["flags"]) => Promise<string>;

const userActions: Readonly<Record<string, Action>> = {
  create: async (db, [name, email], flags) => {
    if (name === undefined || email === undefined) throw new ConfigError("say whom: admin user create NAME EMAIL");
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
      createdMs: systemClock.now(),
    };
    try {
      await db.tx((tx) => insertUser(tx, user, null));
    } catch (error) {
      throw nameInUse(error, name, email);
    }
    return `made ${name}${shown}\n`;
  },

  list: async (db) => {
    const { items } = await searchUsers({ db }, operator, { text: "", sort: "oldest" }, { page: 1, limit: 100_000, offset: 0 });
    return items
      .map(
        (user) =>
          `${user.id}\t${user.name}\t${user.email}\t${user.isAdmin ? "administrator" : "user"}${user.prohibitLogin || !user.isActive ? "\tmay not sign in" : ""}\n`,
      )
      .join("");
  },

  "reset-password": async (db, [name], flags) => {
    const user = await namedUser(db, name, "admin user reset-password NAME");
    const { password, shown } = choosePassword(flags.password);
    const passwordHash = await hashPassword(password);
    await db.tx((tx) => setPassword(tx, user.id, passwordHash));
    return `${user.name} has a new password${shown}\n`;
  },

  token: async (db, [name], flags) => {
    const user = await namedUser(db, name, "admin user token NAME");
    const scopes = parseScopes((flags.scopes ?? "all").split(","));
    if ("unknown" in scopes) throw invalid(`there is no scope ${scopes.unknown}`);
    const text = randomToken();
    const title = flags.name ?? `command line ${new Date(systemClock.now()).toISOString()}`;
    await db.tx((tx) => insertTokenFor(tx, { accountId: user.id, name: title, text, scopes, now: systemClock.now() }));
    return `${text}\n`;
  },
};

function choosePassword(given: string | undefined): { readonly password: string; readonly shown: string } {
  if (given === undefined) {
    const password = randomPassword();
    return { password, shown: `; the password is ${password} (shown this once)` };
  }
  if (given.length < minPasswordLength) throw invalid(`a password has at least ${minPasswordLength} characters`);
  return { password: given, shown: "" };
}

async function namedUser(db: Db, name: string | undefined, usage: string): Promise<{ readonly id: number; readonly name: string }> {
  if (name === undefined) throw new ConfigError(`say whom: ${usage}`);
  const user = await findUserByName({ db }, name);
  if (user === undefined) throw new ForgeError("not_found", `there is no user ${name}`);
  return user;
}
