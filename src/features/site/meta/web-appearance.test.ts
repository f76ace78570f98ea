import { describe, expect, test } from "vitest";
import { onSqlite } from "../../../../test/kit/databases.ts";
import { shareForge } from "../../../../test/kit/set-up.ts";

onSqlite((dialect) => {
  const { forge } = shareForge({ dialect }, []);
  const choose = (fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(new URL("/-/appearance", forge.url), { method: "POST", redirect: "manual", body: new URLSearchParams(fields), headers });
  const show = async (path: string, headers: Record<string, string> = {}): Promise<string> => (await fetch(new URL(path, forge.url), { headers })).text();
  const lookOf = (page: string): string | undefined => /<html[^>]*>/.exec(page)?.[0];

  describe("the appearance of a visitor", () => {
    test("follows the browser until they choose a language or a theme", async () => {
      expect(lookOf(await show("/explore/repos"))).toBe('<html lang="en">');
      expect(lookOf(await show("/explore/repos", { "accept-language": "de-CH" }))).toBe('<html lang="de">');
    });

    test.each(["/explore/repos", "/user/login", "/user/sign_up", "/user/forgot_password", "/nosuch/page"])("is kept in cookies that %s reads", async (path) => {
      const headers = { cookie: "lang=de; hearth_theme=dark", accept: "text/html" };
      expect(lookOf(await show(path, headers))).toMatch(/^<html lang="de" data-theme="dark"/);
    });

    test("is chosen with a form that leads back to the page", async () => {
      const referer = new URL("/explore/users?q=a", forge.url).href;
      const language = await choose({ language: "de" }, { referer });
      expect([language.status, language.headers.get("location"), language.headers.get("set-cookie")]).toEqual([
        303,
        "/explore/users?q=a",
        "lang=de; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax",
      ]);
      expect((await choose({ theme: "dark" }, { referer })).headers.get("set-cookie")).toMatch(/^hearth_theme=dark; /);
      expect((await choose({ theme: "system" }, { referer })).headers.get("set-cookie")).toMatch(/^hearth_theme=; Path=\/; Max-Age=0; /);
    });

    test("does not lead to another site", async () => {
      expect((await choose({ language: "de" }, { referer: "https://other.example/page" })).headers.get("location")).toBe("/");
    });

    test("is not chosen by another site", async () => {
      const answer = await choose({ language: "de" }, { "sec-fetch-site": "cross-site" });
      expect([answer.status, answer.headers.get("set-cookie")]).toEqual([403, null]);
    });

    test.each([{ language: "fr" }, { theme: "<b>" }, {}] as const)("refuses %j", async (fields: Record<string, string>) => {
      const answer = await choose(fields, { accept: "text/html" });
      expect([answer.status, answer.headers.get("set-cookie")]).toEqual([422, null]);
    });
  });
});
