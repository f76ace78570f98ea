import { expect, test } from "vitest";
import { formTokenOf, hasFormToken, isFromHere, readSessionCookie, withoutSession, withSession } from "./session-cookie.ts";

const plain = { origin: "http://127.0.0.1:3000" };
const secure = { origin: "https://git.example.org" };
const secret = "s".repeat(43);

const reply = { status: 303, headers: { location: "/" } };
const cookieOf = ({ headers }: ReturnType<typeof withSession>) => headers?.["set-cookie"];
const handedOver = (urls: typeof plain) => cookieOf(withSession(reply, urls, { secret, maxAgeSeconds: 60 }));

test("restricts the cookie to this host and to TLS on an https server", () => {
  expect(handedOver(plain)).toBe(`hearth_session=${secret}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax`);
  expect(handedOver(secure)).toBe(`__Host-hearth_session=${secret}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure`);
  expect(cookieOf(withoutSession(reply, secure))).toBe("__Host-hearth_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure");
});

test("finds the session cookie among others and ignores cookies that are not a session's", () => {
  const read = (cookie: string | string[] | undefined, urls = plain) => readSessionCookie({ cookie }, urls);
  expect(read(`a=b; hearth_session=${secret}; c=d`)).toBe(secret);
  expect(read(`hearth_session=${secret}`, secure)).toBeUndefined();
  expect(read(`__Host-hearth_session=${secret}`, secure)).toBe(secret);
  for (const cookie of [
    undefined,
    "",
    "hearth_session",
    "hearth_session=",
    `hearth_session=${secret}x`,
    `xhearth_session=${secret}`,
    `hearth_session="${secret}"`,
  ]) {
    expect(read(cookie), cookie).toBeUndefined();
  }
});

test("binds a form token to one session", () => {
  const token = formTokenOf(secret);
  expect(hasFormToken(secret, {}, token)).toBe(true);
  expect(hasFormToken(secret, { "x-csrf-token": token })).toBe(true);
  expect(hasFormToken("t".repeat(43), {}, token)).toBe(false);
  // A valid header does not replace a wrong field.
  for (const given of ["", `${token}=`, token.slice(1), 7, ["x"]]) expect(hasFormToken(secret, { "x-csrf-token": token }, given)).toBe(false);
  expect(hasFormToken(secret, {})).toBe(false);
  expect(token).not.toContain(secret);
});

test("masks each form token, so that the length of a compressed page reveals nothing about it", () => {
  const tokens = Array.from({ length: 20 }, () => formTokenOf(secret));
  expect(tokens.every((token) => hasFormToken(secret, {}, token))).toBe(true);
  // No character has the same value in all of them.
  const constant = [...(tokens[0] ?? "")].filter((character, at) => tokens.every((token) => token[at] === character));
  expect(constant).toEqual([]);
});

test.each([
  [{ "sec-fetch-site": "same-origin" }, true],
  [{ "sec-fetch-site": "none" }, true],
  [{ "sec-fetch-site": "same-site" }, false],
  [{ "sec-fetch-site": "cross-site", origin: "https://git.example.org" }, false],
  [{ origin: "https://git.example.org" }, true],
  // Reached under another name, directly or through a proxy that keeps the host.
  [{ origin: "http://localhost:3000", host: "localhost:3000" }, true],
  [{ origin: "https://evil.example", host: "git.example.org" }, false],
  [{ origin: "https://git.example.org.evil.example", host: "git.example.org" }, false],
  [{ origin: "null", host: "null" }, false],
  [{ origin: "", host: "" }, false],
  [{}, undefined],
])("checks the origin of %j: %s", (headers, expected) => expect(isFromHere(headers, secure)).toBe(expected));
