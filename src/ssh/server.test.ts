import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import ssh2 from "ssh2";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { silentLog } from "../../test/kit/logs.ts";
import { polling } from "../../test/kit/polling.ts";
import { makeKeyPair, runSsh, type SshKeyPair, sshMissing, sshWords } from "../../test/kit/ssh.ts";
import { operator } from "../access/actor.ts";
import { forbidden, isForgeError } from "../core/errors.ts";
import { isSignedBy } from "../features/accounts/keys/ssh-signature.ts";
import type { SshHandler } from "./ports.ts";
import { createSshServer, type SshServer, type SshServerOptions } from "./server.ts";

const wide = { total: 100, perNetwork: 100, unknownTotal: 100, unknownPerNetwork: 100 };

test("the library is loaded by the first client, not at start-up", () => {
  const root = join(import.meta.dirname, "..");
  const sources = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => /(?<!\.test)\.tsx?$/.test(name));
  const naming = sources.map((name) => readFileSync(join(root, name), "utf8")).flatMap((text) => text.split("\n").filter((line) => line.includes('"ssh2"')));
  expect(naming.length).toBeGreaterThan(3);
  expect(naming.filter((line) => !/^import type |\(await import\("ssh2"\)\)/.test(line))).toEqual([]);
});

describe.skipIf(sshMissing !== undefined)(`the SSH server${sshMissing === undefined ? "" : ` (${sshMissing})`}`, () => {
  let folder: string;
  let key: SshKeyPair;
  const hostKey = { kind: "ECDSA", privateKey: ssh2.utils.generateKeyPairSync("ecdsa", { bits: 256 }).private, fingerprint: "" };
  const started: SshServer[] = [];

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "hearth-ssh-"));
    key = makeKeyPair(folder, "key");
  });
  afterAll(async () => {
    await Promise.all(started.map((server) => server.close(0)));
    rmSync(folder, { recursive: true, force: true });
  });

  const identitiesOf = ({ publicKey }: SshKeyPair): SshServerOptions["identities"] => {
    const blob = Buffer.from(publicKey.split(" ")[1] ?? "", "base64");
    return {
      findKey: async (offered) => (offered.equals(blob) ? { id: 1, blob } : undefined),
      isSignedBy,
      holderOf: async ({ id }) => ({ keyId: id, title: "test", actor: operator }),
    };
  };

  async function start(handler: SshHandler, options: Partial<SshServerOptions> = {}): Promise<{ server: SshServer; port: number; words: string[] }> {
    const server = createSshServer({ hostKeys: [hostKey], identities: identitiesOf(key), handler, bounds: wide, log: silentLog, ...options });
    started.push(server);
    const port = await server.listen("127.0.0.1", 0);
    return { server, port, words: sshWords(key, port, "git@127.0.0.1") };
  }

  test("sends and receives all bytes, and exits with the handler's code", async () => {
    const { words } = await start(async ({ command, input, write, report }) => {
      report(`requested: ${command}\n`);
      for await (const chunk of input) await write(chunk);
      return 7;
    });
    const sent = randomBytes(5_000_000).toString("base64");
    expect(await runSsh([...words, "echo 'this'"], { input: sent })).toEqual({ code: 7, stdout: sent, stderr: "requested: echo 'this'\n" });
  });

  test.each([
    ["rsa", "rsa-sha2-512"],
    ["rsa", "rsa-sha2-256"],
    ["ecdsa", "ecdsa-sha2-nistp256"],
    ["ed25519", "ssh-ed25519"],
  ] as const)("a client with a key of the type %s that signs only with %s can sign in", async (type, algorithm) => {
    const own = makeKeyPair(folder, `own-${algorithm}`, type);
    const { port } = await start(async () => 0, { identities: identitiesOf(own) });
    const words = sshWords(own, port, "-o", `PubkeyAcceptedAlgorithms=${algorithm}`, "git@127.0.0.1", "x");
    expect(await runSsh(words)).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("rejects a client that signs only with SHA-1", async () => {
    const own = makeKeyPair(folder, "own-sha1", "rsa");
    const { port } = await start(async () => 0, { identities: identitiesOf(own) });
    const answer = await runSsh(sshWords(own, port, "-o", "PubkeyAcceptedAlgorithms=ssh-rsa", "git@127.0.0.1", "x"));
    expect(answer).toMatchObject({ code: 255, stderr: expect.stringContaining("Permission denied (publickey)") });
  });

  test("announces the accepted signature algorithms once, without SHA-1 and DSA", async () => {
    const { port } = await start(async () => 0);
    const { stderr } = await runSsh(["-v", ...sshWords(key, port, "git@127.0.0.1", "x")]);
    const lists = stderr.split(/\r?\n/).filter((line) => line.includes("server-sig-algs"));
    expect(lists).toEqual([
      "debug1: kex_input_ext_info: server-sig-algs=<ssh-ed25519,sk-ssh-ed25519@openssh.com,ecdsa-sha2-nistp256,ecdsa-sha2-nistp384,ecdsa-sha2-nistp521,sk-ecdsa-sha2-nistp256@openssh.com,rsa-sha2-512,rsa-sha2-256>",
    ]);
  });

  test("keeps serving a client that repeats the key exchange", async () => {
    const { port } = await start(async ({ input, write }) => {
      for await (const chunk of input) await write(chunk);
      return 0;
    });
    const sent = "x".repeat(3_000_000);
    expect(await runSsh(sshWords(key, port, "-o", "RekeyLimit=1M", "git@127.0.0.1", "echo"), { input: sent })).toEqual({ code: 0, stdout: sent, stderr: "" });
  });

  test("shows a refusal to the user without terminal control characters, but not an internal error", async () => {
    const { words } = await start(async ({ command }) => {
      if (command === "defect") throw new Error("a secret of the server");
      throw forbidden("no \u001b[2J\u202eway\nround");
    });
    expect(await runSsh([...words, "x"])).toEqual({ code: 1, stdout: "", stderr: "error:\nerror: no [2Jway\nerror: round\nerror:\n" });
    expect(await runSsh([...words, "defect"])).toEqual({ code: 1, stdout: "", stderr: "error:\nerror: Internal server error.\nerror:\n" });
  });

  test("disconnects an unauthenticated client after a timeout, whether or not it sends its identification", async () => {
    const { port: patientPort } = await start(async () => 0);
    const { port } = await start(async () => 0, { signInWithinMs: 300 });
    const closing = async (to: number, word: string): Promise<number> => {
      const socket = connect(to, "127.0.0.1").resume();
      socket.on("error", () => {});
      socket.write(word);
      await once(socket, "close");
      return to;
    };
    // The default timeout is longer.
    for (const word of ["", "SSH-2.0-slow\r\n"]) expect(await Promise.race([closing(patientPort, word), closing(port, word)])).toBe(port);
    await closing(port, "GET / HTTP/1.1\r\n\r\n");
  });

  test("disconnects clients when all slots are taken, and accepts them when one is free", async () => {
    const { port, words } = await start(async () => 0, { bounds: { ...wide, unknownPerNetwork: 2 } });
    const held = [connect(port, "127.0.0.1").resume(), connect(port, "127.0.0.1").resume()];
    await Promise.all(held.map((socket) => once(socket, "data")));
    expect((await runSsh([...words, "x"])).code).toBe(255);
    for (const socket of held) socket.destroy();
    await expect.poll(async () => (await runSsh([...words, "x"])).code, polling).toBe(0);
  });

  test("limits the data sent to a client that does not read it, and ends its command when it disconnects", async () => {
    let sentBytes = 0;
    const over = Promise.withResolvers<unknown>();
    const { words } = await start(async ({ write, signal }) => {
      try {
        for (const chunk = Buffer.alloc(65_536); sentBytes < 1_000_000_000; sentBytes += chunk.length) await write(chunk);
        return 0;
      } catch (error) {
        over.resolve({ isForgeError: isForgeError(error, "unavailable"), aborted: signal.aborted });
        throw error;
      }
    });
    const child = spawn("ssh", [...words, "pour"], { stdio: ["ignore", "pipe", "ignore"], env: { PATH: process.env.PATH } });
    for (let before = -1; before !== sentBytes || sentBytes === 0; ) {
      before = sentBytes;
      await delay(300);
    }
    expect(sentBytes).toBeLessThan(8_000_000);
    child.kill("SIGKILL");
    expect(await over.promise).toEqual({ isForgeError: true, aborted: true });
  });

  test("a stop waits for running commands, rejects new clients, and aborts commands after the grace period", async () => {
    const begun = Promise.withResolvers<void>();
    const { server, words } = await start(async ({ command, write }) => {
      begun.resolve();
      if (command === "endless") for (;;) await write("x").then(() => delay(10));
      await delay(300);
      await write("done");
      return 0;
    });
    const running = runSsh([...words, "short"]);
    await begun.promise;
    const closed = server.close(5_000);
    expect((await runSsh([...words, "late"])).code).toBe(255);
    expect(await running).toEqual({ code: 0, stdout: "done", stderr: "" });
    await closed;

    const other = await start(async ({ write }) => {
      for (;;) {
        await write("x");
        await delay(10);
      }
    });
    const child = spawn("ssh", [...other.words, "endless"], { stdio: ["ignore", "pipe", "ignore"], env: { PATH: process.env.PATH } });
    const exited = once(child, "exit");
    await once(child.stdout.resume(), "data");
    await other.server.close(200);
    expect((await exited)[0]).toBe(255);
  });

  test("a connection that breaks at any byte ends its own command only", async () => {
    const running = new Set<AbortSignal>();
    const { port, words } = await start(async ({ input, write, signal }) => {
      running.add(signal);
      try {
        for await (const chunk of input) await write(chunk);
        for (let left = 40; left > 0; left -= 1) await write(Buffer.alloc(10_000));
        return 0;
      } finally {
        running.delete(signal);
      }
    });
    const cutting = createServer((socket) => {
      let left = Math.floor(Math.random() ** 2 * 200_000);
      const upstream = connect(port, "127.0.0.1");
      const cut = (): void => {
        for (const end of [socket, upstream]) end.resetAndDestroy();
      };
      for (const [from, to] of [
        [socket, upstream],
        [upstream, socket],
      ] as const) {
        from.on("error", () => {});
        from.on("close", () => to.destroy());
        from.on("data", (chunk: Buffer) => {
          left -= chunk.length;
          if (left < 0) cut();
          else to.write(chunk);
        });
      }
    }).listen(0, "127.0.0.1");
    await once(cutting, "listening");
    const through = sshWords(key, (cutting.address() as AddressInfo).port, "git@127.0.0.1", "echo");
    const codes: (number | null)[] = [];
    const worker = async (): Promise<void> => {
      for (let round = 0; round < 10; round += 1) codes.push((await runSsh(through, { input: Buffer.alloc(20_000) })).code);
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
    cutting.close();
    // Each one would exchange more than the limit of a connection.
    expect(codes).toEqual(Array(40).fill(255));
    await expect.poll(() => running.size).toBe(0);
    expect((await runSsh([...words, "echo"], { input: "still here" })).code).toBe(0);
  });

  test("limits the number of concurrent commands of one connection", async () => {
    const { port } = await start(async ({ input }) => {
      for await (const _chunk of input);
      return 0;
    });
    const client = new ssh2.Client();
    // The server may reset the connection.
    client.on("error", () => {});
    client.connect({ host: "127.0.0.1", port, username: "git", privateKey: readFileSync(key.path) });
    await once(client, "ready");
    const opened = await Promise.all(
      Array.from({ length: 15 }, () => new Promise<boolean>((resolve) => client.exec("wait", (error) => resolve(error === undefined)))),
    );
    expect(opened.filter(Boolean)).toHaveLength(10);
    client.end();
  });
});
