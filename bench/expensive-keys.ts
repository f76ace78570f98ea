import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** Keys that are accepted and as expensive to read as possible. */

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const uint32 = (value: number): Buffer => Buffer.from([value >>> 24, (value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff]);
const packet = (tag: number, body: Buffer): Buffer => Buffer.concat([Buffer.from([0xc0 | tag, 0xff]), uint32(body.length), body]);

function mpi(number: Buffer): Buffer {
  const from = number.findIndex((byte) => byte !== 0);
  const bytes = from < 0 ? Buffer.alloc(0) : number.subarray(from);
  return Buffer.concat([uint16(bytes.length === 0 ? 0 : bytes.length * 8 - Math.clz32(bytes[0] ?? 0) + 24), bytes]);
}

const nistP521 = Buffer.from("2b81040023", "hex");
/** The most that this curve allows. */
const userIds = 12;
const wrongSignatures = 1;

/** An armored key on P-521, the slowest curve: each user id has a wrong signature of the key itself before the right one. */
export function expensivePgpKey(): string {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-521" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  const body = Buffer.concat([Buffer.from([4]), uint32(1_700_000_000), Buffer.from([19, nistP521.length]), nistP521, mpi(point)]);
  const own = Buffer.concat([Buffer.from([0x99]), uint16(body.length), body]);
  const keyId = createHash("sha1").update(own).digest().subarray(-8);
  const certify = (id: Buffer, time: number, isWrong: boolean): Buffer => {
    const fields = Buffer.concat([Buffer.from([5, 2]), uint32(time), Buffer.from([9, 16]), keyId]);
    const hashed = Buffer.concat([Buffer.from([4, 0x13, 19, 10]), uint16(fields.length), fields]);
    const signed = Buffer.concat([own, Buffer.from([0xb4]), uint32(id.length), id, hashed, Buffer.from([4, 0xff]), uint32(hashed.length)]);
    const numbers = isWrong ? randomBytes(132).fill(1, 0, 1).fill(1, 66, 67) : sign("sha512", signed, { key: privateKey, dsaEncoding: "ieee-p1363" });
    const left16 = createHash("sha512").update(signed).digest().subarray(0, 2);
    return packet(2, Buffer.concat([hashed, uint16(0), left16, mpi(numbers.subarray(0, 66)), mpi(numbers.subarray(66))]));
  };
  const packets = [packet(6, body)];
  for (let at = 0; at < userIds; at += 1) {
    const id = Buffer.from(at === 0 ? "root1 <root1@example.org>" : `u${at} <u${at}@example.org>`);
    packets.push(packet(13, id));
    for (let time = wrongSignatures; time >= 0; time -= 1) packets.push(certify(id, 1_700_000_001 + time, time > 0));
  }
  const text = Buffer.concat(packets).toString("base64").replace(/.{64}/g, "$&\n");
  return `-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n${text}\n-----END PGP PUBLIC KEY BLOCK-----\n`;
}

/** An RSA key of 16,384 bits, the largest that is accepted. Its modulus is not a product of two primes, which nothing checks. */
export function largeSshKey(): string {
  const field = (bytes: Buffer): Buffer => Buffer.concat([uint32(bytes.length), bytes]);
  const modulus = randomBytes(2_048).fill(0xc1, 0, 1).fill(1, 2_047);
  const blob = Buffer.concat([field(Buffer.from("ssh-rsa")), field(Buffer.from([1, 0, 1])), field(Buffer.concat([Buffer.alloc(1), modulus]))]);
  return `ssh-rsa ${blob.toString("base64")}`;
}
