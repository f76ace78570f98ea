/** The reply with the data of an account. Names of accounts are ASCII. */
export const dataReply = (name: string, pieces: AsyncIterable<Uint8Array>) => ({
  status: 200,
  headers: {
    "content-type": "application/x-tar",
    "content-disposition": `attachment; filename="${name}-data.tar"`,
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  },
  body: { pieces },
});
