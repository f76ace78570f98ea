import { expect, test } from "vitest";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { registerRunner } from "../../../../test/kit/runner.ts";
import { shareForge } from "../../../../test/kit/set-up.ts";

const encode = (text: string): string => Buffer.from(text).toString("base64");
const matrix = "on: push\njobs:\n  m:\n    strategy: {matrix: {n: [1]}}\n    runs-on: linux\n    steps: [{run: 'true'}]\n";
const jobs =
  "on: push\njobs:\n  good: {runs-on: linux, steps: [{run: 'true'}]}\n  bad: {runs-on: linux, steps: [{run: exit 1}]}\n  after: {needs: bad, runs-on: linux, steps: [{run: 'true'}]}\n  wait: {runs-on: mars, steps: [{run: 'true'}]}\n";

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice"]);
  const { alice } = users;

  test("checks of jobs have texts in the reader's language, and those of other programs their own", async () => {
    const path = "/repos/alice/checks";
    await alice.post("/user/repos", { name: "checks", auto_init: true, default_branch: "main" }).expect(201);
    await alice.patch(path, { has_actions: true }).expect(200);
    const { token } = await alice.post(`${path}/actions/runners/registration-token`, {}).expect(200);
    const runner = await registerRunner(forge.url, token);
    const files = Object.entries({ "jobs.yml": jobs, "matrix.yml": matrix, "broken.yml": "on: push\njobs: {a: {steps: []}}\n" });
    const made = await alice
      .post(`${path}/contents`, {
        message: "add",
        new_branch: "topic",
        files: files.map(([file, text]) => ({ operation: "create", path: `.gitea/workflows/${file}`, content: encode(text) })),
      })
      .expect(201);
    await alice.post(`${path}/statuses/${made.commit.sha}`, { context: "other", state: "success", description: "Built in space" }).expect(200);
    await forge.settled();
    for (let left = 3; left > 0; left -= 1) {
      await runner.runOne();
      await forge.settled();
    }
    const pull = await alice.post(`${path}/pulls`, { title: "Checks", head: "topic", base: "main" }).expect(201);
    const browser = createBrowser(forge.url);
    const page = async (language: string) => (await browser.get(`/alice/checks/pulls/${pull.number}`, { "accept-language": language })).text;

    const { statuses } = await alice.get(`${path}/commits/${made.commit.sha}/status?limit=50`).expect(200);
    expect(statuses.map(({ description }: { readonly description: string }) => description)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Successful in \d+s$/),
        expect.stringMatching(/^Failing after \d+s$/),
        "Waiting to run",
        "Has been skipped",
      ]),
    );
    const english = await page("en");
    const german = await page("de");
    for (const text of ["Successful in ", "Failed after ", "Waiting for a runner", "Skipped", "Built in space", "the key “runs-on” is missing"])
      expect(english).toContain(text);
    for (const text of [
      "Erfolgreich nach ",
      "Fehlgeschlagen nach ",
      "Wartet auf einen Runner",
      "Übersprungen",
      "Built in space",
      "Der Schlüssel „runs-on“ fehlt",
    ])
      expect(german).toContain(text);
    expect(german).not.toMatch(/Successful in|Failing after|Waiting to run|Has been skipped|There&#39;s not enough/);
  });
});
