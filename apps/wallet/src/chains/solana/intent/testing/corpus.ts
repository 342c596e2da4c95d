/** Solana requests that once read milder than they are, and others of their kind, with what each must show. */

import { littleEndian } from '@postern/chains/solana/testing/token-2022'
import type { Warning } from '../../../../intent/intent'
import {
  bytesOf,
  creationOf,
  keyOf,
  lookedUp,
  lookupTable,
  mint,
  type Order,
  ofBudget,
  ofSystem,
  ofToken,
  openingOf,
  owner,
  payer,
  programIds,
  stranger,
  thief,
  tokenAccount,
  transferOf,
  u32,
  u64,
} from './transactions'

export type SolanaRow = {
  readonly name: string
  /** Of one transaction, or of several. */
  readonly orders: readonly Order[] | readonly (readonly Order[])[]
  /** Default: the owner. The first one pays. */
  readonly signers?: readonly string[]
  /** In the card's text. */
  readonly shows: readonly string[]
  readonly warnings: readonly Warning['kind'][]
}

const { system, token, token2022, associated, memo, stake } = programIds
const sol = 10n ** 9n
const all = 100n * sol
const seed = [...littleEndian(1n, 8), 97]
const hundred = '100 SOL'
const many = Array.from({ length: 12 }, (_, at) => keyOf(20 + at))
const newRecipient = 'New recipient.'
const unread = 'We couldn’t fully read this request.'
const fee = 'Max network fee'

export const solanaCorpus: readonly SolanaRow[] = [
  {
    name: 'limit and price with a byte too many',
    orders: [ofBudget(2, ...u32(1_400_000), 9), ofBudget(3, ...u64(10n ** 12n), 9), transferOf(1_000_000n, thief)],
    shows: [fee, '1,400.01 SOL', 'High fee: up to 1,400.01 SOL.', '0.001 SOL', thief],
    warnings: ['highFee', 'firstTimeRecipient'],
  },
  {
    name: 'a price for the budget’s own instruction alone',
    orders: [ofBudget(3, ...u64(10n ** 12n))],
    shows: [fee, '3.00001 SOL', 'High fee: up to 3.00001 SOL.'],
    warnings: ['highFee'],
  },
  ...[[3, 1, 2], [0, ...u64(1n)], [7], []].map((data) => ({
    name: `a budget that cannot be read: ${data.join(' ')}`,
    orders: [ofBudget(...data), transferOf(1n, thief)],
    shows: ['Network fee', 'Unknown', 'We don’t know the fee.', unread],
    warnings: ['unknownFee', 'notDecoded', 'firstTimeRecipient'] as const,
  })),
  {
    name: 'three signatures that a precompiled program verifies',
    orders: [{ program: programIds.ed25519, accounts: [], data: [3, 0] }, transferOf(1n, thief)],
    shows: [fee, '0.00002 SOL'],
    warnings: ['notDecoded', 'unknownContract', 'firstTimeRecipient'],
  },
  {
    name: 'a new account with 100 SOL',
    orders: [creationOf(all, thief)],
    signers: [owner, thief],
    shows: ['−\u202F100 SOL', 'To', thief, newRecipient],
    warnings: ['firstTimeRecipient'],
  },
  {
    name: 'a new account with 100 SOL in one of two transactions',
    orders: [[creationOf(all, thief)], [transferOf(1n, thief)]],
    signers: [owner, thief],
    shows: ['−\u202F100.000000001 SOL', hundred, thief, newRecipient],
    warnings: ['firstTimeRecipient'],
  },
  {
    name: 'a new account of another program',
    orders: [creationOf(all, thief, stranger)],
    signers: [owner, thief],
    shows: [hundred, thief, newRecipient, 'program of the account', stranger, unread],
    warnings: ['notDecoded', 'firstTimeRecipient'],
  },
  {
    name: 'a new account with data, which cannot send',
    orders: [creationOf(all, thief, system, 8n)],
    signers: [owner, thief],
    shows: [hundred, thief, 'bytes of data', '8', unread],
    warnings: ['notDecoded', 'firstTimeRecipient'],
  },
  {
    name: 'a new account, with bytes at the end',
    orders: [{ ...creationOf(all, thief), data: [...creationOf(all, thief).data, 1] }],
    signers: [owner, thief],
    shows: ['−\u202F100 SOL', thief, newRecipient],
    warnings: ['firstTimeRecipient'],
  },
  {
    name: 'a new account with a seed',
    orders: [
      ofSystem(3, [owner, thief, owner], [...bytesOf(owner), ...seed, ...u64(all), ...u64(0n), ...bytesOf(system)]),
    ],
    shows: ['−\u202F100 SOL', thief, newRecipient],
    warnings: ['firstTimeRecipient'],
  },
  {
    name: 'a new account that another address pays',
    orders: [ofSystem(0, [payer, stranger], [...u64(all), ...u64(0n), ...bytesOf(system)])],
    signers: [payer, stranger, owner],
    shows: ['Create account', unread],
    warnings: ['notDecoded'],
  },
  {
    name: 'a transfer with bytes at the end',
    orders: [{ ...transferOf(all, thief), data: [...transferOf(all, thief).data, 1] }],
    shows: ['−\u202F100 SOL', thief, newRecipient],
    warnings: ['firstTimeRecipient'],
  },
  {
    name: 'a durable nonce with a byte too many',
    orders: [ofSystem(4, [stranger, keyOf(7), owner], [9]), transferOf(1n, thief)],
    shows: ['This doesn’t expire.'],
    warnings: ['neverExpires', 'firstTimeRecipient'],
  },
  {
    name: 'an account of wrapped SOL closed for another',
    orders: [ofToken([tokenAccount, thief, owner], 9)],
    shows: [
      '−\u202FEverything in the closed account',
      'Send',
      thief,
      newRecipient,
      'Close token account',
      tokenAccount,
    ],
    warnings: ['firstTimeRecipient'],
  },
  {
    name: 'an account of Token-2022 closed for another, with bytes at the end',
    orders: [{ program: token2022, accounts: [tokenAccount, thief, owner], data: [9, 1, 2] }],
    shows: ['−\u202FEverything in the closed account', thief, newRecipient],
    warnings: ['firstTimeRecipient'],
  },
  {
    name: 'an account closed for an address in a lookup table',
    orders: [ofToken([tokenAccount, lookedUp(1), owner], 9)],
    shows: [
      '−\u202FEverything in the closed account',
      `Unknown address: entry 1 of lookup table ${lookupTable}`,
      'We don’t know who gets this.',
    ],
    warnings: ['unknownRecipient'],
  },
  {
    name: 'an account closed for the owner',
    orders: [ofToken([tokenAccount, owner, owner], 9)],
    shows: ['Close token account'],
    warnings: [],
  },
  {
    name: 'an account closed by another signer',
    orders: [ofToken([tokenAccount, thief, thief], 9)],
    signers: [owner, thief],
    shows: ['Close token account', unread],
    warnings: ['notDecoded'],
  },
  {
    name: 'token accounts for twelve strangers',
    orders: many.map((one) => openingOf(keyOf(100), one)),
    shows: ['−\u202F0.02447136 SOL', '0.00203928 SOL', ...many, newRecipient],
    warnings: many.map(() => 'firstTimeRecipient' as const),
  },
  {
    name: 'a token account of Token-2022, with the largest deposit',
    orders: [openingOf(keyOf(100), thief, token2022)],
    shows: ['−\u202F0.00224808 SOL', thief],
    warnings: ['firstTimeRecipient'],
  },
  {
    name: 'a token account of the owner',
    orders: [openingOf(keyOf(100), owner)],
    shows: ['−\u202F0.00203928 SOL', 'Token account'],
    warnings: [],
  },
  {
    name: 'an associated account of a program that is not a token program',
    orders: [openingOf(keyOf(100), thief, stranger)],
    shows: ['Program interaction', unread],
    warnings: ['notDecoded', 'unknownContract'],
  },
  {
    name: 'an associated account recovered (RecoverNested)',
    orders: [
      { program: associated, accounts: [tokenAccount, mint, keyOf(7), stranger, mint, owner, token], data: [2] },
    ],
    shows: ['Program interaction', unread],
    warnings: ['notDecoded', 'unknownContract'],
  },
  {
    name: 'a token transfer into an account that is opened with it',
    orders: [openingOf(keyOf(100), thief), ofToken([tokenAccount, keyOf(100), owner], 3, ...u64(5n))],
    shows: ['0.00203928 SOL', '5 (base units)', thief, newRecipient],
    warnings: ['firstTimeRecipient'],
  },
  {
    name: 'a token transfer to an address in a lookup table',
    orders: [ofToken([tokenAccount, lookedUp(0), owner], 3, ...u64(100n))],
    shows: ['100 (base units)', `Unknown address: entry 0 of lookup table ${lookupTable}`],
    warnings: ['unknownRecipient'],
  },
  {
    name: 'SOL to an address in a lookup table',
    orders: [transferOf(all, lookedUp(2))],
    shows: [hundred, `Unknown address: entry 2 of lookup table ${lookupTable}`, 'We don’t know who gets this.'],
    warnings: ['unknownRecipient'],
  },
  {
    name: 'an allowance for an address in a lookup table',
    orders: [ofToken([tokenAccount, lookedUp(2), owner], 4, ...u64(1n))],
    shows: ['Allow spending', `Unknown address: entry 2 of lookup table ${lookupTable}`],
    warnings: ['unknownRecipient'],
  },
  ...[2n ** 64n - 1n, 2n ** 64n - 2n, 2n ** 63n].map((amount) => ({
    name: `an allowance of ${amount}`,
    orders: [ofToken([tokenAccount, thief, owner], 4, ...u64(amount))],
    shows: ['Unlimited', 'Unlimited spending.', thief],
    warnings: ['unlimitedApproval', 'unknownContract'] as const,
  })),
  {
    name: 'an allowance with bytes at the end',
    orders: [ofToken([tokenAccount, thief, owner], 4, ...u64(2n ** 64n - 1n), 7)],
    shows: ['Unlimited', thief],
    warnings: ['unlimitedApproval', 'unknownContract'],
  },
  {
    name: 'a token transfer with bytes at the end',
    orders: [ofToken([tokenAccount, mint, thief, owner], 12, ...u64(5_000_000n), 6, 1)],
    shows: ['−\u202F5', thief, newRecipient],
    warnings: ['firstTimeRecipient'],
  },
  {
    name: 'a right over a token account given up',
    orders: [ofToken([tokenAccount, owner], 6, 3, 0)],
    shows: ['Give the right to close the account', unread],
    warnings: ['notDecoded'],
  },
  ...[
    { name: 'SetAuthority', order: ofToken([tokenAccount, owner], 6, 2, 1, ...bytesOf(thief)) },
    { name: 'Assign', order: ofSystem(1, [owner], bytesOf(thief)) },
    { name: 'AuthorizeNonce', order: ofSystem(7, [stranger, owner], bytesOf(thief)) },
  ].map(({ name, order }) => ({
    name,
    orders: [order],
    shows: ['Gives away control of your account.', thief],
    warnings: ['givesControl'] as const,
  })),
  ...[
    { name: 'Burn', order: ofToken([tokenAccount, mint, owner], 8, ...u64(5n)) },
    { name: 'a batch', order: { program: token2022, accounts: [tokenAccount, thief, owner], data: [255, 3, 9, 3] } },
    { name: 'WithdrawExcessLamports', order: { program: token2022, accounts: [mint, thief, owner], data: [38] } },
    { name: 'Allocate', order: ofSystem(8, [owner], u64(1n)) },
    { name: 'WithdrawNonce', order: ofSystem(5, [stranger, thief, keyOf(7), mint, owner], u64(5n)) },
    {
      name: 'TransferWithSeed',
      order: ofSystem(11, [stranger, owner, thief], [...u64(5n), ...seed, ...bytesOf(system)]),
    },
    {
      name: 'a stake withdrawn',
      order: { program: stake, accounts: [tokenAccount, thief, owner], data: [...u32(4), ...u64(5n)] },
    },
  ].map(({ name, order }) => ({
    name,
    orders: [order],
    shows: ['Program interaction', unread],
    warnings: ['notDecoded', 'unknownContract'] as const,
  })),
  {
    name: 'a memo, an approval taken back, wrapped SOL counted, and a budget',
    orders: [
      { program: memo, accounts: [owner], data: [104, 105] },
      ofToken([tokenAccount, owner], 5),
      ofToken([tokenAccount], 17),
      ofBudget(1, ...u32(262_144)),
      ofBudget(2, ...u32(20_000)),
      ofBudget(3, ...u64(1n)),
      ofBudget(4, ...u32(65_536)),
    ],
    shows: ['Memo', 'Revoke approval', 'Count wrapped SOL', 'heap size (bytes)', 'max account data (bytes)', '20000'],
    warnings: [],
  },
  ...[
    {
      name: 'Authorize',
      order: { program: stake, accounts: [tokenAccount, mint, owner], data: [...u32(1), ...bytesOf(thief), ...u32(1)] },
    },
    {
      name: 'AuthorizeWithSeed',
      order: {
        program: stake,
        accounts: [tokenAccount, owner],
        data: [...u32(8), ...bytesOf(thief), ...u32(1), ...seed, ...bytesOf(system)],
      },
    },
    {
      name: 'AuthorizeChecked',
      order: { program: stake, accounts: [tokenAccount, mint, owner, thief], data: [...u32(10), ...u32(1)] },
    },
    {
      name: 'AuthorizeCheckedWithSeed',
      order: {
        program: stake,
        accounts: [tokenAccount, owner, mint, thief],
        data: [...u32(11), ...u32(1), ...seed, ...bytesOf(system)],
      },
    },
  ].map(({ name, order }) => ({
    name: `a stake: ${name}`,
    orders: [order],
    signers: [owner, thief],
    shows: ['Gives away control of your account.', thief, 'Give the stake account to another owner'],
    warnings: ['givesControl'] as const,
  })),
  {
    name: 'a memo that is no text',
    orders: [transferOf(1n, thief), { program: memo, accounts: [owner], data: [255, 1] }],
    shows: ['data', 'ff01'],
    warnings: ['firstTimeRecipient'],
  },
  {
    name: 'a memo with a mark of its byte order',
    orders: [{ program: memo, accounts: [owner], data: [0xef, 0xbb, 0xbf, 104, 105] }],
    shows: ['⟨U+FEFF⟩'],
    warnings: [],
  },
]
