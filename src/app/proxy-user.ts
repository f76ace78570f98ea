import { type Config, ConfigError } from "../config/config.ts";
import { createProxyUserReader } from "../http/trusted-proxies.ts";

/**
 * Creates the reader of the user authenticated by the reverse proxy; it finds none if the setting is off.
 * @throws ConfigError if it is on without a trusted proxy: any client could then claim any identity
 */
export function proxyUserReaderOf({ proxy_sign_in: proxy, server }: Config): ReturnType<typeof createProxyUserReader> {
  if (!proxy.enabled) return createProxyUserReader(undefined, []);
  if (server.trusted_proxies.length === 0)
    throw new ConfigError("proxy_sign_in.enabled needs server.trusted_proxies: list the addresses of the trusted proxies");
  const name = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
  if (!name.test(proxy.user_header)) throw new ConfigError("proxy_sign_in.user_header must be the name of a header, such as X-WEBAUTH-USER");
  return createProxyUserReader({ user: proxy.user_header, email: proxy.email_header, fullName: proxy.full_name_header }, server.trusted_proxies);
}
