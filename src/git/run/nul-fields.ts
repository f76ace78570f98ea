/** Splits `-z` output into fields without their NUL, from chunks with arbitrary boundaries. */
export interface FieldSplitter {
  /** Returns the fields completed by this chunk. They share the chunk's memory. */
  push(chunk: Buffer): Buffer[];
  /** The rest at the end of the output: a last field without NUL. */
  end(): Buffer | undefined;
}

export function createFieldSplitter(separator = 0): FieldSplitter {
  let parts: Buffer[] = [];
  return {
    push(chunk: Buffer): Buffer[] {
      const fields: Buffer[] = [];
      let start = 0;
      for (let end = chunk.indexOf(separator); end !== -1; end = chunk.indexOf(separator, start)) {
        let field = chunk.subarray(start, end);
        if (parts.length > 0) {
          field = Buffer.concat([...parts, field]);
          parts = [];
        }
        fields.push(field);
        start = end + 1;
      }
      if (start < chunk.length) parts.push(chunk.subarray(start));
      return fields;
    },
    end(): Buffer | undefined {
      if (parts.length === 0) return undefined;
      const rest = Buffer.concat(parts);
      parts = [];
      return rest;
    },
  };
}
