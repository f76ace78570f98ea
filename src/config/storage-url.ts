/** Location of files in an S3-compatible service. */
export interface S3Location {
  /** URL of the bucket, path style: `https://host/bucket`. */
  readonly bucketUrl: string;
  readonly region: string;
  /** Prefix of every key: empty, or ending in a slash. */
  readonly prefix: string;
}

/**
 * Parses `s3://host/bucket/prefix?region=eu-central-1`, or `s3+http://` for a service without TLS.
 * @returns undefined for any other value
 */
export function parseStorageUrl(text: string): S3Location | undefined {
  const [, isPlain, rest] = /^s3(\+http)?:\/\/(.+)$/.exec(text) ?? [];
  const address = `${isPlain === undefined ? "https" : "http"}://${rest}`;
  if (rest === undefined || !URL.canParse(address)) return undefined;
  const { origin, pathname, searchParams, username, password, hash } = new URL(address);
  const [bucket = "", ...folders] = pathname.slice(1).replace(/\/$/, "").split("/");
  const known = [...searchParams.keys()].every((name) => name === "region");
  if (username !== "" || password !== "" || hash !== "" || !known || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) return undefined;
  if (folders.some((folder) => !/^[\w-][\w.-]*$/.test(folder))) return undefined;
  return {
    bucketUrl: `${origin}/${bucket}`,
    region: searchParams.get("region") ?? "us-east-1",
    prefix: folders.map((folder) => `${folder}/`).join(""),
  };
}
