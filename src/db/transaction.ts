import type { Announcement, Channels } from "./channels.ts";
import type { DialectName, Tx } from "./db.ts";
import { createQueryBuilder, type RunQuery } from "./query-builder.ts";

/** One run of a transaction's work, and what became of it. */
export interface Attempt {
  /** The work, then what {@link Channels.beforeCommit} adds to it. @throws the first failure of a statement, whatever the work made of it */
  perform<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The first statement that failed. From then on no statement is sent. */
  failure(): { readonly error: unknown } | undefined;
  /** After this a statement is a defect of the caller. */
  end(): void;
  /** Starts what waited for the commit. */
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
    if (failure !== undefined) throw new Error("a statement was sent after another one of its transaction had failed", { cause: failure.error });
  };
  const doom = (error: unknown): never => {
    failure = { error };
    throw error;
  };
  const sql = createQueryBuilder(options.dialect, async (text, parameters) => {
    assertSound();
    try {
      return await options.run(text, parameters);
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
