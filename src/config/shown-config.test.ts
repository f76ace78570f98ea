import { expect, test } from "vitest";
import { loadConfig } from "./config.ts";
import { shownConfig } from "./shown-config.ts";

test("every setting is shown with its value and source, except secrets and passwords in URLs", () => {
  const config = loadConfig({
    HEARTH_PORT: "0",
    HEARTH_DATABASE_URL: "postgres://forge:hidden1@db.example.org/forge",
    HEARTH_MAIL_PASSWORD: "hidden2",
    HEARTH_MAIL_HOST: "smtp://somebody:hidden3@mail.example.org",
  });
  const shown = shownConfig(config);
  const of = (section: string, name: string) => shown.find((one) => one.section === section && one.name === name);
  expect(of("server", "port")).toMatchObject({ variable: "HEARTH_PORT", value: "0", origin: "environment" });
  expect(of("server", "host")).toMatchObject({ value: "127.0.0.1", origin: "default" });
  expect(of("mail", "password")?.value).toBeUndefined();
  expect(of("mail", "host")?.value).toBe("smtp://somebody:...@mail.example.org");
  expect(of("metrics", "token")?.value).toBe("");
  expect(JSON.stringify(shown)).not.toContain("hidden");
});
