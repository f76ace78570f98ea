/** What the layers need of a logger: pino satisfies it, and so does a test's recorder. Facts in the message, variables in the object. */
export interface Log {
  debug(meta: object, message: string): void;
  info(meta: object, message: string): void;
  warn(meta: object, message: string): void;
  error(meta: object, message: string): void;
}
