import { readParams } from '@postern/evm-wallet/requests'
import { invalidParams, ProviderRpcError, unauthorized, unknownChain, unsupported } from '@postern/evm-wallet/rpc-error'
import { solanaRequests } from '@postern/protocol'
import { base58, base64 } from '@scure/base'
import {
  address,
  assertIsSignatureBytes,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type ReadonlyUint8Array,
  type Transaction,
} from '@solana/kit'
import { type SolanaAccount, solanaAccount } from '../solana/accounts'
import type { MobileNamespace, Row, Task, TaskContext } from './contract'
import { jsonRpc } from './json-rpc'

const solanaMethods = [
  'solana_getAccounts',
  'solana_requestAccounts',
  'solana_signMessage',
  'solana_signTransaction',
  'solana_signAllTransactions',
  'solana_signAndSendTransaction',
] as const

const systemProgram = '11111111111111111111111111111111'
const transferTag = 2

async function solanaTask(method: string, rawParams: unknown, context: TaskContext): Promise<Task> {
  const account = solanaAccount(context.account)
  const params = Array.isArray(rawParams) && rawParams.length === 1 ? rawParams[0] : rawParams
  const own = (pubkey: string | undefined) => {
    if (pubkey !== undefined && pubkey !== account.address) throw unauthorized('The dapp may not use this account.')
  }
  const row = { label: 'Account', value: account.address }
  switch (method) {
    case 'solana_getAccounts':
    case 'solana_requestAccounts':
      return { title: 'Show the account', rows: [row], run: async () => [{ pubkey: account.address }] }
    case 'solana_signMessage': {
      const { message, pubkey } = readParams(solanaRequests[method].params, method, params)
      own(pubkey)
      const bytes = base58.decode(message)
      // Signing it as a message would sign the transaction.
      if (isTransactionMessage(bytes)) throw invalidParams('The message is a transaction.')
      return {
        title: 'Sign a message',
        rows: [row],
        raw: shown(bytes),
        run: async () => ({ signature: base58.encode(account.sign(bytes)) }),
      }
    }
    case 'solana_signTransaction': {
      const { transaction, pubkey } = readParams(solanaRequests[method].params, method, params)
      own(pubkey)
      const read = readTransaction(transaction, account)
      return {
        title: 'Sign a transaction',
        rows: [row, ...describe(read)],
        run: async () => signed(read, account),
      }
    }
    case 'solana_signAllTransactions': {
      const { transactions, pubkey } = readParams(solanaRequests[method].params, method, params)
      own(pubkey)
      const read = transactions.map((transaction) => readTransaction(transaction, account))
      return {
        title: `Sign ${read.length} transactions`,
        rows: [row, ...read.flatMap(describe)],
        run: async () => ({ transactions: read.map((one) => signed(one, account).transaction) }),
      }
    }
    case 'solana_signAndSendTransaction': {
      const { transaction, pubkey, sendOptions } = readParams(solanaRequests[method].params, method, params)
      own(pubkey)
      const { url } = context
      if (url === undefined) throw unknownChain(0)
      const read = readTransaction(transaction, account)
      return {
        title: 'Send a transaction',
        rows: [row, ...describe(read)],
        run: async () => {
          const { transaction: wire, signature } = signed(read, account)
          const rpc = jsonRpc(url, context.fetch)
          const sent = await rpc('sendTransaction', [wire, { ...sendOptions, encoding: 'base64' }])
          if (sent !== signature && sent !== firstSignature(wire))
            throw new ProviderRpcError(-32603, 'The node returned another signature.')
          return { signature: firstSignature(wire) }
        },
      }
    }
    default:
      throw unsupported(method)
  }
}

function readTransaction(wire: string, account: SolanaAccount): Transaction {
  let transaction: Transaction
  try {
    transaction = getTransactionDecoder().decode(base64.decode(wire))
  } catch {
    throw invalidParams('This is not a Solana transaction.')
  }
  if (!Object.hasOwn(transaction.signatures, account.address))
    throw invalidParams('The transaction does not need a signature of this account.')
  return transaction
}

function signed(transaction: Transaction, account: SolanaAccount): { signature: string; transaction: string } {
  const bytes = account.sign(Uint8Array.from(transaction.messageBytes))
  assertIsSignatureBytes(bytes)
  const signatures = { ...transaction.signatures, [address(account.address)]: bytes }
  const wire = getTransactionEncoder().encode({ ...transaction, signatures })
  return { signature: base58.encode(bytes), transaction: base64.encode(Uint8Array.from(wire)) }
}

/** The fee payer's signature. */
function firstSignature(wire: string): string {
  const [first] = Object.values(getTransactionDecoder().decode(base64.decode(wire)).signatures)
  if (first === null || first === undefined) throw invalidParams('The fee payer has not signed.')
  return base58.encode(Uint8Array.from(first))
}

/** A plain transfer by its amount, else the programs it calls. */
function describe({ messageBytes }: Transaction): readonly Row[] {
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
  const { staticAccounts } = message
  const instructions = 'instructions' in message ? message.instructions : []
  return instructions.flatMap(({ programAddressIndex, accountIndices = [], data = new Uint8Array() }): Row[] => {
    const program = staticAccounts[programAddressIndex]
    const lamports = program === systemProgram ? transferred(data) : null
    if (lamports === null) return [{ label: 'Program', value: program ?? 'from a lookup table' }]
    return [
      { label: 'To', value: staticAccounts[accountIndices[1] ?? -1] ?? 'from a lookup table' },
      { label: 'Amount', value: `${decimal(lamports, 9)} SOL` },
    ]
  })
}

function transferred(data: ReadonlyUint8Array): bigint | null {
  const bytes = Uint8Array.from(data)
  const view = new DataView(bytes.buffer)
  return bytes.length === 12 && view.getUint32(0, true) === transferTag ? view.getBigUint64(4, true) : null
}

/** Whole units, without trailing zeros. */
export function decimal(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return digits.slice(0, -decimals) + (fraction === '' ? '' : `.${fraction}`)
}

function isTransactionMessage(bytes: Uint8Array): boolean {
  try {
    return getCompiledTransactionMessageDecoder().decode(bytes).staticAccounts.length > 0
  } catch {
    return false
  }
}

function shown(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return base58.encode(bytes)
  }
}

export const solana: MobileNamespace = {
  name: 'Solana',
  methods: solanaMethods,
  events: ['accountsChanged', 'chainChanged'],
  address: (account) => solanaAccount(account).address,
  task: solanaTask,
}
