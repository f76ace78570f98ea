import { expect, test } from "vitest";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge } from "../../../../test/kit/forge.ts";
import { agree, askForTokens, authorizePath, registerApplication, registerForOrganization } from "../../../../test/kit/oauth.ts";
import { readPage } from "../../../../test/kit/page.ts";

const list = "/org/acme/settings/applications/oauth2";

eachDialect((dialect) => {
  test("every owner of an organization manages its applications, whose secrets are shown once", async () => {
    await using forge = await startForge({ dialect });
    const [alice, bob, carol] = [await forge.createUser("alice"), await forge.createUser("bob"), await forge.createUser("carol")];
    await alice.post("/orgs", { username: "acme" }).expect(201);
    const teams = await alice.get<{ id: number; name: string }[]>("/orgs/acme/teams").expect(200);
    await alice.put(`/teams/${teams[0]?.id}/members/bob`).expect(204);
    const [first, second, other] = [createBrowser(forge.url), createBrowser(forge.url), createBrowser(forge.url)];
    await first.signIn(alice);
    await second.signIn(bob);
    await other.signIn(carol);
    const application = await registerForOrganization(first, "acme", "Wiki");
    const path = `${list}/${application.id}`;
    expect(readPage((await first.get("/org/acme/settings")).text).links).toContain(list);
    expect(await alice.get("/user/applications/oauth2").expect(200)).toEqual([]);
    await alice.get(`/user/applications/oauth2/${application.id}`).expect(404);

    const consent = readPage((await other.get(authorizePath(application))).text);
    expect(consent.text).toContain("an application of acme");
    const tokensOf = async (secret: string) => {
      const code = (await agree(other, authorizePath(application))).searchParams.get("code") ?? "";
      const { clientId: client_id, redirectUri: redirect_uri } = application;
      return (await askForTokens(forge, { grant_type: "authorization_code", client_id, client_secret: secret, code, redirect_uri })).status;
    };
    expect(await tokensOf(application.secret)).toBe(200);

    await alice.delete(`/teams/${teams[0]?.id}/members/alice`).expect(204);
    expect([(await first.get(list)).status, (await first.get(path)).status, (await other.get(list)).status]).toEqual([403, 403, 403]);
    expect(readPage((await second.get(list)).text).links).toContain(path);
    const wrong = await second.submit(await second.get(path), path, { name: "Handbook", redirect_uris: "nowhere" });
    expect([wrong.status, readPage(wrong.text).text.includes("Handbook")]).toEqual([422, false]);
    expect((await second.submit(await second.get(path), path, { name: "Handbook" })).location).toBe(`${path}?saved=true`);
    const renewed = await second.submit(await second.get(path), `${path}/secret`);
    const secrets = [...renewed.text.matchAll(/<code class="secret">(gto_[^<]+)</g)].map(([, secret = ""]) => secret);
    expect([secrets.length, (await second.get(path)).text.includes(secrets[0] ?? "gto_")]).toEqual([1, false]);
    expect([await tokensOf(application.secret), await tokensOf(secrets[0] ?? "")]).toEqual([400, 200]);

    const own = await registerApplication(bob);
    expect((await second.get(`${list}/${own.id}`)).status).toBe(404);
    expect((await second.submit(await second.get(path), `${path}/delete`)).location).toBe(`${list}?saved=deleted`);
    expect(readPage((await second.get(list)).text).text).toContain("No OAuth2 applications");
    const audit = readPage((await second.get("/org/acme/settings/audit")).text).text;
    for (const change of ["registered", "changed", "removed"]) expect(audit).toContain(change);
  });
});
