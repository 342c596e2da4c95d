import { fromBase58, fromBase64, toBase58, toBase64 } from '../../adapters/bytes'
import { call, listenBy, listOf, malformed, member, textOf, unauthorized, walletOf } from '../../adapters/call'
import type { WalletProvider } from '../../discovery/wallet-provider'
import { requestFailure } from '../../shared/failures'
import { toStandardChain } from '../../shared/standard-chains'

/**
 * Adapts a Wallet Standard Solana wallet. Source: https://github.com/anza-xyz/wallet-standard
 *
 * 1. If the wallet exposes no account, `getAccounts` connects silently: the wallet may restore one without a prompt.
 * 2. A request is for the given account, else for the first. An account that was not shared is 4100.
 * 3. `chain` is the requested network's standard name. Default: the wallet's first. A network without such a name is
 *    rejected: the transaction would land on another one.
 * 4. The signature of a signed transaction is the account's own.
 * 5. Several transactions are requested in one call.
 * 6. A wallet may sign a changed message. The answer then has the signed bytes.
 */
export function adaptSolanaStandard(wallet: object): WalletProvider {
  const feature = (name: string) => member(wallet, 'features', name)
  const isSolana = (account: unknown) =>
    listOf(member(account, 'chains')).some((chain) => String(chain).startsWith('solana:'))
  const accounts = () => listOf(member(wallet, 'accounts')).filter(isSolana)
  const shape = (list: readonly unknown[]) =>
    list.flatMap((each) => {
      const pubkey = textOf(member(each, 'address'))
      return pubkey === undefined ? [] : [{ pubkey }]
    })

  async function connect(silent: boolean): Promise<readonly unknown[]> {
    const answer = await call(feature('standard:connect'), 'connect', ...(silent ? [{ silent }] : []))
    const granted = listOf(member(answer, 'accounts')).filter(isSolana)
    return granted.length > 0 ? granted : accounts()
  }

  function accountOf(pubkey: unknown): unknown {
    const shared = accounts()
    const account = pubkey === undefined ? shared[0] : shared.find((each) => member(each, 'address') === pubkey)
    if (account === undefined) throw unauthorized()
    return account
  }

  function chainOf(network: unknown): string {
    const chains = listOf(member(wallet, 'chains'))
    const chain =
      network === undefined
        ? chains.find((each) => String(each).startsWith('solana:'))
        : (toStandardChain(network) ?? chains.find((each) => each === network))
    if (typeof chain !== 'string') throw requestFailure('INVALID_PARAMS')
    return chain
  }

  /** One result per input. */
  async function ask(name: string, inputs: readonly object[], read: string): Promise<Uint8Array[]> {
    const answers = listOf(await call(feature(`solana:${name}`), name, ...inputs))
    return inputs.map((_, at) => {
      const bytes = member(answers[at], read)
      if (!(bytes instanceof Uint8Array)) throw malformed()
      return bytes
    })
  }

  const input = ({ pubkey, network }: Readonly<Record<string, unknown>>, transaction: unknown) => ({
    account: accountOf(pubkey),
    transaction: fromBase64(transaction),
    chain: chainOf(network),
  })

  return walletOf(
    {
      async getAccounts() {
        const shared = accounts()
        return shape(shared.length > 0 ? shared : await connect(true).catch(() => []))
      },
      requestAccounts: async () => shape(await connect(false)),
      disconnect: async () => {
        await call(feature('standard:disconnect'), 'disconnect')
        return null
      },
      async signMessage({ pubkey, message }) {
        const bytes = fromBase58(message)
        const input = { account: accountOf(pubkey), message: bytes }
        const [answer] = listOf(await call(feature('solana:signMessage'), 'signMessage', input))
        const [signature, signed] = [member(answer, 'signature'), member(answer, 'signedMessage')]
        if (!(signature instanceof Uint8Array)) throw malformed()
        const isChanged = signed instanceof Uint8Array && signed.length > 0 && !isSameBytes(signed, bytes)
        return { signature: toBase58(signature), ...(isChanged && { signedMessage: toBase58(signed) }) }
      },
      async signTransaction(params) {
        const one = input(params, params.transaction)
        const [signed = new Uint8Array()] = await ask('signTransaction', [one], 'signedTransaction')
        return {
          signature: toBase58(signatureOf(signed, member(one.account, 'address'))),
          transaction: toBase64(signed),
        }
      },
      async signAllTransactions(params) {
        const { transactions } = params
        if (!Array.isArray(transactions) || transactions.length === 0) throw requestFailure('INVALID_PARAMS')
        const inputs = transactions.map((transaction) => input(params, transaction))
        return { transactions: (await ask('signTransaction', inputs, 'signedTransaction')).map(toBase64) }
      },
      async signAndSendTransaction(params) {
        const { transaction, sendOptions } = params
        const one = { ...input(params, transaction), ...(sendOptions !== undefined && { options: sendOptions }) }
        const [signature = new Uint8Array()] = await ask('signAndSendTransaction', [one], 'signature')
        return { signature: toBase58(signature) }
      },
    },
    (event, listener) => {
      if (event !== 'accountsChanged') return () => {}
      return listenBy(
        (onChange) => call(feature('standard:events'), 'on', 'change', onChange),
        (change) => {
          if (member(change, 'accounts') !== undefined) listener(shape(accounts()))
        },
      )
    },
  )
}

function isSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

/**
 * The signature by `address`. Source: https://solana.com/docs/core/transactions
 * Wire format: a compact array of 64-byte signatures, then the message, signers' keys first. A version byte has the
 * high bit set.
 */
function signatureOf(transaction: Uint8Array, address: unknown): Uint8Array {
  const [count, start] = shortLength(transaction, 0)
  const message = start + count * 64
  const header = message + ((transaction[message] ?? 0) & 128 ? 1 : 0)
  const [, keys] = shortLength(transaction, header + 3)
  for (let at = 0; at < count; at++) {
    const key = transaction.subarray(keys + at * 32, keys + (at + 1) * 32)
    if (key.length === 32 && toBase58(key) === address) return transaction.slice(start + at * 64, start + (at + 1) * 64)
  }
  throw malformed()
}

function shortLength(bytes: Uint8Array, at: number): [length: number, end: number] {
  const [low = 0, high = 0, top = 0] = bytes.subarray(at, at + 3)
  if (low < 128) return [low, at + 1]
  return high < 128 ? [(low & 127) | (high << 7), at + 2] : [(low & 127) | ((high & 127) << 7) | (top << 14), at + 3]
}
