import { expect, test } from "vitest";
import { composeContent, findMissing } from "./answers.ts";
import { parseTemplate } from "./template.ts";

const form = `name: Bug
about: Something is broken
body:
  - type: markdown
    attributes: { value: Thank you }
  - type: input
    id: version
    attributes: { label: Version }
    validations: { required: true }
  - type: textarea
    id: log
    attributes: { label: Log, render: sh }
  - type: dropdown
    id: systems
    attributes: { label: Systems, multiple: true, options: [Linux, BSD] }
  - type: dropdown
    id: kind
    attributes: { label: Kind, options: [Crash, Typo] }
  - type: checkboxes
    id: terms
    attributes: { label: Terms, options: [{ label: I have looked, required: true }, { label: I can help }] }
`;

test("a form that is filled in becomes a text with headings, and tells what it lacks", async () => {
  const { fields } = await parseTemplate("bug.yml", form);
  const given = fields ?? [];
  const answers = { texts: { version: "1.0", log: "a ``` b", kind: "Neither" }, ticks: { systems: [1], terms: [0] } };
  expect(composeContent(given, answers)).toBe(
    [
      "### Version\n\n1.0",
      "### Log\n\n````sh\na ``` b\n````",
      "### Systems\n\nBSD",
      "### Kind\n\n_No response_",
      "### Terms\n\n- [x] I have looked\n- [ ] I can help",
    ].join("\n\n"),
  );
  expect(findMissing(given, answers)).toBeUndefined();
  expect(findMissing(given, { ...answers, texts: {} })).toBe("version");
  expect(findMissing(given, { ...answers, ticks: { terms: [1] } })).toBe("terms");
  expect(findMissing(given, { texts: { constructor: "x" }, ticks: {} })).toBe("version");
});
