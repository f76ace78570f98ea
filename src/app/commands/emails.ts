import { searchEmails } from "../../features/accounts/users/service/emails.ts";
import { type Command, defineCommand } from "./command.ts";

/** More addresses than this are looked for by a part of them. */
const maxShown = 1_000;

export const emailCommands: readonly Command[] = [
  defineCommand({
    words: "email list",
    operands: [],
    summary: "list addresses: whose they are, whether shown to be his, which is the first",
    flags: { query: { value: "TEXT", help: "only those that hold this, or whose user's name does" } },
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
