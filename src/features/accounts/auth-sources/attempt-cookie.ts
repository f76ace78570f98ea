import { cookieOf, type Headers, hostCookie, readCookies } from "../../../core/cookies.ts";

const nameOf = (origin: string): string => hostCookie({ origin }, "hearth_attempt");

/** The value that the browser stored when it left for the provider. */
export const readAttemptCookie = (headers: Headers, origin: string): string | undefined => readCookies(headers, nameOf(origin))[0];

/**
 * The `Set-Cookie` header that stores the attempt.
 * @param maxAgeSeconds 0 deletes the cookie
 */
export const attemptCookie = (origin: string, kept: string, maxAgeSeconds: number): string => cookieOf({ origin }, nameOf(origin), kept, maxAgeSeconds);
