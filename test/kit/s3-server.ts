import { createHash, createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const accessKey = "test-key";
const secretKey = "test-secret";
const region = "eu-test-1";
/** The limits of real services. */
const leastPartBytes = 5 * 1_048_576;

interface Stored {
  content: Buffer;
  writtenMs: number;
}

/** An S3-compatible service with one bucket that verifies every signature and keeps everything in memory. */
export interface S3Server extends AsyncDisposable {
  /** Value of `HEARTH_STORAGE_URL`. */
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly objects: Map<string, Stored>;
  readonly uploads: Map<string, { readonly key: string; readonly parts: Map<number, Buffer>; begunMs: number }>;
  /** Answers the next requests of this method with 503, up to this number. */
  fail(method: string, times: number): void;
  /** Methods that the key does not permit. */
  readonly denied: Set<string>;
  /** Method and key of all authorized requests. */
  readonly requests: string[];
  /** Called before each authorized request is answered. */
  intercept: ((method: string, key: string) => Promise<void>) | undefined;
}

export async function startS3Server(): Promise<S3Server> {
  const objects: S3Server["objects"] = new Map();
  const uploads: S3Server["uploads"] = new Map();
  const requests: string[] = [];
  const denied = new Set<string>();
  const failures = new Map<string, number>();
  const kit: Pick<S3Server, "intercept"> = { intercept: undefined };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", headers } = request;
    const url = new URL(request.url ?? "/", "http://s3");
    const body = Buffer.concat(await request.toArray());
    const reply = (status: number, content: string | Buffer = "", more: Record<string, string> = {}) =>
      response
        .writeHead(status, { "content-type": "application/xml", "content-length": Buffer.byteLength(content), ...more })
        .end(method === "HEAD" ? "" : content);
    const refuse = (status: number, code: string) => reply(status, `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
    if (!isSigned(method, url, headers, body)) return void refuse(403, "SignatureDoesNotMatch");
    if (denied.has(method)) return void refuse(403, "AccessDenied");
    const left = failures.get(method) ?? 0;
    failures.set(method, left - 1);
    if (left > 0) return void refuse(503, "SlowDown");
    const [, bucket, ...rest] = url.pathname.split("/");
    const key = decodeURIComponent(rest.join("/"));
    if (bucket !== "files") return void refuse(404, "NoSuchBucket");
    requests.push(`${method} ${key}`);
    await kit.intercept?.(method, key);
    const query = url.searchParams;
    const uploadId = query.get("uploadId");
    const upload = uploadId === null ? undefined : uploads.get(uploadId);
    if (uploadId !== null && upload === undefined) return void refuse(404, "NoSuchUpload");

    if (method === "POST" && query.has("uploads")) {
      const id = randomUUID();
      uploads.set(id, { key, parts: new Map(), begunMs: Date.now() });
      return void reply(
        200,
        `<InitiateMultipartUploadResult><Bucket>files</Bucket><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      );
    }
    if (method === "PUT" && upload !== undefined) {
      upload.parts.set(Number(query.get("partNumber")), body);
      return void reply(200, "", { etag: etagOf(body) });
    }
    if (method === "POST" && upload !== undefined && uploadId !== null) {
      const parts = [...upload.parts].sort(([a], [b]) => a - b).map(([, part]) => part);
      const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].length;
      if (named !== parts.length) return void refuse(400, "InvalidPart");
      if (parts.slice(0, -1).some((part) => part.length < leastPartBytes)) return void refuse(400, "EntityTooSmall");
      uploads.delete(uploadId);
      objects.set(upload.key, { content: Buffer.concat(parts), writtenMs: Date.now() });
      return void reply(200, `<CompleteMultipartUploadResult><Bucket>files</Bucket><Key>${key}</Key><ETag>"x-1"</ETag></CompleteMultipartUploadResult>`);
    }
    if (method === "DELETE" && uploadId !== null) {
      uploads.delete(uploadId);
      return void reply(204);
    }
    if (method === "GET" && query.has("uploads")) {
      const listed = [...uploads].filter(([, one]) => one.key.startsWith(query.get("prefix") ?? ""));
      const rows = listed.map(
        ([id, one]) => `<Upload><Key>${one.key}</Key><UploadId>${id}</UploadId><Initiated>${new Date(one.begunMs).toISOString()}</Initiated></Upload>`,
      );
      return void reply(200, `<ListMultipartUploadsResult><Bucket>files</Bucket>${rows.join("")}<IsTruncated>false</IsTruncated></ListMultipartUploadsResult>`);
    }
    if (method === "GET" && query.get("list-type") === "2") return void reply(200, listing(objects, query));
    if (method === "PUT") {
      objects.set(key, { content: body, writtenMs: Date.now() });
      return void reply(200, "", { etag: etagOf(body) });
    }
    if (method === "DELETE") {
      objects.delete(key);
      return void reply(204);
    }
    const found = objects.get(key);
    if (found === undefined) return void refuse(404, "NoSuchKey");
    const [, start, end] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? "") ?? [];
    if (start === undefined) return void reply(200, found.content, { "content-type": "application/octet-stream" });
    if (Number(start) >= found.content.length) return void refuse(416, "InvalidRange");
    reply(206, found.content.subarray(Number(start), end === "" ? undefined : Number(end) + 1), { "content-type": "application/octet-stream" });
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `s3+http://127.0.0.1:${(server.address() as AddressInfo).port}/files/hearth?region=${region}`;
  return Object.assign(kit, {
    url,
    environment: { HEARTH_STORAGE_URL: url, HEARTH_STORAGE_ACCESS_KEY: accessKey, HEARTH_STORAGE_SECRET_KEY: secretKey },
    objects,
    uploads,
    denied,
    requests,
    fail: (method: string, times: number) => void failures.set(method, times),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

const etagOf = (content: Buffer): string => `"${createHash("md5").update(content).digest("hex")}"`;

/** ListObjectsV2 with three keys per page, to test paging. */
function listing(objects: S3Server["objects"], query: URLSearchParams): string {
  const after = query.get("continuation-token") ?? "";
  const keys = [...objects.keys()].filter((key) => key.startsWith(query.get("prefix") ?? "") && key > after).sort();
  const page = keys.slice(0, 3);
  const rows = page.map((key) => {
    const { content, writtenMs } = objects.get(key) as Stored;
    return `<Contents><Key>${key}</Key><Size>${content.length}</Size><LastModified>${new Date(writtenMs).toISOString()}</LastModified><ETag>x</ETag></Contents>`;
  });
  const isTruncated = keys.length > page.length;
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
  return `<?xml version="1.0"?><ListBucketResult><Name>files</Name><KeyCount>${page.length}</KeyCount><IsTruncated>${isTruncated}</IsTruncated>${next}${rows.join("")}</ListBucketResult>`;
}

/** AWS Signature Version 4, in the Authorization header. */
function isSigned(method: string, url: URL, headers: IncomingMessage["headers"], body: Buffer): boolean {
  const [, key, date, signedNames, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/[^,]+, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(headers.authorization ?? "") ?? [];
  if (key !== accessKey || date === undefined || signedNames === undefined) return false;
  const declared = String(headers["x-amz-content-sha256"] ?? "");
  if (declared !== "UNSIGNED-PAYLOAD" && declared !== createHash("sha256").update(body).digest("hex")) return false;
  const query = [...url.searchParams].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).sort();
  const canonicalHeaders = signedNames.split(";").map((name) => `${name}:${String(headers[name] ?? "").trim()}\n`);
  const canonical = [method, url.pathname, query.join("&"), canonicalHeaders.join(""), signedNames, declared].join("\n");
  const scope = `${date}/${region}/s3/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, createHash("sha256").update(canonical).digest("hex")].join("\n");
  const hmac = (secret: string | Buffer, data: string): Buffer => createHmac("sha256", secret).update(data).digest();
  const signingKey = [date, region, "s3", "aws4_request"].reduce<string | Buffer>((secret, data) => hmac(secret, data), `AWS4${secretKey}`);
  return hmac(signingKey, text).toString("hex") === signature;
}
