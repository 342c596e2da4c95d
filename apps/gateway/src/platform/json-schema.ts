/** Zod schemas as the parts of an OpenAPI document. */
import * as z from 'zod/mini'

type Json = { readonly [key: string]: unknown }

/** @param body a schema for JSON, or a media type. */
export function bodyContent(body: z.ZodMiniType | string): Json {
  return typeof body === 'string'
    ? { [body]: { schema: { type: 'string' } } }
    : { 'application/json': { schema: toJsonSchema(body, 'input') } }
}

export function queryParameters(query: z.ZodMiniObject): Json[] {
  const { properties = {}, required = [] } = toJsonSchema(query, 'input')
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

export function toJsonSchema(schema: z.ZodMiniType, io: 'input' | 'output') {
  // JSON Schema cannot express the check of CAIP ids.
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
