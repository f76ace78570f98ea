import { searchEmails } from "../../features/accounts/users/service/emails.ts";
import { type Command, defineCommand } from "./command.ts";

/** Maximum number of addresses to list; narrow the search beyond that. */
const maxShown = 1_000;

export const emailCommands: readonly Command[] = [
  defineCommand({
    words: "email list",
    operands: [],
    summary: "list email addresses: user, verified, primary",
    flags: { query: { value: "TEXT", help: "only addresses or user names that contain this" } },
    async run({ db }, _operands, { query = "" }) {
      const { items } = await searchEmails({ db }, query, { page: 1, limit: maxShown, offset: 0 });
      return items
        .map(
          ({ email, accountName, isVerified, isPrimary }) =>
            `${[email, accountName, isVerified ? "verified" : "unverified", isPrimary ? "primary" : "further"].join("\t")}\n`,
        )
        .join("");
    },
  }),
];
