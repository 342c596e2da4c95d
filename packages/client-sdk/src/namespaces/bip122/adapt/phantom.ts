import { fromBase64, toBase64 } from '../../../adapters/bytes'
import { asProtocol, call, listen, malformed, member, walletOf } from '../../../adapters/call'
import type { WalletProvider } from '../../../discovery/wallet-provider'
import type { BitcoinAccount } from '../../../types/index'
import { readAccounts } from './accounts'
import { byAddress, readInputs } from './psbt-inputs'

/**
 * Adapts Phantom's Bitcoin provider. Source: https://docs.phantom.com/bitcoin
 *
 * 1. It cannot return accounts without a prompt: granted accounts are remembered for the page's lifetime.
 * 2. Messages and PSBTs are bytes. It signs but does not send.
 * 3. It chooses the format of a message signature; another format than requested is UNSUPPORTED_METHOD.
 */
export function adaptPhantom(provider: object): WalletProvider {
  let granted: BitcoinAccount[] = []
  const accountsIn = (list: unknown) => {
    granted = readAccounts(list)
    return granted
  }
  return walletOf(
    {
      getAccountAddresses: async () => granted,
      requestAccounts: async () => accountsIn(await call(provider, 'requestAccounts')),
      async signMessage({ address, message, protocol }) {
        const answer = await call(provider, 'signMessage', address, new TextEncoder().encode(String(message)))
        const signature = member(answer, 'signature')
        if (!(signature instanceof Uint8Array)) throw malformed()
        return { address, signature: toBase64(asProtocol(signature, protocol)) }
      },
      async signPsbt({ psbt, signInputs }) {
        const inputsToSign = byAddress(readInputs(signInputs)).map(({ address, indexes, sighash }) => ({
          address,
          signingIndexes: indexes,
          ...(sighash !== undefined && { sigHash: sighash }),
        }))
        const signed = await call(provider, 'signPSBT', fromBase64(psbt), { inputsToSign })
        if (!(signed instanceof Uint8Array)) throw malformed()
        return { psbt: toBase64(signed) }
      },
    },
    (event, listener) =>
      event === 'accountsChanged' ? listen(provider, event, (data) => listener(accountsIn(data))) : () => {},
  )
}
