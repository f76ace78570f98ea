import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCampaign, inputName } from "./campaign.ts";
import { openConnectionTargets } from "./connections.ts";
import { openServerTargets } from "./server-targets.ts";
import { type FuzzTarget, tryInput } from "./target.ts";
import { targets } from "./targets.ts";

/** The short form of `npm run fuzz`: the same inputs in every run, and all inputs that were found before. */

const inputs = join(import.meta.dirname, "inputs");
const executions = 300;

let connections: Awaited<ReturnType<typeof openConnectionTargets>>;
const server = openServerTargets();
beforeAll(async () => {
  connections = await openConnectionTargets();
});
afterAll(async () => {
  connections[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

async function defectsOf(target: FuzzTarget, count: number): Promise<readonly string[]> {
  const campaign = createCampaign(target, { seed: 1 });
  const found: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const defect = await campaign.step();
    if (defect !== undefined) found.push(`${JSON.stringify(defect.input.toString("latin1"))}: ${String(defect.error)}`);
  }
  return found;
}

test.each(targets.map((target) => [target.name, target] as const))("every input of %s is read or rejected", async (_name, target) => {
  for (const seed of target.seeds) expect(await tryInput(target, target.complete?.(seed) ?? seed)).toMatchObject({ kind: "read" });
  expect(await defectsOf(target, executions)).toEqual([]);
});

test("every answer of another server is read or rejected", async () => {
  for (const target of connections.targets) {
    expect([target.name, await tryInput(target, target.seeds[0] ?? Buffer.alloc(0))]).toMatchObject([target.name, { kind: "read" }]);
    expect(await defectsOf(target, executions / 5)).toEqual([]);
  }
});

test("every request of a runner is answered without an error of the server", async () => {
  for (const target of server.targets) {
    for (const seed of target.seeds) expect([target.name, await tryInput(target, seed)]).toMatchObject([target.name, { kind: "read" }]);
    expect(await defectsOf(target, executions / 3)).toEqual([]);
  }
});

describe("inputs that were found", () => {
  const all = (): readonly FuzzTarget[] => [...targets, ...connections.targets, ...server.targets];
  const folders = existsSync(inputs) ? readdirSync(inputs) : [];

  test.each(folders)("an input that was found before is read or rejected: %s", async (folder) => {
    const target = all().find(({ name }) => name.replaceAll(" ", "-") === folder);
    expect(target).toBeDefined();
    for (const file of readdirSync(join(inputs, folder))) {
      const input = readFileSync(join(inputs, folder, file));
      expect([file, await tryInput(target as FuzzTarget, input)]).not.toMatchObject([file, { kind: "defect" }]);
      expect(file).toBe(inputName(input));
    }
  });
});

test("a campaign finds a defect, and finds the same one in every run with a seed", async () => {
  const target: FuzzTarget = {
    name: "a parser with a defect",
    seeds: [Buffer.from("length=12;")],
    run(input) {
      const [, length = ""] = /^length=(.*);/.exec(input.toString("latin1")) ?? [];
      return String(Buffer.alloc(Number(length)).length).length.toString();
    },
  };
  const found = await defectsOf(target, executions);
  expect(found.length).toBeGreaterThan(0);
  expect(await defectsOf(target, executions)).toEqual(found);
  expect(found[0]).toContain("RangeError");
});
