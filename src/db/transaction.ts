import type { Announcement, Channels } from "./channels.ts";
import type { DialectName, Tx } from "./db.ts";
import { createQueryBuilder, type RunQuery } from "./query-builder.ts";

/** One attempt to run a transaction's work. */
export interface Attempt {
  /** Runs the work, then the {@link Channels.beforeCommit} handlers. @throws the first failure of a statement, even if `work` caught it */
  perform<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The first failed statement. No statements are sent after it. */
  failure(): { readonly error: unknown } | undefined;
  /** Statements sent after this are a bug of the caller. */
  end(): void;
  /** Starts the onCommit callbacks. */
  committed(): void;
}

export interface AttemptOptions {
  readonly dialect: DialectName;
  readonly nowMs: number;
  readonly run: RunQuery;
  readonly runScript: (text: string) => Promise<unknown>;
  readonly channels: Pick<Channels, "announce" | "complete">;
}

export function createAttempt(options: AttemptOptions): Attempt {
  const { channels } = options;
  const callbacks: (() => void)[] = [];
  const announced: Announcement[] = [];
  let isOpen = true;
  let failure: { readonly error: unknown } | undefined;

  const assertSound = (): void => {
    if (!isOpen) throw new Error("a statement was sent after its transaction had ended");
    if (failure !== undefined) throw new Error("a statement was sent after another statement of its transaction had failed", { cause: failure.error });
  };
  const doom = (error: unknown): never => {
    failure ??= { error };
    throw error;
  };
  const sql = createQueryBuilder(options.dialect, async (text, parameters, isShort) => {
    assertSound();
    try {
      return await options.run(text, parameters, isShort);
    } catch (error) {
      return doom(error);
    }
  });
  const tx: Tx = {
    sql,
    dialect: options.dialect,
    inTransaction: true,
    async script(text) {
      assertSound();
      await options.runScript(text).catch(doom);
    },
    nowMs: options.nowMs,
    onCommit: (callback) => callbacks.push(callback),
    announce: (channel, value) => announced.push({ channel, value }),
  };
  return {
    async perform(work) {
      const value = await work(tx);
      if (failure === undefined) await channels.complete(tx, announced);
      if (failure !== undefined) throw failure.error;
      return value;
    },
    failure: () => failure,
    end() {
      isOpen = false;
    },
    committed() {
      for (const callback of callbacks) callback();
      for (const announcement of announced) channels.announce(announcement);
    },
  };
}
