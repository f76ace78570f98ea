import { lengths } from "../../core/lengths.ts";
import { foldName, isValidRepositoryName, isValidUsername, reservedAccountName, reservedRepositoryName } from "../../core/names.ts";
import type { Report } from "./report.ts";

/** Names are long enough to stay recognizable, and leave room for the id. */
const keptCharacters = 25;

interface NameRule {
  readonly subject: string;
  accepts(name: string): boolean;
}

const accountRule: NameRule = {
  subject: "account",
  accepts: (name) => name.length <= lengths.accountName && isValidUsername(name) && reservedAccountName(name) === undefined,
};

const repositoryRule: NameRule = {
  subject: "repository",
  accepts: (name) => isValidRepositoryName(name) && reservedRepositoryName(name) === undefined,
};

/** The names of authentication sources are parts of addresses. */
const sourceRule: NameRule = { subject: "source", accepts: (name) => /^[0-9A-Za-z][0-9A-Za-z._-]{0,49}$/.test(name) };

/**
 * Keeps a name, or if it is refused or in use replaces all characters but letters and digits with dashes and appends the id: `a..b` with
 * the id 7 becomes `a-b-7`.
 * @param taken folded names, to which the result is added
 */
function chooseName(
  rule: NameRule,
  given: { readonly name: string; readonly id: number; readonly prefix: string },
  taken: Set<string>,
  report: Report,
): string {
  const plain = given.name
    .replace(/[^0-9A-Za-z]+/g, "-")
    .slice(0, keptCharacters)
    .replace(/^-|-$/g, "");
  let name = given.name;
  for (let suffix = String(given.id); !rule.accepts(name) || taken.has(foldName(name)); suffix += "0")
    name = `${plain === "" ? rule.subject : plain}-${suffix}`;
  taken.add(foldName(name));
  if (name !== given.name) report.renamed(rule.subject, `${given.prefix}${given.name}`, `${given.prefix}${name}`);
  return name;
}

export const accountName = (given: { readonly name: string; readonly id: number }, taken: Set<string>, report: Report): string =>
  chooseName(accountRule, { ...given, prefix: "" }, taken, report);

export const sourceName = (given: { readonly name: string; readonly id: number }, taken: Set<string>, report: Report): string =>
  chooseName(sourceRule, { ...given, prefix: "" }, taken, report);

/** @param taken folded names of the owner's repositories */
export const repositoryName = (given: { readonly name: string; readonly id: number; readonly owner: string }, taken: Set<string>, report: Report): string =>
  chooseName(repositoryRule, { ...given, prefix: `${given.owner}/` }, taken, report);
