import type { SettingsOwner } from "../../access/settings-owner.ts";
import { isForgeError } from "../../core/errors.ts";
import { newBatch } from "../../db/row-batch.ts";
import { checkName, checkValue, shortenDescription } from "../../features/actions/secrets/service/check.ts";
import { sealActionSecret } from "../../features/actions/secrets/service/secrets.ts";
import type { Conversion } from "./context.ts";
import type { Known } from "./repository-relations.ts";
import { openSecret } from "./secrets.ts";
import { type ForeignRow, millisOf, numberOf, textOf } from "./source.ts";
import type { Writes } from "./writes.ts";

interface ActionValue {
  readonly owner: SettingsOwner;
  readonly name: string;
  readonly value: string;
  readonly row: ForeignRow;
}

/** Secrets and variables of Actions. */
export async function addActionValues(conversion: Conversion, known: Known, writes: Writes): Promise<void> {
  const { source, report, sealer } = conversion;
  const batch = newBatch();
  const read = async (table: "secret" | "action_variable", open: (data: string) => string | undefined): Promise<readonly ActionValue[]> => {
    const used = new Set<string>();
    const values: ActionValue[] = [];
    for (const row of await source.database.all(`select * from ${table} order by id`)) {
      const owner = ownerOf(row, known, table === "action_variable");
      const given = textOf(row.name);
      const read = readValue(given, open(textOf(row.data)));
      const key = `${numberOf(row.repo_id)} ${numberOf(row.owner_id)} ${read?.name}`;
      if (owner === undefined || read === undefined || used.has(key)) {
        report.without(
          table === "secret" ? "secrets of Actions that SECRET_KEY does not open, or without an owner" : "variables of Actions without an owner",
          given,
        );
        continue;
      }
      used.add(key);
      values.push({ owner, ...read, row });
    }
    return values;
  };
  const columns = ({ owner, name, row }: ActionValue) => ({
    id: numberOf(row.id),
    repo_id: owner.scope === "repository" ? owner.repoId : null,
    owner_id: owner.scope === "owner" ? owner.ownerId : null,
    name,
    description: shortenDescription(textOf(row.description)),
    created_ms: millisOf(row.created_unix),
    updated_ms: millisOf(row.updated_unix ?? row.created_unix),
  });
  for (const secret of await read("secret", (data) => openSecret(source.places.secretKey, data)))
    batch.add("action_secrets", { ...columns(secret), value: sealActionSecret(sealer, secret.owner, secret.name, secret.value) });
  for (const variable of await read("action_variable", (data) => data)) batch.add("action_variables", { ...columns(variable), value: variable.value });
  report.count("secrets of Actions", batch.size("action_secrets"));
  report.count("variables of Actions", batch.size("action_variables"));
  writes.rows(batch);
}

function ownerOf(row: ForeignRow, { repositories, accounts }: Known, canBeServer: boolean): SettingsOwner | undefined {
  const [repoId, ownerId] = [numberOf(row.repo_id), numberOf(row.owner_id)];
  if (repoId > 0) return repositories.has(repoId) ? { scope: "repository", repoId, name: "" } : undefined;
  if (ownerId > 0) return accounts.kinds.has(ownerId) ? { scope: "owner", ownerId, name: "" } : undefined;
  return canBeServer ? { scope: "server" } : undefined;
}

function readValue(name: string, value: string | undefined): { readonly name: string; readonly value: string } | undefined {
  if (value === undefined) return undefined;
  try {
    return { name: checkName(name), value: checkValue(value) };
  } catch (error) {
    if (isForgeError(error, "malformed")) return undefined;
    throw error;
  }
}
