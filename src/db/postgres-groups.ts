import { unavailable } from "../core/errors.ts";
import type { CollisionGauge } from "./collision-gauge.ts";
import type { Tx } from "./db.ts";
import { convertPostgresError, driverError, isLostConnection, isRetryable, retriesExhausted, uncertainOutcome, wasNotSent } from "./errors.ts";
import type { Connection, Connections } from "./postgres-connections.ts";
import type { ServerClient } from "./postgres-servers.ts";
import type { Attempt } from "./transaction.ts";

/**
 * Runs transactions of this process one after another, several of them in one transaction of the server. While many requests change the
 * same repository, this costs one commit for all of them, and none collides with another one.
 */
export interface TransactionGroups {
  /** Whether transactions should not start on their own: many have collided a moment ago, or one in the queue has collided again and again. */
  isActive(): boolean;
  /**
   * @param attempts number of failed attempts so far; after {@link attemptsAlone}, others wait for this transaction
   * @throws ForgeError `unavailable` if it had to wait too long, or collided with other processes each time
   */
  run<T>(work: (tx: Tx) => Promise<T>, attempts: number): Promise<T>;
}

export interface GroupOptions {
  readonly begin: string;
  readonly connections: Connections;
  readonly createAttempt: (client: Connection) => ConnectedAttempt;
  readonly gauge: CollisionGauge;
  readonly maxAttempts: number;
  readonly maxWaitMs: number;
  /** Waits before another attempt. */
  readonly pause: (attempts: number) => Promise<void>;
}

export interface ConnectedAttempt extends Attempt {
  /** Resolves when the connection has executed all of its statements. */
  idle(): Promise<unknown>;
}

interface Entry {
  readonly work: (tx: Tx) => Promise<unknown>;
  /** Later entries have larger numbers. */
  readonly number: number;
  readonly sinceMs: number;
  /** Failed attempts before it entered the queue. */
  readonly attemptsBefore: number;
  /** Failed attempts in groups. */
  attempts: number;
  /** Lost connections among them. */
  losses: number;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** A transaction in a group. Its own error is reported after the commit, because it may be due to changes of the members before it. */
interface Member {
  readonly entry: Entry;
  readonly attempt: Attempt;
  outcome: { readonly value: unknown } | { readonly error: unknown };
}

/** PostgreSQL becomes slower with more than 64 subtransactions. */
const maxMembers = 32;
/** The first member of a group waits for the others. */
const maxGroupMs = 25;
/** After this many failures a transaction waits for a group, and all others wait for it. */
export const attemptsAlone = 3;
/** After this many failures a transaction has a group of its own. */
const sharedAttempts = 2;

const maxLosses = 4;
const maxLossesMs = 5_000;

/** Whether a transaction whose connection died before its commit is repeated: after a failover, all pooled connections are dead. */
export const mayRepeatLost = ({ losses, sinceMs }: Pick<Entry, "losses" | "sinceMs">): boolean =>
  losses === 1 || (losses <= maxLosses && performance.now() - sinceMs < maxLossesMs);

export function createTransactionGroups(options: GroupOptions): TransactionGroups {
  const { begin, connections, createAttempt, gauge, maxAttempts, maxWaitMs, pause } = options;
  const queue: Entry[] = [];
  let lastNumber = 0;
  let isRunning = false;
  /** Transactions in the queue that others wait for. Without that, those that run alone could collide with them each time. */
  const starving = new Set<Entry>();

  const noteFailures = (entry: Entry): void => {
    if (entry.attemptsBefore + entry.attempts >= attemptsAlone) starving.add(entry);
  };

  /** The next entry up to a number that has not waited for too long. */
  const take = (upTo: number): Entry | undefined => {
    for (;;) {
      const entry = queue[0] !== undefined && queue[0].number <= upTo ? queue.shift() : undefined;
      if (entry === undefined) return undefined;
      if (performance.now() - entry.sinceMs <= maxWaitMs) return entry;
      entry.reject(unavailable("the database is busy", { retryAfter: 5 }));
    }
  };

  /** Sent before the first statement of a member, without waiting for the outcome. */
  const openings = [begin, "savepoint member"];

  /**
   * Adds members until the group is full or old. Entries that come after its start wait for the next one: they can depend on changes that were
   * committed after the snapshot of the group.
   * @returns whether there is something to commit
   * @throws errors after which the server has to roll back the whole group
   */
  const fill = async (client: Connection, members: Member[]): Promise<boolean> => {
    const endMs = performance.now() + maxGroupMs;
    const upTo = lastNumber;
    for (let entry = take(upTo); entry !== undefined; ) {
      const attempt = createAttempt(client);
      const member: Member = { entry, attempt, outcome: { error: undefined } };
      members.push(member);
      const opened = sendAhead(client, openings[members.length - 1] ?? "release savepoint member; savepoint member");
      try {
        member.outcome = { value: await attempt.perform(entry.work) };
        await endOf(attempt, opened);
      } catch (raised) {
        await endOf(attempt, opened);
        const cause = attempt.failure()?.error ?? raised;
        member.outcome = { error: raised };
        if (isRetryable(cause) || isLostConnection(driverError(cause))) throw cause;
        await client.query(members.length === 1 ? "rollback" : "rollback to savepoint member");
        if (members.length === 1) return false;
      }
      const isAlone = entry.attempts >= sharedAttempts || (queue[0]?.attempts ?? 0) >= sharedAttempts;
      entry = isAlone || members.length >= maxMembers || performance.now() > endMs ? undefined : take(upTo);
    }
    return members.length > 0;
  };

  const settle = ({ entry, attempt, outcome }: Member): void => {
    try {
      if ("error" in outcome) throw outcome.error;
      attempt.committed();
      entry.resolve(outcome.value);
    } catch (error) {
      entry.reject(error);
    }
  };

  /** Rejects the members of a failed group, or queues them again before all others. */
  const again = async (
    members: readonly Member[],
    error: unknown,
    { isLost, isUncertain }: { readonly isLost: boolean; readonly isUncertain: boolean },
  ): Promise<void> => {
    if (isRetryable(error)) gauge.collided();
    const repeated: Entry[] = [];
    for (const { entry } of members) {
      entry.attempts += 1;
      if (isLost) entry.losses += 1;
      noteFailures(entry);
      const mayRepeat = isRetryable(error) || (isLost ? mayRepeatLost(entry) : members.length > 1);
      if (isUncertain) entry.reject(uncertainOutcome(error));
      else if (!mayRepeat) entry.reject(convertPostgresError(error));
      else if (entry.attempts >= maxAttempts) entry.reject(retriesExhausted(error));
      else repeated.push(entry);
    }
    queue.unshift(...repeated);
    if (repeated.length > 0) await pause(Math.max(...repeated.map(({ attempts }) => attempts)));
  };

  const runGroup = async (): Promise<void> => {
    let client: Connection;
    try {
      client = await connections.take();
    } catch (error) {
      for (const entry of queue.splice(0)) entry.reject(error);
      return;
    }
    const members: Member[] = [];
    let isCommitting = false;
    try {
      isCommitting = await fill(client, members);
      if (isCommitting) await client.query("commit");
    } catch (error) {
      const isLost = isLostConnection(driverError(error));
      connections.giveBack(client, isLost || !(await rollBack(client)));
      await again(members, driverError(error), { isLost, isUncertain: isLost && isCommitting && !wasNotSent(error) });
      return;
    }
    connections.giveBack(client, false);
    for (const member of members) settle(member);
  };

  const runAll = async (): Promise<void> => {
    isRunning = true;
    while (queue.length > 0) await runGroup();
    isRunning = false;
  };

  return {
    isActive: () => starving.size > 0 || gauge.isCrowded(),
    async run<T>(work: (tx: Tx) => Promise<T>, attempts: number): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      lastNumber += 1;
      const entry: Entry = { work, number: lastNumber, sinceMs: performance.now(), attemptsBefore: attempts, attempts: 0, losses: 0, resolve, reject };
      noteFailures(entry);
      if (starving.has(entry)) queue.unshift(entry);
      else queue.push(entry);
      if (!isRunning) void runAll();
      try {
        return (await promise) as T;
      } finally {
        starving.delete(entry);
      }
    },
  };
}

/**
 * Statements that a failed member has sent beside the failing one must not become part of the next one.
 * @throws the error of the statement that opened the member
 */
async function endOf(attempt: ConnectedAttempt, opened: Sent): Promise<void> {
  attempt.end();
  await attempt.idle();
  const refused = await opened;
  if (refused !== undefined) throw refused.error;
}

/** A statement in the same packet as the next one. Resolves with its error. */
type Sent = Promise<{ readonly error: unknown } | undefined>;

export function sendAhead(client: ServerClient, text: string): Sent {
  client.collect();
  return client.query(text).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
}

/** @returns whether the connection can be used again */
export async function rollBack(client: Connection): Promise<boolean> {
  try {
    await client.query("rollback");
    return true;
  } catch {
    return false;
  }
}
