import { readArmor, writeArmor } from "../../src/features/accounts/keys/openpgp/armor.ts";
import { FormatProblem } from "../../src/features/accounts/keys/openpgp/bytes.ts";
import { readCertificateBytes } from "../../src/features/accounts/keys/openpgp/certificate.ts";
import { readDetachedSignature } from "../../src/features/accounts/keys/openpgp/signature-packet.ts";
import { KeyProblem, parsePublicKey } from "../../src/features/accounts/keys/public-key.ts";
import { readSignature } from "../../src/features/accounts/keys/signature.ts";
import { readSshCertificate } from "../../src/features/accounts/keys/ssh-certificate.ts";
import { readSshSignature } from "../../src/features/accounts/keys/ssh-signature.ts";
import { base64, texts } from "./seeds.ts";
import { type FuzzTarget, magnitude } from "./target.ts";

const certificate =
  "mDMEawdt/RYJKwYBBAHaRw8BAQdAQfCb4WPYocvRpSE2R6xHhIxZgSbTvQ88zkKsJTr2LDS0F0Z1enogPGZ1enpAZXhhbXBsZS5vcmc+iJAEExYIADgWIQRJefGWf4Wzquwz2Au+EE/fNTppMwUCawdt/QIbAwULCQgHAgYVCgkICwIEFgIDAQIeAQIXgAAKCRC+EE/fNTppM1cPAP94rjyD4x6pqagpv6nSkX2OB7i84wuNGWJiqi4ce/RVhQEAvZ23LgA9H/bS/V0+oSyaIF00oNNt1zb835S1HIS6OQ+4OARrB23+EgorBgEEAZdVAQUBAQdAr7g9lCDr8wxj6W/NuzS5HyzVFQswi6vKbJBgAND65WYDAQgHiHgEGBYIACAWIQRJefGWf4Wzquwz2Au+EE/fNTppMwUCawdt/gIbDAAKCRC+EE/fNTppM5KBAPwIi5Q1yJUlMgG+XJX83xgS6FRNs6Q5hhD3EJ8t8C+0HAD/RI1PbV+NGV7YmpFo3wBRF5+Czbt/YPYqN35djPgGYwI=";
const detached =
  "iHUEABYIAB0WIQRJefGWf4Wzquwz2Au+EE/fNTppMwUCawdt/wAKCRC+EE/fNTppM60bAP9s70pa+Nca/7nmi50if3q/eV0ZxhutkmNIvyGQPERVggEAlL3MQc3j6R2RZSyT4YVcaMmwTDhkOpBXxl9ULKj4fwQ=";

const field = (bytes: Uint8Array | string): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(bytes));
  return Buffer.concat([length, Buffer.from(bytes)]);
};
const ed25519 = Buffer.concat([field("ssh-ed25519"), field(Buffer.alloc(32, 7))]);
const sshSignature = Buffer.concat([
  Buffer.from("SSHSIG\0\0\0\u0001", "latin1"),
  field(ed25519),
  field("git"),
  field(""),
  field("sha512"),
  field(Buffer.concat([field("ssh-ed25519"), field(Buffer.alloc(64, 9))])),
]);

const sshCertificate = Buffer.concat([
  ...["ssh-ed25519-cert-v01@openssh.com", Buffer.alloc(32, 5), Buffer.alloc(32, 7)].map(field),
  Buffer.from("00000000000000010000000100000003616e6e", "hex"),
  field(field("ann")),
  Buffer.alloc(8),
  Buffer.alloc(8, 255),
  field(Buffer.concat([field("source-address"), field(field("10.0.0.0/8"))])),
  ...["", "", ed25519, Buffer.concat([field("ssh-ed25519"), field(Buffer.alloc(64, 9))])].map(field),
]);

/** Parsers of keys and signatures. */
export const keyTargets: readonly FuzzTarget[] = [
  {
    name: "OpenPGP keys",
    seeds: base64(certificate),
    rejections: [FormatProblem],
    run: (input) =>
      Object.values(readCertificateBytes(input))
        .map((value) => (Array.isArray(value) ? value.length : typeof value))
        .join(),
  },
  {
    name: "OpenPGP signatures",
    seeds: base64(detached),
    rejections: [FormatProblem],
    run: (input) => `${readDetachedSignature(input).type} ${readSignature(writeArmor(input, "PGP SIGNATURE")).kind}`,
  },
  {
    name: "armor",
    seeds: texts(
      writeArmor(Buffer.from(certificate, "base64"), "PGP PUBLIC KEY BLOCK"),
      writeArmor(Buffer.from(detached, "base64"), "PGP SIGNATURE", "Comment"),
    ),
    rejections: [FormatProblem],
    run: (input) => String(magnitude(readArmor(input.toString(), ["PGP PUBLIC KEY BLOCK", "PGP SIGNATURE"]).length)),
  },
  {
    name: "SSH signatures",
    seeds: [sshSignature],
    rejections: [FormatProblem],
    run(input) {
      const read = readSshSignature(writeArmor(input, "SSH SIGNATURE"));
      if (read.isOver(Buffer.from("data"))) throw new Error("a changed signature is valid");
      return read.namespace;
    },
  },
  {
    name: "SSH certificates",
    seeds: [sshCertificate],
    rejections: [FormatProblem],
    run(input) {
      const { isAuthentic, principals } = readSshCertificate(input);
      if (isAuthentic) throw new Error("a changed certificate is authentic");
      return String(principals.length);
    },
  },
  {
    name: "SSH public keys",
    seeds: texts(
      `ssh-ed25519 ${ed25519.toString("base64")} ann@example.org`,
      `ssh-rsa ${Buffer.concat([field("ssh-rsa"), field(Buffer.from([1, 0, 1])), field(Buffer.alloc(257, 3))]).toString("base64")}`,
    ),
    rejections: [KeyProblem],
    run: (input) => parsePublicKey(input.toString()).content.split(" ", 1)[0] ?? "",
  },
];
