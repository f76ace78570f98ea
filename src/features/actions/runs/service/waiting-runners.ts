import type { Clock } from "../../../../core/clock.ts";
import type { Log } from "../../../../core/log.ts";
import type { Db } from "../../../../db/db.ts";
import type { RunnerView } from "../../runners/model.ts";
import { listWaiting, type WaitingJob } from "../store/queue.ts";
import type { Claim } from "./tasks.ts";

/** Hands jobs to the runners whose requests are held by this process. */
export interface WaitingRunners {
  /** Resolves with a claimed task as soon as there is one, or with undefined at the deadline or when the request ends. */
  wait(runner: RunnerView, untilMs: number, signal: AbortSignal): Promise<number | undefined>;
  close(): void;
}

export interface WaitingRunnersDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly claim: (runner: RunnerView, jobId: number) => Promise<Claim>;
}

interface Waiter {
  readonly runner: RunnerView;
  settle: (taskId: number | undefined) => void;
  isTaken: boolean;
  /** The queue was read for it. */
  isServed: boolean;
}

/** Other processes can add jobs, and a commit can be missed: with a held request, this process looks so often. */
const pollMs = 2_000;
const batch = 100;
/** Concurrent transactions share the time that the disk needs. */
const claimsAtOnce = 8;

/** A runner executes jobs of its repository, of the repositories of its account, or all; and only with all labels of the job. */
const mayRun = (runner: RunnerView, job: WaitingJob): boolean =>
  (runner.repoId === null || runner.repoId === job.repoId) &&
  (runner.ownerId === null || runner.ownerId === job.ownerId) &&
  job.labels.every((label) => runner.labels.includes(label));

export function createWaitingRunners({ db, log, claim }: WaitingRunnersDeps): WaitingRunners {
  /** In the order of their arrival: the runner that has waited longest comes first. */
  const waiters = new Set<Waiter>();
  let round: Promise<void> | undefined;
  let isWoken = false;
  let timer: NodeJS.Timeout | undefined;

  const wake = (): void => {
    isWoken = true;
    if (waiters.size === 0 || round !== undefined) return;
    round = look()
      .catch((error: unknown) => log.warn({ err: error }, "jobs could not be handed to waiting runners; trying again"))
      .finally(() => {
        round = undefined;
        if (isWoken) wake();
      });
  };

  /** One statement for all waiting runners together, and a transaction for each job that is handed out. */
  const look = async (): Promise<void> => {
    isWoken = false;
    const served = [...waiters];
    let after = { rank: -1, id: 0 };
    for (;;) {
      const runners = [...waiters].map(({ runner }) => runner);
      if (runners.length === 0) return;
      const jobs = await listWaiting(db, {
        labels: [...new Set(runners.flatMap(({ labels }) => labels))],
        repoIds: runners.flatMap(({ repoId }) => repoId ?? []),
        ownerIds: runners.flatMap(({ ownerId }) => ownerId ?? []),
        isGlobal: runners.some(({ repoId, ownerId }) => repoId === null && ownerId === null),
        after,
        limit: batch,
      });
      for (let at = 0; at < jobs.length; at += claimsAtOnce) await Promise.all(jobs.slice(at, at + claimsAtOnce).map(handOut));
      const last = jobs.at(-1);
      if (last === undefined || jobs.length < batch) {
        for (const waiter of served) waiter.isServed = true;
        return;
      }
      after = { rank: last.queueRank, id: last.id };
    }
  };

  const handOut = async (job: WaitingJob): Promise<void> => {
    const waiter = [...waiters].find(({ runner, isTaken }) => !isTaken && mayRun(runner, job));
    if (waiter === undefined) return;
    waiter.isTaken = true;
    try {
      const claimed = await claim(waiter.runner, job.id);
      if (claimed === "taken") return;
      waiters.delete(waiter);
      waiter.settle(claimed === "refused" ? undefined : claimed);
      if (claimed === "refused") await handOut(job);
    } catch (error) {
      // One job that cannot be claimed does not stop the others.
      log.error({ err: error, meta: { jobId: job.id } }, "a job could not be handed to a runner");
    } finally {
      waiter.isTaken = false;
    }
  };

  const unlisten = db.listen("actions", (value) => {
    if (value === "waiting") wake();
  });

  const poll = (): void => {
    clearTimeout(timer);
    if (waiters.size === 0) return;
    timer = setTimeout(() => {
      wake();
      poll();
    }, pollMs);
    timer.unref();
  };

  return {
    wait(runner, untilMs, signal) {
      return new Promise((resolve) => {
        const waiter: Waiter = { runner, isTaken: false, isServed: false, settle: resolve };
        const leave = (): void => {
          // A claim under way completes first, and so does the first reading of the queue for a runner with a short deadline.
          if (waiter.isTaken || (!waiter.isServed && round !== undefined && !signal.aborted)) setTimeout(leave, 5).unref();
          else if (waiters.delete(waiter)) resolve(undefined);
        };
        const deadline = setTimeout(leave, Math.max(0, untilMs));
        signal.addEventListener("abort", leave, { once: true });
        waiter.settle = (taskId) => {
          clearTimeout(deadline);
          signal.removeEventListener("abort", leave);
          resolve(taskId);
        };
        waiters.add(waiter);
        if (waiters.size === 1) poll();
        wake();
      });
    },
    close() {
      unlisten();
      clearTimeout(timer);
      for (const waiter of waiters) waiter.settle(undefined);
      waiters.clear();
    },
  };
}
