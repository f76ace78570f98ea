/** The part of a Swagger 2.0 document that the description uses (https://swagger.io/specification/v2/). */
export interface SwaggerDocument {
  readonly swagger: "2.0";
  readonly info: { readonly title: string; readonly description: string; readonly version: string; readonly license: { readonly name: string } };
  readonly schemes: readonly ("http" | "https")[];
  readonly basePath: string;
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly securityDefinitions: Readonly<Record<string, object>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, SwaggerOperation>>>>;
  readonly definitions: Readonly<Record<string, SwaggerSchema>>;
  readonly responses: Readonly<Record<string, SwaggerResponse>>;
}

export interface SwaggerOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: true;
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
  readonly parameters: readonly SwaggerParameter[];
  readonly responses: Readonly<Record<string, SwaggerResponse | SwaggerReference>>;
}

export type SwaggerParameter = SwaggerBody | SwaggerValueParameter;

export interface SwaggerBody {
  readonly name: string;
  readonly in: "body";
  readonly required?: true;
  readonly schema: SwaggerSchema;
}

export interface SwaggerValueParameter {
  readonly name: string;
  readonly in: "path" | "query" | "formData";
  readonly type: string;
  readonly format?: string;
  readonly description: string;
  readonly required?: true;
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly items?: { readonly type: string; readonly format?: string; readonly enum?: readonly string[]; readonly maxLength?: number };
  readonly collectionFormat?: "multi";
}

export interface SwaggerResponse {
  readonly description: string;
  readonly schema?: SwaggerSchema;
  /** A second type of the body, because Swagger 2.0 has no unions. */
  readonly "x-alternative"?: SwaggerSchema;
  readonly headers?: Readonly<Record<string, { readonly type: string; readonly format?: string; readonly description: string }>>;
}

export interface SwaggerReference {
  readonly $ref: string;
}

export interface SwaggerSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly items?: SwaggerSchema;
  readonly additionalProperties?: SwaggerSchema;
  readonly properties?: Readonly<Record<string, SwaggerSchema>>;
  readonly required?: readonly string[];
  readonly "x-nullable"?: true;
  readonly "x-deprecated"?: true;
}
