import { endTrial, isTrial } from "../../db/trial.ts";
import { resumePushes } from "../../features/repositories/mirrors/service/push.ts";
import { type Command, defineCommand } from "./command.ts";

export const trialCommands: readonly Command[] = [
  defineCommand({
    words: "end-trial",
    operands: [],
    summary: "let mirrors and scheduled workflows run, which wait after `import gitea` without --final",
    flags: {},
    run: ({ db }) =>
      db.tx(async (tx) => {
        if (!(await isTrial(tx))) return "this server is not in a trial\n";
        await endTrial(tx);
        await resumePushes(tx);
        return "the trial has ended: mirrors and scheduled workflows run\n";
      }),
  }),
];
