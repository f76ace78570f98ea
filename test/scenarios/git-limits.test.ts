import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { createServer, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { encodePkt, encodePkts, flushPkt } from "../../src/git/send/pkt-line.ts";
import { onSqlite } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createGitUser, type GitUser } from "../kit/git-user.ts";
import { expectNothingOutside, outsideFolder } from "../kit/outside.ts";
import { gitProcessesOn } from "../kit/processes.ts";
import { pushBody, rawPush, zeroOid } from "../kit/raw-push.ts";

/** Malicious requests of the git protocols, and clients that disconnect. */

onSqlite((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let work: GitUser;
  let tip: string;
  /** All objects reachable from `tip`. */
  let pack: Buffer;
  const name = "alice/target";

  beforeAll(async () => {
    work = await createGitUser();
    forge = await startForge({ dialect, environment: { HEARTH_GIT_MAX_REFS_PER_PUSH: "5000", HEARTH_GIT_MAX_PUSH_BYTES: "30000000" } });
    alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "target" }).expect(201);
    await work.init("source");
    tip = await work.commit("source", { "a.txt": "one\n", "large.bin": randomBytes(8_000_000) });
    await work.git("source", "push", "-q", `${alice.gitOrigin}/${name}`, "main");
    await work.git("source", "checkout", "-q", "--orphan", "other");
    await work.commit("source", { "b.txt": "two\n", "other.bin": randomBytes(2_000_000) });
    const { spawnSync } = await import("node:child_process");
    pack = spawnSync("git", ["pack-objects", "--revs", "--stdout", "-q"], { cwd: join(work.path, "source"), input: "other\n", maxBuffer: 1 << 26 }).stdout;
    await forge.settled();
  });
  afterAll(async () => {
    await forge[Symbol.asyncDispose]();
    await work[Symbol.asyncDispose]();
  });
  /** Checks that the server logged no internal error and that no ref has moved. */
  afterEach(async () => {
    expect(forge.log.filter(({ level }) => level === "error")).toEqual([]);
    expect(await work.git(".", "ls-remote", "--refs", `${forge.url}/${name}`, "refs/heads/*")).toBe(`${tip}\trefs/heads/main`);
  });

  const storePath = async (): Promise<string> => {
    const { id } = await alice.get(`/repos/${name}`).expect(200);
    const { context } = forge.forge;
    const row = await context.db.sql.selectFrom("repositories").select("code_store_id").where("id", "=", id).executeTakeFirstOrThrow();
    return context.git.store(row.code_store_id, "sha1").path;
  };
  const quarantines = async (): Promise<string[]> => (await readdir(join(await storePath(), "objects"))).filter((entry) => entry.startsWith("tmp_objdir"));
  const other = () => work.git("source", "rev-parse", "other");
  const fetchPost = (body: Buffer, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${forge.url}/${name}/git-upload-pack`, {
      method: "POST",
      headers: { "content-type": "application/x-git-upload-pack-request", ...headers },
      body: new Uint8Array(body),
    }).then(async (response) => ({ status: response.status, text: await response.text() }));
  const v2 = { "git-protocol": "version=2" };

  describe("malformed requests are rejected", () => {
    test.each<[string, () => Buffer]>([
      ["no packets", () => Buffer.from("hello, world")],
      ["a cut packet", () => Buffer.from("00ffwant")],
      ["a have before any want", () => Buffer.concat([encodePkt(`have ${"1".repeat(40)}\n`), flushPkt])],
      ["a want that is an option", () => Buffer.concat([encodePkt(`want --upload-pack=touch ${outsideFolder}/pwned\n`), flushPkt])],
      ["a want that is a revision", () => Buffer.concat([encodePkt("want main~1\n"), flushPkt])],
    ])("a fetch: %s", async (_what, body) => {
      for (const headers of [{}, v2]) expect((await fetchPost(body(), headers)).status).toBe(400);
    });

    test.each<[string, () => Buffer]>([
      ["an unknown command", () => Buffer.concat([encodePkt("command=exec"), flushPkt])],
      ["two commands", () => Buffer.concat([encodePkts(["command=fetch", "command=ls-refs"]), flushPkt])],
      ["no flush", () => encodePkt("command=ls-refs")],
    ])("a command of protocol version 2: %s", async (_what, body) => {
      expect((await fetchPost(body(), v2)).status).toBe(400);
    });

    test("a push", async () => {
      for (const body of [Buffer.from("hello"), Buffer.from("0010"), encodePkt(`${zeroOid} ${tip} refs/heads/x`)]) {
        expect((await rawPush(forge.url, alice, name, body)).status).toBe(400);
      }
      const notPack = await rawPush(forge.url, alice, name, { commands: [`${zeroOid} ${tip} refs/heads/x`], pack: Buffer.from("this is no pack") });
      expect(notPack).toMatchObject({ status: 200, text: expect.stringContaining("ng refs/heads/x unpacker error") });
    });

    test("a truncated compressed body, and a body that is not compressed as declared", async () => {
      const whole = gzipSync(Buffer.concat([encodePkt("command=ls-refs"), flushPkt]));
      for (const body of [whole.subarray(0, whole.length - 10), Buffer.from("not gzip")]) {
        expect((await fetchPost(body, { ...v2, "content-encoding": "gzip" })).status).toBe(400);
        expect((await rawPush(forge.url, alice, name, body, { "content-encoding": "gzip" })).status).toBe(400);
      }
      expect((await fetchPost(whole, { ...v2, "content-encoding": "gzip" })).text).toContain(tip);
      expect((await fetchPost(whole, { ...v2, "content-encoding": "br" })).status).toBe(415);
    });

    test("a flush packet alone, which git sends to try its credentials, has an empty response and takes no process", async () => {
      await forge.settled();
      const { processes } = await forge.cost(async () => {
        for (const headers of [{}, v2]) expect(await fetchPost(flushPkt, headers)).toEqual({ status: 200, text: "" });
      });
      expect(processes).toBe(0);
    });

    test("an unknown protocol version is ignored", async () => {
      for (const version of ["version=3", `version=2;touch ${outsideFolder}/pwned`, "version=1:--upload-pack=x"]) {
        const answer = await fetch(`${forge.url}/${name}/info/refs?service=git-upload-pack`, { headers: { "git-protocol": version } });
        expect(answer.status).toBe(200);
        expect(await answer.text()).toContain(`${tip} HEAD`);
      }
      expectNothingOutside();
    });
  });

  describe("expensive requests are rejected early", () => {
    test("a compressed body that expands a thousandfold", async () => {
      const bomb = gzipSync(Buffer.alloc(100_000_000, "0"));
      expect((await fetchPost(bomb, { "content-encoding": "gzip" })).status).toBe(413);
      const line = encodePkt(`have ${"1".repeat(40)}\n`);
      const haves = Buffer.concat([encodePkt(`want ${tip}\n`), flushPkt, Buffer.alloc(line.length * 700_000, line)]);
      expect((await fetchPost(gzipSync(haves), { "content-encoding": "gzip" })).status).toBe(413);
      const commands = encodePkt(`${zeroOid} ${tip} refs/tags/x\n`);
      const many = gzipSync(Buffer.alloc(commands.length * 40_000, commands));
      expect((await rawPush(forge.url, alice, name, many, { "content-encoding": "gzip" })).status).toBe(413);
    });

    test("two hundred thousand haves", async () => {
      const haves = Array.from({ length: 200_001 }, (_, index) => `have ${index.toString(16).padStart(40, "0")}\n`);
      const body = Buffer.concat([encodePkts([`want ${tip}\n`]), flushPkt, encodePkts(haves), encodePkt("done\n")]);
      expect((await fetchPost(body)).status).toBe(413);
    });

    test("more refs than the limit of a push", async () => {
      const commands = Array.from({ length: 5_001 }, (_, index) => `${zeroOid} ${tip} refs/tags/t${index}`);
      expect((await rawPush(forge.url, alice, name, { commands })).status).toBe(413);
    });

    test("a pack larger than the limit", async () => {
      const header = Buffer.concat([Buffer.from("PACK"), Buffer.from([0, 0, 0, 2, 0, 0, 0, 1])]);
      const answer = await rawPush(forge.url, alice, name, {
        commands: [`${zeroOid} ${tip} refs/heads/x`],
        capabilities: "report-status side-band-64k",
        pack: Buffer.concat([header, randomBytes(31_000_000)]),
      });
      expect(answer.text).toContain("ng refs/heads/x unpacker error");
      expect(await quarantines()).toEqual([]);
    });
  });

  test("a ref that is named twice in a push is refused, and the other refs move", async () => {
    const commands = [`${zeroOid} ${tip} refs/tags/twice`, `${zeroOid} ${tip} refs/tags/once`, `${zeroOid} ${await other()} refs/tags/twice`];
    const answer = await rawPush(forge.url, alice, name, { commands, capabilities: "report-status", pack });
    expect(answer.text).toContain("ok refs/tags/once");
    expect(answer.text.match(/ng refs\/tags\/twice the ref is named twice in one push/g)).toHaveLength(2);
    const atomic = await rawPush(forge.url, alice, name, {
      commands: commands.map((command) => command.replace("refs/tags/", "refs/tags/atomic-")),
      capabilities: "report-status atomic",
      pack,
    });
    expect(atomic.text).not.toContain("ok refs/tags/");
    const tags = await work.git(".", "ls-remote", "--refs", `${forge.url}/${name}`, "refs/tags/*once", "refs/tags/*twice");
    expect(tags).toBe(`${tip}\trefs/tags/once`);
  });

  test("push options are opaque: newlines, escapes and other bytes in them have no effect", async () => {
    const answer = await rawPush(forge.url, alice, name, {
      commands: [`${zeroOid} ${tip} refs/tags/with-options`],
      options: ["a=1;repo_id=2", "x\nHEARTH_PUSHER_ID=1", "\u001b]0;title\u0007", Buffer.from([0xff, 0x00, 0xfe]), "repo.private=maybe", "repo.privateer=true"],
    });
    expect(answer.text).toContain("ok refs/tags/with-options");
    expect(answer.text).not.toContain("\u001b");
    expect((await alice.get(`/repos/${name}`).expect(200)).private).toBe(false);
    await forge.settled();
  });

  test("thousands of refs are listed quickly, and a prefix finds its matches", async () => {
    await alice.post("/user/repos", { name: "many" }).expect(201);
    await work.git("source", "push", "-q", `${alice.gitOrigin}/alice/many`, "main");
    for (const from of [0, 5_000]) {
      const commands = Array.from({ length: 5_000 }, (_, index) => `${zeroOid} ${tip} refs/tags/release/t${from + index}`);
      expect((await rawPush(forge.url, alice, "alice/many", { commands })).text.match(/^....ok /gm)).toHaveLength(5_000);
    }
    await forge.settled();
    const { processes, result } = await forge.cost(() => work.git(".", "ls-remote", `${forge.url}/alice/many`));
    expect(result.split("\n")).toHaveLength(10_002);
    expect(processes).toBe(0);
    const args = encodePkts(["ref-prefix refs/heads/", "ref-prefix refs/tags/release/t4999"]);
    const few = await fetch(`${forge.url}/alice/many/git-upload-pack`, {
      method: "POST",
      headers: { "content-type": "application/x-git-upload-pack-request", ...v2 },
      body: new Uint8Array(Buffer.concat([encodePkt("command=ls-refs"), Buffer.from("0001"), args, flushPkt])),
    }).then((response) => response.text());
    expect(few.match(/refs\//g)).toHaveLength(2);
  });

  describe("clients that disconnect", () => {
    const gone = (condition: () => Promise<void> | void) => vi.waitFor(condition, { timeout: 5_000, interval: 20 });
    const running = () => gitProcessesOn(forge.dataDirectory).map(({ command }) => command);

    test("during a push: the received data is removed, no ref moves, the next push works", async () => {
      await gone(() => expect(running()).toEqual([]));
      const body = pushBody({ commands: [`${zeroOid} ${await other()} refs/tags/vanished`], capabilities: "report-status side-band-64k", pack });
      const sent = request(`${forge.url}/${name}/git-receive-pack`, {
        method: "POST",
        headers: { authorization: `token ${alice.token}`, "content-type": "application/x-git-receive-pack-request", "content-length": body.length },
      });
      sent.on("error", () => undefined);
      sent.write(body.subarray(0, body.length / 2));
      await gone(async () => expect(await quarantines()).toHaveLength(1));
      sent.destroy();
      await gone(async () => expect(await quarantines()).toEqual([]));
      await gone(() => expect(running()).toEqual([]));
      expect((await rawPush(forge.url, alice, name, body)).text).toContain("ok refs/tags/vanished");
    });

    test("during a clone: the git process ends", async () => {
      const body = Buffer.concat([encodePkt("command=fetch"), Buffer.from("0001"), encodePkts([`want ${tip}`, "no-progress", "done"]), flushPkt]);
      const { port } = new URL(forge.url);
      const socket = connect(Number(port), "127.0.0.1");
      socket.on("error", () => undefined);
      socket.pause();
      socket.write(
        `POST /${name}/git-upload-pack HTTP/1.1\r\nhost: x\r\ngit-protocol: version=2\r\ncontent-type: application/x-git-upload-pack-request\r\ncontent-length: ${body.length}\r\n\r\n`,
      );
      socket.write(body);
      await gone(() => expect(running()).toContain("upload-pack"));
      socket.destroy();
      await gone(() => expect(running()).toEqual([]));
    });

    test("like a killed git: the push is rejected, the next one works", async () => {
      const body = pushBody({ commands: [`${zeroOid} ${await other()} refs/tags/killed`], capabilities: "report-status side-band-64k", pack });
      const sent = request(`${forge.url}/${name}/git-receive-pack`, {
        method: "POST",
        headers: { authorization: `token ${alice.token}`, "content-type": "application/x-git-receive-pack-request", "content-length": body.length },
      });
      const answered = new Promise<string>((resolve, reject) => {
        sent.on("error", reject).on("response", (response) => text(response).then(resolve, reject));
      });
      sent.write(body.subarray(0, body.length / 2));
      await gone(() => expect(running()).toContain("index-pack"));
      for (const { pid, command } of gitProcessesOn(forge.dataDirectory)) if (command === "index-pack") process.kill(pid, "SIGKILL");
      sent.end(body.subarray(body.length / 2));
      expect(await answered).toMatch(/^HTTP|unavailable|git ended|cannot/);
      await gone(async () => expect(await quarantines()).toEqual([]));
      expect((await rawPush(forge.url, alice, name, body)).text).toContain("ok refs/tags/killed");
    });

    test("after any byte that a proxy forwards", async () => {
      const body = pushBody({
        commands: [`${zeroOid} ${await other()} refs/tags/cut`],
        capabilities: "report-status side-band-64k",
        pack: pack.subarray(0, 60_000),
      });
      const { port } = new URL(forge.url);
      let letThrough = 0;
      const proxy = createServer().on("connection", (near) => {
        const far = connect(Number(port), "127.0.0.1");
        let left = letThrough;
        const end = () => {
          near.destroy();
          far.resetAndDestroy();
        };
        near.on("data", (chunk: Buffer) => {
          far.write(chunk.subarray(0, left));
          left -= chunk.length;
          if (left <= 0) end();
        });
        far.on("data", (chunk: Buffer) => near.write(chunk));
        for (const socket of [near, far]) socket.on("error", end).on("close", end);
      });
      await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
      const address = proxy.address() as { port: number };
      for (letThrough of [1, 50, 200, 260, 300, 330, 360, 400, 1_000, 30_000, 59_000]) {
        await rawPush(`http://127.0.0.1:${address.port}`, alice, name, body).catch(() => undefined);
      }
      await new Promise((resolve) => proxy.close(resolve));
      await gone(() => expect(running()).toEqual([]));
      await gone(async () => expect(await quarantines()).toEqual([]));
      expect(await work.git(".", "ls-remote", `${forge.url}/${name}`, "refs/tags/cut")).toBe("");
    });
  });
});
