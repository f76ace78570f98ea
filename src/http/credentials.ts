/** Credentials as a request carries them, before anything is looked up. */
export type Presented =
  | { readonly kind: "none" }
  /** What the cookie of a browser's session holds. */
  | { readonly kind: "session"; readonly secret: string }
  /** `query` tells of a token in the address, which is answered with a warning header. */
  | { readonly kind: "token"; readonly token: string; readonly carrier: "header" | "basic" | "query" }
  | { readonly kind: "password"; readonly login: string; readonly password: string; readonly otp: string | undefined }
  /** Something that can only be wrong, such as a Basic header that is no base64. */
  | { readonly kind: "broken" };

const tokenText = /^[0-9a-f]{40}$/;
/** What OAuth2 applications hold: a signed token of three parts (RFC 7519). */
const signedTokenText = /^eyJ[\w-]+\.[\w-]+\.[\w-]{300,}$/;

/** Whether a text has the form of an access token that an application was granted. */
export const looksLikeSignedToken = (text: string): boolean => signedTokenText.test(text);

const looksLikeToken = (text: string): boolean => tokenText.test(text) || looksLikeSignedToken(text);

/**
 * Reads the credentials of a request (wire facts 1.3): `token T`, `Bearer T`, Basic with a password or a token in either field, `?token=` and `?access_token=`.
 * Unknown schemes and empty values count as none.
 */
export function readCredentials(headers: Readonly<Record<string, string | string[] | undefined>>, search: URLSearchParams): Presented {
  const authorization = headers.authorization;
  if (typeof authorization === "string" && authorization !== "") {
    const [, scheme = "", value = ""] = /^\s*(\S+)\s*(.*?)\s*$/s.exec(authorization) ?? [];
    const lower = scheme.toLowerCase();
    if ((lower === "token" || lower === "bearer") && value !== "") return { kind: "token", token: value, carrier: "header" };
    if (lower === "basic" && value !== "") return readBasic(value, headers);
    return { kind: "none" };
  }
  const token = search.get("token") || search.get("access_token");
  return token ? { kind: "token", token, carrier: "query" } : { kind: "none" };
}

function readBasic(value: string, headers: Readonly<Record<string, string | string[] | undefined>>): Presented {
  const text = Buffer.from(value, "base64").toString("utf8");
  const colon = text.indexOf(":");
  // @compat what is no name with a password is passed over, like an unknown scheme
  if (colon < 0) return { kind: "none" };
  const login = text.slice(0, colon);
  const password = text.slice(colon + 1);
  if ((password === "" || password === "x-oauth-basic") && looksLikeToken(login)) return { kind: "token", token: login, carrier: "basic" };
  if (looksLikeToken(password)) return { kind: "token", token: password, carrier: "basic" };
  if (login === "" || password === "") return { kind: "broken" };
  const otp = headers["x-gitea-otp"];
  return { kind: "password", login, password, otp: typeof otp === "string" ? otp : undefined };
}
