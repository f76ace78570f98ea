import { setImmediate } from "node:timers/promises";
import type { RE2JS } from "re2js";
import { expressionSize, maxExpressionSize } from "../../../core/expression-size.ts";

/** A line of a CODEOWNERS file: the owners of files that match its expression, or with `!` of files that do not match. */
export interface OwnerRule {
  readonly isNegated: boolean;
  readonly expression: RE2JS;
  /** User names. */
  readonly users: readonly string[];
  /** Team names with their organizations. */
  readonly teams: readonly OwningTeam[];
}

export interface OwningTeam {
  readonly organization: string;
  readonly team: string;
}

export interface Owners {
  readonly users: readonly string[];
  readonly teams: readonly OwningTeam[];
}

/** Paths of the file; the first existing one counts. */
export const ownerFiles = ["CODEOWNERS", "docs/CODEOWNERS", ".gitea/CODEOWNERS"] as const;
export const maxOwnerFileBytes = 64 * 1024;

const maxRules = 500;
const maxExpression = 500;
/** Total size of all expressions of a file: compiling takes about a microsecond per unit. */
const maxTotalSize = 50_000;
/** Size of compiled expressions after which the event loop gets a turn. */
const sizeInTurn = 2_000;
/** Files compared with rules that have not matched any yet, over all rules. */
const maxMatches = 200_000;
/** Cost of a comparison: size of the expression times length of the path. About 25 ms at worst; a longer path does not match. */
const maxSteps = 100_000;
/** Cost after which the event loop gets a turn, over all comparisons. */
const stepsInTurn = 50_000;
const maxTotalSteps = 100_000_000;

/**
 * Parses a CODEOWNERS file: on each line a regular expression for whole paths (RE2, linear time), then owners as `@user` and
 * `@organization/team`.
 * `#` starts a comment, a backslash escapes a blank or `#`.
 * Lines without owners, with invalid expressions, or with expressions that are too large are ignored.
 */
export async function parseOwners(text: string): Promise<readonly OwnerRule[]> {
  const { RE2JS: engine } = await import("re2js");
  const rules: OwnerRule[] = [];
  let total = 0;
  let inTurn = 0;
  for (const line of text.split(/\r?\n/)) {
    const [pattern = "", ...owners] = wordsOf(line);
    const isNegated = pattern.startsWith("!");
    const source = isNegated ? pattern.slice(1) : pattern;
    const names = owners.filter((owner) => owner.startsWith("@")).map((owner) => owner.slice(1).split("/"));
    const users = names.flatMap(([user = "", ...rest]) => (rest.length === 0 && user !== "" ? [user] : []));
    const teams = names.flatMap(([organization = "", team = "", ...rest]) =>
      rest.length === 0 && organization !== "" && team !== "" ? { organization, team } : [],
    );
    if (source === "" || source.length > maxExpression || users.length + teams.length === 0) continue;
    const size = expressionSize(source);
    if (size > maxExpressionSize || total + size > maxTotalSize) continue;
    total += size;
    inTurn += size;
    if (inTurn > sizeInTurn) {
      inTurn = 0;
      await setImmediate();
    }
    try {
      rules.push({ isNegated, expression: engine.compile(`^(?:${source})$`), users, teams });
    } catch {
      continue;
    }
    if (rules.length === maxRules) break;
  }
  return rules;
}

/** The fields of a line, without comment. */
function wordsOf(line: string): readonly string[] {
  const words: string[] = [];
  let word = "";
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] as string;
    const next = line[at + 1];
    if (character === "\\" && (next === " " || next === "#")) {
      word += next;
      at += 1;
    } else if (character === "#") break;
    else if (character === " " || character === "\t") {
      if (word !== "") words.push(word);
      word = "";
    } else word += character;
  }
  return word === "" ? words : [...words, word];
}

/** Owners of at least one of some files, each once, in the order of the rules. Looks only at the first files if there are too many. */
export async function ownersOf(rules: readonly OwnerRule[], paths: readonly string[]): Promise<Owners> {
  const users = new Set<string>();
  const teams = new Map<string, OwningTeam>();
  const looked = paths.slice(0, Math.floor(maxMatches / Math.max(rules.length, 1)));
  let total = 0;
  let inTurn = 0;
  for (const rule of rules) {
    const size = rule.expression.programSize();
    let owns = false;
    for (const path of looked) {
      const steps = size * path.length;
      if (steps > maxSteps || total + steps > maxTotalSteps) continue;
      total += steps;
      inTurn += steps;
      if (inTurn > stepsInTurn) {
        inTurn = 0;
        await setImmediate();
      }
      owns = rule.expression.matcher(path).matches() !== rule.isNegated;
      if (owns) break;
    }
    if (!owns) continue;
    for (const user of rule.users) users.add(user);
    for (const team of rule.teams) teams.set(`${team.organization}/${team.team}`, team);
  }
  return { users: [...users], teams: [...teams.values()] };
}
