import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { create, type DescMessage, type MessageInitShape, toBinary, toJsonString } from "@bufbuild/protobuf";
import { PingRequestSchema } from "../../src/wire/actions-protocol/ping.ts";
import {
  DeclareRequestSchema,
  FetchTaskRequestSchema,
  RegisterRequestSchema,
  Result,
  UpdateLogRequestSchema,
  UpdateTaskRequestSchema,
} from "../../src/wire/actions-protocol/runner.ts";
import { createApiClient } from "../kit/api-client.ts";
import { type RunningProgram, startProgram } from "../kit/program.ts";
import { registerRunner } from "../kit/runner.ts";
import type { FuzzTarget } from "./target.ts";

/** Requests of runners to the real program, with a job that runs. */

const time = { seconds: 1_767_000_000n, nanos: 5_000_000 };
const step = { id: 1n, result: Result.SUCCESS, startedAt: time, stoppedAt: time, logIndex: 0n, logLength: 1n };
const service = "/api/actions/runner.v1.RunnerService";
const artifacts = "/twirp/github.actions.results.api.v1.ArtifactService";
const caches = "/twirp/github.actions.results.api.v1.CacheService";

interface Server {
  readonly program: RunningProgram;
  readonly runner: Readonly<Record<string, string>>;
  /** The running job. */
  readonly taskId: bigint;
  readonly runId: number;
  readonly bearer: string;
  /** Paths to which an artifact and a cache are uploaded. */
  readonly uploads: readonly string[];
  /** The job would be given up if its runner were silent. */
  keepAlive(): Promise<void>;
}

async function openServer(folder: string, onStart: (pid: number) => void): Promise<Server> {
  const [name, password] = ["root1", "correct horse battery"];
  const program = await startProgram({ HEARTH_DATA: join(folder, "data"), HEARTH_ADMIN_USERNAME: name, HEARTH_ADMIN_PASSWORD: password });
  onStart(program.pid);
  const api = createApiClient(program.url, `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`);
  await api.post("/user/repos", { name: "beds", auto_init: true }).expect(201);
  await api.patch("/repos/root1/beds", { has_actions: true }).expect(200);
  const content = Buffer.from("on: workflow_dispatch\njobs:\n  a: {runs-on: linux, steps: [{run: x}]}\n").toString("base64");
  await api.post("/repos/root1/beds/contents/.gitea/workflows/ci.yml", { content, message: "Add a workflow" }).expect(201);
  const { token } = await api.post("/repos/root1/beds/actions/runners/registration-token", {}).expect(200);
  const runner = await registerRunner(program.url, token);
  const dispatch = (): PromiseLike<{ readonly status: number }> => api.post("/repos/root1/beds/actions/workflows/ci.yml/dispatches", { ref: "main" });
  // The workflow is known once the push has been handled.
  for (let left = 200; (await dispatch()).status >= 400; left -= 1) {
    if (left === 0) throw new Error("the workflow cannot be started");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const task = await runner.fetch(30_000);
  if (task === undefined) throw new Error("the job did not start");
  const bearer = `Bearer ${String((task.context as Readonly<Record<string, unknown>>).gitea_runtime_token)}`;
  const runId = Number((task.context as Readonly<Record<string, unknown>>).run_id);
  const upload = async (path: string, fields: object): Promise<string> => {
    const body = JSON.stringify({ workflow_run_backend_id: String(runId), workflow_job_run_backend_id: "1", ...fields });
    const answer = await fetch(program.url + path, { method: "POST", headers: { authorization: bearer, "content-type": "application/json" }, body });
    return new URL(((await answer.json()) as { readonly signedUploadUrl: string }).signedUploadUrl).href.replace(/^https?:\/\/[^/]+/, "");
  };
  const uploads = [
    await upload(`${artifacts}/CreateArtifact`, { name: "harvest", version: 4 }),
    await upload(`${caches}/CreateCacheEntry`, { key: "beans", version: "v1" }),
  ];
  return {
    program,
    runner: { "x-runner-uuid": runner.uuid, "x-runner-token": runner.token },
    taskId: task.id,
    runId,
    bearer,
    uploads,
    keepAlive: async () => void (await runner.report(task.id)),
  };
}

/** Milliseconds for which the server may hold a request. */
const held = { "connect-timeout-ms": "1" };

const proto = <In extends DescMessage>(schema: In, message: MessageInitShape<In>): Buffer => Buffer.from(toBinary(schema, create(schema, message)));
const json = <In extends DescMessage>(schema: In, message: MessageInitShape<In>): Buffer => Buffer.from(toJsonString(schema, create(schema, message)));

const calls = ["Ping", "Register", "Declare", "FetchTask", "UpdateTask", "UpdateLog"];
/** The first byte chooses the call and the encoding. */
const withFirst = (first: number, body: Buffer): Buffer => Buffer.concat([Buffer.from([first]), body]);

const messages: readonly (readonly [DescMessage, Record<string, unknown>])[] = [
  [PingRequestSchema, { data: "x" }],
  [RegisterRequestSchema, { name: "r", token: "t", labels: ["linux:host"], version: "1", ephemeral: false }],
  [DeclareRequestSchema, { version: "2", labels: ["linux:host", "slow"] }],
  [FetchTaskRequestSchema, { tasksVersion: 3n }],
  [UpdateTaskRequestSchema, { state: { id: 1n, startedAt: time, steps: [step] }, outputs: { x: "1" } }],
  [UpdateLogRequestSchema, { taskId: 1n, index: 0n, rows: [{ time, content: "line" }], noMore: false }],
];
const messageSeeds = messages.flatMap(([schema, message], at) => [withFirst(at, proto(schema, message)), withFirst(at + 8, json(schema, message))]);

const twirp = [
  `${artifacts}/CreateArtifact`,
  `${artifacts}/FinalizeArtifact`,
  `${artifacts}/ListArtifacts`,
  `${artifacts}/GetSignedArtifactURL`,
  `${artifacts}/DeleteArtifact`,
  `${caches}/CreateCacheEntry`,
  `${caches}/FinalizeCacheEntryUpload`,
  `${caches}/GetCacheEntryDownloadURL`,
];
const ids = { workflow_run_backend_id: "RUN", workflow_job_run_backend_id: "1" };
const fields: readonly object[] = [
  { ...ids, name: "more", version: 4, mime_type: "application/zip", expires_at: "2030-01-02T03:04:05Z" },
  { ...ids, name: "more", size: "5", hash: `sha256:${"a".repeat(64)}` },
  { ...ids, name_filter: "harvest", id_filter: "1" },
  { ...ids, name: "harvest" },
  { ...ids, name: "none" },
  { key: "beans-2", version: "v1", metadata: { repository_id: "1", scope: [{ scope: "refs/heads/main", permission: "3" }] } },
  { key: "beans-2", version: "v1", size_bytes: "5" },
  { key: "beans-3", version: "v1", restore_keys: ["beans-", "b"] },
];
const parts = ["comp=block&blockid=AAAA", "comp=blocklist", "comp=appendBlock", ""];
const list = '<?xml version="1.0"?><BlockList><Latest>AAAA</Latest><Uncommitted>BBBB</Uncommitted></BlockList>';

export interface ServerTargets extends AsyncDisposable {
  readonly targets: readonly FuzzTarget[];
}

/** The program starts with the first input. @param onStart gets its process, which outlives a thread that is ended */
export function openServerTargets(onStart: (pid: number) => void = () => {}): ServerTargets {
  const folder = mkdtempSync(join(tmpdir(), "hearth-fuzz-"));
  let opened: Promise<Server> | undefined;
  let sent = 0;
  const send = async (method: string, path: string, headers: Readonly<Record<string, string>>, body: Buffer): Promise<string> => {
    const server = await (opened ?? Promise.reject(new Error("the server is not open")));
    sent += 1;
    if (sent % 2_000 === 0) await server.keepAlive();
    const answer = await fetch(server.program.url + path, { method, headers, body: new Uint8Array(body) }).catch(async (error: unknown) => {
      // The program may have ended because of an earlier request.
      const state = await Promise.race([server.program.ended.then(() => "has ended"), new Promise((resolve) => setTimeout(() => resolve("runs"), 200))]);
      throw new Error(`${path} has no answer, and the program ${state}:\n${server.program.output().slice(-2_000)}`, { cause: error });
    });
    const text = await answer.text();
    if (answer.status === 500 || answer.status > 503)
      throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 200)}\n${server.program.output().slice(-2_000)}`);
    const { code = "", msg = "", message = "" } = text.startsWith("{") ? (JSON.parse(text) as Readonly<Record<string, string>>) : {};
    return `${path.replace(/sig=[^&]*/, "").slice(-20)} ${answer.status} ${code} ${(msg || message).replace(/\d+|["'`].*["'`]/g, "#").slice(0, 60)}`;
  };
  const server = (): Promise<Server> => (opened ??= openServer(folder, onStart));
  const targets: readonly FuzzTarget[] = [
    {
      name: "messages about artifacts and caches",
      seeds: fields.map((one, at) => withFirst(at, Buffer.from(JSON.stringify(one)))),
      async run(input) {
        const { bearer, runId } = await server();
        const body = Buffer.from(input.subarray(1).toString("latin1").replaceAll("RUN", String(runId)), "latin1");
        return send("POST", twirp[(input[0] ?? 0) % twirp.length] ?? "", { authorization: bearer, "content-type": "application/json" }, body);
      },
    },
    {
      name: "uploads of artifacts and caches",
      seeds: [
        withFirst(0, Buffer.from("block")),
        withFirst(1, Buffer.from(list)),
        withFirst(2, Buffer.from("more")),
        withFirst(3, Buffer.from("whole")),
        withFirst(16, gzipSync("block")),
        withFirst(16, Buffer.from("not compressed")),
      ],
      async run(input) {
        const { uploads } = await server();
        const first = input[0] ?? 0;
        const path = uploads[(first >> 2) % uploads.length] ?? "";
        const gzip = (first & 16) === 0 ? {} : { "content-encoding": "gzip" };
        return send("PUT", `${path}&${parts[first & 3]}`, { "content-type": "application/octet-stream", ...gzip }, input.subarray(1));
      },
    },
    {
      name: "messages of runners",
      seeds: messageSeeds,
      async run(input) {
        const { runner } = await server();
        const first = input[0] ?? 0;
        const call = calls[(first & 7) % calls.length] ?? "Ping";
        const type = (first & 8) === 0 ? "application/proto" : "application/json";
        const place = call === "Ping" ? "/api/actions/ping.v1.PingService" : service;
        return send("POST", `${place}/${call}`, { ...runner, ...held, "content-type": type }, input.subarray(1));
      },
    },
  ];
  return {
    targets,
    async [Symbol.asyncDispose]() {
      await (await opened?.catch(() => undefined))?.program[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
