import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createApiClient } from "../test/kit/api-client.ts";
import { tryMerges } from "../test/kit/merge-trials.ts";
import { startProgram } from "../test/kit/program.ts";

/**
 * The long forms of what tests hold about merges: `node bench/merges.ts --killed 10000` merges with kills in between, `--at-once 1000` opens
 * pull requests and merges each in the next request. Prints what was found, and ends with 1 where something did not hold.
 */
const { values } = parseArgs({ options: { killed: { type: "string" }, "at-once": { type: "string" }, seed: { type: "string", default: "1" } } });
const pullsARound = 20;

async function killed(count: number, seed: number): Promise<boolean> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "hearth-merges-"));
  try {
    const rounds = Math.ceil(count / pullsARound);
    const onRound = (round: number, found: readonly string[]): void => {
      process.stderr.write(`\r${(round + 1) * pullsARound} merges`);
      for (const fault of found) console.log(`\n${fault}`);
    };
    const { faults, merges, kills, unanswered } = await tryMerges({ dataDirectory, seed, rounds, pulls: pullsARound, onRound });
    console.log(`\n${merges} merges, ${kills} kills, ${unanswered} requests without an answer, ${faults.length} faults`);
    return faults.length === 0;
  } finally {
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

async function atOnce(count: number): Promise<boolean> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "hearth-merges-"));
  const token = "5d".repeat(20);
  const settings = { HEARTH_DATA: dataDirectory, HEARTH_ADMIN_USERNAME: "chief", HEARTH_ADMIN_PASSWORD: "a long pass phrase", HEARTH_ADMIN_TOKEN: token };
  try {
    await using program = await startProgram(settings);
    const api = createApiClient(program.url, `token ${token}`);
    await api.post("/user/repos", { name: "r", auto_init: true }).expect(201);
    let merged = 0;
    const beganMs = performance.now();
    for (let at = 0; at < count; at += 1) {
      const branch = `b${at}`;
      await api.post(`/repos/chief/r/contents/${branch}.txt`, { content: "eA==", branch: "main", new_branch: branch, message: branch }).expect(201);
      const { number } = await api.post("/repos/chief/r/pulls", { title: branch, head: branch, base: "main" }).expect(201);
      const { status, text } = await api.post(`/repos/chief/r/pulls/${number}/merge`, { Do: "merge" });
      if (status === 200) merged += 1;
      else console.log(`${number}: ${status} ${text}`);
    }
    console.log(`${merged} of ${count} merged at once, ${((performance.now() - beganMs) / count).toFixed(1)} ms each with the commit`);
    return merged === count;
  } finally {
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

const results = [
  ...(values.killed === undefined ? [] : [await killed(Number(values.killed), Number(values.seed))]),
  ...(values["at-once"] === undefined ? [] : [await atOnce(Number(values["at-once"]))]),
];
process.exitCode = results.every(Boolean) ? 0 : 1;
