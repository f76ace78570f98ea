import { execFileSync, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { GitRun } from "./git-user.ts";

/** The reason why tests with OpenSSH's client cannot run here; undefined if they can. */
export const sshMissing: string | undefined = [
  ["ssh", "-V"],
  ["ssh-keygen", "-?"],
].some(([program = "", ...words]) => spawnSync(program, words).error !== undefined)
  ? "needs OpenSSH's client"
  : undefined;

/** A key pair in files. */
export interface SshKeyPair {
  readonly path: string;
  /** The line of the `.pub` file. */
  readonly publicKey: string;
}

export function makeKeyPair(folder: string, name: string, type: "ed25519" | "rsa" | "ecdsa" = "ed25519"): SshKeyPair {
  const path = join(folder, name);
  execFileSync("ssh-keygen", ["-q", "-t", type, ...(type === "rsa" ? ["-b", "2048"] : []), "-N", "", "-C", name, "-f", path]);
  return { path, publicKey: readFileSync(`${path}.pub`, "utf8").trim() };
}

/** Arguments of OpenSSH's client: one key or one agent, without any configuration of this machine. */
export function sshWords(identity: SshKeyPair | { readonly agent: string } | undefined, port: number, ...more: readonly string[]): string[] {
  const options = ["BatchMode=yes", "StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "LogLevel=ERROR"];
  if (identity === undefined) options.push("PubkeyAuthentication=no");
  else if ("agent" in identity) options.push(`IdentityAgent=${identity.agent}`);
  else options.push("IdentitiesOnly=yes", "IdentityAgent=none", `IdentityFile=${identity.path}`);
  return ["-F", "/dev/null", "-p", String(port), ...options.flatMap((option) => ["-o", option]), ...more];
}

/** Arguments that make git use this key. */
export const gitOverSsh = (key: SshKeyPair, port: number, ...more: readonly string[]): string[] => [
  "-c",
  `core.sshCommand=${["ssh", ...sshWords(key, port, ...more)].join(" ")}`,
];

/** Runs OpenSSH's client until it exits. */
export function runSsh(
  words: readonly string[],
  options: { readonly input?: string | Buffer; readonly environment?: Record<string, string> } = {},
): Promise<GitRun> {
  const child = spawn("ssh", words, { stdio: "pipe", env: { PATH: process.env.PATH, ...options.environment } });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) child[name].setEncoding("utf8").on("data", (text: string) => (output[name] += text));
  child.stdin.on("error", () => {});
  child.stdin.end(options.input ?? "");
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...output }));
  });
}
