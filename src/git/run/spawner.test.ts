import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { silentLog } from "../../../test/kit/logs.ts";
import { polling } from "../../../test/kit/polling.ts";
import { createSpawner, type Program, type Spawner } from "./spawner.ts";
import { socketAddress } from "./spawner-messages.ts";

let directory: string;
let spawner: Spawner;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "hearth-spawner-"));
  spawner = createSpawner({ directory, log: silentLog });
});
afterEach(async () => {
  await spawner.close();
  await rm(directory, { recursive: true });
});

const program = (file: string, ...args: string[]): Program => ({ file, args, environment: { PATH: process.env.PATH ?? "" }, stdin: "ignore", nice: 0 });

/** Pids and command lines of the small processes of a process that run in the folder of this test: other tests of the worker share one elsewhere. */
function smallProcesses(parent = process.pid): { readonly pid: number; readonly words: readonly string[] }[] {
  return readdirSync("/proc").flatMap((name) => {
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0").slice(0, -1);
      const isChild = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, "utf8"))?.[1]) === parent;
      const isOfTest = isChild && words.some((word) => word.endsWith("spawner-process.ts")) && readlinkSync(`/proc/${name}/cwd`) === realpathSync(directory);
      return isOfTest ? [{ pid: Number(name), words }] : [];
    } catch {
      return [];
    }
  });
}

/** Polls, because the end of a process that is not a child sends no notification. */
async function ended(pid: number): Promise<void> {
  const isRunning = (): boolean => {
    try {
      return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
    } catch {
      return false;
    }
  };
  await expect.poll(isRunning, polling).toBe(false);
}

describe.skipIf(process.platform !== "linux")("the process that starts git", () => {
  test("is one process, which starts all others and ends with the server's last use", async () => {
    expect(smallProcesses()).toEqual([]);
    const outputs = Array.from({ length: 30 }, async (_, at) => {
      const { stdout, exited } = await spawner.start(program("sh", "-c", `echo $PPID; echo to stderr ${at} >&2; exit ${at}`));
      return { output: await text(stdout), exit: await exited };
    });
    const done = await Promise.all(outputs);
    const [small] = smallProcesses();
    for (const [at, { output, exit }] of done.entries()) {
      expect({ output, ...exit, cpuMs: 0 }).toEqual({ output: `${small?.pid}\n`, code: at, signal: null, stderr: `to stderr ${at}\n`, cpuMs: 0 });
    }
    expect(smallProcesses()).toHaveLength(1);
    await spawner.close();
    expect(smallProcesses()).toEqual([]);
  });

  test("connects input and output without a copy: a process that does not read stops its writer", async () => {
    const { stdin, stdout, exited } = await spawner.start({ ...program("cat"), stdin: "pipe" });
    const piece = Buffer.alloc(64 * 1024, "x");
    let written = 0;
    while (stdin?.write(piece)) written += piece.length;
    const drained = stdin && once(stdin, "drain");
    expect(written).toBeLessThan(4 * 1024 * 1024);
    let received = 0;
    stdout.on("data", (chunk: Buffer) => {
      received += chunk.length;
    });
    await drained;
    stdin?.end();
    await once(stdout, "end");
    expect(received).toBe(written + piece.length);
    expect(await exited).toMatchObject({ code: 0, signal: null });
  });

  test("passes exactly the given environment, and has none of the server's variables", async () => {
    const { stdout } = await spawner.start({ ...program("env"), environment: { PATH: process.env.PATH ?? "", ONE: "1" } });
    const lines = (await text(stdout)).trimEnd().split("\n").sort();
    expect(lines).toEqual(["ONE=1", `PATH=${process.env.PATH}`]);
    const [small] = smallProcesses();
    const names = readFileSync(`/proc/${small?.pid}/environ`, "utf8")
      .split("\0")
      .map((line) => line.split("=")[0]);
    expect(names.filter((name) => name !== "" && !name?.startsWith("NODE_CHANNEL"))).toEqual([]);
  });

  test("sets the nice value and reports the CPU time of a process with its children", async () => {
    const { pid, stdin, exited } = await spawner.start({ ...program("cat"), stdin: "pipe", nice: 7 });
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ");
    expect(fields?.[16]).toBe("7");
    stdin?.end();
    const { cpuMs: idleMs } = await exited;
    const busy = await spawner.start(program("sh", "-c", "sh -c 'i=0; while [ $i -lt 500000 ]; do i=$((i+1)); done'; true"));
    const { cpuMs } = await busy.exited;
    expect(cpuMs).toBeGreaterThan(idleMs);
    expect(cpuMs).toBeGreaterThanOrEqual(50);
  });

  test("reports a program that does not exist, and starts the next one", async () => {
    await expect(spawner.start(program(join(directory, "missing")))).rejects.toThrow("ENOENT");
    const { exited } = await spawner.start(program("true"));
    expect(await exited).toMatchObject({ code: 0 });
  });

  test("closes a connection that does not know the token of a stream", async () => {
    await (await spawner.start(program("true"))).exited;
    const name = smallProcesses()[0]?.words.at(-1) ?? "";
    const stranger = connect(socketAddress(name));
    stranger.resume();
    stranger.write(Buffer.alloc(16, 1));
    await once(stranger, "close");
  });

  test("takes what it started with it when it is killed, and another one is started", async () => {
    const running = await spawner.start(program("sleep", "1000"));
    const [first] = smallProcesses();
    process.kill(first?.pid ?? 0, "SIGKILL");
    await expect(running.exited).rejects.toThrow("the process that starts git has ended (SIGKILL)");
    await ended(running.pid);
    const { stdout } = await spawner.start(program("echo", "again"));
    expect(await text(stdout)).toBe("again\n");
    expect(smallProcesses().map(({ pid }) => pid)).not.toContain(first?.pid);
  });

  test("ends with a server that is killed, and so does what it started", async () => {
    const script = `const { createSpawner } = await import(${JSON.stringify(join(import.meta.dirname, "spawner.ts"))});
      const spawner = createSpawner({ directory: ${JSON.stringify(directory)}, log: console });
      const { pid } = await spawner.start({ file: "sleep", args: ["1000"], environment: { PATH: process.env.PATH }, stdin: "ignore", nice: 0 });
      console.log(pid);`;
    const server = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = (await once(server.stdout, "data")) as [Buffer];
    const [small] = smallProcesses(server.pid);
    server.kill("SIGKILL");
    await ended(Number(line));
    await ended(small?.pid ?? 0);
  });

  test("does not keep an idle process alive", async () => {
    const script = `const { createSpawner } = await import(${JSON.stringify(join(import.meta.dirname, "spawner.ts"))});
      const spawner = createSpawner({ directory: ${JSON.stringify(directory)}, log: console });
      const { stdout, exited } = await spawner.start({ file: "echo", args: ["1"], environment: { PATH: process.env.PATH }, stdin: "ignore", nice: 0 });
      stdout.pipe(process.stdout);
      await exited;`;
    const idle = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    expect(await text(idle.stdout)).toBe("1\n");
    if (idle.exitCode === null) await once(idle, "exit");
    expect(idle.exitCode).toBe(0);
  });
});
