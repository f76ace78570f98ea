import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const isThere = (program: string, ...args: string[]): boolean => spawnSync(program, args, { stdio: "ignore" }).error === undefined;
export const hasGpg = isThere("gpg", "--version");
export const hasSshKeygen = isThere("ssh-keygen", "-?");

export interface KeyOptions {
  readonly algorithm?: string;
  /** Such as `2y`. */
  readonly expires?: string;
  /** Creation time, such as `20200101T000000`. */
  readonly at?: string;
}

/** A user's GnuPG with its secret keys. Disposing stops its agent. */
export interface Keyring extends AsyncDisposable {
  /** Environment for git, which selects these keys. */
  readonly environment: Readonly<Record<string, string>>;
  /** Creates a signing key and returns its fingerprint. Default: Ed25519, created now, without expiry. */
  generate(userId: string, options?: KeyOptions): Promise<string>;
  gpg(...args: readonly string[]): Promise<string>;
  /** The public key, armored. */
  export(fingerprint: string): Promise<string>;
  /** A detached signature, armored. */
  sign(fingerprint: string, text: string, ...options: readonly string[]): Promise<string>;
}

/** The tests' own folder, unless the path of a socket of GnuPG's agent in it would be too long. */
const shortFolder = (): string => (tmpdir().length <= 70 ? tmpdir() : "/tmp");

export async function openKeyring(): Promise<Keyring> {
  const home = await mkdtemp(join(shortFolder(), "hg-"));
  const environment = { GNUPGHOME: home };
  const options = { env: { PATH: process.env.PATH, TMPDIR: tmpdir(), LC_ALL: "C", ...environment } };
  const gpg = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await run("gpg", ["--batch", "--no-tty", "--pinentry-mode", "loopback", "--passphrase", "", ...args], options);
    return stdout;
  };
  return {
    environment,
    gpg,
    async generate(userId, { algorithm = "ed25519", expires = "never", at } = {}) {
      const moment = at === undefined ? [] : ["--faked-system-time", `${at}!`];
      await gpg(...moment, "--quick-generate-key", userId, algorithm, "sign,cert", expires);
      const listed = await gpg(...moment, "--with-colons", "--list-keys", `=${userId}`);
      return /^fpr:+([0-9A-F]{40}):/m.exec(listed)?.[1] ?? "";
    },
    export: (fingerprint) => gpg("--armor", "--export", fingerprint),
    async sign(fingerprint, text, ...more) {
      const file = join(home, "text");
      await writeFile(file, text);
      return gpg(...more, "--armor", "--local-user", fingerprint, "--output", "-", "--detach-sign", file);
    },
    async [Symbol.asyncDispose]() {
      execFileSync("gpgconf", ["--kill", "all"], { ...options, stdio: "ignore" });
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** An SSH key of a user. */
export interface SshKey extends AsyncDisposable {
  /** Path of the public key, next to the private one. */
  readonly path: string;
  /** One line. */
  readonly publicKey: string;
  /** @param namespace purpose of the signature; default: git's own */
  sign(text: string | Buffer, namespace?: string): Promise<string>;
}

export async function makeSshKey(...options: readonly string[]): Promise<SshKey> {
  const folder = await mkdtemp(join(tmpdir(), "hs-"));
  const secret = join(folder, "key");
  await run("ssh-keygen", ["-q", "-N", "", "-C", "test", "-f", secret, ...(options.length === 0 ? ["-t", "ed25519"] : options)]);
  return {
    path: `${secret}.pub`,
    publicKey: (await readFile(`${secret}.pub`, "utf8")).trim(),
    async sign(text, namespace = "git") {
      const file = join(folder, "text");
      await writeFile(file, text);
      await rm(`${file}.sig`, { force: true });
      await run("ssh-keygen", ["-Y", "sign", "-n", namespace, "-f", secret, file]);
      return readFile(`${file}.sig`, "utf8");
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
