/**
 * Mints and token accounts of both token programs. Token-2022 appends extensions: two bytes of type, two of length, the
 * data.
 * Sources: https://github.com/solana-program/token and https://github.com/solana-program/token-2022, `interface/src`.
 */
import { base58 } from '@scure/base'

export const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const token2022Program = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

/** Withheld from each transfer, starting in `epoch`. */
export type TransferFee = {
  readonly epoch: bigint
  /** Base units. */
  readonly maxFee: bigint
  /** Hundredths of a percent. */
  readonly basisPoints: number
}

export type Mint = {
  readonly decimals: number
  /** Base units. */
  readonly supply: bigint
  /** The mint's own claim, untrusted. */
  readonly symbol: string | null
  /** Current and next fee; null if both are zero. */
  readonly fees: { readonly older: TransferFee; readonly newer: TransferFee } | null
  readonly obstacle: 'nonTransferable' | 'transferHook' | 'paused' | null
  /** The issuer must thaw new accounts. */
  readonly isFrozenAtFirst: boolean
  /** The issuer can move or burn it in any account. */
  readonly canBeTakenBack: boolean
  /** Bytes of an associated token account. */
  readonly accountSize: number
}

export type TokenAccount = {
  readonly mint: string
  readonly owner: string
  readonly amount: bigint
  readonly isFrozen: boolean
  readonly needsMemo: boolean
  readonly isConfidentialOnly: boolean
  /** May spend `delegated` of the balance. */
  readonly delegate: string | null
  readonly delegated: bigint
  readonly closeAuthority: string | null
}

const mintSize = 82
const accountSize = 165
/** After the base layout. */
const mintType = 1
const accountType = 2
/** A multisig may be as long as an account with extensions. */
const multisigSize = 355

const extension = {
  transferFee: 1,
  defaultState: 6,
  memo: 8,
  nonTransferable: 9,
  delegate: 12,
  hook: 14,
  metadataPointer: 18,
  metadata: 19,
  confidentialAccount: 5,
  pausable: 26,
} as const

/** Bytes. */
const besideMint: ReadonlyMap<number, number> = new Map([
  [extension.transferFee, 12],
  [extension.nonTransferable, 4],
  [extension.hook, 5],
  [extension.pausable, 4],
])
const fixedOwner = 4

/** In bytes. */
export const maxAccountSize = accountSize + 1 + fixedOwner + [...besideMint.values()].reduce((sum, size) => sum + size)

/** Null if not a mint of that program. */
export function readMint(program: string, data: Uint8Array): Mint | null {
  if (!isMint(program, data)) return null
  const { extensions, isComplete } = readExtensions(data)
  if (!isComplete) return null
  const fee = extensions.get(extension.transferFee)
  const hook = extensions.get(extension.hook)
  const delegate = extensions.get(extension.delegate)
  if ((fee !== undefined && fee.length !== 108) || (hook !== undefined && hook.length !== 64)) return null
  const beside = [...besideMint].reduce((sum, [type, size]) => sum + (extensions.has(type) ? size : 0), 0)
  return {
    decimals: data[44] ?? 0,
    supply: viewOf(data).getBigUint64(36, true),
    symbol: symbolIn(extensions),
    fees: fee === undefined ? null : readFees(fee),
    obstacle: extensions.has(extension.nonTransferable)
      ? 'nonTransferable'
      : extensions.get(extension.pausable)?.[32] === 1
        ? 'paused'
        : hook?.subarray(32).some((byte) => byte !== 0)
          ? 'transferHook'
          : null,
    isFrozenAtFirst: extensions.get(extension.defaultState)?.[0] === 2,
    canBeTakenBack: delegate?.some((byte) => byte !== 0) === true,
    accountSize: program === token2022Program ? accountSize + 1 + fixedOwner + beside : accountSize,
  }
}

/** Works on truncated data, which has decimals and usually the symbol. */
export function readMintWords(program: string, data: Uint8Array): Pick<Mint, 'decimals' | 'symbol'> | null {
  return isMint(program, data) ? { decimals: data[44] ?? 0, symbol: symbolIn(readExtensions(data).extensions) } : null
}

function isMint(program: string, data: Uint8Array): boolean {
  if (program !== tokenProgram && program !== token2022Program) return false
  const isLong = program === token2022Program && data.length > accountSize && data[accountSize] === mintType
  return (data.length === mintSize || isLong) && data[45] === 1
}

/** Null if not a token account of that program. */
export function readTokenAccount(program: string, data: Uint8Array): TokenAccount | null {
  if (program !== tokenProgram && program !== token2022Program) return null
  const isPlain = data.length === accountSize
  if (!isPlain && (data.length < accountSize || data.length === multisigSize || data[accountSize] !== accountType))
    return null
  const { extensions, isComplete } = readExtensions(data)
  if (!isComplete) return null
  const delegate = optionalKey(data, 72)
  const confidential = extensions.get(extension.confidentialAccount)
  return {
    mint: base58.encode(data.subarray(0, 32)),
    owner: base58.encode(data.subarray(32, 64)),
    amount: viewOf(data).getBigUint64(64, true),
    isFrozen: data[108] === 2,
    needsMemo: extensions.get(extension.memo)?.[0] === 1,
    // `allow_non_confidential_credits`
    isConfidentialOnly: confidential !== undefined && confidential[262] !== 1,
    delegate,
    delegated: delegate === null ? 0n : viewOf(data).getBigUint64(121, true),
    closeAuthority: optionalKey(data, 129),
  }
}

/** A four-byte flag, then the key. */
function optionalKey(data: Uint8Array, offset: number): string | null {
  return viewOf(data).getUint32(offset, true) === 0 ? null : base58.encode(data.subarray(offset + 4, offset + 36))
}

export function feeAt({ older, newer }: NonNullable<Mint['fees']>, epoch: bigint): TransferFee {
  return epoch >= newer.epoch ? newer : older
}

export function feesDiffer({ older, newer }: NonNullable<Mint['fees']>): boolean {
  return older.basisPoints !== newer.basisPoints || older.maxFee !== newer.maxFee
}

/** Rounded up, as the program does. */
export function feeOf({ maxFee, basisPoints }: TransferFee, amount: bigint): bigint {
  const fee = (amount * BigInt(basisPoints) + 9_999n) / 10_000n
  return fee < maxFee ? fee : maxFee
}

function readFees(data: Uint8Array): Mint['fees'] {
  const view = viewOf(data)
  const at = (offset: number): TransferFee => ({
    epoch: view.getBigUint64(offset, true),
    maxFee: view.getBigUint64(offset + 8, true),
    basisPoints: view.getUint16(offset + 16, true),
  })
  const fees = { older: at(72), newer: at(90) }
  return [fees.older, fees.newer].every(({ maxFee, basisPoints }) => maxFee === 0n || basisPoints === 0) ? null : fees
}

/** Null unless the metadata pointer points to the mint. */
function symbolIn(extensions: ReadonlyMap<number, Uint8Array>): string | null {
  const pointer = extensions.get(extension.metadataPointer)
  const metadata = extensions.get(extension.metadata)
  if (pointer?.length !== 64 || metadata === undefined || metadata.length < 72) return null
  if (base58.encode(pointer.subarray(32)) !== base58.encode(metadata.subarray(32, 64))) return null
  const view = viewOf(metadata)
  const start = 68 + view.getUint32(64, true)
  if (start + 4 > metadata.length) return null
  const length = view.getUint32(start, true)
  if (length > metadata.length - start - 4) return null
  return new TextDecoder().decode(metadata.subarray(start + 4, start + 4 + length))
}

/** The first of each type. A truncated one is included as far as it goes. */
function readExtensions(data: Uint8Array): {
  readonly extensions: ReadonlyMap<number, Uint8Array>
  readonly isComplete: boolean
} {
  const view = viewOf(data)
  const extensions = new Map<number, Uint8Array>()
  for (let at = accountSize + 1; at + 4 <= data.length; ) {
    const type = view.getUint16(at, true)
    if (type === 0) break
    const length = view.getUint16(at + 2, true)
    if (!extensions.has(type)) extensions.set(type, data.subarray(at + 4, at + 4 + length))
    at += 4 + length
    if (at > data.length) return { extensions, isComplete: false }
  }
  return { extensions, isComplete: true }
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength)
}
