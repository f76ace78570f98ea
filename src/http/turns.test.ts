import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createListener, type HttpListener } from "./listener.ts";

let listener: HttpListener | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listener?.close();
});

const busyConnections = 300;
const limitMs = 60_000;
const anonymousRequest = "GET /busy HTTP/1.1\r\nHost: x\r\n\r\n";

/** Opens connections that each send their next request when they have received an answer. */
async function saturate(port: number, request = anonymousRequest): Promise<void> {
  const busy: Socket[] = [];
  for (let at = 0; at < busyConnections; at += 1) {
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    busy.push(socket);
    socket.write(request);
    await once(socket, "data");
  }
  for (const socket of busy) socket.on("data", () => socket.write(request)).write(request);
}

test(
  "a request of a new connection is answered after few others while 300 connections send theirs without a pause",
  async () => {
    let answered = 0;
    const answeredBefore: number[] = [];
    let begun = 0;
    listener = createListener((requested, response) => {
      answered += 1;
      if (requested.url === "/new") answeredBefore.push(answered - begun);
      response.end("x");
    });
    await listener.listen({ host: "127.0.0.1", port: 0 });
    await saturate(listener.port());
    await expect.poll(() => answered, { timeout: 30_000 }).toBeGreaterThan(3 * busyConnections);
    for (let count = 0; count < 20; count += 1) {
      begun = answered;
      const [response] = (await once(get({ port: listener.port(), host: "127.0.0.1", path: "/new", agent: false }), "response")) as [IncomingMessage];
      response.resume();
    }
    expect(answeredBefore).toHaveLength(20);
    expect(Math.max(...answeredBefore)).toBeLessThan(busyConnections / 5);
  },
  limitMs,
);

test(
  "an established connection is served while new ones arrive without a pause",
  async () => {
    let answered = 0;
    const patient: number[] = [];
    listener = createListener((requested, response) => {
      answered += 1;
      if (requested.url === "/patient") patient.push(answered);
      response.end("x");
    });
    await listener.listen({ host: "127.0.0.1", port: 0 });
    const port = listener.port();
    const established = connect(port, "127.0.0.1");
    sockets.push(established);
    const ask = async (): Promise<void> => {
      established.write("GET /patient HTTP/1.1\r\nHost: x\r\n\r\n");
      await once(established, "data");
    };
    await ask();
    let isOver = false;
    const flood = async (): Promise<void> => {
      while (!isOver) {
        const socket = connect(port, "127.0.0.1");
        socket.write(anonymousRequest);
        await once(socket, "data");
        socket.destroy();
      }
    };
    const floods = Array.from({ length: 100 }, flood);
    try {
      await expect.poll(() => answered, { timeout: 30_000 }).toBeGreaterThan(300);
      for (let count = 0; count < 20; count += 1) await ask();
    } finally {
      isOver = true;
      await Promise.all(floods);
    }
    const between = patient.slice(2).map((at, index) => at - (patient[index + 1] ?? 0));
    expect(Math.max(...between)).toBeLessThan(100);
  },
  limitMs,
);

test.each([
  ["requests with credentials are answered after few others while 300 connections without send theirs without a pause", "Host: x"],
  ["requests of browsers are answered after few others while 300 connections of programs send theirs without a pause", "Host: x\r\nAuthorization: token 1"],
])(
  "%s",
  async (_, headers) => {
    let answered = 0;
    const answeredBefore: number[] = [];
    let begun = 0;
    listener = createListener((requested, response) => {
      answered += 1;
      if (requested.url === "/own") answeredBefore.push(answered - begun);
      response.end("x");
    });
    await listener.listen({ host: "127.0.0.1", port: 0 });
    const signedIn = connect(listener.port(), "127.0.0.1");
    sockets.push(signedIn);
    const ask = async (): Promise<void> => {
      begun = answered;
      signedIn.write("GET /own HTTP/1.1\r\nHost: x\r\nCookie: session=1\r\n\r\n");
      await once(signedIn, "data");
    };
    await ask();
    await saturate(listener.port(), `GET /busy HTTP/1.1\r\n${headers}\r\n\r\n`);
    await expect.poll(() => answered, { timeout: 30_000 }).toBeGreaterThan(3 * busyConnections);
    answeredBefore.length = 0;
    for (let count = 0; count < 20; count += 1) await ask();
    expect(answeredBefore).toHaveLength(20);
    expect(Math.max(...answeredBefore)).toBeLessThan(busyConnections / 5);
  },
  limitMs,
);
