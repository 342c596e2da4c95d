import type { WalletProvider } from '../page-wallets/discovery'
import type { BitcoinAccount } from '../types'
import { nameNetwork, readAccounts, readNetwork } from './bitcoin-accounts'
import { fromBase64, fromHex, toBase64, toHex } from './bytes'
import { call, listen, listOf, member, textOf, unsupported, walletOf } from './call'
import { readInputs } from './psbt-inputs'

/**
 * UniSat, and OKX's wallet which speaks nearly the same, in the dialect of the page link. Sources: https://docs.unisat.io (UniSat Wallet),
 * https://web3.okx.com (Provider API, Bitcoin)
 *
 * 1. There is one address at a time, which is for payments. `getAccounts` asks nobody.
 * 2. PSBTs are hexadecimal there, and finalized only to be sent: `signPsbt` with `broadcast` signs, finalizes and pushes.
 * 3. BIP-322 is what they call `bip322-simple`.
 * 4. It is a wallet of other chains as well, with the same addresses (Fractal). Nothing is sent while it is on one of them.
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

  /** 4. A wallet that does not say where it is has one chain. */
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
