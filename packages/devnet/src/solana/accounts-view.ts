/** Source: https://solana.com/docs/rpc/json-structures#accounts */
import { base58, base64 } from '@scure/base'
import { type Address, type EncodedAccount, getAddressDecoder, type ReadonlyUint8Array } from '@solana/kit'
import type { LiteSVM } from 'litesvm'
import { RpcError } from './wire'

export type AccountEncoding = 'base58' | 'base64' | 'jsonParsed'
export type DataSlice = { readonly offset: number; readonly length: number }

export const tokenPrograms: readonly string[] = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
]
const rentExempt = 18_446_744_073_709_551_615n

/** Null for a missing account. `known` is its simulated state. */
export function accountView(
  svm: LiteSVM,
  address: Address,
  encoding: AccountEncoding,
  { slice, known }: { readonly slice?: DataSlice | undefined; readonly known?: EncodedAccount | undefined } = {},
) {
  const stored = svm.getAccount(address)
  const account = known ?? (stored.exists ? stored : null)
  if (account === null || account.lamports === 0n) return null
  const parsed =
    encoding === 'jsonParsed'
      ? (tokenAccountView(svm, account.programAddress, account.data) ?? mintView(account.programAddress, account.data))
      : null
  return {
    data:
      parsed ??
      encoded(
        slice === undefined ? account.data : account.data.slice(slice.offset, slice.offset + slice.length),
        encoding,
      ),
    executable: account.executable,
    lamports: account.lamports,
    owner: account.programAddress,
    rentEpoch: rentExempt,
    space: account.data.length,
  }
}

function encoded(data: ReadonlyUint8Array, encoding: AccountEncoding): readonly [string, string] {
  if (encoding !== 'base58') return [base64.encode(Uint8Array.from(data)), 'base64']
  if (data.length > 128)
    throw new RpcError(
      -32600,
      'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
    )
  return [base58.encode(Uint8Array.from(data)), 'base58']
}

export type TokenAccount = { readonly mint: Address; readonly owner: Address; readonly amount: bigint }

/** Null if not a token account. Layout: https://docs.rs/spl-token/latest/spl_token/state/struct.Account.html */
export function readTokenAccount(program: string, data: ReadonlyUint8Array): TokenAccount | null {
  // With extensions, the byte after 165 is the type: 2 is an account.
  if (!tokenPrograms.includes(program) || data.length < 165 || (data.length > 165 && data[165] !== 2)) return null
  const decode = getAddressDecoder()
  const view = new DataView(Uint8Array.from(data).buffer)
  return {
    mint: decode.decode(data.slice(0, 32)),
    owner: decode.decode(data.slice(32, 64)),
    amount: view.getBigUint64(64, true),
  }
}

function tokenAccountView(svm: LiteSVM, program: string, data: ReadonlyUint8Array) {
  const token = readTokenAccount(program, data)
  if (token === null) return null
  const info = {
    isNative: false,
    mint: token.mint,
    owner: token.owner,
    state: 'initialized',
    tokenAmount: tokenAmountView(svm, token),
  }
  return { program: programName(program), parsed: { info, type: 'account' }, space: data.length }
}

const programName = (program: string) => (program === tokenPrograms[0] ? 'spl-token' : 'spl-token-2022')

export type Mint = {
  /** Null if minting is disabled. */
  readonly authority: Address | null
  readonly supply: bigint
  readonly decimals: number
  readonly freezeAuthority: Address | null
}

/** Null if not a mint. Layout: https://docs.rs/spl-token/latest/spl_token/state/struct.Mint.html */
export function readMint(program: string, data: ReadonlyUint8Array): Mint | null {
  const isMint = data.length === 82 || (data.length > 165 && data[165] === 1)
  if (!tokenPrograms.includes(program) || !isMint) return null
  const view = new DataView(Uint8Array.from(data).buffer)
  const authority = (at: number) =>
    view.getUint32(at, true) === 0 ? null : getAddressDecoder().decode(data.slice(at + 4, at + 36))
  return {
    authority: authority(0),
    supply: view.getBigUint64(36, true),
    decimals: view.getUint8(44),
    freezeAuthority: authority(46),
  }
}

function mintView(program: string, data: ReadonlyUint8Array) {
  const mint = readMint(program, data)
  if (mint === null) return null
  const info = {
    mintAuthority: mint.authority,
    supply: `${mint.supply}`,
    decimals: mint.decimals,
    isInitialized: true,
    freezeAuthority: mint.freezeAuthority,
  }
  return { program: programName(program), parsed: { info, type: 'mint' }, space: data.length }
}

export type TokenBalance = {
  readonly accountIndex: number
  readonly mint: Address
  readonly owner: Address
  readonly programId: Address
  readonly uiTokenAmount: ReturnType<typeof tokenAmountView>
}

/** For `preTokenBalances` and `postTokenBalances`. */
export function tokenBalances(svm: LiteSVM, accounts: readonly Address[]): TokenBalance[] {
  return accounts.flatMap((address, accountIndex) => {
    const account = svm.getAccount(address)
    const token = account.exists ? readTokenAccount(account.programAddress, account.data) : null
    if (token === null || !account.exists) return []
    const { mint, owner } = token
    return [
      { accountIndex, mint, owner, programId: account.programAddress, uiTokenAmount: tokenAmountView(svm, token) },
    ]
  })
}

export function tokenAmountView(svm: LiteSVM, { mint, amount }: Pick<TokenAccount, 'mint' | 'amount'>) {
  const account = svm.getAccount(mint)
  // Byte 44 of a mint.
  const decimals = account.exists ? (account.data[44] ?? 0) : 0
  const digits = `${amount}`.padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const uiAmountString = fraction === '' ? whole : `${whole}.${fraction}`
  return { amount: `${amount}`, decimals, uiAmount: Number(uiAmountString), uiAmountString }
}
