/** `/admin/v1/openapi.json`, from the list that the routes come from. */
import { ErrorBody } from '@postern/protocol'
import { bodyContent, queryParameters, toJsonSchema } from '../openapi/json-schema'
import { type AdminOperation, adminOperations } from './operations'

type Json = { readonly [key: string]: unknown }

export const adminBase = '/admin/v1'

export function createAdminOpenApi(version: string): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of adminOperations) {
    const path = `${adminBase}${operation.path}`
    paths[path] = { ...paths[path], [operation.method]: describe(operation) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Postern admin API', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    security: [{ operator: [] }],
    paths,
    components: {
      securitySchemes: { operator: { type: 'http', scheme: 'bearer' } },
      responses: {
        Error: {
          description: 'Why not',
          content: { 'application/json': { schema: toJsonSchema(ErrorBody, 'output') } },
        },
      },
    },
  }
}

function describe({ summary, role, path, query, body, response }: AdminOperation): Json {
  const parameters = [
    ...(path.includes('{id}') ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] : []),
    ...(query === undefined ? [] : queryParameters(query)),
  ]
  return {
    summary,
    description: role === 'admin' ? 'Only an admin.' : 'An admin or a viewer.',
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: bodyContent(body) } }),
    responses: {
      200: {
        description: 'The answer',
        content: { 'application/json': { schema: toJsonSchema(response, 'output') } },
      },
      ...Object.fromEntries(
        [400, 401, 403, 404, 429, 500].map((status) => [status, { $ref: '#/components/responses/Error' }]),
      ),
    },
  }
}
