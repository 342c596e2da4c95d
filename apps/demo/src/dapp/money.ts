import type { PaymentRequest, Postern, ViewName } from '@postern/client'
import { playDollar } from './config'
import { connectionView } from './connections'
import { namespaceParts, namespaces } from './namespaces'
import type { Action } from './outcome'

export const openView =
  (postern: Postern, view: ViewName): Action =>
  async (report) => {
    await postern.open({ view })
    report({ kind: 'idle' })
  }

/** Opens a swap from the network's currency to test dollars. */
export const openSwap =
  (postern: Postern, amount: string): Action =>
  async (report) => {
    await postern.open({ view: 'Swap', swap: { amount, fromToken: 'ETH', toToken: 'DUSD' } })
    report({ kind: 'idle' })
  }

/** Asks for a payment on the active network. The result names the transaction; a server verifies it. */
export const askForPayment =
  (postern: Postern, amount: string, reference: string, currency: 'own' | 'dollar'): Action =>
  async (report) => {
    const receipt = await postern.pay(paymentOf(postern, amount, reference, currency))
    report({
      kind: 'done',
      text: 'The wallet reports the payment as sent.',
      lines: [
        { label: 'Transaction', value: receipt.hash },
        { label: 'From', value: receipt.from },
        { label: 'On', value: receipt.networkId },
      ],
    })
  }

function paymentOf(postern: Postern, amount: string, reference: string, currency: 'own' | 'dollar'): PaymentRequest {
  const snapshot = postern.getSnapshot()
  const active = namespaces
    .map((namespace) => connectionView(snapshot, namespace))
    .find(({ network }) => network !== null && network.caipNetworkId === snapshot.activeNetworkId)
  if (active?.network == null) throw new Error('Connect a wallet first.')
  if (currency === 'dollar' && active.namespace !== 'eip155') throw new Error('Play dollars are on the EVM chains.')
  return {
    networkId: active.network.caipNetworkId,
    amount,
    recipient: namespaceParts[active.namespace].neighbour,
    ...(currency === 'dollar' && { token: playDollar }),
    ...(reference !== '' && { reference }),
  }
}
