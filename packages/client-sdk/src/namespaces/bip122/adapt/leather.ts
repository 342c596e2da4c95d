import { fromBase64, fromHex, toBase64, toHex } from '../../../adapters/bytes'
import { call, member, textOf, unsupported, walletFailure, walletOf } from '../../../adapters/call'
import type { WalletProvider } from '../../../discovery/wallet-provider'
import type { BitcoinAccount } from '../../../types/index'
import { isTaproot, nameNetwork, readAccounts } from './accounts'
import { readInputs } from './psbt-inputs'

/**
 * Adapts Leather.
 * Source: https://leather.io/guides (getAddresses, signMessage, signPsbt, sendTransfer)
 *
 * 1. It has no persistent connection: `getAddresses` prompts each time. Granted accounts are remembered for the page's
 *    lifetime.
 * 2. PSBTs are hex. Messages are always signed as BIP-322, by the kind of address: ECDSA is refused.
 * 3. A rejection throws the complete JSON-RPC response.
 */
export function adaptLeather(provider: object): WalletProvider {
  let granted: BitcoinAccount[] = []
  let network = 'mainnet'

  async function ask(method: string, params?: object): Promise<unknown> {
    const answer = await call(provider, 'request', method, params)
    const error = member(answer, 'error')
    if (error !== undefined && error !== null) throw walletFailure(error)
    return member(answer, 'result') ?? answer
  }

  return walletOf(
    {
      getAccountAddresses: async () => granted,
      async requestAccounts(params) {
        const requested = nameNetwork(params.network) ?? network
        granted = readAccounts(member(await ask('getAddresses', { network: requested }), 'addresses'))
        // Only after success.
        network = requested
        return granted
      },
      async signMessage({ address, message, protocol }) {
        if (protocol === 'ecdsa') throw unsupported()
        const paymentType = isTaproot(String(address)) ? 'p2tr' : 'p2wpkh'
        const answer = await ask('signMessage', { message, paymentType, network })
        return { address, signature: member(answer, 'signature') }
      },
      async signPsbt({ psbt, signInputs, broadcast = false }) {
        const inputs = readInputs(signInputs)
        const allowedSighash = [...new Set(inputs.flatMap(({ sighashTypes = [] }) => sighashTypes))]
        const answer = await ask('signPsbt', {
          hex: toHex(fromBase64(psbt)),
          network,
          broadcast,
          ...(inputs.length > 0 && { signAtIndex: inputs.map(({ index }) => index) }),
          ...(allowedSighash.length > 0 && { allowedSighash }),
        })
        const txid = textOf(member(answer, 'txid'))
        return { psbt: toBase64(fromHex(String(member(answer, 'hex')))), ...(txid !== undefined && { txid }) }
      },
      async sendTransfer({ recipientAddress, amount }) {
        const answer = await ask('sendTransfer', { recipients: [{ address: recipientAddress, amount }], network })
        return { txid: member(answer, 'txid') }
      },
    },
    () => () => {},
  )
}
