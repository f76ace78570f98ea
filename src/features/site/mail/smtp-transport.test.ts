import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type SmtpServer, startSmtpServer } from "../../../../test/kit/smtp-server.ts";
import { loadConfig } from "../../../config/config.ts";
import { canSend, deliver } from "./smtp-transport.ts";

let mailServer: SmtpServer;
beforeAll(async () => {
  mailServer = await startSmtpServer();
});
afterAll(() => mailServer[Symbol.asyncDispose]());
beforeEach(() => {
  mailServer.emails.length = 0;
});

const send = (environment: Readonly<Record<string, string>>, email: { to?: string; subject?: string; text?: string } = {}) =>
  deliver(loadConfig({ ...mailServer.environment, ...environment }), { to: "ada@example.org", subject: "Hello", text: "Hello.\n", ...email }, "letter-1");

test("sends an email to one recipient with an id of its own", async () => {
  await send({ HEARTH_ROOT_URL: "https://git.example.org" }, { text: "Grüße\n" });
  expect(mailServer.emails).toMatchObject([{ from: "hearth@git.example.org", to: ["ada@example.org"], user: "hearth" }]);
  expect(mailServer.emails[0]?.raw).toContain("Message-ID: <letter-1@git.example.org>");
});

test("sends nothing to a mail server without a trusted certificate when TLS is required", async () => {
  for (const security of ["starttls", "tls"]) await expect(send({ HEARTH_MAIL_SECURITY: security })).rejects.toThrow();
  expect(mailServer.emails).toEqual([]);
});

test("reports a refusal of the mail server", async () => {
  await expect(send({ HEARTH_MAIL_PASSWORD: "wrong" })).rejects.toThrow();
  mailServer.refuse(1);
  await expect(send({})).rejects.toThrow("come again later");
  expect(mailServer.emails).toEqual([]);
});

test("prevents header injection and a second recipient", async () => {
  await send({}, { subject: "One\r\nBcc: eve@example.org", text: "x\r\n.\r\nRCPT TO:<eve@example.org>\r\n" });
  expect(mailServer.emails[0]?.to).toEqual(["ada@example.org"]);
  expect(mailServer.emails[0]?.raw).not.toMatch(/^Bcc:/im);
  await send({}, { to: "ada@example.org, eve@example.org" }).catch(() => undefined);
  expect(mailServer.emails.flatMap(({ to }) => to)).not.toContain("eve@example.org");
});

test("ends a delivery at its deadline when the mail server goes on sending", async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const timer = setInterval(() => socket.write("220-wait\r\n"), 10);
    socket
      .on("error", () => undefined)
      .once("close", () => {
        clearInterval(timer);
        sockets.delete(socket);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const config = loadConfig({ ...mailServer.environment, HEARTH_MAIL_PORT: String((server.address() as AddressInfo).port) });
  await expect(deliver(config, { to: "ada@example.org", subject: "Hello", text: "Hello.\n" }, "letter-2", 200)).rejects.toThrow();
  await expect.poll(() => sockets.size).toBe(0);
  server.close();
});

test("sends no emails without a mail server", () => {
  expect(canSend(loadConfig({}))).toBe(false);
  expect(canSend(loadConfig(mailServer.environment))).toBe(true);
  expect(() => loadConfig({ HEARTH_MAIL_FROM: "nobody" })).toThrow("must be an email address");
});
