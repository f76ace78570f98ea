import { notFound } from "../../../../core/errors.ts";
import type { Reader } from "../../../../db/db.ts";
import type { RepositorySettings } from "../settings.ts";
import { findSettings } from "../store/settings.ts";

/** The units and merge settings of a repository. One statement. @throws ForgeError `not_found` */
export async function getSettings(deps: { readonly db: Reader }, repoId: number): Promise<RepositorySettings> {
  const settings = await findSettings(deps.db, repoId);
  if (settings === undefined) throw notFound();
  return settings;
}
