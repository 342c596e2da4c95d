import { base58, base64 } from '@scure/base'

type Part = readonly number[] | Uint8Array
export type Extension = { readonly type: number; readonly data: Part }

export const littleEndian = (value: bigint, size: number): number[] =>
  Array.from({ length: size }, (_, at) => Number((value >> BigInt(8 * at)) & 255n))

const text = (value: string): number[] => {
  const bytes = new TextEncoder().encode(value)
  return [...littleEndian(BigInt(bytes.length), 4), ...bytes]
}

function withExtensions(base: Uint8Array, type: number, extensions: readonly Extension[]): Uint8Array {
  if (extensions.length === 0) return base
  const padded = new Uint8Array(165)
  padded.set(base)
  const encoded = extensions.flatMap((one) => [
    ...littleEndian(BigInt(one.type), 2),
    ...littleEndian(BigInt(one.data.length), 2),
    ...one.data,
  ])
  return Uint8Array.from([...padded, type, ...encoded])
}

export function mintBytes(extensions: readonly Extension[] = [], decimals = 6): Uint8Array {
  const base = new Uint8Array(82)
  base[44] = decimals
  base[45] = 1
  return withExtensions(base, 1, extensions)
}

export const accountInfo = (program: string, bytes: Uint8Array) => ({
  owner: program,
  executable: false,
  data: [base64.encode(bytes), 'base64'],
})

export type TestAccount = { readonly mint: string; readonly owner: string; readonly amount: bigint }

/** `state`: 1 initialised, 2 frozen. */
export function accountBytes(
  { mint, owner, amount }: TestAccount,
  extensions: readonly Extension[] = [],
  state = 1,
): Uint8Array {
  const base = new Uint8Array(165)
  base.set(base58.decode(mint), 0)
  base.set(base58.decode(owner), 32)
  base.set(littleEndian(amount, 8), 64)
  base[108] = state
  return withExtensions(base, 2, extensions)
}

type Fee = { readonly epoch?: bigint; readonly maxFee: bigint; readonly basisPoints: number }

const keys = (count: number, value = 0) => new Array<number>(32 * count).fill(value)

export const extensions = {
  transferFee(older: Fee, newer: Fee = older): Extension {
    const fee = ({ epoch = 0n, maxFee, basisPoints }: Fee) => [
      ...littleEndian(epoch, 8),
      ...littleEndian(maxFee, 8),
      ...littleEndian(BigInt(basisPoints), 2),
    ]
    return { type: 1, data: [...keys(2), ...littleEndian(0n, 8), ...fee(older), ...fee(newer)] }
  },
  /** On the account, not the mint. */
  confidential: (takesOthers: boolean): Extension => ({
    type: 5,
    data: [...new Array<number>(262).fill(0), takesOthers ? 1 : 0, ...new Array<number>(32).fill(0)],
  }),
  defaultState: (state: 1 | 2): Extension => ({ type: 6, data: [state] }),
  fixedOwner: { type: 7, data: [] } satisfies Extension,
  memo: (isNeeded: boolean): Extension => ({ type: 8, data: [isNeeded ? 1 : 0] }),
  nonTransferable: { type: 9, data: [] } satisfies Extension,
  delegate: (byte: number): Extension => ({ type: 12, data: keys(1, byte) }),
  /** 0: no hook program is set. */
  hook: (byte: number): Extension => ({ type: 14, data: [...keys(1, 3), ...keys(1, byte)] }),
  pointer: (to: string): Extension => ({ type: 18, data: [...keys(1), ...base58.decode(to)] }),
  metadata: (mint: string, name: string, symbol: string): Extension => ({
    type: 19,
    data: [...keys(1), ...base58.decode(mint), ...text(name), ...text(symbol), ...text(''), ...littleEndian(0n, 4)],
  }),
  paused: (isPaused: boolean): Extension => ({ type: 26, data: [...keys(1), isPaused ? 1 : 0] }),
}
