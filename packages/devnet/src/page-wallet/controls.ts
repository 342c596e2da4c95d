/** The owner's side of a wallet of any kind. */

export type WalletSnapshot = {
  readonly permitted: boolean
  /** Index of the active account, 0 to 9. */
  readonly account: number
  readonly locked: boolean
  readonly autoApprove: boolean
  readonly vanished: boolean
  readonly address: string
  /** All addresses that the active account has; `address` is the first. */
  readonly addresses: readonly string[]
  /** A chain id on EVM, Wallet Standard's name elsewhere. */
  readonly chain: number | string
  readonly chains: readonly { readonly id: number | string; readonly name: string }[]
}

/** What the owner of the wallet can do with it, outside of any dapp's request. */
export type WalletControls = {
  readonly kind: 'evm' | 'solana' | 'bitcoin' | 'multi'
  readonly name: string
  snapshot(): WalletSnapshot
  /** Called after each change; answers with its unsubscribe. */
  subscribe(listener: () => void): () => void
  lock(): void
  unlock(): void
  switchAccount(index: number): void
  switchChain(chain: number | string): void
  setAutoApprove(autoApprove: boolean): void
  /** As if the extension were removed while the page is open: open and later requests fail with 4900. */
  vanish(): void
}

/** One owner of several wallets: every turn of the hand is made in each. A network is switched in the one that knows it. */
export function joinControls(name: string, parts: readonly [WalletControls, ...WalletControls[]]): WalletControls {
  const each = (turn: (part: WalletControls) => void) => () => {
    for (const part of parts) turn(part)
  }
  return {
    kind: 'multi',
    name,
    snapshot() {
      const all = parts.map((part) => part.snapshot())
      return {
        ...parts[0].snapshot(),
        permitted: all.some(({ permitted }) => permitted),
        addresses: all.flatMap(({ addresses }) => addresses),
        chains: all.flatMap(({ chains }) => chains),
      }
    },
    subscribe(listener) {
      const ends = parts.map((part) => part.subscribe(listener))
      return () => {
        for (const end of ends) end()
      }
    },
    lock: each((part) => part.lock()),
    unlock: each((part) => part.unlock()),
    switchAccount: (index) => each((part) => part.switchAccount(index))(),
    switchChain(chain) {
      const knows = parts.find((part) => part.snapshot().chains.some(({ id }) => `${id}` === `${chain}`))
      if (knows === undefined) throw new RangeError(`The wallet does not know the network "${chain}".`)
      knows.switchChain(chain)
    },
    setAutoApprove: (autoApprove) => each((part) => part.setAutoApprove(autoApprove))(),
    vanish: each((part) => part.vanish()),
  }
}
