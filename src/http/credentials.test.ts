import { describe, expect, test } from "vitest";
import { readCredentials } from "./credentials.ts";

const token = "0123456789abcdef0123456789abcdef01234567";
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
const read = (authorization: string | undefined, search = "") =>
  readCredentials(authorization === undefined ? {} : { authorization }, new URLSearchParams(search));

describe("sources of a token", () => {
  test.each([
    [`token ${token}`, "header"],
    [`Bearer   ${token}`, "header"],
    [`TOKEN ${token}`, "header"],
    [basic(`${token}:`), "basic"],
    [basic(`${token}:x-oauth-basic`), "basic"],
    [basic(`whoever:${token}`), "basic"],
  ])("%s", (header, carrier) => expect(read(header)).toEqual({ kind: "token", token, carrier }));

  test("in the URL are read from two parameters", () => {
    expect(read(undefined, `token=${token}`)).toEqual({ kind: "token", token, carrier: "query" });
    expect(read(undefined, `access_token=${token}`)).toEqual({ kind: "token", token, carrier: "query" });
    expect(read(undefined, `private_token=${token}`)).toEqual({ kind: "none" });
  });
});

test("splits a password at the first colon only and reads its one-time code", () => {
  const headers = { authorization: basic("alice:a:b"), "x-gitea-otp": "123456" };
  expect(readCredentials(headers, new URLSearchParams())).toEqual({ kind: "password", login: "alice", password: "a:b", otp: "123456" });
});

test.each(["", "Negotiate x", "token", "Bearer ", token, basic("alice")])("treats %j as anonymous", (header) => expect(read(header)).toEqual({ kind: "none" }));
test.each([basic(":"), basic("alice:")])("treats %s as invalid credentials", (header) => expect(read(header)).toEqual({ kind: "broken" }));
