import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openGitClient } from "../git-client.ts";
import { openSite, type Site } from "../issue-site.ts";
import { openLargeRepository, type RepositoryShape, wideBranch } from "./large-repository.ts";

/** A repository of the administrator. */
export interface NamedShape {
  readonly name: string;
  readonly shape: RepositoryShape;
}

/** Creates a data folder with these repositories, unless an earlier run has done so. @param folder for generated repositories and data @returns the data folder */
export async function seedRepositories(folder: string, repositories: readonly NamedShape[], isPostgres: boolean): Promise<string> {
  const data = join(folder, isPostgres ? "data-postgres" : "data");
  const mark = join(folder, isPostgres ? "seeded-postgres" : "seeded");
  if (existsSync(mark)) return data;
  mkdirSync(data, { recursive: true });
  await using site = await openSite(data, isPostgres);
  for (const repository of repositories) await addRepository(site, folder, repository);
  writeFileSync(mark, "");
  return data;
}

/** Adopts a generated repository, opens a pull request in it, and tidies its store. @param folder for generated repositories */
export async function addRepository({ forge, call }: Site, folder: string, { name, shape }: NamedShape): Promise<void> {
  const path = await openLargeRepository(openGitClient(folder), name, shape);
  cpSync(path, join(forge.context.config.dataDirectory, "adopt", administrator, `${name}.git`), { recursive: true });
  await call("POST", `/admin/unadopted/${administrator}/${name}`);
  await call("POST", `/repos/${administrator}/${name}/pulls`, { title: "Change many files", head: wideBranch, base: "main" });
  await call("POST", "/admin/cron/tidy_stores");
  await forge.settled();
}

/** The administrator of a seeded site. */
export const administrator = "chief";
