import { fromBase64, fromHex, toBase64, toHex } from '../../../adapters/bytes'
import { call, listen, listOf, member, textOf, unsupported, walletOf } from '../../../adapters/call'
import type { WalletProvider } from '../../../discovery/wallet-provider'
import type { BitcoinAccount } from '../../../types/index'
import { nameNetwork, readAccounts, readNetwork } from './accounts'
import { readInputs } from './psbt-inputs'

/**
 * Adapts UniSat, and OKX's nearly identical wallet.
 * Sources: https://docs.unisat.io (UniSat Wallet), https://web3.okx.com (Provider API, Bitcoin)
 *
 * 1. It exposes one address at a time, for payments. `getAccounts` shows no prompt.
 * 2. PSBTs are hex, finalized only to be sent: `signPsbt` with `broadcast` signs, finalizes and pushes.
 * 3. It calls BIP-322 `bip322-simple`.
 * 4. It also supports other chains with the same addresses (Fractal), on which nothing is sent.
 */
export function adaptUnisat(provider: object): WalletProvider {
  async function accounts(addresses: unknown): Promise<BitcoinAccount[]> {
    const [address] = listOf(addresses)
    if (address === undefined) return []
    const publicKey = textOf(await call(provider, 'getPublicKey').catch(() => undefined))
    return readAccounts([{ address, purpose: 'payment', ...(publicKey !== undefined && { publicKey }) }])
  }

  async function network(): Promise<unknown> {
    const chain = member(await call(provider, 'getChain').catch(() => undefined), 'enum')
    return readNetwork(chain ?? (await call(provider, 'getNetwork')))
  }

  /** A wallet that reports no chain has only one (rule 4). */
  async function assertBitcoin(): Promise<void> {
    if ((await network().catch(() => undefined)) === null) throw unsupported()
  }

  return walletOf(
    {
      getAccountAddresses: async () => accounts(await call(provider, 'getAccounts')),
      requestAccounts: async () => accounts(await call(provider, 'requestAccounts')),
      disconnect: async () => {
        await call(provider, 'disconnect')
        return null
      },
      getNetwork: network,
      async switchNetwork({ network: id }) {
        const name = nameNetwork(id)
        if (name === undefined) throw unsupported()
        await call(provider, 'switchChain', `BITCOIN_${name.toUpperCase()}`)
        return null
      },
      async signMessage({ address, message, protocol }) {
        const kind = protocol === 'bip322' ? 'bip322-simple' : 'ecdsa'
        return { address, signature: await call(provider, 'signMessage', message, kind) }
      },
      async signPsbt({ psbt, signInputs, broadcast }) {
        const toSignInputs = readInputs(signInputs)
        if (broadcast === true) await assertBitcoin()
        const signed = await call(provider, 'signPsbt', toHex(fromBase64(psbt)), {
          autoFinalized: broadcast === true,
          ...(toSignInputs.length > 0 && { toSignInputs }),
        })
        const answer = { psbt: toBase64(fromHex(String(signed))) }
        return broadcast === true ? { ...answer, txid: await call(provider, 'pushPsbt', signed) } : answer
      },
      async sendTransfer({ recipientAddress, amount, feeRate }) {
        await assertBitcoin()
        const options = feeRate === undefined ? [] : [{ feeRate }]
        const sent = await call(provider, 'sendBitcoin', recipientAddress, Number(amount), ...options)
        return { txid: textOf(sent) ?? member(sent, 'txhash') }
      },
    },
    (event, listener) => {
      if (event === 'accountsChanged')
        return listen(provider, event, (data) => void accounts(data).then(listener, () => listener([])))
      if (event === 'chainChanged')
        return listen(provider, 'networkChanged', () => void network().then(listener, () => {}))
      return () => {}
    },
  )
}
