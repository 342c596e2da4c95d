/** litesvm plus slots, expiring blockhashes and a history. */

import { base58 } from '@scure/base'
import {
  type Address,
  address,
  type EncodedAccount,
  getAddressDecoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type ReadonlyUint8Array,
  type Transaction,
} from '@solana/kit'
import { FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from 'litesvm'
import { type TokenBalance, tokenBalances } from './accounts-view'
import { failureOf, type TransactionFailure } from './transaction-error'

/** In slots. Source: MAX_PROCESSING_AGE, https://docs.rs/solana-clock. */
const maxAge = 150n
export const commitments = ['processed', 'confirmed', 'finalized'] as const
export type Commitment = (typeof commitments)[number]
/** Slots behind the newest one. Source: https://solana.com/docs/rpc#configuring-state-commitment */
const slotsBehind: Readonly<Record<Commitment, bigint>> = { processed: 0n, confirmed: 1n, finalized: 33n }

export type Landed = {
  readonly signature: string
  /** Index in the history, from 0. */
  readonly order: number
  readonly slot: bigint
  /** In epoch seconds. */
  readonly blockTime: bigint
  readonly wire: Uint8Array
  readonly transaction: DecodedTransaction
  readonly failure: TransactionFailure | null
  readonly meta: TransactionMetadata
  readonly preBalances: readonly bigint[]
  readonly postBalances: readonly bigint[]
  readonly preTokenBalances: readonly TokenBalance[]
  readonly postTokenBalances: readonly TokenBalance[]
}

export type DecodedTransaction = {
  readonly wire: Uint8Array
  readonly transaction: Transaction
  readonly message: CompiledMessage
  readonly signatures: readonly string[]
  /** The message's, then those from lookup tables, writable first. */
  readonly accounts: readonly Address[]
  readonly loaded: { readonly writable: readonly Address[]; readonly readonly: readonly Address[] }
}
export type CompiledMessage = ReturnType<ReturnType<typeof getCompiledTransactionMessageDecoder>['decode']>

export type Outcome = { readonly meta: TransactionMetadata; readonly failure: TransactionFailure | null }
/** Includes the resulting accounts; empty on failure. */
export type Simulated = Outcome & { readonly after: ReadonlyMap<Address, EncodedAccount> }

export type SolanaLedger = {
  readonly svm: LiteSVM
  slot(): bigint
  /** The newest slot with this commitment. */
  slotAt(commitment: Commitment): bigint
  latestBlockhash(): { readonly blockhash: string; readonly lastValidBlockHeight: bigint }
  isBlockhashValid(blockhash: string): boolean
  /** Ages blockhashes. */
  advance(slots: number): void
  /** Throws kit's error. */
  decode(wire: Uint8Array): DecodedTransaction
  simulate(
    decoded: DecodedTransaction,
    options: { readonly sigVerify: boolean; readonly anyBlockhash: boolean },
  ): Simulated
  /** A rejected transaction leaves no trace; one that failed in a program is in the history. */
  execute(decoded: DecodedTransaction): Outcome
  landed(signature: string): Landed | undefined
  /** Newest first. */
  landedOf(account: string): readonly Landed[]
  commitmentOf(landed: Landed): Commitment
  /** Called at the end of a slot and for a landed transaction. */
  subscribe(listener: () => void): () => void
}

/** `now` returns epoch ms. */
export function createSolanaLedger(now: () => number): SolanaLedger {
  // litesvm knows only its latest blockhash, so age is checked here.
  const svm = new LiteSVM().withBlockhashCheck(false)
  const blockhashes = new Map<string, bigint>()
  const history = new Map<string, Landed>()
  const byAccount = new Map<string, Landed[]>()
  const listeners = new Set<() => void>()
  let slot = 1n

  function keepBlockhash() {
    blockhashes.set(svm.latestBlockhash(), slot + maxAge)
    for (const [blockhash, last] of blockhashes) {
      if (last >= slot) break
      blockhashes.delete(blockhash)
    }
  }
  function enterSlot() {
    svm.warpToSlot(slot)
    const clock = svm.getClock()
    clock.unixTimestamp = BigInt(Math.floor(now() / 1000))
    svm.setClock(clock)
    svm.expireBlockhash()
    keepBlockhash()
  }
  const tell = () => {
    for (const listener of [...listeners]) listener()
  }
  enterSlot()

  /** An expired hash may be a durable nonce, which litesvm checks. */
  function withBlockhashRule<T>(decoded: DecodedTransaction, run: () => T): T {
    const known = blockhashes.has(decoded.message.lifetimeToken ?? '')
    if (known) return run()
    svm.withBlockhashCheck(true)
    try {
      return run()
    } finally {
      svm.withBlockhashCheck(false)
    }
  }

  const balances = (accounts: readonly Address[]) => accounts.map((account) => svm.getBalance(account) ?? 0n)

  return {
    svm,
    slot: () => slot,
    slotAt: (commitment) => (slot > slotsBehind[commitment] ? slot - slotsBehind[commitment] : 0n),
    latestBlockhash() {
      const blockhash = svm.latestBlockhash()
      return { blockhash, lastValidBlockHeight: blockhashes.get(blockhash) ?? slot }
    },
    isBlockhashValid: (blockhash) => blockhashes.has(blockhash),
    advance(slots) {
      for (let entered = 0; entered < slots; entered++) {
        slot += 1n
        enterSlot()
      }
      tell()
    },
    decode: (wire) => decodeTransaction(svm, wire),
    simulate(decoded, { sigVerify, anyBlockhash }) {
      svm.withSigverify(sigVerify)
      try {
        const run = () => svm.simulateTransaction(decoded.transaction)
        const result = anyBlockhash ? run() : withBlockhashRule(decoded, run)
        if (result instanceof FailedTransactionMetadata)
          return { meta: result.meta(), failure: failureOf(result), after: new Map() }
        const after = new Map(result.postAccounts().map((account) => [account.address, account]))
        return { meta: result.meta(), failure: null, after }
      } finally {
        svm.withSigverify(true)
      }
    },
    execute(decoded) {
      const before = balances(decoded.accounts)
      const tokensBefore = tokenBalances(svm, decoded.accounts)
      const result = withBlockhashRule(decoded, () => svm.sendTransaction(decoded.transaction))
      const failed = result instanceof FailedTransactionMetadata
      const meta = failed ? result.meta() : result
      const failure = failed ? failureOf(result) : null
      // A failure before any program ran is in no block.
      const included = failure === null || (typeof failure === 'object' && 'InstructionError' in failure)
      const [signature] = decoded.signatures
      if (!included || signature === undefined) return { meta, failure }
      const landed: Landed = {
        signature,
        order: history.size,
        slot,
        blockTime: BigInt(Math.floor(now() / 1000)),
        wire: decoded.wire,
        transaction: decoded,
        failure,
        meta,
        preBalances: before,
        postBalances: balances(decoded.accounts),
        preTokenBalances: tokensBefore,
        postTokenBalances: tokenBalances(svm, decoded.accounts),
      }
      history.set(signature, landed)
      for (const account of decoded.accounts) {
        const known = byAccount.get(account) ?? []
        known.push(landed)
        byAccount.set(account, known)
      }
      tell()
      return { meta, failure }
    },
    landed: (signature) => history.get(signature),
    landedOf: (account) => (byAccount.get(account) ?? []).toReversed(),
    commitmentOf: (landed) =>
      commitments.findLast((commitment) => slot - landed.slot >= slotsBehind[commitment]) ?? 'processed',
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function decodeTransaction(svm: LiteSVM, wire: Uint8Array): DecodedTransaction {
  const transaction = getTransactionDecoder().decode(wire)
  const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
  const signatures = Object.values(transaction.signatures).map((bytes) => base58.encode(bytes ?? new Uint8Array(64)))
  const lookups =
    message.version === 'legacy' || !('addressTableLookups' in message) ? [] : (message.addressTableLookups ?? [])
  const loaded = {
    writable: lookups.flatMap((lookup) => lookUp(svm, lookup.lookupTableAddress, lookup.writableIndexes)),
    readonly: lookups.flatMap((lookup) => lookUp(svm, lookup.lookupTableAddress, lookup.readonlyIndexes)),
  }
  const accounts = [...message.staticAccounts, ...loaded.writable, ...loaded.readonly]
  return { wire, transaction, message, signatures, accounts, loaded }
}

/** Addresses start after 56 bytes. Source: LOOKUP_TABLE_META_SIZE. */
function lookUp(svm: LiteSVM, table: Address, indexes: readonly number[]): Address[] {
  const account = svm.getAccount(table)
  if (!account.exists) return []
  const data: ReadonlyUint8Array = account.data
  return indexes.flatMap((index) => {
    const bytes = data.slice(56 + index * 32, 56 + index * 32 + 32)
    return bytes.length === 32 ? [getAddressDecoder().decode(bytes)] : []
  })
}

export const toAddress = (text: string): Address => address(text)
