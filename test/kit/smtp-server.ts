import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { testCertificate, testKey } from "./certificate.ts";

export interface ReceivedEmail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and text. */
  readonly raw: string;
  /** Whether it was sent over TLS. */
  readonly isSecure: boolean;
  readonly user: string | undefined;
}

/** A real mail server (SMTP) on the loopback interface. */
export interface SmtpServer extends AsyncDisposable {
  readonly port: number;
  readonly emails: ReceivedEmail[];
  /** Settings for a forge that sends through it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Rejects this number of further emails. */
  refuse(count: number): void;
}

const user = "hearth";
const password = "the mail server's pass phrase";

export async function startSmtpServer(): Promise<SmtpServer> {
  const emails: ReceivedEmail[] = [];
  let refusals = 0;
  const server = new SMTPServer({
    secure: false,
    key: testKey,
    cert: testCertificate,
    allowInsecureAuth: true,
    onAuth: (given, _session, done) =>
      given.username === user && given.password === password ? done(null, { user }) : done(new Error("wrong name or password")),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.once("end", () => {
        if (refusals > 0) {
          refusals -= 1;
          return done(Object.assign(new Error("come again later"), { responseCode: 451 }));
        }
        const { mailFrom, rcptTo } = session.envelope;
        const raw = Buffer.concat(chunks).toString("utf8").replaceAll("=\r\n", "").replaceAll("=3D", "=");
        emails.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw,
          isSecure: session.secure,
          user: session.user,
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    emails,
    environment: {
      HEARTH_MAIL_HOST: "127.0.0.1",
      HEARTH_MAIL_PORT: String(port),
      HEARTH_MAIL_SECURITY: "none",
      HEARTH_MAIL_USER: user,
      HEARTH_MAIL_PASSWORD: password,
      HEARTH_MAIL_FROM: "hearth@git.example.org",
    },
    refuse(count) {
      refusals = count;
    },
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** A header of an email, unfolded. */
export function headerOf(email: ReceivedEmail | undefined, name: string): string | undefined {
  const [head = ""] = (email?.raw ?? "").split("\r\n\r\n", 1);
  const unfolded = head.replace(/\r\n[ \t]+/g, " ");
  return new RegExp(`^${name}: (.*)$`, "im").exec(unfolded)?.[1];
}
