import { type Config, ConfigError } from "../config/config.ts";
import { createProxyUserReader } from "../http/proxy-user.ts";

/**
 * Who reads from a request whom the reverse proxy has signed in; nobody, where that is switched off.
 * @throws ConfigError where it is switched on and no proxy is trusted: anybody could then say who he is
 */
export function proxyUserReaderOf({ proxy_sign_in: proxy, server }: Config): ReturnType<typeof createProxyUserReader> {
  if (!proxy.enabled) return createProxyUserReader(undefined, []);
  if (server.trusted_proxies.length === 0)
    throw new ConfigError("proxy_sign_in.enabled needs server.trusted_proxies: name the addresses of the proxies that are to be believed");
  const name = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
  if (!name.test(proxy.user_header)) throw new ConfigError("proxy_sign_in.user_header must be the name of a header, such as X-WEBAUTH-USER");
  return createProxyUserReader({ user: proxy.user_header, email: proxy.email_header, fullName: proxy.full_name_header }, server.trusted_proxies);
}
