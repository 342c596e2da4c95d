import type { ErrorCode } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { KeySource } from '../contract'
import { findOwnShare, findWallet } from './find-wallet'
import type { FoundWallet, WalletOptions, WalletState } from './state'
import { isMisfit, withKey } from './with-key'

export type WalletLookup = {
  /** @throws {Failure} UNAUTHORIZED */
  look(): Promise<FoundWallet>
  /** @throws {Failure} WALLET_NOT_CREATED, WALLET_ENDED, UNAUTHORIZED */
  open(): Promise<WalletState>
  /** This device's share if the gateway's report is refused. */
  lookForExport(): Promise<FoundWallet>
  become(userId: string, state: Promise<FoundWallet>): Promise<FoundWallet>
  /** Does not bring back a closed wallet. */
  update(state: WalletState): void
  forget(): void
  withShares<T>(state: WalletState, work: (source: KeySource) => Promise<T>): Promise<T>
}

export function createWalletLookup(options: WalletOptions): WalletLookup {
  const { session, tabs } = options
  let opened: { readonly userId: string; readonly state: Promise<FoundWallet> } | null = null

  async function open(): Promise<WalletState> {
    return requireFound(await look())
  }

  async function look(): Promise<FoundWallet> {
    const user = (await session.current())?.user
    if (user === undefined) throw new Failure('UNAUTHORIZED')
    if (opened?.userId === user.id) return opened.state
    return become(
      user.id,
      tabs.alone(() => findWallet(options, user.id)),
    )
  }

  function become(userId: string, state: Promise<FoundWallet>): Promise<FoundWallet> {
    const next = { userId, state }
    opened = next
    const forget = () => {
      if (opened === next) opened = null
    }
    // Another tab or the window may have unlocked or made it.
    state.then(({ kind }) => notOpen.has(kind) && forget(), forget)
    return state
  }

  function update(state: WalletState): void {
    if (opened?.userId === state.userId) opened = { userId: state.userId, state: Promise.resolve(state) }
  }

  function forget(): void {
    opened = null
  }

  async function withShares<T>(state: WalletState, work: (source: KeySource) => Promise<T>): Promise<T> {
    try {
      return await withKey(options, state, work)
    } catch (thrown) {
      if (isMisfit(thrown)) opened = null
      throw thrown
    }
  }

  async function lookForExport(): Promise<FoundWallet> {
    try {
      const found = await look()
      if (found.kind !== 'ended') return found
      return (await findOwnShare(options, found.userId)) ?? found
    } catch (thrown) {
      const user = (await session.current())?.user
      const isRefused = thrown instanceof Failure && refusals.has(thrown.code)
      const own = user === undefined || !isRefused ? null : await findOwnShare(options, user.id)
      if (own === null) throw thrown
      return own
    }
  }

  return { look, open, lookForExport, become, update, forget, withShares }
}

export function requireFound(state: FoundWallet): WalletState {
  if (state.kind === 'none') throw new Failure('WALLET_NOT_CREATED')
  if (state.kind === 'ended') throw new Failure('WALLET_ENDED')
  return state
}

/** The user first opens, makes or removes it, perhaps in another tab. */
const notOpen: ReadonlySet<FoundWallet['kind']> = new Set<FoundWallet['kind']>(['locked', 'none', 'ended'])

const refusals: ReadonlySet<string> = new Set<ErrorCode>([
  'WALLET_NOT_REPORTED',
  'WALLET_ADDRESSES_CHANGED',
  'WALLET_ROLLED_BACK',
])
