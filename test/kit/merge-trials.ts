import { type ApiClient, createApiClient } from "./api-client.ts";
import { canTrace, killAt } from "./kill-at.ts";
import { startProgram } from "./program.ts";
import { seededRandom } from "./random.ts";

/**
 * Merges on a program that is killed: at randomly chosen system calls with a seed where the machine supports it, otherwise during some
 * merges. After a restart, a pull request is merged exactly if the base has its merge commit, and a repeated request gets the correct
 * response.
 */
export interface MergeTrials {
  readonly merges: number;
  readonly kills: number;
  /** Kills during an unanswered merge. */
  readonly unanswered: number;
  /** Violated invariants, one per line. */
  readonly faults: readonly string[];
}

const token = "b7".repeat(20);
const site = "/repos/chief/merges";
const styles = ["merge", "squash", "rebase", "rebase-merge"] as const;
/** System calls that make objects and rows durable. */
const calls = ["fsync", "fdatasync", "rename,renameat,renameat2", "pwrite64", "openat", "unlink,unlinkat", "write"] as const;
const base64 = (text: string): string => Buffer.from(text).toString("base64");

export interface TrialOptions {
  readonly dataDirectory: string;
  readonly seed: number;
  /** Number of rounds, each with one kill. */
  readonly rounds: number;
  /** Concurrently merged pull requests per round. */
  readonly pulls: number;
  /** Called after each round with its faults, so that an interrupted run has reported them. */
  readonly onRound?: (round: number, faults: readonly string[]) => void;
}

export async function tryMerges({ dataDirectory, seed, rounds, pulls, onRound }: TrialOptions): Promise<MergeTrials> {
  const random = seededRandom(seed);
  const settings = { HEARTH_DATA: dataDirectory, HEARTH_ADMIN_USERNAME: "chief", HEARTH_ADMIN_PASSWORD: "a long pass phrase", HEARTH_ADMIN_TOKEN: token };
  const faults: string[] = [];
  let program = await startProgram(settings);
  const api = (): ApiClient => createApiClient(program.url, `token ${token}`);
  let unanswered = 0;
  let merges = 0;
  try {
    await api().post("/user/repos", { name: "merges", auto_init: true }).expect(201);
    for (let round = 0; round < rounds; round += 1) {
      const opened = await openPulls(api(), `r${round}`, pulls);
      const tracer = canTrace ? await killAt(program, calls[random(calls.length)] ?? "fsync", 1 + random(12)) : undefined;
      const client = api();
      const attempts = opened.map((number, at) => mergeOnce(client, number, styles[(round + at) % styles.length] ?? "merge"));
      // Without tracing, or if the call was never reached, it is killed while the rest is in progress.
      await Promise.race([Promise.all(attempts), attempts[random(attempts.length)]]);
      await program.kill();
      const answers = await Promise.all(attempts);
      await tracer?.stop();
      unanswered += answers.filter((status) => status === 0).length;
      program = await startProgram(settings);
      const before = faults.length;
      for (const [at, number] of opened.entries()) {
        const answered = answers[at] ?? 0;
        faults.push(...(await check(api(), number, answered, styles[(round + at) % styles.length] ?? "merge")));
      }
      merges += opened.length;
      onRound?.(round, faults.slice(before));
    }
  } finally {
    await program.kill();
  }
  return { merges, kills: rounds, unanswered, faults };
}

/** Each changes a file of its own, so that none conflicts with another. */
async function openPulls(api: ApiClient, name: string, count: number): Promise<number[]> {
  const numbers: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const branch = `${name}-${at}`;
    await api.post(`${site}/contents/${branch}.txt`, { content: base64(branch), branch: "main", new_branch: branch, message: branch }).expect(201);
    numbers.push((await api.post<{ number: number }>(`${site}/pulls`, { title: branch, head: branch, base: "main" }).expect(201)).number);
  }
  return numbers;
}

/** @returns the status, 0 without a response */
const mergeOnce = (api: ApiClient, number: number, style: string): Promise<number> =>
  api.post(`${site}/pulls/${number}/merge`, { Do: style, MergeTitleField: `merge of ${number}`, delete_branch_after_merge: number % 2 === 0 }).then(
    ({ status }) => status,
    () => 0,
  );

interface Pull {
  readonly title: string;
  readonly merged: boolean;
  readonly state: string;
  readonly merge_commit_sha: string | null;
}

/** Checks the invariants of an attempted merge, answered or not, and that it can be completed exactly once. */
async function check(api: ApiClient, number: number, answered: number, style: string): Promise<string[]> {
  const faults: string[] = [];
  const fault = (what: string): void => void faults.push(`pull request ${number} (${style}, answered ${answered}): ${what}`);
  const read = () => api.get<Pull>(`${site}/pulls/${number}`).expect(200);
  const isInBase = async ({ title }: Pull): Promise<boolean> => (await api.get(`${site}/contents/${title}.txt?ref=main`)).status === 200;
  const before = await read();
  if (answered === 200 && !before.merged) fault("was said to be merged and is not");
  if (before.merged !== (await isInBase(before))) fault(`is ${before.merged ? "merged and not in" : "open and in"} the base`);
  if (before.merged !== (before.state === "closed")) fault(`is ${before.state} while merged is ${before.merged}`);
  const again = await mergeOnce(api, number, style);
  if (before.merged ? again !== 405 : again !== 200) fault(`a merge that is tried again is answered ${again}`);
  const after = await read();
  if (!after.merged || !(await isInBase(after))) fault("is not merged in the end");
  if (before.merged && before.merge_commit_sha !== after.merge_commit_sha) fault("has another merge commit than before");
  return faults;
}
