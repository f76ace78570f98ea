import { afterAll, beforeAll, expect, test } from "vitest";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { sqlite } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { readPage } from "../kit/page.ts";

/** Label and milestone pages without JavaScript. */

let forge: TestForge;
let alice: TestUser;
let owner: Browser;
let visitor: Browser;
beforeAll(async () => {
  forge = await startForge({ dialect: sqlite });
  alice = await forge.createUser("alice");
  owner = createBrowser(forge.url);
  await owner.signIn(alice);
  visitor = createBrowser(forge.url);
  await alice.post("/user/repos", { name: "r" }).expect(201);
});
afterAll(() => forge[Symbol.asyncDispose]());

const send = async (path: string, action: string, fields: Readonly<Record<string, string>> = {}) => owner.submit(await owner.get(path), action, fields);
const textOf = async (path: string, browser = visitor) => {
  const { text } = await browser.get(path);
  expect(readPage(text).dangers, path).toEqual([]);
  return readPage(text).text;
};

test("a label is created, edited and deleted; visitors see it without forms", async () => {
  const path = "/alice/r/labels";
  expect(await textOf(path)).toContain("No labels yet");
  await send(path, path, { name: "kind/<b>bug</b>", color: "#ff0000", description: "Wrong", exclusive: "true" });
  const [made] = await alice.get("/repos/alice/r/labels").expect(200);
  expect(made).toMatchObject({ name: "kind/<b>bug</b>", color: "ff0000", exclusive: true, is_archived: false });
  expect(await textOf(path)).toContain("kind/<b>bug</b>");
  const [shown = ""] = (await visitor.get(path)).text.split("</main>");
  expect(shown).not.toContain('method="post"');
  for (const state of ["open", "open", "closed"]) {
    const { number } = await alice.post("/repos/alice/r/issues", { title: state, labels: [made.id] }).expect(201);
    await alice.patch(`/repos/alice/r/issues/${number}`, { state }).expect(201);
  }
  expect(await textOf(path)).toContain("2 open issues");
  const one = `${path}/${made.id}`;
  const refused = await send(one, one, { name: "", description: "typed" });
  expect([refused.status, refused.form(one).description]).toEqual([422, "typed"]);
  await send(path, path, { name: "Idea", color: "#00ff00" });
  for (const [form, name] of [
    [path, "idea"],
    [one, "IDEA"],
  ] as const) {
    const taken = await send(form, form, { name, color: "#00ff00" });
    expect([taken.status, taken.form(form).name, taken.text.includes("This name is already taken.")]).toEqual([422, name, true]);
  }
  await send(one, one, { name: "bug", is_archived: "true" });
  expect(await alice.get(`/repos/alice/r/labels/${made.id}`).expect(200)).toMatchObject({ name: "bug", color: "ff0000", is_archived: true, exclusive: true });
  expect((await visitor.get(one)).status).toBe(303);
  await send(path, `${one}/delete`);
  expect(await alice.get("/repos/alice/r/labels").expect(200)).toMatchObject([{ name: "Idea" }]);
});

test("a milestone is created, shows its progress, is closed, reopened and deleted", async () => {
  const [path, form] = ["/alice/r/milestones", "/alice/r/milestones/new"];
  const refused = await send(form, form, { title: "1.0", due_on: "soon" });
  expect([refused.status, readPage(refused.text).text.includes("Enter a date"), refused.form(form).title]).toEqual([422, true, "1.0"]);
  await send(form, form, {
    title: "Version one",
    due_on: "2030-01-31",
    description: "Before the **seeds**, see #1\n\n<script>alert(1)</script><img src=x onerror=alert(1)>",
  });
  const [made] = await alice.get("/repos/alice/r/milestones").expect(200);
  expect(made).toMatchObject({ title: "Version one", due_on: "2030-01-31T23:59:59Z", state: "open" });
  const { number } = await alice.post("/repos/alice/r/issues", { title: "x", milestone: made.id }).expect(201);
  expect(await textOf(path)).toContain("1 open, 0 closed (0 %), due on Jan 31, 2030");
  const html = (await visitor.get(path)).text;
  for (const rendered of ["<strong>seeds</strong>", '/alice/r/issues/1"']) expect(html).toContain(rendered);
  const shown = readPage((await visitor.get(`/alice/r/milestone/${made.id}`)).text);
  for (const part of ["due on Jan 31, 2030", "1 open, 0 closed (0 %)", "Before the seeds"]) expect(shown.text).toContain(part);
  expect(shown.links).toEqual(expect.arrayContaining(["/alice/r/issues?q=is%3Aopen+milestone%3A%22Version+one%22", `/alice/r/issues/${number}`]));
  const late = await alice.post("/repos/alice/r/milestones", { title: "Late", due_on: "2020-01-31T00:00:00Z" }).expect(201);
  expect(await textOf(path)).toContain("0 open, 0 closed, was due on Jan 31, 2020");
  await alice.delete(`/repos/alice/r/milestones/${late.id}`).expect(204);
  const one = `${path}/${made.id}`;
  await send(one, one, { title: "Version 1" });
  await send(path, `${one}/close`);
  expect(await alice.get(`/repos/alice/r/milestones/${made.id}`).expect(200)).toMatchObject({
    title: "Version 1",
    state: "closed",
    due_on: "2030-01-31T23:59:59Z",
  });
  expect(await textOf(path)).toContain("No open milestones");
  await send(`${path}?state=closed`, `${one}/reopen`);
  expect(await textOf(`${path}?state=closed`)).toContain("No closed milestones");
  await send(path, `${one}/delete`);
  expect(await alice.get("/repos/alice/r/milestones?state=all").expect(200)).toEqual([]);
});

test("labels are sorted, and one beyond the first page is edited", async () => {
  await alice.post("/user/repos", { name: "many" }).expect(201);
  const path = "/alice/many/labels";
  const ids: number[] = [];
  for (let at = 1; at <= 60; at += 1)
    ids.push((await alice.post("/repos/alice/many/labels", { name: `l${String(at).padStart(2, "0")}`, color: "#00ff00" }).expect(201)).id);
  const first = async (query: string) => /l\d\d/.exec((await textOf(path + query)).split("Name, Z to A")[1] ?? "")?.[0];
  expect([await first(""), await first("?sort=name-desc"), await first("?sort=newest"), await first("?sort=oldest")]).toEqual(["l01", "l60", "l60", "l01"]);
  expect((await visitor.get(`${path}?sort=newest`)).text).toContain("sort=newest&amp;page=2");
  await alice.post("/repos/alice/many/issues", { title: "One", labels: [ids[41], ids[6]] }).expect(201);
  await alice.post("/repos/alice/many/issues", { title: "Two", labels: [ids[41]] }).expect(201);
  await alice.post("/repos/alice/many/issues", { title: "Closed", labels: [ids[6]], closed: true }).expect(201);
  expect((await textOf(`${path}?sort=issues`)).match(/l\d\d(?= .*?open issue)/g)?.slice(0, 2)).toEqual(["l42", "l07"]);
  expect((await visitor.get(`${path}?sort=issues`)).text).toContain("sort=issues&amp;page=2");
  const last = `${path}/${ids.at(-1)}`;
  expect((await owner.get(last)).form(last).name).toBe("l60");
  expect((await owner.get(`${path}/999999`)).status).toBe(404);
});

test("lists run a constant number of statements", async () => {
  const cost = async (path: string) => (await forge.cost(() => owner.get(path))).statements.length;
  const add = async (name: string) => {
    await alice.post("/repos/alice/r/labels", { name, color: "#00ff00" }).expect(201);
    await alice.post("/repos/alice/r/milestones", { title: name }).expect(201);
  };
  await add("first");
  const few = [await cost("/alice/r/labels"), await cost("/alice/r/milestones")];
  for (const name of ["a", "b", "c"]) await add(name);
  expect([await cost("/alice/r/labels"), await cost("/alice/r/milestones")]).toEqual(few);
  expect(few).toEqual([6, 5]);
});
