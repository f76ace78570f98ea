import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** Git with a home folder of its own, independent of the user's configuration and credentials. */
export interface GitClient {
  /** Folder for its repositories. */
  readonly folder: string;
  /** @returns standard output @throws Error with the end of standard error */
  run(args: readonly string[], input?: string | AsyncIterable<Buffer>): Promise<string>;
}

export function openGitClient(folder: string): GitClient {
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  const person = { NAME: "Bench", EMAIL: "bench@example.org", DATE: "2024-01-02T03:04:05Z" };
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    ...Object.fromEntries(
      Object.entries(person).flatMap(([name, value]) => [`GIT_AUTHOR_${name}`, `GIT_COMMITTER_${name}`].map((variable) => [variable, value])),
    ),
  };

  const run = async (args: readonly string[], input: string | AsyncIterable<Buffer> = ""): Promise<string> => {
    const child = spawn("git", args, { cwd: folder, env, stdio: ["pipe", "pipe", "pipe"] });
    const output: Buffer[] = [];
    let errorOutput = "";
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => {
      errorOutput = (errorOutput + chunk).slice(-2_000);
    });
    const ended = new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve(code ?? -1));
    });
    // Git closes its input when it exits early; its exit code gives the reason.
    child.stdin.on("error", () => undefined);
    await feed(child.stdin, input);
    const code = await ended;
    // URLs contain the token.
    if (code !== 0) throw new Error(`git ${args.join(" ")} ended with ${code}: ${errorOutput.trim()}`.replaceAll(/:\/\/[^/@\s]*@/g, "://"));
    return Buffer.concat(output).toString("utf8").trimEnd();
  };
  return { folder, run };
}

async function feed(stdin: NodeJS.WritableStream, input: string | AsyncIterable<Buffer>): Promise<void> {
  if (typeof input !== "string") {
    for await (const chunk of input) {
      if (!stdin.write(chunk)) await new Promise<void>((resolve) => stdin.once("drain", resolve));
    }
    stdin.end();
    return;
  }
  stdin.end(input);
}
