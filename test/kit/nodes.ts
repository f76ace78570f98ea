import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import type { TestDialect } from "./databases.ts";
import { startForge, type TestForge, type TestForgeOptions } from "./forge.ts";

/** Forges that serve one database, each with a data folder of its own. */
export interface TestNodes extends AsyncDisposable {
  readonly nodes: readonly [TestForge, TestForge, ...TestForge[]];
  /** Deletes the objects on the disk of a node, as an operator may do while it runs. */
  wipe(node: TestForge): Promise<void>;
}

/** @param options.environment settings of all nodes, with the address of the bucket */
export async function startNodes({ dialect, count = 2, ...options }: TestForgeOptions & { readonly count?: number }): Promise<TestNodes> {
  const database = await dialect.create();
  const shared: TestDialect = { ...dialect, create: async () => ({ ...database, [Symbol.asyncDispose]: async () => {} }) };
  const environment = { HEARTH_SECRET_KEY: randomBytes(32).toString("hex"), ...options.environment };
  const nodes: TestForge[] = [];
  const close = async (): Promise<void> => {
    for (const node of nodes) await node[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  };
  try {
    // One after another: the first one creates the administrator.
    for (let started = 0; started < count; started += 1) nodes.push(await startForge({ ...options, dialect: shared, environment }));
  } catch (error) {
    await close();
    throw error;
  }
  const [first, second, ...others] = nodes;
  if (first === undefined || second === undefined) throw new TypeError("at least two nodes are needed");
  return {
    nodes: [first, second, ...others],
    wipe: async ({ context }) => {
      const { root } = context.git;
      for (let shard = 0; shard < 256; shard += 1) await rm(`${root}/${shard.toString(16).padStart(2, "0")}`, { recursive: true, force: true });
    },
    [Symbol.asyncDispose]: close,
  };
}
