import { operator } from "../../access/actor.ts";
import type { OrganizationSubject } from "../../access/subjects.ts";
import { ConfigError } from "../../config/config.ts";
import { ForgeError, isForgeError } from "../../core/errors.ts";
import type { Reader } from "../../db/db.ts";
import type { OrganizationView } from "../../features/organizations/orgs/model.ts";
import { findOrganization } from "../../features/organizations/orgs/service/find.ts";
import { listAllOrganizations } from "../../features/organizations/orgs/service/lists.ts";
import { createOrganization, deleteOrganization, renameOrganization } from "../../features/organizations/orgs/service/organizations.ts";
import { purgeOrganization } from "../../features/site/admin/service/delete-organization.ts";
import { type Command, defineCommand } from "./command.ts";
import { namedUser } from "./users.ts";

export const organizationCommands: readonly Command[] = [
  defineCommand({
    words: "org create",
    operands: ["NAME", "OWNER"],
    summary: "create an organization with a user as its first owner",
    flags: {
      "full-name": { value: "TEXT", help: "full name" },
      visibility: { value: "KIND", help: "public, limited or private; default: public" },
    },
    async run({ db, clock }, [name = "", owner = ""], flags) {
      const input = {
        name,
        fullName: flags["full-name"] ?? "",
        email: "",
        description: "",
        website: "",
        location: "",
        visibility: readVisibility(flags.visibility ?? "public"),
        repoAdminChangeTeamAccess: false,
      };
      await createOrganization({ db, clock }, operator, { id: (await namedUser(db, owner)).id, kind: "user" }, input);
      return `created organization ${name}\n`;
    },
  }),

  defineCommand({
    words: "org list",
    operands: [],
    summary: "list organizations: id, name, visibility",
    flags: {},
    async run({ db }) {
      const { items } = await listAllOrganizations({ db }, { page: 1, limit: 100_000, offset: 0 });
      return items.map(({ id, name, visibility }) => `${[id, name, visibility].join("\t")}\n`).join("");
    },
  }),

  defineCommand({
    words: "org rename",
    operands: ["NAME", "NEW-NAME"],
    summary: "rename an organization; the old name redirects to the new one",
    flags: {},
    async run({ db, clock }, [name = "", other = ""]) {
      const organization = await namedOrganization(db, name);
      await renameOrganization({ db, clock }, operator, organization, other);
      return `renamed ${organization.name} to ${other}\n`;
    },
  }),

  defineCommand({
    words: "org delete",
    operands: ["NAME"],
    summary: "delete an organization",
    flags: { purge: { help: "also delete all repositories of the organization, which then cannot be restored" } },
    async run({ db, clock }, [name = ""], flags) {
      const organization = await namedOrganization(db, name);
      if (flags.purge === true) await purgeOrganization({ db }, operator, organization);
      else await deleteOrganization({ db, clock }, operator, organization);
      return `deleted organization ${organization.name}\n`;
    },
  }),
];

const visibilities: readonly OrganizationView["visibility"][] = ["public", "limited", "private"];

function readVisibility(word: string): OrganizationView["visibility"] {
  const visibility = visibilities.find((one) => one === word);
  if (visibility === undefined) throw new ConfigError(`--visibility takes ${visibilities.join(", ")}, not ${word}`);
  return visibility;
}

/** Finds an organization by its current name. @throws ForgeError `not_found` */
async function namedOrganization(db: Reader, name: string): Promise<OrganizationSubject> {
  const found = await findOrganization({ db }, name, operator).catch((error: unknown) => {
    throw isForgeError(error, "not_found") ? new ForgeError("not_found", `organization ${name} does not exist`) : error;
  });
  if ("movedTo" in found) throw new ForgeError("not_found", `${name} was renamed to ${found.movedTo}`);
  return found.subject;
}
