import { spawn, spawnSync } from "node:child_process";
import { openSync } from "node:fs";
import { type ProgramRequest, type ProgramResult, readMessage, writeMessage } from "./small-process.ts";

// The entry point of the processes of small-process.ts. With two pipes as arguments, it runs one program after the other.

const [requests, results] = process.argv.slice(2);

function runSync({ id, file, args, cwd, env, umask, input }: ProgramRequest): ProgramResult {
  process.umask(umask);
  const { status, signal, stdout, stderr, error } = spawnSync(file, args, { cwd, env, input: input ?? "", maxBuffer: 1 << 30 });
  return { id, code: status, signal, stdout: stdout ?? Buffer.alloc(0), stderr: stderr ?? Buffer.alloc(0), ...(error && { failure: String(error) }) };
}

function run({ id, file, args, cwd, env, umask, input }: ProgramRequest): void {
  const reply = (result: Omit<ProgramResult, "id">): void => void process.send?.({ id, ...result });
  const [stdout, stderr]: Buffer[][] = [[], []];
  process.umask(umask);
  const child = spawn(file, args, { cwd, env, stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"] });
  child.stdin?.on("error", () => {}).end(input);
  child.stdout?.on("data", (chunk: Buffer) => stdout?.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => stderr?.push(chunk));
  child.once("error", (error) => reply({ code: null, signal: null, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), failure: String(error) }));
  child.once("close", (code, signal) => {
    if (child.pid !== undefined) reply({ code, signal, stdout: Buffer.concat(stdout ?? []), stderr: Buffer.concat(stderr ?? []) });
  });
}

if (requests !== undefined && results !== undefined) {
  const [input, output] = [openSync(requests, "r"), openSync(results, "w")];
  for (let request = readMessage(input); request !== undefined; request = readMessage(input)) writeMessage(output, runSync(request as ProgramRequest));
} else {
  process.on("message", (request: ProgramRequest) => run(request));
  process.once("disconnect", () => process.exit(0));
}
