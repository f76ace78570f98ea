import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serverFlags } from "../../tools/server-flags.mjs";
import { type Act, type ActSite, type Acts, actsToken } from "./acts.ts";
import { createApiClient } from "./api-client.ts";
import { createLossyDisk, type LossyDiskOptions, type Luck, namesOnly, noLuck } from "./lossy-disk.ts";
import { type RunningProgram, runProgram, startProgram } from "./program.ts";
import { seededRandom } from "./random.ts";
import { bytesOf, type CallEvent, fdOf, readTrace, traceableEnvironment, traceCommand } from "./syscall-trace.ts";

/**
 * Power cuts: the system calls of a program are recorded once. A disk that keeps only synced data is then stopped at many moments of the
 * record, and the program is started on each result.
 */

/** Why this machine cannot record; undefined if it can. */
export const recordingProblem: string | undefined =
  spawnSync("strace", ["-qq", "-o", "/dev/null", "true"]).status === 0 ? undefined : "needs strace and the permission to use it";

export interface Recording extends AsyncDisposable {
  readonly root: string;
  readonly events: readonly CallEvent[];
  /** The acts, each with the number of events before its response was sent. */
  readonly acts: readonly RecordedAct[];
  readonly settings: Readonly<Record<string, string>>;
}

interface RecordedAct {
  readonly act: Act;
  readonly acknowledgedAt: number;
}

const siteOf = (origin: string): ActSite => ({ origin, api: createApiClient(origin, `token ${actsToken}`) });

/** The argument with the path of the program, after the flags of Node.js. */
const programArgument = `$${2 + serverFlags.length}`;

/** The server, then a backup and its restore to another folder, all in one trace. */
const script = `"$@" & server=$!
trap 'kill $server' TERM
wait $server
wait $server
"$1" "${programArgument}" backup "$BACKUP" && HEARTH_DATA="$RESTORED" exec "$1" "${programArgument}" restore "$BACKUP"`;

/** Records acts, then a backup and its restore, unless `isServerOnly`. @param settings of the program */
export async function recordActs(
  groups: Acts["groups"],
  settings: Readonly<Record<string, string>> = {},
  { isServerOnly = false }: { readonly isServerOnly?: boolean } = {},
): Promise<Recording> {
  const root = await mkdtemp(join(tmpdir(), "hearth-power-"));
  const disk = join(root, "disk");
  mkdirSync(disk);
  const pipe = join(root, "trace");
  execFileSync("mkfifo", [pipe]);
  const all = {
    ...settings,
    HEARTH_DATA: join(disk, "data"),
    HEARTH_ADMIN_USERNAME: "chief",
    HEARTH_ADMIN_PASSWORD: "a long pass phrase",
    HEARTH_ADMIN_TOKEN: actsToken,
  };
  const reading = collect(readTrace(pipe));
  const ports = new Map<Act, Set<number>>();
  let code: number | null;
  const environment = { ...all, ...traceableEnvironment, BACKUP: join(disk, "backup"), RESTORED: join(disk, "restored") };
  const program = await startProgram(environment, [...traceCommand(pipe), ...(isServerOnly ? [] : ["sh", "-c", script, "sh"])]);
  try {
    for (const group of groups) {
      await Promise.all(
        group.map(async (act) => {
          await using relay = await openRelay(program);
          await act.perform(siteOf(relay.origin));
          ports.set(act, relay.ports);
        }),
      );
    }
  } finally {
    code = await program.stop();
  }
  if (code !== 0) throw new Error(`the backup or its restore failed:\n${program.output()}`);
  const events = await reading;
  const responses = events.flatMap((event, at) => responsePort(event, at));
  const acts = groups.flat().map((act) => {
    const last = responses.findLast(({ port }) => ports.get(act)?.has(port) === true);
    if (last === undefined) throw new Error(`the response to "${act.name}" is not in the trace`);
    return { act, acknowledgedAt: last.at };
  });
  return { root: disk, events, acts, settings: all, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of source) found.push(item);
  return found;
}

/** The port of the client that a response is sent to, when the call begins. */
function responsePort({ call, isEnd }: CallEvent, at: number): { readonly at: number; readonly port: number }[] {
  const name = isEnd ? undefined : fdOf(call.args[0] ?? "")?.path;
  const [, port] = /^TCP(?:v6)?:\[.*->.*:(\d+)\]?\]$/.exec(name ?? "") ?? [];
  if (port === undefined || !/^(write|writev|sendto|sendmsg)$/.test(call.name)) return [];
  const content = bytesOf(call.args[1] ?? "");
  // The final status of a push follows the head of its response.
  return content.includes("HTTP/1.1 ") || content.includes("unpack ok") ? [{ at, port: Number(port) }] : [];
}

/** A port that forwards to the program, and notes from which ports it does. */
async function openRelay(program: RunningProgram): Promise<{ readonly origin: string; readonly ports: Set<number> } & AsyncDisposable> {
  const ports = new Set<number>();
  const server: Server = createServer((client) => {
    const upstream = connect(Number(new URL(program.url).port), "127.0.0.1", () => {
      ports.add(upstream.localPort ?? 0);
      client.pipe(upstream).pipe(client);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    origin: `http://127.0.0.1:${port}`,
    ports,
    // Connections that the client keeps open end with it.
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

export interface Cut {
  /** Number of events before the power cut. */
  readonly at: number;
  /** Where the program is started: the folder of the server, or a restored backup of it. */
  readonly folder: "data" | "restored";
  readonly luck: "none" | "names" | "some";
  readonly seed: number;
}

/** Cuts right before responses, and at any moment, with different luck. */
export function chooseCuts({ events, acts }: Recording, count: number, seed: number): Cut[] {
  const random = seededRandom(seed);
  const lucks = ["none", "names", "some"] as const;
  return Array.from({ length: count }, (_, n): Cut => {
    const act = n % 2 === 0 ? acts[random(acts.length)] : undefined;
    return {
      at: act?.acknowledgedAt ?? 1 + random(events.length),
      folder: "data",
      luck: lucks[Math.floor(n / 2) % lucks.length] ?? "none",
      seed: random(2 ** 31),
    };
  }).sort((a, b) => a.at - b.at);
}

/** The cut at the end of the recording, without luck. */
export const lastCut = ({ events }: Recording, folder: Cut["folder"]): Cut => ({ at: events.length, folder, luck: "none", seed: 0 });

function luckOf({ luck, seed }: Cut): Luck {
  if (luck === "none") return noLuck;
  if (luck === "names") return namesOnly;
  const random = seededRandom(seed);
  return { names: (changes) => random(changes + 1), write: () => random(2) === 0 };
}

export interface CutReport {
  readonly cut: Cut;
  readonly acknowledged: number;
  readonly faults: readonly string[];
}

/** Replays a recording and starts the program after each cut. @throws Error if the model of the disk differs from the disk */
export async function* tryCuts(recording: Recording, cuts: readonly Cut[], options: LossyDiskOptions = {}): AsyncGenerator<CutReport> {
  const disk = createLossyDisk(recording.root, options);
  let position = 0;
  const advance = (to: number): void => {
    for (; position < to; position += 1) {
      const event = recording.events[position];
      if (event !== undefined) disk.apply(event);
    }
  };
  for (const cut of cuts) {
    advance(cut.at);
    const folder = await mkdtemp(join(tmpdir(), "hearth-cut-"));
    try {
      disk.restore(join(folder, "disk"), luckOf(cut));
      const acknowledged = new Set(recording.acts.filter(({ acknowledgedAt }) => acknowledgedAt <= cut.at).map(({ act }) => act));
      const settings = { ...recording.settings, HEARTH_DATA: join(folder, "disk", cut.folder) };
      yield { cut, acknowledged: acknowledged.size, faults: await examine(recording, acknowledged, settings) };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  advance(recording.events.length);
  const differences = disk.differences();
  if (differences.length > 0) throw new Error(`the model differs from the disk:\n${differences.join("\n")}`);
}

/** Starts the program and looks for everything that was acknowledged, for incomplete changes, and for damage. */
async function examine(recording: Recording, acknowledged: ReadonlySet<Act>, settings: Readonly<Record<string, string>>): Promise<string[]> {
  const faults: string[] = [];
  const [lost, there] = [[] as Act[], new Set<string>()];
  let program: RunningProgram;
  try {
    program = await startProgram(settings);
  } catch (error) {
    return [`the program does not start: ${(error as Error).message}`];
  }
  try {
    const site = siteOf(program.url);
    for (const { act } of recording.acts) {
      try {
        if (await act.isThere(site)) there.add(act.name);
        else if (acknowledged.has(act)) lost.push(act);
      } catch (error) {
        faults.push(`${acknowledged.has(act) ? "lost" : "half-made"}: ${act.name}: ${(error as Error).message}`);
      }
    }
    for (const { name, until } of lost) if (until === undefined || !there.has(until)) faults.push(`lost: ${name}`);
    const repositories = await site.api.get<{ name: string; default_branch: string; empty: boolean }[]>("/user/repos?limit=50").expect(200);
    for (const { name, default_branch: branch } of repositories) {
      const answer = await site.api.post(`/repos/chief/${name}/contents/after-the-cut.txt`, { content: "eA==", message: "after", branch });
      if (answer.status !== 201) faults.push(`${name} does not accept a commit: ${answer.status} ${answer.text}`);
    }
    const fresh = await site.api.post("/user/repos", { name: "fresh", auto_init: true });
    if (fresh.status !== 201) faults.push(`no repository can be created: ${fresh.status} ${fresh.text}`);
  } catch (error) {
    faults.push(`the program fails: ${(error as Error).message}`);
  } finally {
    await program.stop();
  }
  const doctor = await runProgram(["doctor"], settings);
  if (doctor.code !== 0) faults.push(`doctor: ${doctor.stdout}${doctor.stderr}`);
  return faults;
}
