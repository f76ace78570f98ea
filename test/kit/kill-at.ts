import { spawn, spawnSync } from "node:child_process";
import type { RunningProgram } from "./program.ts";

/** Whether this machine can kill a program at a chosen system call. */
export const canTrace = spawnSync("strace", ["-qq", "-o", "/dev/null", "true"]).status === 0;

/** A command prefix that kills a program when one of its threads makes the `nth` call of these. */
export const killingAt = (calls: string, nth: number): readonly string[] => [
  "strace",
  "-f",
  "-qq",
  "-o",
  "/dev/null",
  "-e",
  `trace=${calls}`,
  "-e",
  `inject=${calls}:signal=SIGKILL:when=${nth}`,
];

/** Kills the process of the program that makes the `nth` call of these, from now on. Resolves when the tracer is attached. */
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
    tracer.stderr.on("data", (output: Buffer) => {
      if (output.includes("attached")) resolve();
    });
    void ended.then(resolve);
  });
  return {
    stop() {
      // strace sometimes loses a signal that it could handle if the traced process ends at that moment.
      tracer.kill("SIGKILL");
      return ended;
    },
  };
}
