import { createHash } from "node:crypto";
import { request } from "node:http";
import { startS3Server } from "../test/kit/s3-server.ts";
import { startServer } from "../tools/server.ts";
import { memoryOf, resetPeak } from "./process-tree.ts";
import { openTarget } from "./target.ts";

const mebibyte = 1024 * 1024;
/** Content of all uploads, repeated. */
const chunk = Buffer.alloc(mebibyte, "a large file is never in memory as a whole\n");

interface Sent {
  readonly status: number;
  readonly receivedBytes: number;
  readonly body: string;
}

/** Streams a request, counts the bytes of the response, and keeps its beginning. */
function transfer(method: string, url: string, headers: Readonly<Record<string, string>>, body: Iterable<Uint8Array> = []): Promise<Sent> {
  const { promise, resolve, reject } = Promise.withResolvers<Sent>();
  const sent = request(url, { method, headers }, (response) => {
    let receivedBytes = 0;
    let beginning = "";
    response.on("data", (data: Buffer) => {
      receivedBytes += data.length;
      if (beginning.length < 10_000) beginning += data.toString("latin1", 0, 10_000);
    });
    response.once("end", () => resolve({ status: response.statusCode ?? 0, receivedBytes, body: beginning }));
    response.once("error", reject);
  });
  sent.once("error", reject);
  const write = async (): Promise<void> => {
    for (const part of body) if (!sent.write(part)) await new Promise((drained) => sent.once("drain", drained));
    sent.end();
  };
  write().catch(reject);
  return promise;
}

function* content(mebibytes: number): Generator<Uint8Array> {
  for (let count = 0; count < mebibytes; count += 1) yield chunk;
}

function* form(mebibytes: number): Generator<Uint8Array> {
  yield Buffer.from('--form\r\nContent-Disposition: form-data; name="attachment"; filename="large.bin"\r\n\r\n');
  yield* content(mebibytes);
  yield Buffer.from("\r\n--form--\r\n");
}

function expectAnswer(what: string, answer: Sent, status: number, bytes?: number): Sent {
  if (answer.status !== status || (bytes !== undefined && answer.receivedBytes !== bytes))
    throw new Error(`${what}: answered ${answer.status} with ${answer.receivedBytes} bytes: ${answer.body.slice(0, 300)}`);
  return answer;
}

interface Endpoint {
  readonly url: string;
  readonly token: string;
}

/** @returns the peak memory of the server process while `move` runs, in MiB */
async function peakWhile(move: (target: Endpoint) => Promise<void>, settings: Readonly<Record<string, string>> = {}): Promise<number> {
  const server = await startServer({ settings });
  try {
    const target = await openTarget({ name: "hearth", url: server.url, token: server.token, hasCounters: false, pid: server.pid });
    await target.http.json("POST", "/api/v1/user/repos", { name: "large", auto_init: true });
    target.http.close();
    resetPeak(server.pid);
    await move(server);
    return memoryOf(server.pid).peakBytes / mebibyte;
  } finally {
    await server.stop();
  }
}

/** Uploads a release file with a form and downloads it. */
export const largeAssetMemory = (mebibytes: number): Promise<number> => peakWhile((target) => moveAsset(target, mebibytes));

/** Like {@link largeAssetMemory}, with S3 storage in this process. */
export async function bucketAssetMemory(mebibytes: number): Promise<number> {
  await using service = await startS3Server();
  return await peakWhile((target) => moveAsset(target, mebibytes), service.environment);
}

async function moveAsset({ url, token }: Endpoint, mebibytes: number): Promise<void> {
  const authorization = `token ${token}`;
  const releases = `${url}/api/v1/repos/root1/large/releases`;
  const made = await transfer("POST", releases, { authorization, "content-type": "application/json" }, [Buffer.from('{"tag_name":"v1"}')]);
  const { id } = JSON.parse(expectAnswer("a release", made, 201).body) as { id: number };
  const headers = { authorization, "content-type": "multipart/form-data; boundary=form" };
  expectAnswer("an upload", await transfer("POST", `${releases}/${id}/assets`, headers, form(mebibytes)), 201);
  const download = `${url}/root1/large/releases/download/v1/large.bin`;
  expectAnswer("a download", await transfer("GET", download, { authorization }), 200, mebibytes * mebibyte);
}

/** Uploads and downloads an LFS object. */
export const largeObjectMemory = (mebibytes: number): Promise<number> =>
  peakWhile(async ({ url, token }) => {
    const hash = createHash("sha256");
    for (const part of content(mebibytes)) hash.update(part);
    const authorization = `Basic ${Buffer.from(`root1:${token}`).toString("base64")}`;
    const object = `${url}/root1/large.git/info/lfs/objects/${hash.digest("hex")}`;
    expectAnswer("an upload", await transfer("PUT", `${object}/${mebibytes * mebibyte}`, { authorization }, content(mebibytes)), 200);
    expectAnswer("a download", await transfer("GET", object, { authorization }), 200, mebibytes * mebibyte);
  });
