import type { IncomingMessage } from "node:http";

export interface RunnerRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly stream: IncomingMessage | undefined;
  readonly signal: AbortSignal;
}

export const headerOf = (headers: RunnerRequest["headers"], name: string): string => {
  const value = headers[name];
  return typeof value === "string" ? value : "";
};
