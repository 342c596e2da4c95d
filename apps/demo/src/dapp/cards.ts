/** The action cards of both pages. */
import type { Namespace, Postern } from '@postern/client'
import { sendBitcoin, signBitcoinMessage, signPsbt } from './bitcoin'
import { sendTwo, showAssets, showCapabilities } from './calls'
import { bitcoinNeighbour, neighbours, solanaNeighbour } from './config'
import { askForPayment, openSwap, openView } from './money'
import type { Action } from './outcome'
import { getPlayDollars, getPlayMoney } from './play-money'
import { sendSol, signSolanaMessage, signThenSendSol } from './solana'

export type CardField = {
  readonly key: string
  readonly label: string
  readonly value: string
  readonly kind: 'text' | 'long' | 'lines'
}

export type CardAction = {
  readonly label: string
  readonly primary?: true
  action(postern: Postern, values: Readonly<Record<string, string>>): Action
}

export type NamespaceCard = {
  readonly id: string
  /** Null: any namespace. */
  readonly namespace: Namespace | null
  readonly title: string
  readonly fields: readonly CardField[]
  readonly actions: readonly CardAction[]
}

const message: CardField = { key: 'message', label: 'Text', value: 'I was at the side door.', kind: 'lines' }
const text = (values: Readonly<Record<string, string>>, key: string) => (values[key] ?? '').trim()

export const namespaceCards: readonly NamespaceCard[] = [
  {
    id: 'money',
    namespace: null,
    title: 'Money',
    fields: [
      { key: 'amount', label: 'Amount', value: '0.02', kind: 'text' },
      { key: 'reference', label: 'For', value: 'Order 1042', kind: 'text' },
    ],
    actions: [
      {
        label: 'Ask for payment',
        primary: true,
        action: (postern, values) => askForPayment(postern, text(values, 'amount'), text(values, 'reference'), 'own'),
      },
      {
        label: 'Ask for play dollars',
        action: (postern, values) =>
          askForPayment(postern, text(values, 'amount'), text(values, 'reference'), 'dollar'),
      },
      { label: 'Open send', action: (postern) => openView(postern, 'Send') },
      { label: 'Open receive', action: (postern) => openView(postern, 'Receive') },
      { label: 'Open swap', action: (postern, values) => openSwap(postern, text(values, 'amount')) },
      { label: 'Open buy', action: (postern) => openView(postern, 'OnRamp') },
      { label: 'Get a name', action: (postern) => openView(postern, 'RegisterAccountName') },
    ],
  },
  {
    id: 'eip155',
    namespace: 'eip155',
    title: 'Batches and play money',
    fields: [
      { key: 'first', label: 'First', value: neighbours[0].address, kind: 'long' },
      { key: 'second', label: 'Second', value: neighbours[1].address, kind: 'long' },
    ],
    actions: [
      {
        label: 'Send two at once',
        primary: true,
        action: (postern, values) => sendTwo(postern, text(values, 'first'), text(values, 'second')),
      },
      { label: 'Get play ether', action: (postern) => getPlayMoney(postern, 'eip155') },
      { label: 'Get play dollars', action: (postern) => getPlayDollars(postern) },
      { label: 'Capabilities', action: (postern) => showCapabilities(postern) },
      { label: 'Assets', action: (postern) => showAssets(postern) },
    ],
  },
  {
    id: 'solana',
    namespace: 'solana',
    title: 'Solana',
    fields: [
      message,
      { key: 'to', label: 'To', value: solanaNeighbour, kind: 'long' },
      { key: 'amount', label: 'Amount in SOL', value: '0.01', kind: 'text' },
    ],
    actions: [
      {
        label: 'Sign on Solana',
        primary: true,
        action: (postern, values) => signSolanaMessage(postern, values.message ?? ''),
      },
      { label: 'Send SOL', action: (postern, values) => sendSol(postern, text(values, 'to'), text(values, 'amount')) },
      {
        label: 'Sign, then send SOL',
        action: (postern, values) => signThenSendSol(postern, text(values, 'to'), text(values, 'amount')),
      },
      { label: 'Get play SOL', action: (postern) => getPlayMoney(postern, 'solana') },
    ],
  },
  {
    id: 'bip122',
    namespace: 'bip122',
    title: 'Bitcoin',
    fields: [
      message,
      { key: 'to', label: 'To', value: bitcoinNeighbour, kind: 'long' },
      { key: 'amount', label: 'Amount in satoshis', value: '25000', kind: 'text' },
    ],
    actions: [
      {
        label: 'Sign on Bitcoin',
        primary: true,
        action: (postern, values) => signBitcoinMessage(postern, values.message ?? '', 'ecdsa'),
      },
      {
        label: 'Sign by BIP-322',
        action: (postern, values) => signBitcoinMessage(postern, values.message ?? '', 'bip322'),
      },
      {
        label: 'Send bitcoin',
        action: (postern, values) => sendBitcoin(postern, text(values, 'to'), text(values, 'amount')),
      },
      { label: 'Sign a PSBT', action: (postern) => signPsbt(postern) },
      { label: 'Get play bitcoin', action: (postern) => getPlayMoney(postern, 'bip122') },
    ],
  },
]
