import { afterAll, beforeAll, expect, test } from "vitest";
import { earlierRefs, openWorstSite, pushedRefs, type WorstSite } from "../../bench/worst-site.ts";

/**
 * Requests to a repository that is large in each respect. `bench/longest-turn.ts` measures the CPU time of their longest turn of the event loop; here
 * their turns are counted.
 */

let site: WorstSite;
beforeAll(async () => {
  site = await openWorstSite();
}, 600_000);
afterAll(() => site?.[Symbol.asyncDispose]());

test("a push of 20,000 refs is processed in many turns of the event loop", async () => {
  const { status, loop } = await site.pushRefs();
  expect(status).toBe(200);
  expect(loop.turns).toBeGreaterThan(40);
  expect(await site.countBranches()).toBe((earlierRefs + pushedRefs) / 2 + 4);
}, 120_000);

test("each GET route of a repository with many refs, files, lines and commits answers, with a turn of the event loop for each megabyte", async () => {
  const answers: Awaited<ReturnType<WorstSite["get"]>>[] = [];
  for (const address of site.addresses) answers.push(await site.get(address));
  const shown = (list: typeof answers): string[] => list.map(({ path, status, bytes, loop }) => `${path}: ${status}, ${bytes} bytes in ${loop.turns} turns`);
  expect(shown(answers.filter(({ status }) => status >= 500))).toEqual([]);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(100);
  const large = answers.filter(({ bytes }) => bytes > 1_000_000);
  expect(large.length).toBeGreaterThan(10);
  expect(shown(large.filter(({ bytes, loop }) => loop.turns < bytes / 1_000_000))).toEqual([]);
}, 600_000);
