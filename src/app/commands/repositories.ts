import { operator } from "../../access/actor.ts";
import type { RepositorySubject } from "../../access/subjects.ts";
import { ConfigError } from "../../config/config.ts";
import { ForgeError, isForgeError } from "../../core/errors.ts";
import { formatTime } from "../../core/time.ts";
import type { Reader } from "../../db/db.ts";
import { findNamedAccount } from "../../features/accounts/users/service/accounts.ts";
import type { RepositoryView } from "../../features/repositories/repos/model.ts";
import { deleteRepository } from "../../features/repositories/repos/service/delete.ts";
import { findRepository } from "../../features/repositories/repos/service/find.ts";
import { listDeletedRepositories, purgeDeletedRepository, restoreRepository } from "../../features/repositories/repos/service/restore.ts";
import { listAllRepositories, listOwnedRepositories } from "../../features/repositories/repos/service/search.ts";
import { startTransfer } from "../../features/repositories/transfers/service.ts";
import { type Command, defineCommand } from "./command.ts";

const everything = { page: 1, limit: 100_000, offset: 0 } as const;

export const repositoryCommands: readonly Command[] = [
  defineCommand({
    words: "repo list",
    operands: [],
    summary: "list repositories: id, name, flags, bytes on disk",
    flags: { owner: { value: "NAME", help: "only repositories of this user or organization" } },
    async run({ db }, _operands, { owner }) {
      const found =
        owner === undefined
          ? await listAllRepositories({ db }, operator, everything)
          : await listOwnedRepositories({ db }, operator, (await findNamedAccount({ db }, owner, operator)).id, everything);
      return found.items.map(lineOf).join("");
    },
  }),

  defineCommand({
    words: "repo delete",
    operands: ["OWNER/NAME"],
    summary: "delete a repository; it can be restored for some days",
    flags: {},
    async run({ db }, [fullName = ""]) {
      const repository = await namedRepository(db, fullName);
      await deleteRepository({ db }, operator, repository);
      return `deleted ${repository.fullName}; hearth admin repo restore ${repository.id} restores it\n`;
    },
  }),

  defineCommand({
    words: "repo transfer",
    operands: ["OWNER/NAME", "NEW-OWNER"],
    summary: "transfer a repository to another user or organization, without confirmation",
    flags: {},
    async run({ db, config }, [fullName = "", newOwner = ""]) {
      const repository = await namedRepository(db, fullName);
      await startTransfer({ db, config }, operator, repository, { newOwner, teamIds: [] });
      return `transferred ${repository.fullName} to ${newOwner}\n`;
    },
  }),

  defineCommand({
    words: "repo list-deleted",
    operands: [],
    summary: "list deleted repositories: id, name, time of deletion, time of expiry",
    flags: {},
    async run({ db, config }) {
      const { items } = await listDeletedRepositories({ db, config }, everything);
      return items
        .map(
          ({ id, ownerName, name, deletedMs, keptUntilMs }) => `${[id, `${ownerName}/${name}`, formatTime(deletedMs), formatTime(keptUntilMs)].join("\t")}\n`,
        )
        .join("");
    },
  }),

  defineCommand({
    words: "repo restore",
    operands: ["NUMBER"],
    summary: "restore a deleted repository",
    flags: { name: { value: "NAME", help: "new name, if the old one is in use" } },
    async run({ db }, [id = ""], flags) {
      const { fullName } = await deletedOnly(id, (number) => restoreRepository({ db }, operator, number, flags.name));
      return `restored ${fullName}\n`;
    },
  }),

  defineCommand({
    words: "repo purge",
    operands: ["NUMBER"],
    summary: "permanently delete a deleted repository",
    flags: {},
    async run({ db }, [id = ""]) {
      await deletedOnly(id, (number) => purgeDeletedRepository({ db }, operator, number));
      return `deleted repository ${id} permanently\n`;
    },
  }),
];

const lineOf = (view: RepositoryView): string => {
  const words = [view.isPrivate ? "private" : "public"];
  if (view.isArchived) words.push("archived");
  if (view.isFork) words.push("fork");
  if (view.isMirror) words.push("mirror");
  if (view.isTemplate) words.push("template");
  return `${[view.id, `${view.owner.name}/${view.name}`, words.join(","), view.sizeBytes].join("\t")}\n`;
};

/** Finds a repository by its current full name. @throws ForgeError `not_found` */
async function namedRepository(db: Reader, fullName: string): Promise<RepositorySubject> {
  const [owner = "", name = "", ...rest] = fullName.split("/");
  if (name === "" || rest.length > 0) throw new ConfigError(`write OWNER/NAME, not ${fullName}`);
  const found = await findRepository({ db }, owner, name, operator).catch((error: unknown) => {
    throw isForgeError(error, "not_found") ? new ForgeError("not_found", `repository ${fullName} does not exist`) : error;
  });
  if ("movedTo" in found) throw new ForgeError("not_found", `${fullName} was renamed or transferred to ${found.movedTo}`);
  return found.subject;
}

/** @throws ForgeError `not_found` for an id that no deleted repository has */
async function deletedOnly<T>(number: string, work: (id: number) => Promise<T>): Promise<T> {
  if (!/^[1-9]\d{0,14}$/.test(number)) throw new ConfigError(`write the id of a repository, not ${number}; \`hearth admin repo list-deleted\` lists them`);
  return work(Number(number)).catch((error: unknown) => {
    throw isForgeError(error, "not_found") ? new ForgeError("not_found", `deleted repository ${number} does not exist`) : error;
  });
}
