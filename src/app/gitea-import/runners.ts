import { type Batch, newBatch } from "../../db/row-batch.ts";
import { labelName } from "../../features/actions/runners/model.ts";
import { formatImportedToken } from "../../features/actions/runners/service/imported-tokens.ts";
import { sealedRegistrationToken } from "../../features/actions/runners/service/tokens.ts";
import type { ImportedAccounts } from "./accounts.ts";
import type { Conversion } from "./context.ts";
import { stringsOf } from "./json.ts";
import { type ForeignRow, flagOf, millisOf, numberOf, textOf } from "./source.ts";

/** Runners and the tokens that register them. Those of repositories are written with their repository, the others with the accounts. */
export interface ConvertedRunners {
  readonly batch: Batch;
  readonly ofRepositories: ReadonlyMap<number, Batch>;
  /** Names of the imported runners. */
  readonly names: ReadonlyMap<number, string>;
}

export async function convertRunners(conversion: Conversion, accounts: ImportedAccounts, repositories: ReadonlySet<number>): Promise<ConvertedRunners> {
  const { source, report, sealer } = conversion;
  const batch = newBatch();
  const ofRepositories = new Map<number, Batch>();
  const names = new Map<number, string>();
  const placeOf = (row: ForeignRow): { readonly batch: Batch; readonly repo_id: number | null; readonly owner_id: number | null } | undefined => {
    const [repoId, ownerId] = [numberOf(row.repo_id), numberOf(row.owner_id)];
    if (repoId === 0) return ownerId === 0 || accounts.kinds.has(ownerId) ? { batch, repo_id: null, owner_id: ownerId || null } : undefined;
    if (!repositories.has(repoId)) return undefined;
    const own = ofRepositories.get(repoId) ?? newBatch();
    ofRepositories.set(repoId, own);
    return { batch: own, repo_id: repoId, owner_id: null };
  };
  const uuids = new Set<string>();
  for (const row of await source.database.all("select * from action_runner order by id")) {
    if (numberOf(row.deleted) > 0) continue;
    const [id, uuid, name] = [numberOf(row.id), textOf(row.uuid), textOf(row.name)];
    const place = placeOf(row);
    if (place === undefined || uuid === "" || uuids.has(uuid)) {
      report.without("runners without an owner: register them again", name);
      continue;
    }
    uuids.add(uuid);
    names.set(id, name);
    place.batch.add("action_runners", {
      id,
      repo_id: place.repo_id,
      owner_id: place.owner_id,
      uuid,
      token_hash: formatImportedToken(textOf(row.token_salt), textOf(row.token_hash)),
      name,
      version: textOf(row.version),
      labels: JSON.stringify([...new Set((stringsOf(row.agent_labels) ?? []).map(labelName).filter((label) => label !== ""))]),
      is_ephemeral: flagOf(row.ephemeral),
      is_disabled: flagOf(row.is_disabled),
      seen_ms: millisOf(row.last_online),
      active_ms: millisOf(row.last_active),
      created_ms: millisOf(row.created),
    });
  }
  const tokens = new Set<string>();
  for (const row of await source.database.all("select * from action_runner_token order by id")) {
    const token = textOf(row.token);
    const place = placeOf(row);
    if (flagOf(row.is_active) === 0 || numberOf(row.deleted) > 0 || place === undefined || token === "" || tokens.has(token)) continue;
    tokens.add(token);
    place.batch.add("action_runner_tokens", {
      id: numberOf(row.id),
      repo_id: place.repo_id,
      owner_id: place.owner_id,
      ...sealedRegistrationToken(sealer, token),
      is_active: 1,
      created_ms: millisOf(row.created),
    });
  }
  report.count("runners", names.size);
  report.count("registration tokens of runners", tokens.size);
  return { batch, ofRepositories, names };
}
