import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { type RunningServer, type ServerOptions, startServer } from "../tools/server.ts";
import type { LoopReport } from "./loop-monitor.mjs";

/** A monitor that a program loads, and its reader in this process. */
export interface MonitorReader {
  /** Environment variables of the program. */
  readonly settings: Readonly<Record<string, string>>;
  /** @returns the longest block of the event loop since the last call */
  report(pid: number): Promise<LoopReport>;
  close(): void;
}

/** @param stepMs precision of the reports; 2 ms by default. Small steps keep the server from being idle */
export function openMonitorReader(stepMs?: number): MonitorReader {
  const folder = mkdtempSync(join(tmpdir(), "hearth-monitor-"));
  const path = join(folder, "loop.json");
  const monitor = pathToFileURL(join(import.meta.dirname, "loop-monitor.mjs")).href;
  const step = stepMs === undefined ? {} : { HEARTH_BENCH_LOOP_STEP: String(stepMs) };
  let reports = 0;
  return {
    settings: { ...step, NODE_OPTIONS: `--import ${monitor}`, HEARTH_BENCH_LOOP_REPORT: path },
    async report(pid) {
      reports += 1;
      process.kill(pid, "SIGUSR2");
      for (;;) {
        const text = readIfThere(path);
        const read = text === undefined ? undefined : (JSON.parse(text) as LoopReport);
        if (read?.number === reports) return read;
        await delay(5);
      }
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The built program with a monitor of its event loop. */
export interface MonitoredServer extends RunningServer {
  /** @returns the longest block of the event loop since the last call */
  report(): Promise<LoopReport>;
}

export interface MonitorOptions extends ServerOptions {
  /** Precision of the reports; 2 ms by default. */
  readonly stepMs?: number;
}

export async function startMonitoredServer({ stepMs, ...options }: MonitorOptions = {}): Promise<MonitoredServer> {
  const reader = openMonitorReader(stepMs);
  const server = await startServer({ ...options, settings: { ...options.settings, ...reader.settings } });
  return {
    ...server,
    report: () => reader.report(server.pid),
    async stop() {
      await server.stop();
      reader.close();
    },
  };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
