import { readArmor } from "./openpgp/armor.ts";
import { FormatProblem } from "./openpgp/bytes.ts";
import { readDetachedSignature, type SignaturePacket, signatureTypes } from "./openpgp/signature-packet.ts";
import { readSshSignature, type SshSignature } from "./ssh-signature.ts";

/** The signature of a commit or tag; `none` is one that cannot be read or is not trusted. */
export type ParsedSignature =
  | { readonly kind: "openpgp"; readonly packet: SignaturePacket }
  | { readonly kind: "ssh"; readonly made: SshSignature }
  | { readonly kind: "none" };

/** The largest signatures, by RSA keys of 16384 bits, have 3 KiB. */
const maxLength = 16 * 1024;
/** The namespace in which git calls ssh-keygen. A signature for a file or for authentication does not count for a commit. */
const namespace = "git";

export function readSignature(text: string): ParsedSignature {
  try {
    if (text.length > maxLength) return { kind: "none" };
    if (text.startsWith("-----BEGIN SSH SIGNATURE-----")) {
      const made = readSshSignature(text);
      return made.namespace === namespace ? { kind: "ssh", made } : { kind: "none" };
    }
    const packet = readDetachedSignature(readArmor(text, ["PGP SIGNATURE", "PGP MESSAGE"]));
    // SHA-1 collisions are practical, so a SHA-1 signature may have been made for other content.
    const isBelieved = packet.type === signatureTypes.binary && packet.digest !== undefined && packet.digest !== "sha1";
    return isBelieved ? { kind: "openpgp", packet } : { kind: "none" };
  } catch (error) {
    if (error instanceof FormatProblem) return { kind: "none" };
    throw error;
  }
}
