import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createApiClient } from "../kit/api-client.ts";
import { createBrowser } from "../kit/browser.ts";
import { freePort } from "../kit/free-port.ts";
import { createClient } from "../kit/git.ts";
import { type RunningProgram, runProgram, startProgram } from "../kit/program.ts";
import { readBlocks } from "../kit/shell-blocks.ts";

/** The program behind a proxy that does what docs/reverse-proxy.md configures: X-Forwarded-For, no limits, no buffering. */

const token = "7a".repeat(20);
const password = "a long pass phrase";
const clientAddress = "203.0.113.7";

type ProxyHeaders = (request: IncomingMessage, upstream: string) => Readonly<Record<string, string>>;
const proxies: Readonly<Record<string, ProxyHeaders>> = {
  "that keeps the Host header, as nginx, Apache, Caddy and HAProxy are configured": () => ({}),
  "that sends its own Host, X-Forwarded-Host and X-Forwarded-Proto headers": (_request, upstream) => ({
    host: upstream,
    "x-forwarded-host": "other.example.org",
    "x-forwarded-proto": "https",
  }),
};

describe.each(Object.entries(proxies))("behind a proxy %s", (_name, headersOf) => {
  let folder: string;
  let proxy: Server;
  let url: string;
  let program: RunningProgram;
  let port: number;
  let environment: Readonly<Record<string, string>>;
  const chunked: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hearth-proxy-"));
    port = await freePort();
    proxy = createServer((incoming, answer) => {
      const forwarded = [incoming.headers["x-forwarded-for"], clientAddress].filter(Boolean).join(", ");
      const headers = { ...incoming.headers, "x-forwarded-for": forwarded, ...headersOf(incoming, `127.0.0.1:${port}`) };
      if (incoming.headers["transfer-encoding"] === "chunked") chunked.push(incoming.url ?? "");
      const sent = request({ host: "127.0.0.1", port, method: incoming.method, path: incoming.url, headers }, (received) => {
        answer.writeHead(received.statusCode ?? 502, received.headers);
        pipeline(received, answer, () => undefined);
      });
      pipeline(incoming, sent, () => undefined);
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    environment = {
      HEARTH_DATA: join(folder, "data"),
      HEARTH_PORT: String(port),
      HEARTH_ROOT_URL: url,
      HEARTH_SERVER_TRUSTED_PROXIES: "127.0.0.1",
      HEARTH_ADMIN_USERNAME: "chief",
      HEARTH_ADMIN_PASSWORD: password,
      HEARTH_ADMIN_TOKEN: token,
    };
    program = await startProgram(environment);
    await createApiClient(url, `token ${token}`).post("/user/repos", { name: "demo", private: true }).expect(201);
  });
  afterAll(async () => {
    await program[Symbol.asyncDispose]();
    proxy.closeAllConnections();
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("links name the address of the proxy", async () => {
    const api = createApiClient(url, `token ${token}`);
    const repository = await api.get("/repos/chief/demo").expect(200);
    expect([repository.html_url, repository.clone_url]).toEqual([`${url}/chief/demo`, `${url}/chief/demo.git`]);
    const list = await fetch(`${url}/api/v1/repos/search?limit=1&page=1`);
    expect(list.headers.get("link") ?? "").not.toContain(`:${port}/`);
  });

  test("git clones and pushes large files, which are streamed", async () => {
    const address = `${url.replace("//", `//chief:${token}@`)}/chief/demo.git`;
    // Not synchronous: the proxy runs in this process.
    const git = (...words: string[]) => promisify(execFile)("git", words);
    const client = createClient();
    onTestFinished(() => client.remove());
    const large = randomBytes(6_000_000);
    client.commit({ "large.bin": large });
    await git("-C", client.path, "push", "-q", address, "main");
    expect(chunked).toContain("/chief/demo.git/git-receive-pack");
    await git("clone", "-q", address, join(folder, "clone"));
    expect(readFileSync(join(folder, "clone/large.bin")).equals(large)).toBe(true);
  });

  test("a file of Git LFS is uploaded and downloaded through the addresses that the server gives", async () => {
    const content = randomBytes(6_000_000);
    const oid = Buffer.from(await crypto.subtle.digest("SHA-256", content)).toString("hex");
    const authorization = `Basic ${Buffer.from(`chief:${token}`).toString("base64")}`;
    const batch = async (operation: string) => {
      const response = await fetch(`${url}/chief/demo.git/info/lfs/objects/batch`, {
        method: "POST",
        headers: {
          authorization,
          "content-type": "application/vnd.git-lfs+json",
          accept: "application/vnd.git-lfs+json",
        },
        body: JSON.stringify({ operation, transfers: ["basic"], objects: [{ oid, size: content.length }] }),
      });
      const [object] = ((await response.json()) as { objects: { actions: Record<string, { href: string }> }[] }).objects;
      return object?.actions[operation] ?? { href: "" };
    };
    const upload = await batch("upload");
    expect(upload.href.startsWith(`${url}/`)).toBe(true);
    expect((await fetch(upload.href, { method: "PUT", headers: { authorization }, body: content })).status).toBe(200);
    const download = await batch("download");
    const received = await fetch(download.href, { headers: { authorization } });
    expect(Buffer.from(await received.arrayBuffer()).equals(content)).toBe(true);
  });

  test("a browser signs in and changes something, and the audit log has the address of the client", async () => {
    const browser = createBrowser(url);
    const page = await browser.get("/user/login", { "x-forwarded-for": "198.51.100.1" });
    expect(page.status).toBe(200);
    expect((await browser.signIn({ name: "chief", password })).status).toBe(303);
    const form = await browser.get("/repo/create");
    expect((await browser.submit(form, "/repo/create", { name: "by-browser" })).status).toBe(303);
    await createApiClient(url, `token ${token}`).get("/repos/chief/by-browser").expect(200);
    const { stdout } = await runProgram(["admin", "audit", "list", "--limit", "5"], environment);
    expect(stdout).toMatch(new RegExp(`chief \\(\\w+, ${clientAddress.replaceAll(".", "\\.")}\\)`));
    expect(stdout).not.toContain("127.0.0.1");
  });
});

describe("docs/reverse-proxy.md", () => {
  const blocks = readBlocks("reverse-proxy.md");
  /** A clone needs unbuffered responses, a push unlimited and unbuffered requests, and both long timeouts. */
  const needed: Readonly<Record<string, readonly RegExp[]>> = {
    nginx: [
      /client_max_body_size 0;/,
      /proxy_request_buffering off;/,
      /proxy_buffering off;/,
      /proxy_http_version 1\.1;/,
      /proxy_read_timeout 1h;/,
      /X-Forwarded-For \$proxy_add_x_forwarded_for;/,
      // With a path, nginx would decode the path of the request.
      /proxy_pass http:\/\/127\.0\.0\.1:3000;/,
    ],
    caddy: [/reverse_proxy 127\.0\.0\.1:3000/, /flush_interval -1/, /read_timeout 1h/],
    apache: [/AllowEncodedSlashes NoDecode/, /LimitRequestBody 0/, /ProxyTimeout 3600/, /ProxyPass \/ http:\/\/127\.0\.0\.1:3000\/ nocanon flushpackets=on/],
    haproxy: [/option forwardfor/, /timeout client 1h/, /timeout server 1h/, /127\.0\.0\.1:3000/],
  };

  test.each(Object.entries(needed))("the configuration of %s has everything that Hearth needs", (language, patterns) => {
    const text = blocks.find((block) => block.language === language)?.text ?? "";
    expect(patterns.filter((pattern) => !pattern.test(text))).toEqual([]);
    const count = (mark: string): number => text.split(mark).length - 1;
    expect(count("{")).toBe(count("}"));
  });
});
