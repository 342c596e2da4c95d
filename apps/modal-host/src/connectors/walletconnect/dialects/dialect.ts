import type { ConfiguredNetwork } from '@postern/chains/networks'
import type { Account, CaipNetworkId } from '@postern/protocol'
import type { WalletConnectOptions } from '../options'

export type WireRequest = {
  readonly method: string
  readonly params: unknown
  /** Returns the result in the host's dialect. */
  readonly read: (result: unknown) => unknown
}

export type SessionState = {
  readonly networkId: CaipNetworkId
  readonly accounts: readonly Account[]
  readonly methods: ReadonlySet<string>
  readonly properties: unknown
}

export type DescribedAddress = {
  readonly address: string
  readonly publicKey?: string | undefined
  readonly path?: string | undefined
  readonly purpose?: 'payment' | 'ordinals' | undefined
}

export type SessionAddresses = {
  /** An address that is granted on one network is an account on every other. */
  readonly areShared: boolean
  /** Empty if malformed. */
  read(list: unknown): readonly DescribedAddress[]
  describedIn(properties: unknown): readonly DescribedAddress[]
  /** Drops addresses of another network. */
  accountsOn(
    networkId: CaipNetworkId,
    addresses: readonly string[],
    described: readonly DescribedAddress[],
  ): Promise<readonly Account[]>
}

export type ComposeContext = {
  readonly state: SessionState
  readonly clientOf: NonNullable<WalletConnectOptions['clientOf']>
  readonly ask: (method: string, params: unknown, signal: AbortSignal) => Promise<unknown>
  readonly signal: AbortSignal
}

/** A method that the host completes for wallets that only sign. */
export type Composition = {
  /** The method by the wallet's own name. */
  readonly wireName: string
  /** The method that the wallet must support instead, by its own name. */
  readonly needs: string
  readonly run: (params: unknown, context: ComposeContext) => Promise<unknown>
}

export type MissingNetwork = {
  readonly network: ConfiguredNetwork
  readonly methods: ReadonlySet<string>
  readonly ask: (method: string, params: unknown) => Promise<unknown>
  /** False if the session does not get the network in time. */
  readonly untilGranted: (networkId: CaipNetworkId) => Promise<boolean>
}

export type Dialect = {
  readonly methods: readonly string[]
  readonly events: readonly string[]
  readonly addresses: SessionAddresses
  /** By the host's method names. */
  readonly compositions: ReadonlyMap<string, Composition>
  /** A request's params may name its network. */
  readonly namesNetwork: boolean
  /** The CAIP-2 reference of the chain that a `chainChanged` event names. */
  referenceOf(chain: string | number): string | number
  /** Undefined for methods that need the wallet. */
  localAnswer(method: string, state: SessionState): unknown
  /** Throws INVALID_PARAMS or UNSUPPORTED_METHOD. */
  toWire(method: string, params: unknown, state: SessionState): WireRequest
  /** Completes the wallet's result. */
  complete?(method: string, params: unknown, result: unknown, context: ComposeContext): Promise<unknown>
  /** Absent if wallets of the namespace cannot be asked. */
  grantNetwork?(missing: MissingNetwork): Promise<void>
}
