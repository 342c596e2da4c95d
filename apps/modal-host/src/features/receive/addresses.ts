import type { Account, Namespace, Network } from '@postern/protocol'
import type { Held } from '../../view-kit/held'

/** Somewhere that something can be received. */
export type ReceiveAddress = {
  /** Of the list: one a namespace, and on Bitcoin one more for what is inscribed. */
  readonly id: string
  readonly namespace: Namespace
  readonly account: Account
  readonly isOrdinals: boolean
  /** The network that its wallet is on; null where the dapp does not know it. */
  readonly network: Network | null
}

/** Every address of everybody who is connected, that of `active` first. */
export function receiveAddresses(
  all: readonly Held[],
  networks: readonly Network[],
  active: Namespace | null,
): readonly ReceiveAddress[] {
  const inOrder = [
    ...all.filter((held) => held.namespace === active),
    ...all.filter((held) => held.namespace !== active),
  ]
  return inOrder.flatMap((held) => {
    const network = networks.find(({ caipNetworkId }) => caipNetworkId === held.networkId) ?? null
    const { namespace, account, accounts } = held
    const ordinals = accounts.find(({ type, address }) => type === 'ordinals' && address !== account.address)
    const one = { id: `${namespace}`, namespace, account, isOrdinals: account.type === 'ordinals', network }
    return ordinals === undefined
      ? [one]
      : [one, { id: `${namespace}:ordinals`, namespace, account: ordinals, isOrdinals: true, network }]
  })
}
