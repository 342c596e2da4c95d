/** `/openapi.json`, made from the schemas that the routes and their clients parse with. A test holds it equal to the routes. */
import {
  AllowedOrigins,
  ErrorBody,
  Health,
  JsonRpcBody,
  JsonRpcResponse,
  ProjectConfig,
  SupportedChains,
  WalletPage,
} from '@postern/protocol'
import * as z from 'zod/mini'
import { WalletQuery } from './directory/query'
import { esploraBase, esploraReads } from './esplora/routes'
import { type AnswerKind, answerKinds } from './esplora/upstream'

type Operation = {
  readonly method: 'get' | 'post'
  /** In OpenAPI's writing: `/getWalletImage/{id}`. */
  readonly path: string
  readonly summary: string
  /** Named with `projectId`: the caller is checked against the project's allowlist. */
  readonly caller: 'project' | 'anybody'
  readonly query?: z.ZodMiniObject
  /** A schema for JSON, or a media type. */
  readonly body?: z.ZodMiniType | string
  /** A schema for JSON, or a media type. */
  readonly response: z.ZodMiniType | string
}

const RpcQuery = z.object({ chainId: z.string() })

export const operations: readonly Operation[] = [
  { method: 'get', path: '/health', summary: 'The process lives', caller: 'anybody', response: Health },
  {
    method: 'get',
    path: '/ready',
    summary: 'The process and its database answer',
    caller: 'anybody',
    response: Health,
  },
  { method: 'get', path: '/openapi.json', summary: 'This document', caller: 'anybody', response: 'application/json' },
  {
    method: 'get',
    path: '/projects/v1/origins',
    summary: "The project's allowed origins",
    caller: 'project',
    response: AllowedOrigins,
  },
  {
    method: 'get',
    path: '/appkit/v1/config',
    summary: 'Feature flags that the project sets; they win over local ones',
    caller: 'project',
    response: ProjectConfig,
  },
  {
    method: 'get',
    path: '/getWallets',
    summary: 'Search the wallet directory',
    caller: 'project',
    query: WalletQuery,
    response: WalletPage,
  },
  ...[
    ['/getWalletImage/{id}', "A wallet's picture, by its image_id"],
    ['/public/getAssetImage/{id}', "A network's picture, by CAIP-2 id or image id"],
    ['/public/getCurrencyImage/{code}', "A currency's picture, by ISO 4217 code"],
    ['/public/getTokenImage/{symbol}', "A token's picture, by symbol"],
  ].map(
    ([path = '', summary = '']): Operation => ({
      method: 'get',
      path,
      summary,
      caller: 'anybody',
      response: 'image/*',
    }),
  ),
  {
    method: 'get',
    path: '/v1/supported-chains',
    summary: 'The networks that this gateway reaches: EVM and Solana by JSON-RPC, Bitcoin by Esplora',
    caller: 'project',
    response: SupportedChains,
  },
  {
    method: 'post',
    path: '/v1/',
    summary: 'JSON-RPC 2.0 of EVM and Solana, single or in a batch: reads, estimates and signed transactions',
    caller: 'project',
    query: RpcQuery,
    body: JsonRpcBody,
    response: z.union([JsonRpcResponse, z.array(JsonRpcResponse)]),
  },
  ...esploraReads.map(
    ({ path, kind, summary }): Operation => ({
      method: 'get',
      path: inBraces(`${esploraBase}${path}`),
      summary: `Bitcoin: ${summary}`,
      caller: 'project',
      response: mediaType(kind),
    }),
  ),
  {
    method: 'get',
    path: inBraces(`${esploraBase}/fee-estimates`),
    summary: 'Bitcoin: satoshis a virtual byte, by blocks to wait',
    caller: 'project',
    response: 'application/json',
  },
  {
    method: 'post',
    path: inBraces(`${esploraBase}/tx`),
    summary: 'Bitcoin: sends a signed transaction, in hexadecimal; answers its id',
    caller: 'project',
    body: 'text/plain',
    response: 'text/plain',
  },
]

/** OpenAPI's writing of a route. */
function inBraces(route: string): string {
  return route.replace(/:(\w+)/g, '{$1}')
}

function mediaType(kind: AnswerKind): string {
  return answerKinds[kind].type.split(';', 1)[0] ?? ''
}

type Json = { readonly [key: string]: unknown }

/** @param server origin of the modal site, which the API shares. */
export function createOpenApi(server: string, version: string): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Postern gateway', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: server }],
    paths,
    components: {
      responses: {
        Error: {
          description: 'Why not',
          content: { 'application/json': { schema: toJsonSchema(ErrorBody, 'output') } },
        },
      },
    },
  }
}

function describe({ summary, caller, path, query, body, response }: Operation): Json {
  const isProject = caller === 'project'
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
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

function bodyContent(body: z.ZodMiniType | string): Json {
  return typeof body === 'string'
    ? { [body]: { schema: { type: 'string' } } }
    : { 'application/json': { schema: toJsonSchema(body, 'input') } }
}

function queryParameters(query: z.ZodMiniObject): Json[] {
  const { properties = {}, required = [] } = toJsonSchema(query, 'input')
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function toJsonSchema(schema: z.ZodMiniType, io: 'input' | 'output') {
  // CAIP ids are checked by a function, which JSON Schema has no word for.
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
