import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createForge } from "../src/app/forge.ts";
import { loadConfig } from "../src/config/config.ts";
import type { SwaggerDocument } from "../src/http/swagger.ts";
import { inject } from "../test/kit/inject.ts";

/** Starts a complete forge on an empty folder, without listening, and returns its API description. */
export async function readServedDescription(): Promise<SwaggerDocument> {
  const folder = await mkdtemp(join(tmpdir(), "hearth-description-"));
  try {
    await using forge = await createForge(loadConfig({ PATH: process.env.PATH ?? "", HEARTH_DATA: folder, HEARTH_LOG_LEVEL: "silent" }));
    const answer = await inject(forge.http, "/swagger.v1.json");
    if (answer.statusCode !== 200) throw new Error(`the description answers ${answer.statusCode}: ${answer.body}`);
    return answer.json();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
