import { operator } from "../../access/actor.ts";
import { ConfigError } from "../../config/config.ts";
import { formatTime, parseTime } from "../../core/time.ts";
import type { AuditEntry } from "../../features/site/audit/model.ts";
import { listAudit, pruneAudit } from "../../features/site/audit/service.ts";
import { type Command, defineCommand } from "./command.ts";

const time = { value: "TIME", help: "such as 2026-01-02T15:04:05Z" } as const;
const defaultLimit = 100;

export const auditCommands: readonly Command[] = [
  defineCommand({
    words: "audit list",
    operands: [],
    summary: "list changes of access, newest first",
    flags: {
      actor: { value: "NAME", help: "only changes made by this user" },
      account: { value: "NAME", help: "only changes of this user's access" },
      action: { value: "ACTION", help: "only this action (team.created), or all actions of one kind (team)" },
      target: { value: "NAME", help: "only changes of this resource: acme, acme/site, acme:developers" },
      since: { ...time, help: `only changes since this time, ${time.help}` },
      before: { ...time, help: "only changes before this time" },
      limit: { value: "N", help: `maximum number of entries; default: ${defaultLimit}` },
    },
    async run({ db }, _operands, { since, before, limit, ...filter }) {
      const query = { ...filter, sinceMs: readTime(since), beforeMs: readTime(before), limit: readLimit(limit) };
      const { entries } = await listAudit({ db }, operator, query);
      return entries.map(lineOf).join("");
    },
  }),

  defineCommand({
    words: "audit prune",
    operands: ["TIME"],
    summary: "delete the entries before a time; this is recorded in the log",
    flags: {},
    async run({ db }, [text]) {
      const count = await pruneAudit({ db }, operator, readTime(text) ?? 0);
      return `deleted ${count} entries\n`;
    },
  }),
];

const lineOf = ({ createdMs, action, actor, actingAs, carrier, address, target, account, details }: AuditEntry): string => {
  const who =
    actor.name === "" ? carrier : `${actor.name}${actingAs === null ? "" : ` as ${actingAs.name}`} (${[carrier, address].filter(Boolean).join(", ")})`;
  const what = `${target.kind} ${target.name}`.trim();
  const whose = account === null || account.name === target.name ? "" : account.name;
  return `${[formatTime(createdMs), who, action, what, whose, JSON.stringify(details)].join("\t")}\n`;
};

function readTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseTime(text);
  if (ms === undefined) throw new ConfigError(`${text} is not a time such as 2026-01-02T15:04:05Z`);
  return ms;
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return defaultLimit;
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new ConfigError(`--limit needs a number, not ${text}`);
  return Number(text);
}
