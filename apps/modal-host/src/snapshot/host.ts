import type { WalletEntry } from '@postern/protocol'
import type { StoreApi } from 'zustand/vanilla'
import type { HostActions } from './actions'
import type { HostSnapshot } from './host-snapshot'
import type { MoneyHost } from './money'

/** The host adds the networks and the dapp's include and exclude lists. */
export type HostDirectory = {
  /** 40 per page (1-based), or the first 100 matches of `search` (spec §9). `count` is the total. */
  wallets(
    query: { readonly page?: number; readonly search?: string; readonly certified?: boolean },
    signal?: AbortSignal,
  ): Promise<{ readonly wallets: readonly WalletEntry[]; readonly count: number }>
  imageUrl(entry: WalletEntry): string | undefined
}

export type Host = {
  readonly store: StoreApi<HostSnapshot>
  readonly actions: HostActions
  readonly directory: HostDirectory
  /** For feature modules, loaded on first use. Rejects with LINK_CLOSED without a page. */
  money(): Promise<MoneyHost>
}
