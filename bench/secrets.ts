import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type RunningServer, startServer } from "../tools/server.ts";
import { percentile } from "./measure.ts";

const usage = `node bench/secrets.ts [--times 200]

Asks the built program at each of its doors about somebody, or something, that is there and about what is not, by turns, and prints the times
and how far they are apart: medians, and the fastest tenth, which a busy machine hardly moves. What a door must not tell in words it must not tell in
time either: 5 % is what is allowed.`;

/** Answers to the two questions of a door have to be alike; what is asked differs each time, so that nothing is remembered. */
interface Door {
  readonly title: string;
  /** How long what follows after an answer may take, so that it does not fall on the next question. */
  readonly pauseMs?: number;
  ask(name: "known" | "absent", index: number): Promise<Response>;
}

const names = { known: "ada", absent: "eve" } as const;
const basic = (login: string, password: string): string => `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}`;

async function expectStatus(answer: Promise<Response>, status: number): Promise<void> {
  const got = await answer;
  if (got.status !== status) throw new Error(`${got.url}: ${got.status} instead of ${status}: ${await got.text()}`);
  await got.arrayBuffer();
}

/** Somebody with a private repository, and a stranger. @returns the stranger's token */
async function seed({ url, token }: RunningServer): Promise<string> {
  const post = (path: string, body: object, authorization = `token ${token}`): Promise<Response> =>
    fetch(`${url}/api/v1${path}`, { method: "POST", headers: { authorization, "content-type": "application/json" }, body: JSON.stringify(body) });
  const password = randomBytes(12).toString("hex");
  for (const username of [names.known, "mallory"])
    await expectStatus(post("/admin/users", { username, email: `${username}@example.com`, password, must_change_password: false }), 201);
  await expectStatus(post("/user/repos", { name: "notes", private: true, auto_init: true }, basic(names.known, password)), 201);
  const made = await post("/users/mallory/tokens", { name: "all", scopes: ["all"] }, basic("mallory", password));
  return ((await made.json()) as { sha1: string }).sha1;
}

function doorsOf({ url }: RunningServer, stranger: string): readonly Door[] {
  const withPassword = (path: string, login: (name: string) => string) => (name: keyof typeof names, index: number) =>
    fetch(url + path, { headers: { authorization: basic(login(names[name]), `guess ${name} ${index}`) } });
  const send = (path: string, fields: Readonly<Record<string, string>>) =>
    fetch(url + path, { method: "POST", headers: { origin: url }, body: new URLSearchParams(fields), redirect: "manual" });
  const authorization = `token ${stranger}`;
  // The absent repository is of an owner who is there.
  const repository = { known: "ada/notes", absent: "ada/plans" } as const;
  return [
    { title: "a wrong password by Basic, interface", ask: withPassword("/api/v1/user", (name) => name) },
    { title: "the same by address", ask: withPassword("/api/v1/user", (name) => `${name}@example.com`) },
    { title: "the same, git over HTTP", ask: withPassword("/ada/notes.git/info/refs?service=git-upload-pack", (name) => name) },
    { title: "a wrong password, sign-in page", ask: (name, index) => send("/user/login", { user_name: names[name], password: `guess ${index}` }) },
    { title: "a forgotten password", pauseMs: 100, ask: (name) => send("/user/forgot_password", { email: `${names[name]}@example.com` }) },
    { title: "a private repository, interface", ask: (name) => fetch(`${url}/api/v1/repos/${repository[name]}`, { headers: { authorization } }) },
    { title: "the same, its page", ask: (name) => fetch(`${url}/${repository[name]}`, { headers: { authorization } }) },
    {
      title: "the same, git over HTTP",
      ask: (name) => fetch(`${url}/${repository[name]}.git/info/refs?service=git-upload-pack`, { headers: { authorization } }),
    },
  ];
}

async function timeOf(asked: Promise<Response>): Promise<{ readonly ms: number; readonly status: number }> {
  const startedAt = performance.now();
  const answer = await asked;
  await answer.arrayBuffer();
  return { ms: performance.now() - startedAt, status: answer.status };
}

const byValue = (a: number, b: number): number => a - b;

/** One after the other, now the one first and now the other: what else the machine does falls on both. */
async function measureDoor(door: Door, times: number): Promise<Readonly<Record<keyof typeof names, readonly number[]>>> {
  const taken: Record<keyof typeof names, number[]> = { known: [], absent: [] };
  const statuses = new Set<number>();
  const warmUp = Math.ceil(times / 10);
  for (let index = -warmUp; index < times; index += 1) {
    const order = index % 2 === 0 ? (["known", "absent"] as const) : (["absent", "known"] as const);
    for (const name of order) {
      const { ms, status } = await timeOf(door.ask(name, index));
      statuses.add(status);
      if (index >= 0) taken[name].push(ms);
      if (door.pauseMs !== undefined) await delay(door.pauseMs);
    }
  }
  if (statuses.size !== 1) throw new Error(`${door.title}: the answers differ already in their statuses: ${[...statuses].join(", ")}`);
  return { known: taken.known.sort(byValue), absent: taken.absent.sort(byValue) };
}

const compared = (known: number, absent: number): readonly string[] => [
  known.toFixed(2).padStart(9),
  absent.toFixed(2).padStart(9),
  `${((Math.abs(known - absent) / Math.min(known, absent)) * 100).toFixed(1)} %`.padStart(6),
];

const { values } = parseArgs({ options: { times: { type: "string", default: "200" }, help: { type: "boolean", default: false } } });
if (values.help) console.log(usage);
else {
  const most = "10000";
  const server = await startServer({
    settings: {
      HEARTH_SIGN_IN_FAILURES: most,
      HEARTH_SIGN_IN_FAILURES_PER_NETWORK: most,
      HEARTH_SIGN_IN_FAILURES_PER_NAME: most,
      HEARTH_SIGN_IN_FORGET_SECONDS: "1",
      HEARTH_MAIL_HOST: "127.0.0.1",
      HEARTH_MAIL_PORT: "9",
      HEARTH_MAIL_FROM: "hearth@example.com",
    },
  });
  try {
    const doors = doorsOf(server, await seed(server));
    console.log(`| ${"door".padEnd(38)} | p50 there | not there |  apart | p10 there | not there |  apart |`);
    console.log(`|${"-".repeat(40)}|${"----------:|----------:|-------:|".repeat(2)}`);
    for (const door of doors) {
      const { known, absent } = await measureDoor(door, Number(values.times));
      const cells = [0.5, 0.1].flatMap((share) => compared(percentile(known, share), percentile(absent, share)));
      console.log(`| ${door.title.padEnd(38)} | ${cells.join(" | ")} |`);
    }
  } finally {
    await server.stop();
  }
}
