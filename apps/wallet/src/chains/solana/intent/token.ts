/**
 * Both token programs, and the program of associated token accounts. Source: https://www.solana-program.com/docs/token
 */

import { maxAccountSize, token2022Program, tokenProgram } from '@postern/chains/solana/token-account'
import { nativeAddressOf } from '@postern/protocol'
import { base58 } from '@scure/base'
import type { Amount, Field, IntentStep } from '../../../intent/intent'
import { native } from './accounts'
import type { Allowance } from './control'
import { dataViewOf, fieldsOf, type NamedInstruction, ownerField } from './instruction'

const tokenPrograms: ReadonlySet<string> = new Set([tokenProgram, token2022Program])

export function isTokenProgram(program: string): boolean {
  return tokenPrograms.has(program)
}

/** On every network. */
const wrappedSol = nativeAddressOf('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')

/**
 * Transfer 3 (source, destination, owner), Approve 4 (source, delegate, owner), Revoke 5, SetAuthority 6, CloseAccount
 * 9 (account, destination, owner), TransferChecked 12 (source, mint, destination, owner), ApproveChecked 13 (source,
 * mint, delegate, owner), SyncNative 17; Token-2022: TransferCheckedWithFee 26 1, accounts as TransferChecked.
 *
 * Accepts extra bytes, as the programs do. Until the chain names the mint, `token` is the source account of a plain
 * transfer, or the closed account.
 */
export function readToken(instruction: NamedInstruction, owner: string): readonly IntentStep[] | null {
  const { data, accounts, program } = instruction
  const kind = data[0]
  const [first, second, third, fourth] = accounts
  const raw = data.length >= 9 ? dataViewOf(data).getBigUint64(1, true) : null
  const step = (name: string, ...fields: readonly Field[]) =>
    ({ kind: 'instruction', program, name, fields: [...fields, ...fieldsOf(accounts)] }) as const
  if (kind === 3 && raw !== null && third === owner && first !== undefined && second !== undefined)
    return [{ kind: 'transfer', to: second, amount: amountOf(raw, first) }]
  if (
    kind === 12 &&
    raw !== null &&
    data.length >= 10 &&
    fourth === owner &&
    second !== undefined &&
    third !== undefined
  )
    return [{ kind: 'transfer', to: third, amount: amountOf(raw, second, data[9]) }]
  if (program === token2022Program && kind === 26) return readTransferWithFee(instruction, owner)
  const allowance = readAllowance(instruction, owner)
  if (allowance !== null) {
    const isChecked = kind === 13
    const token = isChecked ? (second ?? '') : allowance.account
    const amount = amountOf(allowance.amount, token, isChecked ? data[9] : undefined)
    return [{ kind: 'approve', spender: allowance.delegate, amount }]
  }
  switch (kind) {
    case 5:
      return [{ ...step('Revoke approval'), isHarmless: true }]
    case 6: {
      const name = rights.get(data[1] ?? -1) ?? 'Give a right over the token to another account'
      // No new authority.
      if (data[2] === 0) return [step(name)]
      const next = data.subarray(3, 35)
      if (data[2] !== 1 || next.length < 32) return null
      return [step(name, ownerField(next, base58.encode(next) !== owner))]
    }
    case 9: {
      if (first === undefined || second === undefined) return null
      const closing = step('Close token account')
      // The program pays out only SOL.
      if (second === owner) return [{ ...closing, isHarmless: true, brings: {} }]
      if (third !== owner) return [closing]
      const amount: Amount = { raw: '0', ...native, token: first, everything: true }
      return [
        { kind: 'transfer', to: second, amount },
        { ...closing, isHarmless: true },
      ]
    }
    case 17:
      return [{ ...step('Count wrapped SOL'), isHarmless: true, brings: { token: wrappedSol } }]
    default:
      return null
  }
}

/** The chain rejects a fee above the amount. */
function readTransferWithFee({ data, accounts }: NamedInstruction, owner: string): readonly IntentStep[] | null {
  const [, mint, to, from] = accounts
  if (data[1] !== 1 || data.length < 19 || from !== owner || mint === undefined || to === undefined) return null
  const view = dataViewOf(data)
  const [raw, fee] = [view.getBigUint64(2, true), view.getBigUint64(11, true)]
  if (fee > raw) return null
  const withheld = amountOf(fee, mint, data[10])
  return [{ kind: 'transfer', to, amount: amountOf(raw, mint, data[10]), withheld }]
}

/** By authority type. */
const rights: ReadonlyMap<number, string> = new Map([
  [0, 'Give the right to issue the token'],
  [1, 'Give the right to freeze accounts'],
  [2, 'Give the account to another owner'],
  [3, 'Give the right to close the account'],
])

/** Null unless the owner gives the allowance. */
export function readAllowance({ data, accounts, program }: NamedInstruction, owner: string): Allowance | null {
  if (!isTokenProgram(program)) return null
  const [account, second, third, fourth] = accounts
  const isPlain = data[0] === 4 && data.length >= 9 && third === owner
  const isChecked = data[0] === 13 && data.length >= 10 && fourth === owner
  const delegate = isPlain ? second : isChecked ? third : undefined
  if (account === undefined || delegate === undefined) return null
  return { account, delegate, amount: dataViewOf(data).getBigUint64(1, true) }
}

/** Half of all units of a mint. */
const unlimited = 2n ** 63n

function amountOf(raw: bigint, token: string, decimals?: number): Amount {
  const isAll = raw >= unlimited
  return { raw: `${raw}`, token, ...(decimals !== undefined && { decimals }), ...(isAll && { unlimited: true }) }
}

/**
 * Lamports for each byte, and 128 more. Source: https://docs.rs/solana-rent, 3,480 lamports per byte and year, for two
 * years.
 */
const rentOf = (size: number): bigint => BigInt(size + 128) * 6_960n
const plainAccountSize = 165

export function isClosing({ data, program }: NamedInstruction): boolean {
  return isTokenProgram(program) && data[0] === 9
}

/**
 * Create 0 or no data, CreateIdempotent 1: payer, account, its owner, mint, system program, token program. The
 * account's owner gets the deposit by closing it.
 */
export function readAssociated(
  { data, accounts, program }: NamedInstruction,
  owner: string,
  open: ReadonlySet<string>,
): readonly IntentStep[] | null {
  const [payer, account = '', to, , , token] = accounts
  if ((data[0] ?? 0) > 1 || to === undefined || token === undefined || !isTokenProgram(token)) return null
  const rent = rentOf(token === tokenProgram ? plainAccountSize : maxAccountSize)
  const opening = {
    kind: 'instruction',
    program,
    name: 'Token account',
    fields: [...(data.length > 0 ? [{ name: 'data', value: `${data[0]}` }] : []), ...fieldsOf(accounts)],
    isHarmless: true,
  } as const
  // Nothing is paid for an existing account.
  if (payer !== owner || open.has(account)) return [opening]
  return [
    { kind: 'transfer', to, amount: { raw: `${rent}`, ...native } },
    { ...opening, hasDeposit: true },
  ]
}
