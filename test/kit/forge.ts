import { randomBytes } from "node:crypto";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allScopes } from "../../src/access/scopes.ts";
import { createForge, type Forge } from "../../src/app/forge.ts";
import type { Overrides } from "../../src/app/overrides.ts";
import { loadConfig } from "../../src/config/config.ts";
import { randomToken } from "../../src/core/secrets.ts";
import { hashPassword } from "../../src/features/accounts/users/passwords.ts";
import { insertUser } from "../../src/features/accounts/users/service/accounts.ts";
import { insertTokenFor } from "../../src/features/accounts/users/service/tokens.ts";
import { checkGitVersion } from "../../src/git/run/git-version.ts";
import { type ApiClient, createApiClient } from "./api-client.ts";
import { loadDescription } from "./checked-answers.ts";
import type { TestDialect } from "./databases.ts";
import { createLogRecorder, type LogEntry } from "./logs.ts";
import { sharedSpawner } from "./shared-spawner.ts";
import { newBucket, openSpreader, spreadNodes } from "./spread.ts";

export interface TestUser extends ApiClient {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  /** `http://name:token@127.0.0.1:port`, for git. */
  readonly gitOrigin: string;
}

export interface Cost<T> {
  readonly result: T;
  readonly statements: readonly string[];
  /** The parameters of each statement. */
  readonly parameters: readonly (readonly unknown[])[];
  readonly processes: number;
}

/** A complete forge that listens on a free loopback port. Disposing stops it and deletes its data. */
export interface TestForge extends AsyncDisposable {
  readonly forge: Forge;
  /** The server's own context, for rows and counters that no API shows. */
  readonly context: Forge["context"];
  readonly url: string;
  readonly dataDirectory: string;
  readonly databaseUrl: string;
  readonly admin: TestUser;
  readonly anonymous: ApiClient;
  readonly log: readonly LogEntry[];
  createUser(name: string, options?: Readonly<Record<string, unknown>>): Promise<TestUser>;
  /** A user of the forge from which this one was copied. */
  userAgain(user: TestUser): TestUser;
  /** The cost of an action, in counts that do not depend on the machine. */
  cost<T>(action: () => Promise<T>): Promise<Cost<T>>;
  /** Resolves when all events are delivered and all due jobs have run. */
  settled(): Promise<void>;
}

export interface TestForgeOptions extends Overrides {
  readonly dialect: TestDialect;
  /** Further environment variables, such as `HEARTH_LIMITS_PAGE_MAX`. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The data directory of a forge that has stopped. The dialect copies its database, and the environment has its `HEARTH_ADMIN_TOKEN`. */
  readonly copiedData?: string;
}

const adminName = "chief";

/** Statements of background work at arbitrary times: workers, marks of delivered events, the last use of a token. */
const isBackground = (sql: string): boolean => /^(select|update|delete)\b.*"(jobs|schedules|events)"/s.test(sql) || /^update "access_tokens"/.test(sql);

const hashes = new Map<string, Promise<string>>();

/** The hash of a password that many tests use for users of the same name. */
function hashOnce(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, hash);
  return hash;
}

const gitVersions = new Map<string, Promise<string>>();

/** The version of the usual git. A worker is a large process, which takes 20 ms of CPU time to start another one. */
function findGitVersion(searchPath: string): Promise<string> {
  const version = gitVersions.get(searchPath) ?? checkGitVersion(searchPath);
  gitVersions.set(searchPath, version);
  return version;
}

export async function startForge(options: TestForgeOptions): Promise<TestForge> {
  // Before the first request, so that no test measures it.
  await loadDescription();
  const directory = await mkdtemp(join(tmpdir(), "hearth-forge-"));
  if (options.copiedData !== undefined) await cp(options.copiedData, directory, { recursive: true });
  const database = await options.dialect.create();
  const token = options.environment?.HEARTH_ADMIN_TOKEN ?? randomToken();
  const password = "chief's pass phrase";
  const log = createLogRecorder();
  let recorded: { readonly sql: string; readonly parameters: readonly unknown[] }[] | undefined;
  const nodeCount = options.environment?.HEARTH_STORAGE_URL === undefined ? spreadNodes(options.dialect) : 1;
  const spreader = nodeCount > 1 ? await openSpreader() : undefined;
  const shared = spreader && { ...(await newBucket()), HEARTH_SECRET_KEY: randomBytes(32).toString("hex"), HEARTH_ROOT_URL: spreader.url };
  const settings = {
    PATH: process.env.PATH ?? "",
    HEARTH_HOST: "127.0.0.1",
    HEARTH_PORT: "0",
    HEARTH_SSH_ENABLED: "false",
    HEARTH_DATA: directory,
    HEARTH_DATABASE_URL: database.url,
    HEARTH_ADMIN_USERNAME: adminName,
    HEARTH_ADMIN_EMAIL: `${adminName}@example.com`,
    HEARTH_ADMIN_PASSWORD: password,
    HEARTH_ADMIN_TOKEN: token,
    ...shared,
    ...options.environment,
  };
  const config = loadConfig(settings);
  const known = config.git.binary === "git" ? { gitVersion: await findGitVersion(config.searchPath) } : {};
  const forge = await createForge(config, {
    log,
    onStatement: (sql, parameters) => recorded?.push({ sql, parameters }),
    hashPassword: hashOnce,
    spawner: sharedSpawner(),
    ...known,
    ...options,
  });
  const ownUrl = await forge.listen();
  const others: Forge[] = [];
  for (let number = 1; number < nodeCount; number += 1)
    others.push(await createForge(loadConfig({ ...settings, HEARTH_DATA: join(directory, `node-${number}`) }), { log, spawner: sharedSpawner(), ...options }));
  if (spreader !== undefined) {
    const targets = [ownUrl];
    for (const other of others) targets.push(await other.listen());
    spreader.targets = targets;
  }
  const url = spreader?.url ?? ownUrl;
  const allSettled = async (): Promise<void> => {
    // The events of one node can cause work on another one.
    for (let round = 0; round <= others.length; round += 1) for (const one of [forge, ...others]) await one.settled();
  };
  // Results must not depend on the time of day: with the system's clock, scheduled tasks only run when called.
  if (options.clock === undefined) {
    await forge.context.db.tx((tx) =>
      tx.sql
        .updateTable("schedules")
        .set({ next_run_ms: Date.now() + 365 * 86_400_000 })
        .execute(),
    );
  }
  const signIn = (user: { id: number; name: string; email: string; password: string; token: string }): TestUser => ({
    ...user,
    gitOrigin: url.replace("http://", `http://${user.name}:${user.token}@`),
    ...createApiClient(url, `token ${user.token}`),
  });
  const admin = signIn({ id: 1, name: adminName, email: `${adminName}@example.com`, password, token });
  const { db, clock } = forge.context;
  const by = (id: number, name: string) => ({ id, name, credential: { kind: "password", scopes: allScopes, isBasic: true } }) as const;
  /** Same result as creation by the administrator over the API, without hashing each password again. */
  const insertAccount = async (name: string, email: string, secret: string): Promise<number> => {
    const passwordHash = await hashOnce(secret);
    const usual = { fullName: "", isAdmin: false, isRestricted: false, mustChangePassword: false, visibility: "public", loginName: "" } as const;
    return db.tx((tx) => insertUser(tx, { ...usual, name, email, passwordHash, createdMs: clock.now() }, by(admin.id, admin.name)));
  };
  /** Same result as creation by the user with their password, without hashing it again. */
  const insertToken = async (accountId: number, name: string): Promise<string> => {
    const text = randomToken();
    const token = { accountId, name: "all", text, scopes: allScopes, now: clock.now() };
    await db.tx((tx) => insertTokenFor(tx, by(accountId, name), token));
    return text;
  };

  return {
    forge,
    context: forge.context,
    url,
    dataDirectory: directory,
    databaseUrl: database.url,
    admin,
    anonymous: createApiClient(url),
    log: log.entries,
    async createUser(name, extra = {}) {
      const email = `${name.toLowerCase()}@example.com`;
      const secret = `${name}'s pass phrase`;
      const wanted = { username: name, email, password: secret, must_change_password: false, ...extra };
      const isUsual = Object.keys(extra).length === 0;
      const id = isUsual ? await insertAccount(name, email, secret) : (await admin.post<{ id: number }>("/admin/users", wanted).expect(201)).id;
      return signIn({ id, name, email, password: secret, token: await insertToken(id, name) });
    },
    userAgain: signIn,
    async cost(action) {
      const { counters: git } = forge.context.git;
      // Completes the work of earlier actions, so that it is not counted.
      await allSettled();
      const before = { processes: git.processes };
      recorded = [];
      const result = await (spreader === undefined ? action() : spreader.onFirst(action));
      const counted = recorded.filter(({ sql }) => !isBackground(sql));
      recorded = undefined;
      return {
        result,
        statements: counted.map(({ sql }) => sql),
        parameters: counted.map(({ parameters }) => parameters),
        processes: git.processes - before.processes,
      };
    },
    settled: allSettled,
    async [Symbol.asyncDispose]() {
      await spreader?.[Symbol.asyncDispose]();
      for (const other of others) await other[Symbol.asyncDispose]();
      await forge[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
