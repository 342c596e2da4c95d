/** HTTP API of the gateway or a hosted service (interop §2 and §3). Unknown members are dropped. */
import * as z from 'zod/mini'
import { WalletEntry } from '../entities/wallet-entry'
import { RemoteFeature } from '../features'

/** Query of every call. */
export const ClientQuery = z.object({
  projectId: z.string().check(z.minLength(1), z.maxLength(64)),
  st: z.optional(z.string().check(z.maxLength(64))),
  sv: z.optional(z.string().check(z.maxLength(64))),
  /** Identifies a page for its lifetime (spec §7). */
  clientId: z.optional(z.string().check(z.maxLength(64))),
})
export type ClientQuery = z.infer<typeof ClientQuery>

/** Lists are joined by commas; pages count from 1. */
export type WalletQuery = {
  readonly page?: number
  readonly entries?: number
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  /** CAIP-2 ids. */
  readonly chains?: readonly string[]
  readonly search?: string
  readonly badge_type?: 'none' | 'certified'
  readonly rdns?: string
  readonly names?: readonly string[]
}

/** `count`: of all pages. */
export const WalletPage = z.object({ data: z.array(WalletEntry), count: z.int().check(z.gte(0)) })
export type WalletPage = z.infer<typeof WalletPage>

export const AllowedOrigins = z.object({ allowedOrigins: z.array(z.string()) })
export type AllowedOrigins = z.infer<typeof AllowedOrigins>

/** Overrides the dapp's flags. */
export const ProjectConfig = z.object({ features: z.array(RemoteFeature) })
export type ProjectConfig = z.infer<typeof ProjectConfig>

/** Absent: false. */
export const AnalyticsConfig = z.object({
  isAnalyticsEnabled: z.boolean(),
  isConsentNeeded: z.optional(z.boolean()),
  /** Events may include the user's address. */
  isAddressAllowed: z.optional(z.boolean()),
})
export type AnalyticsConfig = z.infer<typeof AnalyticsConfig>

/** `timestamp`: epoch ms. */
export const AnalyticsEvent = z.object({
  eventId: z.string().check(z.minLength(1), z.maxLength(64)),
  url: z.string().check(z.maxLength(2048)),
  domain: z.string().check(z.maxLength(256)),
  timestamp: z.number(),
  props: z.object({
    type: z.string().check(z.maxLength(64)),
    event: z.string().check(z.maxLength(64)),
    properties: z.optional(z.record(z.string(), z.unknown())),
    address: z.optional(z.string().check(z.maxLength(128))),
  }),
})
export type AnalyticsEvent = z.infer<typeof AnalyticsEvent>

export const Health = z.object({ status: z.enum(['ok', 'unavailable']), version: z.string() })
export type Health = z.infer<typeof Health>

export const ErrorBody = z.object({
  /** Failure code; hosted services may send the HTTP status. */
  status: z.union([z.string(), z.number()]),
  reasons: z.array(z.object({ name: z.string(), description: z.string() })),
})
export type ErrorBody = z.infer<typeof ErrorBody>

const JsonRpcId = z.union([z.string(), z.number(), z.null()])

export const JsonRpcRequest = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.optional(JsonRpcId),
  method: z.string().check(z.minLength(1), z.maxLength(128)),
  params: z.optional(z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())])),
})
export type JsonRpcRequest = z.infer<typeof JsonRpcRequest>

export const JsonRpcError = z.object({ code: z.int(), message: z.string(), data: z.optional(z.unknown()) })
export type JsonRpcError = z.infer<typeof JsonRpcError>

/** Never both. */
export const JsonRpcResponse = z.union([
  z.object({ jsonrpc: z.literal('2.0'), id: JsonRpcId, error: JsonRpcError }),
  z
    .object({ jsonrpc: z.literal('2.0'), id: JsonRpcId, result: z.unknown() })
    .check(z.refine((response) => 'result' in response)),
])
export type JsonRpcResponse = z.infer<typeof JsonRpcResponse>

export const JsonRpcBody = z.union([JsonRpcRequest, z.array(JsonRpcRequest).check(z.minLength(1), z.maxLength(1000))])
export type JsonRpcBody = z.infer<typeof JsonRpcBody>

/** CAIP-2 ids. */
export const SupportedChains = z.object({ http: z.array(z.string()), ws: z.array(z.string()) })
export type SupportedChains = z.infer<typeof SupportedChains>
