import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testCertificate, testKey } from "../../test/kit/certificate.ts";
import { type HostRules, parseHostRules } from "../core/host-rules.ts";
import { readWebAddress } from "../core/web-address.ts";
import { createOutgoingClient, OutgoingError, readAtMost } from "./client.ts";

const rulesOf = (...texts: string[]) => parseHostRules(texts) as HostRules;
let server: Server;
let port = 0;
let connections = 0;
let answer: RequestListener = (_request, response) => void response.end("hello");

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  server.on("connection", () => (connections += 1));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
});

const get = (client: ReturnType<typeof createOutgoingClient>, url: string, timeoutMs = 60_000) =>
  client.send({ method: "GET", url: readWebAddress(url) as URL, timeoutMs });
const failure = async (work: Promise<unknown>): Promise<OutgoingError> => {
  const error = await work.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(OutgoingError);
  return error as OutgoingError;
};

/** Each address leads to this machine or its network, in one of the possible notations. */
const disguises = [
  ..."127.0.0.1 127.1 2130706433 0x7f.1 0177.0.0.1 0 localhost [::1] [::] [::ffff:127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::]".split(" "),
  ..."[fe80::1] [fd00::1] 169.254.169.254 100.64.0.1 192.0.0.192 198.18.0.1 224.0.0.1 255.255.255.255 ①②⑦.⓪.⓪.① 127。0。0。1".split(" "),
];

test.each(disguises)("http://%s is blocked before connecting", async (host) => {
  const before = connections;
  expect((await failure(get(createOutgoingClient({ rules: rulesOf("external") }), `http://${host}:${port}/`))).reason).toBe("blocked");
  expect(connections).toBe(before);
});

test("allowed hosts are called", async () => {
  const allowed = await get(createOutgoingClient({ rules: rulesOf("loopback") }), `http://127.0.0.1:${port}/`);
  expect([allowed.status, (await readAtMost(allowed, 100)).bytes.toString()]).toEqual([200, "hello"]);
  const byName = await get(createOutgoingClient({ rules: rulesOf("local*") }), `http://localhost:${port}/`);
  expect((await readAtMost(byName, 2)).bytes.toString()).toBe("he");
});

test("a name that also, or only at the second lookup, resolves to a blocked address is blocked", async () => {
  let requested = 0;
  const both = createOutgoingClient({
    rules: rulesOf("external"),
    lookup: (_host, _options, done) =>
      done(null, [
        { address: "8.8.8.8", family: 4 },
        { address: "127.0.0.1", family: 4 },
      ]),
  });
  const flipping = createOutgoingClient({
    rules: rulesOf("external"),
    lookup(_host, _options, done) {
      requested += 1;
      done(null, [{ address: requested === 1 ? "8.8.8.8" : "127.0.0.1", family: 4 }]);
    },
  });
  const before = connections;
  expect((await failure(get(both, `http://both.example:${port}/`))).reason).toBe("blocked");
  expect(await flipping.resolve(new URL(`http://flip.example:${port}/`))).toHaveLength(1);
  expect((await failure(get(flipping, `http://flip.example:${port}/`))).reason).toBe("blocked");
  expect((await failure(flipping.resolve(new URL("http://[::1]/")))).reason).toBe("blocked");
  expect(connections).toBe(before);
});

test("returns redirects, cuts endless responses, times out on silence, and distinguishes a closed port from an unknown name", async () => {
  const client = createOutgoingClient({ rules: rulesOf("loopback") });
  answer = (_request, response) => void response.writeHead(307, { location: `http://127.0.0.1:${port}/inner` }).end();
  const redirect = await get(client, `http://127.0.0.1:${port}/`);
  redirect.body.destroy();
  expect(redirect.status).toBe(307);
  answer = (_request, response) => {
    const more = (): void => void (response.destroyed || response.write("x".repeat(4_096), () => setImmediate(more)));
    more();
  };
  expect((await readAtMost(await get(client, `http://127.0.0.1:${port}/`), 10_000)).isWhole).toBe(false);
  answer = () => {};
  expect((await failure(get(client, `http://127.0.0.1:${port}/`, 50))).reason).toBe("timeout");
  answer = (_request, response) => void response.writeHead(200).write("begun");
  expect((await failure(get(client, `http://127.0.0.1:${port}/`, 200).then((begun) => readAtMost(begun, 100)))).reason).toBe("unreachable");
  expect((await failure(get(client, "http://127.0.0.1:1/"))).reason).toBe("connection_refused");
  expect((await failure(get(client, "http://nosuch.invalid/"))).reason).toBe("unknown_host");
});

test("disconnects from a host that reads no request body, or never responds", async () => {
  const client = createOutgoingClient({ rules: rulesOf("loopback") });
  const url = readWebAddress(`http://127.0.0.1:${port}/`) as URL;
  const pace = { bytesPerSecond: 1, windowMs: 60_000, idleMs: 200 };
  answer = (request) => void request.pause();
  const endless = async function* () {
    for (;;) yield Buffer.alloc(65_536);
  };
  expect((await failure(client.send({ method: "POST", url, body: endless(), timeoutMs: 60_000, pace }))).reason).toBe("timeout");
  answer = () => {};
  expect((await failure(client.send({ method: "GET", url, timeoutMs: 60_000, answerMs: 100 }))).reason).toBe("timeout");
});

test("rejects an untrusted certificate", async () => {
  await using secure = await startSecure();
  const client = createOutgoingClient({ rules: rulesOf("loopback") });
  expect((await failure(get(client, `https://127.0.0.1:${secure.port}/`))).reason).toBe("certificate");
  expect(secure.requests()).toBe(0);
});

async function startSecure() {
  let requests = 0;
  const secure = createSecureServer({ key: testKey, cert: testCertificate }, (_request, response) => {
    requests += 1;
    response.end();
  });
  secure.listen(0, "127.0.0.1");
  await once(secure, "listening");
  return {
    port: (secure.address() as AddressInfo).port,
    requests: () => requests,
    [Symbol.asyncDispose]: async () => {
      secure.closeAllConnections();
      secure.close();
    },
  };
}

test.each([
  "http://a@127.0.0.1/",
  "http://evil\\@127.0.0.1/",
  "http://x/\r\nHost: y",
  "http://x y/",
  "https:evil",
  "ftp://x.example.org",
  "not a url",
  "http://x:0/",
  "http://x:65536/",
  "http://127.0.0.1%2f@evil/",
  "",
])("%j is not a callable address", (text) => expect(readWebAddress(text)).toBeUndefined());
