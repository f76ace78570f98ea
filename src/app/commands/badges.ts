import { createBadge, deleteBadge, listBadges } from "../../features/site/admin/service/badges.ts";
import { type Command, defineCommand } from "./command.ts";

/** Users get badges from administrators through the interface; what badges there are is the operator's to say. */
export const badgeCommands: readonly Command[] = [
  defineCommand({
    words: "badge create",
    operands: ["SLUG", "DESCRIPTION"],
    summary: "make a badge that administrators can give to users",
    flags: { image: { value: "URL", help: "the address of its picture" } },
    async run({ db }, [slug = "", description = ""], flags) {
      await createBadge({ db }, { slug, description, imageUrl: flags.image ?? "" });
      return `made the badge ${slug}\n`;
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
    summary: "take a badge away from everybody",
    flags: {},
    async run({ db }, [slug = ""]) {
      await deleteBadge({ db }, slug);
      return `${slug} is gone\n`;
    },
  }),
];
