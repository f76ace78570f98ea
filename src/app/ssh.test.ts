import { expect, test } from "vitest";
import { loadConfig } from "../config/config.ts";
import { sshLine, sshPrefix } from "./ssh.ts";

const open = (port: number) => ({ kind: "open", port, hostKeys: [{ kind: "ED25519", fingerprint: "SHA256:x" }] }) as const;
const prefix = (settings: Record<string, string>, port = 2222) => sshPrefix(loadConfig(settings), "git.example.org", open(port));

test("SSH addresses are as short as their port lets them be", () => {
  expect(prefix({})).toBe("ssh://git@git.example.org:2222/");
  expect(prefix({}, 22)).toBe("git@git.example.org:");
  expect(prefix({ HEARTH_SSH_PUBLIC_PORT: "22" })).toBe("git@git.example.org:");
  expect(prefix({ HEARTH_SSH_DOMAIN: "ssh.example.org", HEARTH_SSH_PUBLIC_PORT: "7022" })).toBe("ssh://git@ssh.example.org:7022/");
  expect(sshPrefix(loadConfig({}), "git.example.org", { kind: "off" })).toBe("git@git.example.org:");
});

test("the operator is told where SSH is, by which keys it is known, or why it is not", () => {
  expect(sshLine({ kind: "off" })).toBe("");
  expect(sshLine(open(2222))).toBe("Git over SSH on port 2222; host keys SHA256:x (ED25519)\n");
  expect(sshLine({ kind: "taken", place: "127.0.0.1:2222" })).toContain("Git over SSH is off: 127.0.0.1:2222 is in use by another program");
});
