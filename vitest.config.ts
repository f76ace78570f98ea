import { existsSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./tools/test-order.ts";
import { ProgressReporter, resultFiles, resultsVariable } from "./tools/test-progress.ts";

const shared = {
  environment: "node",
  // Worker processes, not threads: tests start git, kill servers, change umask and count the processes and descriptors of their own.
  pool: "forks",
  // Modules keep no state of their own (STYLE.md, 7), so the files of a worker can share its module graph.
  isolate: false,
  // A third of a worker's CPU time was its garbage collector, on threads that compete with the other worker and the programs that tests start.
  // Files leave little behind, so a heap is marked only when it is large, and not because buffers were allocated or the worker is idle.
  execArgv: [
    ...["--min-semi-space-size=64", "--max-semi-space-size=64", "--single-threaded-gc"],
    ...["--initial-old-space-size=1024", "--no-memory-reducer", "--external-memory-accounted-in-global-limit"],
  ],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Only ends a failing test: a page of a busy machine takes longer than the second that is usual.
  expect: { poll: { timeout: 30_000 } },
} as const;

const resultsFolder = process.env[resultsVariable];
const results = resultsFolder === undefined ? undefined : resultFiles(resultsFolder);

export default defineConfig({
  test: {
    ...(results && { reporters: ["default", ["json", { outputFile: results.report }], new ProgressReporter(results.progress)] }),
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // Once a run, for all projects: the throw-away PostgreSQL. Without it the tests of that dialect skip.
    globalSetup: ["test/kit/global-setup.ts"].filter((path) => existsSync(path)),
    projects: [
      {
        test: {
          ...shared,
          // To start a process takes the longer the more memory the one that starts it has. These start thousands, from workers that have loaded little else.
          name: "git",
          include: ["src/git/**/*.test.ts"],
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: "unit",
          include: ["src/**/*.test.{ts,tsx}", "tools/**/*.test.ts", "bench/**/*.test.ts"],
          exclude: ["src/git/**"],
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...shared,
          name: "whole",
          // The pictures of docs/gallery are taken when they are asked for (`npm run gallery`).
          include: process.env.HEARTH_GALLERY === "true" ? ["test/browser/gallery.ts"] : ["test/**/*.test.ts"],
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
