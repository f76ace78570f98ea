import { afterAll, beforeAll } from "vitest";
import type { TestDialect } from "./databases.ts";
import { startForge, type TestForge, type TestForgeOptions, type TestUser } from "./forge.ts";
import { openReviewedRepository, type ReviewedRepository } from "./reviewed-pulls.ts";

/** An object that is created in `beforeAll`, for tests that name it when they are declared. */
function later<T extends object>(read: () => T): T {
  return new Proxy({} as T, { get: (_, member) => Reflect.get(read(), member) });
}

/** The forge of a group of tests, with its users by name. It is started before the first test and stopped after the last one. */
export interface SharedForge<Name extends string> {
  readonly forge: TestForge;
  readonly users: Readonly<Record<Name, TestUser>>;
}

/** @param prepare runs before the tests */
export function shareForge<Name extends string>(
  options: TestForgeOptions,
  names: readonly Name[],
  prepare: (shared: SharedForge<Name>) => Promise<unknown> = async () => {},
): SharedForge<Name> {
  let started: TestForge | undefined;
  const created = new Map<string, TestUser>();
  const forge = later(() => existing(started));
  const users = Object.fromEntries(names.map((name) => [name, later(() => existing(created.get(name)))])) as unknown as Record<Name, TestUser>;
  beforeAll(async () => {
    started = await startForge(options);
    for (const name of names) created.set(name, await started.createUser(name));
    await prepare({ forge, users });
  });
  afterAll(() => started?.[Symbol.asyncDispose]());
  return { forge, users };
}

/** The repository of {@link openReviewedRepository} for a group of tests. */
export function shareReviewedRepository(dialect: TestDialect): Omit<ReviewedRepository, typeof Symbol.asyncDispose> & { readonly world: ReviewedRepository } {
  let opened: ReviewedRepository | undefined;
  const world = later(() => existing(opened));
  beforeAll(async () => {
    opened = await openReviewedRepository(dialect);
  });
  afterAll(() => opened?.[Symbol.asyncDispose]());
  return {
    world,
    forge: later(() => world.forge),
    owner: later(() => world.owner),
    writer: later(() => world.writer),
    reader: later(() => world.reader),
    work: later(() => world.work),
    push: (...given) => world.push(...given),
    pull: (...given) => world.pull(...given),
    review: (...given) => world.review(...given),
    list: (...given) => world.list(...given),
    protect: (...given) => world.protect(...given),
  };
}

function existing<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("this exists only while tests run");
  return value;
}
