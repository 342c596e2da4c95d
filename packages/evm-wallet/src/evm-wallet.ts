import type { Hex, LocalAccount } from 'viem'
import { createEventEmitter, type EventListener } from './event-emitter'
import { createEvmMethods } from './evm-methods'
import { createEvmStore } from './evm-store'
import type { NodeConnection } from './node'
import type { EvmWalletOptions, WalletNetwork } from './options'
import type { Agree, EvmQuestion } from './question'
import { nodeMethods } from './requests'
import { gone, invalidRequest, rejected, toProviderRpcError, unsupported } from './rpc-error'
import type { WalletState } from './state'

export type WalletProvider = {
  request(args: unknown): Promise<unknown>
  on(event: string, listener: EventListener): void
  removeListener(event: string, listener: EventListener): void
}

export type EvmWalletSnapshot = WalletState & {
  readonly address: Hex
  readonly addresses: readonly Hex[]
  readonly chain: number
  readonly chains: readonly { readonly id: number; readonly name: string }[]
  readonly vanished: boolean
}

export type EvmWalletControls = {
  readonly kind: 'evm'
  readonly name: string
  snapshot(): EvmWalletSnapshot
  /** Called after each change. Returns an unsubscribe function. */
  subscribe(listener: () => void): () => void
  lock(): void
  unlock(): void
  switchAccount(index: number): void
  /** Throws 4902 for an unknown chain. */
  switchChain(chain: number | string): void
  setAutoApprove(autoApprove: boolean): void
  /** The user revokes the dapp's permission. */
  revoke(): void
  /** As if the extension were removed: requests fail with 4900. */
  vanish(): void
}

export type EvmWallet = {
  readonly provider: WalletProvider
  readonly controls: EvmWalletControls
  /** Takes the state of another tab. */
  adopt(stored: string | null): void
}

export type EvmWalletDependencies = {
  readonly options: EvmWalletOptions
  /** Called once for each index. */
  readonly accountAt: (index: number) => LocalAccount
  /** Where the state survives reloads. May throw. */
  readonly storage: { read(): string | null; write(value: string): void }
  /** Resolves to true on approval. Rejects if the signal aborts. */
  readonly ask: (question: EvmQuestion, signal: AbortSignal) => Promise<boolean>
  readonly connectNode: (network: WalletNetwork) => NodeConnection
  readonly origin: string
}

/**
 * A wallet in the page (EIP-1193) with real keys.
 *
 * 1. A dapp sees no account until the user approves, or while the wallet is locked. The wallet signs only for visible
 *    accounts (4100).
 * 2. Everything that signs, sends, switches or adds asks first; a rejection is 4001. One connection question at a time
 *    (-32002).
 * 3. Events report exactly the changes that a dapp can see: `accountsChanged`, `chainChanged`, `disconnect`.
 * 4. An unknown chain is 4902, an unknown method 4200, a malformed request -32600, invalid parameters -32602.
 * 5. After the wallet has vanished, pending and later requests fail with 4900.
 * 6. Permission, account, chain and added networks survive a reload.
 */
export function createEvmWallet(dependencies: EvmWalletDependencies): EvmWallet {
  const { options, accountAt, storage, ask, connectNode, origin } = dependencies
  const events = createEventEmitter()
  const store = createEvmStore({ options, accountAt, storage, events })

  const agree: Agree = async (question) => {
    if (store.state().autoApprove) return
    const yes = await ask({ wallet: options.name, origin, ...question }, store.vanished)
    if (!yes) throw rejected()
  }

  const methods = createEvmMethods({ store, agree, connectNode, origin })

  async function answer(args: unknown): Promise<unknown> {
    if (store.vanished.aborted) throw gone()
    if (typeof args !== 'object' || args === null || !('method' in args) || typeof args.method !== 'string')
      throw invalidRequest('Expected an object with a method.')
    const { method } = args
    const params = 'params' in args ? args.params : undefined
    if (params !== undefined && (typeof params !== 'object' || params === null))
      throw invalidRequest('Expected params to be an array or an object.')
    const own = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (own !== undefined) return await own(params)
    if (nodeMethods.has(method)) return await connectNode(store.network()).request(method, params ?? [])
    throw unsupported(method)
  }

  const provider: WalletProvider = {
    async request(args) {
      try {
        return await answer(args)
      } catch (cause) {
        throw store.vanished.aborted ? gone() : toProviderRpcError(cause)
      }
    },
    on: events.on,
    removeListener: events.off,
  }

  const controls: EvmWalletControls = {
    kind: 'evm',
    name: options.name,
    snapshot() {
      const state = store.state()
      const { address } = store.account()
      const chains = state.networks.map(({ chainId, name }) => ({ id: chainId, name }))
      const vanished = store.vanished.aborted
      return { ...state, address, addresses: [address], chain: state.chainId, chains, vanished }
    },
    subscribe: store.subscribe,
    lock: () => store.update({ locked: true }),
    unlock: () => store.update({ locked: false }),
    switchAccount(index) {
      if (!Number.isInteger(index) || index < 0 || index > 9) throw new RangeError('The accounts are 0 to 9.')
      store.update({ account: index })
    },
    switchChain: (chain) => store.update({ chainId: store.network(Number(chain)).chainId }),
    setAutoApprove: (autoApprove) => store.update({ autoApprove }),
    revoke: () => store.update({ permitted: false }),
    vanish: store.vanish,
  }

  return { provider, controls, adopt: store.adopt }
}
