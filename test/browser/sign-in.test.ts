import { afterAll, beforeAll, expect, test } from "vitest";
import { stepAt, totpCode } from "../../src/features/accounts/users/totp.ts";
import { createTestClock, type TestClock } from "../kit/clock.ts";
import { sqlite } from "../kit/databases.ts";
import { startForge, type TestForge } from "../kit/forge.ts";
import { type IdentityProvider, startIdentityProvider } from "../kit/identity-provider.ts";
import { authorizePath, registerApplication } from "../kit/oauth.ts";
import { inBrowser, type Visit } from "../kit/real-browser.ts";
import { type SmtpServer, startSmtpServer } from "../kit/smtp-server.ts";

/** Every way to sign in, with the pages that exist only at one of its steps. */

inBrowser("sign-in and registration", ({ visit }) => {
  let forge: TestForge;
  let mailServer: SmtpServer;
  let provider: IdentityProvider;
  let clock: TestClock;
  beforeAll(async () => {
    [mailServer, provider] = await Promise.all([startSmtpServer(), startIdentityProvider()]);
    clock = createTestClock(Date.now());
    forge = await startForge({ dialect: sqlite, clock, environment: { ...mailServer.environment, HEARTH_REGISTRATION_ENABLED: "true" } });
    await forge.admin.post("/user/repos", { name: "open", description: "For everybody", auto_init: true }).expect(201);
  }, 120_000);
  afterAll(async () => {
    await forge?.[Symbol.asyncDispose]();
    await provider?.[Symbol.asyncDispose]();
    await mailServer?.[Symbol.asyncDispose]();
  });

  /** Checks the accessibility of a page in light and dark mode, and its width on a narrow screen. */
  async function expectAccessible({ page, findAccessibilityIssues }: Visit): Promise<void> {
    const issues = await findAccessibilityIssues();
    await page.emulateMedia({ colorScheme: "dark" });
    issues.push(...(await findAccessibilityIssues({ onlyColours: true })));
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 360, height: 740 });
    expect([page.url(), issues, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([page.url(), [], 360]);
    await page.setViewportSize({ width: 1280, height: 900 });
  }
  const press = async ({ page }: Visit, name: string): Promise<void> => page.getByRole("main").getByRole("button", { name, exact: true }).click();
  const heading = ({ page }: Visit, text: string): Promise<void> => page.getByRole("heading", { level: 1, name: text, exact: true }).waitFor();
  const path = ({ page }: Visit): string => new URL(page.url()).pathname;
  async function signOut({ page }: Visit): Promise<void> {
    await page.click("header .viewer summary");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Sign in", exact: true }).waitFor();
  }
  /** Opens the link of the email that the last step has sent. */
  async function followEmail(one: Visit, before: number): Promise<void> {
    await expect.poll(() => mailServer.emails.length, { timeout: 60_000 }).toBe(before + 1);
    const link = /https?:\/\/\S+\?code=[\w.-]+/.exec(mailServer.emails.at(-1)?.raw ?? "")?.[0] ?? "";
    await one.open(link.slice(forge.url.length));
  }

  test("an account is registered by email, protected by a second factor, and recovered after its password is forgotten", { timeout: 240_000 }, async () => {
    const one = await visit(forge.url);
    const { page } = one;
    await one.open("/chief/open");
    await page.getByRole("link", { name: "Sign in", exact: true }).click();
    await page.getByRole("link", { name: "Register", exact: true }).click();
    await heading(one, "Register");
    const first = mailServer.emails.length;
    await page.getByLabel("Email address").fill("nora@example.org");
    await press(one, "Send registration email");
    await heading(one, "Check your inbox");
    await expectAccessible(one);
    await followEmail(one, first);
    await page.getByLabel("Username").fill("nora");
    await expectAccessible(one);
    await page.getByLabel("Password", { exact: true }).fill("a pass phrase of her own");
    await page.getByLabel("Confirm password").fill("a pass phrase of her own");
    await press(one, "Create account");
    await page.waitForURL("**/");

    await one.open("/user/settings/security");
    await page.getByLabel("Your password").fill("a pass phrase of her own");
    await press(one, "Set up");
    const secret = await page.locator("[name=secret]").inputValue();
    await expectAccessible(one);
    const codeNow = (): string => totpCode(secret, stepAt(clock.now()));
    await page.locator("[name=code]").fill(codeNow());
    await page.locator("main button.primary").click();
    await page
      .getByText(/[a-z2-7]{4}(?:-[a-z2-7]{4}){3}/)
      .first()
      .waitFor();
    await expectAccessible(one);
    await signOut(one);

    // After signing in with password and the next code, she returns to her page.
    clock.advance(60_000);
    await one.open("/chief/open/src/branch/main/README.md");
    await page.getByRole("link", { name: "Sign in", exact: true }).click();
    await page.getByLabel("Username or email address").fill("nora");
    await page.getByLabel("Password").fill("a pass phrase of her own");
    await press(one, "Sign in");
    await heading(one, "Two-factor authentication");
    await expectAccessible(one);
    await page.getByLabel("Code").fill("000000");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Code").fill(codeNow());
    await page.keyboard.press("Enter");
    await page.waitForURL("**/chief/open/src/branch/main/README.md");
    await signOut(one);

    await one.open("/user/login");
    await page.getByRole("link", { name: "Forgot password?" }).click();
    await heading(one, "Forgot password");
    const second = mailServer.emails.length;
    await page.getByLabel("Email address").fill("nora@example.org");
    await press(one, "Send recovery email");
    await followEmail(one, second);
    await expectAccessible(one);
    await page.getByLabel("New password", { exact: true }).fill("another pass phrase");
    await page.getByLabel("Confirm new password").fill("another pass phrase");
    await page.locator("main button.primary").click();
    // The emailed link replaces the password, not the second factor.
    await heading(one, "Two-factor authentication");
    clock.advance(60_000);
    await page.getByLabel("Code").fill(codeNow());
    await page.keyboard.press("Enter");
    await page.waitForURL("**/");
  });

  test("a user signs in through an OpenID Connect provider, and authorizes an application", { timeout: 240_000 }, async () => {
    provider.register({ id: "hearth", secret: "the client's secret, which is long enough", redirectUri: `${forge.url}/user/oauth2/house/callback` });
    const source = { kind: "oidc", name: "house", auto_register: true, secret: "the client's secret, which is long enough" };
    await forge.admin.post("/admin/sources", { ...source, oidc: { issuer: provider.url, client_id: "hearth" } }).expect(201);
    provider.people.set("carol", { preferred_username: "carol", name: "Carol", email: "carol@house.example.org", email_verified: true });
    provider.signsInAs("carol");
    const one = await visit(forge.url);
    const { page, pageErrors } = one;
    const elsewhere = /requests another host: http:\/\/127\.0\.0\.1:\d+\/(?:auth|interaction|planner)/;
    await one.open("/chief/open");
    await page.getByRole("link", { name: "Sign in", exact: true }).click();
    await page.getByRole("link", { name: "Sign in with house" }).click();
    await page.waitForURL("**/chief/open");
    expect(await page.getAttribute("header .viewer summary", "aria-label")).toBe("Menu of carol");

    const application = await registerApplication(forge.admin, { name: "Planner", redirect_uris: [`${provider.url}/planner`] });
    await one.open(authorizePath(application, { state: "s", scope: "read:repository write:issue" }));
    await expectAccessible(one);
    await page.locator("main button.primary").click();
    await page.waitForURL(/\/planner\?code=/);
    await one.open("/user/applications");
    await page.getByText("Planner").waitFor();
    pageErrors.splice(0, pageErrors.length, ...pageErrors.filter((line) => !elsewhere.test(line)));
  });

  test("the back button shows no page of a visitor after signing in, and no page of the user after signing out", async () => {
    const one = await visit(forge.url);
    const { page } = one;
    const menus = (): Promise<number> => page.locator("header .viewer summary").count();
    await one.open("/chief/open");
    await page.getByRole("link", { name: "Sign in", exact: true }).click();
    await page.getByLabel("Username or email address").fill(forge.admin.name);
    await page.getByLabel("Password").fill(forge.admin.password);
    await press(one, "Sign in");
    await page.waitForURL("**/chief/open");
    for (const _ of ["the form, which leads on", "the visitor's page"]) await page.goBack();
    expect([path(one), await menus()]).toEqual(["/chief/open", 1]);
    await one.open("/user/settings");
    await signOut(one);
    await page.goBack();
    expect(await menus()).toBe(0);
  });

  test("an added email address is verified by email, and a password that an administrator has set has to be changed", { timeout: 120_000 }, async () => {
    await forge.admin.post("/admin/users", { username: "tom", email: "tom@example.org", password: "set by the admin", must_change_password: true }).expect(201);
    const one = await visit(forge.url);
    const { page } = one;
    await one.signIn({ name: "tom", password: "set by the admin" });
    await heading(one, "Set a new password");
    await expectAccessible(one);
    await page.getByLabel("New password", { exact: true }).fill("short");
    await page.getByLabel("Confirm new password").fill("short");
    await press(one, "Save and sign in");
    await page.getByRole("alert").waitFor();
    const refused = page.getByLabel("New password", { exact: true });
    expect([await refused.getAttribute("aria-invalid"), await refused.evaluate("document.activeElement.name")]).toEqual(["true", "password"]);
    await page.getByLabel("New password", { exact: true }).fill("my own pass phrase");
    await page.getByLabel("Confirm new password").fill("my own pass phrase");
    await press(one, "Save and sign in");
    await page.waitForURL("**/");
    const before = mailServer.emails.length;
    await one.open("/user/settings/account");
    await page.getByLabel("Email address").fill("tom@work.example.org");
    await press(one, "Add email address");
    await followEmail(one, before);
    expect(path(one)).toBe("/user/activate_email");
    await expectAccessible(one);
    await press(one, "Verify email address");
    await page.getByRole("status").waitFor();
    await expectAccessible(one);
  });

  test("a user accepts a repository transfer, and unsubscribes with the link of an email", { timeout: 120_000 }, async () => {
    const [ada, una] = [await forge.createUser("ada"), await forge.createUser("una")];
    await ada.post("/user/repos", { name: "given" }).expect(201);
    const before = mailServer.emails.length;
    await ada.put("/repos/ada/given/collaborators/una", { permission: "write" }).expect(204);
    await ada.post("/repos/ada/given/issues", { title: "For una", assignees: ["una"] }).expect(201);
    const one = await visit(forge.url);
    await followEmail(one, before);
    expect(path(one)).toBe("/user/unsubscribe");
    await expectAccessible(one);
    await one.page.getByRole("main").getByRole("button").click();
    await one.page.getByRole("main").getByRole("button").waitFor({ state: "detached" });
    await expectAccessible(one);

    await ada.post("/repos/ada/given/transfer", { new_owner: "una" }).expect(201);
    await one.signIn(una);
    await one.open("/ada/given/transfer");
    await expectAccessible(one);
    await one.page.getByRole("main").getByRole("button").first().click();
    await one.page.waitForURL("**/una/given");
  });
});
