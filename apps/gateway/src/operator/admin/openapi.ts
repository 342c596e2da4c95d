/** `/admin/v1/openapi.json`, from the list of the routes. */
import { ErrorBody } from '@postern/protocol'
import { bodyContent, queryParameters, toJsonSchema } from '../../platform/json-schema'
import { type SignInOperation, signInOperations } from './oidc/sign-in'
import type { AdminOperation } from './operation'
import { adminOperations } from './operations'

type Json = { readonly [key: string]: unknown }

export const adminBase = '/admin/v1'

export function createAdminOpenApi(version: string): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of [...signInOperations, ...adminOperations]) {
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

function describe(operation: AdminOperation | SignInOperation): Json {
  const { summary, path, body, response } = operation
  const role = 'role' in operation ? operation.role : null
  const query = 'query' in operation ? operation.query : undefined
  const parameters = [
    ...(path.includes('{id}') ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] : []),
    ...(query === undefined ? [] : queryParameters(query)),
  ]
  return {
    summary,
    description: role === null ? 'Needs no token.' : role === 'admin' ? 'Only an admin.' : 'An admin or a viewer.',
    ...(role === null && { security: [] }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: bodyContent(body) } }),
    responses: {
      200: {
        description: 'The answer',
        content: { 'application/json': { schema: toJsonSchema(response, 'output') } },
      },
      ...Object.fromEntries(
        [
          400,
          401,
          403,
          404,
          ...(body === undefined ? [] : [409, 413, 415]),
          429,
          500,
          503,
          ...(role === null ? [502] : []),
        ].map((status) => [status, { $ref: '#/components/responses/Error' }]),
      ),
    },
  }
}
