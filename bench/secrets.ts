import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type RunningServer, startServer } from "../tools/server.ts";
import { percentile } from "./measure.ts";

const usage = `npm run bench -- secrets [--times 200]

Alternates between requests for existing and missing accounts or repositories at each entry point of the built program. Prints the median and the
10th percentile of their response times, and the difference. The 10th percentile hardly depends on other processes. A larger difference than 5 %
could reveal which names exist.`;

/** Both responses must be alike. Each request differs, so that no cached result is used. */
interface EntryPoint {
  readonly title: string;
  /** Pause for work after a response, so that it does not affect the next request. */
  readonly pauseMs?: number;
  ask(name: "existing" | "missing", index: number): Promise<Response>;
}

const names = { existing: "ada", missing: "eve" } as const;
const basic = (login: string, password: string): string => `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}`;

async function expectStatus(answer: Promise<Response>, status: number): Promise<void> {
  const got = await answer;
  if (got.status !== status) throw new Error(`${got.url}: ${got.status} instead of ${status}: ${await got.text()}`);
  await got.arrayBuffer();
}

/** Creates a user with a private repository, and another user. @returns the token of the other user */
async function seed({ url, token }: RunningServer): Promise<string> {
  const post = (path: string, body: object, authorization = `token ${token}`): Promise<Response> =>
    fetch(`${url}/api/v1${path}`, { method: "POST", headers: { authorization, "content-type": "application/json" }, body: JSON.stringify(body) });
  const password = randomBytes(12).toString("hex");
  for (const username of [names.existing, "mallory"])
    await expectStatus(post("/admin/users", { username, email: `${username}@example.com`, password, must_change_password: false }), 201);
  await expectStatus(post("/user/repos", { name: "notes", private: true, auto_init: true }, basic(names.existing, password)), 201);
  const made = await post("/users/mallory/tokens", { name: "all", scopes: ["all"] }, basic("mallory", password));
  return ((await made.json()) as { sha1: string }).sha1;
}

function entryPointsOf({ url }: RunningServer, otherToken: string): readonly EntryPoint[] {
  const withPassword = (path: string, login: (name: string) => string) => (name: keyof typeof names, index: number) =>
    fetch(url + path, { headers: { authorization: basic(login(names[name]), `guess ${name} ${index}`) } });
  const send = (path: string, fields: Readonly<Record<string, string>>) =>
    fetch(url + path, { method: "POST", headers: { origin: url }, body: new URLSearchParams(fields), redirect: "manual" });
  const authorization = `token ${otherToken}`;
  // Both repositories have an existing owner.
  const repository = { existing: "ada/notes", missing: "ada/plans" } as const;
  return [
    { title: "API, Basic, wrong password", ask: withPassword("/api/v1/user", (name) => name) },
    { title: "API, Basic, email address, wrong password", ask: withPassword("/api/v1/user", (name) => `${name}@example.com`) },
    { title: "git over HTTP, wrong password", ask: withPassword("/ada/notes.git/info/refs?service=git-upload-pack", (name) => name) },
    { title: "sign-in page, wrong password", ask: (name, index) => send("/user/login", { user_name: names[name], password: `guess ${index}` }) },
    { title: "password recovery", pauseMs: 100, ask: (name) => send("/user/forgot_password", { email: `${names[name]}@example.com` }) },
    { title: "API, private repository", ask: (name) => fetch(`${url}/api/v1/repos/${repository[name]}`, { headers: { authorization } }) },
    { title: "page of a private repository", ask: (name) => fetch(`${url}/${repository[name]}`, { headers: { authorization } }) },
    {
      title: "git over HTTP, private repository",
      ask: (name) => fetch(`${url}/${repository[name]}.git/info/refs?service=git-upload-pack`, { headers: { authorization } }),
    },
  ];
}

async function timeOf(request: Promise<Response>): Promise<{ readonly ms: number; readonly status: number }> {
  const startedAt = performance.now();
  const answer = await request;
  await answer.arrayBuffer();
  return { ms: performance.now() - startedAt, status: answer.status };
}

const byValue = (a: number, b: number): number => a - b;

/** Sends both requests in alternating order, so that disturbances of the machine affect both. */
async function measureEntryPoint(entryPoint: EntryPoint, times: number): Promise<Readonly<Record<keyof typeof names, readonly number[]>>> {
  const durations: Record<keyof typeof names, number[]> = { existing: [], missing: [] };
  const statuses = new Set<number>();
  const warmUp = Math.ceil(times / 10);
  for (let index = -warmUp; index < times; index += 1) {
    const order = index % 2 === 0 ? (["existing", "missing"] as const) : (["missing", "existing"] as const);
    for (const name of order) {
      const { ms, status } = await timeOf(entryPoint.ask(name, index));
      statuses.add(status);
      if (index >= 0) durations[name].push(ms);
      if (entryPoint.pauseMs !== undefined) await delay(entryPoint.pauseMs);
    }
  }
  if (statuses.size !== 1) throw new Error(`${entryPoint.title}: the responses have different statuses: ${[...statuses].join(", ")}`);
  return { existing: durations.existing.sort(byValue), missing: durations.missing.sort(byValue) };
}

const compared = (existing: number, missing: number): readonly string[] => [
  existing.toFixed(2).padStart(12),
  missing.toFixed(2).padStart(11),
  `${((Math.abs(existing - missing) / Math.min(existing, missing)) * 100).toFixed(1)} %`.padStart(10),
];

const { values } = parseArgs({ options: { times: { type: "string", default: "200" }, help: { type: "boolean", default: false } } });
if (values.help) console.log(usage);
else {
  const failureLimit = "10000";
  const server = await startServer({
    settings: {
      HEARTH_SIGN_IN_FAILURES: failureLimit,
      HEARTH_SIGN_IN_FAILURES_PER_NETWORK: failureLimit,
      HEARTH_SIGN_IN_FAILURES_PER_NAME: failureLimit,
      HEARTH_SIGN_IN_FORGET_SECONDS: "1",
      HEARTH_MAIL_HOST: "127.0.0.1",
      HEARTH_MAIL_PORT: "9",
      HEARTH_MAIL_FROM: "hearth@example.com",
    },
  });
  try {
    const entryPoints = entryPointsOf(server, await seed(server));
    console.log(`| ${"request".padEnd(41)} | p50 existing | p50 missing | difference | p10 existing | p10 missing | difference |`);
    console.log(`|${"-".repeat(43)}|${"-------------:|------------:|-----------:|".repeat(2)}`);
    for (const entryPoint of entryPoints) {
      const { existing, missing } = await measureEntryPoint(entryPoint, Number(values.times));
      const cells = [0.5, 0.1].flatMap((share) => compared(percentile(existing, share), percentile(missing, share)));
      console.log(`| ${entryPoint.title.padEnd(41)} | ${cells.join(" | ")} |`);
    }
  } finally {
    await server.stop();
  }
}
