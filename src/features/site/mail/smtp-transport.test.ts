import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type PostOffice, startPostOffice } from "../../../../test/kit/smtp-server.ts";
import { loadConfig } from "../../../config/config.ts";
import { canSend, deliver } from "./smtp-transport.ts";

let post: PostOffice;
beforeAll(async () => {
  post = await startPostOffice();
});
afterAll(() => post[Symbol.asyncDispose]());
beforeEach(() => {
  post.letters.length = 0;
});

const send = (environment: Readonly<Record<string, string>>, letter: { to?: string; subject?: string; text?: string } = {}) =>
  deliver(loadConfig({ ...post.environment, ...environment }), { to: "ada@example.org", subject: "Hello", text: "Hello.\n", ...letter }, "letter-1");

test("sends an email to one recipient with an id of its own", async () => {
  await send({ HEARTH_ROOT_URL: "https://git.example.org" }, { text: "Grüße\n" });
  expect(post.letters).toMatchObject([{ from: "hearth@git.example.org", to: ["ada@example.org"], user: "hearth" }]);
  expect(post.letters[0]?.raw).toContain("Message-ID: <letter-1@git.example.org>");
});

test("sends nothing to a mail server without a trusted certificate when TLS is required", async () => {
  for (const security of ["starttls", "tls"]) await expect(send({ HEARTH_MAIL_SECURITY: security })).rejects.toThrow();
  expect(post.letters).toEqual([]);
});

test("reports a refusal of the mail server", async () => {
  await expect(send({ HEARTH_MAIL_PASSWORD: "wrong" })).rejects.toThrow();
  post.refuse(1);
  await expect(send({})).rejects.toThrow("come again later");
  expect(post.letters).toEqual([]);
});

test("prevents header injection and a second recipient", async () => {
  await send({}, { subject: "One\r\nBcc: eve@example.org", text: "x\r\n.\r\nRCPT TO:<eve@example.org>\r\n" });
  expect(post.letters[0]?.to).toEqual(["ada@example.org"]);
  expect(post.letters[0]?.raw).not.toMatch(/^Bcc:/im);
  await send({}, { to: "ada@example.org, eve@example.org" }).catch(() => undefined);
  expect(post.letters.flatMap(({ to }) => to)).not.toContain("eve@example.org");
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
  const config = loadConfig({ ...post.environment, HEARTH_MAIL_PORT: String((server.address() as AddressInfo).port) });
  await expect(deliver(config, { to: "ada@example.org", subject: "Hello", text: "Hello.\n" }, "letter-2", 200)).rejects.toThrow();
  await expect.poll(() => sockets.size).toBe(0);
  server.close();
});

test("sends no emails without a mail server", () => {
  expect(canSend(loadConfig({}))).toBe(false);
  expect(canSend(loadConfig(post.environment))).toBe(true);
  expect(() => loadConfig({ HEARTH_MAIL_FROM: "nobody" })).toThrow("must be an email address");
});
