import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { features } from "../../src/app/features.ts";
import { repositoryRoot } from "../repository.ts";

const intro = `# Events

This page lists all events with the services that record them and their handlers, for developers. A service records an event in the transaction of the change.

- Handlers in the column "Before COMMIT" run in the same transaction: their rows exist when the response is sent, or the change did not happen.
- Handlers in the column "After COMMIT" run later, at least once and in order (\`src/events/dispatcher.ts\`).

Each feature declares its handlers in its \`feature.ts\`. \`npm run generate\` generates this page from the sources, and a test checks that it is up to date.

| Event | Recorded by | Before COMMIT | After COMMIT |
|---|---|---|---|
`;

const read = (path: string): string => readFileSync(join(repositoryRoot, path), "utf8");

/** Types of events, as `src/events` declares them. */
export function declaredEvents(): string[] {
  const files = globSync("src/events/*.ts", { cwd: repositoryRoot }).filter((path) => !path.endsWith(".test.ts"));
  return [...new Set(files.flatMap((path) => [...read(path).matchAll(/^ {2}(?:readonly )?"([a-z_]+\.[a-z_]+)":/gm)].map(([, type = ""]) => type)))].sort();
}

/** Features by the type of event that their services record. */
function recorders(types: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const services = globSync("src/features/**/*.ts", { cwd: repositoryRoot })
    .filter((path) => !path.includes(".test.") && /\/service(\/|\.ts$)/.test(path))
    .map((path) => ({ feature: path.split("/").slice(2, 4).join("/"), text: read(path) }))
    .filter(({ text }) => /\b(?:record\w*|tell)\(/.test(text));
  const by = (type: string, pattern: (type: string) => RegExp): string[] =>
    [...new Set(services.filter(({ text }) => pattern(type).test(text)).map(({ feature }) => feature))].sort();
  return new Map(
    types.map((type) => {
      // `recordEvent(tx, "issue.created", ...)`, or `change.tell(isClosed ? "issue.closed" : "issue.reopened", ...)`.
      const inCall = by(type, (name) => new RegExp(`\\b(?:record\\w*|tell)\\([^;{]*"${escaped(name)}"`));
      // The type can also be a variable of the service.
      return [type, inCall.length > 0 ? inCall : by(type, (name) => new RegExp(`"${escaped(name)}"`))];
    }),
  );
}

const escaped = (type: string): string => type.replaceAll(".", "\\.");

export function makeEvents(): string {
  const types = declaredEvents();
  const recordedBy = recorders(types);
  const rows = types.map((type) => {
    const before = features.flatMap(({ name, inTransaction = [] }) =>
      inTransaction.filter((handler) => (handler.types as readonly string[]).includes(type)).map((handler) => `${name}: \`${handler.name}\``),
    );
    const after = features.flatMap(({ name, afterCommit = [] }) =>
      afterCommit.filter((handler) => (handler.types as readonly string[]).includes(type)).map((handler) => `${name}: ${handler.name}`),
    );
    return `| \`${type}\` | ${(recordedBy.get(type) ?? []).join(", ")} | ${before.join("<br>")} | ${after.join("<br>")} |`;
  });
  return `${intro}${rows.join("\n")}\n`;
}
