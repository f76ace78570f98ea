import { oauthError } from "./errors.ts";
import type { TokenRequest } from "./model.ts";

type Headers = Readonly<Record<string, string | string[] | undefined>>;
type Fields = ReadonlyMap<string, string>;

/** A client's id and secret. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The most characters of each field. The tokens of this server have less than 2,000. */
const maxFieldLength = 4_096;

/**
 * The fields of a token request, from a form or JSON.
 * @throws ForgeError `malformed` with `invalid_request` for anything else, and for a field that is repeated (RFC 6749, 3.2) or too long
 */
export function readFields(body: string, headers: Headers): Fields {
  const fields = parseFields(body, headers);
  for (const [name, value] of fields) {
    if (value.length > maxFieldLength) throw oauthError("invalid_request", `${name.slice(0, 100)} is longer than ${maxFieldLength} characters`);
  }
  return fields;
}

function parseFields(body: string, headers: Headers): Fields {
  const type = String(headers["content-type"] ?? "")
    .split(";", 1)[0]
    ?.trim()
    .toLowerCase();
  if (type === "application/json") return readJson(body);
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(body)) {
    if (fields.has(name)) throw oauthError("invalid_request", `${name.slice(0, 100)} is given twice`);
    fields.set(name, value);
  }
  return fields;
}

function readJson(body: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    throw oauthError("invalid_request", "the body is not valid JSON", error);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw oauthError("invalid_request", "the body must be a JSON object");
  return new Map(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

/** Client id and secret of a Basic header, form-encoded first (RFC 6749, 2.3.1); undefined without one. */
function readBasicClient(headers: Headers): ClientCredentials | undefined {
  const { authorization } = headers;
  const [, value] = (typeof authorization === "string" && /^basic\s+(\S+)$/i.exec(authorization)) || [];
  if (value === undefined) return undefined;
  const [id = "", ...secret] = Buffer.from(value, "base64").toString("utf8").split(":");
  return { clientId: decode(id), clientSecret: decode(secret.join(":")) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** The client's credentials, from the header or else from the fields. */
export const readClient = (fields: Fields, headers: Headers): ClientCredentials =>
  readBasicClient(headers) ?? { clientId: fields.get("client_id") ?? "", clientSecret: fields.get("client_secret") ?? "" };

/** @throws ForgeError `malformed` when the header and the body have different credentials */
export function readTokenRequest(fields: Fields, headers: Headers): TokenRequest {
  const basic = readBasicClient(headers);
  const text = (name: string): string => fields.get(name) ?? "";
  if (basic !== undefined && text("client_id") !== "" && text("client_id") !== basic.clientId) {
    throw oauthError("invalid_request", "client_id in request body inconsistent with Authorization header");
  }
  if (basic !== undefined && text("client_secret") !== "" && text("client_secret") !== basic.clientSecret) {
    throw oauthError("invalid_request", "client_secret in request body inconsistent with Authorization header");
  }
  return {
    grantType: text("grant_type"),
    clientId: basic?.clientId ?? text("client_id"),
    clientSecret: basic?.clientSecret ?? text("client_secret"),
    code: text("code"),
    redirectUri: text("redirect_uri"),
    codeVerifier: text("code_verifier"),
    refreshToken: text("refresh_token"),
  };
}
