import { afterAll, expect, test } from "vitest";
import { createLogRecorder } from "../../../../../test/kit/logs.ts";
import { createWorkerPool } from "../../../site/markup/worker-pool.ts";
import { composeContent, findWrong } from "./answers.ts";
import { parseTemplate } from "./template.ts";
import { createYamlReader } from "./yaml.ts";

const workers = createWorkerPool({ log: createLogRecorder() });
afterAll(() => workers.close());
const readYaml = createYamlReader(workers);

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

test("composes a filled-in form into text with headings and reports missing answers", async () => {
  const { fields } = await parseTemplate("bug.yml", form, readYaml);
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
  expect(await findWrong(given, answers)).toBeUndefined();
  expect(await findWrong(given, { ...answers, texts: {} })).toEqual({ id: "version", reason: "required" });
  expect(await findWrong(given, { ...answers, ticks: { terms: [1] } })).toEqual({ id: "terms", reason: "choice_required" });
  expect(await findWrong(given, { texts: { constructor: "x" }, ticks: {} })).toEqual({ id: "version", reason: "required" });
});

const measured = `name: Report
about: Numbers
body:
  - type: input
    id: count
    attributes: { label: Count }
    validations: { is_number: true }
  - type: input
    id: version
    attributes: { label: Version }
    validations: { regex: 'v\\d+|next' }
  - type: input
    id: odd
    attributes: { label: Odd }
    validations: { regex: '(?=nobody reads this)x' }
  - type: input
    id: slow
    attributes: { label: Slow }
    validations: { regex: '(a|aa|b){0,9}(a|aa|b){0,9}(a|aa|b){0,9}(a+)+' }
  - type: textarea
    id: prose
    attributes: { label: Prose }
    validations: { regex: x }
`;

test("validates numbers and full-match patterns, and skips unanswered fields", async () => {
  const fields = (await parseTemplate("report.yml", measured, readYaml)).fields ?? [];
  const wrong = (texts: Readonly<Record<string, string>>) => findWrong(fields, { texts, ticks: {} });
  for (const count of ["-1.5e3", "0", ".5", " 12 ", ""]) expect(await wrong({ count, version: "v12", odd: "y", prose: "y" }), count).toBeUndefined();
  for (const count of ["twelve", "1,5", "0x10", "NaN", "1e", "--1"]) expect(await wrong({ count }), count).toEqual({ id: "count", reason: "not_a_number" });
  expect(await wrong({ version: "next" })).toBeUndefined();
  for (const version of ["v", "v1 or so", "a next", "v1\nv2"]) expect(await wrong({ version }), version).toEqual({ id: "version", reason: "wrong_format" });
  expect(await wrong({ slow: `${"a".repeat(499)}!` })).toEqual({ id: "slow", reason: "wrong_format" });
  expect(await wrong({ slow: "a".repeat(5_000) })).toEqual({ id: "slow", reason: "wrong_format" });
});
