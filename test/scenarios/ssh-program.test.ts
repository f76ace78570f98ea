import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runProgram, startProgram } from "../kit/program.ts";
import { sshMissing } from "../kit/ssh.ts";

/** Git over SSH in the real program, from the operator's point of view. */

const folder = mkdtempSync(join(tmpdir(), "hearth-ssh-program-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const settings = (data: string) => ({ HEARTH_DATA: join(folder, data), HEARTH_SSH_ENABLED: "true", HEARTH_LOG_LEVEL: "warn" });
const line = (output: string): { readonly port: string; readonly keys: readonly string[] } => {
  const [, port = "", keys = ""] = /^Git over SSH on port (\d+); host keys (.*)$/m.exec(output) ?? [];
  return { port, keys: keys.split(", ") };
};

describe.skipIf(sshMissing !== undefined)(`the program${sshMissing === undefined ? "" : ` (${sshMissing})`}`, () => {
  test("prints its host keys, the same after every start", async () => {
    let before: readonly string[] = [];
    for (let round = 0; round < 2; round += 1) {
      await using program = await startProgram({ ...settings("keys"), HEARTH_SSH_PORT: "0" });
      const { port, keys } = line(program.output());
      expect(keys).toEqual([expect.stringMatching(/^SHA256:\S{43} \(ED25519\)$/), expect.stringMatching(/^SHA256:\S{43} \(ECDSA\)$/)]);
      if (round > 0) expect(keys).toEqual(before);
      before = keys;
      const scanned = join(folder, "known_hosts");
      writeFileSync(scanned, execFileSync("ssh-keyscan", ["-p", port, "127.0.0.1"], { stdio: ["ignore", "pipe", "ignore"] }));
      const shown = execFileSync("ssh-keygen", ["-l", "-f", scanned]).toString();
      for (const key of keys) expect(shown).toContain(key.split(" ")[0]);
      expect(await program.stop()).toBe(0);
    }
  });
});

describe("a port in use by another program", () => {
  test("fails the start with one line if the port was configured", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const run = await runProgram(["serve"], { ...settings("chosen"), HEARTH_SSH_PORT: String(port) });
    other.close();
    expect(run).toMatchObject({ code: 1, stderr: `hearth: 127.0.0.1:${port} is in use by another program: stop it, or set HEARTH_SSH_PORT to a free port\n` });
  });

  test("disables SSH only if the port is the default", async () => {
    const other = createServer().listen(2222, "127.0.0.1");
    // Another program may already use it, which has the same effect.
    await new Promise((resolve) => other.once("listening", resolve).once("error", resolve));
    await using program = await startProgram(settings("default"));
    expect(program.output()).toMatch(/^Git over SSH is off: 127\.0\.0\.1:2222 is in use by another program/m);
    expect((await fetch(`${program.url}/api/v1/version`)).status).toBe(200);
    other.close();
  });
});
