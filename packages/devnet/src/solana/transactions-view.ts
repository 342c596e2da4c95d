/** Source: https://solana.com/docs/rpc/json-structures#transactions */
import { base58, base64 } from '@scure/base'
import type { TransactionMetadata } from 'litesvm'
import type { Commitment, DecodedTransaction, Landed } from './ledger'
import type { TransactionFailure } from './transaction-error'
import { RpcError } from './wire'

export type TransactionEncoding = 'json' | 'jsonParsed' | 'base58' | 'base64'

export const lamportsPerSignature = 5_000n

const statusView = (failure: TransactionFailure | null) => (failure === null ? { Ok: null } : { Err: failure })

export function landedView(landed: Landed, encoding: TransactionEncoding, maxVersion: number | undefined) {
  const { transaction } = landed
  const { version } = transaction.message
  if (version !== 'legacy' && (maxVersion === undefined || maxVersion < version))
    throw new RpcError(
      -32015,
      `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    )
  return {
    slot: landed.slot,
    blockTime: landed.blockTime,
    ...(maxVersion !== undefined && { version }),
    transaction:
      encoding === 'base58'
        ? [base58.encode(landed.wire), encoding]
        : encoding === 'base64'
          ? [base64.encode(landed.wire), encoding]
          : { signatures: transaction.signatures, message: messageView(transaction, encoding) },
    meta: metaView(landed),
  }
}

function metaView(landed: Landed) {
  const { failure, meta, preBalances, postBalances, preTokenBalances, postTokenBalances, transaction } = landed
  const fee = (preBalances[0] ?? 0n) - (postBalances[0] ?? 0n)
  return {
    err: failure,
    status: statusView(failure),
    // A failed transaction pays for its signatures only.
    fee: failure === null ? lamportsPerSignature * BigInt(transaction.signatures.length) : fee,
    preBalances,
    postBalances,
    preTokenBalances,
    postTokenBalances,
    rewards: [],
    innerInstructions: innerInstructionsView(meta),
    logMessages: meta.logs(),
    loadedAddresses: transaction.loaded,
    computeUnitsConsumed: meta.computeUnitsConsumed(),
    ...returnDataView(meta),
  }
}

export function returnDataView(meta: TransactionMetadata) {
  const returned = meta.returnData()
  if (returned.data().length === 0) return {}
  return {
    returnData: {
      programId: base58.encode(Uint8Array.from(returned.programId())),
      data: [base64.encode(Uint8Array.from(returned.data())), 'base64'],
    },
  }
}

function innerInstructionsView(meta: TransactionMetadata) {
  return meta.innerInstructions().flatMap((inner, index) => {
    if (inner.length === 0) return []
    const instructions = inner.map((each) => {
      const instruction = each.instruction()
      return {
        programIdIndex: instruction.programIdIndex(),
        accounts: [...instruction.accounts()],
        data: base58.encode(Uint8Array.from(instruction.data())),
        stackHeight: each.stackHeight(),
      }
    })
    return [{ index, instructions }]
  })
}

function messageView({ message, accounts, loaded }: DecodedTransaction, encoding: 'json' | 'jsonParsed') {
  const { header, staticAccounts } = message
  const instructions = ('instructions' in message ? message.instructions : []).map((instruction) => ({
    programIdIndex: instruction.programAddressIndex,
    accounts: [...(instruction.accountIndices ?? [])],
    data: base58.encode(Uint8Array.from(instruction.data ?? [])),
    stackHeight: null,
  }))
  const recentBlockhash = message.lifetimeToken
  if (encoding === 'jsonParsed') {
    const writable = (index: number) =>
      index < header.numSignerAccounts
        ? index < header.numSignerAccounts - header.numReadonlySignerAccounts
        : index < staticAccounts.length
          ? index < staticAccounts.length - header.numReadonlyNonSignerAccounts
          : index < staticAccounts.length + loaded.writable.length
    return {
      accountKeys: accounts.map((pubkey, index) => ({
        pubkey,
        signer: index < header.numSignerAccounts,
        writable: writable(index),
        source: index < staticAccounts.length ? 'transaction' : 'lookupTable',
      })),
      // The format for unknown programs.
      instructions: instructions.map(({ programIdIndex, accounts: indexes, data, stackHeight }) => ({
        programId: accounts[programIdIndex],
        accounts: indexes.map((index) => accounts[index]),
        data,
        stackHeight,
      })),
      recentBlockhash,
    }
  }
  const lookups = 'addressTableLookups' in message ? (message.addressTableLookups ?? []) : []
  return {
    header: {
      numRequiredSignatures: header.numSignerAccounts,
      numReadonlySignedAccounts: header.numReadonlySignerAccounts,
      numReadonlyUnsignedAccounts: header.numReadonlyNonSignerAccounts,
    },
    accountKeys: staticAccounts,
    recentBlockhash,
    instructions,
    ...(message.version !== 'legacy' && {
      addressTableLookups: lookups.map(({ lookupTableAddress, writableIndexes, readonlyIndexes }) => ({
        accountKey: lookupTableAddress,
        writableIndexes,
        readonlyIndexes,
      })),
    }),
  }
}

const ranks: Readonly<Record<Commitment, number>> = { processed: 0, confirmed: 1, finalized: 2 }
export const reaches = (has: Commitment, wanted: Commitment) => ranks[has] >= ranks[wanted]
