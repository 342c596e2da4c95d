/** The PSBT library loads on the first click. */
import type { Postern } from '@postern/client'
import { connectionView, mainAddress } from './connections'
import { member } from './namespaces'
import type { Action, Line } from './outcome'

/** In ms. */
const interval = 1_000
const timeout = 60_000
/** Satoshis for one input and one output, with a margin. */
const psbtFee = 400n

function account(postern: Postern): string {
  const address = mainAddress(connectionView(postern.getSnapshot(), 'bip122'))
  if (address === null) throw new Error('Connect a Bitcoin wallet first.')
  return address
}

/** ECDSA has more verifiers; BIP-322 fits every address type. */
export const signBitcoinMessage =
  (postern: Postern, message: string, protocol: 'ecdsa' | 'bip322'): Action =>
  async (report) => {
    const address = account(postern)
    if (message.trim() === '') throw new Error('Write a message first.')
    const { signature } = await postern.bip122.signMessage({ message, address, protocol })
    report({
      kind: 'done',
      text: 'Signed.',
      lines: [
        { label: 'Signature', value: signature },
        { label: 'Signer', value: address },
      ],
    })
  }

/** `amount` is in satoshis, as typed. */
export const sendBitcoin =
  (postern: Postern, to: string, amount: string): Action =>
  async (report) => {
    account(postern)
    if (!/^[1-9]\d*$/.test(amount)) throw new Error('The amount is not a number of satoshis.')
    const { txid } = await postern.bip122.sendTransfer({ recipientAddress: to, amount })
    await waitForBlock(postern, txid, report)
  }

/** Pays the account's own coin back to it. */
export const signPsbt =
  (postern: Postern): Action =>
  async (report) => {
    const address = account(postern)
    const [{ Psbt, address: addresses, initEccLib, networks }, ecc] = await Promise.all([
      import('bitcoinjs-lib'),
      import('@bitcoinerlab/secp256k1'),
    ])
    initEccLib(ecc)
    const coins = await postern.bip122.request({ method: 'bip122_getUtxos', params: { address } })
    const coin: unknown = Array.isArray(coins)
      ? coins.find((one) => BigInt(`${member(one, 'value')}`) > 2n * psbtFee)
      : undefined
    if (coin === undefined) throw new Error('The account has no output that is large enough.')
    const network = [networks.regtest, networks.testnet, networks.bitcoin].find(({ bech32 }) =>
      address.startsWith(`${bech32}1`),
    )
    const script = addresses.toOutputScript(address, network ?? networks.bitcoin)
    const value = BigInt(`${member(coin, 'value')}`)
    const psbt = new Psbt({ network: network ?? networks.bitcoin })
      .addInput({
        hash: `${member(coin, 'txid')}`,
        index: Number(member(coin, 'vout')),
        witnessUtxo: { script, value },
      })
      .addOutput({ script, value: value - psbtFee })
    const { txid } = await postern.bip122.signPsbt({
      psbt: psbt.toBase64(),
      signInputs: [{ index: 0, address }],
      broadcast: true,
    })
    if (txid === undefined) throw new Error('The transaction was signed but not sent.')
    await waitForBlock(postern, txid, report)
  }

async function waitForBlock(postern: Postern, txid: string, report: Parameters<Action>[0]): Promise<void> {
  const sent: Line = { label: 'Transaction', value: txid }
  report({ kind: 'busy', text: 'Sent. Waiting for a block.', lines: [sent] })
  for (const started = Date.now(); Date.now() - started < timeout; ) {
    const transaction = await postern.bip122.request({ method: 'bip122_getTransaction', params: { txid } })
    if (member(transaction, 'confirmed') === true) {
      report({ kind: 'done', text: `Confirmed in block ${member(transaction, 'blockHeight')}.`, lines: [sent] })
      return
    }
    await new Promise((resolve) => setTimeout(resolve, interval))
  }
  report({ kind: 'note', text: 'Sent, but not in a block yet.', lines: [sent] })
}
