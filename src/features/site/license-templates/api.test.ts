import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge } from "../../../../test/kit/forge.ts";

eachDialect((dialect) => {
  let forge: TestForge;
  beforeAll(async () => {
    forge = await startForge({ dialect });
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  describe("public templates", () => {
    test("list ignore files and return each", async () => {
      expect(await forge.anonymous.get("/gitignore/templates").expect(200)).toEqual(expect.arrayContaining(["Go", "Node", "Python", "VisualStudioCode"]));
      expect(await forge.anonymous.get("/gitignore/templates/Go").expect(200)).toEqual({ name: "Go", source: expect.stringContaining("*.test") });
    });

    test("list licences and return each with its text", async () => {
      const list = await forge.anonymous.get("/licenses").expect(200);
      expect(list).toContainEqual({ key: "MIT", name: "MIT", url: `${forge.url}/api/v1/licenses/MIT` });
      expect(await forge.anonymous.get("/licenses/MIT").expect(200)).toEqual({
        key: "MIT",
        name: "MIT",
        url: `${forge.url}/api/v1/licenses/MIT`,
        implementation: expect.any(String),
        body: expect.stringContaining("Permission is hereby granted"),
      });
    });

    test("list label sets and return the labels of each", async () => {
      expect(await forge.anonymous.get("/label/templates").expect(200)).toEqual(["Advanced", "Default"]);
      const [first] = await forge.anonymous.get("/label/templates/Default").expect(200);
      expect(first).toEqual({ name: "bug", exclusive: false, color: "ee0701", description: "Something is not working" });
    });

    test("lists are not paged and send no total", async () => {
      const answer = await forge.anonymous.get("/gitignore/templates?limit=1");
      expect(answer.json.length).toBeGreaterThan(100);
      expect([answer.headers.get("link"), answer.headers.get("x-total-count")]).toEqual([null, null]);
    });

    test.each(["/gitignore/templates/NoSuch", "/gitignore/templates/Go%2fx", "/licenses/NoSuch", "/licenses/__proto__", "/label/templates/NoSuch"])(
      "%s returns 404",
      async (path) => {
        expect(await forge.anonymous.get(path).expect(404)).toMatchObject({ errors: null, message: "not found" });
      },
    );
  });
});
