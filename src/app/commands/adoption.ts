import { join } from "node:path";
import { operator } from "../../access/actor.ts";
import { ConfigError } from "../../config/config.ts";
import { ForgeError, isForgeError } from "../../core/errors.ts";
import { adoptRepository, deleteUnadopted, listUnadopted } from "../../features/repositories/adoption/service.ts";
import { openGitStores } from "../../git/stores.ts";
import { type Command, type CommandContext, defineCommand } from "./command.ts";

const everything = { page: 1, limit: 100_000, offset: 0 } as const;

/** What an operator put on the disk, by the names that it has there. */
export const adoptionCommands: readonly Command[] = [
  defineCommand({
    words: "repo unadopted",
    operands: [],
    summary: "list what lies in the folder adopt/ and is no repository of the server yet",
    flags: { pattern: { value: "PATTERN", help: "only these: own*/rep*" } },
    run: async (context, _operands, { pattern = "" }) => (await listUnadopted(context, pattern, everything)).items.map((name) => `${name}\n`).join(""),
  }),

  defineCommand({
    words: "repo adopt",
    operands: ["OWNER/NAME"],
    summary: "make a private repository of one that lies there",
    flags: {},
    async run(context, [fullName = ""]) {
      await unadopted(fullName, (owner, name) => adopt(context, owner, name));
      return `${fullName} is a repository now\n`;
    },
  }),

  defineCommand({
    words: "repo delete-unadopted",
    operands: ["OWNER/NAME"],
    summary: "take one that lies there off the disk, for good",
    flags: {},
    async run(context, [fullName = ""]) {
      await unadopted(fullName, (owner, name) => deleteUnadopted(context, owner, name));
      return `${fullName} is gone for good\n`;
    },
  }),
];

async function adopt({ config, db, log }: CommandContext, owner: string, name: string): Promise<void> {
  const { dataDirectory, searchPath } = config;
  const git = await openGitStores({ root: join(dataDirectory, "repositories"), log, searchPath, program: config.git.binary });
  try {
    await adoptRepository({ config, db, git }, operator, owner, name);
  } finally {
    await git.close();
  }
}

/** @throws ForgeError `not_found` in words */
async function unadopted(fullName: string, work: (owner: string, name: string) => Promise<void>): Promise<void> {
  const [owner = "", name = "", ...rest] = fullName.split("/");
  if (name === "" || rest.length > 0) throw new ConfigError(`say OWNER/NAME, not ${fullName}`);
  await work(owner, name).catch((error: unknown) => {
    throw isForgeError(error, "not_found") ? new ForgeError("not_found", `there is no ${fullName}.git in the folder adopt/, or nobody of that name`) : error;
  });
}
