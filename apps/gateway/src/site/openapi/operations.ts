/** A test keeps the list equal to the routes. */
import {
  AllowedOrigins,
  AnalyticsConfig,
  AnalyticsEvent,
  Health,
  JsonRpcBody,
  JsonRpcRequest,
  JsonRpcResponse,
  ProjectConfig,
  SupportedChains,
  WalletPage,
} from '@postern/protocol'
import * as z from 'zod/mini'
import { esploraBase, esploraReads } from '../../chains/esplora/routes'
import { type AnswerKind, answerKinds } from '../../chains/esplora/upstream'
import { EventReceipt } from '../analytics/routes'
import { WalletQuery } from '../directory/query'
import { blockchainOperations } from './blockchain-operations'
import type { Operation } from './operation'
import { siwxOperations } from './siwx-operations'
import { walletOperations } from './wallet-operations'

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
    path: '/getAnalyticsConfig',
    summary: 'Whether what visitors do is kept, and what of it',
    caller: 'project',
    response: AnalyticsConfig,
  },
  {
    method: 'post',
    path: '/e',
    summary: 'Something that a visitor did in the modal',
    caller: 'project',
    body: AnalyticsEvent,
    response: EventReceipt,
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
  ...blockchainOperations,
  ...siwxOperations,
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
      session: true,
      query: RpcQuery,
      body: JsonRpcRequest,
      response: JsonRpcResponse,
    }),
  ),
]

/** To OpenAPI syntax. */
function inBraces(route: string): string {
  return route.replace(/:(\w+)/g, '{$1}')
}

function mediaType(kind: AnswerKind): string {
  return answerKinds[kind].type.split(';', 1)[0] ?? ''
}
