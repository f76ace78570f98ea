import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
// @ts-expect-error -- the package has no types
import Provider from "oidc-provider";

/** Claims of a user, by name. */
export type Claims = Readonly<Record<string, unknown>>;

/** A real OpenID Connect provider on the loopback interface that signs in every visitor without asking. */
export interface IdentityProvider extends AsyncDisposable {
  /** Issuer URL. */
  readonly url: string;
  readonly people: Map<string, Claims>;
  /** Number of codes that clients have tried to exchange. */
  readonly exchanges: number;
  /** The signed-in user. */
  signsInAs(subject: string): void;
  /** Denies access instead. */
  refuses(): void;
  /** Modifies ID tokens before they are sent. */
  tamper: ((idToken: string) => string) | undefined;
  /** Registers a client, which is required before signing in. */
  register(client: { readonly id: string; readonly secret?: string; readonly redirectUri: string }): void;
}

const signingKey = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" });

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const people = new Map<string, Claims>();
  const clients: object[] = [];
  let current: string | undefined;
  let exchanges = 0;
  let tamper: ((idToken: string) => string) | undefined;
  let handle: ((request: IncomingMessage, response: ServerResponse) => unknown) | undefined;
  const server = createServer((request, response) => handle?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** The provider reads its clients once, so each new client needs a new provider. */
  function rebuild(): void {
    const provider = new Provider(url, {
      clients,
      claims: { openid: ["sub"], profile: ["name", "preferred_username"], email: ["email", "email_verified"], groups: ["groups"] },
      scopes: ["openid", "profile", "email", "groups"],
      findAccount: (_context: unknown, subject: string) => ({ accountId: subject, claims: () => ({ ...people.get(subject), sub: subject }) }),
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      cookies: { keys: ["for tests"] },
      jwks: { keys: [signingKey] },
      ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    });
    provider.use(async (context: { body?: { id_token?: string }; path: string }, next: () => Promise<void>) => {
      await next();
      if (context.path === "/token" && context.body?.id_token !== undefined && tamper !== undefined) context.body.id_token = tamper(context.body.id_token);
    });
    const callback = provider.callback();
    handle = async (request, response) => {
      if (request.url === "/token") exchanges += 1;
      if (!request.url?.startsWith("/interaction/")) return callback(request, response);
      const { params } = await provider.interactionDetails(request, response);
      if (current === undefined) return provider.interactionFinished(request, response, { error: "access_denied", error_description: "not you" });
      const grant = new provider.Grant({ accountId: current, clientId: params.client_id });
      grant.addOIDCScope(params.scope);
      return provider.interactionFinished(request, response, { login: { accountId: current, remember: false }, consent: { grantId: await grant.save() } });
    };
  }
  rebuild();

  return {
    url,
    people,
    get exchanges() {
      return exchanges;
    },
    signsInAs(subject) {
      current = subject;
    },
    refuses() {
      current = undefined;
    },
    get tamper() {
      return tamper;
    },
    set tamper(change) {
      tamper = change;
    },
    register({ id, secret, redirectUri }) {
      clients.push({
        client_id: id,
        ...(secret !== undefined && { client_secret: secret }),
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: secret === undefined ? "none" : "client_secret_post",
      });
      rebuild();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
