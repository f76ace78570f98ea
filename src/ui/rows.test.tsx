import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { Row, Rows } from "./rows.tsx";
import { renderIn } from "./texts/texts.ts";
import { Day } from "./time.tsx";

test("a list without rows renders nothing, because its border would be a line", () => {
  const none: readonly string[] = [];
  expect(
    render(
      <Rows>
        {none.map((text) => (
          <Row>{text}</Row>
        ))}
      </Rows>,
    ),
  ).toBe("");
  expect(render(<Rows>{false}</Rows>)).toBe("");
  expect(
    render(
      <Rows>
        {["one"].map((text) => (
          <Row>{text}</Row>
        ))}
      </Rows>,
    ),
  ).toBe('<ul class="rows"><li><div>one</div></li></ul>');
});

test("a date is written in the reader's language", () => {
  const ms = Date.UTC(2027, 2, 1);
  const shown = (language: "en" | "de"): string => renderIn(language, () => render(<Day ms={ms} />)).replace(/<[^>]*>/g, "");
  expect([shown("en"), shown("de")]).toEqual(["Mar 1, 2027", "01.03.2027"]);
});
