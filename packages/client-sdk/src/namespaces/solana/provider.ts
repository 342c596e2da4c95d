import { fromBase58, fromBase64, toBase58, toBase64 } from '../../adapters/bytes'
import { createListeners } from '../../adapters/listeners'
import { createRouter, type LoadedProvider, numbered, type PageOptions } from '../../adapters/router'
import { failure, ProviderRpcError } from '../../shared/errors'
import { requestFailure } from '../../shared/failures'
import type { SolanaEvents, SolanaProvider, SolanaTransaction } from '../../types/index'
import { solanaFeatures } from './features'

export type Solana = LoadedProvider<SolanaProvider>

export function createSolana(options: PageOptions): Solana {
  const { on, off, emit, clear } = createListeners<SolanaEvents>([
    'connect',
    'disconnect',
    'accountsChanged',
    'networkChanged',
  ])
  const addresses = () => router.accounts().map(({ address }) => address)
  const router = createRouter({
    ...options,
    namespace: 'solana',
    defaults: (_, account, network) => ({ pubkey: account?.address, network }),
    shape: (accounts) => accounts.map(({ address }) => ({ pubkey: address })),
    events(event, { accounts: [first], networkId }, only) {
      if (event === 'connect' && first !== undefined) emit(event, { publicKey: first.address }, only)
      if (event === 'accountsChanged') emit(event, addresses(), only)
      if (event === 'networkChanged' && networkId !== undefined) emit(event, networkId, only)
      if (event === 'disconnect') emit(event, new ProviderRpcError(failure('DISCONNECTED')), only)
    },
  })

  const ask = async (method: string, params: object, member: string): Promise<unknown> =>
    read(await router.request({ method: `solana_${method}`, params }), member)

  const provider: SolanaProvider = {
    get publicKey() {
      return addresses()[0] ?? null
    },
    get accounts() {
      return addresses()
    },
    request: router.request,
    async connect({ onlyIfTrusted = false } = {}) {
      const [first] = await router.connect(onlyIfTrusted)
      if (first === undefined) throw new ProviderRpcError(failure('UNAUTHORIZED'))
      return { publicKey: first.address }
    },
    disconnect: router.disconnect,
    signMessage: (message) =>
      numbered(async () => {
        const answer = await router.request({ method: 'solana_signMessage', params: { message: toBase58(message) } })
        const changed = read(answer, 'signedMessage')
        return {
          signature: fromBase58(read(answer, 'signature')),
          publicKey: addresses()[0] ?? '',
          ...(changed !== undefined && { signedMessage: fromBase58(changed) }),
        }
      }),
    signTransaction: (transaction) =>
      numbered(async () => {
        const signed = await ask('signTransaction', { transaction: wire(transaction) }, 'transaction')
        return rebuilt(transaction, fromBase64(signed))
      }),
    signAllTransactions: (transactions) =>
      numbered(async () => {
        const signed = await ask('signAllTransactions', { transactions: transactions.map(wire) }, 'transactions')
        if (!Array.isArray(signed) || signed.length !== transactions.length) throw requestFailure('INTERNAL')
        return transactions.map((transaction, index) => rebuilt(transaction, fromBase64(signed[index])))
      }),
    signAndSendTransaction: (transaction, sendOptions) =>
      numbered(async () => {
        const params = { transaction: wire(transaction), ...(sendOptions && { sendOptions }) }
        return { signature: String(await ask('signAndSendTransaction', params, 'signature')) }
      }),
    on,
    off,
  }
  return {
    provider,
    router,
    features: solanaFeatures(router),
    standardAccount: ({ address }) => ({ address, publicKey: fromBase58(address) }),
    stop() {
      router.stop()
      clear()
    },
  }
}

/** The wallet adds missing signatures. Versioned transactions ignore these options. */
function wire(transaction: SolanaTransaction): string {
  return toBase64(
    transaction instanceof Uint8Array
      ? transaction
      : transaction.serialize({ requireAllSignatures: false, verifySignatures: false }),
  )
}

function rebuilt<T extends SolanaTransaction>(like: T, bytes: Uint8Array): T {
  const kind = like.constructor
  return Reflect.apply(Reflect.get(kind, 'deserialize') ?? Reflect.get(kind, 'from'), kind, [bytes])
}

function read(value: unknown, member: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, member) : undefined
}
