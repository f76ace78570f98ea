// The health check of a container: `node ready.mjs PORT` ends with 0 if the server in it is ready.
const { ok } = await fetch(`http://127.0.0.1:${process.argv[2]}/api/readyz`).catch(() => ({ ok: false }));
process.exitCode = ok ? 0 : 1;
