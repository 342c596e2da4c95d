export type WalletSnapshot = {
  readonly permitted: boolean
  /** 0 to 9. */
  readonly account: number
  readonly locked: boolean
  readonly autoApprove: boolean
  readonly vanished: boolean
  readonly address: string
  /** The first is `address`. */
  readonly addresses: readonly string[]
  /** Chain id on EVM, else Wallet Standard's name. */
  readonly chain: number | string
  readonly chains: readonly { readonly id: number | string; readonly name: string }[]
}

export type WalletControls = {
  readonly kind: 'evm' | 'solana' | 'bitcoin' | 'multi'
  readonly name: string
  snapshot(): WalletSnapshot
  /** Called after each change. Returns an unsubscribe function. */
  subscribe(listener: () => void): () => void
  lock(): void
  unlock(): void
  switchAccount(index: number): void
  switchChain(chain: number | string): void
  setAutoApprove(autoApprove: boolean): void
  /** As if the extension were removed: pending and later requests fail with 4900. */
  vanish(): void
}

/** Actions apply to all wallets, a network switch only to those that know the network. */
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
