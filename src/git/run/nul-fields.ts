/** Cuts `-z` output into its fields, NUL taken off, from chunks that may end anywhere. */
export interface FieldSplitter {
  /** The fields that this chunk completes. They share the chunk's memory. */
  push(chunk: Buffer): Buffer[];
  /** What is left at the end of the output: a last field without NUL. */
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
