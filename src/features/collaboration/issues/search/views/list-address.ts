import { withQuery } from "../../../../../ui/addresses.ts";
import type { ListedKind } from "../../planning/sidebar-props.ts";
import { type FilterFields, readTypedQuery, usualQuery, withFields } from "../query-language.ts";

/**
 * Where a list with the fields of a filter menu, or with a query for the other kind, leads: to the query alone; undefined for other lists.
 * @param base path above the lists of issues and pull requests
 */
export function redirectOf(base: string, kind: ListedKind, { q, ...fields }: FilterFields & { readonly q?: string | undefined }): string | undefined {
  const filtered = withFields(q ?? usualQuery, fields);
  const { type = kind } = readTypedQuery(filtered ?? q ?? "", 0);
  if (filtered === undefined && type === kind) return undefined;
  return withQuery(`${base}/${type}`, { q: filtered ?? q });
}

type ListRequest = FilterFields & { readonly q?: string | undefined };

/** The parameters of a list that are filters. */
export const filtersOf = ({ q, label, author, assignee, milestone }: ListRequest): ListRequest => ({ q, label, author, assignee, milestone });
