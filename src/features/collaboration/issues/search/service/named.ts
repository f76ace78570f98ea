import { notFound } from "../../../../../core/errors.ts";
import { readId } from "../../../../../core/ids.ts";
import { foldName } from "../../../../../core/names.ts";
import type { Reader } from "../../../../../db/db.ts";
import { findNamed, type NamedRow, type NameScope } from "../store/named.ts";

/** Names used by a list's filters; empty names are ignored. */
export interface AskedNames {
  readonly labels: readonly string[];
  /** Titles, case-insensitive. */
  readonly milestones: readonly string[];
  /** Whether a number among them can be a milestone's id. */
  readonly hasMilestoneIds: boolean;
  readonly users: readonly string[];
}

export interface FoundNames {
  /** For each known label name, the labels with that name. */
  readonly labels: readonly (readonly number[])[];
  /** All labels belong to repositories of the scope, at most one to each: no issue has two of them, and all their issues are in the scope. */
  readonly areLabelsApart: boolean;
  readonly milestoneIds: readonly number[];
  /** In the requested order; undefined for an empty name. */
  readonly userIds: readonly (number | undefined)[];
}

/**
 * Resolves the names in a list's filters. Leaves out unknown labels and milestones. At most one statement.
 * @throws ForgeError `not_found` for an unknown user name
 */
export async function resolveNames(db: Reader, within: NameScope, asked: AskedNames): Promise<FoundNames> {
  const numbers = asked.hasMilestoneIds ? asked.milestones.map(readId).filter((id) => id > 0) : [];
  const rows = await findNamed(db, within, {
    labels: asked.labels,
    milestones: asked.milestones.map((title) => title.toLowerCase()),
    milestoneIds: numbers,
    users: asked.users.filter((name) => name !== "").map(foldName),
  });
  const of = (kind: NamedRow["kind"]): readonly NamedRow[] => rows.filter((row) => row.kind === kind);
  const labels = of("label");
  const users = new Map(of("user").map(({ name, id }) => [name, id]));
  return {
    labels: [...Map.groupBy(labels, ({ name }) => name).values()].map((group) => group.map(({ id }) => id)),
    // Organization labels can be on issues of all its repositories.
    areLabelsApart:
      labels.every(({ repo_id, is_whole }) => repo_id !== null && Number(is_whole) === 1) &&
      new Set(labels.map(({ repo_id }) => repo_id)).size === labels.length,
    milestoneIds: chooseMilestones(of("milestone"), asked.milestones, numbers),
    userIds: asked.users.map((name) => {
      if (name === "") return undefined;
      const id = users.get(foldName(name));
      if (id === undefined) throw notFound("not found", { details: [`user does not exist [uid: 0, name: ${name}]`] });
      return id;
    }),
  };
}

/** A number means the milestone with that id, otherwise a title. */
function chooseMilestones(rows: readonly NamedRow[], asked: readonly string[], numbers: readonly number[]): readonly number[] {
  const known = new Set(rows.map(({ id }) => id));
  const ids = numbers.filter((id) => known.has(id));
  const titles = new Set(asked.filter((text) => !ids.includes(readId(text))).map((text) => text.toLowerCase()));
  return [...new Set([...ids, ...rows.filter(({ name }) => titles.has(name)).map(({ id }) => id)])];
}
