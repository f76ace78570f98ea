import { type HttpClient, openClient } from "./http-client.ts";

/** A server that is measured. */
export interface Target {
  readonly name: string;
  readonly url: string;
  readonly token: string;
  readonly http: HttpClient;
  /** Login of the token's owner. */
  readonly owner: string;
  /** Whether it publishes Hearth's counters at /metrics. */
  readonly hasCounters: boolean;
  /** Undefined if its process is not accessible. CPU time is then not measured. */
  readonly pid: number | undefined;
  /** PostgreSQL of this server; undefined if its CPU time is not measured. */
  readonly databasePid?: number | undefined;
}

/** Undefined if the server does not publish them. */
export interface Counters {
  readonly processes: number | undefined;
  readonly statements: number | undefined;
  /** CPU seconds of the maintenance of stores. */
  readonly upkeepSeconds: number | undefined;
}

export async function openTarget(options: Pick<Target, "name" | "url" | "token" | "hasCounters" | "pid">): Promise<Target> {
  const http = openClient(options.url, options.token);
  const { login } = await http.json<{ login: string }>("GET", "/api/v1/user");
  return { ...options, http, owner: login };
}

export async function readCounters(target: Target): Promise<Counters> {
  if (!target.hasCounters) return { processes: undefined, statements: undefined, upkeepSeconds: undefined };
  const { status, body } = await target.http.send("GET", "/metrics");
  if (status !== 200) throw new Error(`GET /metrics answered ${status}`);
  const text = body.toString("utf8");
  return {
    processes: readCounter(text, "hearth_git_processes_total"),
    statements: readCounter(text, "hearth_db_statements_total"),
    upkeepSeconds: readCounter(text, "hearth_upkeep_cpu_seconds_total"),
  };
}

/** Sums the series of a counter in the Prometheus text format. */
export function readCounter(text: string, name: string): number | undefined {
  const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? ([0-9.e+-]+)`, "gm"))].map((match) => Number(match[1]));
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
}

/** The git URL, with the token as password. */
export function gitUrl(target: Target, repository: string): string {
  const url = new URL(`/${target.owner}/${repository}.git`, target.url);
  url.username = target.owner;
  url.password = target.token;
  return url.href;
}
