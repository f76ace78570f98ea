import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { expand, expandBytes, expandPath, variablesOf } from "./variables.ts";

const variables = variablesOf(
  {
    name: "my-newRepo.x",
    description: "a/../b $REPO_NAME",
    ownerName: "bob",
    webUrl: "http://forge/bob/x",
    cloneUrl: "http://forge/bob/x.git",
    sshUrl: "git@forge:bob/x.git",
  },
  { name: "tmpl", description: "", ownerName: "alice", webUrl: "http://forge/alice/tmpl", cloneUrl: "", sshUrl: "" },
  Date.UTC(2026, 0, 2, 3, 4, 5),
);

test.each([
  ["${REPO_NAME} of $REPO_OWNER", "my-newRepo.x of bob"],
  ["$REPO_NAME_SNAKE ${REPO_NAME_KEBAB}", "my_new_repo_x my-new-repo-x"],
  ["${REPO_NAME_CAMEL} ${REPO_NAME_PASCAL} ${REPO_NAME_TITLE}", "myNewRepoX MyNewRepoX My New Repo X"],
  ["${REPO_NAME_UPPER} ${REPO_NAME_LOWER}", "MY-NEWREPO.X my-newrepo.x"],
  ["${TEMPLATE_OWNER}/${TEMPLATE_NAME} ${TEMPLATE_LINK}", "alice/tmpl http://forge/alice/tmpl"],
  ["$YEAR-$MONTH-$DAY $MONTH_ENGLISH", "2026-01-02 January"],
  // Unknown variables are kept.
  ["$HOME ${PATH} $$ ${} $1 ${REPO_NAME", "$HOME ${PATH} $$ ${} $1 ${REPO_NAME"],
  // Values are not expanded again.
  ["${REPO_DESCRIPTION}", "a/../b $REPO_NAME"],
])("%s", (text, expected) => expect(expand(text, variables)).toBe(expected));

test("all variables are documented", () => {
  const page = readFileSync(new URL("../../../../docs/repositories.md", import.meta.url), "utf8");
  const isListed = (name: string): boolean => page.includes(`\`${name}\``);
  for (const name of variables.keys()) {
    const [, base = "", ending = ""] = /^((?:REPO|TEMPLATE)_(?:NAME|OWNER))(_[A-Z]+)$/.exec(name) ?? ["", name, ""];
    expect(isListed(base), base).toBe(true);
    if (ending !== "") expect(isListed(ending), ending).toBe(true);
  }
});

test("bytes in any encoding are preserved", () => {
  const data = Buffer.concat([Buffer.from([0xff, 0x00, 0xe9]), Buffer.from(" ${REPO_OWNER} é")]);
  expect(expandBytes(data, variables)).toEqual(Buffer.concat([Buffer.from([0xff, 0x00, 0xe9]), Buffer.from(" bob é")]));
  const untouched = Buffer.from("nothing to do");
  expect(expandBytes(untouched, variables)).toBe(untouched);
});

test("the value of a variable cannot change the directory of a path", () => {
  expect(expandPath("src/${REPO_DESCRIPTION}/$REPO_NAME.ts", variables)).toBe("src/a___b $REPO_NAME/my-newRepo.x.ts");
});
