import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { WithCode } from "./with-code.tsx";

test("shows text between backticks as code, and escapes all of it", () => {
  expect(render(<WithCode text="Run `a <b>` & wait." />)).toBe("Run <code>a &lt;b></code> &amp; wait.");
  expect(render(<WithCode text="No code." />)).toBe("No code.");
});
