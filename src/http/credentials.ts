/** Credentials of a request, before any lookup. */
export type Presented =
  | { readonly kind: "none" }
  /** The value of a browser's session cookie. */
  | { readonly kind: "session"; readonly secret: string }
  /** `query` is a token in the URL, which gets a warning header in the response. */
  | { readonly kind: "token"; readonly token: string; readonly carrier: "header" | "basic" | "query" }
  | { readonly kind: "password"; readonly login: string; readonly password: string; readonly otp: string | undefined }
  /** Credentials that are invalid by their form, such as a Basic header that is not base64. */
  | { readonly kind: "broken" };

const tokenText = /^[0-9a-f]{40}$/;
/** Access tokens of OAuth2 applications: signed tokens with three parts (RFC 7519). */
const signedTokenText = /^eyJ[\w-]+\.[\w-]+\.[\w-]{300,}$/;

/** Whether a string has the form of an OAuth2 access token. */
export const looksLikeSignedToken = (text: string): boolean => signedTokenText.test(text);

const looksLikeToken = (text: string): boolean => tokenText.test(text) || looksLikeSignedToken(text);

/**
 * Reads the credentials of a request: `token T`, `Bearer T`, Basic with a password or a token in either field, `?token=` and
 * `?access_token=`.
 * Unknown schemes and empty values count as no credentials.
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
  // @compat Basic credentials without a colon are ignored, like an unknown scheme (http/credentials.test.ts).
  if (colon < 0) return { kind: "none" };
  const login = text.slice(0, colon);
  const password = text.slice(colon + 1);
  if ((password === "" || password === "x-oauth-basic") && looksLikeToken(login)) return { kind: "token", token: login, carrier: "basic" };
  if (looksLikeToken(password)) return { kind: "token", token: password, carrier: "basic" };
  if (login === "" || password === "") return { kind: "broken" };
  const otp = headers["x-gitea-otp"];
  return { kind: "password", login, password, otp: typeof otp === "string" ? otp : undefined };
}
