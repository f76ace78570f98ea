import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { type DescMessage, fromBinary, fromJson, type MessageShape, toBinary, toJson } from "@bufbuild/protobuf";
import { type ForgeError, isForgeError, malformed, unsupportedMedia } from "../../../../core/errors.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { readBody } from "../../../../http/read-body.ts";
import type { RunnerRequest } from "./runner-request.ts";

/** Logs are sent in parts of about a megabyte. */
const maxLogBytes = 8 * 1024 * 1024;
/** Of calls without a runner, and of JSON. */
const maxSmallBytes = 64 * 1024;

const unzip = promisify(gunzip);

/**
 * Reads a message, calls the service and encodes the answer; errors take the form of the protocol.
 * @param authenticate finds the runner before its message is read; strangers send short messages only
 */
export async function answerCall<In extends DescMessage, Out extends DescMessage, Caller = undefined>(
  request: RunnerRequest,
  schemas: { readonly input: In; readonly output: Out },
  work: (message: MessageShape<In>, caller: Caller) => Promise<MessageShape<Out>>,
  authenticate?: () => Promise<Caller>,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawReply> {
  const isJson = mediaType(request) === "application/json";
  try {
    if (!isJson && mediaType(request) !== "application/proto") throw unsupportedMedia("send application/proto or application/json");
    const caller = (await authenticate?.()) as Caller;
    const limitBytes = isJson || authenticate === undefined ? maxSmallBytes : maxLogBytes;
    const answer = await work(await readMessage(request, schemas.input, { isJson, limitBytes }), caller);
    return isJson
      ? { status: 200, headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(toJson(schemas.output, answer)) }
      : { status: 200, headers: { ...headers, "content-type": "application/proto" }, body: Buffer.from(toBinary(schemas.output, answer)) };
  } catch (error) {
    if (isForgeError(error)) return refuse(error);
    throw error;
  }
}

interface Reading {
  readonly isJson: boolean;
  readonly limitBytes: number;
}

async function readMessage<In extends DescMessage>(request: RunnerRequest, schema: In, { isJson, limitBytes }: Reading): Promise<MessageShape<In>> {
  const sent = request.stream === undefined ? Buffer.alloc(0) : await readBody(request.stream, limitBytes);
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "gzip" && encoding !== "identity") throw malformed("the content encoding must be gzip or identity");
  try {
    const bytes = encoding === "gzip" ? await unzip(sent, { maxOutputLength: limitBytes }) : sent;
    return isJson ? fromJson(schema, JSON.parse(bytes.toString("utf8")), { ignoreUnknownFields: true }) : fromBinary(schema, bytes);
  } catch (error) {
    throw malformed("the message cannot be decoded", { cause: error });
  }
}

const mediaType = ({ headers }: RunnerRequest): string => {
  const type = headers["content-type"];
  return typeof type === "string" ? (type.split(";", 1)[0]?.trim().toLowerCase() ?? "") : "";
};

/** Codes and statuses of the Connect protocol. */
const codes: Readonly<Partial<Record<ForgeError["code"], readonly [code: string, status: number]>>> = {
  invalid: ["invalid_argument", 400],
  malformed: ["invalid_argument", 400],
  unauthenticated: ["unauthenticated", 401],
  forbidden: ["permission_denied", 403],
  not_found: ["not_found", 404],
  too_large: ["resource_exhausted", 429],
  unavailable: ["unavailable", 503],
};

function refuse(error: ForgeError): RawReply {
  if (error.code === "unsupported_media") return { status: 415 };
  const [code, status] = codes[error.code] ?? ["unknown", 500];
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify({ code, message: error.message }) };
}
