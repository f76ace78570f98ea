import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Place } from "../../src/core/lanes.ts";
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
});
afterAll(() => forge?.[Symbol.asyncDispose]());

const repository = "/chief/busy";
const pages = [`${repository}/blame/branch/main/README.md`, `${repository}/compare/main...main`, `${repository}/commits/branch/main`];

const addressOf = (at: number): string => `198.${18 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`;
const fromAddress = (path: string, address: string): Promise<Response> =>
  fetch(new URL(path, forge.url), { headers: { "x-forwarded-for": address, accept: "text/html" }, redirect: "manual" });
const asUser = (path: string): Promise<Response> => fetch(new URL(path, forge.url), { headers: { cookie, accept: "text/html" } });

/** Takes all places of anonymous callers. */
const occupy = async (lane: "pageLane" | "visitLane" | "bulkLane"): Promise<Place> => forge.context[lane].enter({ kind: "anonymous", key: "crawler" });

beforeEach(() => forge.settled());

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
  expect(await api.json()).toMatchObject({ message: "the server is busy: try again later" });
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

test("usual pages of visitors share few places, and those of users and the sign-in page need none", async () => {
  const { visitLane } = forge.context;
  const places = await Promise.all(Array.from({ length: 4 }, () => occupy("visitLane")));
  const waiting = Array.from({ length: 10 }, (_, at) => fromAddress(repository, addressOf(at)));
  await expect.poll(() => visitLane.counts("anonymous")).toMatchObject({ working: 4, waiting: 10 });
  expect((await asUser(repository)).status).toBe(200);
  expect((await fromAddress("/user/login", addressOf(1))).status).toBe(200);
  expect(visitLane.counts("interactive")).toMatchObject({ entered: 0 });
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
