import { spawnSync } from "node:child_process";
import { repositoryRoot } from "./repository.ts";

export interface AdvisoryCheck {
  readonly passed: boolean;
  /** One line for each vulnerable package, or the reason why there is no result. */
  readonly lines: readonly string[];
}

/** Severities that fail CI. */
const failing: ReadonlySet<string> = new Set(["high", "critical"]);

interface Audit {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>;
}

/** Evaluates the output of `npm audit --json`. Some registries do not offer advisories: the check then passes and says so. */
export function readAudit(output: string): AdvisoryCheck {
  let audit: Audit;
  try {
    audit = JSON.parse(output) as Audit;
  } catch {
    audit = {};
  }
  if (audit.vulnerabilities === undefined) return { passed: true, lines: ["the registry of this machine offers no advisories"] };
  const found = Object.entries(audit.vulnerabilities);
  return {
    passed: !found.some(([, { severity }]) => failing.has(severity)),
    lines: found.map(([name, { severity, range }]) => `${name} ${range}: ${severity}`),
  };
}

/** Asks the registry for known vulnerabilities of the program's packages. */
export function checkAdvisories(): AdvisoryCheck {
  const { stdout = "" } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { cwd: repositoryRoot, encoding: "utf8", timeout: 60_000 });
  return readAudit(stdout);
}
