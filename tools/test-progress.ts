import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { repositoryRoot } from "./repository.ts";

/** Names the folder in which a run of tests writes its results, while it runs and at its end. */
export const resultsVariable = "HEARTH_TEST_RESULTS";

export const resultFiles = (folder: string) => ({ report: join(folder, "tests.json"), progress: join(folder, "progress.jsonl") });

/** One line of the record of a test run. */
interface Step {
  readonly event: "file started" | "file ended" | "test started" | "test ended";
  readonly file: string;
  /** The full name of a test. */
  readonly test?: string;
  readonly atMs: number;
}

/** Appends the start and the end of each file and test to a record, which is complete at any moment that the run is killed. */
export class ProgressReporter implements Reporter {
  readonly #path: string;
  readonly #root: string;

  constructor(path: string, root = repositoryRoot) {
    this.#path = path;
    this.#root = root;
  }

  onTestModuleQueued(module: TestModule): void {
    this.#record("file started", module);
  }

  onTestModuleEnd(module: TestModule): void {
    this.#record("file ended", module);
  }

  onTestCaseReady(test: TestCase): void {
    this.#record("test started", test.module, test);
  }

  onTestCaseResult(test: TestCase): void {
    this.#record("test ended", test.module, test);
  }

  #record(event: Step["event"], module: TestModule, test?: TestCase): void {
    const step: Step = { event, file: relative(this.#root, module.moduleId), ...(test !== undefined && { test: test.fullName }), atMs: Date.now() };
    appendFileSync(this.#path, `${JSON.stringify(step)}\n`);
  }
}

interface FileProgress {
  readonly file: string;
  readonly ms: number;
}

export interface Progress {
  /** The longest first, with the tests that have not ended. */
  readonly running: readonly (FileProgress & { readonly tests: readonly string[] })[];
  /** The slowest first. */
  readonly ended: readonly FileProgress[];
}

/** Evaluates a record, of which the last line can be cut off. A run that recorded nothing has no files. */
export function readProgress(path: string, nowMs: number): Progress {
  const running = new Map<string, { readonly startMs: number; readonly tests: Set<string> }>();
  const ended: FileProgress[] = [];
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
  for (const { event, file, test = "", atMs } of lines.map((line) => JSON.parse(line) as Step)) {
    const found = running.get(file);
    if (event === "file started") running.set(file, { startMs: atMs, tests: new Set() });
    else if (event === "test started") found?.tests.add(test);
    else if (event === "test ended") found?.tests.delete(test);
    else if (found !== undefined) {
      running.delete(file);
      ended.push({ file, ms: atMs - found.startMs });
    }
  }
  const slowestFirst = (one: FileProgress, other: FileProgress): number => other.ms - one.ms;
  return {
    running: [...running].map(([file, { startMs, tests }]) => ({ file, ms: nowMs - startMs, tests: [...tests] })).sort(slowestFirst),
    ended: ended.sort(slowestFirst),
  };
}

const shownFiles = 10;
const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/** Lines for the reader of a run's output: the files that are running with their tests, and the slowest of the others. */
export function describeProgress({ running, ended }: Progress): string[] {
  return [
    ...running.flatMap(({ file, ms, tests }) => [
      `  running for ${seconds(ms)}: ${file}`,
      ...(tests.length > 0 ? tests : ["no test: loads, or runs a hook of all tests"]).map((test) => `    ${test}`),
    ]),
    `  ${ended.length} files have ended${ended.length > 0 ? ", the slowest:" : ""}`,
    ...ended.slice(0, shownFiles).map(({ file, ms }) => `    ${seconds(ms)} ${file}`),
  ];
}
