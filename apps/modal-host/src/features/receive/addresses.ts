import type { Account, Namespace, Network } from '@postern/protocol'
import type { ConnectedAccount } from '../../view-kit/connected-account'

export type ReceiveAddress = {
  /** One per namespace, plus one for Bitcoin ordinals. */
  readonly id: string
  readonly namespace: Namespace
  readonly account: Account
  readonly isOrdinals: boolean
  readonly network: Network | null
}

/** Those of `active` come first. */
export function receiveAddresses(
  all: readonly ConnectedAccount[],
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
