import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { parseHostRules } from "../../src/core/host-rules.ts";
import { signInToDirectory } from "../../src/features/accounts/auth-sources/ldap/directory.ts";
import { discover } from "../../src/features/accounts/auth-sources/oidc/provider.ts";
import { defaultLdapSettings, defaultOidcSettings } from "../../src/features/accounts/auth-sources/settings.ts";
import { encodePkt, flushPkt } from "../../src/git/send/pkt-line.ts";
import { createOutgoingClient, OutgoingError, readAtMost } from "../../src/outgoing/client.ts";
import { RemoteError } from "../../src/outgoing/git-connection.ts";
import { openFetch } from "../../src/outgoing/git-fetch.ts";
import { type FuzzTarget, magnitude } from "./target.ts";

/** A server that sends the same bytes to every connection, whatever it asks. */
interface Responder extends Disposable {
  readonly port: number;
  bytes: Buffer;
  /** Bytes that are sent for the first request. The second one gets the others. */
  firstBytes: number;
}

const patienceMs = 50;

async function openResponder(): Promise<Responder> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    const [first, second] = [responder.bytes.subarray(0, responder.firstBytes), responder.bytes.subarray(responder.firstBytes)];
    socket.once("data", () => {
      if (second.length === 0) return socket.end(first);
      socket.write(first);
      // A client that waits for the rest of a message does not send a second request.
      const timer = setTimeout(() => socket.end(), patienceMs);
      return socket.once("data", () => {
        clearTimeout(timer);
        socket.end(second);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const responder: Responder = {
    port: (server.address() as AddressInfo).port,
    bytes: Buffer.alloc(0),
    firstBytes: Number.POSITIVE_INFINITY,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
  return responder;
}

const timeoutMs = 5_000;
const oid = "0123456789abcdef0123456789abcdef01234567";
const http = (body: string | Buffer, ...headers: readonly string[]): Buffer =>
  Buffer.concat([Buffer.from(["HTTP/1.1 200 OK", ...headers, `Content-Length: ${Buffer.byteLength(body)}`, "", ""].join("\r\n")), Buffer.from(body)]);
const chunked = Buffer.from("HTTP/1.1 503 Busy\r\nTransfer-Encoding: chunked\r\nRetry-After: 7\r\n\r\n3\r\nabc\r\n0\r\nTrailer: x\r\n\r\n");

const advertised = Buffer.concat([
  encodePkt("# service=git-upload-pack\n"),
  flushPkt,
  encodePkt(`${oid} HEAD\0multi_ack side-band-64k symref=HEAD:refs/heads/main object-format=sha1 agent=git/2.39\n`),
  encodePkt(`${oid} refs/heads/main\n`),
  encodePkt(`${oid} refs/tags/v1\n`),
  encodePkt(`${oid} refs/tags/v1^{}\n`),
  flushPkt,
]);
const version2 = Buffer.concat([
  ...["# service=git-upload-pack\n"].map(encodePkt),
  flushPkt,
  ...["version 2\n", "ls-refs=unborn\n", "fetch=shallow filter\n", "object-format=sha1\n"].map(encodePkt),
  flushPkt,
]);
const advertisement = ["Content-Type: application/x-git-upload-pack-advertisement"];

/** A value of an LDAP message (RFC 4511), of at most 127 bytes. The first request of a client has the id 2. */
const ber = (tag: number, ...parts: readonly (Uint8Array | string)[]): Buffer => {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([Buffer.from([tag, content.length]), content]);
};
const text = (value: string): Buffer => ber(0x04, value);
const message = (id: number, operation: Buffer): Buffer => ber(0x30, ber(0x02, Buffer.from([id])), operation);
const result = (tag: number, code: number): Buffer => ber(tag, ber(0x0a, Buffer.from([code])), text(""), text(""));
const bound = message(2, result(0x61, 0));
const entry = message(3, ber(0x64, text("uid=ann,dc=example,dc=org"), ber(0x30, ber(0x30, text("uid"), ber(0x31, text("ann"))))));
const reference = message(3, ber(0x73, text("ldap://other.example.org/dc=x")));
const done = message(3, result(0x65, 0));

const metadata = (issuer: string): string =>
  JSON.stringify({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  });

/** Parsers of the answers of other servers. */
export async function openConnectionTargets(): Promise<{ readonly targets: readonly FuzzTarget[] } & Disposable> {
  const responder = await openResponder();
  const client = createOutgoingClient({ rules: parseHostRules(["loopback"]) as never });
  const url = (): URL => new URL(`http://127.0.0.1:${responder.port}/x`);
  const issuer = "https://id.example.org";
  const targets: readonly FuzzTarget[] = [
    {
      name: "responses to webhooks",
      seeds: [http("ok", "Content-Type: text/plain"), http("", "Location: /y", "Set-Cookie: a=b"), chunked],
      rejections: [OutgoingError],
      async run(input) {
        responder.bytes = input;
        const answer = await client.send({ method: "POST", url: url(), body: "{}", timeoutMs });
        try {
          const { bytes, isWhole } = await readAtMost(answer, 65_536);
          return `${answer.status} ${isWhole} ${magnitude(bytes.length)}`;
        } catch (error) {
          // The caller stores a body that breaks off as far as it came.
          return `${answer.status} ${(error as Error).name}`;
        } finally {
          answer.body.destroy();
        }
      },
    },
    {
      name: "refs of other git servers",
      seeds: [http(advertised, ...advertisement), http(version2, ...advertisement)],
      rejections: [OutgoingError, RemoteError],
      async run(input) {
        responder.bytes = input;
        await using remote = await openFetch(client, { url: url(), credentials: undefined }, { signal: AbortSignal.timeout(timeoutMs), exchangeMs: timeoutMs });
        return `${magnitude(remote.advertised.refs.length)} ${Object.keys(remote.advertised).join()}`;
      },
    },
    {
      name: "answers of LDAP directories",
      seeds: [Buffer.concat([bound, entry, done]), Buffer.concat([bound, reference, done]), message(2, result(0x61, 49))],
      async run(input) {
        responder.bytes = input;
        responder.firstBytes = bound.length;
        const settings = { ...defaultLdapSettings("none"), host: "127.0.0.1", port: responder.port, userDn: "uid=%s,dc=example,dc=org" };
        const person = await signInToDirectory({ settings, secret: "" }, "ann", "pass");
        return Object.values(person ?? {})
          .map((value) => typeof value)
          .join();
      },
    },
    {
      name: "metadata of OpenID Connect providers",
      seeds: [Buffer.from(metadata(issuer))],
      async run(input) {
        const response = (): Promise<Response> => Promise.resolve(new Response(new Uint8Array(input), { headers: { "content-type": "application/json" } }));
        const provider = await discover({ ...defaultOidcSettings, issuer, clientId: "hearth" }, "secret", () => response);
        return Object.keys(provider.serverMetadata()).sort().join().slice(0, 200);
      },
    },
  ];
  return { targets, [Symbol.dispose]: () => responder[Symbol.dispose]() };
}
