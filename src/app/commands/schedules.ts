import { operator } from "../../access/actor.ts";
import { formatTime } from "../../core/time.ts";
import { listAllSchedules, runSchedule } from "../../features/site/admin/service/schedules.ts";
import { type Command, defineCommand } from "./command.ts";

export const scheduleCommands: readonly Command[] = [
  defineCommand({
    words: "cron list",
    operands: [],
    summary: "what the server does at regular times: name, next time, last time, how often so far",
    flags: {},
    async run({ db }) {
      const lines = (await listAllSchedules({ db })).map(({ name, nextRunMs, lastRunMs, runs }) =>
        [name, formatTime(nextRunMs), lastRunMs === null ? "-" : formatTime(lastRunMs), runs].join("\t"),
      );
      return lines.map((line) => `${line}\n`).join("");
    },
  }),

  defineCommand({
    words: "cron run",
    operands: ["TASK"],
    summary: "run one of these tasks now",
    flags: {},
    async run({ db }, [name = ""]) {
      await runSchedule({ db }, operator, name);
      return `${name} is asked for; a server that runs begins within half a minute\n`;
    },
  }),
];
