import { afterAll, beforeAll, expect, test } from "vitest";
import { inBrowser, type Visit } from "../kit/real-browser.ts";
import { openShowcase, type Showcase } from "../kit/showcase.ts";

/** Unsent texts are not lost, and forms that are sent twice have one effect. */

inBrowser("texts and drafts", ({ visit }) => {
  let showcase: Showcase;
  let issue: string;
  beforeAll(async () => {
    showcase = await openShowcase();
    issue = `${showcase.garden.path}/issues/${showcase.garden.issue}`;
  }, 240_000);
  afterAll(() => showcase?.[Symbol.asyncDispose]());

  const asOwner = async (): Promise<Visit> => {
    const visited = await visit(showcase.forge.url);
    await visited.enterAs(showcase.owner);
    return visited;
  };
  const field = "textarea[name=content]";
  const notice = ".draft";
  const kept = ({ page }: Visit): Promise<number> => page.evaluate("Object.keys(localStorage).length") as Promise<number>;
  const commentsWith = async (text: string): Promise<number> => {
    const comments = await showcase.owner.get<{ body: string }[]>(`/repos/ada/garden/issues/${showcase.garden.issue}/comments`).expect(200);
    return comments.filter(({ body }) => body === text).length;
  };

  test("a text survives the end of the session: after signing in again it is in its form", async () => {
    const one = await asOwner();
    const { page, open } = one;
    await open(issue);
    await page.fill(field, "A long thought");
    const elsewhere = await asOwner();
    await elsewhere.open("/user/sessions");
    await elsewhere.page.click("form[action='/user/sessions/end'] button");
    await page.click("button[value=comment]");
    await page.waitForURL(/\/user\/login/);
    // Without a session the draft could not be stored.
    one.pageErrors.splice(0, one.pageErrors.length, ...one.pageErrors.filter((line) => !/401: .*\/user\/drafts/.test(line)));
    await page.fill("[name=user_name]", showcase.owner.name);
    await page.fill("[name=password]", showcase.owner.password);
    await page.click("main button[type=submit]");
    await page.waitForURL((url) => url.pathname === issue);
    expect(await page.inputValue(field)).toBe("");
    await page.click(`${notice} >> text=Restore`);
    expect(await page.inputValue(field)).toBe("A long thought");
    await page.click("button[value=comment]");
    await page.waitForSelector(".timeline >> text=A long thought");
    expect([await page.locator(notice).count(), await kept(one), await commentsWith("A long thought")]).toEqual([0, 0, 1]);
  });

  test("a text that was just accepted is not offered again, in the settings of the account too", async () => {
    const { page, open, ready } = await asOwner();
    const key = `ssh-ed25519 ${Buffer.concat([Buffer.from("0000000b7373682d6564323535313900000020", "hex"), Buffer.alloc(32, 7)]).toString("base64")}`;
    await open("/user/settings/keys");
    const form = page.locator("form", { has: page.locator("textarea") });
    await form.locator("input[type=text]").first().fill("laptop");
    await form.locator("textarea").fill(key);
    await form.locator("button[type=submit]").click();
    await page.waitForSelector("text=laptop");
    await ready();
    expect(await page.locator(notice).count()).toBe(0);
    await open("/user/settings/keys");
    expect(await page.locator(notice).count()).toBe(0);
  });

  test("the text of a closed tab is offered in the next one, until it is discarded or its author signs out", async () => {
    const one = await asOwner();
    const { context, page, open } = one;
    await open(issue);
    await page.fill(field, "Half a thought");
    await page.close();
    const next = await context.newPage();
    await next.goto(issue);
    await next.click(`${notice} >> text=Discard`);
    await next.reload();
    expect(await next.locator(notice).count()).toBe(0);
    await next.fill(field, "Another one");
    await next.reload();
    await next.waitForSelector(notice);
    await next.click(".viewer summary");
    await next.click("text=Sign out");
    await next.waitForSelector("text=Sign in");
    expect(await next.evaluate("Object.keys(localStorage).length")).toBe(0);
  });

  test("a text is offered in other browsers, and no longer after it is sent", async () => {
    const here = await asOwner();
    await here.open(issue);
    await here.page.fill(field, "Begun at the desk");
    const drafts = (): Promise<unknown[]> => showcase.owner.get<unknown[]>(`/user/drafts?forms=${issue}/comments`).expect(200);
    await expect.poll(drafts, { timeout: 20_000 }).toEqual([expect.objectContaining({ fields: { content: "Begun at the desk" } })]);
    await expect.poll(() => here.page.evaluate("Object.values(localStorage).join()"), { timeout: 20_000 }).toContain("isOnServer");
    const there = await asOwner();
    await there.open(issue);
    await there.page.click(`${notice} >> text=Restore`);
    expect(await there.page.inputValue(field)).toBe("Begun at the desk");
    await there.page.click("button[value=comment]");
    await there.page.waitForSelector(".timeline >> text=Begun at the desk");
    expect(await drafts()).toEqual([]);
    await here.page.reload();
    await expect.poll(() => kept(here)).toBe(0);
    expect(await here.page.locator(notice).count()).toBe(0);
  });

  test("a rejected text stays in its form, and a sent one is no longer a draft", async () => {
    const one = await asOwner();
    const { page, open } = one;
    await open(`${showcase.garden.path}/issues/new`);
    await page.fill(field, "Words without a title");
    await page.fill("[name=title]", "  ");
    await page.click("text=Create issue");
    await page.waitForSelector("[role=alert]");
    expect([await page.inputValue(field), await page.locator(notice).count()]).toEqual(["Words without a title", 0]);
    await page.fill("[name=title]", "A title");
    await page.click("text=Create issue");
    await page.waitForURL(/\/issues\/\d+$/);
    expect(await kept(one)).toBe(0);
  });

  test("rejected settings are a draft until they are saved", async () => {
    const one = await asOwner();
    const { page, open } = one;
    await open(`${showcase.garden.path}/settings/keys`);
    await page.fill("textarea[name=key]", "no key at all");
    await page.fill("[name=title]", "machine");
    await page.click("form.stack button[type=submit]");
    await page.waitForSelector("[aria-invalid=true], [role=alert]");
    expect([await page.inputValue("textarea[name=key]"), await kept(one)]).toEqual(["no key at all", 1]);
  });

  test("a form that is sent twice has one effect, with and without JavaScript", async () => {
    const { page, open } = await asOwner();
    await open(issue);
    await page.fill(field, "Pressed twice");
    await page.dblclick("button[value=comment]");
    await page.waitForSelector(".timeline >> text=Pressed twice");
    expect(await commentsWith("Pressed twice")).toBe(1);
    await open(issue);
    await page.fill(field, "Sent at once");
    // The requests of several clicks, without the script that would block the later ones.
    const sent = (await page.evaluate(`Promise.all([1, 2, 3].map(async () => {
      const form = document.querySelector("form[action$='/comments']");
      const body = new URLSearchParams(new FormData(form));
      body.set("action", "comment");
      const answer = await fetch(form.getAttribute("action"), { method: "POST", body });
      return answer.url.replace(/.*#/, "");
    }))`)) as string[];
    expect([new Set(sent).size, await commentsWith("Sent at once")]).toEqual([1, 1]);
  });

  test("an edit of a text that another user has changed shows both versions and loses neither", async () => {
    const { page, open } = await asOwner();
    await open(issue);
    await page.click("#issue a:has-text('Edit')");
    await page.fill(field, "What I make of it");
    await showcase.reader.patch(`/repos${issue}`, { body: "not mine" }).expect(403);
    await showcase.forge.admin.patch(`/repos${issue}`, { body: "What the chief made of it\n\n- [ ] One\n- [ ] Two" }).expect(201);
    await page.click("text=Save");
    expect(await page.textContent("[role=alert]")).toContain("This was edited while you were writing");
    expect([await page.textContent(".theirs"), await page.inputValue(field)]).toEqual([
      "What the chief made of it\n\n- [ ] One\n- [ ] Two",
      "What I make of it",
    ]);
    await page.fill(field, "Both of it\n\n- [ ] Eins für später\n- [ ] Zwei");
    await page.click("text=Save my version");
    await page.waitForSelector("#issue >> text=Both of it");
    const read = async (): Promise<string> => (await showcase.owner.get<{ body: string }>(`/repos${issue}`).expect(200)).body;
    await page.click("#issue li:has-text('Zwei') input");
    await expect.poll(read).toBe("Both of it\n\n- [ ] Eins für später\n- [x] Zwei");
    await page.click("#issue li:has-text('Zwei') input");
    await expect.poll(read).toBe("Both of it\n\n- [ ] Eins für später\n- [ ] Zwei");
  });

  test("users and issues are suggested by the beginning of their names, and a shortcut sends the text", async () => {
    const { page, open, findAccessibilityIssues } = await asOwner();
    await open(issue);
    await page.waitForSelector(".site .inbox .count");
    await page.focus(field);
    await page.keyboard.type("Ask @be");
    await page.waitForSelector(".suggestions [aria-selected=true]:has-text('ben')");
    expect(await findAccessibilityIssues()).toEqual([]);
    await page.keyboard.press("Enter");
    await page.keyboard.type("about #fern");
    await page.waitForSelector(".suggestions [aria-selected=true]:has-text('Fern leaves turn brown')");
    await page.keyboard.press("Tab");
    expect(await page.inputValue(field)).toMatch(/^Ask @ben about #\d+ $/);
    await page.keyboard.type("@nobody-at-all");
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector(".timeline >> text=Ask @ben about");
    await open(`${issue}/side/assignees`);
    await page.fill("[name=assignees]", "");
    await page.focus("[name=assignees]");
    await page.keyboard.type("be");
    await page.waitForSelector(".suggestions [aria-selected=true]:has-text('ben')");
    await page.keyboard.press("Enter");
    expect(await page.inputValue("[name=assignees]")).toBe("ben ");
  });

  test("a comment is quoted with its menu, and the selected part of it with a key", async () => {
    const { page, open, findAccessibilityIssues } = await asOwner();
    await showcase.reader.post(`/repos/ada/garden/issues/${showcase.garden.issue}/comments`, { body: "Water **twice**\n\nor not" }).expect(201);
    await open(issue);
    const box = page.locator(".timeline > .box", { hasText: "Water twice" });
    await box.locator(".menu > summary").click();
    expect(await findAccessibilityIssues()).toEqual([]);
    await box.locator("text=Quote reply").click();
    await expect.poll(() => page.inputValue(field)).toBe("> Water **twice**\n> \n> or not\n\n");
    await page.keyboard.press("Control+z");
    expect(await page.inputValue(field)).toBe("");
    await page.evaluate("document.activeElement.blur()");
    await box.locator(".within strong").dblclick();
    await page.keyboard.press("r");
    await expect.poll(() => page.inputValue(field)).toBe("> twice\n\n");
  });

  test("a saved reply is inserted at the cursor with the menu of the comment form, and begins a comment without scripts", async () => {
    const { page, open, findAccessibilityIssues } = await asOwner();
    await open("/user/settings/replies");
    await page.fill("main [name=title]", " ");
    await page.fill("main [name=content]", "Please add a **log**.");
    await page.click("text=Add saved reply");
    await page.waitForSelector(".wrong");
    expect(await page.inputValue("main [name=content]")).toBe("Please add a **log**.");
    await page.fill("main [name=title]", "Ask for a log");
    await page.click("text=Add saved reply");
    await page.waitForSelector(".rows :text('Ask for a log')");
    await page.click(".rows >> text=Edit");
    await page.fill("main [name=content]", "Please add the **log**.");
    await page.click("text=Update saved reply");
    await page.waitForSelector("h2:text('New saved reply')");
    expect(await findAccessibilityIssues()).toEqual([]);

    await open(issue);
    await page.fill(field, "Hello!  Thanks.");
    await page.evaluate(`document.querySelector("${field}").setSelectionRange(7, 7)`);
    await page.click("summary[title='Insert saved reply']");
    expect(await findAccessibilityIssues()).toEqual([]);
    await page.click("[data-reply]");
    await expect.poll(() => page.inputValue(field)).toBe("Hello! Please add the **log**. Thanks.");
    await page.keyboard.press("Control+z");
    expect(await page.inputValue(field)).toBe("Hello!  Thanks.");

    const plain = await visit(showcase.forge.url, { javaScriptEnabled: false });
    await plain.enterAs(showcase.owner);
    for (const path of [issue, `${showcase.garden.path}/pulls/${showcase.garden.pull}`]) {
      await plain.open(path);
      await plain.page.fill("#answer textarea", "Typed before.");
      await plain.page.click("summary[title='Insert saved reply']");
      await plain.page.click("[data-reply]");
      await plain.page.waitForURL(/\/comments#answer$/);
      await expect.poll(() => plain.page.inputValue("#answer textarea"), { message: path }).toBe("Typed before.\n\nPlease add the **log**.");
    }
    await open("/user/settings/replies");
    await page.click("button[aria-label='Delete: Ask for a log']");
    await page.click("dialog .danger");
    await page.waitForSelector("text=No saved replies");
  });

  test("a dropped image becomes an attachment of the issue and is shown in the text", async () => {
    const { page, open } = await asOwner();
    await open(issue);
    await page.evaluate(`(async () => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 4, height: 4 });
      const blob = await new Promise((resolve) => canvas.toBlob(resolve));
      const data = new DataTransfer();
      data.items.add(new File([blob], "bed [1].png", { type: "image/png" }));
      document.querySelector("textarea").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    })()`);
    await expect.poll(() => page.inputValue(field)).toMatch(/^!\[bed \\\[1\\\]\.png\]\(\/attachments\/[0-9a-f-]+\)$/);
    await page.click("button[value=comment]");
    await page.waitForSelector(".timeline img[src*='/attachments/']");
  });

  test("every user who can comment can attach images, also to a new issue", async () => {
    const { page, open, enterAs } = await visit(showcase.forge.url);
    await enterAs(showcase.reader);
    const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
    for (const path of [`${showcase.garden.path}/issues/new`, issue]) {
      await open(path);
      if (path !== issue) await page.fill("[name=title]", "With a picture");
      const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
      await page.route("**/issues/assets", async (route) => {
        await held;
        await route.continue();
      });
      const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("text=Attach files")]);
      await chooser.setFiles({ name: "dry.png", mimeType: "image/png", buffer: png });
      await page.click("button.primary[type=submit]");
      await page.waitForSelector("text=Wait until the upload is complete");
      letGo();
      await expect.poll(() => page.inputValue(field)).toMatch(/^!\[dry\.png\]\(\/attachments\/[0-9a-f-]+\)$/);
      await page.click("button.primary[type=submit]");
      await page.waitForSelector(".timeline img[src*='/attachments/']");
      await page.unroute("**/issues/assets");
    }
  });

  test("the Markdown preview contains no external content", async () => {
    const { page, open } = await asOwner();
    await open(`${showcase.garden.path}/issues/new`);
    await page.fill(field, "**Bold** #1 <b onmouseover=alert(1)>b</b> ![far](http://elsewhere.invalid/a.png)");
    await page.click("text=Preview");
    await page.waitForSelector(".preview strong:has-text('Bold')");
    expect(await page.locator(".preview a[href$='/issues/1']").count()).toBe(1);
    expect(await page.locator(".preview [onmouseover], .preview img").count()).toBe(0);
    await page.click("text=Write");
    expect(await page.inputValue(field)).toContain("**Bold**");
  });

  test("files of a large change are filtered by a part of their path", async () => {
    const { page, open } = await asOwner();
    await open(`${showcase.garden.path}/pulls/${showcase.garden.largePull}/files`);
    await page.fill("main input[type=search]", "beds/29");
    expect(await page.locator(".tree li[data-path]:visible").count()).toBe(11);
  });
});
