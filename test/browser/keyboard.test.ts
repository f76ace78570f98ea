import { expect, test } from "vitest";
import { sqlite } from "../kit/databases.ts";
import { startForge } from "../kit/forge.ts";
import { inBrowser } from "../kit/real-browser.ts";

/** The ten main flows, from the sign-in to the settings, with the keyboard only. */

inBrowser("the keyboard", ({ visit }) => {
  test.each([true, false])("is enough for the ten main flows: scripts %s", { timeout: 240_000 }, async (javaScriptEnabled) => {
    await using forge = await startForge({ dialect: sqlite });
    const ada = await forge.createUser("ada");
    const { page, ready } = await visit(forge.url, { javaScriptEnabled });

    /** Elements between two that are used. */
    const mostTabs = 250;
    /** Moves the focus with the Tab key. */
    const reach = async (selector: string): Promise<void> => {
      for (let tab = 0; tab < mostTabs; tab += 1) {
        if (await page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`)) return;
        await page.keyboard.press("Tab");
      }
      throw new Error(`${selector} is not reached with the Tab key on ${page.url()}`);
    };
    const open = async (selector: string): Promise<void> => {
      await reach(selector);
      await page.keyboard.press("Enter");
    };
    const type = async (selector: string, text: string): Promise<void> => {
      await reach(selector);
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(text);
    };
    const arrive = async (path: RegExp): Promise<void> => {
      await page.waitForURL(({ pathname, search }) => path.test(pathname + search));
      await page.waitForLoadState();
      if (javaScriptEnabled) await ready();
    };
    /** Presses a link or a button that leads to another page. */
    const press = async (selector: string, path: RegExp): Promise<void> => {
      await open(selector);
      await arrive(path);
    };
    /** A text of code: Escape leaves the editor, in which the Tab key indents. */
    const write = async (text: string): Promise<void> => {
      // The editor is in a shadow root.
      await type("[name=content], .code-editor", text);
      await page.keyboard.press("Escape");
    };

    // 1. Sign in.
    await page.goto("/");
    await press("a.button[href^='/user/login']", /^\/user\/login/);
    await type("[name=user_name]", ada.name);
    await type("[name=password]", ada.password);
    await press("main button.primary", /^\/$/);

    // 2. Create a repository.
    await open(".site .menu:not(.viewer) > summary");
    await press(".site .sheet a[href='/repo/create']", /^\/repo\/create$/);
    await type("[name=name]", "garden");
    await reach("[name=auto_init]");
    await page.keyboard.press("Space");
    await press("main button.primary", /^\/ada\/garden$/);

    // 3. Add a file.
    await open("details:has(a[href^='/ada/garden/_new/']) > summary");
    await press("a[href^='/ada/garden/_new/']", /_new/);
    await type("[name=path]", "docs/plan.md");
    await write("Sow in spring.");
    await press("main button.primary", /\/docs\/plan\.md$/);

    // 4. Open an issue.
    await press(".tabs a[href$='/issues']", /\/issues$/);
    await press("main a[href$='/issues/new']", /\/issues\/new$/);
    await type("[name=title]", "Order the valves");
    await type("[name=content]", "Two of them.");
    await press("main button.primary", /\/issues\/1$/);

    // 5. Comment on it, and close it.
    await type("textarea[data-key=c]", "They have arrived.");
    await open("button[value=close]");
    await page.waitForSelector("text=They have arrived.");
    expect(await ada.get("/repos/ada/garden/issues/1").expect(200)).toMatchObject({ state: "closed", comments: 1 });

    // 6. Find it.
    await page.goto("/ada/garden");
    await type(".site [name=q]", "is:closed valves");
    await press(".scopes button[formaction='/ada/garden/issues']", /\/issues\?q=/);
    await press("main a[href='/ada/garden/issues/1']", /\/issues\/1$/);

    // 7. Propose a change.
    await page.goto("/ada/garden/src/branch/main/docs/plan.md");
    await press("a[href*='/_edit/']", /_edit/);
    await write("Sow in April.");
    await reach("[name=target]");
    await page.keyboard.press("ArrowDown");
    await press("main button.primary", /\/compare\//);
    await press("main button.primary", /\/pulls\/2$/);

    // 8. Review it.
    await press("main a[href$='/pulls/2/files']", /\/files$/);
    await open("details:has(#review-content) > summary");
    await type("#review-content", "Earlier is better.");
    await press("form:has(#review-content) button.primary", /\/pulls\/2$/);
    expect(await ada.get("/repos/ada/garden/pulls/2/reviews").expect(200)).toMatchObject([{ body: "Earlier is better." }]);

    // 9. Merge it.
    await page.goto("/ada/garden/pulls/2");
    await open("button.merge");
    await page.waitForURL(/#merging$/);
    expect(await ada.get("/repos/ada/garden/pulls/2").expect(200)).toMatchObject({ merged: true });

    // 10. Change the settings.
    await page.goto("/ada/garden");
    await press(".tabs a[href$='/settings']", /\/settings$/);
    await type("[name=description]", "Plans of a garden");
    await press("form:has([name=description]) button.primary", /saved=true/);
    expect(await ada.get("/repos/ada/garden").expect(200)).toMatchObject({ description: "Plans of a garden" });
  });
});
