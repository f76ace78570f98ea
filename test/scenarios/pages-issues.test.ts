import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { type ReadPage, readPage } from "../kit/page.ts";

/** Issue pages without JavaScript. */

const evil = '"><img src=x onerror=alert(1)><script>alert(2)</script>';

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let visitor: Browser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
    await alice.post("/user/repos", { name: "r", auto_init: true }).expect(201);
    await alice.post("/user/repos", { name: "plain" }).expect(201);
    await alice.patch("/repos/alice/plain", { has_issues: false }).expect(200);
    visitor = createBrowser(forge.url);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const open = async (path: string, browser = visitor): Promise<ReadPage & { readonly status: number }> => {
    const { status, text } = await browser.get(path);
    const page = readPage(text);
    expect(page.dangers, path).toEqual([]);
    return { status, ...page };
  };
  const signedIn = async (user: TestUser): Promise<Browser> => {
    const browser = createBrowser(forge.url);
    await browser.signIn(user);
    return browser;
  };

  describe("issue pages", () => {
    test("German sentences have the time and the object in front of the verb", async () => {
      await alice.post("/user/repos", { name: "deutsch", auto_init: true }).expect(201);
      await alice.post("/repos/alice/deutsch/labels", { name: "frost", color: "#1565c0" }).expect(201);
      await alice.post("/repos/alice/deutsch/issues", { title: "Kalt", body: "", assignees: ["alice"] }).expect(201);
      await alice.post("/repos/alice/deutsch/issues/1/labels", { labels: ["frost"] }).expect(200);
      await alice.patch("/repos/alice/deutsch/issues/1", { state: "closed" }).expect(201);
      const german = async (path: string): Promise<string> => readPage((await visitor.get(path, { "accept-language": "de" })).text).text;
      const time = "(?:gerade eben|vor \\d+ Sekunden?)";
      const shown = await german("/alice/deutsch/issues/1");
      for (const sentence of [
        `hat dies ${time} eröffnet`,
        `hat dies ${time} alice zugewiesen`,
        `hat ${time} das Label frost hinzugefügt`,
        `hat dies ${time} geschlossen`,
      ])
        expect(shown).toMatch(new RegExp(sentence));
      expect(await german("/alice/deutsch/issues?q=is:closed")).toMatch(new RegExp(`#1 ${time} von alice eröffnet`));
      await forge.settled();
      expect(await german("/alice?tab=activity")).toMatch(new RegExp(`alice hat ${time} das Issue #1 in alice/deutsch geschlossen`));
    });

    test("an issue is opened, commented on, closed with a comment, and found", async () => {
      const browser = await signedIn(bob);
      expect((await open("/alice/r/issues", browser)).text).toContain("No issues yet");
      const opened = await browser.submit(await browser.get("/alice/r/issues/new"), "/alice/r/issues/new", {
        title: `Odd ${evil}`,
        content: `Look: ${evil}\n\n@alice #1`,
      });
      expect([opened.status, opened.location]).toEqual([303, "/alice/r/issues/1"]);
      const page = await browser.get("/alice/r/issues/1");
      const answered = await browser.submit(page, "/alice/r/issues/1/comments", { content: "More **words**", action: "comment" });
      expect(answered.location).toMatch(/^\/alice\/r\/issues\/1#issuecomment-\d+$/);
      const closed = await browser.submit(page, "/alice/r/issues/1/comments", { content: "Done.", action: "close" });
      expect(closed.status).toBe(303);
      expect(await alice.get("/repos/alice/r/issues/1").expect(200)).toMatchObject({ state: "closed", comments: 2, title: `Odd ${evil}` });
      const read = await open("/alice/r/issues/1");
      expect(read.headings).toEqual([`Odd ${evil} #1`]);
      expect((await open("/alice/r/issues/1", browser)).links).toEqual(expect.arrayContaining(["/alice/r/issues/1/edit", "/alice/r/issues/new"]));
      expect(read.links).not.toContain("/alice/r/issues/1/edit");
      for (const words of [evil, "More words", "Done.", "bob closed this", "Closed"]) expect(read.text).toContain(words);
      expect(read.links).toContain("/user/login?redirect_to=%2Falice%2Fr%2Fissues%2F1");
      expect((await open("/alice/r/issues")).links).not.toContain("/alice/r/issues/1");
      const beyond = await open("/alice/r/issues?q=is%3Aclosed&page=99999");
      expect(beyond.text).toContain("Page 99999 does not exist.");
      expect((await open("/alice/r/issues?q=is%3Aclosed+odd+author%3Abob")).links).toContain("/alice/r/issues/1");
      expect((await open("/alice/r/issues?q=is%3Aclosed+author%3A%40me", browser)).links).toContain("/alice/r/issues/1");
      for (const unknown of ["label:nosuch", "milestone:nosuch", "author:nosuch", "lable:bug", "no:reason", "is:strange", "sort:strange", "-label:bug"]) {
        const page = await open(`/alice/r/issues?q=${encodeURIComponent(`is:closed ${unknown}`)}`);
        expect([unknown, page.links.includes("/alice/r/issues/1"), page.text.includes(`because these do not exist: ${unknown}.`)]).toEqual([
          unknown,
          false,
          true,
        ]);
      }
      const closedAll = await open("/alice/r/issues");
      expect([closedAll.text.includes("No open items"), closedAll.links.includes("/alice/r/issues?q=is%3Aclosed")]).toEqual([true, true]);
      expect((await open("/alice/r/issues?q=author%3Anobody")).text).toContain("No results");
      await browser.submit(await browser.get("/alice/r/issues/1"), "/alice/r/issues/1/comments", { content: "", action: "reopen" });
      expect(await alice.get("/repos/alice/r/issues/1").expect(200)).toMatchObject({ state: "open", comments: 2 });
    });

    test("users with write access can set labels, assignees and a milestone of a new issue", async () => {
      const label = await alice.post("/repos/alice/r/labels", { name: "early", color: "#00aabb" }).expect(201);
      const milestone = await alice.post("/repos/alice/r/milestones", { title: "0.9" }).expect(201);
      const [path, plan] = ["/alice/r/issues/new", { title: "Sorted", labels: `${label.id}`, milestone: `${milestone.id}`, assignees: "alice" }];
      const browser = await signedIn(alice);
      const refused = await browser.submit(await browser.get(path), path, { ...plan, assignees: "nobody-here" });
      expect([refused.status, refused.form(path)]).toMatchObject([
        422,
        { title: "Sorted", labels: `${label.id}`, milestone: `${milestone.id}`, assignees: "nobody-here" },
      ]);
      expect(refused.text).toMatch(/id="assignees-problem"[^>]*>User not found/);
      const opened = await browser.submit(refused, path, { assignees: "alice" });
      const sorted = { labels: [{ name: "early" }], milestone: { title: "0.9" }, assignees: [{ login: "alice" }] };
      expect(await alice.get(`/repos${opened.location}`).expect(200)).toMatchObject(sorted);
      const stranger = await signedIn(bob);
      const form = await stranger.get(path);
      expect(form.text).not.toContain('name="assignees"');
      const plain = await stranger.submit(form, path, { ...plan, plans: "true" });
      expect(await alice.get(`/repos${plain.location}`).expect(200)).toMatchObject({ labels: [], milestone: null, assignees: null });
    });

    test("the timeline shows events, with links to labels and milestones", async () => {
      const label = await alice.post("/repos/alice/r/labels", { name: "good first", color: "#00aabb" }).expect(201);
      const milestone = await alice.post("/repos/alice/r/milestones", { title: "1.0" }).expect(201);
      const issue = await alice.post("/repos/alice/r/issues", { title: "Told", labels: [label.id], milestone: milestone.id, assignees: ["alice"] }).expect(201);
      await alice.patch(`/repos/alice/r/issues/${issue.number}`, { title: "Told again" }).expect(201);
      const page = await open(`/alice/r/issues/${issue.number}`);
      for (const words of ["added the label good first", "added this to the milestone 1.0", "assigned alice", "changed the title to Told again"])
        expect(page.text).toContain(words);
      expect(page.links).toContain("/alice/r/issues?q=is%3Aopen+label%3A%22good+first%22");
      expect((await open('/alice/r/issues?q=is%3Aopen+label%3A"good+first"')).text).toContain("Told again");
    });

    test("a rejected form keeps its input", async () => {
      const browser = await signedIn(bob);
      const form = await browser.get("/alice/r/issues/new");
      const refused = await browser.submit(form, "/alice/r/issues/new", { title: " ", content: "A long story" });
      expect([refused.status, refused.text.includes("Enter a title."), refused.text.includes("A long story")]).toEqual([422, true, true]);
      const [first, second] = [
        await alice.post("/repos/alice/r/issues", { title: "Waits" }).expect(201),
        await alice.post("/repos/alice/r/issues", { title: "First" }).expect(201),
      ];
      await alice.post(`/repos/alice/r/issues/${first.number}/dependencies`, { index: second.number, owner: "alice", repo: "r" }).expect(201);
      const owner = await signedIn(alice);
      const path = `/alice/r/issues/${first.number}/comments`;
      const waiting = await owner.submit(await owner.get(`/alice/r/issues/${first.number}`), path, { content: "Closing it", action: "close" });
      expect([waiting.status, waiting.text.includes("Closing it"), waiting.text.includes("open dependencies")]).toEqual([422, true, true]);
      expect(await alice.get(`/repos/alice/r/issues/${first.number}`).expect(200)).toMatchObject({ state: "open", comments: 0 });
    });

    test("forms are accepted from signed-in users and from pages of this server only", async () => {
      expect((await visitor.get("/alice/r/issues/new")).location).toMatch(/^\/user\/login/);
      const browser = await signedIn(bob);
      const form = (await browser.get("/alice/r/issues/new")).form("/alice/r/issues/new");
      const foreign = await browser.post("/alice/r/issues/new", { ...form, title: "x" }, { origin: "http://evil.example", "sec-fetch-site": "cross-site" });
      const unsigned = await browser.post("/alice/r/issues/new", { title: "x", content: "" });
      expect([foreign.status, unsigned.status]).toEqual([403, 403]);
    });

    test("users with write access can set labels, assignees, milestone and due date; a rejected form keeps its input", async () => {
      await alice.post("/user/repos", { name: "planned" }).expect(201);
      const bug = await alice.post("/repos/alice/planned/labels", { name: "bug", color: "#aa0000" }).expect(201);
      const ui = await alice.post("/repos/alice/planned/labels", { name: "ui", color: "#00aa00" }).expect(201);
      const spring = await alice.post("/repos/alice/planned/milestones", { title: "Spring" }).expect(201);
      await bob.post("/repos/alice/planned/issues", { title: "Plan me" }).expect(201);
      const browser = await signedIn(alice);
      const page = "/alice/planned/issues/1";
      const at = (part: string): string => `${page}/side/${part}`;
      const formOf = async (part: string) => (await browser.get(page)).form(at(part));
      const send = async (part: string, fields: readonly (readonly [string, string])[]) => {
        const body = new URLSearchParams([["_csrf", (await formOf(part))._csrf ?? ""], ...fields.map(([name, value]): [string, string] => [name, value])]);
        return browser.post(at(part), body);
      };
      const refused = await send("assignees", [
        ["people", "alice"],
        ["assignees", "no-such-user"],
      ]);
      expect([refused.status, refused.form(at("assignees")).assignees]).toEqual([422, "no-such-user"]);
      const late = await send("deadline", [["deadline", "soon"]]);
      expect([late.status, late.form(at("deadline")).deadline]).toEqual([422, "soon"]);
      const ticked = await send("labels", [
        ["labels", `${bug.id}`],
        ["labels", `${ui.id}`],
      ]);
      expect([ticked.status, ticked.location]).toEqual([303, `${page}#side-labels`]);
      expect((await browser.get("/alice/planned/labels")).text.match(/\d+ open issues?/g)).toEqual(["1 open issue", "1 open issue"]);
      await send("assignees", [
        ["people", "alice"],
        ["assignees", "bob"],
      ]);
      await send("milestone", [["milestone", `${spring.id}`]]);
      await send("deadline", [["deadline", "2030-01-31"]]);
      const { labels, assignees, milestone, due_date } = await alice.get("/repos/alice/planned/issues/1").expect(200);
      const namesOf = (things: readonly { readonly name?: string; readonly login?: string }[]) => things.map(({ name, login }) => login ?? name);
      expect([namesOf(labels), namesOf(assignees), milestone.title, due_date]).toEqual([["bug", "ui"], ["alice", "bob"], "Spring", "2030-01-31T23:59:59Z"]);
      // Each part changes nothing else.
      await send("labels", [["labels", `${ui.id}`]]);
      await send("assignees", [["assignees", ""]]);
      expect(await alice.get("/repos/alice/planned/issues/1").expect(200)).toMatchObject({
        labels: [{ name: "ui" }],
        assignees: null,
        milestone: { title: "Spring" },
      });
      await send("milestone", [["milestone", "0"]]);
      await send("deadline", [["deadline", ""]]);
      const assigned = await send("assignees", [["self", "true"]]);
      expect(assigned.status).toBe(303);
      expect(await alice.get("/repos/alice/planned/issues/1").expect(200)).toMatchObject({
        labels: [{ name: "ui" }],
        assignees: [{ login: "alice" }],
        milestone: null,
        due_date: null,
      });
      expect((await browser.get(at("labels"))).form(at("labels")).labels).toBe(`${ui.id}`);
      expect((await browser.get(at("else"))).status).toBe(404);
      expect((await open(page)).text).toContain("1 participant");
      const reader = await signedIn(bob);
      expect((await reader.get(page)).text).not.toContain("/side/");
      const token = (await reader.get(page)).form(`${page}/subscription`)._csrf ?? "";
      expect((await reader.post(at("labels"), { _csrf: token, labels: `${bug.id}` })).status).toBe(403);
    });

    test("the page of an archived repository says why its readers cannot comment", async () => {
      await alice.post("/user/repos", { name: "shelved" }).expect(201);
      await alice.post("/repos/alice/shelved/issues", { title: "One" }).expect(201);
      await alice.patch("/repos/alice/shelved", { archived: true }).expect(200);
      const { text } = await open("/alice/shelved/issues/1", await signedIn(alice));
      expect([text.includes("This repository is archived. You cannot comment."), text.includes("conversation is locked")]).toEqual([true, false]);
    });

    test("several issues are changed in a list, all of them or none", async () => {
      await alice.post("/user/repos", { name: "many" }).expect(201);
      const label = await alice.post("/repos/alice/many/labels", { name: "bug", color: "#aa0000" }).expect(201);
      for (const title of ["One", "Two", "Three"]) await alice.post("/repos/alice/many/issues", { title }).expect(201);
      await alice.post("/repos/alice/many/issues/2/dependencies", { index: 3, owner: "alice", repo: "many" }).expect(201);
      const browser = await signedIn(alice);
      const action = "/alice/many/issues/bulk";
      const send = async (numbers: readonly number[], fields: Readonly<Record<string, string>>, from = browser) => {
        const body = new URLSearchParams({ ...(await browser.get("/alice/many/issues?q=is%3Aopen+o")).form(action), ...fields });
        for (const number of numbers) body.append("numbers", `${number}`);
        return from.post(action, body);
      };
      const states = async () =>
        (await alice.get("/repos/alice/many/issues?state=all").expect(200)).map(({ state, labels }: { state: string; labels: unknown[] }) => [
          state,
          labels.length,
        ]);
      const refused = await send([1, 2], { state: "close", add_label: `${label.id}`, assign: "bob" });
      expect([refused.status, refused.form(action).assign, refused.text.includes("#2: It is blocked by open dependencies. No changes were made.")]).toEqual([
        422,
        "bob",
        true,
      ]);
      expect(await states()).toEqual([
        ["open", 0],
        ["open", 0],
        ["open", 0],
      ]);
      const unknown = await send([1], { assign: "nosuch" });
      expect([unknown.status, readPage(unknown.text).text]).toEqual([422, expect.stringContaining("User not found.")]);
      expect(unknown.text).not.toContain("Assignee does not exist");
      expect(unknown.text).toMatch(/<input id="assign"[^>]*aria-invalid="true"/);
      expect(unknown.text).toContain('id="assign-problem"');
      expect((await send([], { state: "close" })).text).toContain("Select at least one item.");
      const empty = await send([1, 2], {});
      expect([empty.status, readPage(empty.text).text]).toEqual([422, expect.stringContaining("Select at least one change.")]);
      const done = await send([1, 3], { state: "close", add_label: `${label.id}`, assign: "bob" });
      expect([done.status, done.location]).toEqual([303, "/alice/many/issues?q=is%3Aopen+o&changed=2"]);
      expect(await states()).toEqual([
        ["closed", 1],
        ["open", 0],
        ["closed", 1],
      ]);
      expect((await open("/alice/many/issues", await signedIn(bob))).text).not.toContain("Bulk actions");
      expect((await send([2], { state: "close" }, await signedIn(bob))).status).toBe(403);
    });

    test("the undo of a change of one selected issue undoes that change, and not an earlier one of several issues", async () => {
      await alice.post("/user/repos", { name: "undone" }).expect(201);
      for (const title of ["One", "Two", "Three"]) await alice.post("/repos/alice/undone/issues", { title }).expect(201);
      const browser = await signedIn(alice);
      const [list, action] = ["/alice/undone/issues?q=is%3Aopen", "/alice/undone/issues/bulk"];
      const close = async (...numbers: readonly number[]) => {
        const body = new URLSearchParams({ ...(await browser.get(list)).form(action), state: "close" });
        for (const number of numbers) body.append("numbers", `${number}`);
        return browser.get((await browser.post(action, body)).location ?? "");
      };
      await close(1, 2);
      const undone = await browser.submit(await close(3), `${action}/undo`);
      expect(undone.location).toBe(`${list}&undone=1`);
      const states = (await alice.get("/repos/alice/undone/issues?state=all").expect(200)).map(({ number, state }: { number: number; state: string }) => [
        number,
        state,
      ]);
      expect(states).toEqual([
        [3, "open"],
        [2, "closed"],
        [1, "closed"],
      ]);
    });

    test("all matches of a search are changed after a preview of their number, and the change is undone", async () => {
      await alice.post("/user/repos", { name: "all" }).expect(201);
      const [bug, old] = [
        await alice.post("/repos/alice/all/labels", { name: "bug", color: "#aa0000" }).expect(201),
        await alice.post("/repos/alice/all/labels", { name: "old", color: "#00aa00" }).expect(201),
      ];
      for (let at = 1; at <= 35; at += 1) await alice.post("/repos/alice/all/issues", { title: `Wheel ${at}`, labels: [old.id] }).expect(201);
      await alice.post("/repos/alice/all/issues", { title: "Other", labels: [bug.id] }).expect(201);
      const browser = await signedIn(alice);
      const list = "/alice/all/issues?q=is%3Aopen+wheel";
      const action = "/alice/all/issues/bulk";
      expect((await open(list, browser)).text).toContain("Apply to all 35 matches of the search");
      const fields = { ...(await browser.get(list)).form(action), all: "true", state: "close", add_label: `${bug.id}`, assign: "bob" };
      expect((await browser.post(action, { ...fields, state: "", add_label: "", assign: "" })).text).toContain("Select at least one change.");
      const preview = await browser.post(action, fields);
      const text = readPage(preview.text).text;
      for (const words of ["These changes will be made to 35 items that match", "Close", "Add label: bug", "Assign to: bob", "Change 35 items"])
        expect(text).toContain(words);
      const openIssues = async (): Promise<number> => (await alice.get("/repos/alice/all").expect(200)).open_issues_count;
      expect(await openIssues()).toBe(36);
      // The number of matches has changed since the preview: it is shown again.
      await alice.patch("/repos/alice/all/issues/35", { state: "closed" }).expect(201);
      const again = await browser.submit(preview, action);
      expect([again.status, readPage(again.text).text.includes("Change 34 items"), await openIssues()]).toEqual([200, true, 35]);
      const done = await browser.submit(again, action);
      expect([done.status, done.location, await openIssues()]).toEqual([303, `${list}&changed=34`, 1]);
      expect(await alice.get("/repos/alice/all/issues/1").expect(200)).toMatchObject({ state: "closed", labels: [{ name: "bug" }, { name: "old" }] });

      // A field that was changed since then stays.
      await alice.patch("/repos/alice/all/issues/1", { state: "open" }).expect(201);
      const changed = await browser.get(done.location ?? "");
      expect(readPage(changed.text).text).toContain("34 items were changed.");
      const undone = await browser.submit(changed, `${action}/undo`);
      expect(undone.location).toBe(`${list}&undone=34`);
      expect((await open(undone.location ?? "", browser)).text).toContain("The changes of 34 items were undone.");
      expect(await openIssues()).toBe(35);
      for (const number of [1, 20]) {
        const issue = await alice.get(`/repos/alice/all/issues/${number}`).expect(200);
        expect(issue).toMatchObject({ state: "open", labels: [{ name: "old" }], assignees: null });
      }
      // It is undone once.
      expect((await browser.submit(changed, `${action}/undo`)).location).toBe(`${list}&undone=0`);
    });

    test("an issue is closed as not planned or as a duplicate, which the list, the timeline and searches show", async () => {
      await alice.post("/user/repos", { name: "reasons" }).expect(201);
      for (const title of ["One", "Two", "Three"]) await alice.post("/repos/alice/reasons/issues", { title }).expect(201);
      const browser = await signedIn(alice);
      for (const [number, action] of [
        [1, "close_not_planned"],
        [2, "close_duplicate"],
        [3, "close"],
      ] as const)
        await browser.submit(await browser.get(`/alice/reasons/issues/${number}`), `/alice/reasons/issues/${number}/comments`, { content: "", action });
      expect((await open("/alice/reasons/issues/1")).text).toContain("alice closed this as not planned");
      expect((await open("/alice/reasons/issues/2")).text).toContain("Closed as duplicate");
      const found = async (typed: string) =>
        (await open(`/alice/reasons/issues?q=${encodeURIComponent(typed)}`)).links.filter((link) => /issues\/\d+$/.test(link));
      expect(await found('reason:"not planned"')).toEqual(["/alice/reasons/issues/1"]);
      expect(await found("reason:completed")).toEqual(["/alice/reasons/issues/3"]);
      expect(await found("-reason:duplicate,completed")).toEqual(["/alice/reasons/issues/1"]);
      await browser.submit(await browser.get("/alice/reasons/issues/1"), "/alice/reasons/issues/1/comments", { content: "", action: "reopen" });
      expect(await found('reason:"not planned"')).toEqual([]);
    });

    test("a comment is quoted, hidden with a reason and shown again; a deleted issue is gone", async () => {
      await alice.post("/user/repos", { name: "talk", auto_init: true }).expect(201);
      const browser = await signedIn(bob);
      const writer = await signedIn(alice);
      const path = "/alice/talk/issues/1";
      await bob.post("/repos/alice/talk/issues", { title: "Quotes", body: "first\n\nsecond" }).expect(201);
      const { id } = await bob.post<{ id: number }>("/repos/alice/talk/issues/1/comments", { body: `a ${evil}\nb` }).expect(201);
      const quoted = async (of: string): Promise<string | undefined> => (await browser.get(`${path}?quote=${of}`)).form(`${path}/comments`).content;
      expect([await quoted("issue"), await quoted(`${id}`), await quoted("999999"), await quoted("x")]).toEqual([
        "> first\n> \n> second\n\n",
        `> a ${evil}\n> b\n\n`,
        "",
        "",
      ]);
      const shown = await open(path, writer);
      expect(shown.links).toContain(`${path}?quote=${id}#answer`);
      expect((await open(path)).links.filter((link) => link.includes("?quote="))).toEqual([]);

      const hiding = `${path}/comments/${id}/hide`;
      const token = async (one: Browser) => (await one.get(path)).form(`${path}/comments`);
      const offers = async (one: Browser, action: string): Promise<boolean> => (await one.get(path)).text.includes(`action="${action}"`);
      expect([await offers(writer, hiding), await offers(browser, hiding), await offers(visitor, hiding)]).toEqual([true, false, false]);
      expect((await browser.post(hiding, { ...(await token(browser)), reason: "spam" })).status).toBe(403);
      expect((await writer.post(hiding, { ...(await token(writer)), reason: "boring" })).status).toBe(422);
      expect((await writer.submit(await writer.get(path), hiding, { reason: "off_topic" })).location).toBe(`${path}#issuecomment-${id}`);
      expect((await open(path)).text).toContain("This comment was hidden as off-topic.");
      expect(await bob.get(`/repos/alice/talk/issues/comments/${id}`).expect(200)).toMatchObject({ body: `a ${evil}\nb` });
      await bob.patch(`/repos/alice/talk/issues/comments/${id}`, { body: "edited" }).expect(200);
      expect((await open(path)).text).toContain("This comment was hidden as off-topic.");
      await writer.submit(await writer.get(path), hiding, { reason: "" });
      expect((await open(path)).text).not.toContain("hidden as");

      expect([await offers(writer, `${path}/delete`), await offers(browser, `${path}/delete`)]).toEqual([true, false]);
      expect((await browser.post(`${path}/delete`, { ...(await token(browser)), confirmed: "true" })).status).toBe(403);
      expect((await writer.post(`${path}/delete`, await token(writer))).location).toBe(path);
      expect((await writer.submit(await writer.get(path), `${path}/delete`)).location).toBe("/alice/talk/issues?saved=deleted");
      expect([(await open(path)).status, (await alice.get("/repos/alice/talk").expect(200)).open_issues_count]).toEqual([404, 0]);
    });

    test("an issue shows tracked times, dependencies, subscriptions, reactions, pins and locks", async () => {
      const base = "/alice/timed/issues/1";
      await alice.post("/user/repos", { name: "timed" }).expect(201);
      for (const title of ["Plan me", "First this"]) await alice.post("/repos/alice/timed/issues", { title }).expect(201);
      const browser = await signedIn(alice);
      const act = async (part: string, fields: Readonly<Record<string, string>>) => browser.submit(await browser.get(base), `${base}/${part}`, fields);
      const issueText = async (): Promise<string> => (await open(base, browser)).text;
      expect((await act("times", { time: "a while" })).text).toContain("Enter a time such as 1h 30m.");
      await act("times", { time: "1h 30m" });
      expect((await act("estimate", { estimate: "long" })).text).toContain("Enter a time such as 1h 30m.");
      await act("estimate", { estimate: "2h 5m" });
      expect(await issueText()).toContain("2 hours 5 minutes estimated");
      await act("estimate", { estimate: "" });
      expect(await issueText()).toContain("removed the estimate");
      await act("stopwatch", { step: "start" });
      expect(await issueText()).toContain("1 hour 30 minutes spent Your timer has been running for");
      await act("stopwatch", { step: "cancel" });
      expect((await act("dependencies", { other: "#99" })).text).toContain("Issue not found in this repository.");
      expect((await act("dependencies", { other: "#1" })).text).toContain("An issue cannot depend on itself.");
      await act("dependencies", { other: "#2" });
      expect(await issueText()).toContain("Blocked by First this #2");
      expect(
        (await browser.post(`${base}/dependencies`, { ...(await browser.get(base)).form(`${base}/dependencies`), other: "#2", remove: "true" })).status,
      ).toBe(303);
      await act("subscription", {});
      const [tracked] = await alice.get(`/repos${base}/times`).expect(200);
      await act("times", { time: "7m" });
      expect(await issueText()).toContain("7 minutes");
      const times = await alice.get<{ id: number }[]>(`/repos${base}/times`).expect(200);
      await act(`times/${times.at(-1)?.id}/delete`, {});
      expect((await alice.get<{ id: number }[]>(`/repos${base}/times`).expect(200)).map(({ id }) => id)).toEqual([tracked.id]);
      await act("pin", {});
      await alice.post("/repos/alice/timed/issues/2/pin").expect(204);
      const moved = "/alice/timed/issues/2/pin/move";
      const pins = await browser.get("/alice/timed/issues");
      expect([pins.form(moved).position, (await browser.submit(pins, moved)).location]).toEqual(["1", "/alice/timed/issues"]);
      expect((await alice.get<{ number: number }[]>("/repos/alice/timed/issues/pinned").expect(200)).map(({ number }) => number)).toEqual([2, 1]);
      expect((await visitor.get("/alice/timed/issues")).text).not.toContain("/pin/move");
      await alice.delete("/repos/alice/timed/issues/2/pin").expect(204);
      await act("lock", { reason: "Too <b>heated" });
      await act("reactions", { add: "rocket" });
      expect(await alice.get(`/repos${base}`).expect(200)).toMatchObject({ pin_order: 2, is_locked: true });
      expect(await alice.get(`/repos${base}/reactions`).expect(200)).toMatchObject([{ content: "rocket", user: { login: "alice" } }]);
      expect((await open("/alice/timed/issues?q=none")).links).not.toContain(base);
      expect((await open("/alice/timed/issues")).links.filter((link) => link === base)).toHaveLength(2);
      const page = await issueText();
      for (const words of [
        "You are only notified when you are mentioned.",
        "Unlock",
        "alice locked this: Too <b>heated",
        "Unpin",
        "🚀 1",
        "alice added spent time 1 hour 30 minutes",
        "alice added a dependency between this and First this",
        "First this",
      ])
        expect(page).toContain(words);
      await act("reactions", { add: "", remove: "rocket" });
      expect(await alice.get(`/repos${base}/reactions`).expect(200)).toBeNull();
    });

    test("issues can be created from templates and forms of the repository", async () => {
      await alice.post("/user/repos", { name: "formal", auto_init: true }).expect(201);
      await alice.post("/repos/alice/formal/labels", { name: "bug", color: "#aa0000" }).expect(201);
      const form = `name: Bug\nabout: Something is broken\ntitle: "[Bug] "\nlabels: [bug]\nbody:\n  - type: markdown\n    attributes: { value: "Thank **you** ${"<b onclick=x>"}" }\n  - type: textarea\n    id: Log-1\n    attributes: { label: Log, description: "*All* of it, [as told](https://guide.example/) <img src=x onerror=x>", placeholder: I saw }\n    validations: { required: true }\n  - type: input\n    id: drops\n    attributes: { label: Drops }\n    validations: { is_number: true, regex: "[0-9]" }\n  - type: checkboxes\n    id: terms\n    attributes: { label: Terms, description: "See **rules**", options: [{ label: "I have [looked](/rules)", required: true }, { label: I can help }] }\n  - type: dropdown\n    id: where\n    attributes: { label: Where, options: [Roof, Cellar], default: 1 }\n`;
      const put = async (path: string, text: string): Promise<void> => {
        await alice.post(`/repos/alice/formal/contents/${path}`, { content: Buffer.from(text).toString("base64") }).expect(201);
      };
      const browser = await signedIn(alice);
      const path = "/alice/formal/issues/new";
      expect((await browser.get(path)).status).toBe(200);
      await put(".gitea/ISSUE_TEMPLATE/bug.yml", form);
      await put(".gitea/ISSUE_TEMPLATE/idea.md", "---\nname: Idea\nabout: What is missing\n---\nIt would be nice if\n");
      await put(".gitea/ISSUE_TEMPLATE/config.yml", "contact_links:\n  - { name: Chat, url: https://chat.example/, about: Ask there }\n");
      expect((await browser.get(path)).location).toBe(`${path}/choose`);
      const choose = await open(`${path}/choose`, browser);
      expect(choose.links).toEqual(expect.arrayContaining(["https://chat.example/", `${path}?blank=true`]));
      const [bug = "", idea = ""] = choose.links.filter((link) => link.includes("template="));
      expect((await browser.get(idea)).form(path).content).toBe("It would be nice if\n");
      const requested = await browser.get(bug);
      expect([readPage(requested.text).dangers, requested.form(path).title, requested.text.includes("<strong>you</strong>")]).toEqual([[], "[Bug] ", true]);
      for (const shown of ["<em>All</em> of it", "https://guide.example/", 'placeholder="I saw"', "<strong>rules</strong>", ">looked</a>"])
        expect(requested.text).toContain(shown);
      expect([requested.form(path)["answers.where"], (await browser.get(`${path}?template=bug.yml`)).form(path).title]).toEqual(["Cellar", "[Bug] "]);
      const refused = await browser.submit(requested, path, { title: "[Bug] Rain", "answers.Log-1": "drip,\r\ndrop", "ticks.terms": "1" });
      expect([refused.status, refused.form(path)["answers.Log-1"], refused.text.includes("Select the required options.")]).toEqual([422, "drip,\ndrop", true]);
      for (const [drops, words] of [
        ["many", "Enter a number."],
        ["12", "Enter a value in the requested format."],
      ] as const) {
        const again = await browser.submit(refused, path, { "ticks.terms": "0", "answers.drops": drops });
        expect([again.status, again.form(path)["answers.drops"], again.text.includes(words)]).toEqual([422, drops, true]);
      }
      const opened = await browser.submit(refused, path, { "ticks.terms": "0", "answers.drops": "7" });
      expect([opened.status, opened.location]).toEqual([303, "/alice/formal/issues/1"]);
      expect(await alice.get("/repos/alice/formal/issues/1").expect(200)).toMatchObject({
        title: "[Bug] Rain",
        body: "### Log\n\ndrip,\ndrop\n\n### Drops\n\n7\n\n### Terms\n\n- [x] I have [looked](/rules)\n- [ ] I can help\n\n### Where\n\nCellar",
        labels: [{ name: "bug" }],
      });
    });

    test("edited texts show their history to all readers", async () => {
      const { number } = await alice.post("/repos/alice/r/issues", { title: "Edited", body: `First line\nOld ${evil}` }).expect(201);
      const path = `/alice/r/issues/${number}`;
      expect((await open(path)).links).not.toContain(`${path}/history`);
      await alice.patch(`/repos${path}`, { body: "First line\nNew words" }).expect(201);
      const comment = await bob.post(`/repos${path}/comments`, { body: "Mine" }).expect(201);
      await bob.patch(`/repos/alice/r/issues/comments/${comment.id}`, { body: "Mine, again" }).expect(200);
      const page = await open(path);
      expect(page.links).toEqual(expect.arrayContaining([`${path}/history`, `${path}/history?comment=${comment.id}`]));
      const { text } = await visitor.get(`${path}/history`);
      expect([text.includes("<ins>New words\n</ins>"), text.includes("<span>First line\n</span>")]).toEqual([true, true]);
      expect((await open(`${path}/history`)).text).toContain("2 versions");
      expect((await open(`${path}/history?comment=${comment.id}`)).text).toContain("Mine, again");
      expect((await visitor.get(`/alice/r/issues/1/history?comment=${comment.id}`)).status).toBe(404);
    });

    test("suggestions find readable issues by number and words", async () => {
      const { number } = await alice.post("/repos/alice/r/issues", { title: "Zebra crossing" }).expect(201);
      const suggested = async (path: string, browser = visitor): Promise<unknown> => JSON.parse((await browser.get(path)).text);
      const zebra = { number, title: "Zebra crossing", path: `/alice/r/issues/${number}` };
      expect(await suggested("/alice/r/issues/suggestions?q=zebra")).toEqual([zebra]);
      expect(((await suggested(`/alice/r/issues/suggestions?q=${number}`)) as unknown[])[0]).toEqual(zebra);
      expect(await suggested("/alice/plain/issues/suggestions?q=zebra")).toEqual([]);
      const { statements } = await forge.cost(() => visitor.get(`/alice/r/issues/suggestions?q=${number}`));
      expect(statements).toHaveLength(4);
      await alice.post("/user/repos", { name: "hidden", private: true }).expect(201);
      expect((await visitor.get("/alice/hidden/issues/suggestions?q=a")).status).toBe(404);
      const { headers } = await visitor.get("/alice/r/issues/suggestions?q=zebra");
      expect([headers.get("cache-control"), headers.get("content-type")]).toEqual(["private, no-store", "application/json;charset=utf-8"]);
    });

    test("a locked issue is marked, and a missing one returns 404", async () => {
      const issue = await alice.post("/repos/alice/r/issues", { title: "Quiet" }).expect(201);
      await alice.put(`/repos/alice/r/issues/${issue.number}/lock`, { lock_reason: "Resolved" }).expect(204);
      const page = await open(`/alice/r/issues/${issue.number}`, await signedIn(bob));
      expect(page.text).toContain("This conversation is locked");
      expect((await open("/alice/r/issues/999")).status).toBe(404);
      expect((await open("/alice/plain")).links).not.toContain("/alice/plain/issues");
      // Anonymous visitors are led to the sign-in page, as for all hidden pages.
      expect((await open("/alice/plain/issues", await signedIn(bob))).status).toBe(404);
    });

    test("a page with many comments runs as many statements as one with few", async () => {
      const issue = await alice.post("/repos/alice/r/issues", { title: "Long" }).expect(201);
      const path = `/alice/r/issues/${issue.number}`;
      const say = () => alice.post(`/repos${path}/comments`, { body: "See @bob and @alice, and #1." }).expect(201);
      await say();
      await visitor.get(path);
      const few = await forge.cost(() => visitor.get(path));
      for (let count = 0; count < 12; count += 1) await say();
      await visitor.get(path);
      const many = await forge.cost(() => visitor.get(path));
      expect(many.statements).toHaveLength(few.statements.length);
    });
  });
});
