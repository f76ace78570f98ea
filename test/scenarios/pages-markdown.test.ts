import { afterAll, beforeAll, expect, test } from "vitest";
import { createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge } from "../kit/forge.ts";

/** Links and images of texts lead to what exists, wherever the text is shown. */

const gif = Buffer.from("GIF89a and the rest");
const files: Readonly<Record<string, string | Buffer>> = {
  "README.md":
    "# One\n\n[1](docs/) [2](docs) [3](./docs/guide.md#a-title) [4](/docs/guide.md) [5](<a b.txt>) [6](a%20b.txt) [7](docs/a.gif?raw=true) [8](../../issues) [9][r] [10](#one)\n\n" +
    '![i1](docs/a.gif) ![i2](/docs/a.gif?raw=true) <img src="docs/a.gif" width="10"> <picture><source media="(prefers-color-scheme: dark)" srcset="docs/a.gif"><img src="./docs/a.gif"></picture>\n\n[r]: docs/guide.md',
  "a b.txt": "text",
  "docs/guide.md": "# A title\n\n[1](../README.md#one) [2](..) [3](.) [4](../../../issues) ![i](a.gif) ![i](../docs/a.gif)",
  "docs/a.gif": gif,
};

eachDialect((dialect) => {
  let forge: TestForge;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    await forge.admin.post("/user/repos", { name: "demo", auto_init: false }).expect(201);
    const changes = Object.entries(files).map(([path, content]) => ({ operation: "create", path, content: Buffer.from(content).toString("base64") }));
    await forge.admin.post("/repos/chief/demo/contents", { branch: "main", message: "Add files", files: changes }).expect(201);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  /** The addresses in the rendered text of a page, which appears after `begin`. */
  async function addressesOf(path: string): Promise<string[]> {
    const { status, text } = await createBrowser(forge.url).get(path);
    expect([path, status]).toEqual([path, 200]);
    const rendered = /<div class="markdown">(.*?)<\/div>/s.exec(text)?.[1] ?? "";
    return [...rendered.matchAll(/ (?:href|src|srcset)="([^"]*)"/g)].map(([, address = ""]) => new URL(address, forge.url + path).href);
  }

  test.each([
    ["the home page", "/chief/demo", 18],
    ["a directory", "/chief/demo/src/branch/main/docs/guide.md", 8],
  ])("every link and image on %s exists", async (_name, path, count) => {
    const addresses = await addressesOf(path);
    expect(addresses.length).toBeGreaterThanOrEqual(count);
    for (const address of new Set(addresses)) {
      const response = await fetch(address);
      expect([address, response.status]).toEqual([address, 200]);
      const { hash } = new URL(address);
      if (hash !== "") expect(await response.text()).toContain(`id="${hash.slice(1)}"`);
    }
  });

  test("relative links and images in comments lead to the default branch", async () => {
    const { number } = await forge.admin
      .post<{ number: number }>("/repos/chief/demo/issues", { title: "Links", body: "[a](docs/guide.md) ![b](docs/a.gif) [c](docs) [d](../issues)" })
      .expect(201);
    const addresses = await addressesOf(`/chief/demo/issues/${number}`);
    expect(addresses.length).toBeGreaterThanOrEqual(4);
    for (const address of addresses) expect([address, (await fetch(address)).status]).toEqual([address, 200]);
  });

  test.each(["src/branch/main/docs/a.gif?raw=true", "src/docs/a.gif?raw=1", "blob/main/docs/a.gif?raw=true"])("%s leads to the raw file", async (path) => {
    const response = await fetch(`${forge.url}/chief/demo/${path}`);
    expect([response.headers.get("content-type"), Buffer.from(await response.arrayBuffer())]).toEqual(["image/gif", gif]);
  });
});
