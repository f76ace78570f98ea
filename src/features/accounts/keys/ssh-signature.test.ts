import { describe, expect, test } from "vitest";
import { hasSshKeygen, makeSshKey } from "../../../../test/kit/signing.ts";
import { readArmor, writeArmor } from "./openpgp/armor.ts";
import { FormatProblem } from "./openpgp/bytes.ts";
import { parsePublicKey } from "./public-key.ts";
import { readSignature } from "./signature.ts";
import { readSshSignature } from "./ssh-signature.ts";

const data = Buffer.from("tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n\nsigned \xff\n", "latin1");

describe.skipIf(!hasSshKeygen)(`signatures of ssh-keygen${hasSshKeygen ? "" : " (skipped: it is not installed)"}`, () => {
  test.each([
    ["ed25519", ["-t", "ed25519"]],
    ["rsa", ["-t", "rsa", "-b", "2048"]],
    ["ecdsa 256", ["-t", "ecdsa", "-b", "256"]],
    ["ecdsa 384", ["-t", "ecdsa", "-b", "384"]],
    ["ecdsa 521", ["-t", "ecdsa", "-b", "521"]],
  ])("%s", async (_name, options) => {
    await using key = await makeSshKey(...options);
    for (let round = 0; round < 4; round += 1) {
      const signature = readSshSignature(await key.sign(data));
      expect(signature.fingerprint).toBe(parsePublicKey(key.publicKey).fingerprint);
      expect(signature.namespace).toBe("git");
      expect([signature.isOver(data), signature.isOver(data)]).toEqual([true, true]);
      expect(signature.isOver(Buffer.concat([data, Buffer.from("\n")]))).toBe(false);
    }
  });

  test("are rejected for a commit if they were made for another purpose", async () => {
    await using key = await makeSshKey();
    expect(readSignature(await key.sign(data)).kind).toBe("ssh");
    expect(readSignature(await key.sign(data, "file"))).toEqual({ kind: "none" });
  });

  test("are rejected with any byte changed", async () => {
    await using key = await makeSshKey();
    const { fingerprint } = parsePublicKey(key.publicKey);
    const bytes = readArmor(await key.sign(data), ["SSH SIGNATURE"]);
    for (let place = 0; place < bytes.length; place += 1) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ 1;
      const parsed = readSignature(writeArmor(changed, "SSH SIGNATURE"));
      if (parsed.kind === "ssh" && parsed.made.fingerprint === fingerprint) expect(parsed.made.isOver(data)).toBe(false);
    }
    for (let length = 0; length < bytes.length; length += 1) {
      expect(() => readSshSignature(writeArmor(bytes.subarray(0, length), "SSH SIGNATURE"))).toThrow(FormatProblem);
    }
  });
});
