import { operator } from "../../access/actor.ts";
import { ConfigError } from "../../config/config.ts";
import { ForgeError, isForgeError } from "../../core/errors.ts";
import { adoptRepository, deleteUnadopted, listUnadopted } from "../../features/repositories/adoption/service.ts";
import { openFileStores } from "../../storage/open.ts";
import { openStores } from "../stores.ts";
import { type Command, type CommandContext, defineCommand } from "./command.ts";

const everything = { page: 1, limit: 100_000, offset: 0 } as const;

/** Repositories that an operator has put in the folder adopt/, by their names there. */
export const adoptionCommands: readonly Command[] = [
  defineCommand({
    words: "repo unadopted",
    operands: [],
    summary: "list the repositories in the folder adopt/ that the server does not have yet",
    flags: { pattern: { value: "PATTERN", help: "filter by name, such as own*/rep*" } },
    run: async (context, _operands, { pattern = "" }) => (await listUnadopted(context, pattern, everything)).items.map((name) => `${name}\n`).join(""),
  }),

  defineCommand({
    words: "repo adopt",
    operands: ["OWNER/NAME"],
    summary: "create a private repository from one in the folder adopt/",
    flags: {},
    async run(context, [fullName = ""]) {
      await unadopted(fullName, (owner, name) => adopt(context, owner, name));
      return `adopted ${fullName}\n`;
    },
  }),

  defineCommand({
    words: "repo delete-unadopted",
    operands: ["OWNER/NAME"],
    summary: "permanently delete a repository from the folder adopt/",
    flags: {},
    async run(context, [fullName = ""]) {
      await unadopted(fullName, (owner, name) => deleteUnadopted(context, owner, name));
      return `deleted ${fullName} permanently\n`;
    },
  }),
];

async function adopt({ config, db, log }: CommandContext, owner: string, name: string): Promise<void> {
  const { git } = await openStores(config, { db, fileStores: openFileStores(config), log, role: "tool" });
  try {
    await adoptRepository({ config, db, git }, operator, owner, name);
  } finally {
    await git.close();
  }
}

/** @throws ForgeError `not_found` with a readable message */
async function unadopted(fullName: string, work: (owner: string, name: string) => Promise<void>): Promise<void> {
  const [owner = "", name = "", ...rest] = fullName.split("/");
  if (name === "" || rest.length > 0) throw new ConfigError(`write OWNER/NAME, not ${fullName}`);
  await work(owner, name).catch((error: unknown) => {
    throw isForgeError(error, "not_found")
      ? new ForgeError("not_found", `${fullName}.git does not exist in the folder adopt/, or its owner does not exist`)
      : error;
  });
}
