/** Transfers for Solana: system, token and associated token programs, and the legacy message. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { token2022Program, tokenProgram } from '@postern/chains/solana/token-account'
import { Failure } from '@postern/protocol/failure'
import { base58, base64 } from '@scure/base'

/** Sources: https://solana.com/docs/core/programs, https://github.com/solana-program */
export const programs = {
  system: '11111111111111111111111111111111',
  token: tokenProgram,
  token2022: token2022Program,
  associated: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
} as const

type AccountUse = { readonly key: string; readonly isSigner?: boolean; readonly isWritable?: boolean }
export type Instruction = {
  readonly program: string
  readonly accounts: readonly AccountUse[]
  readonly data: Uint8Array
}

/** A native transfer, in lamports. */
export function transferLamports(from: string, to: string, lamports: bigint): Instruction {
  return {
    program: programs.system,
    accounts: [
      { key: from, isSigner: true, isWritable: true },
      { key: to, isWritable: true },
    ],
    data: Uint8Array.of(2, 0, 0, 0, ...u64(lamports)),
  }
}

export type TokenTransfer = {
  readonly program: string
  readonly mint: string
  readonly source: string
  readonly destination: string
  readonly owner: string
  readonly amount: bigint
  readonly decimals: number
  /** The transfer fee; null if the mint charges none. */
  readonly withheld: bigint | null
}

/**
 * `TransferChecked`: the chain rejects other decimals. With a transfer fee `TransferCheckedWithFee`, which also rejects
 * another fee.
 */
export function transferTokens({
  program,
  mint,
  source,
  destination,
  owner,
  amount,
  decimals,
  withheld,
}: TokenTransfer): Instruction {
  const checked = [...u64(amount), decimals]
  return {
    program,
    accounts: [
      { key: source, isWritable: true },
      { key: mint },
      { key: destination, isWritable: true },
      { key: owner, isSigner: true },
    ],
    data: withheld === null ? Uint8Array.of(12, ...checked) : Uint8Array.of(26, 1, ...checked, ...u64(withheld)),
  }
}

/** `CreateIdempotent`: succeeds even if created meanwhile. */
export function openAccount(payer: string, owner: string, mint: string, program: string): Instruction {
  return {
    program: programs.associated,
    accounts: [
      { key: payer, isSigner: true, isWritable: true },
      { key: associatedAccount(owner, mint, program), isWritable: true },
      { key: owner },
      { key: mint },
      { key: programs.system },
      { key: program },
    ],
    data: Uint8Array.of(1),
  }
}

/** The associated token account of an owner and a mint. */
export function associatedAccount(owner: string, mint: string, program: string): string {
  return derived([key(owner), key(program), key(mint)], programs.associated)
}

const marker = new TextEncoder().encode('ProgramDerivedAddress')

/** From bump 255 down, the first address off the curve, which has no key. */
function derived(seeds: readonly Uint8Array[], program: string): string {
  for (let bump = 255; bump >= 0; bump--) {
    const hash = sha256(Uint8Array.from([...seeds.flatMap((seed) => [...seed]), bump, ...key(program), ...marker]))
    if (!isOnCurve(hash)) return base58.encode(hash)
  }
  throw new Failure('INTERNAL')
}

function isOnCurve(bytes: Uint8Array): boolean {
  try {
    ed25519.ExtendedPoint.fromHex(bytes)
    return true
  } catch {
    return false
  }
}

/**
 * A legacy transaction in base64, unsigned; the payer is its only signer.
 * @throws {Failure} INVALID_PARAMS if it needs another signer
 */
export function writeTransaction(payer: string, blockhash: string, instructions: readonly Instruction[]): string {
  const keys = keysOf(payer, instructions)
  if (keys.some(({ key: own, isSigner }) => isSigner && own !== payer)) throw new Failure('INVALID_PARAMS')
  const indexOf = (own: string) => keys.findIndex((one) => one.key === own)
  const readonlyOthers = keys.filter(({ isWritable }) => !isWritable).length
  return base64.encode(
    Uint8Array.from([
      // One signature, 64 zeros until signed.
      1,
      ...new Uint8Array(64),
      // One signer, who pays, so it is writable.
      1,
      0,
      readonlyOthers,
      keys.length,
      ...keys.flatMap((one) => [...key(one.key)]),
      ...key(blockhash),
      instructions.length,
      ...instructions.flatMap(({ program, accounts, data }) => [
        indexOf(program),
        accounts.length,
        ...accounts.map((account) => indexOf(account.key)),
        data.length,
        ...data,
      ]),
    ]),
  )
}

/** Each once with all its permissions: the payer, then writable keys, then the rest. */
function keysOf(payer: string, instructions: readonly Instruction[]): readonly Required<AccountUse>[] {
  const keys = new Map<string, Required<AccountUse>>([[payer, { key: payer, isSigner: true, isWritable: true }]])
  const uses = instructions.flatMap(({ program, accounts }) => [...accounts, { key: program }])
  for (const { key: own, isSigner = false, isWritable = false } of uses) {
    const known = keys.get(own)
    keys.set(own, {
      key: own,
      isSigner: isSigner || known?.isSigner === true,
      isWritable: isWritable || known?.isWritable === true,
    })
  }
  const [first, ...others] = keys.values()
  if (first === undefined) return []
  return [first, ...others.filter(({ isWritable }) => isWritable), ...others.filter(({ isWritable }) => !isWritable)]
}

function key(text: string): Uint8Array {
  const bytes = base58.decode(text)
  if (bytes.length !== 32) throw new Failure('INVALID_PARAMS')
  return bytes
}

function u64(value: bigint): Uint8Array {
  if (value < 0n || value >= 1n << 64n) throw new Failure('INVALID_PARAMS')
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value, true)
  return bytes
}
