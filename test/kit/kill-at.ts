import { spawn, spawnSync } from "node:child_process";
import type { RunningProgram } from "./program.ts";

/** Whether this machine can kill a program at a system call of a test's choice. */
export const canTrace = spawnSync("strace", ["-qq", "-o", "/dev/null", "true"]).status === 0;

/** Kills whatever of the program makes its `nth` call of these, from now on. Resolves when the tracer watches. */
export async function killAt(program: RunningProgram, calls: string, nth: number): Promise<{ stop(): Promise<void> }> {
  const tracer = spawn(
    "strace",
    ["-f", "-o", "/dev/null", "-e", `trace=${calls}`, "-e", `inject=${calls}:signal=SIGKILL:when=${nth}`, "-p", String(program.pid)],
    {
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const ended = new Promise<void>((resolve) => tracer.once("close", () => resolve()));
  await new Promise<void>((resolve) => {
    tracer.stderr.on("data", (said: Buffer) => {
      if (said.includes("attached")) resolve();
    });
    void ended.then(resolve);
  });
  return {
    stop() {
      // A signal that strace could handle is sometimes lost to it when what it traces ends just then.
      tracer.kill("SIGKILL");
      return ended;
    },
  };
}
