import { fromBase64, sighashName, toBase64 } from '../../../adapters/bytes'
import { asProtocol, call, listenBy, listOf, malformed, member, unauthorized, walletOf } from '../../../adapters/call'
import type { WalletProvider } from '../../../discovery/wallet-provider'
import { toStandardChain } from '../../../shared/standard-chains'
import type { BitcoinAccount } from '../../../types/index'
import { readAccounts } from './accounts'
import { byAddress, readInputs } from './psbt-inputs'
import { adaptSatsConnect } from './sats-connect'

/**
 * Adapts a Wallet Standard Bitcoin wallet.
 * Source: https://github.com/ExodusMovement/bitcoin-wallet-standard
 *
 * 1. Its sats-connect provider is used if it has one: it can do more.
 * 2. `getAccountAddresses` returns the accounts that the wallet already exposes: the standard has no silent connect.
 * 3. It does not send: a PSBT comes back without a transaction id, and the caller broadcasts it.
 * 4. It chooses the format of a message signature; another format than requested is UNSUPPORTED_METHOD.
 */
export function adaptBitcoinStandard(wallet: object): WalletProvider {
  const satsConnect = member(wallet, 'features', 'sats-connect:', 'provider')
  if (typeof satsConnect === 'object' && satsConnect !== null) return adaptSatsConnect(satsConnect)

  const feature = (name: string) => member(wallet, 'features', name)
  const isBitcoin = (account: unknown) =>
    listOf(member(account, 'chains')).some((chain) => /^(bitcoin|bip122):/.test(String(chain)))
  const accounts = () => listOf(member(wallet, 'accounts')).filter(isBitcoin)
  let chain: string | undefined

  function accountOf(address: unknown): unknown {
    const account = accounts().find((each) => member(each, 'address') === address)
    if (account === undefined) throw unauthorized()
    return account
  }

  async function connect(network: unknown): Promise<BitcoinAccount[]> {
    chain = toStandardChain(network)
    const answer = await call(feature('bitcoin:connect'), 'connect', { purposes: ['payment', 'ordinals'] })
    const granted = listOf(member(answer, 'accounts')).filter(isBitcoin)
    return readAccounts(granted.length > 0 ? granted : accounts())
  }

  async function first(name: string, input: object, read: string): Promise<Uint8Array> {
    const answer = await call(feature(`bitcoin:${name}`), name, input)
    const bytes = member(listOf(answer)[0], read)
    if (!(bytes instanceof Uint8Array)) throw malformed()
    return bytes
  }

  return walletOf(
    {
      getAccountAddresses: async () => readAccounts(accounts()),
      requestAccounts: ({ network }) => connect(network),
      disconnect: async () => {
        await call(feature('bitcoin:disconnect'), 'disconnect')
        return null
      },
      async signMessage({ address, message, protocol }) {
        const bytes = new TextEncoder().encode(String(message))
        const signature = await first('signMessage', { account: accountOf(address), message: bytes }, 'signature')
        return { address, signature: toBase64(asProtocol(signature, protocol)) }
      },
      async signPsbt({ psbt, signInputs, network }) {
        const where = toStandardChain(network) ?? chain
        const inputsToSign = byAddress(readInputs(signInputs)).map(({ address, indexes, sighash }) => ({
          account: accountOf(address),
          signingIndexes: indexes,
          // Taproot's default has no name.
          ...(sighash && { sigHash: sighashName(sighash) }),
        }))
        const input = { psbt: fromBase64(psbt), inputsToSign, ...(where !== undefined && { chain: where }) }
        return { psbt: toBase64(await first('signTransaction', input, 'signedPsbt')) }
      },
    },
    (event, listener) => {
      if (event !== 'accountsChanged') return () => {}
      const events = feature('bitcoin:events') ?? feature('standard:events')
      return listenBy(
        (onChange) => call(events, 'on', 'change', onChange),
        (change) => {
          if (member(change, 'accounts') !== undefined) listener(readAccounts(accounts()))
        },
      )
    },
  )
}
