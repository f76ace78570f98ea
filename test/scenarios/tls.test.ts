import { execFile } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect, type PeerCertificate } from "node:tls";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { renewedCertificate, renewedKey, testCertificate, testKey } from "../kit/certificate.ts";
import { type RunningProgram, runProgram, startProgram } from "../kit/program.ts";

let root: string;
let program: RunningProgram;
const token = "0123456789abcdef0123456789abcdef01234567";
const pathTo = (name: string): string => join(root, name);

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "hearth-tls-"));
  await writeFile(pathTo("cert.pem"), testCertificate);
  await writeFile(pathTo("key.pem"), testKey);
  await writeFile(pathTo("authority.pem"), testCertificate);
  await writeFile(pathTo("other-key.pem"), renewedKey);
  program = await startProgram({
    HEARTH_DATA: pathTo("data"),
    HEARTH_TLS_CERT: pathTo("cert.pem"),
    HEARTH_TLS_KEY: pathTo("key.pem"),
    HEARTH_ADMIN_USERNAME: "chief",
    HEARTH_ADMIN_TOKEN: token,
  });
});
afterAll(async () => {
  await program[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

async function send(method: string, path: string, body?: object): Promise<{ status: number | undefined; json: { clone_url?: string } }> {
  const headers = { authorization: `token ${token}`, "content-type": "application/json" };
  const sent = request(`${program.url}/api/v1${path}`, { method, ca: testCertificate, headers }).end(body && JSON.stringify(body));
  const [answer] = await once(sent, "response");
  return { status: answer.statusCode, json: JSON.parse(await text(answer)) };
}

async function shownCertificate(): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(program.url).port), rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const shown: PeerCertificate = socket.getPeerCertificate();
  socket.destroy();
  return shown.fingerprint256;
}

test("the API and git are served over https with the configured certificate", async () => {
  expect(program.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const created = await send("POST", "/user/repos", { name: "site", auto_init: true, default_branch: "main" });
  expect([created.status, created.json.clone_url]).toEqual([201, `${program.url}/chief/site.git`]);
  const words = ["-c", `http.sslCAInfo=${pathTo("authority.pem")}`, "ls-remote", `${program.url}/chief/site.git`];
  const { stdout } = await promisify(execFile)("git", words);
  expect(stdout).toMatch(/\trefs\/heads\/main/);
});

test("SIGHUP replaces the certificate, or keeps it when the files are invalid", async () => {
  const [first, renewed] = [testCertificate, renewedCertificate].map((pem) => new X509Certificate(pem).fingerprint256);
  expect(await shownCertificate()).toBe(first);
  await writeFile(pathTo("cert.pem"), renewedCertificate);
  process.kill(program.pid, "SIGHUP");
  await vi.waitFor(() => expect(program.output()).toContain("the previous one stays in use"));
  expect(await shownCertificate()).toBe(first);
  await writeFile(pathTo("key.pem"), renewedKey);
  process.kill(program.pid, "SIGHUP");
  await vi.waitFor(() => expect(program.output()).toContain("the certificate was reloaded"));
  expect(await shownCertificate()).toBe(renewed);
});

test.each([
  ["a certificate without a key", { HEARTH_TLS_CERT: "authority.pem" }, /^hearth: server\.tls_cert and server\.tls_key must be set together\n$/],
  [
    "a file that is missing",
    { HEARTH_TLS_CERT: "missing.pem", HEARTH_TLS_KEY: "other-key.pem" },
    /^hearth: server\.tls_cert: \S+missing\.pem cannot be read \(ENOENT\)\n$/,
  ],
  [
    "the key of another certificate",
    { HEARTH_TLS_CERT: "authority.pem", HEARTH_TLS_KEY: "other-key.pem" },
    /^hearth: server\.tls_cert and server\.tls_key cannot be used: [^\n]+\n$/,
  ],
] as const)("%s stops the start with one line", async (_what, files, line) => {
  const paths = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, pathTo(file)]));
  const { code, stdout, stderr } = await runProgram(["serve"], { HEARTH_DATA: pathTo("refused"), ...paths });
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(line);
});
