import { expect, test } from "vitest";
import { eachDialect } from "../../../../../../test/kit/databases.ts";
import { startForge } from "../../../../../../test/kit/forge.ts";
import { type RequestedNames, resolveNames } from "./named.ts";

eachDialect((dialect) => {
  test("resolves filter names to labels, milestones and users with one statement", async () => {
    await using forge = await startForge({ dialect });
    const { db } = forge.context;
    const alice = await forge.createUser("Alice");
    const org = await alice.post("/orgs", { username: "acme" }).expect(201);
    const make = async (path: string, body: object): Promise<number> => (await alice.post(path, body).expect(201)).id;
    const site = await make("/orgs/acme/repos", { name: "site" });
    await make("/user/repos", { name: "other" });
    const label = (path: string, name: string) => make(`${path}/labels`, { name, color: "#ffffff" });
    const [theirs, own, again] = [await label("/orgs/acme", "both"), await label("/repos/acme/site", "both"), await label("/repos/acme/site", "both")];
    const alone = await label("/repos/acme/site", "alone");
    await label("/repos/alice/other", "foreign");
    const milestone = (repo: string, title: string) => make(`/repos/${repo}/milestones`, { title });
    const [one, two, twice] = [await milestone("acme/site", "One"), await milestone("acme/site", "two"), await milestone("acme/site", "TWO")];
    const foreign = await milestone("alice/other", "two");

    const resolve = (requested: Partial<RequestedNames>) =>
      resolveNames(db, { repoId: site, ownerId: org.id }, { labels: [], milestones: [], users: [], ...requested });
    expect((await resolve({ labels: ["both", "nosuch", "foreign"] })).labels).toEqual([[theirs, own, again]]);
    expect((await resolve({ labels: ["alone"] })).labels).toEqual([[alone]]);
    const milestones = async (...requested: string[]) => (await resolve({ milestones: requested })).milestoneIds;
    expect(await milestones("one", "Two", `${foreign}`, "nosuch")).toEqual([one, two, twice]);
    expect(await milestones(`${two}`, "one")).toEqual([two, one]);
    expect((await resolve({ users: ["", "aLICE"] })).userIds).toEqual([undefined, alice.id]);
    for (const name of ["nobody", "acme"]) await expect(resolve({ users: [name] })).rejects.toMatchObject({ code: "not_found" });
    const cost = async (requested: Partial<RequestedNames>) => (await forge.cost(() => resolve(requested))).statements.length;
    expect([await cost({ labels: ["both"], milestones: ["one"], users: ["alice"] }), await cost({ users: [""] })]).toEqual([1, 0]);
  });
});
