import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { features, layers, privateRoles, queryAdvice, queryBuilders, queryFolders, type Role, reservedModules, roleRules, roles } from "./layers.ts";
import { findCalls, type Import, parseImports } from "./parse-imports.ts";
import { repositoryRoot } from "./repository.ts";

/** A violated rule, with its location and the fix. */
export interface Violation {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** The location of a file in src. */
interface SourceLocation {
  readonly file: string;
  readonly layer: string;
  readonly feature: string | undefined;
  readonly role: Role;
}

/** Checks all files of `<root>/src` except tests, which may import anything. */
export function checkImports(root: string): Violation[] {
  const files = listSources(root);
  const known = new Set(files);
  const violations: Violation[] = [];
  const graph = new Map<string, Import[]>();

  for (const file of files) {
    const location = locationOf(file);
    const report = (line: number, message: string): void => void violations.push({ file, line, message });
    const text = readFileSync(join(root, file), "utf8");
    checkLocation(location, (message) => report(1, message));
    for (const { name, line } of findCalls(text, queryBuilders))
      if (!isOneOf(location, queryFolders)) report(line, `${name}() outside a store: ${queryAdvice}`);

    const imports = parseImports(text).map((found) => ({ ...found, specifier: resolve(file, found.specifier) }));
    for (const found of imports) {
      const reason = known.has(found.specifier)
        ? violationOf(location, locationOf(found.specifier), found.isTypeOnly)
        : moduleViolation(location, found.specifier);
      if (reason !== undefined) report(found.line, reason);
    }
    graph.set(
      file,
      imports.filter((found) => known.has(found.specifier)),
    );
  }
  return [...violations, ...findCycles(graph)];
}

function listSources(root: string): string[] {
  return readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

function resolve(file: string, specifier: string): string {
  return specifier.startsWith(".") ? join(dirname(file), specifier) : specifier;
}

/**
 * The role of a file: `src/features/repositories/repos/service/create.ts` has the role service in repos, and `repos/api-topics.ts` the
 * role api. A feature may have a folder for each subject: `issues/times/store.ts` is a store. `src/http/idempotency-store.ts` is a store
 * too.
 */
function locationOf(file: string): SourceLocation {
  const [, layer = "", group, name, ...rest] = file.split("/");
  const isStore = /(^|-)store\.ts$/.test(basename(file));
  if (layer !== "features") return { file, layer: basename(layer, ".ts"), feature: undefined, role: isStore ? "store" : "helper" };
  const feature = name === undefined ? group : `${group}/${name}`;
  const role = rest.map(roleNamed).find((one) => one !== undefined);
  return { file, layer, feature, role: role ?? (isStore ? "store" : "helper") };
}

const roleNamed = (part: string): Role | undefined => roles.find((name) => part === name || part.startsWith(`${name}.`) || part.startsWith(`${name}-`));

function isOneOf(location: SourceLocation, folders: readonly string[]): boolean {
  return folders.includes(location.layer) || folders.includes(location.role);
}

function checkLocation({ file, layer, feature }: SourceLocation, report: (message: string) => void): void {
  if (rankOf(layer) < 0) report(`${layer} is not a layer: move the file into one, or declare the layer in tools/layers.ts`);
  if (/^index\.tsx?$/.test(basename(file))) report("index files hide where things are: name the file after its subject and import it directly");
  if (layer !== "features" || feature === undefined) return;
  if (file.split("/").length < 5) report("a file of src/features belongs to a feature: move it to src/features/<group>/<feature>");
  else if (!features.includes(feature)) report(`feature ${feature} is not mounted: list its feature.ts in src/app/features.ts`);
}

const rankOf = (layer: string): number => layers.findIndex((row) => row.includes(layer));

/** @returns why `from` must not import `to`, or undefined */
function violationOf(from: SourceLocation, to: SourceLocation, isTypeOnly: boolean): string | undefined {
  if (isMigration(from.file)) {
    return isMigration(to.file)
      ? undefined
      : `a migration imports no live code (${to.file}): write what it needs into the migration, which never changes again`;
  }
  if (from.layer === to.layer && from.layer !== "features") return undefined;
  const isBelow = rankOf(to.layer) < rankOf(from.layer);
  if (from.layer !== to.layer && !isBelow) {
    return `${from.layer} imports ${to.layer}, which is not a lower layer: pass what it needs as a parameter, or move the code down`;
  }
  if (to.layer === "features" && from.layer !== "features") {
    return to.role === "store" ? `${from.layer} imports the store of ${to.feature}: call its service` : undefined;
  }
  return from.layer === "features" ? featureViolation(from, to, isTypeOnly) : undefined;
}

function featureViolation(from: SourceLocation, to: SourceLocation, isTypeOnly: boolean): string | undefined {
  const rule = roleRules[from.role];
  const described = `${from.role} of ${from.feature}`;
  if (to.layer !== "features") {
    const isAllowed = rule.layers.includes(to.layer) || (isTypeOnly && rule.typeLayers.includes(to.layer));
    return isAllowed ? undefined : `${described} imports ${to.layer}: ${rule.advice}`;
  }
  if (from.feature === to.feature) {
    // Types of the same feature are allowed: a presenter uses the view type of its service.
    const isAllowed = isTypeOnly || from.role === to.role || rule.roles.includes(to.role);
    return isAllowed ? undefined : `${described} imports its ${to.role}: ${rule.advice}`;
  }
  if (privateRoles.includes(to.role)) return `${described} imports the ${to.role} of ${to.feature}, which is private to it: call the service of ${to.feature}`;
  if (features.indexOf(from.feature ?? "") < features.indexOf(to.feature ?? "")) {
    return `${described} imports ${to.feature}, a later feature: invert the dependency with an event, or take a function as a parameter`;
  }
  const isAllowed = isTypeOnly || rule.roles.includes(to.role) || (from.role === "service" && to.role === "service");
  return isAllowed ? undefined : `${described} imports the ${to.role} of ${to.feature}: ${rule.advice}`;
}

const isMigration = (file: string): boolean => file.startsWith("src/db/migrations/");

function moduleViolation(from: SourceLocation, specifier: string): string | undefined {
  if (specifier.startsWith("src/")) return undefined; // The type checker reports missing files.
  if (/^(test|tools|bench)\//.test(specifier)) return `the program imports ${specifier}: move shared code to src`;
  const name = specifier.startsWith("@") ? specifier.split("/", 2).join("/") : (specifier.split("/")[0] ?? "");
  const rule = reservedModules.find(({ modules }) => modules.includes(name));
  return rule === undefined || isOneOf(from, rule.folders) ? undefined : `${name} in ${from.file}: ${rule.advice}`;
}

/** Reports each cycle once, at its first file by name. */
function findCycles(graph: ReadonlyMap<string, readonly Import[]>): Violation[] {
  const violations: Violation[] = [];
  const done = new Set<string>();
  const path: string[] = [];

  const visit = (file: string): void => {
    const seenAt = path.indexOf(file);
    if (seenAt >= 0) {
      violations.push(describeCycle(path.slice(seenAt), graph));
      return;
    }
    if (done.has(file)) return;
    path.push(file);
    for (const { specifier } of graph.get(file) ?? []) visit(specifier);
    path.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return violations;
}

function describeCycle(cycle: readonly string[], graph: ReadonlyMap<string, readonly Import[]>): Violation {
  const [first = "", second = first] = cycle;
  const line = graph.get(first)?.find(({ specifier }) => specifier === second)?.line ?? 1;
  return { file: first, line, message: `import cycle (${[...cycle, first].join(" -> ")}): move the shared code into a file of its own` };
}

if (import.meta.main) {
  const violations = checkImports(repositoryRoot);
  for (const { file, line, message } of violations) console.log(`${file}:${line} ${message}`);
  console.log(violations.length === 0 ? "import rules hold" : `${violations.length} imports break the rules of tools/layers.ts`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
