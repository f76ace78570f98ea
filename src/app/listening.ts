import { type Config, ConfigError } from "../config/config.ts";

/** The root URL of a server without a configured one. */
export function listeningOrigin(config: Config, port: number): string {
  const { host } = config.server;
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host;
  const [scheme, usualPort] = config.server.tls_cert === "" ? ["http", 80] : ["https", 443];
  return port === usualPort ? `${scheme}://${name}` : `${scheme}://${name}:${port}`;
}

/** Explains why the configured address cannot be used. */
export function listenError(error: NodeJS.ErrnoException, config: Config): Error {
  const place = `${config.server.host}:${config.server.port}`;
  if (error.code === "EADDRINUSE") return new ConfigError(`${place} is in use by another program: stop it, or set HEARTH_PORT to a free port`);
  if (error.code === "EACCES") return new ConfigError(`${place} may not be used by this user: set HEARTH_PORT to a port above 1023`);
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
    return new ConfigError(`${config.server.host} is not an address of this machine: set HEARTH_HOST to one, such as 127.0.0.1`);
  return error;
}
