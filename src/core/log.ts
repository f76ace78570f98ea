/** The logger interface of all layers, satisfied by pino and by test recorders. Messages state facts; variables go into the object. */
export interface Log {
  debug(meta: object, message: string): void;
  info(meta: object, message: string): void;
  warn(meta: object, message: string): void;
  error(meta: object, message: string): void;
}
