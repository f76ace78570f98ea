#!/usr/bin/env node
import { parseArgs } from "node:util";
import type { TypedBackupOptions } from "./app/backup-command.ts";
import type { TypedImportOptions } from "./app/gitea-import/run.ts";
import type { TypedArchiveOptions } from "./app/portability/import.ts";
import { ConfigError, defaultConfigFile, loadConfig } from "./config/config.ts";
import { ForgeError } from "./core/errors.ts";
import { isFull } from "./db/errors.ts";

const usage = (adminCommands: string): string => `Usage: hearth <command>

  serve                                     start the forge (the default)
  config                                    print every setting with its default, as a configuration file
  check-config                              check the settings and print those that are not defaults
  upgrade --check                           print what the next start of this version changes in the database, and how long it takes
  doctor                                    check the data folder: database, refs, objects
  backup FOLDER                             copy the database and all repositories to an empty folder; the server may be running
    --base EARLIER                          link unchanged files to those of an earlier backup instead of copying them
    --no-check                              do not check the copy
  backup URL                                add a backup to a bucket (s3://host/bucket/prefix) or a folder (file:///folder); only new content is sent
    --recipient KEY                         encrypt it to a public key of age; repeatable
  backup list URL                           list the backups of a bucket
  backup verify FOLDER|URL                  restore a backup into a scratch folder, and check the result
    --backup NAME                           another one than the newest of the bucket
    --identity FILE                         the file with the age identity of an encrypted backup
  backup prune FOLDER|URL                   delete backups, except for the newest one of each
    --keep-daily N                          of the last N days
    --keep-weekly N                         of the last N weeks
    --keep-monthly N                        of the last N months
  restore FOLDER|URL                        fill an empty data folder from a backup; the server must not be running
    --backup NAME, --identity FILE          as for verify
  restore --at TIME|newest [URL]            fill an empty data folder with the state of a time, from the log of log_shipping.url
  export OWNER[/NAME] FOLDER                write a repository, or all of an owner, to an empty folder; the server may be running
  import FOLDER --owner NAME                create the repositories of an export; the server may be running
    --name NAME                             with another name, if the export has one repository
    --as USER                               the user who imports, for an organization
    --author FORMER=NAME                    an author of the export is this user here; repeatable
  import gitea                              fill an empty server from a Gitea 1.26, with the same ids; the Gitea is not changed
    --config app.ini                        read the places of its database and folders from its configuration
    --database URL                          its database, if not that of app.ini: sqlite:PATH, postgres://... or mysql://...
    --data DIR                              its data folder, if not that of app.ini
    --repositories DIR                      the folder of its repositories, if not that of app.ini
    --final                                 the Gitea has stopped for good: mirrors and scheduled workflows run as soon as the server starts
    --dry-run                               list counts and everything without an equivalent, and change nothing
  database copy                             copy the embedded database to the PostgreSQL database of HEARTH_DATABASE_URL; no server must be running
  storage move bucket|disk                  move repositories to a bucket for several nodes, or back; no server may be running
${adminCommands}
Settings come from the environment (HEARTH_PORT=8080) and from the file that HEARTH_CONFIG names.
`;

/** Exit codes: 0 success, 1 failure with one line on stderr. */
async function main(argv: readonly string[]): Promise<number> {
  const [first, ...others] = argv;
  if (first === "admin" && !others.includes("--help")) {
    const { administer } = await import("./app/administer.ts");
    return administer(loadConfig(process.env), others, print);
  }
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      help: { type: "boolean", short: "h" },
      version: { type: "boolean", short: "v" },
      "no-check": { type: "boolean" },
      base: { type: "string" },
      backup: { type: "string" },
      identity: { type: "string" },
      recipient: { type: "string", multiple: true },
      "keep-daily": { type: "string" },
      "keep-weekly": { type: "string" },
      "keep-monthly": { type: "string" },
      config: { type: "string" },
      database: { type: "string" },
      data: { type: "string" },
      repositories: { type: "string" },
      "dry-run": { type: "boolean" },
      final: { type: "boolean" },
      check: { type: "boolean" },
      owner: { type: "string" },
      name: { type: "string" },
      as: { type: "string" },
      author: { type: "string", multiple: true },
      at: { type: "string" },
    },
    strict: first !== "admin",
  });
  const [command = "serve", folder, target = ""] = positionals;
  const { help, version, config, database, data, repositories, "dry-run": dryRun, final, owner, name, as, author, check, at, ...backupOptions } = values;
  const giteaOptions = { config, database, data, repositories, "dry-run": dryRun, final };
  const archiveOptions = { owner, name, as, author };
  const { backup, identity } = backupOptions as TypedBackupOptions;
  requireCommand(command, "backup", command === "restore" ? { ...backupOptions, backup: undefined, identity: undefined } : backupOptions);
  requireCommand(command, "upgrade", { check });
  requireCommand(command, "restore", { at });
  requireCommand([command, folder].join(" "), "import gitea", giteaOptions);
  requireCommand(folder === "gitea" ? "import gitea" : command, "import", archiveOptions);
  if (help === true || command === "help") {
    const [{ helpOf }, { adminCommands }] = await Promise.all([import("./app/commands/command.ts"), import("./app/commands/table.ts")]);
    return print(usage(helpOf(adminCommands)));
  }
  if (version === true || command === "version") {
    const { serverVersion } = await import("./features/site/meta/server-details.ts");
    return print(`${serverVersion}\n`);
  }
  switch (command) {
    case "config":
      return print(defaultConfigFile());
    case "serve": {
      const { serve } = await import("./app/serve.ts");
      return serve(loadConfig(process.env));
    }
    case "doctor": {
      const { doctor } = await import("./app/doctor.ts");
      return doctor(loadConfig(process.env), print);
    }
    case "check-config": {
      const { checkConfig } = await import("./app/check-config.ts");
      return checkConfig(loadConfig(process.env), print);
    }
    case "backup": {
      const { runBackupCommand } = await import("./app/backup-command.ts");
      return runBackupCommand(loadConfig(process.env), positionals.slice(1), backupOptions as TypedBackupOptions, print);
    }
    case "restore": {
      if (typeof at === "string") {
        if (backup !== undefined || identity !== undefined) throw new ConfigError("--backup and --identity are for backups, not for --at");
        const { restoreLog } = await import("./app/log-shipping/restore-log.ts");
        return restoreLog(loadConfig(process.env), folder, at, print);
      }
      if (folder === undefined) throw new ConfigError("usage: restore FOLDER or URL, or restore --at TIME|newest [URL]");
      const { restore } = await import("./app/restore.ts");
      return restore(loadConfig(process.env), folder, { backup, identity }, print);
    }
    case "import": {
      if (folder === undefined) throw new ConfigError("usage: import gitea --config app.ini, or import FOLDER --owner NAME");
      if (folder === "gitea") {
        const { importGitea } = await import("./app/gitea-import/run.ts");
        return importGitea(loadConfig(process.env), giteaOptions as TypedImportOptions, print);
      }
      const { importArchive } = await import("./app/portability/import.ts");
      return importArchive(loadConfig(process.env), folder, archiveOptions as TypedArchiveOptions, print);
    }
    case "export": {
      if (folder === undefined || target === "") throw new ConfigError("usage: export OWNER[/NAME] FOLDER");
      const { exportData } = await import("./app/portability/export.ts");
      return exportData(loadConfig(process.env), folder, target, print);
    }
    case "upgrade": {
      if (check !== true) throw new ConfigError("usage: upgrade --check. The next start upgrades the database");
      const { checkUpgrade } = await import("./app/upgrade-check.ts");
      return checkUpgrade(loadConfig(process.env), print);
    }
    case "database": {
      if (folder !== "copy") throw new ConfigError("usage: database copy");
      const { copyDatabase } = await import("./app/copy-database.ts");
      return copyDatabase(loadConfig(process.env), print);
    }
    case "storage": {
      if (folder !== "move") throw new ConfigError("usage: storage move bucket|disk");
      const { moveStorage } = await import("./app/move-storage.ts");
      return moveStorage(loadConfig(process.env), target, print);
    }
    default:
      throw new ConfigError(`unknown command ${command}; run \`hearth help\` for a list`);
  }
}

/** @throws ConfigError for an option of another command */
function requireCommand(command: string, owner: string, options: Readonly<Record<string, unknown>>): void {
  const option = Object.keys(options).find((name) => options[name] !== undefined);
  if (option !== undefined && command !== owner) throw new ConfigError(`--${option} is an option of \`hearth ${owner}\``);
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

// Repositories, the database and backups are accessible to this user only, whatever the inherited umask.
process.umask(0o077);

// Output that cannot be written makes a command fail, but must not end a server, as an unhandled error event would.
process.stdout.on("error", () => (process.exitCode = 1));
process.stderr.on("error", () => {});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const isExpected = error instanceof ConfigError || error instanceof ForgeError || (error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS") === true;
  // This includes the disk of a database.
  if (isFull(error)) process.stderr.write("hearth: the storage is full\n");
  else process.stderr.write(isExpected ? `hearth: ${(error as Error).message}\n` : `hearth: ${(error as Error).stack ?? String(error)}\n`);
  process.exitCode = 1;
}
