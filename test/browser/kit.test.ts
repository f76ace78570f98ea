import { expect, test } from "vitest";
import { sqlite } from "../kit/databases.ts";
import { startForge } from "../kit/forge.ts";
import { inBrowser } from "../kit/real-browser.ts";

inBrowser("the test browser", ({ visit }) => {
  test("reports console errors, policy violations and accessibility problems of a page", async () => {
    await using forge = await startForge({ dialect: sqlite });
    const { open, page, pageErrors, findAccessibilityIssues } = await visit(forge.url);
    expect(await open("/")).toBe(200);
    expect(await findAccessibilityIssues()).toEqual([]);
    await page.evaluate(`
      console.error("words");
      document.body.append(Object.assign(document.createElement("script"), { textContent: "1" }));
      document.body.append(Object.assign(document.createElement("img"), { src: "http://elsewhere.invalid/picture.png" }));
      document.body.append(Object.assign(document.createElement("img"), { src: "/assets/missing.png", alt: "" }));
    `);
    await expect.poll(() => pageErrors.join("\n")).toContain("404: ");
    for (const word of ["error: words", "inline script violates", "requests another host: http://elsewhere.invalid/"])
      expect(pageErrors.join("\n")).toContain(word);
    expect((await findAccessibilityIssues()).join("\n")).toContain("image-alt");
    pageErrors.length = 0;
  });
});
