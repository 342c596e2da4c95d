/** Import it dynamically in a browser. */

import { Failure } from '@postern/protocol/failure'
import { base64 } from '@scure/base'
import {
  ComputeBudgetProgram,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { Buffer } from 'buffer'
import { associatedAccount, publicKey } from './program-address'
import { programs } from './programs'

export function transferLamports(from: string, to: string, lamports: bigint): TransactionInstruction {
  const accounts = { fromPubkey: publicKey(from), toPubkey: publicKey(to) }
  return SystemProgram.transfer({ ...accounts, lamports: checkedU64(lamports) })
}

export type TokenTransfer = {
  readonly program: string
  readonly mint: string
  readonly source: string
  readonly destination: string
  readonly owner: string
  readonly amount: bigint
  readonly decimals: number
  /** The token's fee; null if none. */
  readonly withheld: bigint | null
}

/** `TransferChecked`, with which the chain rejects other decimals; with a fee, `TransferCheckedWithFee`. */
export function transferTokens({
  program,
  mint,
  source,
  destination,
  owner,
  amount,
  decimals,
  withheld,
}: TokenTransfer): TransactionInstruction {
  const checked = [...u64(amount), decimals]
  return new TransactionInstruction({
    programId: publicKey(program),
    keys: [
      { pubkey: publicKey(source), isSigner: false, isWritable: true },
      { pubkey: publicKey(mint), isSigner: false, isWritable: false },
      { pubkey: publicKey(destination), isSigner: false, isWritable: true },
      { pubkey: publicKey(owner), isSigner: true, isWritable: false },
    ],
    data: Buffer.from(withheld === null ? [12, ...checked] : [26, 1, ...checked, ...u64(withheld)]),
  })
}

/** `CreateIdempotent` also succeeds if the account exists. */
export function openAccount(payer: string, owner: string, mint: string, program: string): TransactionInstruction {
  const readonly = [owner, mint, programs.system, program]
  return new TransactionInstruction({
    programId: publicKey(programs.associated),
    keys: [
      { pubkey: publicKey(payer), isSigner: true, isWritable: true },
      { pubkey: publicKey(associatedAccount(owner, mint, program)), isSigner: false, isWritable: true },
      ...readonly.map((key) => ({ pubkey: publicKey(key), isSigner: false, isWritable: false })),
    ],
    data: Buffer.from([1]),
  })
}

/** `price`: micro-lamports per compute unit. */
export function limitCompute(units: number, price: bigint): readonly TransactionInstruction[] {
  const limit = ComputeBudgetProgram.setComputeUnitLimit({ units })
  return price === 0n
    ? [limit]
    : [limit, ComputeBudgetProgram.setComputeUnitPrice({ microLamports: checkedU64(price) })]
}

/** Unsigned, legacy, base64. @throws {Failure} INVALID_PARAMS if it needs another signer than the payer */
export function writeTransaction(
  payer: string,
  blockhash: string,
  instructions: readonly TransactionInstruction[],
): string {
  const message = new TransactionMessage({
    payerKey: publicKey(payer),
    // A hash has 32 bytes, like a key.
    recentBlockhash: publicKey(blockhash).toBase58(),
    instructions: [...instructions],
  }).compileToLegacyMessage()
  if (message.header.numRequiredSignatures !== 1) throw new Failure('INVALID_PARAMS')
  return base64.encode(new VersionedTransaction(message).serialize())
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  new DataView(bytes.buffer, bytes.byteOffset).setBigUint64(0, checkedU64(value), true)
  return bytes
}

function checkedU64(value: bigint): bigint {
  if (value < 0n || value >= 1n << 64n) throw new Failure('INVALID_PARAMS')
  return value
}
