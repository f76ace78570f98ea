import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "./repository.ts";

/**
 * The single declaration of allowed imports. `check-imports.ts` enforces it and ARCHITECTURE.md explains it. Type-only imports follow the
 * same rules unless a rule says otherwise.
 */

/** Folders of src from the bottom up. A folder may import those of lower rows, but none of its own row. */
export const layers: readonly (readonly string[])[] = [
  ["core"],
  ["config"],
  ["db", "git", "wire", "access"],
  ["storage", "outgoing", "events", "jobs"],
  ["http", "ssh", "ui"],
  ["mount"],
  ["features"],
  ["app"],
  ["main"],
];

/**
 * Features, as `group/feature`, in the order in which `src/app/features.ts` lists them. A feature may use the services, presenters, views and helpers
 * of earlier ones, never their stores or entry points.
 */
export const features: readonly string[] = readFeatures(readFileSync(join(repositoryRoot, "src/app/features.ts"), "utf8"));

/** @param source text of `src/app/features.ts`: an import of each feature, and the list of their names */
export function readFeatures(source: string): readonly string[] {
  const folders = new Map(
    [...source.matchAll(/^import \{ (\w+Feature) \} from "\.\.\/features\/([\w-]+\/[\w-]+)\/feature\.ts";$/gm)].map(([, name, folder = ""]) => [name, folder]),
  );
  const list = /^export const features: [^=]*= \[\n([\s\S]*?)^\];$/m.exec(source)?.[1] ?? "";
  return [...list.matchAll(/^ {2}(\w+Feature),$/gm)].map(([, name = ""]) => {
    const folder = folders.get(name);
    if (folder === undefined) throw new Error(`src/app/features.ts lists ${name} without importing it from its feature.ts`);
    return folder;
  });
}

/** The role of a file in a feature, by the name of the file or of its folder. All other files are helpers. */
export const roles = ["feature", "api", "web", "shell", "views", "texts", "listener", "payloads", "service", "store", "present"] as const;
export type Role = (typeof roles)[number] | "helper";

export interface RoleRule {
  /** Allowed roles of the same feature, and of earlier ones where those are public. */
  readonly roles: readonly Role[];
  /** Allowed layers below features, for values. */
  readonly layers: readonly string[];
  /** Allowed layers below features, for types only. */
  readonly typeLayers: readonly string[];
  /** The fix, for the message. */
  readonly advice: string;
}

const any = ["core", "config", "access"];

export const roleRules: Readonly<Record<Role, RoleRule>> = {
  feature: {
    roles: ["api", "web", "shell", "listener", "payloads", "service", "helper"],
    layers: [...any, "git", "mount"],
    typeLayers: ["db", "events", "jobs"],
    advice: "feature.ts lists what the feature mounts; the work belongs in a service",
  },
  api: {
    roles: ["service", "present", "helper"],
    layers: [...any, "wire", "http"],
    typeLayers: ["db", "git", "outgoing", "events", "jobs"],
    advice: "a route declares, calls its service and presents; move the use of lower layers to service.ts",
  },
  web: {
    roles: ["service", "views", "texts", "present", "helper"],
    layers: [...any, "wire", "http", "ui"],
    typeLayers: ["db", "git", "events", "jobs"],
    advice: "a page declares, calls its service and renders a view; move the use of lower layers to service.ts",
  },
  shell: {
    roles: ["service", "helper"],
    layers: [...any, "ssh"],
    typeLayers: ["db", "git", "events", "jobs"],
    advice: "an SSH command parses its input and calls its service; move the use of lower layers to service.ts",
  },
  views: { roles: ["views", "texts", "helper"], layers: [...any, "ui"], typeLayers: ["git"], advice: "a view is a pure function of its typed input" },
  texts: { roles: ["texts"], layers: ["access", "events", "ui"], typeLayers: [], advice: "texts are strings and functions of strings and numbers" },
  listener: {
    roles: ["payloads", "service", "present", "helper"],
    layers: [...any, "wire", "events", "jobs"],
    typeLayers: ["db", "git", "outgoing"],
    advice: "a listener reacts to an event by calling its service",
  },
  payloads: {
    roles: ["payloads", "service", "present", "helper"],
    layers: [...any, "wire", "events"],
    typeLayers: ["db", "git"],
    advice: "a payload is composed from what services load; move other work into a service",
  },
  service: {
    roles: ["store", "texts", "helper"],
    layers: [...any, "db", "git", "storage", "outgoing", "events", "jobs"],
    typeLayers: [],
    advice: "a service contains the rules and uses neither HTTP nor API types; it returns a view that api.ts presents",
  },
  store: {
    roles: ["helper"],
    layers: [...any, "db"],
    typeLayers: ["git"],
    advice: "a store contains only SQL; rules, objects and events belong in service.ts",
  },
  present: {
    roles: ["present", "helper"],
    layers: [...any, "wire"],
    typeLayers: ["git"],
    advice: "a presenter is a pure function from a loaded view to an API type; load missing data in service.ts",
  },
  helper: {
    roles: ["helper"],
    layers: [...any, "git"],
    typeLayers: ["db", "events", "jobs"],
    advice: "a helper serves several roles, so it uses none of them; move the code into the role that uses it",
  },
};

export const privateRoles: readonly Role[] = ["feature", "store", "api", "web", "shell", "listener"];

/** Methods of the query builder, and the files that may call them: stores, and the layers with tables of their own. */
export const queryBuilders: ReadonlySet<string> = new Set(["selectFrom", "insertInto", "replaceInto", "updateTable", "deleteFrom", "mergeInto"]);
export const queryFolders: readonly string[] = ["db", "events", "jobs", "store"];
export const queryAdvice = "only stores build queries; move it into store.ts and call that";

/** Packages and built-in modules that only certain folders of src, or stores, may use. */
export const reservedModules: readonly { readonly modules: readonly string[]; readonly folders: readonly string[]; readonly advice: string }[] = [
  {
    modules: ["node:child_process", "node:cluster"],
    folders: ["git", "db", "app"],
    advice: "only src/git starts git processes, src/db starts pg_restore, and src/app the program itself; add a typed command there",
  },
  { modules: ["node:sqlite", "pg", "mysql2"], folders: ["db"], advice: "only src/db uses database drivers; use Db and Tx of src/db/db.ts" },
  { modules: ["kysely"], folders: queryFolders, advice: queryAdvice },
  { modules: ["ssh2"], folders: ["ssh"], advice: "only src/ssh knows the SSH library" },
];
