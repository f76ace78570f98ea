import { notFound } from "../../../../../core/errors.ts";
import { readId } from "../../../../../core/ids.ts";
import { foldName } from "../../../../../core/names.ts";
import type { Reader } from "../../../../../db/db.ts";
import type { ReadableScope } from "../store/filter.ts";
import { findKnownNames, findNamed, type NamedRow, type NameScope, type WantedNames } from "../store/named.ts";

/** Names used by a list's filters; empty names are ignored. */
export interface RequestedNames {
  readonly labels: readonly string[];
  /** Titles, case-insensitive. In a repository also ids. */
  readonly milestones: readonly string[];
  readonly users: readonly string[];
}

export interface FoundNames {
  /** For each known label name, the labels with that name. */
  readonly labels: readonly (readonly number[])[];
  readonly milestoneIds: readonly number[];
  /** In the requested order; undefined for an empty name. */
  readonly userIds: readonly (number | undefined)[];
}

/**
 * Resolves the names in a list's filters. Leaves out unknown labels and milestones. At most one statement.
 * @throws ForgeError `not_found` for an unknown user name
 */
export async function resolveNames(db: Reader, within: NameScope, requested: RequestedNames): Promise<FoundNames> {
  const wanted = foldNames(requested);
  const rows = await findNamed(db, within, wanted);
  const of = (kind: NamedRow["kind"]): readonly NamedRow[] => rows.filter((row) => row.kind === kind);
  const labels = of("label");
  return {
    labels: [...Map.groupBy(labels, ({ name }) => name).values()].map((group) => group.map(({ id }) => id)),
    milestoneIds: chooseMilestones(of("milestone"), requested.milestones, wanted.milestoneIds),
    userIds: chooseUsers(of("user"), requested.users),
  };
}

const foldNames = ({ labels, milestones, users }: RequestedNames): WantedNames => ({
  labels,
  milestones: milestones.map((title) => title.toLowerCase()),
  milestoneIds: milestones.map(readId).filter((id) => id > 0),
  users: users.filter((name) => name !== "").map(foldName),
});

/** @returns the names that do not exist, as requested. One statement, or none without names */
export async function findUnknownNames(db: Reader, within: NameScope, requested: RequestedNames): Promise<readonly string[]> {
  const rows = await findNamed(db, within, foldNames(requested));
  const isKnown = (kind: NamedRow["kind"], name: string): boolean => rows.some((row) => row.kind === kind && row.name === name);
  const isMilestoneId = (text: string): boolean => rows.some((row) => row.kind === "milestone" && row.id === readId(text));
  return [
    ...requested.labels.filter((name) => !isKnown("label", name)),
    ...requested.milestones.filter((title) => !isKnown("milestone", title.toLowerCase()) && !isMilestoneId(title)),
    ...requested.users.filter((name) => name !== "" && !isKnown("user", foldName(name))),
  ];
}

function chooseUsers(rows: readonly NamedRow[], requested: readonly string[]): readonly (number | undefined)[] {
  const users = new Map(rows.map(({ name, id }) => [name, id]));
  return requested.map((name) => {
    if (name === "") return undefined;
    const id = users.get(foldName(name));
    if (id === undefined) throw notFound("not found", { details: [`user does not exist [uid: 0, name: ${name}]`] });
    return id;
  });
}

export interface KnownNames {
  readonly labels: readonly string[];
  /** Folded titles. */
  readonly milestones: readonly string[];
  readonly userIds: readonly (number | undefined)[];
}

/**
 * The names in the filters of a list across repositories. Leaves out those that no readable repository has. At most one statement.
 * @throws ForgeError `not_found` for an unknown user name
 */
export async function resolveKnownNames(db: Reader, within: ReadableScope, requested: RequestedNames): Promise<KnownNames> {
  const rows = await findKnownNames(db, within, {
    labels: requested.labels,
    milestones: requested.milestones.map((title) => title.toLowerCase()),
    users: requested.users.filter((name) => name !== "").map(foldName),
  });
  const of = (kind: NamedRow["kind"]): readonly NamedRow[] => rows.filter((row) => row.kind === kind);
  const distinct = (kind: NamedRow["kind"]): readonly string[] => [...new Set(of(kind).map(({ name }) => name))];
  return { labels: distinct("label"), milestones: distinct("milestone"), userIds: chooseUsers(of("user"), requested.users) };
}

/** A number means the milestone with that id, otherwise a title. */
function chooseMilestones(rows: readonly NamedRow[], requested: readonly string[], numbers: readonly number[]): readonly number[] {
  const known = new Set(rows.map(({ id }) => id));
  const ids = numbers.filter((id) => known.has(id));
  const titles = new Set(requested.filter((text) => !ids.includes(readId(text))).map((text) => text.toLowerCase()));
  return [...new Set([...ids, ...rows.filter(({ name }) => titles.has(name)).map(({ id }) => id)])];
}
