import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { startProgram } from "../kit/program.ts";

/** A failing or unread standard error: log lines are lost, but the server keeps working. */

const root = mkdtempSync(join(tmpdir(), "hearth-log-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The log buffer is 1 MiB; each request line contains its path. */
const requestsThatFillTheBuffer = 80;
const longPath = "/x".repeat(8_000);

const start = (name: string, stderrPath: string) =>
  startProgram({ HEARTH_DATA: join(root, name), HEARTH_LOG_LEVEL: "info", HEARTH_METRICS: "true" }, ["sh", "-c", 'exec "$@" 2>"$0"', stderrPath]);

async function request(url: string, times = 1): Promise<void> {
  for (let count = 0; count < times; count += 1) expect((await fetch(url + longPath)).status).toBe(404);
}

async function droppedLines(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^hearth_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
}

/** A pipe read by this test: `read` returns the available data. */
function makePipe(name: string) {
  const path = join(root, name);
  execFileSync("mkfifo", [path]);
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const buffer = Buffer.alloc(65_536);
  return {
    path,
    close: () => closeSync(fd),
    read(): string {
      try {
        return buffer.toString("utf8", 0, readSync(fd, buffer));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "EAGAIN") return "";
        throw error;
      }
    },
  };
}

describe.skipIf(process.platform !== "linux")("a server keeps answering and counts dropped log lines", () => {
  test("keeps answering while the disk of its standard error is full", async () => {
    await using program = await start("full", "/dev/full");
    await request(program.url, requestsThatFillTheBuffer);
    expect(await droppedLines(program.url)).toBeGreaterThan(0);
    expect(await program.stop()).toBe(0);
  });

  test("keeps answering after the reader of its standard error has closed the pipe", async () => {
    const pipe = makePipe("closed");
    await using program = await start("closed-data", pipe.path);
    await request(program.url);
    await expect.poll(pipe.read).toContain('"msg":"request"');
    pipe.close();
    await request(program.url, requestsThatFillTheBuffer);
    expect(await droppedLines(program.url)).toBeGreaterThan(0);
    expect(await program.stop()).toBe(0);
  });

  test("keeps answering while its standard error is not read, and logs the number of dropped lines once it is read again", async () => {
    const pipe = makePipe("stalled");
    await using program = await start("stalled-data", pipe.path);
    await request(program.url, requestsThatFillTheBuffer);
    const dropped = await droppedLines(program.url);
    expect(dropped).toBeGreaterThan(0);
    let log = "";
    const readOn = (): string => (log += pipe.read());
    await expect.poll(readOn, { interval: 1 }).toMatch(/"msg":"\d+ log lines dropped"/);
    await request(program.url);
    await expect.poll(() => readOn().split('"msg":"request"').length, { interval: 5 }).toBeGreaterThan(requestsThatFillTheBuffer - dropped);
    // No line is truncated: all of them can be parsed.
    const lines = log.split("\n").slice(0, -1);
    expect(lines.map((line) => JSON.parse(line)).filter(({ lines: count }) => count === dropped)).toHaveLength(1);
    expect(await program.stop()).toBe(0);
    pipe.close();
  });

  test("stops on request, although its last lines are not read", async () => {
    const pipe = makePipe("abandoned");
    await using program = await start("abandoned-data", pipe.path);
    await request(program.url, 10);
    expect(await program.stop()).toBe(0);
    pipe.close();
  });
});

test("an orderly stop writes the buffered lines", async () => {
  const program = await startProgram({ HEARTH_DATA: join(root, "orderly"), HEARTH_LOG_LEVEL: "info" });
  await fetch(`${program.url}/last-request`);
  expect(await program.stop()).toBe(0);
  expect(program.output()).toContain('"path":"/last-request"');
});
