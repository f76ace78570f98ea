import type { Batch } from "../../db/row-batch.ts";
import { isBcryptHash } from "../../features/accounts/users/imported-hashes.ts";
import type { ImportedAccounts } from "./accounts.ts";
import type { Conversion } from "./context.ts";
import { stringsOf } from "./json.ts";
import { flagOf, millisOf, numberOf, textOf } from "./source.ts";

/** Applications that every server has, by client id. Their ids are those of the schema. */
const builtIn: Readonly<Record<string, number>> = {
  "a4792ccc-144e-407e-86c9-5e7d8d9c3269": 1,
  "e90ee53c-94e2-48ac-9358-a874fb9e0662": 2,
  "d57cb8c4-630c-4168-8324-ec79935e18d4": 3,
};
const lastBuiltIn = 3;

/** OAuth2 applications of users and organizations, and the grants of users. Tokens of applications end. */
export async function addApplications({ source, report }: Conversion, accounts: ImportedAccounts, batch: Batch): Promise<void> {
  const rows = await source.database.all("select * from oauth2_application order by id");
  /** Ids in Hearth by those in Gitea. */
  const ids = new Map<number, number>();
  let lastId = Math.max(lastBuiltIn, numberOf(rows.at(-1)?.id));
  const clients = new Set(Object.keys(builtIn));
  for (const row of rows) {
    const [id, name, clientId, accountId] = [numberOf(row.id), textOf(row.name), textOf(row.client_id), numberOf(row.uid)];
    const known = builtIn[clientId];
    if (known !== undefined) {
      ids.set(id, known);
      continue;
    }
    const secret = textOf(row.client_secret);
    if (!accounts.kinds.has(accountId) || clientId === "" || clients.has(clientId) || (secret !== "" && !isBcryptHash(secret))) {
      report.without("OAuth2 applications without an owner or a client id of their own, or whose secret cannot be verified", name);
      continue;
    }
    clients.add(clientId);
    if (id <= lastBuiltIn) lastId += 1;
    ids.set(id, id <= lastBuiltIn ? lastId : id);
    batch.add("oauth2_applications", {
      id: id <= lastBuiltIn ? lastId : id,
      account_id: accountId,
      name,
      client_id: clientId,
      secret_hash: secret,
      is_confidential: flagOf(row.confidential_client),
      skips_consent: flagOf(row.skip_secondary_authorization),
      redirect_uris: JSON.stringify(stringsOf(row.redirect_uris) ?? []),
      created_ms: millisOf(row.created_unix),
      updated_ms: millisOf(row.updated_unix),
    });
  }
  report.count("OAuth2 applications", batch.size("oauth2_applications"));
  const used = new Set<string>();
  for (const row of await source.database.all("select * from oauth2_grant order by id")) {
    const [accountId, applicationId] = [numberOf(row.user_id), ids.get(numberOf(row.application_id))];
    const key = `${accountId} ${applicationId}`;
    if (accounts.kinds.get(accountId) !== "user" || applicationId === undefined || used.has(key)) {
      report.without("OAuth2 grants without an account or an application", accounts.names.get(accountId) ?? `user ${accountId}`);
      continue;
    }
    used.add(key);
    batch.add("oauth2_grants", {
      id: numberOf(row.id),
      account_id: accountId,
      application_id: applicationId,
      scopes: textOf(row.scope),
      created_ms: millisOf(row.created_unix),
      updated_ms: millisOf(row.updated_unix),
    });
  }
  report.count("OAuth2 grants", batch.size("oauth2_grants"));
}
