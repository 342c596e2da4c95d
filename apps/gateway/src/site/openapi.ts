/** `/openapi.json`, from the schemas that routes and clients parse with. */
import { ErrorBody } from '@postern/protocol'
import { type Operation, operation } from '../platform/http/operation'
import { bodyContent, queryParameters, toJsonSchema } from '../platform/json-schema'

type Json = { readonly [key: string]: unknown }

export const openApiDocument = operation({
  method: 'get',
  path: '/openapi.json',
  summary: 'This document',
  caller: 'anybody',
  response: 'application/json',
})

export function createOpenApi(
  operations: readonly Operation[],
  sites: { readonly modal: string; readonly wallet: string },
  version: string,
): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method]: describe(operation, sites) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Postern gateway', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: sites.modal }],
    paths,
    components: {
      securitySchemes: { session: { type: 'http', scheme: 'DPoP' } },
      responses: {
        Error: {
          description: 'Why not',
          content: { 'application/json': { schema: toJsonSchema(ErrorBody, 'output') } },
        },
      },
    },
  }
}

function describe(operation: Operation, sites: { readonly wallet: string }): Json {
  const { summary, caller, path, query, body, response, site, session = false } = operation
  const isProject = caller === 'project'
  const parameters = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...(isProject ? [{ name: 'projectId', in: 'query', required: true, schema: { type: 'string' } }] : []),
    ...(query === undefined ? [] : queryParameters(query)),
  ]
  const failures = isProject ? [400, 401, 403, 413, 429, 500] : [404, 500]
  return {
    summary,
    ...(site === 'wallet' ? { servers: [{ url: sites.wallet }] } : {}),
    ...(session ? { security: [{ session: [] }] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: bodyContent(body) } }),
    responses: {
      200: {
        description: 'The answer',
        content:
          typeof response === 'string'
            ? { [response]: {} }
            : { 'application/json': { schema: toJsonSchema(response, 'output') } },
      },
      ...Object.fromEntries(failures.map((status) => [status, { $ref: '#/components/responses/Error' }])),
    },
  }
}
