import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient, openTestStores } from "../../test/kit/git.ts";
import { startRemote } from "../../test/kit/remote.ts";
import { type HostRules, parseHostRules } from "../core/host-rules.ts";
import type { Pace } from "../core/pace.ts";
import { createQuarantine } from "../git/receive/pack.ts";
import { createOutgoingClient } from "./client.ts";
import { type GitAddress, readGitAddress } from "./git-address.ts";
import { openFetch } from "./git-fetch.ts";
import { openPush } from "./git-push.ts";

const client = createOutgoingClient({ rules: parseHostRules(["loopback"]) as HostRules });
const { signal } = new AbortController();
const root = mkdtempSync(join(tmpdir(), "hearth-remote-"));
const origin = createClient();
const bare = join(root, "demo.git");
const addressOf = (text: string): GitAddress => {
  const address = readGitAddress(text);
  if (typeof address === "string") throw new Error(address);
  return address;
};
let first = "";
let second = "";

beforeAll(() => {
  first = origin.commit({ "a.txt": "one\n".repeat(500) });
  origin.git("tag", "-a", "-m", "note", "v1");
  second = origin.commit({ "a.txt": `${"one\n".repeat(500)}two\n` });
  execFileSync("git", ["clone", "-q", "--mirror", origin.path, bare]);
});
afterAll(() => {
  origin.remove();
  rmSync(root, { recursive: true, force: true });
});

describe("a git address", () => {
  test.each([
    ["https://example.org/a/b.git", "https://example.org/a/b.git", undefined],
    ["https://example.org/a/b/", "https://example.org/a/b", undefined],
    ["https://u:p%40ss@example.org/a", "https://example.org/a", { username: "u", password: "p@ss" }],
    ["git://example.org:99/a/b.git", "git://example.org:99/a/b.git", undefined],
  ])("%s is parsed", (text, href, credentials) => {
    const address = addressOf(text);
    expect([address.url.href, address.credentials]).toEqual([href, credentials]);
  });

  test.each([
    ["/etc/passwd", "local"],
    ["not a url", "local"],
    ["../x", "local"],
    ["file:///srv/x.git", "local"],
    ["--upload-pack=touch /tmp/pwned", "local"],
    ["ext::sh -c id", "scheme"],
    ["ssh://-oProxyCommand=x/y", "scheme"],
    ["git@127.0.0.1:x", "scheme"],
    ["git+ssh://h/x", "scheme"],
    ["ftp://h/x", "scheme"],
    ["javascript://h/x", "scheme"],
    ["git://h:6379/%0d%0aSET", "malformed"],
    ["git://h/a b", "malformed"],
    ["https://u%0ahost=evil@h/x", "malformed"],
    ["https://h/x\n[core]", "malformed"],
    ["https://h\\@evil/x", "malformed"],
    ["https://", "malformed"],
  ])("the address %j is rejected", (text, problem) => expect(readGitAddress(text)).toBe(problem));

  test("rejects credentials with line breaks", () => {
    expect(readGitAddress("https://h/x", { username: "u\nhost=evil.example", password: "p" })).toBe("malformed");
  });
});

describe.each([
  ["version 2", true],
  ["version 0", false],
])("a remote of %s", (_name, knowsVersion2) => {
  test("lists its refs, and sends wanted objects that do not exist here", async () => {
    await using remote = await startRemote({ root, knowsVersion2 });
    const stores = await openTestStores();
    try {
      const store = stores.fresh();
      const take = async (wantOids: readonly string[], haveOids: readonly string[]): Promise<number> => {
        await using fetched = await openFetch(client, addressOf(`${remote.url}/demo.git`), { signal });
        expect(fetched.advertised).toEqual({
          format: "sha1",
          headRef: "refs/heads/main",
          refs: [
            { name: "refs/heads/main", oid: second },
            { name: "refs/tags/v1", oid: origin.git("rev-parse", "v1") },
          ],
        });
        const quarantine = await createQuarantine(store);
        const { objectCount } = await quarantine.receivePack(fetched.fetchPack({ wantOids, haveOids }), { maxBytes: 1e9 });
        await quarantine.checkConnected({ tipOids: wantOids, knownOids: haveOids });
        await quarantine.promote();
        return objectCount;
      };
      expect(await take([first], [])).toBe(3);
      expect(await take([second, origin.git("rev-parse", "v1")], [first])).toBe(4);
    } finally {
      await stores.close();
    }
  });

  test("credentials are sent only in a header, and only on request", async () => {
    const authorization = `Basic ${Buffer.from("u:secret").toString("base64")}`;
    await using remote = await startRemote({ root, knowsVersion2, authorization });
    await expect(openFetch(client, addressOf(`${remote.url}/demo.git`), { signal })).rejects.toMatchObject({ reason: "authentication" });
    await using fetched = await openFetch(client, addressOf(`${remote.url.replace("//", "//u:secret@")}/demo.git`), { signal });
    expect(fetched.advertised.refs).toHaveLength(2);
    expect(JSON.stringify(remote.requests.map(({ url }) => url))).not.toContain("secret");
  });

  test("accepts a push, and reports rejected refs", async () => {
    const target = join(root, `target-${knowsVersion2}.git`);
    execFileSync("git", ["init", "-q", "--bare", "-b", "main", target]);
    await using remote = await startRemote({ root, knowsVersion2 });
    const address = addressOf(`${remote.url}/target-${knowsVersion2}.git`);
    const packed = async function* () {
      yield origin.pack([second]);
    };
    {
      await using pushed = await openPush(client, address, "sha1", { signal });
      expect(pushed.refs).toEqual([]);
      const updates = [
        { name: "refs/heads/main", oldOid: null, newOid: second },
        { name: "refs/heads/side", oldOid: null, newOid: first },
      ];
      expect(await pushed.push(updates, packed())).toEqual([]);
    }
    {
      await using pushed = await openPush(client, address, "sha1", { signal });
      expect(pushed.refs).toHaveLength(2);
      const updates = [
        { name: "refs/heads/side", oldOid: first, newOid: null },
        { name: "refs/heads/main", oldOid: second, newOid: null },
      ];
      expect(await pushed.push(updates, undefined)).toEqual([{ name: "refs/heads/main", reason: "deletion of the current branch prohibited" }]);
    }
    expect(execFileSync("git", ["-C", target, "for-each-ref", "--format=%(refname) %(objectname)"]).toString()).toBe(`refs/heads/main ${second}\n`);
  });
});

test("a git daemon can be fetched from", async () => {
  const free = createServer().listen(0, "127.0.0.1");
  await once(free, "listening");
  const { port } = free.address() as { port: number };
  free.close();
  await once(free, "close");
  const daemon = spawn("git", ["daemon", "--reuseaddr", "--listen=127.0.0.1", `--port=${port}`, "--export-all", `--base-path=${root}`, root], {
    stdio: "ignore",
    detached: true,
  });
  try {
    const isUp = (): Promise<boolean> =>
      new Promise((resolve) => {
        const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
        socket.once("connect", () => socket.destroy());
      });
    while (!(await isUp())) await delay(20);
    await using fetched = await openFetch(client, addressOf(`git://127.0.0.1:${port}/demo.git`), { signal });
    expect(fetched.advertised.refs).toHaveLength(2);
    const chunks: Uint8Array[] = [];
    for await (const chunk of fetched.fetchPack({ wantOids: [second], haveOids: [] })) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString("latin1", 0, 4)).toBe("PACK");
    await expect(openFetch(client, addressOf(`git://127.0.0.1:${port}/none.git`), { signal })).rejects.toThrow(/not exported|access denied/);
  } finally {
    process.kill(-(daemon.pid ?? 0));
  }
});

/** Sends the given data, then a byte every few milliseconds. */
async function startDripping(beginning: string) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const timer = setInterval(() => socket.write("0"), 5);
    socket
      .on("error", () => undefined)
      .once("close", () => {
        clearInterval(timer);
        sockets.delete(socket);
      });
    socket.once("data", () => socket.write(beginning));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    open: () => sockets.size,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const greetingHead = "HTTP/1.1 200 OK\r\nContent-Type: application/x-git-upload-pack-advertisement\r\n\r\n";
const serviceLine = "001e# service=git-upload-pack\n0000";
const impatient: Pace = { bytesPerSecond: 2_000, windowMs: 200, idleMs: 60_000 };

describe("a slow remote", () => {
  test.each([
    ["a greeting of HTTP that cannot be read", "http", `${greetingHead}zzzz`],
    ["a redirect without an end", "http", "HTTP/1.1 302 Found\r\nLocation: file:///etc\r\n\r\n"],
    ["a greeting of a git daemon that cannot be read", "git", "zzzz"],
  ])("leaves no connection open after %s", async (_what, scheme, beginning) => {
    await using remote = await startDripping(beginning);
    const attempts = Array.from({ length: 3 }, () => openFetch(client, addressOf(`${scheme}://127.0.0.1:${remote.port}/demo.git`), { signal }));
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    await expect.poll(remote.open).toBe(0);
  });

  test("leaves no connection open after it was disposed during a response", async () => {
    const refs = `003d${"a".repeat(40)} refs/heads/main\0side-band-64k\n`;
    await using remote = await startDripping(`${greetingHead}${serviceLine}${refs.length.toString(16).padStart(4, "0")}${refs.slice(4)}0000`);
    {
      await using fetched = await openFetch(client, addressOf(`http://127.0.0.1:${remote.port}/demo.git`), { signal });
      expect(fetched.advertised.refs).toHaveLength(1);
      expect(remote.open()).toBe(1);
    }
    await expect.poll(remote.open).toBe(0);
  });

  test.each([
    ["http", `${greetingHead}${serviceLine}ff00`],
    ["git", "ff00"],
  ])("a remote is disconnected over %s if it is slower than required", async (scheme, beginning) => {
    await using remote = await startDripping(beginning);
    const fetching = openFetch(client, addressOf(`${scheme}://127.0.0.1:${remote.port}/demo.git`), { signal, pace: impatient });
    await expect(fetching).rejects.toMatchObject({ reason: "timeout" });
    await expect.poll(remote.open).toBe(0);
  });
});

test.each(["http", "git"])("a name is resolved once per connection over %s, and the checked address is the one called", async (scheme) => {
  await using remote = await startDripping("zzzz");
  let lookUps = 0;
  const rebinding = createOutgoingClient({
    rules: parseHostRules(["127.0.0.1"]) as HostRules,
    lookup(_host, _options, done) {
      lookUps += 1;
      done(null, [{ address: lookUps === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }]);
    },
  });
  const address = addressOf(`${scheme}://rebinding.example:${remote.port}/demo.git`);
  await expect(openFetch(rebinding, address, { signal })).rejects.not.toMatchObject({ reason: "blocked" });
  expect(lookUps).toBe(1);
  // The second result of the resolver is checked again.
  await expect(openFetch(rebinding, address, { signal })).rejects.toMatchObject({ reason: "blocked" });
  expect(lookUps).toBe(2);
});

describe("a hostile remote", () => {
  const elsewhere = async (location: string, userInfo = "") => {
    await using other = await startRemote({ root });
    const led = `${location.replace("{other}", other.url)}/info/refs?service=git-upload-pack`;
    await using remote = await startRemote({ root, intercept: (_, response) => response.writeHead(302, { location: led }).end().writableEnded });
    const outcome = await openFetch(client, addressOf(`${remote.url.replace("//", `//${userInfo}`)}/demo.git`), { signal }).then(
      async (fetched) => {
        await fetched[Symbol.asyncDispose]();
        return "fetched";
      },
      (error: { reason: string }) => error.reason,
    );
    return { outcome, authorizations: other.requests.map(({ headers }) => headers.authorization) };
  };

  test("a remote can redirect only to allowed hosts, and those do not receive the credentials", async () => {
    expect(await elsewhere("{other}/demo.git", "u:secret@")).toEqual({ outcome: "fetched", authorizations: [undefined, undefined] });
    expect((await elsewhere("http://169.254.169.254/latest")).outcome).toBe("blocked");
    expect((await elsewhere("file:///etc")).outcome).toBe("status");
  });

  test.each([
    ["is none", 200, "text/html", "<html>"],
    ["has nothing", 404, "text/plain", ""],
    ["sends what is cut off", 200, "application/x-git-upload-pack-advertisement", "001e# service=git-upload-pack\n0000000eversion 2\n00"],
    ["sends nonsense", 200, "application/x-git-upload-pack-advertisement", "zzzz"],
  ])("%s", async (_name, status, type, body) => {
    await using remote = await startRemote({ root, intercept: (_, response) => response.writeHead(status, { "content-type": type }).end(body).writableEnded });
    await expect(openFetch(client, addressOf(`${remote.url}/demo.git`), { signal })).rejects.toThrow(
      /git server|not found|ends within a packet|four hex digits/,
    );
  });
});
