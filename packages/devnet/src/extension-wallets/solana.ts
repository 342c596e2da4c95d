import { invalidParams, unauthorized } from '@postern/evm-wallet/rpc-error'
import { base58, base64 } from '@scure/base'
import {
  assertIsSignatureBytes,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
} from '@solana/kit'
import * as z from 'zod/mini'
import { solanaAccount } from '../solana/accounts'
import { guarded, read } from './guarded'
import type { Owner } from './owner'
import { createEvents, type StandardAccount, type StandardWallet } from './standard'

export const solanaChains = [
  { id: 'solana:localnet', name: 'Solana Devnet Local', rpcUrl: 'http://127.0.0.1:8547' },
  { id: 'solana:mainnet', name: 'Solana', rpcUrl: 'https://api.mainnet-beta.solana.com' },
  { id: 'solana:devnet', name: 'Solana Devnet', rpcUrl: 'https://api.devnet.solana.com' },
  { id: 'solana:testnet', name: 'Solana Testnet', rpcUrl: 'https://api.testnet.solana.com' },
] as const

const Bytes = z.instanceof(Uint8Array)
const Account = z.object({ address: z.string() })
const Chain = z.enum(solanaChains.map(({ id }) => id))
const SignMessage = z.object({ account: Account, message: Bytes })
const SignTransaction = z.object({ account: Account, transaction: Bytes, chain: z.optional(Chain) })
const Options = z.nullish(
  z.object({
    skipPreflight: z.optional(z.boolean()),
    preflightCommitment: z.optional(z.string()),
    maxRetries: z.optional(z.number()),
    minContextSlot: z.optional(z.number()),
  }),
)
const SignAndSend = z.object({ account: Account, transaction: Bytes, chain: Chain, options: Options })
const SignIn = z.object({
  domain: z.optional(z.string()),
  address: z.optional(z.string()),
  statement: z.optional(z.string()),
  uri: z.optional(z.string()),
  version: z.optional(z.string()),
  chainId: z.optional(z.string()),
  nonce: z.optional(z.string()),
  issuedAt: z.optional(z.string()),
})

const features = ['solana:signMessage', 'solana:signTransaction', 'solana:signAndSendTransaction', 'solana:signIn']

export type SolanaWalletOptions = {
  readonly name: string
  readonly icon: string
  /** `signIn` requires this domain. */
  readonly host: string
  /** Returns the signature. */
  send(rpcUrl: string, transaction: string, options: unknown): Promise<string>
}

/**
 * A Wallet Standard Solana wallet with a real key.
 *
 * 1. Only the account visible to the dapp signs (4100), and only what the user approved (4001).
 * 2. A transaction is signed as given, legacy or version 0, in this account's slot. One that does not require this
 *    account's signature is rejected.
 * 3. Several inputs of one call are one question. Either all or none are signed.
 * 4. `change` fires exactly when the accounts visible to a dapp change.
 */
export function createSolanaWallet(owner: Owner, { name, icon, host, send }: SolanaWalletOptions): StandardWallet {
  const events = createEvents<[{ readonly accounts: readonly StandardAccount[] }]>()
  const accounts = (): readonly StandardAccount[] => {
    const visible = owner.visible()
    if (visible === null || owner.signal.aborted) return []
    const { address, publicKey } = solanaAccount(visible.account)
    return [{ address, publicKey, chains: solanaChains.map(({ id }) => id), features }]
  }
  owner.listen(() => events.emit('change', { accounts: accounts() }))

  function signer({ address }: { readonly address: string }) {
    const account = solanaAccount(owner.permitted().account)
    if (account.address !== address) throw unauthorized('The requested account has not been authorized by the user.')
    return account
  }

  function signed(wire: Uint8Array, account: ReturnType<typeof solanaAccount>) {
    const transaction = decoded(wire)
    const own = Object.keys(transaction.signatures).find((address) => address === account.address)
    if (own === undefined) throw invalidParams('The transaction does not ask for this account’s signature.')
    const signature = account.sign(Uint8Array.from(transaction.messageBytes))
    assertIsSignatureBytes(signature)
    const signatures = { ...transaction.signatures, [own]: signature }
    return { wire: Uint8Array.from(getTransactionEncoder().encode({ ...transaction, signatures })), signature }
  }

  const chainName = (id: string) => solanaChains.find((chain) => chain.id === id)?.name ?? id

  async function signTransactions(requests: readonly z.output<typeof SignTransaction>[]) {
    const prepared = requests.map((input) => ({ ...input, signer: signer(input.account) }))
    for (const { transaction, signer: account } of prepared) signed(transaction, account)
    await owner.agree(
      prepared.length === 1 ? 'Sign a transaction' : `Sign ${prepared.length} transactions`,
      prepared.flatMap(({ transaction, signer: account }) => transactionRows(transaction, account.address)),
    )
    return prepared.map(({ transaction, signer: account }) => signed(transaction, account))
  }

  const own = {
    'standard:connect': {
      version: '1.0.0',
      connect: async (input?: { readonly silent?: boolean }) => {
        await guarded(() => owner.connect({ silent: input?.silent === true }))
        return { accounts: accounts() }
      },
    },
    'standard:disconnect': { version: '1.0.0', disconnect: async () => owner.disconnect() },
    'standard:events': { version: '1.0.0', on: events.on },
    'solana:signMessage': {
      version: '1.1.0',
      signMessage: (...inputs: unknown[]) =>
        guarded(async () => {
          const requests = inputs.map((input) => read(SignMessage, input))
          const toSign = requests.map(({ account, message }) => ({ account: signer(account), message }))
          for (const { account, message } of toSign) {
            refuseTransaction(message)
            await owner.agree('Sign a message', [{ label: 'Account', value: account.address }], { raw: shown(message) })
          }
          return toSign.map(({ account, message }) => ({
            signedMessage: message,
            signature: account.sign(message),
            signatureType: 'ed25519',
          }))
        }),
    },
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0],
      signTransaction: (...inputs: unknown[]) =>
        guarded(async () => {
          const done = await signTransactions(inputs.map((input) => read(SignTransaction, input)))
          return done.map(({ wire }) => ({ signedTransaction: wire }))
        }),
    },
    'solana:signAndSendTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0],
      signAndSendTransaction: (...inputs: unknown[]) =>
        guarded(async () => {
          const requests = inputs.map((input) => read(SignAndSend, input))
          const outcome: { signature: Uint8Array }[] = []
          for (const input of requests) {
            const account = signer(input.account)
            signed(input.transaction, account)
            await owner.agree('Send a transaction', [
              ...transactionRows(input.transaction, account.address),
              { label: 'Network', value: chainName(input.chain) },
            ])
            const { wire } = signed(input.transaction, account)
            const { rpcUrl } = solanaChains.find(({ id }) => id === input.chain) ?? solanaChains[0]
            outcome.push({ signature: base58.decode(await send(rpcUrl, base64.encode(wire), input.options ?? {})) })
          }
          return outcome
        }),
    },
    'solana:signIn': {
      version: '1.0.0',
      signIn: (...inputs: unknown[]) =>
        guarded(async () => {
          await owner.connect()
          const outcome = []
          for (const input of inputs.length === 0 ? [{}] : inputs) {
            const request = read(SignIn, input)
            const account = solanaAccount(owner.permitted().account)
            if (request.domain !== undefined && request.domain !== host)
              throw invalidParams(`The message is for ${request.domain}, but the page is ${host}.`)
            const text = signInText({ ...request, domain: host }, account.address)
            await owner.agree('Sign in', [{ label: 'Account', value: account.address }], { raw: text })
            const signedMessage = new TextEncoder().encode(text)
            const [shownAccount] = accounts()
            outcome.push({
              account: shownAccount,
              signedMessage,
              signature: account.sign(signedMessage),
              signatureType: 'ed25519',
            })
          }
          return outcome
        }),
    },
  } as const

  return {
    version: '1.0.0',
    name,
    icon,
    chains: solanaChains.map(({ id }) => id),
    features: own,
    get accounts() {
      return accounts()
    },
  }
}

/** Signing these bytes would sign a transaction. */
function refuseTransaction(message: Uint8Array): void {
  let accounts: number
  try {
    accounts = getCompiledTransactionMessageDecoder().decode(message).staticAccounts.length
  } catch {
    return
  }
  if (accounts > 0) throw invalidParams('These bytes are a transaction, not a message.')
}

function decoded(wire: Uint8Array) {
  try {
    return getTransactionDecoder().decode(wire)
  } catch {
    throw invalidParams('These bytes are not a transaction.')
  }
}

/** Amounts only for a plain transfer. */
function transactionRows(wire: Uint8Array, account: string) {
  const message = getCompiledTransactionMessageDecoder().decode(decoded(wire).messageBytes)
  const instructions = 'instructions' in message ? message.instructions : []
  const rows = instructions.map(({ programAddressIndex, accountIndices = [], data }) => {
    const program = message.staticAccounts[programAddressIndex] ?? 'a program from a lookup table'
    const isTransfer = program === '11111111111111111111111111111111' && data?.length === 12 && data[0] === 2
    if (!isTransfer) return { label: 'Program', value: program }
    const lamports = new DataView(Uint8Array.from(data).buffer).getBigUint64(4, true)
    const to = message.staticAccounts[accountIndices[1] ?? -1] ?? 'an account from a lookup table'
    return { label: 'Transfer', value: `${sol(lamports)} SOL to ${to}` }
  })
  return [{ label: 'Account', value: account }, ...rows]
}

function sol(lamports: bigint): string {
  const digits = `${lamports}`.padStart(10, '0')
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '')
}

/** Source: https://github.com/phantom/sign-in-with-solana */
function signInText({ domain, statement, ...fields }: z.output<typeof SignIn>, address: string): string {
  const names = { uri: 'URI', version: 'Version', chainId: 'Chain ID', nonce: 'Nonce', issuedAt: 'Issued At' } as const
  const lines = Object.entries(names).flatMap(([key, label]) => {
    const value: unknown = Reflect.get(fields, key)
    return typeof value === 'string' ? [`${label}: ${value}`] : []
  })
  const parts = [`${domain} wants you to sign in with your Solana account:\n${address}`, statement, lines.join('\n')]
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n')
}

function shown(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return base58.encode(bytes)
  }
}

/** No retries: a wallet passes on the node's answer. */
export async function sendToNode(rpcUrl: string, transaction: string, options: unknown): Promise<string> {
  const params = [transaction, { ...(typeof options === 'object' ? options : {}), encoding: 'base64' }]
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params }),
  })
  const answer = z.parse(Answer, await response.json())
  if (answer.error !== undefined) throw Object.assign(new Error(answer.error.message), answer.error)
  return answer.result ?? ''
}

const Answer = z.object({
  result: z.optional(z.string()),
  error: z.optional(z.object({ code: z.number(), message: z.string(), data: z.optional(z.unknown()) })),
})
