import { operator } from "../../access/actor.ts";
import { formatTime } from "../../core/time.ts";
import { listAllSchedules, runSchedule } from "../../features/site/admin/service/schedules.ts";
import { type Command, defineCommand } from "./command.ts";

export const scheduleCommands: readonly Command[] = [
  defineCommand({
    words: "cron list",
    operands: [],
    summary: "list scheduled tasks: name, next run, last run, number of runs",
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
    summary: "run a scheduled task now",
    flags: {},
    async run({ db }, [name = ""]) {
      await runSchedule({ db }, operator, name);
      return `${name} is queued; a running server starts it within half a minute\n`;
    },
  }),
];
