import { call, listenBy, member, unsupported, walletFailure, walletOf } from '../../../adapters/call'
import type { WalletProvider } from '../../../discovery/wallet-provider'
import type { BitcoinAccount } from '../../../types/index'
import { nameNetwork, readAccounts, readNetwork } from './accounts'
import { byAddress, readInputs } from './psbt-inputs'

const purposes = ['payment', 'ordinals']

/** sats-connect's numbers to EIP-1193's. Source: https://docs.xverse.app/sats-connect/error-codes */
const meaning = { [-32000]: 4001, [-32001]: 4200, [-32002]: 4100 }

/**
 * Adapts a sats-connect provider (Xverse, Magic Eden and others).
 * Source: https://docs.xverse.app/sats-connect
 *
 * 1. A response is complete JSON-RPC: `error` is thrown, `result` is returned.
 * 2. To connect, `wallet_connect` is called; older wallets support `getAccounts`, the oldest `getAddresses`.
 * 3. `wallet_getAccount` returns granted accounts without a prompt; a wallet without it grants them for the page's
 *    lifetime only.
 * 4. Amounts are JavaScript numbers of whole satoshis.
 */
export function adaptSatsConnect(provider: object): WalletProvider {
  let granted: BitcoinAccount[] = []

  async function ask(method: string, params?: object | null): Promise<unknown> {
    const answer = await call(provider, 'request', method, params)
    const error = member(answer, 'error')
    if (error !== undefined && error !== null) throw walletFailure(error, meaning)
    return member(answer, 'result') ?? answer
  }

  async function firstKnown(...tries: readonly (() => Promise<unknown>)[]): Promise<unknown> {
    for (const attempt of tries) {
      try {
        return await attempt()
      } catch (thrown) {
        if (walletFailure(thrown, meaning).code !== 'UNSUPPORTED_METHOD') throw thrown
      }
    }
    throw unsupported()
  }

  const accountsIn = (answer: unknown) => {
    granted = readAccounts(member(answer, 'addresses') ?? answer)
    return granted
  }

  return walletOf(
    {
      getAccountAddresses: () => ask('wallet_getAccount', null).then(accountsIn, () => granted),
      async requestAccounts({ network }) {
        const name = nameNetwork(network)
        const message = 'Connect'
        return accountsIn(
          await firstKnown(
            () => ask('wallet_connect', { addresses: purposes, ...(name && { network: capital(name) }) }),
            () => ask('getAccounts', { purposes, message }),
            () => ask('getAddresses', { purposes, message }),
          ),
        )
      },
      async disconnect() {
        granted = []
        await firstKnown(
          () => ask('wallet_disconnect', null),
          () => ask('wallet_renouncePermissions', null),
        )
        return null
      },
      getNetwork: async () => readNetwork(member(await ask('wallet_getNetwork', null), 'bitcoin', 'name')),
      async switchNetwork({ network }) {
        const name = nameNetwork(network)
        if (name === undefined) throw unsupported()
        await ask('wallet_changeNetwork', { name: capital(name) })
        return null
      },
      async signMessage({ address, message, protocol }) {
        const protocolParam = protocol === undefined ? {} : { protocol: String(protocol).toUpperCase() }
        const answer = await ask('signMessage', { address, message, ...protocolParam })
        return { address, signature: member(answer, 'signature') }
      },
      async signPsbt({ psbt, signInputs, broadcast = false }) {
        const inputs: Record<string, number[]> = {}
        for (const { address, indexes } of byAddress(readInputs(signInputs)))
          inputs[address] = [...(inputs[address] ?? []), ...indexes]
        const answer = await ask('signPsbt', { psbt, signInputs: inputs, broadcast })
        const txid = member(answer, 'txid')
        return { psbt: member(answer, 'psbt'), ...(typeof txid === 'string' && txid !== '' && { txid }) }
      },
      async sendTransfer({ recipientAddress, amount }) {
        const answer = await ask('sendTransfer', {
          recipients: [{ address: recipientAddress, amount: Number(amount) }],
        })
        return { txid: member(answer, 'txid') }
      },
    },
    (event, listener) => {
      const eventNames = { accountsChanged: 'accountChange', chainChanged: 'networkChange', disconnect: 'disconnect' }
      const name: unknown = Object.hasOwn(eventNames, event) ? Reflect.get(eventNames, event) : undefined
      if (name === undefined) return () => {}
      const onEvent = (data: unknown) => {
        if (event === 'accountsChanged') {
          const listed = member(data, 'addresses')
          // Some wallets do not report the new account.
          if (listed !== undefined) listener(accountsIn(data))
          else
            ask('wallet_getAccount', null).then(
              (answer) => listener(accountsIn(answer)),
              () => listener([]),
            )
        } else listener(event === 'chainChanged' ? readNetwork(member(data, 'bitcoin', 'name')) : undefined)
      }
      return listenBy((onData) => call(provider, 'addListener', name, onData), onEvent)
    },
    meaning,
  )
}

function capital(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}
