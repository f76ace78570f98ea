import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { createApiClient } from "./api-client.ts";
import { createClient } from "./git.ts";
import { type ProgramRun, startProgram } from "./program.ts";

/** A small site that is backed up and restored by the program. */

export const token = "5c".repeat(20);

export const administrator = {
  HEARTH_ADMIN_USERNAME: "chief",
  HEARTH_ADMIN_EMAIL: "chief@example.com",
  HEARTH_ADMIN_PASSWORD: "a long pass phrase",
  HEARTH_ADMIN_TOKEN: token,
};
export const good = (run: ProgramRun): string => {
  // The test server of PostgreSQL has settings that the program warns of.
  const stderr = run.stderr.split("\n").filter((line) => line !== "" && !line.includes("in a power cut"));
  expect({ code: run.code, stderr, stdout: run.code === 0 ? "" : run.stdout }).toEqual({ code: 0, stderr: [], stdout: "" });
  return run.stdout;
};
export const refusal = ({ code, stderr }: ProgramRun): string => {
  const lines = stderr.split("\n").filter((line) => line !== "" && !line.includes("in a power cut"));
  expect({ code, lines }).toEqual({ code: 1, lines: [expect.stringMatching(/^hearth: [^\n]+$/)] });
  return lines.join("");
};

export async function fill(url: string): Promise<void> {
  const api = createApiClient(url, `token ${token}`);
  await api.post("/user/repos", { name: "demo", private: true, auto_init: true }).expect(201);
  await api.post("/repos/chief/demo/issues", { title: "First äöü", body: "with a file" }).expect(201);
  await api.post("/repos/chief/demo/issues/1/comments", { body: "searchable words" }).expect(201);
  await api
    .post("/repos/chief/demo/issues/1/assets?name=notes.txt", Buffer.from("attached".repeat(1_000)), { "content-type": "application/octet-stream" })
    .expect(201);
  await api.post("/repos/chief/demo/wiki/new", { title: "Home", content_base64: Buffer.from("welcome").toString("base64") }).expect(201);
  const client = createClient();
  client.commit({ "a.txt": "a", "large.bin": "x".repeat(20_000) });
  client.git("tag", "v1");
  client.git("push", "-q", `${url.replace("//", `//chief:${token}@`)}/chief/demo.git`, "v1");
  client.remove();
}

type Content = Awaited<ReturnType<typeof contentOf>>;

let filled: Promise<{ readonly data: string; readonly content: Content }> | undefined;

/** Creates a data folder with the content of {@link fill}, as a server has left it. The server runs once for all of them. @returns the content */
export async function createFilled(data: string): Promise<Content> {
  filled ??= fillOnce();
  const original = await filled;
  cpSync(original.data, data, { recursive: true });
  return original.content;
}

async function fillOnce(): Promise<{ readonly data: string; readonly content: Content }> {
  const data = join(mkdtempSync(join(tmpdir(), "hearth-filled-")), "data");
  await using server = await startProgram({ ...administrator, HEARTH_DATA: data });
  await fill(server.url);
  const content = await contentOf(server.url);
  await server.stop();
  return { data, content };
}

export async function contentOf(url: string) {
  const api = createApiClient(url, `token ${token}`);
  const attachments = await api.get("/repos/chief/demo/issues/1/assets").expect(200);
  const attached = await fetch(`${url}/attachments/${attachments[0].uuid}`, { headers: { authorization: `token ${token}` } });
  const { id, number, title, body, created_at } = await api.get("/repos/chief/demo/issues/1").expect(200);
  return {
    issue: { id, number, title, body, created_at },
    found: (await api.get("/repos/chief/demo/issues?q=searchable").expect(200)).length,
    attached: await attached.text(),
    wiki: (await api.get("/repos/chief/demo/wiki/page/Home").expect(200)).content_base64,
    tags: execFileSync("git", ["ls-remote", `${url.replace("//", `//chief:${token}@`)}/chief/demo.git`], { encoding: "utf8" }),
  };
}
