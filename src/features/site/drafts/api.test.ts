import { afterAll, beforeAll, expect, test } from "vitest";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { createTestClock, type TestClock } from "../../../../test/kit/clock.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { pruneDrafts } from "./service/drafts.ts";

const path = "/user/drafts";
const here = "/alice/r/issues/new";
const requested = (...forms: readonly string[]): string => `${path}?forms=${encodeURIComponent(forms.join("\n"))}`;

eachDialect((dialect) => {
  let forge: TestForge;
  let clock: TestClock;
  let alice: TestUser;
  let bob: TestUser;
  beforeAll(async () => {
    clock = createTestClock(1_700_000_000_000);
    forge = await startForge({ dialect, clock });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  test("keeps a user's latest input for a form, visible only to them, until they discard it", async () => {
    await alice.put(path, { form: here, fields: { title: "One", content: "Half" } }).expect(200);
    const written = await forge.cost(() => alice.put(path, { form: here, fields: { title: "One", content: "Half a \0 thought, and äöü" } }).expect(200));
    expect(written.result).toEqual({ form: here, fields: { title: "One", content: "Half a \0 thought, and äöü" }, updated_at: "2023-11-14T22:13:20Z" });
    await alice.put(path, { form: "/alice/r/_edit/main/a,b.txt", fields: { content: "x" } }).expect(200);
    const read = await forge.cost(() => alice.get<{ form: string }[]>(requested(here, "/alice/r/_edit/main/a,b.txt", "/elsewhere")).expect(200));
    expect(read.result.map(({ form }) => form)).toEqual(["/alice/r/_edit/main/a,b.txt", here]);
    expect(await bob.get(requested(here)).expect(200)).toEqual([]);
    await bob.delete(`${path}?form=${here}`).expect(204);
    expect(await alice.get(requested(here)).expect(200)).toHaveLength(1);
    await alice.delete(`${path}?form=${here}`).expect(204);
    expect(await alice.get(requested(here)).expect(200)).toEqual([]);
    await forge.anonymous.get(requested(here)).expect(401);
    // One statement authenticates the token.
    expect([written.statements.length, read.statements.length]).toEqual([3, 2]);
  });

  test("limits the size, number and age of drafts", async () => {
    await alice.put(path, { form: here, fields: { content: "x".repeat(140_000) } }).expect(422);
    await alice.put(path, { form: "elsewhere", fields: {} }).expect(422);
    const forms = Array.from({ length: 52 }, (_, at) => `/alice/r/issues/${at}/comments`);
    for (const form of forms) {
      clock.advance(1_000);
      await alice.put(path, { form, fields: { content: form } }).expect(200);
    }
    const kept = await Promise.all([forms.slice(0, 26), forms.slice(26)].map((some) => alice.get<{ form: string }[]>(requested(...some)).expect(200)));
    expect(
      kept
        .flat()
        .map(({ form }) => form)
        .toSorted(),
    ).toEqual(forms.slice(2).toSorted());
    clock.advance(30 * 86_400_000 + 1);
    await alice.put(path, { form: here, fields: { content: "new" } }).expect(200);
    await pruneDrafts(forge.context);
    expect(await alice.get(requested(...forms.slice(26), here)).expect(200)).toHaveLength(1);
  });

  test("a successful form submission deletes its draft; a refused one keeps it", async () => {
    await alice.post("/user/repos", { name: "r" }).expect(201);
    const browser = createBrowser(forge.url);
    await browser.signIn(alice);
    await alice.put(path, { form: here, fields: { title: "", content: "Words" } }).expect(200);
    const page = await browser.get(here);
    expect((await browser.submit(page, here, { title: " ", content: "Words", _draft: "true" })).status).toBe(422);
    expect(await alice.get(requested(here)).expect(200)).toHaveLength(1);
    expect((await browser.submit(page, here, { title: "A title", content: "Words", _draft: "true" })).status).toBe(303);
    expect(await alice.get(requested(here)).expect(200)).toEqual([]);
  });
});
