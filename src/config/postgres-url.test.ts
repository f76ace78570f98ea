import { describe, expect, test } from "vitest";
import { formatPostgresUrl, parsePostgresUrl } from "./postgres-url.ts";

const plain = { mode: "disable", rootCertificate: undefined, certificate: undefined, key: undefined };

describe("a PostgreSQL URL", () => {
  test.each([
    ["postgres://", [["localhost", 5432]], undefined, undefined, undefined],
    ["postgresql://u@h/d", [["h", 5432]], "u", undefined, "d"],
    ["postgres://u:p%40%2F@h:5433/d%20b", [["h", 5433]], "u", "p@/", "d b"],
    [
      "postgres://u:a:b@[::1]:1,h2:2,h3/d",
      [
        ["::1", 1],
        ["h2", 2],
        ["h3", 5432],
      ],
      "u",
      "a:b",
      "d",
    ],
    ["postgres://%2Ftmp%2Fa/d", [["/tmp/a", 5432]], undefined, undefined, "d"],
    [
      "postgres://x@localhost/d?host=/tmp/a,/tmp/b&target_session_attrs=read-write",
      [
        ["/tmp/a", 5432],
        ["/tmp/b", 5432],
      ],
      "x",
      undefined,
      "d",
    ],
    [
      "postgres://h1,h2/?port=7&user=u&password=p&dbname=d",
      [
        ["h1", 7],
        ["h2", 7],
      ],
      "u",
      "p",
      "d",
    ],
    [
      "postgres:///d?host=h1,h2&port=7,8",
      [
        ["h1", 7],
        ["h2", 8],
      ],
      undefined,
      undefined,
      "d",
    ],
  ])("%s names its hosts, user and database", (url, hosts, user, password, database) => {
    expect(parsePostgresUrl(url)).toEqual({ hosts: hosts.map(([host, port]) => ({ host, port })), user, password, database, tls: plain });
  });

  test.each([
    ["postgres://h/d?sslmode=require", { ...plain, mode: "require" }],
    ["postgres://h/d?sslmode=verify-full&sslrootcert=system", { ...plain, mode: "verify-full" }],
    ["postgres://h/d?sslmode=verify-ca&sslrootcert=/ca.pem", { ...plain, mode: "verify-ca", rootCertificate: "/ca.pem" }],
    ["postgres://h/d?sslmode=verify-full&sslcert=/c&sslkey=/k", { ...plain, mode: "verify-full", certificate: "/c", key: "/k" }],
  ])("%s names its encryption", (url, tls) => {
    expect(parsePostgresUrl(url).tls).toEqual(tls);
  });

  test.each([
    ["mysql://h/d", "must begin with postgres://"],
    ["postgres://h:0/d", "has a port that is not a number from 1 to 65535"],
    ["postgres://h:70000/d", "has a port that is not a number from 1 to 65535"],
    ["postgres://::1/d", "has a host that is neither host, host:port nor [IPv6 address]:port"],
    ["postgres://h1,,h2/d", "has an empty host name"],
    ["postgres://h1,h2,h3/d?port=1,2", "names 3 hosts, but 2 ports"],
    ["postgres://u:50%@h/d", "contains a % that does not begin an encoded character"],
    ["postgres://h/d?sslmode=prefer", "has sslmode=prefer; use disable, require, verify-ca, verify-full"],
    ["postgres://h/d?sslmode=verify-ca", "has sslmode=verify-ca without sslrootcert, the file of the authority's certificate"],
    ["postgres://h/d?sslcert=/c", "must set sslcert and sslkey together"],
    [
      "postgres://h/d?target_session_attrs=standby",
      "has target_session_attrs=standby; Hearth needs a server that accepts writes, so use read-write or leave it out",
    ],
    ["postgres://h/d?pooling=yes", "has the unknown parameter pooling"],
  ])("%s is refused: it %s", (url, message) => {
    expect(() => parsePostgresUrl(url)).toThrow(message);
  });

  test("for the programs of PostgreSQL has everything but the password", () => {
    const url = "postgres://u:secret@h1:1,%2Ftmp%2Fa%20b/d%20b?sslmode=verify-ca&sslrootcert=/ca.pem";
    const formatted = formatPostgresUrl(parsePostgresUrl(url));
    expect(formatted).not.toContain("secret");
    expect(formatted).not.toContain("+");
    expect(parsePostgresUrl(formatted)).toEqual({ ...parsePostgresUrl(url), password: undefined });
  });
});
