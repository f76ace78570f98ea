import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { callerClasses, type Place } from "../../src/core/lanes.ts";
import { networkOf } from "../../src/core/networks.ts";
import { createBrowser } from "../kit/browser.ts";
import { sqlite } from "../kit/databases.ts";
import { startForge, type TestForge } from "../kit/forge.ts";

/** Anonymous callers of many addresses that request expensive pages, and the requests of other callers beside them. */

let forge: TestForge;
let cookie: string;
let commitOid: string;

beforeAll(async () => {
  forge = await startForge({
    dialect: sqlite,
    environment: {
      HEARTH_SERVER_TRUSTED_PROXIES: "127.0.0.1",
      HEARTH_LIMITS_ANONYMOUS_PLACES: "1",
      HEARTH_GIT_MAX_READS: "2",
      // No estimate of the wait refuses a request before the queue is full.
      HEARTH_GIT_MAX_WAIT_MS: "600000",
      HEARTH_GIT_MAX_TRANSFERS: "2",
      HEARTH_METRICS: "true",
    },
  });
  await forge.admin.post("/user/repos", { name: "busy", auto_init: true }).expect(201);
  const browser = createBrowser(forge.url);
  await browser.signIn(forge.admin);
  ({ cookie } = browser);
  const [commit] = (await forge.admin.get("/repos/chief/busy/commits").expect(200)) as readonly { readonly sha: string }[];
  commitOid = commit?.sha ?? "";
  const stored = await fetch(new URL(`${largeFile}/${largeBytes}`, forge.url), {
    method: "PUT",
    headers: { authorization: `token ${forge.admin.token}` },
    body: large,
  });
  expect(stored.status).toBe(200);
});
afterAll(() => forge?.[Symbol.asyncDispose]());

const repository = "/chief/busy";
const pages = [`${repository}/blame/branch/main/README.md`, `${repository}/compare/main...main`, `${repository}/commits/branch/main`];

/** More than the buffers of a connection hold. */
const largeBytes = 24_000_000;
const large = randomBytes(largeBytes);
const largeFile = `${repository}.git/info/lfs/objects/${createHash("sha256").update(large).digest("hex")}`;
const api = `/api/v1/repos${repository}`;
/** A read of each kind that is no page, and is not expensive. */
const reads = [`${api}/issues`, `${api}/contents/README.md`, `${api}/raw/README.md`, `${repository}/raw/branch/main/README.md`, largeFile];

const addressOf = (at: number): string => `198.${18 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`;
const fromAddress = (path: string, address: string): Promise<Response> =>
  fetch(new URL(path, forge.url), { headers: { "x-forwarded-for": address, accept: "text/html" }, redirect: "manual" });
const asUser = (path: string): Promise<Response> => fetch(new URL(path, forge.url), { headers: { cookie, accept: "text/html" } });

/** Takes all places of anonymous callers. */
const occupy = async (lane: "pageLane" | "readLane" | "bulkLane"): Promise<Place> => forge.context[lane].enter({ kind: "anonymous", key: "crawler" });
/** Takes all places for reads of a class. */
async function occupyReads(kind: "automated" | "anonymous"): Promise<readonly Place[]> {
  const { readLane } = forge.context;
  const places: Place[] = [];
  const gone = new AbortController();
  const take = (): Promise<boolean> =>
    readLane.enter({ kind, key: "other" }, gone.signal).then(
      (place) => places.push(place) > 0,
      () => false,
    );
  let last = take();
  while (readLane.counts(kind).waiting === 0) last = take();
  gone.abort();
  await last;
  return places;
}
const asProgram = (path: string): Promise<Response> => fetch(new URL(path, forge.url), { headers: { authorization: `token ${forge.admin.token}` } });
/** The statuses of complete answers. */
const statusesOf = (answers: readonly Promise<Response>[]): Promise<number[]> =>
  Promise.all(
    answers.map(async (answer) => {
      await (await answer).arrayBuffer();
      return (await answer).status;
    }),
  );

beforeEach(async () => {
  await forge.settled();
  // A response can arrive before its place is left.
  const { pageLane, readLane, bulkLane } = forge.context;
  const working = (): number =>
    [pageLane, readLane, bulkLane].reduce((sum, lane) => callerClasses.reduce((total, kind) => total + lane.counts(kind).working, sum), 0);
  await expect.poll(working).toBe(0);
});

test("users and programs are served before the waiting crawlers of many addresses, and visitors get other pages", async () => {
  const { pageLane } = forge.context;
  const place = await occupy("pageLane");
  const waiting = Array.from({ length: 60 }, (_, at) => fromAddress(pages[at % pages.length] ?? "", addressOf(at)));
  await expect.poll(() => pageLane.counts("anonymous").waiting).toBe(60);
  for (const path of pages) expect([path, (await asUser(path)).status]).toEqual([path, 200]);
  await forge.admin.get("/repos/chief/busy/commits").expect(200);
  for (const path of [repository, `${repository}/issues`, `${repository}/src/branch/main/README.md`]) {
    expect([path, (await fromAddress(path, addressOf(9_999))).status]).toEqual([path, 200]);
  }
  expect(pageLane.counts("anonymous")).toMatchObject({ working: 1, waiting: 60 });
  place.leave();
  expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
  expect(pageLane.counts("anonymous")).toMatchObject({ working: 0, waiting: 0 });
});

test("anonymous requests beyond the queue are refused without a statement or a process, with a time to retry", async () => {
  const { pageLane } = forge.context;
  const place = await occupy("pageLane");
  const gone = new AbortController();
  const waiting = Promise.allSettled(Array.from({ length: 1_024 }, (_, at) => pageLane.enter({ kind: "anonymous", key: addressOf(at) }, gone.signal)));
  const { result, statements, processes } = await forge.cost(() =>
    Promise.all(Array.from({ length: 100 }, (_, at) => fromAddress(pages[at % pages.length] ?? "", addressOf(at + 2_000)))),
  );
  expect(statements).toEqual([]);
  expect(processes).toBe(0);
  // The time to retry is an estimate from the times that places were held.
  for (const { status, headers } of result) expect([status, Number(headers.get("retry-after")) >= 1]).toEqual([503, true]);
  expect(await result[0]?.text()).toContain("The server is busy.");
  const api = await fetch(new URL(`/api/v1/repos/chief/busy/git/commits/${commitOid}`, forge.url), { headers: { "x-forwarded-for": addressOf(9) } });
  expect(api.status).toBe(503);
  expect(await api.json()).toMatchObject({ message: expect.stringMatching(/^the server is busy: try again in \d+ s$/) });
  gone.abort();
  await waiting;
  place.leave();
});

test("one address with many requests is refused with 429 before it fills the queue of the others", async () => {
  const { pageLane } = forge.context;
  const place = await occupy("pageLane");
  const [path = ""] = pages;
  const first = fromAddress(path, "203.0.113.5");
  await expect.poll(() => pageLane.counts("anonymous").waiting).toBe(1);
  const gone = new AbortController();
  const more = Promise.allSettled(Array.from({ length: 511 }, () => pageLane.enter({ kind: "anonymous", key: networkOf("203.0.113.5") }, gone.signal)));
  const refused = await fromAddress(path, "203.0.113.5");
  expect([refused.status, Number(refused.headers.get("retry-after")) >= 1]).toEqual([429, true]);
  expect(await refused.text()).toContain("Too many of your requests are waiting");
  const other = fromAddress(path, "203.0.113.6");
  await expect.poll(() => pageLane.counts("anonymous").waiting).toBe(513);
  gone.abort();
  await more;
  place.leave();
  expect([(await other).status, (await first).status]).toEqual([200, 200]);
});

test("an anonymous clone and archive wait for a place, and those that the cache holds do not", async () => {
  const { bulkLane } = forge.context;
  const archive = `${repository}/archive/main.tar.gz`;
  const place = await occupy("bulkLane");
  const first = fromAddress(archive, addressOf(1));
  await expect.poll(() => bulkLane.counts("anonymous").waiting).toBe(1);
  // The same archive for a user, who does not wait for the place of anonymous callers.
  const own = await asUser(archive);
  expect(own.status).toBe(200);
  await own.arrayBuffer();
  const cached = await fromAddress(archive, addressOf(2));
  expect(cached.status).toBe(200);
  await cached.arrayBuffer();
  expect(bulkLane.counts("anonymous")).toMatchObject({ working: 1, waiting: 1 });
  const want = `want ${commitOid}\n`;
  const pkt = (text: string): string => (text.length + 4).toString(16).padStart(4, "0") + text;
  const cloned = fetch(new URL(`${repository}.git/git-upload-pack`, forge.url), {
    method: "POST",
    headers: { "content-type": "application/x-git-upload-pack-request", "x-forwarded-for": addressOf(3) },
    body: `${pkt(want)}0000${pkt("done\n")}`,
  });
  await expect.poll(() => bulkLane.counts("anonymous").waiting).toBe(2);
  place.leave();
  for (const answer of [await first, await cloned]) {
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
  }
  await expect.poll(() => bulkLane.counts("anonymous")).toMatchObject({ working: 0, waiting: 0 });
});

test("API reads, raw files and large files of visitors share the places of their pages, and those of programs and users do not wait for them", async () => {
  const { readLane } = forge.context;
  const places = await occupyReads("anonymous");
  const waiting = reads.map((path, at) => fromAddress(path, addressOf(at)));
  await expect.poll(() => readLane.counts("anonymous").waiting).toBe(reads.length);
  const served = await statusesOf([...reads.map(asProgram), ...reads.filter((path) => !path.startsWith("/api/")).map(asUser)]);
  expect(new Set(served)).toEqual(new Set([200]));
  expect(readLane.counts("anonymous").waiting).toBe(reads.length);
  for (const place of places) place.leave();
  expect(await statusesOf(waiting)).toEqual(reads.map(() => 200));
});

test("reads of programs wait for each other, get places before visitors, and users in a browser do not wait", async () => {
  const { readLane } = forge.context;
  const places = await occupyReads("automated");
  const order: string[] = [];
  const noted = (kind: string, answer: Promise<Response>): Promise<Response> => answer.finally(() => order.push(kind));
  const visitor = noted("visitor", fromAddress(`${api}/issues`, addressOf(1)));
  await expect.poll(() => readLane.counts("anonymous").waiting).toBe(1);
  const program = noted("program", asProgram(`${api}/issues`));
  await expect.poll(() => readLane.counts("automated").waiting).toBe(1);
  expect(await statusesOf([repository, `${repository}/raw/branch/main/README.md`, largeFile].map(asUser))).toEqual([200, 200, 200]);
  expect(order).toEqual([]);
  const [first, ...others] = places;
  first?.leave();
  await program;
  expect(order[0]).toBe("program");
  for (const place of others) place.leave();
  expect(await statusesOf([visitor, program])).toEqual([200, 200]);
});

test("API reads, raw files and large files beyond the queue are refused without a statement or a process, with a time to retry", async () => {
  const { readLane } = forge.context;
  const places = await occupyReads("anonymous");
  const gone = new AbortController();
  const waiting = Promise.allSettled(Array.from({ length: 1_024 }, (_, at) => readLane.enter({ kind: "anonymous", key: addressOf(at) }, gone.signal)));
  const { result, statements, processes } = await forge.cost(() => Promise.all(reads.map((path, at) => fromAddress(path, addressOf(at + 2_000)))));
  expect(statements).toEqual([]);
  expect(processes).toBe(0);
  for (const { status, headers } of result) expect([status, Number(headers.get("retry-after")) >= 1]).toEqual([503, true]);
  expect(await result.at(-1)?.json()).toEqual({ Message: expect.stringMatching(/^the server is busy: try again in \d+ s$/) });
  gone.abort();
  await waiting;
  for (const place of places) place.leave();
});

test("a download whose client does not read, and an archive that waits for a place, leave the places for reads to others", async () => {
  const { bulkLane, readLane } = forge.context;
  const bulk = await occupy("bulkLane");
  const archive = fromAddress(`${repository}/archive/${commitOid}.zip`, addressOf(1));
  await expect.poll(() => bulkLane.counts("anonymous").waiting).toBe(1);
  expect(readLane.counts("anonymous").working).toBe(0);
  const idle = connect(Number(new URL(forge.url).port), "127.0.0.1");
  idle.write(`GET ${largeFile} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await once(idle, "readable");
  await expect.poll(() => readLane.counts("anonymous").working).toBe(0);
  expect(idle.readableEnded).toBe(false);
  idle.destroy();
  bulk.leave();
  expect(await statusesOf([archive])).toEqual([200]);
});

test("usual pages of visitors share few places, and those of users and the sign-in page need none", async () => {
  const { readLane } = forge.context;
  const places = await Promise.all(Array.from({ length: 4 }, () => occupy("readLane")));
  const waiting = Array.from({ length: 10 }, (_, at) => fromAddress(repository, addressOf(at)));
  await expect.poll(() => readLane.counts("anonymous")).toMatchObject({ working: 4, waiting: 10 });
  expect((await asUser(repository)).status).toBe(200);
  expect((await fromAddress("/user/login", addressOf(1))).status).toBe(200);
  expect(readLane.counts("interactive")).toMatchObject({ entered: 0 });
  for (const place of places) place.leave();
  expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
});

test("metrics and the status page show the lanes", async () => {
  const { text } = await forge.anonymous.get("//metrics");
  for (const line of [/^hearth_lane_refused_total\{lane="page",class="anonymous"\} [1-9]/m, /^hearth_lane_waiting\{lane="bulk",class="automated"\} 0$/m]) {
    expect(text).toMatch(line);
  }
  expect(await (await asUser("/-/admin/monitor/stats")).text()).toMatch(/refused since the start: 0 of users, \d+ of visitors/);
});
