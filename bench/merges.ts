import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createApiClient } from "../test/kit/api-client.ts";
import { tryMerges } from "../test/kit/merge-trials.ts";
import { startProgram } from "../test/kit/program.ts";

/**
 * Long versions of the tests of merges. `npm run bench -- merges --killed 10000` merges and kills the server in between. `--at-once 1000` merges
 * pull requests directly after creating them. Prints each fault; exits with 1 if there is one.
 */
const { values } = parseArgs({ options: { killed: { type: "string" }, "at-once": { type: "string" }, seed: { type: "string", default: "1" } } });
const pullsPerRound = 20;

async function mergeWithKills(count: number, seed: number): Promise<boolean> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "hearth-merges-"));
  try {
    const rounds = Math.ceil(count / pullsPerRound);
    const onRound = (round: number, found: readonly string[]): void => {
      process.stderr.write(`\r${(round + 1) * pullsPerRound} merges`);
      for (const fault of found) console.log(`\n${fault}`);
    };
    const { faults, merges, kills, unanswered } = await tryMerges({ dataDirectory, seed, rounds, pulls: pullsPerRound, onRound });
    console.log(`\n${merges} merges, ${kills} kills, ${unanswered} requests without an answer, ${faults.length} faults`);
    return faults.length === 0;
  } finally {
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

async function mergeImmediately(count: number): Promise<boolean> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "hearth-merges-"));
  const token = "5d".repeat(20);
  const settings = { HEARTH_DATA: dataDirectory, HEARTH_ADMIN_USERNAME: "chief", HEARTH_ADMIN_PASSWORD: "a long pass phrase", HEARTH_ADMIN_TOKEN: token };
  try {
    await using program = await startProgram(settings);
    const api = createApiClient(program.url, `token ${token}`);
    await api.post("/user/repos", { name: "r", auto_init: true }).expect(201);
    let merged = 0;
    const startedMs = performance.now();
    for (let at = 0; at < count; at += 1) {
      const branch = `b${at}`;
      await api.post(`/repos/chief/r/contents/${branch}.txt`, { content: "eA==", branch: "main", new_branch: branch, message: branch }).expect(201);
      const { number } = await api.post("/repos/chief/r/pulls", { title: branch, head: branch, base: "main" }).expect(201);
      const { status, text } = await api.post(`/repos/chief/r/pulls/${number}/merge`, { Do: "merge" });
      if (status === 200) merged += 1;
      else console.log(`${number}: ${status} ${text}`);
    }
    console.log(`${merged} of ${count} merged immediately, ${((performance.now() - startedMs) / count).toFixed(1)} ms each including the commit`);
    return merged === count;
  } finally {
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

const results = [
  ...(values.killed === undefined ? [] : [await mergeWithKills(Number(values.killed), Number(values.seed))]),
  ...(values["at-once"] === undefined ? [] : [await mergeImmediately(Number(values["at-once"]))]),
];
process.exitCode = results.every(Boolean) ? 0 : 1;
