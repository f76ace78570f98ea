import { access, constants } from "node:fs/promises";
import type { Config } from "../../config/config.ts";
import type { Db } from "../../db/db.ts";
import { countPublicUsers, pingDatabase } from "./store.ts";

interface Check {
  readonly status: "pass" | "fail";
  readonly time: string;
  readonly output: string;
}

export interface Health {
  readonly status: "pass" | "fail";
  readonly description: string;
  readonly checks: Readonly<Record<string, readonly Check[]>>;
}

/** Asks each thing that the server cannot work without, in the form of the health check draft for HTTP interfaces. */
export async function checkHealth(deps: { readonly db: Db; readonly config: Config }): Promise<Health> {
  const checks = {
    "database:ping": [await check(() => pingDatabase(deps.db))],
    "storage:write": [await check(() => access(deps.config.dataDirectory, constants.W_OK))],
  };
  const isWell = Object.values(checks).every(([result]) => result?.status === "pass");
  return { status: isWell ? "pass" : "fail", description: "Hearth", checks };
}

async function check(ask: () => Promise<unknown>): Promise<Check> {
  const time = new Date().toISOString();
  try {
    await ask();
    return { status: "pass", time, output: "" };
  } catch {
    return { status: "fail", time, output: "does not answer" };
  }
}

/** How many people everybody may know of. */
export const countUsers = (deps: { readonly db: Db }): Promise<number> => countPublicUsers(deps.db);
