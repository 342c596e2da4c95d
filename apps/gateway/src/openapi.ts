/** `/openapi.json`, made from the schemas that the routes and their clients parse with. A test holds it equal to the routes. */
import {
  AllowedOrigins,
  blockchainAnswers,
  ErrorBody,
  Health,
  JsonRpcBody,
  JsonRpcRequest,
  JsonRpcResponse,
  PriceQuery,
  ProjectConfig,
  SupportedChains,
  type WalletApiCall,
  WalletPage,
  walletApi,
} from '@postern/protocol'
import * as z from 'zod/mini'
import { BalanceQuery, HistoryQuery } from './blockchain/accounts/routes'
import { NftQuery } from './blockchain/nfts/routes'
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
  /** Absent: the modal site. The wallet site answers its own pages alone. */
  readonly site?: 'wallet'
  /** Needs `Authorization: Bearer` with the token of a session. */
  readonly session?: boolean
  readonly query?: z.ZodMiniObject
  /** A schema for JSON, or a media type. */
  readonly body?: z.ZodMiniType | string
  /** A schema for JSON, or a media type. */
  readonly response: z.ZodMiniType | string
}

const RpcQuery = z.object({ chainId: z.string() })

const walletCalls: Readonly<Record<WalletApiCall, string>> = {
  email: 'Begins a sign-in by email',
  emailDevice: 'Waits until the mailed link was followed',
  emailVerify: 'Signs in with the mailed code',
  social: 'Begins a sign-in at a social provider',
  socialClaim: 'Waits for the sign-in at the provider, and takes it',
  farcaster: 'Begins a sign-in with Farcaster',
  farcasterClaim: 'Waits for the sign-in with Farcaster, and takes it',
  session: 'Who is signed in',
  signOut: 'Ends the session',
  confirm: 'Mails a code for what a session alone does not allow',
  emailChange: 'Begins a change of the address',
  emailChangePrimary: 'Proves the old address',
  emailChangeSecondary: 'Proves the new address, and takes it',
  wallet: 'The wallet, its recovery and its devices',
  createWallet: 'Hands in the first shares',
  putDevice: "Hands in this device's own shares",
  deviceShare: "This device's auth share",
  recover: 'Two shares for a device that has none',
  setRecovery: 'Changes the recovery',
  confirmExport: 'Spends the code that allows the keys to be shown',
  revokeDevice: 'Removes a device',
  deleteAccount: 'Deletes the account and all that belongs to it',
}

const walletOperations = Object.entries(walletApi).map(([call, { path, session, body, answer }]): Operation => {
  const summary = new Map(Object.entries(walletCalls)).get(call) ?? call
  return { method: 'post', path, summary, caller: 'project', site: 'wallet', session, body, response: answer }
})

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
  {
    method: 'get',
    path: '/v1/account/{address}/balance',
    summary: 'What an account has, and what it is worth where that is known',
    caller: 'project',
    query: BalanceQuery,
    response: blockchainAnswers.balance,
  },
  {
    method: 'get',
    path: '/v1/account/{address}/history',
    summary: 'What an account did, the newest first',
    caller: 'project',
    query: HistoryQuery,
    response: blockchainAnswers.history,
  },
  {
    method: 'get',
    path: '/v1/account/{address}/nfts',
    summary: 'The collectibles that an account has',
    caller: 'project',
    query: NftQuery,
    response: blockchainAnswers.nfts,
  },
  {
    method: 'get',
    path: '/v1/nft-image/{key}',
    summary: "A collectible's picture",
    caller: 'project',
    response: 'image/*',
  },
  {
    method: 'post',
    path: '/v1/fungible/price',
    summary: 'What tokens cost',
    caller: 'project',
    body: PriceQuery,
    response: blockchainAnswers.prices,
  },
  {
    method: 'get',
    path: '/v1/identity/{address}',
    summary: 'The name that an address calls itself and that leads back to it, and its picture',
    caller: 'project',
    response: blockchainAnswers.identity,
  },
  {
    method: 'get',
    path: '/v1/profile/account/{name}',
    summary: 'Where a name leads: those of ENS',
    caller: 'project',
    response: blockchainAnswers.nameProfile,
  },
  {
    method: 'get',
    path: '/.well-known/jwks.json',
    summary: 'The keys by which identity tokens are checked (RFC 7517)',
    caller: 'anybody',
    site: 'wallet',
    response: 'application/json',
  },
  ...walletOperations,
  ...[
    ['/v1/bundler', 'ERC-4337: JSON-RPC of the bundler, where the network has one'],
    ['/v1/paymaster', 'ERC-7677: JSON-RPC of the paymaster, where the network has one'],
  ].map(
    ([path = '', summary = '']): Operation => ({
      method: 'post',
      path,
      summary,
      caller: 'project',
      site: 'wallet',
      query: RpcQuery,
      body: JsonRpcRequest,
      response: JsonRpcResponse,
    }),
  ),
]

/** OpenAPI's writing of a route. */
function inBraces(route: string): string {
  return route.replace(/:(\w+)/g, '{$1}')
}

function mediaType(kind: AnswerKind): string {
  return answerKinds[kind].type.split(';', 1)[0] ?? ''
}

type Json = { readonly [key: string]: unknown }

/** @param sites their origins. */
export function createOpenApi(sites: { readonly modal: string; readonly wallet: string }, version: string): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation, sites) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Postern gateway', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: sites.modal }],
    paths,
    components: {
      securitySchemes: { session: { type: 'http', scheme: 'bearer' } },
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
