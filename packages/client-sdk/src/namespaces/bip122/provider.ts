import { fromHex } from '../../adapters/bytes'
import { createListeners } from '../../adapters/listeners'
import { createRouter, type LoadedProvider, type PageOptions } from '../../adapters/router'
import { bitcoinAccounts } from '../../providers/deferred'
import { failure, ProviderRpcError } from '../../shared/errors'
import { requestFailure } from '../../shared/failures'
import type { BitcoinEvents, BitcoinProvider } from '../../types/index'
import { bitcoinFeatures } from './features'

export type Bip122 = LoadedProvider<BitcoinProvider>

export function createBip122(options: PageOptions): Bip122 {
  const { on, off, emit, clear } = createListeners<BitcoinEvents>([
    'connect',
    'disconnect',
    'accountsChanged',
    'networkChanged',
  ])
  const shape = bitcoinAccounts
  const router = createRouter({
    ...options,
    namespace: 'bip122',
    shape,
    defaults: (method, account) => (method === signMessage ? { address: account?.address } : {}),
    isValid: (method, params) => method !== signMessage || isWellFormed(Reflect.get(params, 'message')),
    events(event, { accounts, networkId }, only) {
      if (event === 'connect') emit(event, { accounts: shape(accounts) }, only)
      if (event === 'accountsChanged') emit(event, shape(accounts), only)
      if (event === 'networkChanged' && networkId !== undefined) emit(event, networkId, only)
      if (event === 'disconnect') emit(event, new ProviderRpcError(failure('DISCONNECTED')), only)
    },
  })

  async function ask<T>(name: string, params: object, is: (value: object) => value is T & object): Promise<T> {
    const answer = await router.request({ method: `bip122_${name}`, params })
    if (typeof answer !== 'object' || answer === null || !is(answer))
      throw new ProviderRpcError(requestFailure('INTERNAL'))
    return answer
  }

  const provider: BitcoinProvider = {
    get accounts() {
      return shape(router.accounts())
    },
    request: router.request,
    connect: async () => shape(await router.connect(false)),
    disconnect: router.disconnect,
    getAccountAddresses: async () => shape(await router.connect(true)),
    signMessage: (message) =>
      ask('signMessage', message, (value): value is { address: string; signature: string } => has(value, 'signature')),
    signPsbt: (request) => ask('signPsbt', request, (value): value is { psbt: string } => has(value, 'psbt')),
    sendTransfer: (transfer) => ask('sendTransfer', transfer, (value): value is { txid: string } => has(value, 'txid')),
    on,
    off,
  }
  return {
    provider,
    router,
    features: bitcoinFeatures(router),
    standardAccount: ({ address, type, publicKey = '' }) => ({ address, purpose: type, publicKey: fromHex(publicKey) }),
    stop() {
      router.stop()
      clear()
    },
  }
}

const signMessage = 'bip122_signMessage'

/** UTF-8 can encode it; otherwise the wallet would sign another text. */
function isWellFormed(message: unknown): boolean {
  return typeof message === 'string' && !/\p{Cs}/u.test(message)
}

function has(value: object, member: string): boolean {
  return typeof Reflect.get(value, member) === 'string'
}
