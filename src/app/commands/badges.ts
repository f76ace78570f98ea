import { createBadge, deleteBadge, listBadges } from "../../features/site/admin/service/badges.ts";
import { type Command, defineCommand } from "./command.ts";

/** Administrators give badges to users through the API. Only the operator creates and deletes badges. */
export const badgeCommands: readonly Command[] = [
  defineCommand({
    words: "badge create",
    operands: ["SLUG", "DESCRIPTION"],
    summary: "create a badge that administrators can give to users",
    flags: { image: { value: "URL", help: "URL of its image" } },
    async run({ db }, [slug = "", description = ""], flags) {
      await createBadge({ db }, { slug, description, imageUrl: flags.image ?? "" });
      return `created badge ${slug}\n`;
    },
  }),

  defineCommand({
    words: "badge list",
    operands: [],
    summary: "list the badges",
    flags: {},
    async run({ db }) {
      return (await listBadges({ db })).map(({ slug, description, imageUrl }) => `${[slug, description, imageUrl].join("\t")}\n`).join("");
    },
  }),

  defineCommand({
    words: "badge delete",
    operands: ["SLUG"],
    summary: "delete a badge and take it from all users",
    flags: {},
    async run({ db }, [slug = ""]) {
      await deleteBadge({ db }, slug);
      return `deleted badge ${slug}\n`;
    },
  }),
];
