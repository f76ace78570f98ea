import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { goProgram } from "./go-program.ts";

/** The S3 service of https://github.com/versity/versitygw, which stores objects in a folder. */
const program = goProgram("gateway", join(import.meta.dirname, "gateway"));

/** Why the tests that need it are skipped; undefined if they are not. */
export const gatewayMissing = program.missing;

export const ensureGateway = (): Promise<string> => program.ensure();

export interface S3Gateway extends AsyncDisposable {
  readonly environment: Readonly<Record<string, string>>;
  /** The objects, as files below this folder. */
  readonly objects: string;
  kill(): Promise<void>;
  /** Starts it again at the same address, with the same objects. */
  restart(): Promise<void>;
}

const accessKey = "test-key";
const secretKey = "test-secret";
const region = "eu-test-1";

export async function startGateway(): Promise<S3Gateway> {
  const file = await ensureGateway();
  const root = mkdtempSync(join(tmpdir(), "hearth-s3-"));
  for (const name of ["objects", "objects/files", "metadata"]) mkdirSync(join(root, name));
  const port = await freePort();
  const env = { ...process.env, ACCESS_KEY: accessKey, SECRET_KEY: secretKey, REGION: region };
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    child = spawn(file, [`${port}`, join(root, "objects"), join(root, "metadata")], { env, stdio: "ignore" });
    await answers(`http://127.0.0.1:${port}/health`, child);
  };
  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child?.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  };
  await start();
  return {
    environment: {
      HEARTH_STORAGE_URL: `s3+http://127.0.0.1:${port}/files/hearth?region=${region}`,
      HEARTH_STORAGE_ACCESS_KEY: accessKey,
      HEARTH_STORAGE_SECRET_KEY: secretKey,
    },
    objects: join(root, "objects", "files"),
    kill,
    restart: start,
    async [Symbol.asyncDispose]() {
      await kill();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    if (child.exitCode !== null) throw new Error(`the S3 service ended with ${child.exitCode}`);
    const found = await fetch(url).catch(() => undefined);
    if (found?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the S3 service does not answer");
}
