import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { silentLog } from "../../test/kit/logs.ts";
import { loadConfig } from "../config/config.ts";
import { createForge } from "./forge.ts";
import { sshLine, sshPrefix } from "./ssh.ts";

const open = (port: number) => ({ kind: "open", port, hostKeys: [{ kind: "ED25519", fingerprint: "SHA256:x" }] }) as const;
const prefix = (settings: Record<string, string>, port = 2222) => sshPrefix(loadConfig(settings), "git.example.org", open(port));

test("SSH URLs use the shortest form that their port allows", () => {
  expect(prefix({})).toBe("ssh://git@git.example.org:2222/");
  expect(prefix({}, 22)).toBe("git@git.example.org:");
  expect(prefix({ HEARTH_SSH_PUBLIC_PORT: "22" })).toBe("git@git.example.org:");
  expect(prefix({ HEARTH_SSH_DOMAIN: "ssh.example.org", HEARTH_SSH_PUBLIC_PORT: "7022" })).toBe("ssh://git@ssh.example.org:7022/");
  expect(sshPrefix(loadConfig({}), "git.example.org", { kind: "off" })).toBe("git@git.example.org:");
});

test("prints the SSH port and host keys, or the reason why SSH is off", () => {
  expect(sshLine({ kind: "off" })).toBe("");
  expect(sshLine(open(2222))).toBe("Git over SSH on port 2222; host keys SHA256:x (ED25519)\n");
  expect(sshLine({ kind: "taken", place: "127.0.0.1:2222" })).toContain("Git over SSH is off: 127.0.0.1:2222 is in use by another program");
});

test("does not serve HTTP when the SSH port is not available", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const directory = mkdtempSync(join(tmpdir(), "hearth-ports-"));
  const address = { HEARTH_HOST: "127.0.0.1", HEARTH_PORT: "0", HEARTH_SSH_PORT: String(port) };
  const forge = await createForge(loadConfig({ PATH: process.env.PATH ?? "", HEARTH_DATA: directory, ...address }), { log: silentLog });
  try {
    await expect(forge.listen()).rejects.toThrow("is in use by another program");
    // No address, because it never listened.
    expect(() => forge.http.port()).toThrow();
  } finally {
    await forge[Symbol.asyncDispose]();
    taken.close();
    rmSync(directory, { recursive: true, force: true });
  }
});
