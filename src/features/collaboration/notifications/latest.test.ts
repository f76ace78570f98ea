import { expect, test } from "vitest";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge } from "../../../../test/kit/forge.ts";
import { readPage } from "../../../../test/kit/page.ts";

eachDialect((dialect) => {
  test("notifications show the last author and the first words of the last comment, in one statement for all", async () => {
    await using forge = await startForge({ dialect });
    const [alice, bob, carol] = [await forge.createUser("alice"), await forge.createUser("bob"), await forge.createUser("carol")];
    await alice.post("/user/repos", { name: "one" }).expect(201);
    await alice.post("/repos/alice/one/issues", { title: "Leak", body: "@bob" }).expect(201);
    await bob.put("/repos/alice/one/subscription").expect(200);
    const ofBob = createBrowser(forge.url);
    await ofBob.signIn(bob);
    const inbox = async () => readPage((await ofBob.get("/notifications")).text);
    const opened = await inbox();
    expect(opened.text).toMatch(/Leak #1 · You were mentioned · .{1,40} alice/);
    expect(opened.links).toContain("/alice");
    const quoting = `> an older text\n\n${"Turn the valve <b>left</b>. ".repeat(20)}`;
    await carol.post("/repos/alice/one/issues/1/comments", { body: quoting }).expect(201);
    const commented = await inbox();
    expect(commented.text).toMatch(/carol Turn the valve <b>left<\/b>\. .{80,120}…/);
    expect([commented.text.includes("an older text"), commented.dangers]).toEqual([false, []]);
    const one = await forge.cost(inbox);
    for (const title of ["second", "third"]) await alice.post("/repos/alice/one/issues", { title, body: "@bob" }).expect(201);
    const several = await forge.cost(inbox);
    expect(several.statements.length).toBe(one.statements.length);
    await forge.admin.delete("/admin/users/carol?purge=true").expect(204);
    expect((await inbox()).text).toContain("Leak");
  });
});
