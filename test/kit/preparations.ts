import { DatabaseSync, type SQLInputValue, StatementSync } from "node:sqlite";

export interface Preparations extends Disposable {
  /** Texts of the statements that SQLite prepared again when they were executed, each once. */
  again(): readonly string[];
  forget(): void;
}

/**
 * Observes all SQLite databases of this process that prepare a statement from now on. SQLite calls the authorizer only while it prepares a
 * statement: a call during an execution shows that it prepared the statement again.
 */
export function observePreparations(): Preparations {
  const texts = new WeakMap<StatementSync, string>();
  const observed = new WeakSet<DatabaseSync>();
  const again = new Set<string>();
  let running: string | undefined;
  const { prepare } = DatabaseSync.prototype;
  const { all, run } = StatementSync.prototype;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...args: Parameters<DatabaseSync["prepare"]>): StatementSync {
    if (!observed.has(this)) {
      observed.add(this);
      this.setAuthorizer(() => {
        if (running !== undefined) again.add(running);
        return 0;
      });
    }
    const statement = prepare.apply(this, args);
    texts.set(statement, args[0]);
    return statement;
  };
  const observing = <R>(statement: StatementSync, execute: () => R): R => {
    running = texts.get(statement);
    try {
      return execute();
    } finally {
      running = undefined;
    }
  };
  StatementSync.prototype.all = function (this: StatementSync, ...values: SQLInputValue[]) {
    return observing(this, () => Reflect.apply(all, this, values));
  } as typeof all;
  StatementSync.prototype.run = function (this: StatementSync, ...values: SQLInputValue[]) {
    return observing(this, () => Reflect.apply(run, this, values));
  } as typeof run;
  return {
    again: () => [...again],
    forget: () => again.clear(),
    [Symbol.dispose]() {
      Object.assign(DatabaseSync.prototype, { prepare });
      Object.assign(StatementSync.prototype, { all, run });
    },
  };
}
