/** State that all devnet wallets except EVM share. */

import type { Question } from '@postern/evm-wallet/question'
import { gone, pending, rejected, unauthorized } from '@postern/evm-wallet/rpc-error'
import * as z from 'zod/mini'
import type { WalletControls, WalletSnapshot } from './controls'

const OwnerState = z.strictObject({
  /** The origin may see the accounts. */
  permitted: z.boolean(),
  account: z.int().check(z.gte(0), z.lte(9)),
  /** Wallet Standard name: `solana:localnet`, for example. */
  chain: z.string(),
  locked: z.boolean(),
  autoApprove: z.boolean(),
})
export type OwnerState = Readonly<z.infer<typeof OwnerState>>

export type OwnerDependencies = {
  readonly kind: 'solana' | 'bitcoin'
  readonly name: string
  readonly chains: readonly { readonly id: string; readonly name: string }[]
  readonly initial: Omit<OwnerState, 'permitted'>
  /** The addresses of an account, the main one first. */
  addresses(account: number, chain: string): readonly string[]
  /** Survives reloads. May throw. */
  readonly storage: { read(): string | null; write(value: string): void }
  /** Resolves to true on approval. Rejects if the signal aborts. */
  readonly ask: (question: Question, signal: AbortSignal) => Promise<boolean>
  readonly origin: string
}

/** Null without permission or while locked. */
export type Visible = { readonly account: number; readonly chain: string } | null

export type Owner = {
  visible(): Visible
  /** The current network, independent of permission. */
  chain(): string
  /** `silent` never asks. Rejects with 4001, -32002, 4900. */
  connect(options?: { readonly silent?: boolean }): Promise<Visible>
  /** The dapp revokes its own permission. */
  disconnect(): void
  /** Throws 4100 if nothing is visible. */
  permitted(): NonNullable<Visible>
  /** Rejects with 4001 without approval. */
  agree(title: string, rows: Question['rows'], more?: Pick<Question, 'approve' | 'raw'>): Promise<void>
  switchChain(chain: string): void
  readonly signal: AbortSignal
  /** Called on a visible change or another network. Returns an unsubscribe function. */
  listen(listener: (visible: Visible) => void): () => void
  readonly controls: WalletControls
  /** Takes the state of another tab. */
  adopt(stored: string | null): void
}

/**
 * A devnet wallet's owner.
 *
 * 1. A dapp sees no account until the user approves, or while the wallet is locked.
 * 2. One connection question at a time (-32002). A rejection is 4001. After the wallet has vanished, everything is
 *    4900.
 * 3. Listeners hear exactly the changes that a dapp can see.
 * 4. Permission, account and network survive a reload.
 */
export function createOwner(dependencies: OwnerDependencies): Owner {
  const { kind, name, chains, addresses, storage, ask, origin } = dependencies
  const vanishing = new AbortController()
  const subscribers = new Set<() => void>()
  const listeners = new Set<(visible: Visible) => void>()
  let state: OwnerState = restore() ?? { permitted: false, ...dependencies.initial }
  let connecting = false

  function restore(): OwnerState | null {
    try {
      return parse(storage.read())
    } catch {
      return null
    }
  }

  const shown = (of: OwnerState): Visible =>
    of.permitted && !of.locked ? { account: of.account, chain: of.chain } : null

  function become(next: OwnerState) {
    const before = state
    state = next
    const changed = JSON.stringify(shown(before)) !== JSON.stringify(shown(next)) || before.chain !== next.chain
    if (changed) for (const listener of [...listeners]) listener(shown(next))
    for (const subscriber of [...subscribers]) subscriber()
  }

  function update(change: Partial<OwnerState>) {
    if (vanishing.signal.aborted) return
    become({ ...state, ...change })
    try {
      storage.write(JSON.stringify(state))
    } catch {
      // The wallet then lasts until the next reload.
    }
  }

  async function agree(title: string, rows: Question['rows'], more: Pick<Question, 'approve' | 'raw'> = {}) {
    vanishing.signal.throwIfAborted()
    if (state.autoApprove) return
    const yes = await ask({ wallet: name, origin, title, rows, ...more }, vanishing.signal)
    if (!yes) throw rejected()
  }

  function known(chain: string): string {
    if (chains.every(({ id }) => id !== chain)) throw new RangeError(`The wallet does not know the network "${chain}".`)
    return chain
  }

  const networkName = () => chains.find(({ id }) => id === state.chain)?.name ?? state.chain

  const snapshot = (): WalletSnapshot => {
    const all = addresses(state.account, state.chain)
    const { permitted, account, chain, locked, autoApprove } = state
    const vanished = vanishing.signal.aborted
    return { permitted, account, chain, chains, locked, autoApprove, vanished, address: all[0] ?? '', addresses: all }
  }

  const owner: Owner = {
    visible: () => shown(state),
    chain: () => state.chain,
    async connect({ silent = false } = {}) {
      vanishing.signal.throwIfAborted()
      if (silent || shown(state) !== null) return shown(state)
      if (connecting) throw pending('connect')
      connecting = true
      try {
        if (state.locked) {
          await agree('Unlock the wallet', [], { approve: 'Unlock' })
          update({ locked: false })
        }
        if (!state.permitted) {
          const rows = addresses(state.account, state.chain).map((value, index) => ({
            label: index === 0 ? 'Account' : 'And',
            value,
          }))
          await agree('Connect to this site', [...rows, { label: 'Network', value: networkName() }])
          update({ permitted: true })
        }
        return shown(state)
      } finally {
        connecting = false
      }
    },
    disconnect: () => update({ permitted: false }),
    permitted() {
      vanishing.signal.throwIfAborted()
      const visible = shown(state)
      if (visible === null) throw unauthorized('The requested account has not been authorized by the user.')
      return visible
    },
    agree,
    switchChain: (chain) => update({ chain: known(chain) }),
    signal: vanishing.signal,
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    controls: {
      kind,
      name,
      snapshot,
      subscribe(listener) {
        subscribers.add(listener)
        return () => subscribers.delete(listener)
      },
      lock: () => update({ locked: true }),
      unlock: () => update({ locked: false }),
      switchAccount(account) {
        if (!Number.isInteger(account) || account < 0 || account > 9) throw new RangeError('The accounts are 0 to 9.')
        update({ account })
      },
      switchChain: (chain) => update({ chain: known(`${chain}`) }),
      setAutoApprove: (autoApprove) => update({ autoApprove }),
      vanish() {
        if (vanishing.signal.aborted) return
        vanishing.abort(gone())
        for (const subscriber of [...subscribers]) subscriber()
      },
    },
    adopt(stored) {
      const other = parse(stored)
      if (other !== null && !vanishing.signal.aborted) become(other)
    },
  }
  return owner

  function parse(stored: string | null): OwnerState | null {
    if (stored === null) return null
    try {
      const parsed = z.safeParse(OwnerState, JSON.parse(stored))
      return parsed.success && chains.some(({ id }) => id === parsed.data.chain) ? parsed.data : null
    } catch {
      return null
    }
  }
}
