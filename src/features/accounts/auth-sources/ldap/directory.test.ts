import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testCertificate, testKey } from "../../../../../test/kit/certificate.ts";
import { peopleBase, person, serverDn, serverPassword, startDirectory, type TestDirectory } from "../../../../../test/kit/directory.ts";
import type { LdapSettings } from "../model.ts";
import { defaultLdapSettings } from "../settings.ts";
import { checkDirectory, lookUpPeople, signInToDirectory } from "./directory.ts";

let directory: TestDirectory;
beforeAll(async () => {
  directory = await startDirectory([
    person("alice", "alice's secret", { title: "boss" }),
    person("bob", "bob's secret"),
    { dn: "cn=forge,ou=groups,dc=example,dc=org", attributes: { objectclass: "groupOfNames", cn: "forge", member: [`uid=alice,${peopleBase}`] } },
    // Two people with the same address.
    person("carol", "shared", { mail: "team@directory.example.org" }),
    person("dave", "shared", { mail: "team@directory.example.org" }),
  ]);
});
afterAll(() => directory[Symbol.asyncDispose]());

/** Success for message 2, the client's first (an extended request), and for message 3, a bind (RFC 4511, 4.12 and 4.2.2). */
const extendedSuccess = Buffer.from("300c02010278070a010004000400", "hex");
const bindSuccess = Buffer.from("300c02010361070a010004000400", "hex");

const settings = (changes: Partial<LdapSettings> = {}): LdapSettings => ({
  ...defaultLdapSettings("none"),
  host: "127.0.0.1",
  port: directory.port,
  bindDn: serverDn,
  userBase: peopleBase,
  userFilter: "(&(objectClass=person)(|(uid=%s)(mail=%s)))",
  ...changes,
});
const signIn = (login: string, password: string, changes: Partial<LdapSettings> = {}) =>
  signInToDirectory({ settings: settings(changes), secret: serverPassword }, login, password);

const alice = { loginName: "alice", name: "alice", fullName: "The alice", email: "alice@directory.example.org", isAdmin: undefined, isRestricted: undefined };

test("finds the entry of a user and binds as that entry", async () => {
  expect(await signIn("alice", "alice's secret")).toEqual(alice);
  expect(await signIn("alice@directory.example.org", "alice's secret")).toEqual(alice);
  expect(await signIn("alice", "bob's secret")).toBeUndefined();
  expect(await signIn("nobody", "x")).toBeUndefined();
});

test("binds directly when the entry's name follows from the login", async () => {
  const direct = { userDn: `uid=%s,${peopleBase}`, userFilter: "(objectClass=person)", bindDn: "" };
  expect(await signIn("alice", "alice's secret", direct)).toEqual(alice);
  expect(await signIn("alice", "wrong", direct)).toBeUndefined();
  expect(await signIn("alice", "alice's secret", { ...direct, userFilter: "(objectClass=robot)" })).toBeUndefined();
});

test("rejects an empty password even if the directory accepts the bind", async () => {
  expect(await signIn("alice", "")).toBeUndefined();
  expect(await signIn("alice", "", { userDn: `uid=%s,${peopleBase}` })).toBeUndefined();
  expect(await signIn("", "")).toBeUndefined();
});

test("reads administrators and restricted users from the configured filters", async () => {
  const filters = { adminFilter: "(title=boss)", restrictedFilter: "(!(title=boss))" };
  expect(await signIn("alice", "alice's secret", filters)).toMatchObject({ isAdmin: true, isRestricted: false });
  expect(await signIn("bob", "bob's secret", filters)).toMatchObject({ isAdmin: false, isRestricted: true });
});

test("admits only group members when a group is required", async () => {
  const group = { groupBase: "ou=groups,dc=example,dc=org", groupFilter: "(&(objectClass=groupOfNames)(cn=forge)(member=%d))" };
  expect(await signIn("alice", "alice's secret", group)).toEqual(alice);
  expect(await signIn("bob", "bob's secret", group)).toBeUndefined();
});

test("rejects a login that matches two entries", async () => {
  expect(await signIn("team@directory.example.org", "shared")).toBeUndefined();
  expect(await signIn("carol", "shared")).toMatchObject({ loginName: "carol" });
});

test("searches for letters of every script unchanged", async () => {
  await signIn("Jürgen 王", "x");
  expect(directory.requested.at(-1)).toContain("(uid=J\\c3\\bcrgen \\e7\\8e\\8b)");
});

test("never lets user input become part of the filter", async () => {
  const logins = [
    "*",
    "a*",
    "alice)(uid=*",
    "*)(|(uid=*",
    "alice\u0000",
    "\\2a",
    "alice)(!(uid=x",
    "(uid=alice)",
    "ali\\63e",
    "alice,ou=people",
    "alice+uid=bob",
    "#04",
  ];
  for (const login of logins) {
    for (const changes of [{}, { userDn: `uid=%s,${peopleBase}`, userFilter: "(objectClass=person)" }]) {
      expect(await signIn(login, "alice's secret", changes), login).toBeUndefined();
    }
  }
});

test("distinguishes an unreachable or refusing directory from a wrong password", async () => {
  await expect(signInToDirectory({ settings: settings(), secret: "wrong" }, "alice", "alice's secret")).rejects.toMatchObject({ code: "unavailable" });
  await expect(checkDirectory({ settings: settings(), secret: "wrong" })).rejects.toMatchObject({ code: "unavailable" });
  await checkDirectory({ settings: settings(), secret: serverPassword });
  expect(directory.requested.at(-1)).toContain(`search ${peopleBase}`);
  const gone = await startDirectory([]);
  await gone.stop();
  await expect(signIn("alice", "alice's secret", { port: gone.port })).rejects.toMatchObject({ code: "unavailable" });
  for (const changes of [{ bindDn: "" }, { bindDn: "", userDn: `uid=%s,${peopleBase}` }]) {
    await checkDirectory({ settings: settings(changes), secret: "" });
    await expect(checkDirectory({ settings: settings({ ...changes, port: gone.port }), secret: "" })).rejects.toMatchObject({ code: "unavailable" });
  }
  await expect(signIn("alice", "alice's secret", { security: "starttls" })).rejects.toMatchObject({ code: "unavailable" });
  expect(directory.requested.filter((question) => question.startsWith("bind uid=alice")).length).toBeGreaterThan(0);
});

test("uses TLS only with a directory whose certificate it trusts", async () => {
  await using secure = await startDirectory([person("alice", "alice's secret")], { certificate: testCertificate, key: testKey });
  const tls = { security: "ldaps", port: secure.port } as const;
  expect(await signIn("alice", "alice's secret", { ...tls, authority: testCertificate })).toEqual(alice);
  expect(await signIn("alice", "alice's secret", { ...tls, host: "localhost", authority: testCertificate })).toEqual(alice);
  expect(await signIn("alice", "alice's secret", { ...tls, verifiesCertificate: false })).toEqual(alice);
  const before = secure.requested.length;
  await expect(signIn("alice", "alice's secret", tls)).rejects.toMatchObject({ code: "unavailable" });
  expect(secure.requested).toHaveLength(before);
});

test("does not fall back to an unencrypted connection after an upgraded one ends", async () => {
  let connections = 0;
  const readable: string[] = [];
  const server = createServer((socket) => {
    connections += 1;
    socket.on("error", () => undefined);
    socket.once("data", (request: Buffer) => {
      readable.push(request.toString("latin1"));
      const secure = new TLSSocket(socket, { isServer: true, cert: testCertificate, key: testKey });
      secure.on("error", () => undefined);
      // The server has bound as itself and is about to send a user's password.
      secure.once("data", () => secure.write(bindSuccess, () => secure.destroy()));
      socket.write(extendedSuccess);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await expect(signIn("alice", "alice's secret", { security: "starttls", port, authority: testCertificate })).rejects.toMatchObject({ code: "unavailable" });
  expect(connections).toBe(1);
  expect(readable.join()).not.toContain("secret");
  await new Promise((resolve) => server.close(resolve));
});

test("closes the connection of a directory that sends only a byte now and then", async () => {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    // The start of a message of 2,000,000,000 bytes.
    socket.write(Buffer.from([0x30, 0x84, 0x77, 0x35, 0x94, 0x00]));
    const timer = setInterval(() => socket.write("x"), 20);
    socket
      .on("error", () => undefined)
      .once("close", () => {
        clearInterval(timer);
        open.delete(socket);
      });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await expect(checkDirectory({ settings: settings({ port }), secret: serverPassword })).rejects.toMatchObject({ code: "unavailable" });
  await expect.poll(() => open.size, { timeout: 5_000 }).toBe(0);
  server.close();
}, 30_000);

test("closes the connection of a directory that sends too much", async () => {
  let sentBytes = 0;
  const closed = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    const chunk = Buffer.alloc(16_384);
    const send = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    // The start of a message of 2,000,000,000 bytes.
    socket.write(Buffer.from([0x30, 0x84, 0x77, 0x35, 0x94, 0x00]));
    socket
      .on("error", () => undefined)
      .on("drain", send)
      .once("close", () => {
        sentBytes = socket.bytesWritten;
        closed.resolve();
      });
    send();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await expect(checkDirectory({ settings: settings({ port }), secret: serverPassword })).rejects.toMatchObject({ code: "unavailable" });
  await closed.promise;
  expect(sentBytes).toBeLessThan(12_000_000);
  server.close();
}, 30_000);

test("ignores references of a search to other servers and keeps its entries", async () => {
  await using other = await startDirectory([person("zoe", "zoe's secret")]);
  await using here = await startDirectory([person("alice", "alice's secret")]);
  here.references.push(`ldap://127.0.0.1:${other.port}/${peopleBase}`, `ldap://127.0.0.1:${other.port}/ou=more,${peopleBase}??sub`);
  expect(await signIn("alice", "alice's secret", { port: here.port })).toEqual(alice);
  expect(await signIn("zoe", "zoe's secret", { port: here.port })).toBeUndefined();
  const deps = { settings: settings({ port: here.port }), secret: serverPassword };
  expect(await lookUpPeople(deps, ["alice", "zoe"])).toEqual(
    new Map([
      ["alice", alice],
      ["zoe", null],
    ]),
  );
  await checkDirectory(deps);
  expect(other.requested).toEqual([]);
});

test("reports a directory that refers to another server, and never asks that one", async () => {
  await using here = await startDirectory([person("alice", "alice's secret"), person("bob", "bob's secret")]);
  const there = { port: here.port, userBase: "ou=people,dc=elsewhere,dc=org" };
  here.elsewhere.push("dc=elsewhere,dc=org");
  const referral = { code: "unavailable", reason: "directory_referral", message: expect.stringContaining("refers to another server") };
  await expect(signIn("alice", "alice's secret", there)).rejects.toMatchObject(referral);
  await expect(checkDirectory({ settings: settings(there), secret: serverPassword })).rejects.toMatchObject(referral);
  await expect(lookUpPeople({ settings: settings(there), secret: serverPassword }, ["alice"])).rejects.toMatchObject(referral);
  // One user whose entry is elsewhere does not affect the others.
  here.elsewhere.push(`uid=bob,${peopleBase}`);
  await expect(signIn("bob", "bob's secret", { port: here.port })).rejects.toMatchObject(referral);
  expect(await signIn("alice", "alice's secret", { port: here.port })).toEqual(alice);
});
