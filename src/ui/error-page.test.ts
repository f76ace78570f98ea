import { describe, expect, test } from "vitest";
import { ForgeError } from "../core/errors.ts";
import { renderRefusal } from "./error-page.tsx";
import { sayProblem } from "./refusals.ts";
import { sharedTexts } from "./texts/shared.ts";
import { textsFor } from "./texts/texts.ts";

const input = { message: "a defect <b>", requestId: "req-7", reader: { languages: [] }, signInAddress: "/user/login?redirect_to=%2Fada" };

describe("an error page", () => {
  test("of a server error shows the request id, and no details of the error", () => {
    const { status, body } = renderRefusal({ ...input, status: 500 });
    expect([status, body.includes("req-7"), body.includes("a defect"), body.includes("encountered an error")]).toEqual([500, true, false, true]);
  });

  test.each([403, 404])("of a client error is the same for every visitor, except for the request id: %d", (status) => {
    const { body } = renderRefusal({ ...input, status });
    expect([body.includes("<code>req-7</code>"), body.includes("<b>")]).toEqual([true, false]);
    expect(renderRefusal({ ...input, status, requestId: "req-8" }).body).toBe(body.replace("req-7", "req-8"));
  });

  test.each(["forbidden", "not_found", "too_large", "locked", "unavailable"] as const)("never shows the message of a program: %s", (code) => {
    const { message, reason } = new ForgeError(code, "user should have a permission to write to the target branch");
    for (const languages of [["en"], ["de"]]) {
      const { body } = renderRefusal({ ...input, message, reason, status: 403, reader: { languages } });
      expect(body).not.toContain("target branch");
      expect(sayProblem(textsFor(sharedTexts, languages), { message, reason })).not.toContain("target branch");
    }
  });

  test("shows the text of a reason in the reader's language", () => {
    const { message, reason } = new ForgeError("forbidden", "Git Repository is a mirror.", { reason: "repository_mirror" });
    expect(renderRefusal({ ...input, message, reason, status: 403, reader: { languages: ["de"] } }).body).toContain("Dieses Repository ist ein Spiegel");
  });

  test("of an expired link leads to the page where a new one can be requested", () => {
    const { body } = renderRefusal({ ...input, status: 400, reason: "link_expired" });
    expect(body).toContain('<a href="/user/login">Request a new email on the sign-in page</a>');
    const own = renderRefusal({
      ...input,
      status: 400,
      reason: "link_expired",
      reader: { languages: [], viewer: { name: "ada", avatar: "0", email: "ada@example.org", formToken: "t" } },
    });
    expect(own.body).toContain('<a href="/user/settings/account">Emails of your account</a>');
  });

  test("of an expired form says what to do, and does not send the reader to the owner", () => {
    const { body } = renderRefusal({ ...input, status: 403, reason: "form_expired" });
    expect([body.includes("reload the page and submit the form again"), body.includes("Ask the owner")]).toEqual([true, false]);
  });

  test("shows the texts of a refused form, so that they can be copied", () => {
    const { body } = renderRefusal({ ...input, status: 403, reason: "form_expired", typed: ["The north bed </textarea> stays dry"] });
    expect(body).toContain("readonly");
    expect(body).toContain("The north bed &lt;/textarea> stays dry");
  });

  test("links to the sign-in page and back for visitors only", () => {
    const viewer = { name: "ada", email: "", avatar: "", formToken: "token" };
    const [stranger, known] = [{}, { viewer }].map((reader) => renderRefusal({ ...input, status: 404, reader: { languages: [], ...reader } }).body);
    expect(stranger).toContain('<a href="/user/login?redirect_to=%2Fada">Sign in to see');
    expect(known).toContain("Menu of ada");
    expect(known).not.toContain("/user/login");
  });

  test("is in the reader's language", () => {
    expect(renderRefusal({ ...input, status: 404, reader: { languages: ["de-AT"] } }).body).toContain("<h1>Nicht gefunden</h1>");
  });
});
