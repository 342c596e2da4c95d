import { base58 } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accountBytes, type Extension, extensions, mintBytes } from './testing/token-2022'
import {
  feeAt,
  feeOf,
  readMint,
  readMintWords,
  readTokenAccount,
  token2022Program,
  tokenProgram,
} from './token-account'

const mint = base58.encode(new Uint8Array(32).fill(3))
const owner = base58.encode(new Uint8Array(32).fill(1))
const tokenAccount = { mint, owner, amount: 2n ** 63n + 5n }
const read = (...some: readonly Extension[]) => readMint(token2022Program, mintBytes(some))

describe('readMint', () => {
  it('reads the common layout of both programs, and the size of an account', () => {
    const plain = {
      decimals: 9,
      supply: 0n,
      symbol: null,
      fees: null,
      obstacle: null,
      isFrozenAtFirst: false,
      canBeTakenBack: false,
    }
    expect(readMint(tokenProgram, mintBytes([], 9))).toEqual({ ...plain, accountSize: 165 })
    // Every associated account has an immutable owner.
    expect(readMint(token2022Program, mintBytes([], 9))).toEqual({ ...plain, accountSize: 170 })
    // Like PYUSD: fee, hook and immutable owner add to the account size.
    const pyusd = read(
      extensions.transferFee({ maxFee: 0n, basisPoints: 0 }),
      extensions.hook(0),
      extensions.delegate(7),
    )
    expect(pyusd).toEqual({ ...plain, decimals: 6, accountSize: 187, canBeTakenBack: true })
  })

  it('reports why a token cannot be sent', () => {
    expect(read(extensions.nonTransferable)).toMatchObject({ obstacle: 'nonTransferable', accountSize: 174 })
    expect(read(extensions.hook(8))).toMatchObject({ obstacle: 'transferHook', accountSize: 175 })
    expect(read(extensions.paused(true))).toMatchObject({ obstacle: 'paused', accountSize: 174 })
    expect(read(extensions.paused(false))).toMatchObject({ obstacle: null })
    expect(read(extensions.defaultState(2))).toMatchObject({ obstacle: null, isFrozenAtFirst: true })
    expect(read(extensions.defaultState(1))).toMatchObject({ isFrozenAtFirst: false })
    expect(read(extensions.delegate(0))).toMatchObject({ canBeTakenBack: false })
  })

  it('accepts the mint’s own symbol only if its metadata pointer points to itself', () => {
    const words = extensions.metadata(mint, 'Name', 'SYM')
    expect(read(extensions.pointer(mint), words)?.symbol).toBe('SYM')
    expect(read(words)?.symbol).toBeNull()
    expect(read(extensions.pointer(owner), words)?.symbol).toBeNull()
  })

  it('is null for an account, another program, truncated data, and an uninitialised mint', () => {
    expect(readMint(token2022Program, accountBytes(tokenAccount, [extensions.fixedOwner]))).toBeNull()
    expect(readMint(tokenProgram, accountBytes(tokenAccount))).toBeNull()
    expect(readMint(tokenProgram, mintBytes([extensions.hook(8)]))).toBeNull()
    expect(readMint(token2022Program, mintBytes([extensions.hook(8)]).subarray(0, -1))).toBeNull()
    expect(readMint(token2022Program, mintBytes([{ type: 1, data: [1, 2, 3] }]))).toBeNull()
    expect(readMint(token2022Program, new Uint8Array(82))).toBeNull()
  })
})

describe('readMintWords', () => {
  const words = [extensions.pointer(mint), extensions.metadata(mint, 'Name', 'SYM')]

  it('reads decimals and symbol from truncated data too', () => {
    const bytes = mintBytes(words)
    expect(readMintWords(token2022Program, bytes)).toEqual({ decimals: 6, symbol: 'SYM' })
    expect(readMintWords(token2022Program, bytes.subarray(0, -4))).toEqual({ decimals: 6, symbol: 'SYM' })
    expect(readMintWords(token2022Program, bytes.subarray(0, 240))).toEqual({ decimals: 6, symbol: null })
    expect(readMintWords(tokenProgram, mintBytes([], 9))).toEqual({ decimals: 9, symbol: null })
  })

  it('is null for an account, another program, and an uninitialised mint', () => {
    expect(readMintWords(token2022Program, accountBytes(tokenAccount, [extensions.fixedOwner]))).toBeNull()
    expect(readMintWords(owner, mintBytes())).toBeNull()
    expect(readMintWords(tokenProgram, mintBytes(words))).toBeNull()
    expect(readMintWords(token2022Program, new Uint8Array(82))).toBeNull()
  })
})

describe('readTokenAccount', () => {
  it('reads the balance and which transfers the account accepts', () => {
    const noDelegate = { delegate: null, delegated: 0n, closeAuthority: null }
    const open = { ...tokenAccount, isFrozen: false, needsMemo: false, isConfidentialOnly: false, ...noDelegate }
    expect(readTokenAccount(tokenProgram, accountBytes(tokenAccount))).toEqual(open)
    const read = (some: readonly Extension[], state?: number) =>
      readTokenAccount(token2022Program, accountBytes(tokenAccount, some, state))
    expect(read([extensions.fixedOwner, extensions.memo(false), extensions.confidential(true)])).toEqual(open)
    expect(read([extensions.fixedOwner, extensions.memo(true)])).toEqual({ ...open, needsMemo: true })
    expect(read([extensions.confidential(false)])).toEqual({ ...open, isConfidentialOnly: true })
    expect(read([], 2)).toEqual({ ...open, isFrozen: true })
  })

  it('reads the delegate and the close authority', () => {
    const bytes = accountBytes(tokenAccount)
    bytes.set([1, 0, 0, 0, ...new Uint8Array(32).fill(7)], 72)
    bytes.set([5, 1], 121)
    bytes.set([1, 0, 0, 0, ...new Uint8Array(32).fill(8)], 129)
    const [delegate, closeAuthority] = [7, 8].map((byte) => base58.encode(new Uint8Array(32).fill(byte)))
    expect(readTokenAccount(tokenProgram, bytes)).toMatchObject({ delegate, delegated: 261n, closeAuthority })
  })

  it('is null for a mint with extensions, a multisig, and another program', () => {
    expect(readTokenAccount(token2022Program, mintBytes([extensions.hook(8)]))).toBeNull()
    expect(readTokenAccount(token2022Program, new Uint8Array(355).fill(2))).toBeNull()
    expect(readTokenAccount(owner, accountBytes(tokenAccount))).toBeNull()
  })
})

it('no reader throws, whatever the bytes', () => {
  const programs = fc.constantFrom(tokenProgram, token2022Program)
  fc.assert(
    fc.property(programs, fc.uint8Array({ maxLength: 400 }), fc.nat(300), (program, noise, at) => {
      const begun = mintBytes([
        extensions.transferFee({ maxFee: 5n, basisPoints: 1 }),
        extensions.metadata(mint, 'N', 'S'),
      ])
      begun.set(noise.subarray(0, Math.max(0, begun.length - at - 46)), Math.min(at + 46, begun.length))
      for (const bytes of [noise, begun, Uint8Array.from([...accountBytes(tokenAccount), 2, ...noise])]) {
        readMint(program, bytes)
        readMintWords(program, bytes)
        readTokenAccount(program, bytes)
      }
    }),
  )
})

describe('a transfer fee', () => {
  it('uses the fee of the epoch, rounds up, and caps at the maximum', () => {
    const older = { epoch: 1n, maxFee: 100n, basisPoints: 50 }
    const newer = { epoch: 9n, maxFee: 7n, basisPoints: 10_000 }
    expect(feeAt({ older, newer }, 8n)).toBe(older)
    expect(feeAt({ older, newer }, 9n)).toBe(newer)
    expect(feeOf(older, 1n)).toBe(1n)
    expect(feeOf(older, 200n)).toBe(1n)
    expect(feeOf(older, 201n)).toBe(2n)
    expect(feeOf(older, 10n ** 9n)).toBe(100n)
    expect(feeOf(newer, 5n)).toBe(5n)
    expect(feeOf(older, 0n)).toBe(0n)
  })

  it('is null if both the older and the newer fee are zero', () => {
    expect(
      read(extensions.transferFee({ maxFee: 9n, basisPoints: 0 }, { maxFee: 0n, basisPoints: 5 }))?.fees,
    ).toBeNull()
    const announced = read(
      extensions.transferFee({ maxFee: 9n, basisPoints: 0 }, { epoch: 4n, maxFee: 9n, basisPoints: 1 }),
    )
    expect(announced?.fees?.newer).toEqual({ epoch: 4n, maxFee: 9n, basisPoints: 1 })
  })
})
