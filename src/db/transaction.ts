import type { Channel, DialectName, Tx } from "./db.ts";
import { createQueryBuilder, type RunQuery } from "./query-builder.ts";

/** One run of a transaction's work: the handle that the work gets, and what became of it. */
export interface Attempt {
  readonly tx: Tx;
  /** The first statement that failed. From then on no statement is sent. */
  readonly failure: { readonly error: unknown } | undefined;
  /** After this a statement is a defect of the caller. */
  end(): void;
  /** Starts what waited for the commit. */
  committed(): void;
}

export interface AttemptOptions {
  readonly dialect: DialectName;
  readonly nowMs: number;
  readonly run: RunQuery;
  announce(channel: Channel, value: unknown): void;
}

export function createAttempt(options: AttemptOptions): Attempt {
  const callbacks: (() => void)[] = [];
  let isOpen = true;
  let failure: { readonly error: unknown } | undefined;

  const sql = createQueryBuilder(options.dialect, async (text, parameters) => {
    if (!isOpen) throw new Error("a statement was sent after its transaction had ended");
    if (failure !== undefined) throw new Error("a statement was sent after another one of its transaction had failed", { cause: failure.error });
    try {
      return await options.run(text, parameters);
    } catch (error) {
      failure = { error };
      throw error;
    }
  });
  return {
    tx: {
      sql,
      dialect: options.dialect,
      inTransaction: true,
      nowMs: options.nowMs,
      onCommit: (callback) => callbacks.push(callback),
      announce: (channel, value) => callbacks.push(() => options.announce(channel, value)),
    },
    get failure() {
      return failure;
    },
    end() {
      isOpen = false;
    },
    committed() {
      for (const callback of callbacks) callback();
    },
  };
}
