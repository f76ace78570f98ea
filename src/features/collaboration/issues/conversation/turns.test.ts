import { expect, test } from "vitest";
import { onPostgres } from "../../../../../test/kit/databases.ts";
import { startForge } from "../../../../../test/kit/forge.ts";
import { openTcpLine } from "../../../../../test/kit/tcp-line.ts";

onPostgres((dialect) => {
  test("a comment waits for the database as often as its statements need the results of earlier ones", async () => {
    await using database = await dialect.create();
    await using line = await openTcpLine(`${new URL(database.url).searchParams.get("host")}/.s.PGSQL.5432`);
    const url = database.url.replace(/@localhost.*/, `@127.0.0.1:${line.port}${new URL(database.url).pathname}`);
    await using forge = await startForge({
      dialect: { ...dialect, create: async () => ({ ...database, url, [Symbol.asyncDispose]: async () => {} }) },
    });
    const alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "demo" }).expect(201);
    await alice.post("/repos/alice/demo/issues", { title: "discussed" }).expect(201);
    const counts: number[] = [];
    for (let at = 0; at < 6; at += 1) {
      await forge.settled();
      const before = line.packets();
      await alice.post("/repos/alice/demo/issues/1/comments", { body: `comment ${at}` }).expect(201);
      counts.push(line.packets() - before);
    }
    // Token and repository; issue; count, author and blocks; comment; text and event; two handlers of the event; commit. Other work can add some.
    expect(Math.min(...counts)).toBe(8);
  });
});
